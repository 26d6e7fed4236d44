//! A field's memory as native kernels see it.

pub mod layout;
pub mod offset;
pub mod pointer;

use std::marker::PhantomData;
use std::ptr::NonNull;

use self::layout::{Aos, Layout, Steps};
use crate::kernel::failures::Failures;
use crate::kernel::rank::Dim;
use crate::versions::{Begin, BeginMut};

/// Largest rank of a field.
pub const MAX_RANK: usize = 6;

/// Elements without size of a field, or of an array that a kernel writes, at most. Kernels limit positions in products to as many, so that
/// these are out of bounds. Of other elements no address space has as many.
pub const MOST_WITHOUT_SIZE: usize = 1 << 52;

/// With `--cfg swathe_unchecked` checks are taken for passed, as if every access were `get_unchecked`: only to measure what they
/// cost (`cargo xtask price`).
pub const UNCHECKED: bool = cfg!(swathe_unchecked);

/// A position in a field of rank `D`, or a field's shape: a `usize` for `D` = 1, `[usize; D]` for any `D`, slowest axis
/// first.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no position in a field of rank {D}",
    label = "a position or shape is `usize` for rank 1, `[usize; {D}]` in general"
)]
pub trait Position<const D: usize>: Copy + sealed::Sealed<D> {
    /// One number for each axis.
    fn axes(self) -> [usize; D];
}

mod sealed {
    /// Kernels evaluate a position more than once.
    pub trait Sealed<const D: usize> {}

    impl Sealed<1> for usize {}
    impl<const D: usize> Sealed<D> for [usize; D] {}
}

/// The type of a position along one axis.
#[diagnostic::on_unimplemented(
    message = "a variable of type `{Self}` does not tell the elements apart that iterations of a parallel loop write",
    label = "in the index of an element that is written, it has to be a `usize`, or an `isize` for an offset field"
)]
pub trait AlongAxis: Copy {}

impl AlongAxis for usize {}

impl AlongAxis for isize {}

/// Asks whether a variable in an index is a number, for all iterations of a loop the same, by which arithmetic is that of 64 bits.
pub fn of_an_index<T: AlongAxis>(_: &T) {}

impl Position<1> for usize {
    #[inline(always)]
    fn axes(self) -> [usize; 1] {
        [self]
    }
}

impl<const D: usize> Position<D> for [usize; D] {
    #[inline(always)]
    fn axes(self) -> [usize; D] {
        self
    }
}

/// Address, shape and layout of an argument whose borrow lasts for `'a`.
pub struct Access<'a, T, const D: usize, L: Layout = Aos> {
    ptr: *mut T,
    shape: [usize; D],
    strides: L::Strides<D>,
    borrow: PhantomData<&'a T>,
}

impl<T, const D: usize, L: Layout> Clone for Access<'_, T, D, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const D: usize, L: Layout> Copy for Access<'_, T, D, L> {}

// SAFETY: an address, a shape and strides; whoever dereferences the pointers it gives answers for races.
unsafe impl<T: Send + Sync, const D: usize, L: Layout> Send for Access<'_, T, D, L> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync, const D: usize, L: Layout> Sync for Access<'_, T, D, L> {}

impl<T, const D: usize> Access<'_, T, D> {
    /// # Safety
    /// `ptr` points to as many elements as `shape` has, for the lifetime that the caller gives the result.
    #[inline(always)]
    #[must_use]
    pub unsafe fn new(ptr: *mut T, shape: [usize; D]) -> Self {
        Access {
            ptr,
            shape,
            strides: (),
            borrow: PhantomData,
        }
    }
}

// Array iterators cost a call for each step in builds with little optimisation, which most debug builds are.
#[allow(clippy::needless_range_loop)]
impl<'a, T, const D: usize, L: Layout> Access<'a, T, D, L> {
    /// With strides.
    ///
    /// # Safety
    /// The position of each index of the shape is that of an element, for the lifetime that the caller gives the result; the layout is one
    /// of the strides.
    #[inline(always)]
    #[must_use]
    pub unsafe fn with_steps(ptr: *mut T, shape: [usize; D], steps: Steps<D>) -> Self {
        Access {
            ptr,
            shape,
            strides: L::strides::<T, D>(steps),
            borrow: PhantomData,
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
        self.shape
    }

    /// Number of elements.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        let mut len = 1_usize;
        for n in self.shape {
            len = len.wrapping_mul(n);
        }
        len
    }

    /// Of how many scalars an element is made that lie side by side, padding included.
    #[inline(always)]
    #[must_use]
    pub fn scalars(self) -> usize {
        if L::PLANAR { 1 } else { size_of::<T>() / align_of::<T>() }
    }

    /// Distances of neighbours along each axis.
    #[inline(always)]
    #[must_use]
    pub fn steps(self) -> Steps<D> {
        L::steps::<T, D>(self.shape, self.strides)
    }

    /// Whether neighbours on the last axis lie side by side, whole.
    #[inline(always)]
    #[must_use]
    pub fn is_dense(self) -> bool {
        L::is_dense::<D>(self.strides)
    }

    /// The same elements in a list, where they follow one another in row-major order.
    #[inline(always)]
    #[must_use]
    pub fn list(self) -> Option<Access<'a, T, 1>> {
        // SAFETY: as many elements, of the same borrow, and they begin where the array does.
        L::is_list(self.shape, self.strides).then(|| unsafe { Access::new(self.ptr, [self.len()]) })
    }

    /// An array of the same shape and layout that begins that many bytes after this one.
    ///
    /// # Safety
    /// There is one, for the lifetime of this.
    #[inline(always)]
    #[must_use]
    pub unsafe fn moved(self, bytes: usize) -> Self {
        Access {
            // SAFETY: by the caller's word.
            ptr: unsafe { self.ptr.byte_add(bytes) },
            ..self
        }
    }

    /// Where the elements begin.
    #[inline(always)]
    #[must_use]
    pub fn begin(self) -> Begin<'a> {
        let begin = NonNull::new(self.ptr).unwrap_or(NonNull::dangling());
        // SAFETY: a reference to no bytes needs an address that is not zero.
        unsafe { begin.cast().as_ref() }
    }

    /// The same elements, reached from that address alone. rustc derives from it what it would from a reference to all of them, without a
    /// claim on those that are never accessed.
    ///
    /// # Safety
    /// It is what [`begin`](Self::begin) says of them. While a function runs that has the reference as a parameter nobody writes what is
    /// read through the result.
    #[inline(always)]
    #[must_use]
    pub unsafe fn beginning_at(self, begin: Begin<'a>) -> Self {
        Access {
            ptr: std::ptr::from_ref(begin).cast_mut().cast(),
            ..self
        }
    }

    /// Where the elements begin, to write them.
    #[inline(always)]
    #[must_use]
    pub fn begin_mut(self) -> BeginMut<'a> {
        BeginMut::new(self.ptr.cast())
    }

    /// The same elements, reached from that address alone.
    ///
    /// # Safety
    /// It is what [`begin_mut`](Self::begin_mut) says of them.
    #[inline(always)]
    #[must_use]
    pub unsafe fn beginning_at_mut(self, begin: BeginMut<'a>) -> Self {
        Access {
            ptr: begin.at.cast(),
            ..self
        }
    }

    /// The same elements in other memory, which begins at `to` and not at `from`.
    ///
    /// # Safety
    /// There are such elements, for the lifetime that the caller gives the result.
    #[must_use]
    pub unsafe fn in_other_memory<'b>(self, from: *mut u8, to: *mut u8) -> Access<'b, T, D, L> {
        let distance = self.ptr.addr().wrapping_sub(from.addr());
        Access {
            ptr: to.wrapping_byte_add(distance).cast(),
            shape: self.shape,
            strides: self.strides,
            borrow: PhantomData,
        }
    }

    /// Records that `index`, of the access at `site`, is out of bounds.
    #[cold]
    pub fn fail<I: Position<D>>(self, failures: &Failures, site: u32, index: I) {
        failures.fail(site, &index.axes(), &self.shape, None);
    }

    /// The element at `index`; `None` if there is none.
    #[inline(always)]
    #[must_use]
    pub fn checked<I: Position<D>>(self, index: I) -> Option<L::Pointer<T>> {
        let index = index.axes();
        let mut inside = true;
        for k in 0..D {
            inside &= index[k] < self.shape[k];
        }
        if UNCHECKED {
            // SAFETY: none in general. Who sets the flag measures a program that is known to stay in bounds.
            unsafe { std::hint::assert_unchecked(inside) };
        }
        if !inside {
            return None;
        }
        // SAFETY: just checked.
        Some(unsafe { self.unchecked(index) })
    }

    /// The element at `index`, or the first one where there is none, and whether there is one: nothing to branch to, so that LLVM vectorises the
    /// check and the read.
    ///
    /// # Safety
    /// There are elements.
    #[inline(always)]
    #[must_use]
    pub unsafe fn or_first<I: Position<D>>(self, index: I) -> (L::Pointer<T>, bool) {
        let mut index = index.axes();
        let mut inside = true;
        for k in 0..D {
            inside &= index[k] < self.shape[k];
        }
        inside |= UNCHECKED;
        for k in 0..D {
            index[k] = if inside { index[k] } else { 0 };
        }
        // SAFETY: just checked, or the position of the first element, which there is by the caller's word.
        (unsafe { self.unchecked(index) }, inside)
    }

    /// The element at `index`.
    ///
    /// # Safety
    /// The position is inside the shape.
    #[inline(always)]
    #[must_use]
    pub unsafe fn unchecked<I: Position<D>>(self, index: I) -> L::Pointer<T> {
        // SAFETY: by the caller's word.
        unsafe { L::locate(self.ptr, self.shape, self.strides, index.axes()) }
    }
}
