// Sequential loops over all positions of fields, which are the same for all iterations: in lanes.
#[kernel]
fn over_line(x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let mut s = 0.0;
        for j in x.indices() {
            s += x[j] * i as f32;
        }
        out[i] = s;
    }
}

#[kernel]
fn over_table(x: &Field<f32, 2>, out: &mut Field<f32>) {
    for i in out.indices() {
        let mut s = 0.0;
        for [a, b] in x.indices() {
            s += x[[a, b]] * i as f32;
        }
        out[i] = s;
    }
}

#[kernel]
fn whole(x: &Field<f32, 2>, out: &mut Field<f32>) {
    for i in out.indices() {
        let mut s = 0.0;
        for p in x.indices() {
            s += x[p] * i as f32;
        }
        out[i] = s;
    }
}
