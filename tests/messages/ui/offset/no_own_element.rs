use swathe::prelude::*;

#[kernel]
fn push(u: &mut OffsetField<f32>) {
    for i in u.indices() {
        u[2 * i] = 1.0;
    }
}

#[kernel]
fn mirror(x: &Field<f32>, u: &mut OffsetField<f32>) {
    for i in x.indices() {
        u[-(i as isize)] = x[i];
    }
}

#[kernel]
fn narrowed(u: &mut OffsetField<f32>) {
    for i in u.indices() {
        u[i as i8 as isize] = 1.0;
    }
}

#[kernel]
fn neighbour(u: &mut OffsetField<f32, 2>) {
    for [i, j] in u.indices() {
        u[[i, j]] = u[[i, j - 1]];
    }
}

fn main() {}
