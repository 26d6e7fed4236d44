//! Positions whose form depends on the rank: `usize` for rank 1, `[usize; D]` for the others.

use crate::access::Position;

/// Carries a rank in the type system.
#[derive(Clone, Copy)]
pub struct Dim<const D: usize>;

/// The ranks that fields can have.
pub trait Rank<const D: usize> {
    /// What `field.indices()` yields.
    type Index: Position<D>;

    /// Position number `flat` in row-major order.
    fn index(shape: [usize; D], flat: usize) -> Self::Index;

    /// The position `last` on the last axis, and `head` on the others.
    fn in_row(head: [usize; D], last: usize) -> Self::Index;
}

impl Rank<1> for Dim<1> {
    type Index = usize;

    #[inline(always)]
    fn index(_: [usize; 1], flat: usize) -> usize {
        flat
    }

    #[inline(always)]
    fn in_row(_: [usize; 1], last: usize) -> usize {
        last
    }
}

macro_rules! ranks {
    ($($d:literal),*) => {$(
        impl Rank<$d> for Dim<$d> {
            type Index = [usize; $d];

            #[inline(always)]
            fn index(shape: [usize; $d], flat: usize) -> [usize; $d] {
                unflatten(shape, flat)
            }

            #[inline(always)]
            fn in_row(mut head: [usize; $d], last: usize) -> [usize; $d] {
                if let Some(place) = head.last_mut() {
                    *place = last;
                }
                head
            }
        }
    )*};
}
ranks!(0, 2, 3, 4, 5, 6);

#[inline(always)]
fn unflatten<const D: usize>(shape: [usize; D], mut flat: usize) -> [usize; D] {
    let mut index = [0; D];
    let mut k = D;
    while k > 0 {
        k -= 1;
        index[k] = flat % shape[k];
        flat /= shape[k];
    }
    index
}

/// Position number `flat` of a parallel loop.
#[inline(always)]
#[must_use]
pub fn position<const D: usize>(shape: [usize; D], flat: usize) -> <Dim<D> as Rank<D>>::Index
where
    Dim<D>: Rank<D>,
{
    Dim::<D>::index(shape, flat)
}

/// The position `last` of a row.
#[inline(always)]
#[must_use]
pub fn position_in_row<const D: usize>(head: [usize; D], last: usize) -> <Dim<D> as Rank<D>>::Index
where
    Dim<D>: Rank<D>,
{
    Dim::<D>::in_row(head, last)
}

/// Number of positions, at most `usize::MAX`.
#[inline]
#[must_use]
pub fn volume<const D: usize>(shape: [usize; D]) -> usize {
    if shape.contains(&0) {
        0
    } else {
        shape.iter().fold(1, |n: usize, &m| n.saturating_mul(m))
    }
}

/// Whether every extent of `inner` is at most that of `outer`. They may differ in rank only where the index is rustc's error.
#[inline]
#[must_use]
pub fn covers<const D: usize, const E: usize>(outer: [usize; D], inner: [usize; E]) -> bool {
    D == E && outer.iter().zip(inner).all(|(outer, inner)| inner <= *outer)
}

/// A position as one number for each axis, for a field of rank `D`.
#[inline(always)]
pub fn axes<const D: usize, I: Position<D>>(_: Dim<D>, position: I) -> [usize; D] {
    position.axes()
}

/// All positions of an N-dimensional range, from 0 to each extent, in row-major order: the domain of a `for` loop
/// of a kernel, parallel if the loop is outermost.
///
/// ```
/// let positions: Vec<[usize; 2]> = swathe::ndrange([2, 3]).collect();
/// assert_eq!(positions, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
/// ```
pub fn ndrange<const D: usize>(extents: [usize; D]) -> impl Iterator<Item = [usize; D]> {
    (0..volume(extents)).map(move |flat| unflatten(extents, flat))
}

/// Marks an outermost loop of a kernel as sequential: it runs on a single thread.
///
/// ```
/// # use swathe::prelude::*;
/// #[kernel]
/// fn running_sum(x: &mut Field<f32>) {
///     for i in serial(1..x.len()) {
///         x[i] = x[i] + x[i - 1];
///     }
/// }
/// ```
pub fn serial<I: Iterator>(range: I) -> I {
    range
}

macro_rules! domains {
    ($($name:ident $is:ident $trait:ident $text:literal;)*) => {$(
        /// Stands beside the function of this name, so that a kernel can ask what the name means.
        #[doc(hidden)]
        #[allow(non_camel_case_types, missing_debug_implementations)]
        pub struct $name {}

        /// Holds for that alone.
        #[diagnostic::on_unimplemented(
            message = $text,
            label = "a function of another library or of your own",
            note = "loops of a kernel run over ranges, `field.indices()` and `swathe::ndrange`, and `swathe::serial` around one of them"
        )]
        pub trait $trait {}

        impl $trait for $name {}

        /// Asks whether a name means it.
        pub const fn $is<T: $trait>() {}
    )*};
}
domains! {
    ndrange is_ndrange IsNdrange "this is not the function `ndrange` of swathe";
    serial is_serial IsSerial "this is not the function `serial` of swathe";
}
