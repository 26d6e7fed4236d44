//! Boxes of a block: cut out, read and written.

use swathe::{Element, Field, FieldLayout, FieldView, FieldViewMut, Layout, OffsetField};

use crate::bytes::Plain;
use crate::error::Result;
use crate::grid::region::Region;

/// The part of a view at a box of positions from 0.
pub(crate) fn cut<T: Element, const D: usize, L: Layout>(
    mut view: FieldView<'_, T, D, L>,
    start: [usize; D],
    shape: [usize; D],
) -> swathe::Result<FieldView<'_, T, D, L>> {
    for axis in 0..D {
        view = view.split_at(axis, start[axis])?.1.split_at(axis, shape[axis])?.0;
    }
    Ok(view)
}

/// The same, to write.
pub(crate) fn cut_mut<T: Element, const D: usize, L: Layout>(
    mut view: FieldViewMut<'_, T, D, L>,
    start: [usize; D],
    shape: [usize; D],
) -> swathe::Result<FieldViewMut<'_, T, D, L>> {
    for axis in 0..D {
        view = view.split_at(axis, start[axis])?.1.split_at(axis, shape[axis])?.0;
    }
    Ok(view)
}

/// How far a box is behind the first element of a block.
pub(crate) fn behind<const D: usize>(origin: [isize; D], region: &Region<D>) -> [usize; D] {
    std::array::from_fn(|k| usize::try_from(region.start[k] - origin[k]).unwrap_or(usize::MAX))
}

/// The elements of a box of a block.
pub(crate) fn part<'a, T: Element, const D: usize, L: FieldLayout>(
    block: &'a OffsetField<T, D, L>,
    region: &Region<D>,
) -> Result<FieldView<'a, T, D, L::Part>> {
    let start = behind(block.origin(), region);
    Ok(cut(block.field().view(), start, region.shape())?)
}

/// The same, to write.
pub(crate) fn part_mut<'a, T: Element, const D: usize, L: FieldLayout>(
    block: &'a mut OffsetField<T, D, L>,
    region: &Region<D>,
) -> Result<FieldViewMut<'a, T, D, L::Part>> {
    let start = behind(block.origin(), region);
    Ok(cut_mut(block.field_mut().view_mut()?, start, region.shape())?)
}

/// Appends the elements of a box.
pub(crate) fn pack<T: Element, const D: usize, L: FieldLayout>(
    block: &OffsetField<T, D, L>,
    region: &Region<D>,
    plain: &Plain,
    to: &mut Vec<u8>,
) -> Result<()> {
    plain.pack(&part(block, region)?.to_vec()?, to);
    Ok(())
}

/// Sets the elements of a box, in row-major order.
pub(crate) fn put<T: Element, const D: usize, L: FieldLayout>(
    block: &mut OffsetField<T, D, L>,
    region: &Region<D>,
    values: Vec<T>,
) -> Result<()> {
    let values = Field::<T>::from_vec(block.device(), values)?.into_shape(region.shape())?;
    part_mut(block, region)?.copy_from(&values.view())?;
    Ok(())
}
