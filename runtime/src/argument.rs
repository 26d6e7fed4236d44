//! Arguments of a kernel on their way to a device.

use std::marker::PhantomData;

use crate::element::{Element, KernelType};
use crate::field::Field;

/// One argument of a launch.
#[derive(Clone, Copy, Debug)]
pub struct LaunchArg<'a>(pub(crate) ArgKind<'a>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgKind<'a> {
    /// A field: address on its device, and shape.
    Field { at: *mut u8, shape: &'a [usize] },
    /// The bytes of a value, laid out as in C.
    Value(*const u8, PhantomData<&'a u8>),
}

impl<'a> LaunchArg<'a> {
    /// A field.
    #[must_use]
    pub fn field<T: Element, const D: usize>(field: &'a Field<T, D>) -> LaunchArg<'a> {
        LaunchArg(ArgKind::Field {
            at: field.address(),
            shape: field.extents(),
        })
    }
}

/// A value as the device lays it out.
#[derive(Debug)]
pub struct DeviceValue<'a, T> {
    value: &'a T,
    /// Tuples are laid out by rustc in an order of its own; everything else is as in C.
    packed: Option<Box<[u64]>>,
}

impl<'a, T: KernelType> DeviceValue<'a, T> {
    /// Prepares a value.
    #[inline]
    pub fn new(value: &'a T) -> Self {
        let packed = (!T::PLAIN || size_of::<T>() == 0).then(|| {
            let mut words = vec![0_u64; T::device_layout().0.div_ceil(8).max(2)];
            // SAFETY: the words have room for the layout's size.
            unsafe { value.pack(words.as_mut_ptr().cast()) };
            words.into_boxed_slice()
        });
        DeviceValue { value, packed }
    }

    /// The argument.
    #[must_use]
    #[inline]
    pub fn arg(&self) -> LaunchArg<'_> {
        let at = match &self.packed {
            Some(words) => words.as_ptr().cast(),
            None => std::ptr::from_ref(self.value).cast(),
        };
        LaunchArg(ArgKind::Value(at, PhantomData))
    }
}
