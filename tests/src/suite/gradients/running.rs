//! Running sums: sums of sums, and other uses of what a sum is so far, round by round.

use swathe::prelude::*;

use super::compare::{Flat, case, states};
use crate::suite::support::sources;

/// Sums of sums, up and down, by `+=` and by `=`.
#[kernel(grad, jvp)]
fn sums_of_sums(x: &Field<f64>, y: &mut Field<f64>) {
    for i in y.indices() {
        let (mut a, mut b, mut c, mut d) = (x[i], 0.5, 0.0, 0.0);
        for k in 0..4 {
            a += x[k % x.len()];
            b -= a;
            c = c + b;
        }
        for k in (1..9).step_by(3).rev() {
            d += x[k % x.len()] * a;
            c -= d;
        }
        // Under a condition, and in loops in the loop.
        let (mut e, mut f) = (0.0, 0.0);
        for k in 0..3 {
            e += x[(i + k) % x.len()];
            for j in 0..2 {
                f += e * x[j % x.len()];
            }
            if k != 1 {
                f -= e;
            }
        }
        y[i] = c * b + f;
    }
}

/// The usual integrator, of vectors and of numbers.
#[kernel(grad, jvp)]
fn integrated(x: &Field<DVec3>, y: &mut Field<DVec3>, dt: f64) {
    for i in y.indices() {
        let (mut v, mut p) = (DVec3::ZERO, y[i]);
        for k in 0..5 {
            v += x[(i + k) % x.len()] * dt;
            p += v * dt;
        }
        y[i] = p + DVec3::splat(drift([x[i].x, x[i].y, x[i].z, dt]));
    }
}

#[func(grad, jvp)]
fn drift(a: [f64; 4]) -> f64 {
    let mut v = 0.0;
    let mut p = 0.0;
    for k in 0..4 {
        v += a[k];
        p += v;
    }
    p
}

/// What a sum is so far goes to elements, by atomic operations and without.
#[kernel(grad, jvp)]
fn to_elements(x: &Field<f64>, y: &mut Field<f64>, z: &mut Field<f64>) {
    for i in 0..y.len() / 3 {
        let mut s = x[i];
        for k in 0..3 {
            s -= x[k] * x[i];
            y[3 * i + k] += s;
        }
    }
    for i in x.indices() {
        let mut s = x[i];
        for k in 0..4 {
            s += x[k % x.len()];
            z[(i + k) % z.len()].atomic_sub(s);
        }
    }
}

/// It goes to the sum of a parallel loop.
#[kernel(grad, jvp)]
fn to_a_sum(x: &Field<f64>) -> f64 {
    let mut all = 0.0;
    for i in x.indices() {
        let mut s = x[i];
        for k in 0..3 {
            s += x[(i + k) % x.len()];
            all -= s;
        }
    }
    all
}

/// Outside of parallel loops.
#[kernel(grad, jvp)]
fn in_sequence(x: &Field<f64>, y: &mut Field<f64>) {
    let (mut s, mut t) = (0.0, 0.0);
    for k in serial(0..x.len()) {
        s += x[k];
        t += s;
    }
    for i in y.indices() {
        y[i] *= t;
    }
}

#[derive(Element, Clone, Copy)]
#[element(Differentiable, Default)]
struct Cell {
    level: f64,
    count: u32,
    flow: f64,
    parts: [f64; 2],
}

impl Flat for Field<Cell> {
    fn of(device: &Device, numbers: &[f64]) -> Self {
        let all: Vec<Cell> = numbers
            .chunks(4)
            .map(|c| Cell {
                level: c[0],
                count: 0,
                flow: c[1],
                parts: [c[2], c[3]],
            })
            .collect();
        Field::from_slice(device, &all).unwrap()
    }

    fn numbers(&self) -> Vec<f64> {
        let of = |c: Cell| [c.level, c.flow, c.parts[0], c.parts[1]];
        self.to_vec().unwrap().into_iter().flat_map(of).collect()
    }
}

/// In members of elements that an iteration owns, and in members of a variable.
#[kernel(grad, jvp)]
fn in_members(x: &Field<Cell>, y: &mut Field<Cell>) {
    for i in y.indices() {
        for k in 0..3 {
            y[i].flow += x[(i + k) % x.len()].level;
            y[i].level += y[i].flow;
        }
        let mut s = Cell {
            level: x[i].level * 0.5,
            ..Cell::default()
        };
        let mut w = 0.0;
        for k in 0..2 {
            s.level += x[(i + k) % x.len()].flow;
            s.flow -= s.level;
            w += s.flow;
            y[i].parts[k] -= w;
        }
    }
}

/// Integers beside numbers: a sum needs the types of its parts alone, and no difference, product, quotient or call of other values than the kernel's.
#[kernel(grad, jvp)]
fn with_counts(x: &Field<Cell>, y: &mut Field<Cell>) {
    for i in y.indices() {
        let mut s = x[i];
        s.count = 0;
        for k in 0..3 {
            if k > 0 {
                let before = s.count - 1;
                let (part, rest) = (12 / s.count, 13 % s.count);
                let large = s.count * 2_000_000_000;
                s.level = s.level + before as f64;
                s.flow = s.flow + (part - rest) as f64 * s.level + large as f64 * 1e-9;
                s.parts[0] = s.parts[0] + stepped(s, 1.1).level;
                s.parts[1] += s.flow - s.level;
            }
            s.count += 1;
        }
        y[i].level += s.level + s.flow * s.parts[0] - s.parts[1];
    }
}

#[func(grad, jvp)]
fn stepped(cell: Cell, w: f64) -> Cell {
    let before = cell.count - 1;
    Cell {
        level: cell.level * w + before as f64 * cell.flow,
        ..cell
    }
}

pub fn check(device: &Device) {
    assert_eq!(drift::pullback([1.0, 2.0, -3.0, 0.5], 1.0), [4.0, 3.0, 2.0, 1.0]);
    case!(device, sums_of_sums, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, integrated, [x: & Field<DVec3>, y: mut Field<DVec3>], (0.3), none, states(&[3, 3]));
    case!(device, to_elements, [x: & Field<f64>, y: mut Field<f64>, z: mut Field<f64>], (), none, states(&[1, 1, 1]));
    case!(device, to_a_sum, [x: & Field<f64>], (), sum, states(&[1]));
    case!(device, in_sequence, [x: & Field<f64>, y: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, in_members, [x: & Field<Cell>, y: mut Field<Cell>], (), none, states(&[4, 4]));
    case!(device, with_counts, [x: & Field<Cell>, y: mut Field<Cell>], (), none, states(&[4, 4]));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_sums_of_sums,
        __pullback_integrated,
        __pullback_to_elements,
        __pullback_to_a_sum,
        __pullback_in_sequence,
        __pullback_in_members,
        __pullback_with_counts,
    ]
}
