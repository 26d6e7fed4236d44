//! Branches, loops, functions.

use swathe::prelude::*;

use super::compare::{case, states};
use crate::suite::support::sources;

#[kernel(grad, jvp)]
fn branches(x: &Field<f64>, y: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let a = if x[i] > 0.1 {
            x[i] * y[i]
        } else {
            let s = y[i].sin();
            s - x[i]
        };
        let b;
        if y[i] < a {
            b = a.exp();
        } else if i % 2 == 0 {
            b = x[i] * 3.0;
        } else {
            b = 1.0;
        }
        let mut c = a * b;
        if c > 0.5 {
            c = c.sqrt() + y[i];
            if x[i] < 0.4 {
                c *= x[i];
            }
        }
        out[i] = c;
    }
}

#[kernel(grad, jvp)]
fn chosen(x: &Field<f64>, which: &Field<i32>, out: &mut Field<f64>) {
    for i in out.indices() {
        let v = match which[i] {
            0 => x[i] * x[i],
            1 | 2 => x[i].sin(),
            k if k < 0 => 0.5,
            _ => {
                let t = x[i] + 1.0;
                t * t * t
            }
        };
        out[i] += v * x[i];
    }
}

#[kernel(grad, jvp)]
fn nested(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut state = x[i];
        let mut total = 0.0;
        for k in 0..4 {
            let mut inner = state * 0.5;
            for j in (0..=k).rev() {
                inner = (inner + x[j % x.len()]).sin();
                total += inner * state;
            }
            if k % 2 == 1 {
                state = state * inner + 0.1;
            }
        }
        out[i] = total + state;
    }
}

#[kernel(grad, jvp)]
fn swapped(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut a = x[i];
        let mut b = 1.0;
        for _ in 0..5 {
            let next = a * b + 0.5 * a;
            a = b;
            b = next;
        }
        out[i] = b - a;
    }
}

#[kernel(grad, jvp)]
fn steps(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut v = x[i];
        for k in (0..10).step_by(3) {
            v = v * v + 0.1 * k as f64;
        }
        for k in (0..5).rev() {
            v = (v * (k as f64 - 1.5)).sin();
        }
        let mut w = 0.0;
        for k in (1..8).step_by(2).rev() {
            w += v * k as f64;
        }
        out[i] = w;
    }
}

#[kernel(grad, jvp)]
fn left_out(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        if x[i] < -0.5 {
            continue;
        }
        let y = x[i] * x[i];
        if y > 0.8 {
            out[i] = y;
            continue;
        }
        out[i] += y.exp();
    }
}

#[kernel(grad, jvp)]
fn collatz(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut v = x[i] * 2.0 + 3.0;
        let mut n = i % 7;
        let mut grown = false;
        while n > 0 && v < 50.0 {
            if n % 2 == 0 {
                v = v * 1.5;
                grown = true;
            } else {
                v = v * v * 0.3;
            }
            n -= 1;
        }
        out[i] = if grown { v * 0.5 } else { v };
    }
}

#[kernel(grad, jvp)]
fn in_arrays(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut a = [x[i], 2.0, x[i] * x[i]];
        for k in 0..6 {
            let next = (k + 1) % 3;
            a[next] = a[next] * 0.5 + a[k % 3].sin();
        }
        let [p, q, r] = a;
        let pair = (p * q, r);
        out[i] = pair.0 + pair.1 * a[1];
    }
}

#[func(grad, jvp)]
fn smooth(x: f64, eps: f64) -> f64 {
    if x > eps {
        return x;
    }
    let mut y = x * x;
    if y > 4.0 * eps {
        y = y.sqrt();
    }
    y + 0.5 * eps * x
}

#[func(grad, jvp)]
fn repeated(x: f64, n: i32) -> f64 {
    let mut y = x;
    for k in 0..n {
        y = smooth(y, 0.3) * x + k as f64 * 0.01;
    }
    y
}

/// The root, whose derivative is known without its rounds.
#[func(grad = root_back, jvp = root_forward)]
fn root(x: f64) -> f64 {
    let mut y = 0.5 * (x + 1.0);
    while (y * y - x).abs() > 1e-14 * x {
        y = 0.5 * (y + x / y);
    }
    y
}

#[func]
fn root_back(x: f64, d: f64) -> f64 {
    d * 0.5 / root(x)
}

#[func]
fn root_forward(x: f64, t: f64) -> (f64, f64) {
    let y = root(x);
    (y, 0.5 * t / y)
}

#[kernel(grad, jvp)]
fn called(x: &Field<f64>, y: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let scaled = |v: f64| v * y[i] + 0.5;
        let a = repeated(x[i], (i % 4) as i32);
        out[i] = smooth(a, y[i]) + scaled(a) * scaled(x[i]) + root(x[i] * x[i] + 1.5);
    }
}

fn host() {
    let (value, t) = smooth::jvp(0.2, 1.0, 0.3, 0.0);
    assert_eq!(value, smooth(0.2, 0.3));
    let (d_x, d_eps) = smooth::pullback(0.2, 0.3, 2.0);
    assert_eq!(d_x, 2.0 * t);
    assert_eq!(d_eps, 2.0 * 0.5 * 0.2);
    assert!((root::pullback(4.0, 1.0) - 0.25).abs() < 1e-12);
}

#[func(grad, jvp)]
fn counted(x: f64, n: usize) -> f64 {
    let mut sum = x;
    for mut k in 0..n {
        k *= 2;
        sum = sum * x + k as f64;
    }
    sum
}

/// Positions of loops that a round changes: the next one begins with its own.
#[kernel(grad, jvp)]
fn changed_positions(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        debug_assert!(x[i] < 1e9, "{} is too large", x[i]);
        let mut s = x[i];
        for mut k in 0..3 {
            k += 1;
            s = s * x[i] + x[(i + k) % x.len()];
            k += s as usize % 2;
            s += k as f64;
        }
        for mut k in (0..4_i32).rev() {
            if k % 2 == 0 {
                k -= 1;
            }
            s = s * 0.5 + x[i] * k as f64;
        }
        y[i] = s + counted(x[i], 3);
    }
}

pub fn check(device: &Device) {
    case!(device, changed_positions, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    host();
    case!(device, branches, [x: & Field<f64>, y: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1, 1]));
    case!(device, nested, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, swapped, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, steps, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, left_out, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, collatz, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, in_arrays, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, called, [x: & Field<f64>, y: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1, 1]));
    for n in [1, 3, 17] {
        let numbers: Vec<i32> = (0..n).map(|k| k % 5 - 1).collect();
        let which = Field::from_slice(device, &numbers).unwrap();
        let x: Vec<f64> = super::compare::scattered(n as usize, 9);
        let mut g = (
            Field::<f64>::zeros(device, n as usize).unwrap(),
            Field::full(device, n as usize, 1.0).unwrap(),
        );
        let (field, out) = (
            Field::from_slice(device, &x).unwrap(),
            Field::<f64>::zeros(device, n as usize).unwrap(),
        );
        chosen::pullback(&field, &which, &out, &mut g.0, &mut g.1).unwrap();
        for (k, (got, x)) in g.0.to_vec().unwrap().iter().zip(&x).enumerate() {
            let expected = match numbers[k] {
                0 => 3.0 * x * x,
                1 | 2 => x.sin() + x * x.cos(),
                -1 => 0.5,
                _ => (x + 1.0).powi(3) + 3.0 * x * (x + 1.0).powi(2),
            };
            assert!((got - expected).abs() < 1e-12, "{k}: {got}, {expected}");
        }
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_branches,
        __jvp_branches,
        __pullback_chosen,
        __jvp_chosen,
        __pullback_nested,
        __jvp_nested,
        __pullback_swapped,
        __pullback_steps,
        __pullback_left_out,
        __pullback_collatz,
        __jvp_collatz,
        __pullback_in_arrays,
        __pullback_called,
        __jvp_called,
    ]
}
