//! Fields made of others: one behind the other along an axis, beside each other on a new axis, with rims.

use crate::access::layout::{FieldLayout, Layout};
use crate::device::Init;
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::{Field, FieldView};
use crate::kernel::rank::{Dim, OneLess, OneMore};

/// A new field of the parts one behind the other along an axis, on the device of the first.
///
/// ```
/// use swathe::{Device, Field, concatenate};
///
/// let device = Device::default();
/// let a = Field::from_fn(&device, [2, 2], |[i, j]| 10 * i as i32 + j as i32)?;
/// let b = Field::full(&device, [2, 1], 7)?;
/// let c = concatenate(1, &[a.view(), b.view(), a.view()])?;
/// assert_eq!(c.shape(), [2, 5]);
/// assert_eq!(c.to_vec()?, [0, 1, 7, 0, 1, 10, 11, 7, 10, 11]);
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// # Errors
/// [`Error::Slice`] without such an axis, or without parts; [`Error::Shape`] if the parts differ on another axis; those of memory.
pub fn concatenate<T: Element, const D: usize, L: Layout>(
    axis: usize,
    parts: &[FieldView<'_, T, D, L>],
) -> Result<Field<T, D>> {
    let first = parts.first().ok_or_else(|| nothing("concatenate"))?;
    let mut shape = first.shape();
    if axis >= D {
        return Err(no_axis(axis, &shape));
    }
    shape[axis] = 0;
    for part in parts {
        let mut like = first.shape();
        like[axis] = part.shape()[axis];
        if part.shape() != like {
            let what = format!("concatenating {} along axis {axis}", part.describe());
            return Err(Error::shape(what, like, &part.shape()));
        }
        shape[axis] = shape[axis].saturating_add(like[axis]);
    }
    let mut field = Field::alloc(first.device(), shape, Init::Uninit)?;
    let mut rest = field.view_mut()?;
    for part in parts {
        let (mut here, behind) = rest.split_at(axis, part.shape()[axis])?;
        here.copy_from(part)?;
        rest = behind;
    }
    Ok(field)
}

/// A new field of the parts beside each other on a new axis, on the device of the first.
///
/// ```
/// use swathe::{Device, Field, stack};
///
/// let device = Device::default();
/// let (a, b) = (Field::from_slice(&device, &[1, 2, 3])?, Field::from_slice(&device, &[4, 5, 6])?);
/// let rows: Field<i32, 2> = stack(0, &[a.view(), b.view()])?;
/// assert_eq!(rows.to_vec()?, [1, 2, 3, 4, 5, 6]);
/// assert_eq!(stack(1, &[a.view(), b.view()])?.to_vec()?, [1, 4, 2, 5, 3, 6]);
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// # Errors
/// [`Error::Slice`] if the result has no such axis, or without parts; [`Error::Shape`] if the parts differ; those of memory.
pub fn stack<T: Element, const D: usize, const E: usize, L: Layout>(
    axis: usize,
    parts: &[FieldView<'_, T, D, L>],
) -> Result<Field<T, E>>
where
    Dim<D>: OneMore<Out = Dim<E>>,
    Dim<E>: OneLess<Out = Dim<D>>,
{
    let first = parts.first().ok_or_else(|| nothing("stack"))?;
    let old = first.shape();
    let mut shape = [parts.len(); E];
    if axis >= E {
        return Err(no_axis(axis, &old));
    }
    shape[..axis].copy_from_slice(&old[..axis]);
    shape[axis + 1..].copy_from_slice(&old[axis..]);
    if let Some(part) = parts.iter().find(|part| part.shape() != old) {
        return Err(Error::shape(
            format!("stacking {}", part.describe()),
            old,
            &part.shape(),
        ));
    }
    let mut field = Field::alloc(first.device(), shape, Init::Uninit)?;
    for (k, part) in parts.iter().enumerate() {
        field.index_axis_mut(axis, k)?.copy_from(part)?;
    }
    Ok(field)
}

fn nothing(what: &str) -> Error {
    Error::Slice {
        shape: Vec::new(),
        reason: format!("there is nothing to {what}"),
    }
}

fn no_axis(axis: usize, shape: &[usize]) -> Error {
    Error::Slice {
        shape: shape.to_vec(),
        reason: format!("there is no axis {axis}"),
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// A new field with so many elements more before and behind this one on each axis, which are `value`.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let x = Field::from_slice(&Device::default(), &[1, 2, 3])?;
    /// assert_eq!(x.pad([(2, 1)], 0)?.to_vec()?, [0, 0, 1, 2, 3, 0]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::SizeOverflow`], [`Error::OutOfMemory`].
    pub fn pad(&self, rims: [(usize, usize); D], value: T) -> Result<Field<T, D>> {
        let mut shape = self.shape();
        for (length, (before, behind)) in shape.iter_mut().zip(rims) {
            *length = length.saturating_add(before).saturating_add(behind);
        }
        let mut field = Field::full(self.device(), shape, value)?;
        let mut inner = field.view_mut()?;
        for (axis, (before, _)) in rims.into_iter().enumerate() {
            inner = inner.split_at(axis, before)?.1.split_at(axis, self.shape()[axis])?.0;
        }
        inner.copy_from(&self.view())?;
        Ok(field)
    }
}
