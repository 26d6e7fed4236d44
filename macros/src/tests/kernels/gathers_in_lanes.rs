// Gathers in loops in lanes, and rows that data tells, which stay out.

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
