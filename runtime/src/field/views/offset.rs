//! Fields whose positions start elsewhere than at 0.

use std::fmt;
use std::ops::Range;

use crate::access::layout::{Aos, FieldLayout, Layout};
use crate::access::offset::{OffsetAccess, SignedPosition, behind};
use crate::device::Device;
use crate::device::argument::LaunchArg;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::advance;
use crate::kernel::offset::{SignedRank, TypedOffsetField, TypedOffsetFieldMut};
use crate::kernel::rank::Dim;
use crate::parameter::{Argument, ArgumentMut, Parameter};
use crate::recording::Place;

/// A [`Field`] whose first element has a position of the program's choice, its *origin*, on each axis, negative ones too: for a halo
/// at `u[[-1, j]]`, or a grid around 0.
///
/// Positions are `isize`, those of rank `D` `[isize; D]`. A kernel takes it as `&OffsetField<T, D>` or
/// `&mut OffsetField<T, D>`: there `for [i, j] in u.indices()` runs from the origin on, and `u.origin()` tells it. In memory it is the
/// field that it holds, which [`field`](OffsetField::field) and [`field_mut`](OffsetField::field_mut) lend to everything else:
/// exchange with arrays, slices, reductions, kernels that count from 0.
///
/// ```
/// use swathe::prelude::*;
///
/// /// The mean of the neighbours; `u` has a halo of one element around `out`.
/// #[kernel]
/// fn relax(u: &OffsetField<f32, 2>, out: &mut OffsetField<f32, 2>) {
///     for [i, j] in out.indices() {
///         out[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::default();
/// let mut u = Field::<f32, 2>::zeros(&device, [5, 6])?.with_origin([-1, -1])?;
/// u.set([-1, 2], 8.0)?;
/// let mut out = Field::zeros(&device, [3, 4])?.with_origin([0, 0])?;
/// relax(&u, &mut out)?;
/// assert_eq!(out.get([0, 2])?, 2.0);
/// assert_eq!(u.ranges(), [-1..4, -1..5]);
/// // Arrays count from 0.
/// assert_eq!(u.field().to_ndarray()?[[0, 3]], 8.0);
/// # Ok(())
/// # }
/// ```
pub struct OffsetField<T: Element, const D: usize = 1, L: FieldLayout = Aos> {
    field: Field<T, D, L>,
    /// With each extent it adds up to an `isize`.
    origin: [isize; D],
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The same elements, of which the first has the position `origin`.
    ///
    /// ```
    /// use swathe::{Device, Error, Field};
    ///
    /// let u = Field::from_slice(&Device::cpu(), &[1, 2, 3])?.with_origin(-1)?;
    /// assert_eq!(u.get(1)?, 3);
    /// assert_eq!(u.get(2).unwrap_err().to_string(), "no element at [2]: index 2 is out of range -1..2 of axis 0");
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Origin`] if the end of an axis is beyond the largest `isize`.
    pub fn with_origin(self, origin: impl SignedPosition<D>) -> Result<OffsetField<T, D, L>> {
        let origin = origin.axes();
        check_origin(&self.shape, &origin)?;
        Ok(OffsetField { field: self, origin })
    }
}

/// # Errors
/// [`Error::Origin`] if a position would overflow.
pub(in crate::field) fn check_origin(shape: &[usize], origin: &[isize]) -> Result<()> {
    let mut axes = origin.iter().zip(shape);
    if axes.all(|(start, extent)| start.checked_add_unsigned(*extent).is_some()) {
        return Ok(());
    }
    Err(Error::Origin {
        origin: origin.to_vec(),
        shape: shape.to_vec(),
    })
}

impl<T: Element, const D: usize, L: FieldLayout> OffsetField<T, D, L> {
    /// The field, whose positions start at 0.
    #[must_use]
    pub fn field(&self) -> &Field<T, D, L> {
        &self.field
    }

    /// The field, to be changed. If a larger one is put in its place, of which a position would overflow, the origin moves back as far as
    /// need be.
    #[must_use]
    pub fn field_mut(&mut self) -> &mut Field<T, D, L> {
        &mut self.field
    }

    /// The field.
    #[must_use]
    pub fn into_field(self) -> Field<T, D, L> {
        self.field
    }

    /// Position of the first element.
    #[must_use]
    pub fn origin(&self) -> [isize; D] {
        std::array::from_fn(|k| self.origin[k].min(isize::MAX.saturating_sub_unsigned(self.field.shape[k])))
    }

    /// Length of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.field.shape
    }

    /// The positions along each axis.
    #[must_use]
    pub fn ranges(&self) -> [Range<isize>; D] {
        let origin = self.origin();
        std::array::from_fn(|k| origin[k]..origin[k].saturating_add_unsigned(self.field.shape[k]))
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.field.len()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.field.is_empty()
    }

    /// Where it lives.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.field.device()
    }

    /// Its type, shape, origin and device, as errors name them.
    #[must_use]
    pub fn describe(&self) -> String {
        let layout = if L::PLANAR { ", Soa" } else { "" };
        let (ty, shape, origin, device) = (T::ty(), self.shape(), self.origin(), self.device());
        format!("OffsetField<{ty}, {D}{layout}> {{ shape: {shape:?}, origin: {origin:?}, device: {device} }}")
    }

    /// Another one with the same elements and origin on the same device, copied when one of the two is written: see
    /// [`Field::try_clone`].
    ///
    /// # Errors
    /// As there.
    pub fn try_clone(&self) -> Result<Self> {
        Ok(OffsetField {
            field: self.field.try_clone()?,
            origin: self.origin,
        })
    }

    /// The element at a position. It alone is moved, after the kernels before it have ended.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn get(&self, position: impl SignedPosition<D>) -> Result<T> {
        self.field.get(self.offset(position.axes())?)
    }

    /// Sets the element at a position.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    pub fn set(&mut self, position: impl SignedPosition<D>, value: T) -> Result<()> {
        self.field.set(self.offset(position.axes())?, value)
    }

    /// Every position with its element, in row-major order; the elements are copied to the host first.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<i32, 2>::from_fn(&Device::cpu(), [1, 2], |[_, j]| 7 * j as i32)?.with_origin([-3, 4])?;
    /// let all: Vec<_> = u.indexed_iter()?.collect();
    /// assert_eq!(all, [([-3, 4], 0), ([-3, 5], 7)]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of the device.
    pub fn indexed_iter(&self) -> Result<impl Iterator<Item = (<Dim<D> as SignedRank<D>>::Position, T)> + use<T, D, L>>
    where
        Dim<D>: SignedRank<D>,
    {
        let (shape, origin) = (self.shape(), self.origin());
        let mut offset = [0; D];
        Ok(self.field.to_vec()?.into_iter().map(move |element| {
            // SAFETY: every element's position is an `isize`.
            let position = unsafe { behind(origin, offset) };
            advance(&mut offset, &shape);
            (Dim::<D>::position(position), element)
        }))
    }

    /// How far a position is behind the origin.
    ///
    /// # Errors
    /// [`Error::OutOfRange`].
    fn offset(&self, position: [isize; D]) -> Result<[usize; D]> {
        let ranges = self.ranges();
        if position.iter().zip(&ranges).all(|(i, range)| range.contains(i)) {
            return Ok(std::array::from_fn(|k| {
                position[k].wrapping_sub(ranges[k].start).cast_unsigned()
            }));
        }
        Err(Error::OutOfRange {
            index: position.to_vec(),
            ranges: ranges.to_vec(),
        })
    }
}

impl<T: Element, const D: usize, L: FieldLayout> From<OffsetField<T, D, L>> for Field<T, D, L> {
    fn from(field: OffsetField<T, D, L>) -> Self {
        field.into_field()
    }
}

/// As a field's, with the position of the first element.
///
/// ```
/// use swathe::{Device, Field};
///
/// let u = Field::from_slice(&Device::cpu(), &[1, 2])?.with_origin(-1)?;
/// assert_eq!(format!("{u:?}"), "[1, 2], shape=[2], on cpu, origin=[-1]");
/// # Ok::<(), swathe::Error>(())
/// ```
impl<T: Element + fmt::Debug, const D: usize, L: FieldLayout> fmt::Debug for OffsetField<T, D, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}, origin={:?}", self.field, self.origin())
    }
}

/// Equal origins, shapes and elements.
impl<T: Element + PartialEq, const D: usize, L: FieldLayout, K: FieldLayout> PartialEq<OffsetField<T, D, K>>
    for OffsetField<T, D, L>
{
    fn eq(&self, other: &OffsetField<T, D, K>) -> bool {
        self.origin() == other.origin() && self.field == other.field
    }
}

impl<T: Element, const D: usize> Parameter for OffsetField<T, D> {
    type Access<'a, L: Layout> = OffsetAccess<'a, T, D, L>;
    type Typed = TypedOffsetField<T, D>;
    type TypedMut = TypedOffsetFieldMut<T, D>;

    const ELEMENT: usize = size_of::<T>();

    unsafe fn moved<'a, L: Layout>(
        access: OffsetAccess<'_, T, D, L>,
        from: *mut u8,
        to: *mut u8,
    ) -> OffsetAccess<'a, T, D, L> {
        // SAFETY: by the caller's word; the shape is the same.
        unsafe { OffsetAccess::new(access.field().in_other_memory(from, to), access.origin()) }
    }
}

// SAFETY: the memory holds the elements of the shape.
unsafe impl<T: Element, const D: usize, L: FieldLayout> Argument<OffsetField<T, D>> for OffsetField<T, D, L> {
    type Layout = L;

    #[inline(always)]
    fn place(&self) -> Option<Place<'_>> {
        Some(self.field.memory.place(false))
    }

    #[inline]
    fn access(&self) -> OffsetAccess<'_, T, D, L> {
        // SAFETY: `origin` sees to it that no position overflows.
        unsafe { OffsetAccess::new(self.field.access(), self.origin()) }
    }

    #[inline]
    fn launch_arg(&self) -> LaunchArg<'_> {
        self.field.arg().behind(&self.origin())
    }
}

// SAFETY: as above, and after `prepare` no other field has the memory.
unsafe impl<T: Element, const D: usize, L: FieldLayout> ArgumentMut<OffsetField<T, D>> for OffsetField<T, D, L> {
    #[inline]
    fn prepare(&mut self) -> Result<()> {
        self.field.prepare()
    }

    #[inline]
    fn access_mut(&mut self) -> OffsetAccess<'_, T, D, L> {
        Argument::access(&*self)
    }

    #[inline]
    fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
        Argument::launch_arg(&*self)
    }
}
