// Rows cut by a condition, periodic neighbours, all positions in one variable.

#[kernel]
fn relax(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
            out[[i, j]] = 0.5 * u[[i, j]] + 0.125 * around;
        }
    }
}

#[kernel]
fn periodic(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([h, w]) {
        out[[i, j]] = u[[(i + 1) % h, j]] + u[[i, (j + w - 1) % w]];
    }
}

#[kernel]
fn cleared(grid: &mut Field<f32, 2>) {
    for node in grid.indices() {
        grid[node] = 0.0;
    }
}


// The ends cut off by the range.
#[kernel]
fn inner(u: &Field<f32>, v: &mut Field<f32>) {
    for i in 1..u.len() - 1 {
        v[i] = u[i - 1] - 2.0 * u[i] + u[i + 1];
    }
}

#[kernel]
fn interior(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    for [i, j] in v.interior(1) {
        v[[i, j]] = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
    }
}

// A guard whose extents are parts of an array.

#[kernel]
fn forward(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = [u.shape()[0], u.shape()[1]];
    for [i, j] in v.indices() {
        if i + 1 < h && j + 1 < w {
            v[[i, j]] += u[[i + 1, j]] + u[[i, j + 1]];
        }
    }
}
