//! Scalars to test with.

use std::fmt::Debug;

use swathe::ArrayScalar;

/// A line of the table.
pub trait Value: ArrayScalar + Debug {
    /// What NumPy calls the type; empty if it has none.
    const NUMPY: &'static str;

    /// The value of a scalar.
    fn nth(k: usize) -> Self;
}

/// The bits of scalars, by which also numbers are compared that are not equal to themselves.
pub fn bytes<T: ArrayScalar>(scalars: &[T]) -> &[u8] {
    // SAFETY: scalars have no bytes beside their value.
    unsafe { std::slice::from_raw_parts(scalars.as_ptr().cast(), size_of_val(scalars)) }
}
