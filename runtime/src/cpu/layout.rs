//! How the elements of an argument lie in memory.

/// How elements lie in memory. It is a type, so that native code is compiled for each layout that a program uses, and that
/// of whole fields stays free of strides.
pub trait Layout: Copy + Send + Sync + 'static + sealed::Sealed {
    /// What an address depends on beside shape and position.
    #[doc(hidden)]
    type Strides<const D: usize>: Copy + Send + Sync + 'static;

    /// The strides that stand for these, in bytes.
    #[doc(hidden)]
    fn strides<T, const D: usize>(bytes: [isize; D]) -> Self::Strides<D>;

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
    ) -> *mut T;
}

/// Row-major order without gaps: whole fields.
#[derive(Clone, Copy, Debug)]
pub struct Contiguous;

/// Any strides of whole elements, negative ones too: slices and transposes of fields, arrays of the host.
#[derive(Clone, Copy, Debug)]
pub struct Strided;

/// Any strides in bytes: one member of the elements of a field.
#[derive(Clone, Copy, Debug)]
pub struct Interleaved;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Contiguous {}
    impl Sealed for super::Strided {}
    impl Sealed for super::Interleaved {}
}

// Array iterators cost a call for each step in builds with little optimisation, which most debug builds are.
#[allow(clippy::needless_range_loop)]
impl Layout for Contiguous {
    type Strides<const D: usize> = ();

    #[inline(always)]
    fn strides<T, const D: usize>(_: [isize; D]) {}

    #[inline(always)]
    unsafe fn locate<T, const D: usize>(first: *mut T, shape: [usize; D], (): (), index: [usize; D]) -> *mut T {
        let mut at = 0_usize;
        for k in 0..D {
            at = at.wrapping_mul(shape[k]).wrapping_add(index[k]);
        }
        // SAFETY: by the caller's word `at` is below the number of elements.
        unsafe { first.add(at) }
    }
}

#[allow(clippy::needless_range_loop)]
impl Layout for Strided {
    type Strides<const D: usize> = [isize; D];

    #[inline(always)]
    fn strides<T, const D: usize>(mut bytes: [isize; D]) -> [isize; D] {
        for k in 0..D {
            // In elements, LLVM compiles a second loop for the stride 1, which it vectorises.
            bytes[k] /= size_of::<T>().max(1) as isize;
        }
        bytes
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

    #[inline(always)]
    fn strides<T, const D: usize>(bytes: [isize; D]) -> [isize; D] {
        bytes
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
