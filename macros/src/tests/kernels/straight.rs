// Straight loops: results that stream, large elements in planes, kernels without contraction.

#[kernel]
fn saxpy(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = a * x[i] + y[i];
    }
}

#[kernel]
fn products(a: &Field<Mat3>, b: &Field<Mat3>, c: &mut Field<Mat3>) {
    for i in c.indices() {
        c[i] = a[i] * b[i];
    }
}

#[kernel(strict)]
fn every_third(x: &Field<f64>, out: &mut Field<f64>, n: usize) {
    for i in (1..n).step_by(3) {
        out[i] = x[i - 1] / 3.0;
    }
}

#[kernel(fast_math)]
fn directions(x: &Field<Vec3>, out: &mut Field<Vec3>) {
    for i in out.indices() {
        out[i] = x[i].normalized() / x[i].norm().sin();
    }
}
