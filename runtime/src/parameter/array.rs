//! Arrays of `ndarray` as arguments of kernels.

use ndarray::{ArrayBase, ArrayRef, Data, DataMut, Dim, Dimension, RawData};

use crate::access::layout::{Layout, Steps, Strided};
use crate::access::{Access, MOST_WITHOUT_SIZE};
use crate::device::argument::LaunchArg;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::kernel::typed::{TypedField, TypedFieldMut};
use crate::parameter::{Argument, ArgumentMut, Parameter};
use crate::recording::Place;

impl<S: RawData<Elem = T>, T: Element, const D: usize> Parameter for ArrayBase<S, Dim<[usize; D]>> {
    type Access<'a, L: Layout> = Access<'a, T, D, L>;
    type Typed = TypedField<T, D>;
    type TypedMut = TypedFieldMut<T, D>;

    const ELEMENT: usize = size_of::<T>();

    unsafe fn moved<'a, L: Layout>(access: Access<'_, T, D, L>, from: *mut u8, to: *mut u8) -> Access<'a, T, D, L> {
        // SAFETY: by the caller's word.
        unsafe { access.in_other_memory(from, to) }
    }
}

impl<T: Element, const D: usize> Parameter for ArrayRef<T, Dim<[usize; D]>> {
    type Access<'a, L: Layout> = Access<'a, T, D, L>;
    type Typed = TypedField<T, D>;
    type TypedMut = TypedFieldMut<T, D>;

    const ELEMENT: usize = size_of::<T>();

    unsafe fn moved<'a, L: Layout>(access: Access<'_, T, D, L>, from: *mut u8, to: *mut u8) -> Access<'a, T, D, L> {
        // SAFETY: by the caller's word.
        unsafe { access.in_other_memory(from, to) }
    }
}

/// # Safety
/// `at` is the address of the element at position 0, and what is done with the result is what the array allows.
#[inline]
unsafe fn access<T: Element, const D: usize>(
    at: *mut T,
    of_shape: &[usize],
    of_strides: &[isize],
) -> Access<'static, T, D, Strided> {
    let (mut shape, mut strides) = ([0; D], [0; D]);
    shape.copy_from_slice(of_shape);
    strides.copy_from_slice(of_strides);
    let steps = Steps::of(strides.map(|stride: isize| stride.wrapping_mul(size_of::<T>() as isize)));
    // SAFETY: an array has an element at each position of its shape.
    unsafe { Access::with_steps(at, shape, steps) }
}

macro_rules! arguments {
    ($parameter:ty $(, $q:ident)?) => {
        // SAFETY: an array with `Data` lets us read all its elements, and is borrowed.
        unsafe impl<$($q: RawData<Elem = T>,)? S: Data<Elem = T>, T: Element, const D: usize> Argument<$parameter>
            for ArrayBase<S, Dim<[usize; D]>>
        where
            Dim<[usize; D]>: Dimension,
        {
            arguments!(@read);
        }

        // SAFETY: as above.
        unsafe impl<$($q: RawData<Elem = T>,)? T: Element, const D: usize> Argument<$parameter> for ArrayRef<T, Dim<[usize; D]>>
        where
            Dim<[usize; D]>: Dimension,
        {
            arguments!(@read);
        }

        // SAFETY: an array with `DataMut` lets us write its elements, which are distinct, and is borrowed exclusively.
        unsafe impl<$($q: RawData<Elem = T>,)? S: DataMut<Elem = T>, T: Element, const D: usize> ArgumentMut<$parameter>
            for ArrayBase<S, Dim<[usize; D]>>
        where
            Dim<[usize; D]>: Dimension,
        {
            arguments!(@write);
        }

        // SAFETY: as above.
        unsafe impl<$($q: RawData<Elem = T>,)? T: Element, const D: usize> ArgumentMut<$parameter>
            for ArrayRef<T, Dim<[usize; D]>>
        where
            Dim<[usize; D]>: Dimension,
        {
            arguments!(@write);
        }
    };
    (@read) => {
        type Layout = Strided;

        #[inline(always)]
        fn place(&self) -> Option<Place<'_>> {
            None
        }

        #[inline]
        fn access(&self) -> Access<'_, T, D, Strided> {
            // SAFETY: for reads only.
            unsafe { access(self.as_ptr().cast_mut(), self.shape(), self.strides()) }
        }

        #[inline]
        fn launch_arg(&self) -> LaunchArg<'_> {
            LaunchArg::host(self.as_ptr().cast_mut(), self.shape(), self.strides(), false)
        }
    };
    (@write) => {
        #[inline(always)]
        fn prepare(&mut self) -> Result<()> {
            if size_of::<T>() == 0 && self.len() > MOST_WITHOUT_SIZE {
                return Err(Error::SizeOverflow {
                    shape: self.shape().to_vec(),
                    element_size: size_of::<T>(),
                });
            }
            Ok(())
        }

        #[inline]
        fn access_mut(&mut self) -> Access<'_, T, D, Strided> {
            let at = self.as_mut_ptr();
            // SAFETY: the array is borrowed exclusively.
            unsafe { access(at, self.shape(), self.strides()) }
        }

        #[inline]
        fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
            let at = self.as_mut_ptr();
            LaunchArg::host(at, self.shape(), self.strides(), true)
        }
    };
}
arguments!(ArrayBase<Q, Dim<[usize; D]>>, Q);
arguments!(ArrayRef<T, Dim<[usize; D]>>);
