//! Float arithmetic with the same bits everywhere.

use swathe::prelude::*;

use super::support::{field, same, sources};

#[kernel(strict)]
fn multiply_add(a: &Field<f32>, b: &Field<f32>, c: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = a[i] * b[i] + c[i];
    }
}

#[kernel(strict)]
fn multiply_add_f64(a: &Field<f64>, b: &Field<f64>, c: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = c[i] - a[i] * b[i];
    }
}

#[func]
fn horner(x: f32) -> f32 {
    ((0.3 * x - 0.7) * x + 1.1) * x - 0.2
}

/// Functions follow the kernel that calls them, and so do vectors.
#[kernel(strict)]
fn polynomials(x: &Field<Vec3>, out: &mut Field<Vec2>) {
    for i in out.indices() {
        let v = x[i];
        out[i] = Vec2::new(horner(v.x) / v.y, (v.dot(v) + horner(v.z)).abs().sqrt());
    }
}

/// Sums of a fixed order.
#[kernel(strict)]
fn rows(x: &Field<f32, 2>, out: &mut Field<f32>) {
    let [_, w] = x.shape();
    for i in out.indices() {
        let mut s = 0.0;
        for j in 0..w {
            s += x[[i, j]] * x[[i, j]];
        }
        out[i] = s;
    }
}

/// A number whose digits fill the mantissa.
fn number(k: usize) -> f32 {
    ((k * 7919 + 13) % 10_007) as f32 / 3001.0 - 1.5
}

pub fn check(device: &Device) {
    for n in [0, 1, 3, 17, 1000] {
        let [a, b, c] = [1, 2, 3].map(|s| (0..n).map(|k| number(s * 5000 + k)).collect::<Vec<f32>>());
        let mut out = Field::zeros(device, n).unwrap();
        multiply_add(&field(device, &a), &field(device, &b), &field(device, &c), &mut out).unwrap();
        same("multiply_add", &out, (0..n).map(|k| a[k] * b[k] + c[k]).collect());

        let [a, b, c] = [a, b, c].map(|x| x.into_iter().map(|v| f64::from(v) / 3.0).collect::<Vec<f64>>());
        let mut out = Field::zeros(device, n).unwrap();
        multiply_add_f64(&field(device, &a), &field(device, &b), &field(device, &c), &mut out).unwrap();
        same("multiply_add_f64", &out, (0..n).map(|k| c[k] - a[k] * b[k]).collect());

        let x: Vec<Vec3> = (0..n)
            .map(|k| Vec3::new(number(k), number(k + 77) + 4.0, number(k + 999)))
            .collect();
        let mut out = Field::full(device, n, Vec2::ZERO).unwrap();
        polynomials(&field(device, &x), &mut out).unwrap();
        let expected = x.iter().map(|v| {
            let dot = v.x * v.x + v.y * v.y + v.z * v.z;
            Vec2::new(horner(v.x) / v.y, (dot + horner(v.z)).abs().sqrt())
        });
        same("polynomials", &out, expected.collect());

        let x: Vec<f32> = (0..n * 7).map(number).collect();
        let matrix = ndarray::Array2::from_shape_vec((n, 7), x.clone()).unwrap();
        let matrix = Field::from_ndarray(device, &matrix).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        rows(&matrix, &mut out).unwrap();
        let expected = (0..n).map(|i| x[i * 7..(i + 1) * 7].iter().fold(0.0, |s, v| s + v * v));
        same("rows", &out, expected.collect());
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![multiply_add, multiply_add_f64, polynomials, rows]
}
