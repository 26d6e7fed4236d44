//! What expressions do besides giving a value, and when they do it.

use swathe::derivative::detach;
use swathe::prelude::*;

use super::compare::{case, scattered, states};
use crate::suite::support::sources;

/// The place of an atomic operation is there before its value.
#[kernel(grad, jvp)]
fn place_first(x: &Field<f64>, out: &mut Field<f64>) {
    for i in x.indices() {
        let mut k = i / 2;
        out[k].atomic_add({
            k = i;
            x[k] * x[k]
        });
        out[k].atomic_sub(x[i] * 0.5);
    }
}

#[kernel(grad, jvp)]
fn printed(x: &Field<f64>, total: &mut Field<f64, 0>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut s = x[i];
        println!("{i} {}", {
            s = s * s;
            1
        });
        print!("{}", total[[]].atomic_add(s * x[i]));
        print!("{}", if s > 0.1 { total[[]].atomic_sub(x[i]) } else { 0.0 });
        out[i] = s;
    }
}

#[derive(Element, Clone, Copy)]
struct Draws {
    state: u32,
}

#[func]
impl Draws {
    /// Less than `n`.
    fn below(&self, n: u32) -> u32 {
        self.state % n
    }

    fn next(self) -> Draws {
        Draws {
            state: self.state.wrapping_mul(747_796_405).wrapping_add(2_891_336_453),
        }
    }
}

/// Methods that give a new value, where others would change their receiver.
#[kernel(grad, jvp)]
fn drawn(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut draws = Draws { state: i as u32 };
        let mut product = 1.0;
        let mut k = 0;
        while k < 3 {
            draws = draws.next();
            let j = (draws.below(7) as usize + i) % x.len();
            product = product * x[j] + detach(x[i]) * draws.below(3) as f64 * 0.0;
            k += 1;
        }
        out[i] = product;
    }
}

/// A method of the index is none of what is changed.
#[kernel(grad, jvp)]
fn own_index(x: &Field<f64>, out: &mut Field<f64>) {
    for i in out.indices() {
        let mut a = [x[i], 2.0 * x[i], 0.5];
        let mut k = 0_usize;
        while k < 3 {
            a[k] *= x[k.min(i)];
            k += 1;
        }
        out[i] = a[0] * a[1] + a[2];
    }
}

pub fn check(device: &Device) {
    case!(device, place_first, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, drawn, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    case!(device, own_index, [x: & Field<f64>, out: mut Field<f64>], (), none, states(&[1, 1]));
    let state = vec![scattered(3, 4), vec![0.25], scattered(3, 8)];
    case!(device, printed, [x: & Field<f64>, total: mut Field<f64, 0>, out: mut Field<f64>], (), none, [state]);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_place_first,
        __jvp_place_first,
        __pullback_printed,
        __jvp_printed,
        __pullback_drawn,
        __jvp_drawn,
        __pullback_own_index,
        __jvp_own_index,
    ]
}
