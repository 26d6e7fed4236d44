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

// Casts between the position and an index.
#[kernel]
fn signed(u: &Field<f32, 2>, v: &mut Field<f32, 2>, r: i32) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let (y, x) = (i as i32, j as i32);
        if y >= r && x >= r && y + r < h as i32 && x + r < w as i32 {
            let mut sum = 0.0;
            for a in -r..=r {
                for b in -r..=r {
                    sum += u[[(y + a) as usize, (x + b) as usize]];
                }
            }
            v[[i, j]] = sum;
        }
    }
}

// Bounds of loops that move along with the position.
#[kernel]
fn moving(u: &Field<f32, 2>, v: &mut Field<f32, 2>, r: usize) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i >= r && j >= r && i + r < h && j + r < w {
            let mut sum = 0.0;
            for k in i - r..i + r + 1 {
                for l in j - r..j + r + 1 {
                    sum += u[[k, l]];
                }
            }
            v[[i, j]] = sum;
        }
    }
}
