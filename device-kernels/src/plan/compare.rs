//! Comparisons.

use super::{Scalar, entry, pointer};
use crate::Launch;
use crate::kernels::close::{self, Close};
use crate::kernels::differ::{self, Differ};

/// How far apart two floats may be: `|a - b| <= absolute + relative * |b|`.
#[derive(Clone, Copy, Debug)]
pub struct Tolerance {
    /// Times the size of the second.
    pub relative: f64,
    /// In addition.
    pub absolute: f64,
    /// Is NaN close to NaN?
    pub equal_nan: bool,
}

/// The number of the first elements that differ goes to the `u64` at `first`, which is `u64::MAX` before.
#[must_use]
pub fn differ(scalar: Scalar, one: u64, two: u64, count: u64, first: u64) -> Vec<Launch> {
    if count == 0 {
        return Vec::new();
    }
    let args = Differ {
        one: pointer(one),
        two: pointer(two),
        count,
        first: pointer(first),
    };
    let name = format!("differ_{}", scalar.unsigned().name());
    vec![Launch::items(entry(differ::ENTRIES, &name), count, args.pack())]
}

/// The number of the first floats that are not close goes to the `u64` at `first`, which is `u64::MAX` before.
///
/// # Panics
/// For integers.
#[must_use]
pub fn close(scalar: Scalar, one: u64, two: u64, count: u64, tolerance: Tolerance, first: u64) -> Vec<Launch> {
    assert!(scalar.is_float(), "close {}", scalar.name());
    if count == 0 {
        return Vec::new();
    }
    let args = Close {
        one: pointer(one),
        two: pointer(two),
        count,
        relative: tolerance.relative,
        absolute: tolerance.absolute,
        equal_nan: u32::from(tolerance.equal_nan),
        first: pointer(first),
    };
    let name = format!("close_{}", scalar.name());
    vec![Launch::items(entry(close::ENTRIES, &name), count, args.pack())]
}
