//! Arguments of a kernel on their way to a device.

use std::marker::PhantomData;

use swathe_ir::Type;

use crate::access::MAX_RANK;
use crate::element::{Element, KernelType};

/// One argument of a launch.
#[derive(Clone, Copy, Debug)]
pub struct LaunchArg<'a>(pub(crate) ArgKind<'a>);

#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgKind<'a> {
    /// A field, or a part of one: address on its device, and shape.
    Field {
        at: *mut u8,
        shape: &'a [usize],
        /// Of a part of a field.
        part: Option<Part>,
        /// Of a structure of arrays.
        planes: Option<Planes>,
        /// Position of the first element of an offset field; 0 beyond the rank.
        origin: Option<[isize; MAX_RANK]>,
    },
    /// An array in the host's memory.
    Host(HostArray<'a>),
    /// The bytes of a value, laid out as in C.
    Value(*const u8, PhantomData<&'a u8>),
}

/// How a part lies in a field.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Address of the field.
    pub field: *mut u8,
    /// In bytes, of planes in elements; 0 beyond the rank.
    pub strides: [isize; MAX_RANK],
}

/// How a structure of arrays lies in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Planes {
    /// How many elements each plane has room for.
    pub pitch: usize,
    /// The element at position 0.
    pub origin: isize,
}

/// An array in the host's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HostArray<'a> {
    /// Of the element at position 0.
    pub at: *mut u8,
    pub shape: &'a [usize],
    /// In elements.
    pub strides: &'a [isize],
    /// Of an element, in bytes.
    pub size: usize,
    /// Of an element.
    pub align: usize,
    /// Whether the kernel may write it.
    pub mutable: bool,
}

impl<'a> LaunchArg<'a> {
    /// A field, by its address and shape; one that lies in planes has that pitch.
    #[must_use]
    pub(crate) fn field<T: Element>(at: *mut u8, shape: &'a [usize], pitch: Option<usize>) -> LaunchArg<'a> {
        let pitch = pitch.filter(|_| !is_scalar::<T>());
        LaunchArg(ArgKind::Field {
            at,
            shape,
            part: None,
            planes: pitch.map(|pitch| Planes { pitch, origin: 0 }),
            origin: None,
        })
    }

    /// The field, as one whose first element has that position.
    #[must_use]
    pub(crate) fn behind(mut self, first: &[isize]) -> LaunchArg<'a> {
        if let ArgKind::Field { origin, .. } = &mut self.0 {
            let mut of_axes = [0; MAX_RANK];
            of_axes[..first.len()].copy_from_slice(first);
            *origin = Some(of_axes);
        }
        self
    }

    /// A value that devices lay out as the host does.
    #[must_use]
    pub(crate) fn value<T: KernelType>(value: &'a T) -> LaunchArg<'a> {
        const { assert!(T::PLAIN && size_of::<T>() > 0, "a device has another layout of it") };
        LaunchArg(ArgKind::Value(std::ptr::from_ref(value).cast(), PhantomData))
    }

    /// An array in the host's memory; strides are in elements.
    #[must_use]
    pub(crate) fn host<T>(at: *mut T, shape: &'a [usize], strides: &'a [isize], mutable: bool) -> LaunchArg<'a> {
        LaunchArg(ArgKind::Host(HostArray {
            at: at.cast(),
            shape,
            strides,
            size: size_of::<T>(),
            align: align_of::<T>(),
            mutable,
        }))
    }

    /// Whether it is a part of a field.
    pub(crate) fn is_part(&self) -> bool {
        matches!(self.0, ArgKind::Field { part: Some(_), .. })
    }

    /// Whether it lies in planes.
    pub(crate) fn is_planar(&self) -> bool {
        matches!(self.0, ArgKind::Field { planes: Some(_), .. })
    }

    /// A part of the field at `field`, whose element at position 0 is at `at`, with strides in bytes; or one of planes, of that pitch
    /// and origin, with strides in elements.
    #[must_use]
    pub(crate) fn part<T: Element>(
        field: *mut u8,
        at: *mut u8,
        shape: &'a [usize],
        strides: &[isize],
        planes: Option<(usize, isize)>,
    ) -> LaunchArg<'a> {
        let mut of_axes = [0; MAX_RANK];
        of_axes[..strides.len()].copy_from_slice(strides);
        let mut planes = planes.map(|(pitch, origin)| Planes { pitch, origin });
        let mut at = at;
        if let Some(only) = planes.filter(|_| is_scalar::<T>()) {
            // One plane of scalars is an array of them.
            let size = size_of::<T>() as isize;
            at = at.wrapping_offset(only.origin.wrapping_mul(size));
            of_axes = of_axes.map(|stride| stride.wrapping_mul(size));
            planes = None;
        }
        let part = Some(Part {
            field,
            strides: of_axes,
        });
        LaunchArg(ArgKind::Field {
            at,
            shape,
            part,
            planes,
            origin: None,
        })
    }
}

fn is_scalar<T: Element>() -> bool {
    matches!(T::ty(), Type::Scalar(_) | Type::Enum(_))
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
}

// For every type: rustc reports one that is none of a kernel's where the value is prepared.
impl<T> DeviceValue<'_, T> {
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
