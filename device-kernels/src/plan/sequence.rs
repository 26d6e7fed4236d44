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
    if count > 2 && (last - start).is_infinite() && start.is_finite() && last.is_finite() {
        // Half of the distance is a number.
        let half = (count - 1) / 2;
        let part = half as f64 / (count - 1) as f64;
        let middle = start * (1.0 - part) + last * part;
        let mut launches = linspace(scalar, to, half + 1, start, middle);
        let behind = to + half * scalar.size();
        launches.extend(linspace(scalar, behind, count - half, middle, last));
        return launches;
    }
    let args = Linspace {
        to: pointer(to),
        count,
        start,
        step: match count {
            // The first and the last one are given.
            0..=2 => 0.0,
            _ => (last - start) / (count - 1) as f64,
        },
        last: if count > 1 { last } else { start },
    };
    let name = format!("linspace_{}", scalar.name());
    some(
        Launch::items(entry(linspace::ENTRIES, &name), count, args.pack()),
        count,
    )
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
