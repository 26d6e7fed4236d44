//! Slices, rows and transposes of fields and of their parts.

use ndarray::{Dim, Dimension, SliceArg, SliceInfoElem};

use crate::access::layout::{FieldLayout, Layout, Steps};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::kernel::rank::{self, OneLess, without};

impl<'a, const D: usize> Region<'a, D> {
    /// # Errors
    /// [`Error::Slice`].
    fn slice<const E: usize>(self, elements: &[SliceInfoElem]) -> Result<Region<'a, E>> {
        let (mut shape, mut strides) = ([0; E], [0; E]);
        let (mut from, mut axis, mut new) = (self, 0, 0);
        let fail = |text: String| Error::Slice {
            shape: self.shape.to_vec(),
            reason: text,
        };
        let mut put = |length: usize, stride: isize| {
            if new < E {
                (shape[new], strides[new]) = (length, stride);
            }
            new += 1;
        };
        for element in elements {
            if !matches!(element, SliceInfoElem::NewAxis) && axis == D {
                return Err(fail(format!("it has {D} axes")));
            }
            match *element {
                SliceInfoElem::Slice { start, end, step } => {
                    let (length, stride) = (self.shape[axis], self.steps.strides[axis]);
                    let part =
                        Range::new(length, start, end, step).map_err(|text| fail(format!("axis {axis}: {text}")))?;
                    from.shift(axis, part.first);
                    put(part.length, stride.wrapping_mul(step));
                    axis += 1;
                }
                SliceInfoElem::Index(index) => {
                    let length = self.shape[axis];
                    let index = from_end(length, index)
                        .filter(|index| *index < length)
                        .ok_or_else(|| fail(format!("axis {axis} has length {length}, and no position {index}")))?;
                    from.shift(axis, index);
                    axis += 1;
                }
                SliceInfoElem::NewAxis => put(1, 0),
            }
        }
        if axis != D {
            return Err(fail(format!("it has {D} axes, not {axis}")));
        }
        if new != E {
            return Err(fail(format!("the part has {new} axes, not {E}")));
        }
        Ok(from.with_axes(shape, strides))
    }

    /// # Errors
    /// [`Error::Slice`].
    fn split_at(self, axis: usize, index: usize) -> Result<(Self, Self)> {
        let length = self.length(axis)?;
        if index > length {
            return Err(Error::Slice {
                shape: self.shape.to_vec(),
                reason: format!("axis {axis} has length {length}, and cannot be split at {index}"),
            });
        }
        let (mut first, mut second) = (self, self);
        first.shape[axis] = index;
        second.shape[axis] = length - index;
        // What is empty has no address.
        if index < length {
            second.shift(axis, index);
        }
        Ok((first, second))
    }

    pub(super) fn length(&self, axis: usize) -> Result<usize> {
        self.shape.get(axis).copied().ok_or_else(|| Error::Slice {
            shape: self.shape.to_vec(),
            reason: format!("there is no axis {axis}"),
        })
    }

    /// # Errors
    /// [`Error::Slice`].
    fn index_axis<const E: usize>(mut self, axis: usize, index: usize) -> Result<Region<'a, E>>
    where
        rank::Dim<D>: OneLess<Out = rank::Dim<E>>,
    {
        let length = self.length(axis)?;
        if index >= length {
            return Err(Error::Slice {
                shape: self.shape.to_vec(),
                reason: format!("axis {axis} has length {length}, and no position {index}"),
            });
        }
        self.shift(axis, index);
        Ok(self.with_axes(without(self.shape, axis), without(self.steps.strides, axis)))
    }

    /// # Errors
    /// [`Error::Slice`].
    fn permute(self, axes: [usize; D]) -> Result<Self> {
        let mut sorted = axes;
        sorted.sort_unstable();
        if sorted.iter().enumerate().any(|(k, axis)| k != *axis) {
            return Err(Error::Slice {
                shape: self.shape.to_vec(),
                reason: format!("{axes:?} does not name every axis once"),
            });
        }
        Ok(Region {
            shape: axes.map(|k| self.shape[k]),
            steps: Steps {
                strides: axes.map(|k| self.steps.strides[k]),
                ..self.steps
            },
            ..self
        })
    }

    fn reversed(mut self) -> Self {
        self.shape.reverse();
        self.steps.strides.reverse();
        self
    }
}

/// Positions of an axis that a slice takes.
struct Range {
    first: usize,
    length: usize,
}

impl Range {
    fn new(length: usize, start: isize, end: Option<isize>, step: isize) -> Result<Range, String> {
        let bound = |position: isize| {
            from_end(length, position)
                .filter(|position| *position <= length)
                .ok_or_else(|| format!("its length is {length}, and {position} lies outside"))
        };
        let start = bound(start)?;
        let end = end.map_or(Ok(length), bound)?;
        if step == 0 {
            return Err("the step is 0".to_owned());
        }
        let count = end.saturating_sub(start);
        let taken = count.div_ceil(step.unsigned_abs());
        // A negative step counts from the end.
        let first = if step < 0 && count > 0 { end - 1 } else { start };
        Ok(Range {
            // What is empty has no address.
            first: if taken == 0 { 0 } else { first },
            length: taken,
        })
    }
}

/// A position, counted from the end if it is negative.
fn from_end(length: usize, position: isize) -> Option<usize> {
    if position < 0 {
        length.checked_sub(position.unsigned_abs())
    } else {
        usize::try_from(position).ok()
    }
}

/// A slice of `D` axes that leaves `E`: what the macro [`ndarray::s!`] makes.
macro_rules! slice {
    () => {
        impl SliceArg<Dim<[usize; D]>, OutDim = Dim<[usize; E]>>
    };
}

impl<'a, T: Element, const D: usize, L: Layout> FieldView<'a, T, D, L> {
    /// A part with every axis cut, or removed by an index, as [`ndarray::s!`] says: `s![1.., ..;-2, 3]`.
    ///
    /// # Errors
    /// [`Error::Slice`] if it is not inside.
    pub fn slice<const E: usize>(self, info: slice!()) -> Result<FieldView<'a, T, E, L>>
    where
        Dim<[usize; D]>: Dimension,
    {
        // SAFETY: a part of this one.
        Ok(unsafe { FieldView::new(self.region.slice(info.as_ref())?) })
    }

    /// The part at one position of an axis, without the axis.
    ///
    /// # Errors
    /// [`Error::Slice`].
    pub fn index_axis<const E: usize>(self, axis: usize, index: usize) -> Result<FieldView<'a, T, E, L>>
    where
        rank::Dim<D>: OneLess<Out = rank::Dim<E>>,
    {
        // SAFETY: a part of this one.
        Ok(unsafe { FieldView::new(self.region.index_axis(axis, index)?) })
    }

    /// The parts before and from a position of an axis.
    ///
    /// # Errors
    /// [`Error::Slice`].
    pub fn split_at(self, axis: usize, index: usize) -> Result<(Self, Self)> {
        let (first, second) = self.region.split_at(axis, index)?;
        // SAFETY: parts of this one.
        Ok(unsafe { (FieldView::new(first), FieldView::new(second)) })
    }

    /// The same elements, where axis `k` is the axis `axes[k]` of this part.
    ///
    /// # Errors
    /// [`Error::Slice`] if an axis is missing.
    pub fn permuted_axes(self, axes: [usize; D]) -> Result<Self> {
        // SAFETY: the same elements.
        Ok(unsafe { FieldView::new(self.region.permute(axes)?) })
    }

    /// The same elements with the axes in reverse order: the transpose.
    #[must_use]
    pub fn t(self) -> Self {
        // SAFETY: the same elements.
        unsafe { FieldView::new(self.region.reversed()) }
    }
}

impl<'a, T: Element, const D: usize, L: Layout> FieldViewMut<'a, T, D, L> {
    /// As [`FieldView::slice`], for as long as this view lasts.
    ///
    /// # Errors
    /// As there.
    pub fn slice_move<const E: usize>(self, info: slice!()) -> Result<FieldViewMut<'a, T, E, L>>
    where
        Dim<[usize; D]>: Dimension,
    {
        // SAFETY: a part of this one, which is consumed.
        Ok(unsafe { FieldViewMut::new(self.region.slice(info.as_ref())?) })
    }

    /// As [`FieldView::slice`], to write.
    ///
    /// # Errors
    /// As there.
    pub fn slice_mut<const E: usize>(&mut self, info: slice!()) -> Result<FieldViewMut<'_, T, E, L>>
    where
        Dim<[usize; D]>: Dimension,
    {
        self.view_mut().slice_move(info)
    }

    /// As [`FieldView::index_axis`], for as long as this view lasts.
    ///
    /// # Errors
    /// As there.
    pub fn index_axis_move<const E: usize>(self, axis: usize, index: usize) -> Result<FieldViewMut<'a, T, E, L>>
    where
        rank::Dim<D>: OneLess<Out = rank::Dim<E>>,
    {
        // SAFETY: a part of this one, which is consumed.
        Ok(unsafe { FieldViewMut::new(self.region.index_axis(axis, index)?) })
    }

    /// As [`FieldView::index_axis`], to write.
    ///
    /// # Errors
    /// As there.
    pub fn index_axis_mut<const E: usize>(&mut self, axis: usize, index: usize) -> Result<FieldViewMut<'_, T, E, L>>
    where
        rank::Dim<D>: OneLess<Out = rank::Dim<E>>,
    {
        self.view_mut().index_axis_move(axis, index)
    }

    /// The parts before and from a position of an axis, to write at the same time.
    ///
    /// # Errors
    /// [`Error::Slice`].
    pub fn split_at(self, axis: usize, index: usize) -> Result<(Self, Self)> {
        let (first, second) = self.region.split_at(axis, index)?;
        // SAFETY: parts of this one, which is consumed, without an element in common.
        Ok(unsafe { (FieldViewMut::new(first), FieldViewMut::new(second)) })
    }

    /// As [`FieldView::permuted_axes`].
    ///
    /// # Errors
    /// As there.
    pub fn permuted_axes(self, axes: [usize; D]) -> Result<Self> {
        // SAFETY: the same elements.
        Ok(unsafe { FieldViewMut::new(self.region.permute(axes)?) })
    }

    /// As [`FieldView::t`].
    #[must_use]
    pub fn t(self) -> Self {
        // SAFETY: the same elements.
        unsafe { FieldViewMut::new(self.region.reversed()) }
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// A part, as [`ndarray::s!`] says: see [`FieldView::slice`].
    ///
    /// ```
    /// use ndarray::{array, s};
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<i32, 2>::from_ndarray(&Device::cpu(), &array![[0, 1, 2, 3], [10, 11, 12, 13]])?;
    /// assert_eq!(u.slice(s![1, ..;-2])?.to_ndarray()?, array![13, 11]);
    /// assert_eq!(
    ///     u.slice(s![.., 5..]).unwrap_err().to_string(),
    ///     "slicing shape [2, 4]: axis 1: its length is 4, and 5 lies outside"
    /// );
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Slice`] if it is not inside.
    pub fn slice<const E: usize>(&self, info: slice!()) -> Result<FieldView<'_, T, E, L::Part>>
    where
        Dim<[usize; D]>: Dimension,
    {
        self.view().slice(info)
    }

    /// As [`Field::slice`], to write.
    ///
    /// # Errors
    /// As there.
    pub fn slice_mut<const E: usize>(&mut self, info: slice!()) -> Result<FieldViewMut<'_, T, E, L::Part>>
    where
        Dim<[usize; D]>: Dimension,
    {
        self.view_mut()?.slice_move(info)
    }

    /// The part at one position of an axis: `u.index_axis(0, i)` is row `i`.
    ///
    /// # Errors
    /// [`Error::Slice`].
    pub fn index_axis<const E: usize>(&self, axis: usize, index: usize) -> Result<FieldView<'_, T, E, L::Part>>
    where
        rank::Dim<D>: OneLess<Out = rank::Dim<E>>,
    {
        self.view().index_axis(axis, index)
    }

    /// As [`Field::index_axis`], to write.
    ///
    /// # Errors
    /// As there.
    pub fn index_axis_mut<const E: usize>(
        &mut self,
        axis: usize,
        index: usize,
    ) -> Result<FieldViewMut<'_, T, E, L::Part>>
    where
        rank::Dim<D>: OneLess<Out = rank::Dim<E>>,
    {
        self.view_mut()?.index_axis_move(axis, index)
    }

    /// The parts before and from a position of an axis.
    ///
    /// # Errors
    /// [`Error::Slice`].
    #[allow(clippy::type_complexity)]
    pub fn split_at(
        &self,
        axis: usize,
        index: usize,
    ) -> Result<(FieldView<'_, T, D, L::Part>, FieldView<'_, T, D, L::Part>)> {
        self.view().split_at(axis, index)
    }

    /// The parts before and from a position of an axis: one kernel may write both, or read the one and write the other.
    ///
    /// # Errors
    /// [`Error::Slice`].
    #[allow(clippy::type_complexity)]
    pub fn split_at_mut(
        &mut self,
        axis: usize,
        index: usize,
    ) -> Result<(FieldViewMut<'_, T, D, L::Part>, FieldViewMut<'_, T, D, L::Part>)> {
        self.view_mut()?.split_at(axis, index)
    }

    /// The same elements, where axis `k` is the axis `axes[k]` of the field.
    ///
    /// # Errors
    /// [`Error::Slice`] if an axis is missing.
    pub fn permuted_axes(&self, axes: [usize; D]) -> Result<FieldView<'_, T, D, L::Part>> {
        self.view().permuted_axes(axes)
    }

    /// The transpose: the axes in reverse order.
    #[must_use]
    pub fn t(&self) -> FieldView<'_, T, D, L::Part> {
        self.view().t()
    }
}
