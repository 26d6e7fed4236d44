//! Domains, tables of indices, offset fields, views.

use ndarray::s;
use swathe::prelude::*;

use super::compare::{case, scattered, states, states_up_to};
use crate::suite::support::sources;

#[kernel(grad, jvp)]
fn blurred(u: &Field<f64, 2>, v: &mut Field<f64, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([h, w]) {
        let mut sum = 0.0;
        for [k, l] in ndrange([3, 2]) {
            if i + k > 0 && i + k <= h && j + l < w {
                sum += u[[i + k - 1, j + l]] * (k as f64 + 0.5 * l as f64);
            }
        }
        v[[i, j]] = sum * sum;
    }
}

#[kernel(grad, jvp)]
fn inner(u: &Field<f64, 2>, v: &mut Field<f64, 2>) {
    for p in u.interior(1) {
        let [i, j] = p;
        v[p] += u[p] * u[[i - 1, j]] - u[[i, j + 1]];
    }
}

#[kernel(grad, jvp)]
fn gathered(x: &Field<f64>, table: &Field<u32>, out: &mut Field<f64>) {
    for i in out.indices() {
        let k = table[i] as usize;
        let next = table[k];
        out[i] = x[k] * x[i] + x[next as usize].sin() * next as f64;
    }
}

#[kernel(grad, jvp)]
fn rows(u: &mut Field<f64, 2>, f: &Field<f64>) {
    let [h, w] = u.shape();
    for i in 0..h {
        for j in 0..w {
            u[[i, j]] = f[i] * f[j % f.len()] + j as f64;
        }
    }
}

#[kernel(grad, jvp)]
fn scaled(x: &Field<f64>, c: &Field<f64>, out: &mut Field<f64>) -> f64 {
    let mut weight = 0.0;
    for k in serial(0..c.len().min(3)) {
        weight += c[k] * c[k];
    }
    let half = 0.5 * weight;
    let mut sum = 0.0;
    for i in out.indices() {
        out[i] += x[i] * half;
        sum -= out[i].abs() * 0.0 + x[i] * weight;
    }
    sum * half
}

fn tables(device: &Device) {
    for n in [1usize, 3, 17] {
        let numbers: Vec<u32> = (0..n).map(|k| (k * 5 + 2) as u32 % n as u32).collect();
        let table = Field::from_slice(device, &numbers).unwrap();
        let (x, d) = (scattered(n, 1), scattered(n, 2));
        let field = Field::from_slice(device, &x).unwrap();
        let out = Field::<f64>::zeros(device, n).unwrap();
        let (mut g_x, mut g_out) = (Field::zeros(device, n).unwrap(), Field::from_slice(device, &d).unwrap());
        gathered::pullback(&field, &table, &out, &mut g_x, &mut g_out).unwrap();
        let mut expected = vec![0.0; n];
        for i in 0..n {
            let k = numbers[i] as usize;
            let next = numbers[k] as usize;
            expected[k] += d[i] * x[i];
            expected[i] += d[i] * x[k];
            expected[next] += d[i] * x[next].cos() * next as f64;
        }
        for (got, expected) in g_x.to_vec().unwrap().iter().zip(&expected) {
            assert!((got - expected).abs() < 1e-12, "{got} {expected}");
        }
        assert!(g_out.to_vec().unwrap().iter().all(|d| *d == 0.0));
    }
}

#[kernel(grad)]
fn square(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        out[i] = x[i] * x[i];
    }
}

/// Gradients of parts go to parts.
fn views(device: &Device) {
    let x = Field::from_slice(device, &scattered(20, 1)).unwrap();
    let out = Field::<f64>::zeros(device, 10).unwrap();
    let mut g_x = Field::full(device, 20, 0.25).unwrap();
    let mut g_out = Field::full(device, 10, 1.0).unwrap();
    square::pullback(
        &x.slice(s![5..15]).unwrap(),
        &out,
        &mut g_x.slice_mut(s![5..15]).unwrap(),
        &mut g_out,
    )
    .unwrap();
    let (x, g) = (x.to_vec().unwrap(), g_x.to_vec().unwrap());
    for k in 0..20 {
        let expected = if (5..15).contains(&k) { 0.25 + 2.0 * x[k] } else { 0.25 };
        assert_eq!(g[k], expected, "{k}");
    }
}

/// Own elements at a multiple of the position, and by a cast.
#[kernel(grad, jvp)]
fn strided(x: &Field<f64>, y: &mut Field<f64>, z: &mut Field<f64>) {
    for i in 0..x.len() / 2 {
        y[2 * i] = x[i] * x[i];
        z[2 * i + 1] = z[2 * i + 1] * x[2 * i];
    }
}

/// Positions and cells: numbers of the first kind have derivatives, those of the second kind have none.
#[kernel(grad, jvp)]
fn between(pos: &Field<DVec3>, u: &Field<f64, 2>, out: &mut Field<f64>) {
    for p in out.indices() {
        let at = pos[p].abs() + 1.0;
        let cell = at.as_usize();
        let f = at - DVec3::from_usize(cell);
        let mut sum = 0.0;
        for i in 0..2 {
            for j in 0..2 {
                let w = (f.x - i as f64) * (f.y - 0.5 * j as f64);
                sum += w * u[[(cell[0] + i) % 4, (cell[1] + j) % 4]];
            }
        }
        out[p] = sum;
    }
}

/// Reads at the position from inner loops, one of which may have no rounds: their gradients are added once.
#[kernel(grad, jvp)]
fn forces(x: &Field<f64>, w: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut a = 0.0;
        for j in 0..x.len() {
            let d = x[j] - x[i];
            a += d * w[j] / (d * d + 1.5);
        }
        for k in 0..i % 2 {
            a += x[i] * w[k];
        }
        if i > 2 {
            for j in 0..2 {
                a += x[i] * x[j];
            }
        }
        out[i] = a;
    }
}

/// One parameter for all, and its gradient a sum over all iterations.
#[kernel(grad, jvp)]
fn damped(x: &Field<f64>, rate: &Field<f64, 0>, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut v = x[i];
        for _ in 0..3 {
            v -= rate[[]] * v * v;
        }
        y[i] = v * rate[[]];
    }
}

/// States of so many numbers in each field, for each length.
fn lengths(of: fn(usize) -> [usize; 3]) -> Vec<Vec<Vec<f64>>> {
    let state = |n: usize| {
        of(n)
            .into_iter()
            .enumerate()
            .map(|(k, n)| scattered(n, k + 1))
            .collect()
    };
    [0, 1, 3, 17, 1000].into_iter().map(state).collect()
}

pub fn check(device: &Device) {
    case!(device, strided, [x: & Field<f64>, y: mut Field<f64>, z: mut Field<f64>], (), none, states(&[1, 1, 1]));
    case!(device, between, [pos: & Field<DVec3>, u: & Field<f64, 2>, out: mut Field<f64>], (), none, lengths(|n| [3 * n, 16, n]));
    // All pairs, fifty times: more than one block of threads, and no more.
    case!(device, forces, [x: & Field<f64>, w: & Field<f64>, out: mut Field<f64>], (), none, states_up_to(300, &[1, 1, 1]));
    case!(device, damped, [x: & Field<f64>, rate: & Field<f64, 0>, y: mut Field<f64>], (), none, lengths(|n| [n, 1, n]));
    case!(device, blurred, [u: & Field<f64, 2>, v: mut Field<f64, 2>], (), none, states(&[4, 4]));
    case!(device, inner, [u: & Field<f64, 2>, v: mut Field<f64, 2>], (), none, states(&[4, 4]));
    case!(device, rows, [u: mut Field<f64, 2>, f: & Field<f64>], (), none, states(&[4, 1]));
    case!(device, scaled, [x: & Field<f64>, c: & Field<f64>, out: mut Field<f64>], (), sum, states(&[1, 1, 1]));
    tables(device);
    views(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_strided,
        __pullback_between,
        __jvp_between,
        __pullback_forces,
        __pullback_damped,
        __pullback_blurred,
        __jvp_blurred,
        __pullback_inner,
        __pullback_gathered,
        __jvp_gathered,
        __pullback_rows,
        __pullback_scaled,
        __jvp_scaled,
    ]
}
