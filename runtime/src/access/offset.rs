//! An offset field's memory as native kernels see it.

use super::layout::{Aos, Layout};
use crate::access::{Access, Position};
use crate::kernel::failures::Failures;
use crate::kernel::rank::Dim;
use crate::versions::{Begin, BeginMut};

/// A position in an [`OffsetField`](crate::OffsetField) of rank `D`, or its origin: an `isize` for `D` = 1, `[isize; D]` for any `D`,
/// slowest axis first.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no position in an `OffsetField` of rank {D}",
    label = "a position or origin is `isize` for rank 1, `[isize; {D}]` in general",
    note = "positions of an `OffsetField` are signed: those of `u.indices()` are, a `usize` becomes one by `i as isize`"
)]
pub trait SignedPosition<const D: usize>: Copy + sealed::Sealed<D> {
    /// One number for each axis.
    fn axes(self) -> [isize; D];
}

mod sealed {
    /// As for positions that count from 0.
    pub trait Sealed<const D: usize> {}

    impl Sealed<1> for isize {}
    impl<const D: usize> Sealed<D> for [isize; D] {}
}

impl SignedPosition<1> for isize {
    #[inline(always)]
    fn axes(self) -> [isize; 1] {
        [self]
    }
}

impl<const D: usize> SignedPosition<D> for [isize; D] {
    #[inline(always)]
    fn axes(self) -> [isize; D] {
        self
    }
}

/// An [`Access`] with the position of its first element. No position of an element overflows.
pub struct OffsetAccess<'a, T, const D: usize, L: Layout = Aos> {
    field: Access<'a, T, D, L>,
    origin: [isize; D],
}

impl<T, const D: usize, L: Layout> Clone for OffsetAccess<'_, T, D, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const D: usize, L: Layout> Copy for OffsetAccess<'_, T, D, L> {}

// Array iterators cost a call for each step in builds with little optimisation, which most debug builds are.
#[allow(clippy::needless_range_loop)]
impl<'a, T, const D: usize, L: Layout> OffsetAccess<'a, T, D, L> {
    /// # Safety
    /// On each axis, origin and extent add up to an `isize`.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(field: Access<'a, T, D, L>, origin: [isize; D]) -> Self {
        OffsetAccess { field, origin }
    }

    /// The elements without their origin.
    #[inline(always)]
    #[must_use]
    pub fn field(self) -> Access<'a, T, D, L> {
        self.field
    }

    /// [`Access::scalars`].
    #[inline(always)]
    #[must_use]
    pub fn scalars(self) -> usize {
        self.field.scalars()
    }

    /// [`Access::begin`].
    #[inline(always)]
    #[must_use]
    pub fn begin(self) -> Begin<'a> {
        self.field.begin()
    }

    /// [`Access::beginning_at`].
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    #[must_use]
    pub unsafe fn beginning_at(self, begin: Begin<'a>) -> Self {
        OffsetAccess {
            // SAFETY: by the caller's word.
            field: unsafe { self.field.beginning_at(begin) },
            origin: self.origin,
        }
    }

    /// [`Access::begin_mut`].
    #[inline(always)]
    #[must_use]
    pub fn begin_mut(self) -> BeginMut<'a> {
        self.field.begin_mut()
    }

    /// [`Access::beginning_at_mut`].
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    #[must_use]
    pub unsafe fn beginning_at_mut(self, begin: BeginMut<'a>) -> Self {
        OffsetAccess {
            // SAFETY: by the caller's word.
            field: unsafe { self.field.beginning_at_mut(begin) },
            origin: self.origin,
        }
    }

    /// Other elements of the same shape at the same positions.
    #[inline(always)]
    #[must_use]
    pub fn over<'b>(self, field: Access<'b, T, D, L>) -> OffsetAccess<'b, T, D, L> {
        OffsetAccess {
            field,
            origin: self.origin,
        }
    }

    /// Number of axes.
    #[inline(always)]
    #[must_use]
    pub fn rank(self) -> Dim<D> {
        Dim
    }

    /// Length of each axis.
    #[inline(always)]
    #[must_use]
    pub fn shape(self) -> [usize; D] {
        self.field.shape()
    }

    /// Number of elements.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        self.field.len()
    }

    /// Position of the first element.
    #[inline(always)]
    #[must_use]
    pub fn origin(self) -> [isize; D] {
        self.origin
    }

    /// Distances from the origin. A position before it wraps to a number that no extent reaches, since origin and extent
    /// add up to an `isize`.
    #[inline(always)]
    #[must_use]
    pub fn offsets(self, position: [isize; D]) -> [usize; D] {
        let mut offsets = [0; D];
        for k in 0..D {
            offsets[k] = position[k].wrapping_sub(self.origin[k]).cast_unsigned();
        }
        offsets
    }

    /// Records that `position`, of the access at `site`, is out of bounds.
    #[cold]
    pub fn fail(self, failures: &Failures, site: u32, position: [isize; D]) {
        failures.fail(site, &self.offsets(position), &self.shape(), Some(&self.origin));
    }

    /// The element at `position`; `None` if there is none.
    #[inline(always)]
    #[must_use]
    pub fn checked(self, position: [isize; D]) -> Option<L::Pointer<T>> {
        self.field.checked(self.offsets(position))
    }

    /// [`Access::or_first`].
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    #[must_use]
    pub unsafe fn or_first(self, position: [isize; D]) -> (L::Pointer<T>, bool) {
        // SAFETY: by the caller's word.
        unsafe { self.field.or_first(self.offsets(position)) }
    }

    /// The element at `position`.
    ///
    /// # Safety
    /// There is one.
    #[inline(always)]
    #[must_use]
    pub unsafe fn unchecked(self, position: [isize; D]) -> L::Pointer<T> {
        // SAFETY: by the caller's word.
        unsafe { self.field.unchecked(self.offsets(position)) }
    }

    /// Whether all positions of another field on its axis `of`, with `by` added, are positions of this one on its axis `axis`.
    #[inline]
    #[must_use]
    pub fn covers<U, const E: usize, K: Layout>(
        self,
        axis: usize,
        other: OffsetAccess<'_, U, E, K>,
        of: usize,
        by: isize,
    ) -> bool {
        let first = other.origin[of].wrapping_add(by);
        let before = first.wrapping_sub(self.origin[axis]).cast_unsigned();
        let extent = self.shape()[axis];
        before <= extent && other.shape()[of] <= extent - before
    }

    /// The same, for all axes.
    #[inline]
    #[must_use]
    pub fn covers_all<U, K: Layout>(self, other: OffsetAccess<'_, U, D, K>) -> bool {
        (0..D).all(|axis| self.covers(axis, other, axis, 0))
    }
}

/// The position so far behind an origin.
///
/// # Safety
/// It is an `isize`.
#[inline(always)]
#[must_use]
pub unsafe fn at(origin: isize, offset: usize) -> isize {
    // SAFETY: by the caller's word; LLVM then compares positions as it would the offsets.
    unsafe { origin.unchecked_add(offset.cast_signed()) }
}

/// The position so far behind an origin, on each axis.
///
/// # Safety
/// All are `isize`.
#[inline(always)]
#[must_use]
#[allow(clippy::needless_range_loop)]
pub unsafe fn behind<const D: usize>(mut origin: [isize; D], offset: impl Position<D>) -> [isize; D] {
    let offset = offset.axes();
    for k in 0..D {
        // SAFETY: by the caller's word.
        origin[k] = unsafe { at(origin[k], offset[k]) };
    }
    origin
}
