//! The elements of a field of the CPU where they are.

use ndarray::{ArrayView, ArrayViewMut, Dim, Dimension, IntoDimension};

use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;

impl<T: Element, const D: usize> Field<T, D> {
    /// The elements in row-major order, where they are. For fields of the CPU alone: [`Field::to_vec`] copies those of any device.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let mut u = Field::<f32>::from_fn(&Device::cpu(), 4, |[i]| i as f32)?;
    /// u.as_mut_slice()?[1] = 10.0;
    /// assert_eq!(u.as_slice()?.iter().sum::<f32>(), 15.0);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotOnHost`].
    pub fn as_slice(&self) -> Result<&[T]> {
        self.refuse_remote()?;
        self.memory.read()?;
        let at = self.address().cast::<T>();
        // SAFETY: the memory holds the elements of the shape, one after the other, and is written through the field alone, which is
        // borrowed: nothing of the CPU is under way when a call has returned.
        Ok(unsafe { std::slice::from_raw_parts(at, self.len()) })
    }

    /// As [`Field::as_slice`], to write.
    ///
    /// # Errors
    /// As there, and [`Error::OutOfMemory`] if a clone shares the memory: see [`Field::try_clone`].
    pub fn as_mut_slice(&mut self) -> Result<&mut [T]> {
        self.refuse_remote()?;
        self.memory.write()?;
        self.prepare()?;
        let at = self.address().cast::<T>();
        // SAFETY: as above; the memory is this field's alone, which is borrowed exclusively.
        Ok(unsafe { std::slice::from_raw_parts_mut(at, self.len()) })
    }

    /// The elements as an array, where they are: see [`Field::as_slice`].
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let mut u = Field::<f32, 2>::full(&Device::cpu(), [2, 3], 1.0)?;
    /// u.as_ndarray_mut()?.row_mut(1).fill(5.0);
    /// assert_eq!(u.as_ndarray()?.sum(), 18.0);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotOnHost`].
    pub fn as_ndarray(&self) -> Result<ArrayView<'_, T, Dim<[usize; D]>>>
    where
        [usize; D]: IntoDimension<Dim = Dim<[usize; D]>>,
        Dim<[usize; D]>: Dimension,
    {
        let view = ArrayView::from_shape(self.shape(), self.as_slice()?);
        view.map_err(|_| self.no_array())
    }

    /// As [`Field::as_ndarray`], to write.
    ///
    /// # Errors
    /// As there, and those of [`Field::as_mut_slice`].
    pub fn as_ndarray_mut(&mut self) -> Result<ArrayViewMut<'_, T, Dim<[usize; D]>>>
    where
        [usize; D]: IntoDimension<Dim = Dim<[usize; D]>>,
        Dim<[usize; D]>: Dimension,
    {
        let (shape, error) = (self.shape(), self.no_array());
        ArrayViewMut::from_shape(shape, self.as_mut_slice()?).map_err(|_| error)
    }

    fn no_array(&self) -> Error {
        Error::SizeOverflow {
            shape: self.shape().to_vec(),
            element_size: size_of::<T>(),
        }
    }

    fn refuse_remote(&self) -> Result<()> {
        match self.memory.is_host() {
            true => Ok(()),
            false => Err(Error::NotOnHost { what: self.describe() }),
        }
    }
}
