use swathe::prelude::*;

#[kernel]
fn negative(x: &mut Field<u32, 2>) {
    for [i, j] in ndrange([-2..5, 0..3]) {
        x[[i as usize, j as usize]] = 1;
    }
}

#[kernel]
fn of_another_type(x: &mut Field<u32, 2>) {
    for [i, j] in ndrange([1..5i32, 0..3]) {
        x[[i as usize, j as usize]] = 1;
    }
}

fn main() {}
