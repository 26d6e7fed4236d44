//! Sequences and random numbers.

use super::{Scalar, entry, pointer};
use crate::Launch;
use crate::kernels::iota::{self, Iota};
use crate::kernels::linspace::{self, Linspace};
use crate::kernels::random::{self, Random};
use crate::kernels::uniform::{self, Uniform};

/// Integers `start`, `start + step`, .., wrapping: both numbers are given as their lowest bits.
///
/// # Panics
/// For floats and `bool`.
#[must_use]
pub fn iota(scalar: Scalar, to: u64, count: u64, start: u64, step: u64) -> Vec<Launch> {
    assert!(
        !scalar.is_float() && scalar != Scalar::Bool,
        "iota of {}",
        scalar.name()
    );
    let args = Iota {
        to: pointer(to),
        count,
        start,
        step,
    };
    let name = format!("iota_{}", scalar.unsigned().name());
    some(Launch::items(entry(iota::ENTRIES, &name), count, args.pack()), count)
}

/// Floats from `start` to `last` at equal distances.
///
/// # Panics
/// For integers.
#[must_use]
pub fn linspace(scalar: Scalar, to: u64, count: u64, start: f64, last: f64) -> Vec<Launch> {
    assert!(scalar.is_float(), "linspace of {}", scalar.name());
    let args = Linspace {
        to: pointer(to),
        count,
        start,
        step: match count {
            // The first and the last one are given.
            0..=2 => 0.0,
            _ => distance(start, last, (count - 1) as f64),
        },
        last: if count > 1 { last } else { start },
    };
    let name = format!("linspace_{}", scalar.name());
    some(
        Launch::items(entry(linspace::ENTRIES, &name), count, args.pack()),
        count,
    )
}

/// A part of the distance between two numbers, which itself may be more than any number.
fn distance(start: f64, last: f64, parts: f64) -> f64 {
    let all = last - start;
    if all.is_finite() {
        all / parts
    } else {
        last / parts - start / parts
    }
}

/// Random bits: element `i` is the first number of stream `first + i` of the seed.
///
/// # Panics
/// For types that are no integers of 32 or 64 bits.
#[must_use]
pub fn random(scalar: Scalar, to: u64, count: u64, seed: u64, first: u64) -> Vec<Launch> {
    assert!(scalar.size() >= 4 && !scalar.is_float(), "random {}", scalar.name());
    let args = Random {
        to: pointer(to),
        count,
        seed,
        first,
    };
    let name = format!("random_{}", scalar.unsigned().name());
    some(Launch::items(entry(random::ENTRIES, &name), count, args.pack()), count)
}

/// Random floats from `low` to `high`: element `i` is of the first number of stream `first + i` of the seed.
///
/// # Panics
/// For integers.
#[must_use]
pub fn uniform(scalar: Scalar, to: u64, count: u64, (seed, first): (u64, u64), (low, high): (f64, f64)) -> Vec<Launch> {
    assert!(scalar.is_float(), "uniform {}", scalar.name());
    let args = Uniform {
        to: pointer(to),
        count,
        seed,
        first,
        low,
        high,
    };
    let name = format!("uniform_{}", scalar.name());
    some(Launch::items(entry(uniform::ENTRIES, &name), count, args.pack()), count)
}

fn some(launch: Launch, count: u64) -> Vec<Launch> {
    if count == 0 { Vec::new() } else { vec![launch] }
}
