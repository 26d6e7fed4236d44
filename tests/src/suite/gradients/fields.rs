//! Ways in which kernels read and write fields.

use swathe::derivative::detach;
use swathe::prelude::*;

use super::compare::{case, scattered, states};
use crate::suite::support::sources;

#[kernel(grad, jvp)]
fn saxpy(x: &Field<f64>, y: &mut Field<f64>, a: f64) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

#[kernel(grad, jvp)]
fn stencil(u: &Field<f64>, v: &mut Field<f64>) {
    for i in v.indices() {
        if i > 0 && i + 1 < u.len() {
            v[i] = u[i - 1] * u[i] - 2.0 * u[i] * u[i] + u[i + 1];
        }
    }
}

#[kernel(grad, jvp)]
fn laplace(u: &Field<f64, 2>, v: &mut Field<f64, 2>, c: f64) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i > 0 && i + 1 < h && j > 0 && j + 1 < w {
            v[[i, j]] += c * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] * u[[i, j + 1]] - 4.0 * u[[i, j]]);
        }
    }
}

#[kernel(grad, jvp)]
fn scatter(x: &Field<f64>, y: &mut Field<f64>) {
    for i in x.indices() {
        let k = i * 5 % y.len();
        y[k].atomic_add(x[i].sin());
        y[i / 2].atomic_sub(x[i] * x[i]);
    }
}

#[kernel(grad, jvp)]
fn dot(x: &Field<f64>, y: &Field<f64>) -> f64 {
    let mut sum = 0.5;
    let mut squares = 1.0;
    for i in x.indices() {
        sum += x[i] * y[i];
        squares += y[i] * y[i];
    }
    sum / squares.sqrt()
}

/// Elements at the loop's position under the names of inner blocks.
#[kernel(grad, jvp)]
fn inner_names(x: &Field<f64>, y: &mut Field<f64>) {
    for i in x.indices() {
        let mut n = 0;
        while n < 3 {
            let k = i;
            let l = k;
            y[l] = y[l] * 0.5 + x[k] * y[l];
            n += 1;
        }
        if x[i] > 0.0 {
            let k = i;
            y[k] = y[k] * x[i];
        } else {
            let m = i;
            y[m] = 3.0 * y[m] + x[m];
        }
    }
}

#[kernel(grad, jvp)]
fn several_writes(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = x[i];
        out[i] += 2.0 * x[i] * x[i];
        out[i] -= x[i].cos();
    }
}

#[kernel(grad, jvp)]
fn updated(x: &mut Field<f64>, y: &mut Field<f64>) {
    for i in x.indices() {
        let before = x[i];
        x[i] = before.sin() + y[i];
        if x[i] > 0.0 {
            y[i] *= x[i];
        }
        x[i] -= y[i] * before;
    }
}

#[kernel(grad, jvp)]
fn phases(x: &Field<f64>, a: &mut Field<f64>, b: &mut Field<f64>) {
    for i in a.indices() {
        a[i] = x[i] * x[i];
    }
    for i in b.indices() {
        b[i] += 3.0 * a[i];
    }
}

#[kernel(grad, jvp)]
fn held(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = x[i] * detach(x[i]) + detach(x[i].exp().ceil());
    }
}

#[kernel(grad(a, b), jvp(a, b))]
fn of_values(x: &Field<f64>, y: &mut Field<f64>, a: f64, n: i32, b: f64) {
    let scale = a * b;
    for i in y.indices() {
        let mut v = x[i] * scale;
        for k in 0..3 {
            v += a.sin() * x[k % x.len()].powi(n);
        }
        y[i] += v;
    }
}

fn values(device: &Device) {
    for n in [1, 3, 17] {
        let x = Field::from_slice(device, &scattered(n, 1)).unwrap();
        let weights = scattered(n, 2);
        let (a, b) = (0.7, -1.3);
        let loss = |a: f64, b: f64| {
            let mut y = Field::<f64>::zeros(device, n).unwrap();
            of_values(&x, &mut y, a, 3, b).unwrap();
            y.to_vec()
                .unwrap()
                .iter()
                .zip(&weights)
                .map(|(y, w)| y * w)
                .sum::<f64>()
        };
        let y = Field::<f64>::zeros(device, n).unwrap();
        let (mut g_x, mut g_y) = (
            Field::zeros(device, n).unwrap(),
            Field::from_slice(device, &weights).unwrap(),
        );
        let (d_a, d_b) = of_values::pullback(&x, &y, a, 3, b, &mut g_x, &mut g_y).unwrap();
        let h = 1e-5;
        let by_a = (loss(a + h, b) - loss(a - h, b)) / (2.0 * h);
        let by_b = (loss(a, b + h) - loss(a, b - h)) / (2.0 * h);
        assert!((d_a - by_a).abs() < 1e-7 * (1.0 + by_a.abs()), "{d_a} {by_a}");
        assert!((d_b - by_b).abs() < 1e-7 * (1.0 + by_b.abs()), "{d_b} {by_b}");
        let (mut y, mut t_y) = (
            Field::<f64>::zeros(device, n).unwrap(),
            Field::<f64>::zeros(device, n).unwrap(),
        );
        let t_x = Field::<f64>::zeros(device, n).unwrap();
        of_values::jvp(&x, &mut y, a, 3, b, &t_x, &mut t_y, 1.0, 0.0).unwrap();
        let t: f64 = t_y.to_vec().unwrap().iter().zip(&weights).map(|(y, w)| y * w).sum();
        assert!((t - d_a).abs() < 1e-12 * (1.0 + d_a.abs()), "{t} {d_a}");
    }
}

/// The value without the derivative.
fn detached(device: &Device) {
    let values = scattered(17, 4);
    let x = Field::from_slice(device, &values).unwrap();
    let out = Field::<f64>::zeros(device, 17).unwrap();
    let (mut g_x, mut g_out) = (Field::zeros(device, 17).unwrap(), Field::full(device, 17, 2.0).unwrap());
    held::pullback(&x, &out, &mut g_x, &mut g_out).unwrap();
    let expected: Vec<f64> = values.iter().map(|x| 2.0 * x).collect();
    assert_eq!(g_x.to_vec().unwrap(), expected);
}

pub fn check(device: &Device) {
    case!(device, saxpy, [x: & Field<f64>, y: mut Field<f64>], (1.5), none, states(&[1, 1]));
    case!(device, stencil, [u: & Field<f64>, v: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, laplace, [u: & Field<f64, 2>, v: mut Field<f64, 2>], (0.3), none, states(&[4, 4]));
    case!(device, scatter, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, dot, [x: & Field<f64>, y: & Field<f64>], (), sum, states(&[1, 1]));
    case!(device, inner_names, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, several_writes, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, updated, [x: mut Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, phases, [x: & Field<f64>, a: mut Field<f64>, b: mut Field<f64>], (), none, states(&[1, 1, 1]));
    values(device);
    detached(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_saxpy,
        __pullback_stencil,
        __pullback_laplace,
        __jvp_laplace,
        __pullback_scatter,
        __pullback_dot,
        __pullback_inner_names,
        __pullback_several_writes,
        __pullback_updated,
        __jvp_updated,
        __pullback_phases,
        __pullback_held,
        __pullback_of_values,
    ]
}
