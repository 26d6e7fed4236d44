// Indices from data, looked at in blocks; an index of an index; a range over positions from elsewhere.

#[kernel]
fn gather(columns: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let k = columns[i] as usize;
        out[i] = x[k] + x[2 * i + 1];
    }
}

#[kernel]
fn twice(a: &Field<u32>, b: &Field<u32>, x: &Field<f32, 2>, out: &mut Field<f32>) {
    for i in 0..out.len() {
        out[i] = x[[b[a[i] as usize] as usize, i]];
    }
}
