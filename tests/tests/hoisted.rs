//! Checks that are made once before a loop.

use swathe::prelude::*;

#[kernel]
fn shadowed_extent(x: &Field<f32>, out: &mut Field<f32>, n: usize) {
    let m = n;
    let n = 1;
    for i in 0..m {
        out[i] += x[i] * n as f32;
    }
}

#[kernel]
fn shadowed_field(x: &Field<f32>, out: &mut Field<f32>) {
    let n = x.len();
    let x = 2.0;
    for i in 0..n {
        out[i] += x;
    }
}

#[test]
fn a_condition_survives_the_shadowing_of_its_names() {
    let device = Device::cpu();
    let x = Field::from_slice(&device, &[1.0_f32, 2.0]).unwrap();
    let mut out = Field::zeros(&device, 2).unwrap();
    let error = shadowed_extent(&x, &mut out, 4).unwrap_err();
    assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
    assert_eq!(out.to_vec().unwrap(), [1.0, 2.0]);
    shadowed_field(&x, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [3.0, 4.0]);
}

#[kernel]
fn positions_as_a_whole(x: &mut Field<i32, 2>) {
    for p in x.indices() {
        let [i, j] = p;
        x[[i, j]] += 10 * i as i32 + j as i32;
    }
}

#[test]
fn parts_of_a_whole_position_are_its_own() {
    let mut x = Field::zeros(&Device::cpu(), [2, 3]).unwrap();
    positions_as_a_whole(&mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0, 1, 2, 10, 11, 12]);
}
