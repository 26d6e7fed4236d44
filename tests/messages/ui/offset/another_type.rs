use swathe::prelude::*;

mod mine {
    pub type OffsetField<T> = swathe::Field<T>;
}

#[kernel]
fn fill(u: &mut mine::OffsetField<f32>) {
    for i in u.indices() {
        u[i] = 1.0;
    }
}

fn main() {}
