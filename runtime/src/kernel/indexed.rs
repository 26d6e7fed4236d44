//! What can be indexed inside of a kernel besides fields: a part of a value, by a number. An `Index` of the user's own could be anything, and
//! another thing each time.

use super::offset::{TypedOffsetField, TypedOffsetFieldMut};
use super::probe::TypeSlot;
use super::typed::{TypedField, TypedFieldMut};
use crate::types::{Matrix, Vector};

/// An array, vector or matrix, which is indexed by `I`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be indexed by `{I}` in a kernel",
    label = "arrays and vectors are indexed by a `usize`, matrices by `[usize; 2]`",
    note = "what an `Index` of your own does is for a method under `#[func]`"
)]
pub trait IndexedBy<I>: sealed::Sealed {
    /// What is at an index.
    type Item: Copy;

    /// How many items there are.
    const ITEMS: usize;
}

mod sealed {
    use super::{Matrix, Vector};

    pub trait Sealed {}

    impl<T, const N: usize> Sealed for [T; N] {}
    impl<T, const N: usize> Sealed for Vector<T, N> {}
    impl<T, const R: usize, const C: usize> Sealed for Matrix<T, R, C> {}
    impl<A: Sealed> Sealed for &A {}
    impl<A: Sealed> Sealed for &mut A {}
}

impl<T: Copy, const N: usize> IndexedBy<usize> for [T; N] {
    type Item = T;
    const ITEMS: usize = N;
}

impl<T: Copy, const N: usize> IndexedBy<usize> for Vector<T, N> {
    type Item = T;
    const ITEMS: usize = N;
}

impl<T: Copy, const R: usize, const C: usize> IndexedBy<[usize; 2]> for Matrix<T, R, C> {
    type Item = T;
    const ITEMS: usize = R * C;
}

impl<I, A: IndexedBy<I>> IndexedBy<I> for &A {
    type Item = A::Item;
    const ITEMS: usize = A::ITEMS;
}

impl<I, A: IndexedBy<I>> IndexedBy<I> for &mut A {
    type Item = A::Item;
    const ITEMS: usize = A::ITEMS;
}

/// What a variable of this type is, or a field's element.
pub trait Root {
    /// That.
    type Value;
}

macro_rules! roots {
    ($($field:ident),*) => {$(
        impl<T, const D: usize> Root for $field<T, D> {
            type Value = T;
        }
    )*};
}
roots!(TypedField, TypedFieldMut, TypedOffsetField, TypedOffsetFieldMut);

/// The index, of a part of a variable: `part` takes it to what is indexed.
pub fn index<T, A: IndexedBy<I>, I>(_: &TypeSlot<T>, _: impl FnOnce(T) -> A, index: I) -> I {
    index
}

/// The index, of a part of a field's element.
pub fn index_in<F: Root, A: IndexedBy<I>, I>(_: &TypeSlot<F>, _: impl FnOnce(F::Value) -> A, index: I) -> I {
    index
}

/// The index, of a value.
pub fn index_of<A: IndexedBy<I>, I>(_: &A, index: I) -> I {
    index
}

/// Asserts that there is an item `K`, which a parallel loop accumulates into: it is read in front of the loop and written behind it, whatever
/// the iterations do.
///
/// ```compile_fail,E0080
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn sums<const N: usize>(x: &Field<f32>) -> [f32; N] {
///     let mut s = [0.0; N];
///     for i in x.indices() {
///         if N > 1 {
///             s[1] += x[i];
///         }
///     }
///     s
/// }
///
/// let x = Field::zeros(&Device::cpu(), 3).unwrap();
/// sums::<1>(&x).unwrap();
/// ```
#[inline(always)]
pub fn has_item<const K: usize, A: IndexedBy<usize>>(_: &A) {
    const {
        assert!(
            K < A::ITEMS,
            "a parallel loop accumulates into an item that is not there, whether an iteration comes to it or not"
        );
    }
}

/// A part of a value at an index.
pub fn item<A: IndexedBy<I>, I>(value: A, index: I) -> A::Item {
    let _ = (value, index);
    unreachable!("types are inferred, nothing runs")
}
