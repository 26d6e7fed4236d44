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
