// Accesses that `unsafe` vouches for, and failures by the kernel's word.

#[kernel]
fn permute(order: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in order.indices() {
        let k = order[i] as usize;
        assert!(k < out.len(), "{k} is no position");
        unsafe { out[k] = x[i] };
    }
}

#[kernel]
fn quotients(a: &Field<i32>, b: &Field<i32>, out: &mut Field<i32>) -> i32 {
    let mut largest = i32::MIN;
    for i in out.indices() {
        out[i] = a[i] / b[i] + a[i].rem_euclid(5);
    }
    for i in serial(out.indices()) {
        largest = largest.max(out[i]);
    }
    largest
}
