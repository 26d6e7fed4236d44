// Loops in loops whose indices are entries of a table, and rows of a sparse matrix.

#[kernel]
fn densities(pos: &Field<Vec2>, counts: &Field<u32, 2>, cells: &Field<u32, 3>, density: &mut Field<f32>) {
    let [n, _] = counts.shape();
    for p in pos.indices() {
        let mut sum = 0.0;
        for a in 0..n {
            for k in 0..counts[[a, 0]] as usize {
                let q = cells[[a, 0, k]] as usize;
                let near = (1.0 - pos[p].distance_squared(pos[q])).max(0.0);
                sum += near * near;
            }
        }
        density[p] = sum;
    }
}

#[kernel]
fn spmv(starts: &Field<u32>, columns: &Field<u32>, values: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for r in y.indices() {
        let mut sum = 0.0;
        for k in starts[r] as usize..starts[r + 1] as usize {
            sum += values[k] * x[columns[k] as usize];
        }
        y[r] = sum;
    }
}
