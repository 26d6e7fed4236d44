// Iterations in lanes: loops inside of loops, uniform and not, with functions.

#[func]
fn pull(d: Vec3) -> Vec3 {
    let r2 = d.dot(d) + 1e-3;
    d / (r2 * r2.sqrt())
}

#[kernel]
fn gravity(pos: &Field<Vec3>, acc: &mut Field<Vec3>) {
    for i in pos.indices() {
        let mut sum = Vec3::ZERO;
        for j in 0..pos.len() {
            sum += pull(pos[j] - pos[i]);
        }
        acc[i] = sum;
    }
}

#[kernel]
fn escapes(out: &mut Field<u32, 2>, most: u32) {
    let [h, w] = out.shape();
    for [i, j] in out.indices() {
        let (x, y) = (j as f32 / w as f32 - 2.0, i as f32 / h as f32 - 1.0);
        let (mut a, mut b, mut n) = (0.0f32, 0.0f32, 0);
        while a * a + b * b < 4.0 && n < most {
            let next = a * a - b * b + x;
            b = 2.0 * a * b + y;
            a = next;
            n += 1;
        }
        out[[i, j]] = n;
    }
}
