// Indices from data, looked at in blocks; an index of an index; a range over positions from elsewhere.

#[kernel]
fn gather(columns: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let k = columns[i] as usize;
        out[i] = x[k] + x[2 * i + 1];
    }
}

#[kernel]
fn twice(a: &Field<u32>, b: &Field<u32>, x: &Field<f32, 2>, out: &mut Field<f32>) {
    for i in 0..out.len() {
        out[i] = x[[b[a[i] as usize] as usize, i]];
    }
}

// Data tells what is read in loops: checked in lanes.
#[kernel]
fn ell(columns: &Field<u32, 2>, values: &Field<f32, 2>, x: &Field<f32>, y: &mut Field<f32>) {
    for r in y.indices() {
        let mut sum = 0.0;
        for k in 0..columns.shape()[0] {
            sum += values[[k, r]] * x[columns[[k, r]] as usize];
        }
        y[r] = sum;
    }
}

// Work outweighs reads: in lanes of all registers.
#[kernel]
fn carried(u: &Field<Vec2, 2>, pos: &mut Field<Vec2>, steps: usize, dt: f32) {
    for p in pos.indices() {
        let mut q = pos[p];
        for _ in 0..steps {
            let v = u[[q.y as usize, q.x as usize]];
            let turned = Vec2::new(v.y * q.x - v.x * q.y, v.x * q.x + v.y * q.y);
            q += dt * (v - 0.5 * turned / (1.0 + turned.length()));
        }
        pos[p] = q;
    }
}

// Lanes leave the loop one by one.
#[kernel]
fn depth(parent: &Field<u32>, depth: &mut Field<u32>) {
    for i in depth.indices() {
        let (mut node, mut steps) = (i, 0);
        while node != 0 {
            node = parent[node] as usize;
            steps += 1;
        }
        depth[i] = steps;
    }
}

// Rows that data tells begin where they are compared in front of the loop, which LLVM vectorises.
#[kernel]
fn counted(starts: &Field<u32>, ids: &Field<u32>, text: &Field<u8>, len: usize, counts: &mut Field<u32>) {
    for i in counts.indices() {
        let start = starts[ids[i] as usize] as usize;
        let mut count = 0;
        for k in 0..len {
            count += (text[start + k] == 32) as u32;
        }
        counts[i] = count;
    }
}
