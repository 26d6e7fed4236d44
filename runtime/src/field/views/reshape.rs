//! The same elements in another shape, without a copy.

use crate::access::layout::{FieldLayout, Layout, Steps};
use crate::access::{MAX_RANK, Position};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::field::{Field, bytes_of};

impl<'a, const D: usize> Region<'a, D> {
    pub(super) fn with_axes<const E: usize>(self, shape: [usize; E], strides: [isize; E]) -> Region<'a, E> {
        Region {
            memory: self.memory,
            at: self.at,
            shape,
            steps: Steps {
                strides,
                pitch: self.steps.pitch,
                origin: self.steps.origin,
            },
            planar: self.planar,
            exclusive: self.exclusive,
        }
    }

    /// # Errors
    /// [`Error::Shape`], [`Error::SizeOverflow`], [`Error::Strides`].
    fn reshape<const E: usize>(
        self,
        shape: [usize; E],
        size: usize,
        what: impl Fn() -> String,
    ) -> Result<Region<'a, E>> {
        counted(&shape, size.min(1), size)?;
        check_len(self.len(), &shape, &what)?;
        let strides = strides_in(&self.shape, &self.steps.strides, shape).ok_or_else(|| Error::Strides {
            what: what(),
            strides: self.steps.strides.to_vec(),
            reason: format!("{shape:?} would need a copy, `try_clone`"),
        })?;
        Ok(self.with_axes(shape, strides))
    }

    /// # Errors
    /// [`Error::Shape`], [`Error::SizeOverflow`].
    fn broadcast<const E: usize>(
        self,
        shape: [usize; E],
        size: usize,
        what: impl Fn() -> String,
    ) -> Result<Region<'a, E>> {
        let mut strides = [0; E];
        let joined = (0..D).all(|back| match (E.checked_sub(back + 1), D - 1 - back) {
            (Some(new), old) if self.shape[old] == shape[new] => {
                strides[new] = self.steps.strides[old];
                true
            }
            (Some(_), old) => self.shape[old] == 1,
            (None, _) => false,
        });
        // As of any shape, an axis of length 0 does not excuse the others.
        counted(&shape, 1, size)?;
        if !joined {
            let axes = self.shape.iter().map(|length| match length {
                1 => "_".to_owned(),
                length => length.to_string(),
            });
            let expected: Vec<String> = std::iter::once("..".to_owned()).chain(axes).collect();
            return Err(Error::Shape {
                what: what(),
                expected: format!("[{}]", expected.join(", ")),
                got: shape.to_vec(),
            });
        }
        Ok(self.with_axes(shape, strides))
    }

    /// # Errors
    /// [`Error::Slice`].
    fn invert(mut self, axis: usize) -> Result<Self> {
        let length = self.length(axis)?;
        self.shift(axis, length.saturating_sub(1));
        self.steps.strides[axis] = self.steps.strides[axis].wrapping_neg();
        Ok(self)
    }
}

impl<'a, T: Element, const D: usize, L: Layout> FieldView<'a, T, D, L> {
    /// The same elements, in row-major order, in another shape of as many, without a copy.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<i32, 2>::from_fn(&Device::cpu(), [2, 6], |[i, j]| (6 * i + j) as i32)?;
    /// let blocks = u.view().reshape([2, 3, 2])?;
    /// assert_eq!(blocks.get([1, 2, 0])?, 10);
    /// // The transpose does not follow itself in memory.
    /// assert!(u.t().reshape([12]).is_err());
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if that has another number of elements, [`Error::SizeOverflow`] if these are more than can be counted, [`Error::Strides`] if the elements do not follow one another as it needs.
    pub fn reshape<const E: usize>(self, shape: impl Position<E>) -> Result<FieldView<'a, T, E, L>> {
        let region = self.region.reshape(shape.axes(), size_of::<T>(), || {
            format!("reshaping {}", self.describe())
        })?;
        // SAFETY: the same elements.
        Ok(unsafe { FieldView::new(region) })
    }

    /// The same elements as a list, in row-major order, without a copy.
    ///
    /// # Errors
    /// [`Error::Strides`] if they do not follow one another at one distance.
    pub fn flatten(self) -> Result<FieldView<'a, T, 1, L>> {
        self.reshape(self.len())
    }

    /// The elements repeated along new axes, which come first, and along those of length 1, without a copy.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let row = Field::<i32>::from_slice(&Device::cpu(), &[1, 2, 3])?;
    /// let rows = row.view().broadcast([4, 3])?;
    /// assert_eq!((rows.len(), rows.get([3, 1])?), (12, 2));
    /// assert_eq!(
    ///     rows.broadcast([5, 3]).unwrap_err().to_string(),
    ///     "broadcasting FieldView<i32, 2> { shape: [4, 3], device: cpu }: expected shape [.., 4, 3], got [5, 3]"
    /// );
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`], and [`Error::SizeOverflow`] if these are more than can be counted.
    pub fn broadcast<const E: usize>(self, shape: impl Position<E>) -> Result<FieldView<'a, T, E, L>> {
        let region = self.region.broadcast(shape.axes(), size_of::<T>(), || {
            format!("broadcasting {}", self.describe())
        })?;
        // SAFETY: elements of this one; a view to read may have one at several positions.
        Ok(unsafe { FieldView::new(region) })
    }

    /// As [`FieldView::broadcast`], to a shape that it is known to be repeated in.
    ///
    /// # Safety
    /// `broadcast` would succeed.
    #[inline]
    pub(crate) unsafe fn repeated<const E: usize>(self, shape: [usize; E]) -> FieldView<'a, T, E, L> {
        let mut strides = [0; E];
        for back in 1..=D.min(E) {
            if self.region.shape[D - back] == shape[E - back] {
                strides[E - back] = self.region.steps.strides[D - back];
            }
        }
        // SAFETY: by the caller's word, as for `broadcast`.
        unsafe { FieldView::new(self.region.with_axes(shape, strides)) }
    }

    /// The same elements with the positions of an axis in reverse order.
    ///
    /// # Errors
    /// [`Error::Slice`] if there is no such axis.
    pub fn invert_axis(self, axis: usize) -> Result<Self> {
        // SAFETY: the same elements.
        Ok(unsafe { FieldView::new(self.region.invert(axis)?) })
    }
}

impl<'a, T: Element, const D: usize, L: Layout> FieldViewMut<'a, T, D, L> {
    /// As [`FieldView::reshape`].
    ///
    /// # Errors
    /// As there.
    pub fn reshape<const E: usize>(self, shape: impl Position<E>) -> Result<FieldViewMut<'a, T, E, L>> {
        let region = self.region.reshape(shape.axes(), size_of::<T>(), || {
            format!("reshaping {}", self.describe())
        })?;
        // SAFETY: the same elements, of a view that is consumed.
        Ok(unsafe { FieldViewMut::new(region) })
    }

    /// As [`FieldView::flatten`].
    ///
    /// # Errors
    /// As there.
    pub fn flatten(self) -> Result<FieldViewMut<'a, T, 1, L>> {
        let len = self.len();
        self.reshape(len)
    }

    /// As [`FieldView::invert_axis`].
    ///
    /// # Errors
    /// As there.
    pub fn invert_axis(self, axis: usize) -> Result<Self> {
        // SAFETY: the same elements, of a view that is consumed.
        Ok(unsafe { FieldViewMut::new(self.region.invert(axis)?) })
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The same field in another shape of as many elements. Nothing is moved.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<f32>::from_slice(&Device::cpu(), &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])?.into_shape([2, 3])?;
    /// assert_eq!(u.get([1, 0])?, 4.0);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`] if that has another number of elements, [`Error::SizeOverflow`] if memory has not so many.
    pub fn into_shape<const E: usize>(self, shape: impl Position<E>) -> Result<Field<T, E, L>> {
        const { assert!(E <= MAX_RANK, "a field has at most 6 axes") };
        let shape = shape.axes();
        bytes_of(&shape, size_of::<T>())?;
        check_len(self.len(), &shape, &|| format!("reshaping {}", self.describe()))?;
        Ok(self.with_shape(shape))
    }

    /// The elements in another shape of as many: see [`FieldView::reshape`].
    ///
    /// # Errors
    /// [`Error::Shape`].
    pub fn reshape<const E: usize>(&self, shape: impl Position<E>) -> Result<FieldView<'_, T, E, L::Part>> {
        self.view().reshape(shape)
    }

    /// As [`Field::reshape`], to write.
    ///
    /// # Errors
    /// As there, and those of [`Field::view_mut`].
    pub fn reshape_mut<const E: usize>(&mut self, shape: impl Position<E>) -> Result<FieldViewMut<'_, T, E, L::Part>> {
        self.view_mut()?.reshape(shape)
    }

    /// The elements repeated along new axes and those of length 1: see [`FieldView::broadcast`].
    ///
    /// # Errors
    /// [`Error::Shape`], and [`Error::SizeOverflow`] if these are more than can be counted.
    pub fn broadcast<const E: usize>(&self, shape: impl Position<E>) -> Result<FieldView<'_, T, E, L::Part>> {
        self.view().broadcast(shape)
    }

    /// Size of the elements in bytes, without what lies between planes.
    #[must_use]
    pub fn nbytes(&self) -> usize {
        self.len() * size_of::<T>()
    }
}

/// # Errors
/// [`Error::SizeOverflow`] if a shape has more elements than there could be of another size: a view may have one at several positions.
fn counted(shape: &[usize], as_if: usize, size: usize) -> Result<()> {
    match bytes_of(shape, as_if) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::SizeOverflow {
            shape: shape.to_vec(),
            element_size: size,
        }),
    }
}

/// # Errors
/// [`Error::Shape`] if that is no shape of so many elements.
fn check_len(len: usize, shape: &[usize], what: &impl Fn() -> String) -> Result<()> {
    let same = shape.iter().product::<usize>() == len;
    same.then_some(()).ok_or_else(|| Error::Shape {
        what: what(),
        expected: format!("of {len} elements"),
        got: shape.to_vec(),
    })
}

/// Strides of the same elements, in row-major order, in another shape of as many; `None` if there are none.
///
/// Axes of both shapes are joined into groups of as many elements. Within a group the old axes have to follow one another.
fn strides_in<const E: usize>(old: &[usize], old_strides: &[isize], new: [usize; E]) -> Option<[isize; E]> {
    let mut strides = [0; E];
    if old.contains(&0) {
        return Some(strides);
    }
    let axes = old.iter().copied().zip(old_strides.iter().copied());
    let mut axes = axes.filter(|(length, _)| *length != 1).rev();
    // From the last axis on: elements of the group that are not yet in a new axis, and the distance of these.
    let (mut left, mut distance) = (1, 0_isize);
    for k in (0..E).rev() {
        if new[k] == 1 {
            continue;
        }
        if left == 1 {
            (left, distance) = axes.next()?;
        }
        strides[k] = distance;
        while left % new[k] != 0 {
            let (length, stride) = axes.next()?;
            if stride != distance.wrapping_mul(left as isize) {
                return None;
            }
            left *= length;
        }
        left /= new[k];
        distance = distance.wrapping_mul(new[k] as isize);
    }
    Some(strides)
}
