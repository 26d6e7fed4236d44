//! Domains of loops that are functions: `ndrange` and `serial`, and how rustc confirms that a path means them.

use std::iter::FusedIterator;
use std::ops::Range;

use super::rank::unflatten;

pub const ZERO_STEP: &str = "the step of a loop is zero";

/// Positions of a parallel loop along an axis, at most. A program addresses fewer bytes: a range of more comes from a difference that has wrapped
/// around.
pub const MOST_POSITIONS: usize = 1 << 56;

macro_rules! too_many {
    ($of:literal) => {
        concat!(
            "a loop over ",
            $of,
            " has more than 2^56 positions, more than any memory has bytes; a difference below zero wraps around, \
             where `a.saturating_sub(b)` is zero"
        )
    };
}

/// What a loop fails with that has more of them; of a range without and with its end, and of `ndrange`.
pub const TOO_MANY: &str = too_many!("{0}..{1}");
pub const TOO_MANY_INCLUSIVE: &str = too_many!("{0}..={1}");
pub const TOO_MANY_OF_AXES: &str = too_many!("`ndrange({0:?})`");

/// Number of positions; none if a `usize` does not count them.
fn volume<const D: usize>(shape: [usize; D]) -> Option<usize> {
    if shape.contains(&0) {
        return Some(0);
    }
    shape.iter().try_fold(1_usize, |n, m| n.checked_mul(*m))
}

/// Number of positions of a parallel loop; none if there are more than [`MOST_POSITIONS`] along an axis, or than a `usize` counts.
#[inline]
#[must_use]
pub fn positions<const D: usize>(shape: [usize; D]) -> Option<usize> {
    let most = shape.into_iter().max().unwrap_or(1);
    volume(shape).filter(|n| *n == 0 || most <= MOST_POSITIONS)
}

/// # Panics
/// If there are more than `usize::MAX`.
fn counted<const D: usize>(shape: [usize; D]) -> usize {
    match volume(shape) {
        Some(n) => n,
        None => panic!("`ndrange` of more positions than a `usize` counts"),
    }
}

/// All positions of an N-dimensional range, in row-major order: the domain of a `for` loop of a kernel, parallel if the loop is
/// outermost. Along each axis they are those from 0 to an extent, or those of a range.
///
/// ```
/// use swathe::prelude::*;
///
/// let positions: Vec<[usize; 2]> = ndrange([2, 3]).collect();
/// assert_eq!(positions, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
/// let positions: Vec<[usize; 2]> = ndrange([1..3, 4..6]).collect();
/// assert_eq!(positions, [[1, 4], [1, 5], [2, 4], [2, 5]]);
///
/// /// The inside of a grid.
/// #[kernel]
/// fn relax(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
///     let [h, w] = u.shape();
///     for [i, j] in ndrange([1..h - 1, 1..w - 1]) {
///         v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
///     }
/// }
/// ```
///
/// # Panics
/// If there are more than `usize::MAX` positions. A parallel loop over so many, or over more than 2^56 along an axis, fails with
/// [`Error::KernelFailure`](crate::Error::KernelFailure).
pub fn ndrange<R: NdRanges>(ranges: R) -> R::Positions {
    ranges.positions()
}

/// What [`ndrange`] takes: `[usize; D]`, the extents, or `[Range<usize>; D]`.
#[diagnostic::on_unimplemented(
    message = "`ndrange` takes an array of extents or of ranges of `usize`, not `{Self}`",
    label = "write `ndrange([n, m])`, or `ndrange([1..n, 0..m])`"
)]
pub trait NdRanges {
    /// An iterator over the positions.
    type Positions: Iterator;

    /// All positions.
    fn positions(self) -> Self::Positions;
}

impl<const D: usize> NdRanges for [usize; D] {
    type Positions = NdRange<D>;

    fn positions(self) -> NdRange<D> {
        NdRange {
            starts: [0; D],
            extents: self,
            flat: 0..counted(self),
        }
    }
}

impl<const D: usize> NdRanges for [Range<usize>; D] {
    type Positions = NdRange<D>;

    fn positions(self) -> NdRange<D> {
        let starts = std::array::from_fn(|k| self[k].start);
        let extents = self.map(|range| range.end.saturating_sub(range.start));
        NdRange {
            starts,
            extents,
            flat: 0..counted(extents),
        }
    }
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
pub fn serial<I: Iterator>(range: I) -> Serial<I> {
    Serial { range }
}

/// What [`ndrange`] returns. No path of the public interface leads here, so a user's function cannot return it.
#[derive(Clone, Debug)]
pub struct NdRange<const D: usize> {
    starts: [usize; D],
    extents: [usize; D],
    flat: Range<usize>,
}

impl<const D: usize> Iterator for NdRange<D> {
    type Item = [usize; D];

    #[inline]
    fn next(&mut self) -> Option<[usize; D]> {
        let flat = self.flat.next()?;
        Some(position(self.starts, self.extents, flat))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.flat.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<[usize; D]> {
        let flat = self.flat.nth(n)?;
        Some(position(self.starts, self.extents, flat))
    }

    #[inline]
    fn fold<B, F: FnMut(B, [usize; D]) -> B>(self, start: B, mut f: F) -> B {
        let (starts, extents) = (self.starts, self.extents);
        self.flat.fold(start, |b, flat| f(b, position(starts, extents, flat)))
    }
}

#[inline]
fn position<const D: usize>(starts: [usize; D], extents: [usize; D], flat: usize) -> [usize; D] {
    let mut position = unflatten(extents, flat);
    for (k, start) in position.iter_mut().zip(starts) {
        *k += start;
    }
    position
}

/// What [`serial`] returns: the range itself. As with [`NdRange`], a user's function cannot return it.
#[derive(Clone, Debug)]
pub struct Serial<I> {
    range: I,
}

impl<I: Iterator> Iterator for Serial<I> {
    type Item = I::Item;

    #[inline(always)]
    fn next(&mut self) -> Option<I::Item> {
        self.range.next()
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.range.size_hint()
    }

    #[inline(always)]
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        self.range.nth(n)
    }

    #[inline(always)]
    fn fold<B, F: FnMut(B, I::Item) -> B>(self, start: B, f: F) -> B {
        self.range.fold(start, f)
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Serial<I> {
    #[inline(always)]
    fn next_back(&mut self) -> Option<I::Item> {
        self.range.next_back()
    }

    #[inline(always)]
    fn rfold<B, F: FnMut(B, I::Item) -> B>(self, start: B, f: F) -> B {
        self.range.rfold(start, f)
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Serial<I> {}

impl<I: FusedIterator> FusedIterator for Serial<I> {}

/// What `ndrange` and `serial` return. Two types on purpose: a function that returns whatever is asked for fits neither.
pub trait Domain {}

impl Domain for NdRange<1> {}

impl Domain for Serial<Range<usize>> {}

/// What a path names that is called like `ndrange` or `serial`. A type beside the function would not tell: a user's function hides
/// the function alone where both come from a glob.
#[derive(Debug)]
pub struct Called<F>(pub F);

/// Any function other than ours.
#[derive(Debug)]
pub struct Other;

/// Found where the methods of [`Called`] itself do not fit.
pub trait CalledOther: Sized {
    fn ndrange(self) -> Other {
        Other
    }

    fn serial(self) -> Other {
        Other
    }
}

impl<F> CalledOther for Called<F> {}

macro_rules! domains {
    ($($name:ident $is:ident $trait:ident $argument:ty, $text:literal;)*) => {$(
        /// No function but ours returns such a type.
        impl<F: Fn($argument) -> D, D: Domain> Called<F> {
            pub fn $name(self) -> Called<D> {
                Called(self.0(Default::default()))
            }
        }

        /// Holds for what that function returns.
        #[diagnostic::on_unimplemented(
            message = $text,
            label = "a function of another library or of your own",
            note = "loops of a kernel run over ranges, `field.indices()` and `swathe::ndrange`, and `swathe::serial` around one of them"
        )]
        pub trait $trait {}

        impl<D: Domain> $trait for Called<D> {}

        /// Asks whether a function is it.
        pub fn $is<T: $trait>(_: T) {}
    )*};
}
domains! {
    ndrange is_ndrange IsNdrange [usize; 1], "this is not the function `ndrange` of swathe";
    serial is_serial IsSerial Range<usize>, "this is not the function `serial` of swathe";
}
