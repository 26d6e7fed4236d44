//! Kernels of which other libraries give wrong gradients: the table in docs/design/derivatives.md.

use swathe::derivative::Tape;
use swathe::prelude::*;

use super::compare::{case, states};
use crate::suite::support::sources;

#[kernel(grad, jvp)]
fn product(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut p = 1.0;
        for k in 0..x.len().min(7) {
            p *= x[k] + 1.5;
        }
        out[i] = p;
    }
}

#[kernel(grad, jvp)]
fn in_place(x: &mut Field<f64>) {
    for i in x.indices() {
        x[i] = x[i] * x[i];
    }
}

#[kernel(grad, jvp)]
fn scaled(x: &mut Field<f64>, y: &Field<f64>) {
    for i in x.indices() {
        x[i] *= y[i];
    }
}

#[kernel(grad, jvp)]
fn overwritten(a: &mut Field<f64>, b: &mut Field<f64>) {
    for i in a.indices() {
        b[i] = a[i] * a[i];
        a[i] = 1.0;
    }
}

#[kernel(grad, jvp)]
fn largest(x: &Field<f64>, c: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut best = -1e20;
        for p in 0..c.len().min(9) {
            if c[p] == 0.0 {
                continue;
            }
            let v = x[i] * c[p];
            if v > best {
                best = v;
            }
        }
        out[i] = best;
    }
}

#[kernel(grad, jvp)]
fn inverse_sum(x: &Field<f64>) -> f64 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
    }
    1.0 / (0.5 + sum)
}

#[kernel(grad, jvp)]
fn newton(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let a = x[i] * x[i] + 0.3;
        let mut root = a;
        for _ in 0..20 {
            root = 0.5 * (root + a / root);
        }
        out[i] = root;
    }
}

#[kernel(grad, jvp)]
fn newton_while(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let a = x[i] * x[i] + 0.3;
        let mut root = a;
        let mut rounds = 0;
        while rounds < 9 && (root * root - a).abs() > 1e-9 {
            root = 0.5 * (root + a / root);
            rounds += 1;
        }
        out[i] = root;
    }
}

/// What is known of these.
fn by_hand(device: &Device) {
    let x = Field::from_slice(device, &[2.0, 3.0, 4.0]).unwrap();
    let mut g = Field::full(device, 3, 1.0).unwrap();
    in_place::pullback(&x, &mut g).unwrap();
    assert_eq!(g.to_vec().unwrap(), [4.0, 6.0, 8.0]);
    let y = Field::from_slice(device, &[2.0, 3.0, 4.0]).unwrap();
    let (mut g, mut g_y) = (Field::full(device, 3, 1.0).unwrap(), Field::zeros(device, 3).unwrap());
    scaled::pullback(&x, &y, &mut g, &mut g_y).unwrap();
    assert_eq!(g_y.to_vec().unwrap(), [2.0, 3.0, 4.0]);
    assert_eq!(g.to_vec().unwrap(), [2.0, 3.0, 4.0]);
    let (mut g_a, mut g_b) = (Field::zeros(device, 3).unwrap(), Field::full(device, 3, 1.0).unwrap());
    overwritten::pullback(&x, &y, &mut g_a, &mut g_b).unwrap();
    assert_eq!(g_a.to_vec().unwrap(), [4.0, 6.0, 8.0]);
    assert_eq!(g_b.to_vec().unwrap(), [0.0, 0.0, 0.0]);

    // Of numbers that are 2, 3 and 4.
    let mut x = Field::from_slice(device, &[0.5, 1.5, 2.5]).unwrap();
    let mut out = Field::zeros(device, 1).unwrap();
    let one = || Field::full(device, 1, 1.0).unwrap();
    let mut g = Field::zeros(device, 3).unwrap();
    product::pullback(&x, &out, &mut g, &mut one()).unwrap();
    assert_eq!(g.to_vec().unwrap(), [12.0, 8.0, 6.0]);
    // The input changes between the recording and the way back.
    let tape = Tape::record([x.source()], || product(&x, &mut out)).unwrap();
    x.fill(5.0).unwrap();
    let gradients = tape.backward_from(&[(&out, &one())]).unwrap();
    assert_eq!(gradients.get(&x).unwrap().to_vec().unwrap(), [12.0, 8.0, 6.0]);

    let x = Field::from_slice(device, &[2.0, -3.0]).unwrap();
    let c = Field::from_slice(device, &[1.0, 0.0, 5.0, 2.0]).unwrap();
    let (mut g, mut g_c) = (Field::zeros(device, 2).unwrap(), Field::zeros(device, 4).unwrap());
    let out = Field::zeros(device, 2).unwrap();
    largest::pullback(
        &x,
        &c,
        &out,
        &mut g,
        &mut g_c,
        &mut Field::full(device, 2, 1.0).unwrap(),
    )
    .unwrap();
    assert_eq!(g.to_vec().unwrap(), [5.0, 1.0]);

    let near = |got: &Field<f64>, expected: &[f64]| {
        for (got, expected) in got.to_vec().unwrap().iter().zip(expected) {
            assert!((got - expected).abs() < 1e-9, "{got}, not {expected}");
        }
    };
    let x = Field::from_slice(device, &[1.0, 2.0, 3.0]).unwrap();
    let mut g = Field::zeros(device, 3).unwrap();
    inverse_sum::pullback(&x, &mut g, 1.0).unwrap();
    near(&g, &[-1.0 / 42.25; 3]);

    // Roots of 2 and 9: the derivative with respect to these is 1 / (2 root).
    let x: Vec<f64> = [2.0_f64, 9.0].iter().map(|a| (a - 0.3).sqrt()).collect();
    let expected: Vec<f64> = [2.0_f64, 9.0]
        .iter()
        .zip(&x)
        .map(|(a, x)| 0.5 / a.sqrt() * 2.0 * x)
        .collect();
    let x = Field::from_slice(device, &x).unwrap();
    let mut g = Field::zeros(device, 2).unwrap();
    newton::pullback(&x, &out, &mut g, &mut Field::full(device, 2, 1.0).unwrap()).unwrap();
    near(&g, &expected);
}

pub fn check(device: &Device) {
    by_hand(device);
    case!(device, product, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, in_place, [x: mut Field<f64>], (), none, states(&[1]));
    case!(device, scaled, [x: mut Field<f64>, y: & Field<f64>], (), none, states(&[1, 1]));
    case!(device, overwritten, [a: mut Field<f64>, b: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, largest, [x: & Field<f64>, c: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1, 1]));
    case!(device, inverse_sum, [x: & Field<f64>], (), sum, states(&[1]));
    case!(device, newton, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, newton_while, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_product,
        __jvp_product,
        __pullback_in_place,
        __pullback_scaled,
        __pullback_overwritten,
        __pullback_largest,
        __pullback_inverse_sum,
        __jvp_inverse_sum,
        __pullback_newton,
        __pullback_newton_while,
        __jvp_newton_while,
    ]
}
