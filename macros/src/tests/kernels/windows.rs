// Particles and the grid around them: windows of constant size, atomic operations in loops.

#[kernel]
fn scatter(x: &Field<Vec2>, mass: &Field<f32>, grid: &mut Field<f32, 2>) {
    let [n, _] = grid.shape();
    for p in x.indices() {
        let base = (x[p] * n as f32 - 0.5).as_usize();
        for i in 0..3 {
            for j in 0..3 {
                grid[[base[0] + i, base[1] + j]].atomic_add(0.1 * mass[p]);
            }
        }
    }
}

#[kernel]
fn collect(x: &Field<Vec2>, grid: &Field<f32, 2>, out: &mut Field<f32>) {
    let [n, _] = grid.shape();
    for p in x.indices() {
        let base = (x[p] * n as f32 - 0.5).as_usize();
        let mut sum = 0.0;
        for i in 0..3 {
            for j in 0..3 {
                sum += grid[[base[0] + i, base[1] + j]];
            }
        }
        out[p] = sum;
    }
}
