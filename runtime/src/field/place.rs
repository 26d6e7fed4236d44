//! Equal parts of a field's elements: the elements themselves, or one member of each.

use super::external::Axes;
use super::memory::Memory;
use super::strided;
use crate::error::{Error, Result};

/// Where the parts lie.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'a> {
    /// The field's shape.
    pub shape: &'a [usize],
    /// Size of an element in bytes.
    pub element: usize,
    /// Offset of the part in the element.
    pub offset: usize,
    /// Size of the part.
    pub size: usize,
}

impl Place<'_> {
    /// Shape of an array of the parts' scalars.
    pub fn array_shape(&self, axes: &Axes) -> Vec<usize> {
        [self.shape, axes.lengths()].concat()
    }

    /// # Errors
    /// If an array of shape `got` does not hold the scalars of the parts.
    pub fn check(&self, axes: &Axes, got: &[usize], what: &str) -> Result<()> {
        let expected = self.array_shape(axes);
        if expected != got {
            Err(Error::shape(what, expected, got))
        } else {
            Ok(())
        }
    }

    /// Size of a scalar, if the parts have some.
    fn scalar(&self, axes: &Axes) -> usize {
        self.size / axes.lengths().iter().product::<usize>().max(1)
    }

    fn strides(&self, extent: &[usize], axes: &Axes) -> Vec<isize> {
        let mut strides = strided::row_major(extent, self.element);
        strides.extend(strided::row_major(axes.lengths(), self.scalar(axes)));
        strides
    }

    /// Number of elements.
    fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether an array with these strides, in scalars, is laid out as the field is.
    fn is_same(&self, axes: &Axes, strides: &[isize]) -> bool {
        let shape = self.array_shape(axes);
        let dense = strided::row_major(&shape, 1);
        self.size == self.element && (0..shape.len()).all(|k| shape[k] == 1 || dense[k] == strides[k])
    }

    /// Copies an array of the scalars into the parts; strides are in scalars.
    ///
    /// # Safety
    /// The place is one of the memory, its parts consist of scalars as `axes` says, and the array is valid for all
    /// positions of [`Place::array_shape`].
    pub unsafe fn import(&self, memory: &mut Memory, axes: &Axes, from: *const u8, strides: &[isize]) -> Result<()> {
        let scalar = self.scalar(axes);
        if scalar == 0 || self.len() == 0 {
            return Ok(());
        }
        if self.is_same(axes, strides) {
            // SAFETY: by the caller's word both have these bytes.
            return unsafe { memory.upload(0, from, self.len() * self.element) };
        }
        let strides: Vec<isize> = strides.iter().map(|s| s * scalar as isize).collect();
        let dense = strided::row_major(self.shape, self.element);
        strided::blocks(self.shape, memory.block() / self.element, |start, extent| {
            let begin = dot(start, &dense) as usize;
            let end = begin + extent.iter().product::<usize>() * self.element;
            let from = from.wrapping_offset(dot(start, &strides));
            let to_strides = self.strides(extent, axes);
            let shape = [extent, axes.lengths()].concat();
            // SAFETY: the block lies inside the memory, the part inside its element.
            unsafe {
                memory.edit(begin..end, self.size != self.element, |at| {
                    strided::copy(scalar, &shape, (at.add(self.offset), &to_strides), (from, &strides));
                })
            }
        })
    }

    /// Copies the parts into an array of the scalars; strides are in scalars.
    ///
    /// # Safety
    /// As for `import`, where the array may be written, at positions that are distinct.
    pub unsafe fn export(&self, memory: &Memory, axes: &Axes, to: *mut u8, strides: &[isize]) -> Result<()> {
        let scalar = self.scalar(axes);
        if scalar == 0 || self.len() == 0 {
            return Ok(());
        }
        if self.is_same(axes, strides) {
            // SAFETY: by the caller's word both have these bytes.
            return unsafe { memory.download(to, 0, self.len() * self.element) };
        }
        let strides: Vec<isize> = strides.iter().map(|s| s * scalar as isize).collect();
        let dense = strided::row_major(self.shape, self.element);
        strided::blocks(self.shape, memory.block() / self.element, |start, extent| {
            let begin = dot(start, &dense) as usize;
            let end = begin + extent.iter().product::<usize>() * self.element;
            let to = to.wrapping_offset(dot(start, &strides));
            let from_strides = self.strides(extent, axes);
            let shape = [extent, axes.lengths()].concat();
            // SAFETY: the block lies inside the memory, the part inside its element.
            unsafe {
                memory.view(begin..end, |at| {
                    strided::copy(scalar, &shape, (to, &strides), (at.add(self.offset), &from_strides));
                })
            }
        })
    }

    /// Writes copies of the part at `value`.
    ///
    /// # Safety
    /// The place is one of the memory, and `value` is valid for the part's size.
    pub unsafe fn fill(&self, memory: &mut Memory, value: *const u8) -> Result<()> {
        let len = self.len();
        if self.size == 0 || len == 0 {
            return Ok(());
        }
        let block = (memory.block() / self.element).clamp(1, len);
        for start in (0..len).step_by(block) {
            let end = len.min(start.saturating_add(block));
            // SAFETY: the block lies inside the memory, the part inside its element.
            unsafe {
                memory.edit(start * self.element..end * self.element, true, |at| {
                    for k in 0..end - start {
                        let to = at.add(k * self.element + self.offset);
                        std::ptr::copy_nonoverlapping(value, to, self.size);
                    }
                })?;
            }
        }
        Ok(())
    }
}

pub(super) fn dot(position: &[usize], strides: &[isize]) -> isize {
    position.iter().zip(strides).map(|(i, s)| *i as isize * s).sum()
}
