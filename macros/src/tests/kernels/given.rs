//! Positions by functions of integers.

#[func]
fn next(i: usize, n: usize) -> usize {
    if i + 1 == n { 0 } else { i + 1 }
}

#[func]
fn around(mut i: i32, n: i32) -> usize {
    const NONE: i32 = 0;
    if n <= NONE {
        return 0;
    }
    let below = i < 0;
    if below || i >= n {
        i = i.rem_euclid(n);
    }
    next(i as usize, n as usize)
}

#[kernel]
fn shifted(u: &Field<f32, 2>, v: &mut Field<f32, 2>, n: i32) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let right = around(j as i32 + 1, n);
        v[[i, j]] = u[[next(i, h), right]] - u[[i, next(j, w) + 2]];
    }
}
