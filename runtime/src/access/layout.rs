//! How the elements of an argument lie in memory.

use super::pointer::{PlanarPointer, Planes, Pointer};

/// How elements lie in memory. It is a type, so that native code is compiled for each layout that a program uses, and that
/// of whole fields stays free of strides.
pub trait Layout: Copy + Send + Sync + 'static + sealed::Sealed {
    /// What an address depends on beside shape and position.
    #[doc(hidden)]
    type Strides<const D: usize>: Copy + Send + Sync + 'static;

    /// What native code has of an element.
    #[doc(hidden)]
    type Pointer<T>: Pointer<Target = T>;

    /// The layout of a kernel that serves all parts of a field that lies like this.
    #[doc(hidden)]
    type General: Layout;

    /// Whether scalars have planes of their own.
    #[doc(hidden)]
    const PLANAR: bool;

    /// The strides that stand for these.
    #[doc(hidden)]
    fn strides<T, const D: usize>(steps: Steps<D>) -> Self::Strides<D>;

    /// What these strides are made of.
    #[doc(hidden)]
    fn steps<T, const D: usize>(shape: [usize; D], strides: Self::Strides<D>) -> Steps<D>;

    /// Whether neighbours on the last axis lie side by side, whole.
    #[doc(hidden)]
    #[inline(always)]
    fn is_dense<const D: usize>(_: Self::Strides<D>) -> bool {
        false
    }

    /// Whether all elements follow one another, whole, in row-major order.
    #[doc(hidden)]
    #[inline(always)]
    fn is_list<const D: usize>(_shape: [usize; D], _: Self::Strides<D>) -> bool {
        false
    }

    /// The element at `index`.
    ///
    /// # Safety
    /// The position is one of the array that starts at `first`.
    #[doc(hidden)]
    unsafe fn locate<T, const D: usize>(
        first: *mut T,
        shape: [usize; D],
        strides: Self::Strides<D>,
        index: [usize; D],
    ) -> Self::Pointer<T>;
}

/// The layout of a whole field: [`Aos`] or [`Soa`].
pub trait FieldLayout: Layout + Default {
    /// That of its slices, rows and transposes.
    type Part: Layout;

    /// That of the members of its elements.
    type Member: Layout;

    /// How many elements each plane has room for.
    #[doc(hidden)]
    fn room(len: usize) -> usize;
}

/// What strides are made of.
#[derive(Clone, Copy, Debug)]
pub struct Steps<const D: usize> {
    /// In bytes; of planes in elements.
    pub strides: [isize; D],
    /// Of planes, the number of elements that each has room for; else 1.
    pub pitch: usize,
    /// Of planes, the element at position 0; else 0.
    pub origin: isize,
}

impl<const D: usize> Steps<D> {
    /// Of elements that are whole; in bytes.
    #[inline(always)]
    #[must_use]
    pub fn of(strides: [isize; D]) -> Self {
        Steps {
            strides,
            pitch: 1,
            origin: 0,
        }
    }

    /// Of all elements of a structure of arrays.
    #[inline]
    #[must_use]
    pub fn planes(shape: [usize; D], pitch: usize) -> Self {
        let steps = Steps {
            strides: [1; D],
            pitch,
            origin: 0,
        };
        steps.row_major(shape)
    }

    /// The strides of row-major order without gaps, where that of the last axis is known.
    #[inline]
    #[must_use]
    pub fn row_major(mut self, shape: [usize; D]) -> Self {
        for k in (1..D).rev() {
            // An axis of length 0 may stand beside others whose product is no size of memory.
            self.strides[k - 1] = self.strides[k].wrapping_mul(shape[k] as isize);
        }
        self
    }
}

/// Array of structures: one element after the other, in row-major order. The layout of fields unless they are made with
/// another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Aos;

/// Structure of arrays: each scalar of the element has a plane of its own, in which those of all elements follow one another in
/// row-major order. See [`Field::with_layout`](crate::Field::with_layout).
#[derive(Clone, Copy, Debug, Default)]
pub struct Soa;

/// Any strides of whole elements, negative ones too: slices and transposes of fields, arrays of the host.
#[derive(Clone, Copy, Debug)]
pub struct Strided;

/// Any strides in bytes: one member of the elements of a field.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved;

/// Any strides within planes: parts of a structure of arrays.
#[derive(Clone, Copy, Debug)]
pub struct Planar;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Aos {}
    impl Sealed for super::Soa {}
    impl Sealed for super::Strided {}
    impl Sealed for super::Interleaved {}
    impl Sealed for super::Planar {}
}

impl FieldLayout for Aos {
    type Part = Strided;
    type Member = Interleaved;

    fn room(len: usize) -> usize {
        len
    }
}

impl FieldLayout for Soa {
    type Part = Planar;
    type Member = Planar;

    fn room(len: usize) -> usize {
        // Planes start at cache lines whatever the size of a scalar.
        const LINE: usize = 64;
        // Planes at a distance of a power of two would fall into the same sets of a cache.
        const COLLISION: usize = 512;
        let room = len.checked_next_multiple_of(LINE).unwrap_or(len);
        match room {
            0 => 0,
            _ if room.is_multiple_of(COLLISION) => room.saturating_add(LINE),
            _ => room,
        }
    }
}

// Array iterators cost a call for each step in builds with little optimisation, which most debug builds are.
#[allow(clippy::needless_range_loop)]
impl Layout for Aos {
    type Strides<const D: usize> = ();
    type Pointer<T> = *mut T;
    type General = Interleaved;
    const PLANAR: bool = false;

    #[inline(always)]
    fn strides<T, const D: usize>(_: Steps<D>) {}

    #[inline(always)]
    fn steps<T, const D: usize>(shape: [usize; D], (): ()) -> Steps<D> {
        Steps::of([size_of::<T>() as isize; D]).row_major(shape)
    }

    #[inline(always)]
    fn is_dense<const D: usize>((): ()) -> bool {
        true
    }

    #[inline(always)]
    fn is_list<const D: usize>(_: [usize; D], (): ()) -> bool {
        true
    }

    #[inline(always)]
    unsafe fn locate<T, const D: usize>(first: *mut T, shape: [usize; D], (): (), index: [usize; D]) -> *mut T {
        // SAFETY: by the caller's word the offset is below the number of elements.
        unsafe { first.add(row_major(index, shape)) }
    }
}

impl Layout for Soa {
    type Strides<const D: usize> = usize;
    type Pointer<T> = PlanarPointer<T>;
    type General = Planar;
    const PLANAR: bool = true;

    #[inline(always)]
    fn strides<T, const D: usize>(steps: Steps<D>) -> usize {
        steps.pitch
    }

    #[inline(always)]
    fn steps<T, const D: usize>(shape: [usize; D], pitch: usize) -> Steps<D> {
        Steps::planes(shape, pitch)
    }

    #[inline(always)]
    unsafe fn locate<T, const D: usize>(
        first: *mut T,
        shape: [usize; D],
        pitch: usize,
        index: [usize; D],
    ) -> PlanarPointer<T> {
        PlanarPointer::new(Planes::new(first.cast(), pitch, row_major(index, shape) as isize))
    }
}

#[allow(clippy::needless_range_loop)]
impl Layout for Strided {
    type Strides<const D: usize> = [isize; D];
    type Pointer<T> = *mut T;
    type General = Interleaved;
    const PLANAR: bool = false;

    #[inline(always)]
    fn strides<T, const D: usize>(steps: Steps<D>) -> [isize; D] {
        let mut strides = steps.strides;
        for k in 0..D {
            // In elements, LLVM compiles a second loop for the stride 1, which it vectorises.
            strides[k] /= size_of::<T>().max(1) as isize;
        }
        strides
    }

    #[inline(always)]
    fn steps<T, const D: usize>(_: [usize; D], mut strides: [isize; D]) -> Steps<D> {
        for k in 0..D {
            strides[k] *= size_of::<T>() as isize;
        }
        Steps::of(strides)
    }

    #[inline(always)]
    fn is_dense<const D: usize>(strides: [isize; D]) -> bool {
        strides.last() == Some(&1)
    }

    #[inline(always)]
    fn is_list<const D: usize>(shape: [usize; D], strides: [isize; D]) -> bool {
        let list = Steps::of([1; D]).row_major(shape).strides;
        (0..D).all(|k| strides[k] == list[k] || shape[k] == 1)
    }

    #[inline(always)]
    unsafe fn locate<T, const D: usize>(
        first: *mut T,
        _: [usize; D],
        strides: [isize; D],
        index: [usize; D],
    ) -> *mut T {
        // SAFETY: by the caller's word this is one of the elements.
        unsafe { first.offset(dot(index, strides)) }
    }
}

impl Layout for Interleaved {
    type Strides<const D: usize> = [isize; D];
    type Pointer<T> = *mut T;
    type General = Interleaved;
    const PLANAR: bool = false;

    #[inline(always)]
    fn strides<T, const D: usize>(steps: Steps<D>) -> [isize; D] {
        steps.strides
    }

    #[inline(always)]
    fn steps<T, const D: usize>(_: [usize; D], strides: [isize; D]) -> Steps<D> {
        Steps::of(strides)
    }

    #[inline(always)]
    unsafe fn locate<T, const D: usize>(
        first: *mut T,
        _: [usize; D],
        strides: [isize; D],
        index: [usize; D],
    ) -> *mut T {
        // SAFETY: by the caller's word this is one of the elements.
        unsafe { first.byte_offset(dot(index, strides)) }
    }
}

impl Layout for Planar {
    type Strides<const D: usize> = Steps<D>;
    type Pointer<T> = PlanarPointer<T>;
    type General = Planar;
    const PLANAR: bool = true;

    #[inline(always)]
    fn strides<T, const D: usize>(steps: Steps<D>) -> Steps<D> {
        steps
    }

    #[inline(always)]
    fn steps<T, const D: usize>(_: [usize; D], steps: Steps<D>) -> Steps<D> {
        steps
    }

    #[inline(always)]
    unsafe fn locate<T, const D: usize>(
        first: *mut T,
        _: [usize; D],
        steps: Steps<D>,
        index: [usize; D],
    ) -> PlanarPointer<T> {
        let element = steps.origin.wrapping_add(dot(index, steps.strides));
        PlanarPointer::new(Planes::new(first.cast(), steps.pitch, element))
    }
}

/// Number of a position in row-major order.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn row_major<const D: usize>(index: [usize; D], shape: [usize; D]) -> usize {
    let mut at = 0_usize;
    for k in 0..D {
        at = at.wrapping_mul(shape[k]).wrapping_add(index[k]);
    }
    at
}

/// Distance of a position from the first one.
#[inline(always)]
#[allow(clippy::needless_range_loop)]
fn dot<const D: usize>(index: [usize; D], strides: [isize; D]) -> isize {
    let mut at = 0_isize;
    for k in 0..D {
        at = at.wrapping_add((index[k] as isize).wrapping_mul(strides[k]));
    }
    at
}
