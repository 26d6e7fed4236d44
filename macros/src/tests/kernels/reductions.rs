// Reductions, alone and beside stores.

#[kernel]
fn dot(x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i] * y[i];
    }
    sum
}

#[kernel]
fn step(x: &mut Field<f64>, v: &Field<f64>, dt: f64) -> (f64, u64) {
    let (mut fastest, mut left) = (0.0f64, 10_u64);
    for i in x.indices() {
        x[i] += dt * v[i];
        fastest = fastest.max(v[i].abs());
        if x[i] < 0.0 {
            left -= 1;
        }
    }
    (fastest, left)
}

#[kernel]
fn in_any_order(x: &Field<f32>, start: f32) -> [f32; 2] {
    let (mut most, mut sum) = (start, 0.0);
    for i in x.indices() {
        most = x[i].max(most);
        sum = 1.0 + sum + x[i];
    }
    [most, sum]
}

// Rows by sequential loops, and blocks of a line.

#[kernel]
fn residual(u: &Field<f32, 2>, v: &mut Field<f32, 2>) -> f32 {
    let [h, w] = u.shape();
    let mut change = 0.0;
    for i in 1..h - 1 {
        for j in 1..w - 1 {
            v[[i, j]] = 0.5 * (u[[i, j - 1]] + u[[i, j + 1]]);
            change += v[[i, j]] - u[[i, j]];
        }
    }
    change
}

#[kernel]
fn blocks(x: &Field<f32>) -> f32 {
    let (mut most, n) = (0.0f32, x.len());
    for block in 0..n.div_ceil(1024) {
        for i in block * 1024..((block + 1) * 1024).min(n) {
            if x[i] < 0.0 {
                continue;
            }
            most = most.max(x[i]);
        }
    }
    most
}

// Small elements behind conditions.

#[kernel]
fn words(text: &Field<u8>) -> u32 {
    let mut count = 0u32;
    for i in 1..text.len() {
        if text[i] > 32 && text[i - 1] <= 32 {
            count += 1;
        }
    }
    count
}

// The least with what belongs to it.

#[kernel]
fn nearest(x: &Field<Vec3>, target: Vec3) -> (f32, usize, u32) {
    let (mut least, mut at, mut last, mut last_at) = (f32::MAX, 0, 0, 0);
    for i in x.indices() {
        if i % 2 == 0 && x[i].distance_squared(target) < 4.0 {
            let distance = x[i].distance(target);
            if distance < least {
                least = distance;
                at = i;
            }
        }
        if x[i].x as u32 >= last {
            last = x[i].x as u32;
            last_at = i as u32;
        }
    }
    (least, at, last_at)
}
