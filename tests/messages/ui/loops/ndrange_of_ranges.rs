use swathe::prelude::*;

#[kernel]
fn mixed(u: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([1..h, w]) {
        u[[i, j]] = 1.0;
    }
}

#[kernel]
fn with_its_end(u: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([1..=h - 1, 0..=w - 1]) {
        u[[i, j]] = 1.0;
    }
}

#[kernel]
fn without_an_end(u: &mut Field<f32, 2>) {
    for [i, j] in ndrange([1.., 0..]) {
        u[[i, j]] = 1.0;
    }
}

#[kernel]
fn too_few_names(u: &mut Field<f32, 2>) {
    for [i] in ndrange([1..4, 0..3]) {
        u[[i, 0]] = 1.0;
    }
}

#[kernel]
fn not_every_position(u: &mut Field<f32>) {
    for [i, _] in ndrange([1..4, 0..3]) {
        u[i] = 1.0;
    }
}

#[kernel]
fn changed(u: &mut Field<f32, 2>) {
    for [mut i, j] in ndrange([1..4, 0..3]) {
        u[[i, j]] = 1.0;
        i += 1;
    }
}

#[kernel]
fn of_a_neighbour(u: &mut Field<f32, 2>) {
    for [i, j] in ndrange([1..4, 0..3]) {
        u[[i, j]] = u[[i - 1, j]];
    }
}

fn main() {}
