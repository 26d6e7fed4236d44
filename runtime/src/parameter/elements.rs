//! Arrays of scalars as arrays of vectors and matrices.

use ndarray::{
    ArrayRef, ArrayView, ArrayViewMut, Axis, Dimension, IxDyn, RawArrayView, RawArrayViewMut, ShapeBuilder, StrideShape,
};

use crate::element::external::External;
use crate::error::{Error, Result};

/// An array of scalars seen as one of vectors, matrices or arrays of them: the last axes become the elements.
///
/// ```
/// use ndarray::{Array1, array};
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn lengths(x: &Array1<Vec3>, out: &mut Array1<f32>) {
///     for i in out.indices() {
///         out[i] = x[i].length();
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let points = array![[3.0, 4.0, 0.0], [0.0, 0.0, 2.0]];
/// let mut out = Array1::zeros(2);
/// lengths(&swathe::elements::<Vec3, _>(&points)?, &mut out)?;
/// assert_eq!(out, array![5.0, 2.0]);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// [`Error::Shape`] if the last axes are not those of the element, [`Error::Strides`] if they are not contiguous, or if the
/// elements do not lie at whole multiples of their size from one another.
pub fn elements<T: External, E: Dimension>(array: &ArrayRef<T::Scalar, E>) -> Result<ArrayView<'_, T, T::Rest<E>>> {
    let blocks = blocks::<T>(array.shape(), array.strides())?;
    // SAFETY: as `Blocks` says; its elements are blocks of scalars of the array, which is borrowed.
    let mut view = unsafe {
        RawArrayView::from_shape_ptr(blocks.shape, array.as_ptr().cast::<T>().wrapping_offset(blocks.lowest))
    };
    blocks.inverted.iter().for_each(|axis| view.invert_axis(*axis));
    // SAFETY: as above.
    let view = unsafe { view.deref_into_view() };
    view.into_dimensionality().map_err(|_| other_axes::<T>(array.shape()))
}

/// As [`elements`], to write.
///
/// # Errors
/// As there.
pub fn elements_mut<T: External, E: Dimension>(
    array: &mut ArrayRef<T::Scalar, E>,
) -> Result<ArrayViewMut<'_, T, T::Rest<E>>> {
    let blocks = blocks::<T>(array.shape(), array.strides())?;
    let at = array.as_mut_ptr().cast::<T>().wrapping_offset(blocks.lowest);
    // SAFETY: as `Blocks` says; its elements are blocks of scalars of the array, which is borrowed exclusively; distinct positions are
    // distinct blocks.
    let mut view = unsafe { RawArrayViewMut::from_shape_ptr(blocks.shape, at) };
    blocks.inverted.iter().for_each(|axis| view.invert_axis(*axis));
    // SAFETY: as above.
    let view = unsafe { view.deref_into_view_mut() };
    view.into_dimensionality().map_err(|_| other_axes::<T>(array.shape()))
}

/// Elements in an array of scalars.
struct Blocks {
    /// With strides that are not negative. The elements are as aligned as the scalars, of which they consist.
    shape: StrideShape<IxDyn>,
    /// How many elements the lowest one is behind the first.
    lowest: isize,
    /// Axes that run downwards.
    inverted: Vec<Axis>,
}

fn blocks<T: External>(shape: &[usize], strides: &[isize]) -> Result<Blocks> {
    let axes = T::AXES;
    let block = axes.lengths();
    let what = || format!("taking an array for one of {}", T::ty());
    let rest = shape
        .len()
        .checked_sub(block.len())
        .filter(|rest| shape[*rest..] == *block);
    let Some(rest) = rest else {
        let numbers: Vec<String> = block.iter().map(usize::to_string).collect();
        return Err(Error::Shape {
            what: what(),
            expected: format!("[.., {}]", numbers.join(", ")),
            got: shape.to_vec(),
        });
    };
    let fail = |reason: String| Error::Strides {
        what: what(),
        strides: strides.to_vec(),
        reason,
    };
    let empty = shape.contains(&0);
    let mut dense = 1;
    for axis in (rest..shape.len()).rev() {
        if !empty && shape[axis] > 1 && strides[axis] != dense {
            return Err(fail(format!(
                "the stride of axis {axis} has to be {dense}, since elements are contiguous"
            )));
        }
        dense *= shape[axis] as isize;
    }
    let (mut lowest, mut inverted) = (0, Vec::new());
    let mut of_rest = vec![0; rest];
    for axis in 0..rest {
        if empty || shape[axis] < 2 {
            continue;
        }
        if strides[axis] % dense != 0 {
            return Err(fail(format!(
                "the stride of axis {axis} is no multiple of {dense}, the size of an element"
            )));
        }
        let stride = strides[axis] / dense;
        if stride < 0 {
            lowest += stride * (shape[axis] as isize - 1);
            inverted.push(Axis(axis));
        }
        of_rest[axis] = stride.unsigned_abs();
    }
    let of_rest = match empty {
        // Of elements without size, too, whose distances do not matter; ndarray asserts that they differ.
        true => IxDyn(&shape[..rest]).into_shape_with_order().into(),
        false => IxDyn(&shape[..rest]).strides(IxDyn(&of_rest)),
    };
    Ok(Blocks {
        shape: of_rest,
        lowest,
        inverted,
    })
}

fn other_axes<T: External>(got: &[usize]) -> Error {
    let rest = got.len().saturating_sub(T::AXES.lengths().len());
    Error::Shape {
        what: format!("taking an array for one of {}", T::ty()),
        expected: format!("{rest} axes beside those of an element"),
        got: got.to_vec(),
    }
}
