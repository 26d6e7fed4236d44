//! Domains of loops that are functions: `ndrange` and `serial`, and how rustc confirms that a path means them.

use std::iter::FusedIterator;
use std::ops::Range;

use super::rank::unflatten;

/// What a loop fails with whose positions no `usize` counts.
pub const TOO_MANY_POSITIONS: &str = "`ndrange` of more positions than a `usize` counts";

/// Number of positions.
///
/// # Panics
/// If it is beyond `usize::MAX`.
#[inline]
#[must_use]
pub fn volume<const D: usize>(shape: [usize; D]) -> usize {
    if shape.contains(&0) {
        return 0;
    }
    match shape.iter().try_fold(1_usize, |n, m| n.checked_mul(*m)) {
        Some(n) => n,
        None => too_many_positions(),
    }
}

#[cold]
#[inline(never)]
fn too_many_positions() -> ! {
    panic!("{TOO_MANY_POSITIONS}")
}

/// All positions of an N-dimensional range, from 0 to each extent, in row-major order: the domain of a `for` loop
/// of a kernel, parallel if the loop is outermost.
///
/// ```
/// let positions: Vec<[usize; 2]> = swathe::ndrange([2, 3]).collect();
/// assert_eq!(positions, [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
/// ```
///
/// # Panics
/// If there are more than `usize::MAX` positions. In a kernel this is [`Error::KernelPanic`](crate::Error::KernelPanic).
pub fn ndrange<const D: usize>(extents: [usize; D]) -> NdRange<D> {
    NdRange {
        extents,
        flat: 0..volume(extents),
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
    extents: [usize; D],
    flat: Range<usize>,
}

impl<const D: usize> Iterator for NdRange<D> {
    type Item = [usize; D];

    #[inline]
    fn next(&mut self) -> Option<[usize; D]> {
        let flat = self.flat.next()?;
        Some(unflatten(self.extents, flat))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.flat.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<[usize; D]> {
        let flat = self.flat.nth(n)?;
        Some(unflatten(self.extents, flat))
    }

    #[inline]
    fn fold<B, F: FnMut(B, [usize; D]) -> B>(self, start: B, mut f: F) -> B {
        let extents = self.extents;
        self.flat.fold(start, |b, flat| f(b, unflatten(extents, flat)))
    }
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
