use swathe::prelude::*;

#[kernel]
fn without_width(u: &mut Field<f32, 2>) {
    for [i, j] in u.interior() {
        u[[i, j]] = 1.0;
    }
}

#[kernel]
fn too_few_names(u: &mut Field<f32, 2>) {
    for [i] in u.interior(1) {
        u[[i, 0]] = 1.0;
    }
}

#[kernel]
fn of_a_neighbour(u: &mut Field<f32, 2>) {
    for [i, j] in u.interior(1) {
        u[[i, j]] = u[[i - 1, j]];
    }
}

#[kernel]
fn with_an_origin(u: &mut OffsetField<f32, 2>) {
    for [i, j] in u.interior(1) {
        u[[i, j]] = 1.0;
    }
}

#[kernel]
fn of_any_rank<const D: usize>(u: &mut Field<f32, D>) {
    for p in u.interior(1) {
        u[p] = 1.0;
    }
}

#[kernel]
fn of_a_float(u: &mut Field<f32, 2>, width: f32) {
    for [i, j] in u.interior(width) {
        u[[i, j]] = 1.0;
    }
}

fn main() {}
