//! Imports whose scalars are checked or converted when the program runs.

use std::ptr::NonNull;

use ndarray::{ArrayRef, Dim, Dimension};
use swathe_device_kernels::plan;

use crate::access::layout::FieldLayout;
use crate::device::Device;
use crate::element::dtype::DType;
use crate::element::external::External;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::Init;
use crate::field::exchange::any::{AnyArray, converter};
use crate::field::exchange::array::{field_shape, whole};
use crate::field::exchange::tile::Tile;
use crate::field::members::member::{MemberMut, importing};
use crate::field::members::place::Place;
use crate::field::memory::Memory;
use crate::field::{ArrayScalar, Cast};

impl<T: External, const D: usize, L: FieldLayout> Field<T, D, L>
where
    T::Scalar: ArrayScalar,
{
    /// As [`Field::copy_from_ndarray`], from scalars of any type, each converted as Rust's `as` does: see [`Cast`].
    ///
    /// ```
    /// use ndarray::array;
    /// use swathe::{Device, Field};
    ///
    /// let mut u = Field::<u8, 2>::zeros(&Device::default(), [2, 2])?;
    /// u.copy_from_ndarray_cast(&array![[1.9, -3.0], [300.0, f64::NAN]])?;
    /// assert_eq!(u.to_ndarray()?, array![[1, 0], [255, 0]]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`]; then nothing is written.
    pub fn copy_from_ndarray_cast<S: Cast<T::Scalar>, E: Dimension>(&mut self, array: &ArrayRef<S, E>) -> Result<()> {
        let shape = self.shape;
        let place = whole::<T, L>(&shape);
        place.check(
            &T::AXES,
            array.shape(),
            &format!("copying an array into {}", self.describe()),
        )?;
        // SAFETY: the shapes are equal.
        unsafe { cast::<T, S, E>(self.own()?, &place, array) }
    }

    /// Copies all elements of a field of the same shape, each scalar converted as Rust's `as` does: see [`Cast`]. They pass through the host.
    ///
    /// ```
    /// use swathe::{DVec2, Device, Field, IVec2};
    ///
    /// let u = Field::from_fn(&Device::cpu(), 3, |[i]| DVec2::new(0.5 + i as f64, -1e12))?;
    /// let mut v = Field::<IVec2>::zeros(&Device::cpu(), 3)?;
    /// v.copy_from_cast(&u)?;
    /// assert_eq!(v.get(2)?, IVec2::new(2, i32::MIN));
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`]; then nothing is written.
    pub fn copy_from_cast<S: External<Scalar: Cast<T::Scalar> + ArrayScalar>, K: FieldLayout>(
        &mut self,
        from: &Field<S, D, K>,
    ) -> Result<()>
    where
        Dim<[usize; D]>: Dimension,
    {
        let place = whole::<T, L>(&self.shape);
        let got = whole::<S, K>(from.extents()).array_shape(&S::AXES);
        place.check(
            &T::AXES,
            &got,
            &format!("copying {} into {}", from.describe(), self.describe()),
        )?;
        if self.cast_remote(from)? {
            return Ok(());
        }
        self.copy_from_ndarray_cast(&from.to_ndarray()?)
    }

    /// As [`Field::copy_from_ndarray`], from an array whose type and rank are known when the program runs.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::DType`]; then nothing is written.
    pub fn copy_from_any(&mut self, array: &AnyArray<'_>) -> Result<()> {
        self.check_any(array)?;
        if array.dtype() != T::Scalar::DTYPE {
            return Err(Error::DType {
                what: format!("copying an array into {}", self.describe()),
                expected: T::Scalar::DTYPE,
                got: array.dtype(),
            });
        }
        let shape = self.shape;
        // SAFETY: the array has this shape and these scalars.
        unsafe { whole::<T, L>(&shape).import(self.own()?, &T::AXES, array.as_ptr(), array.strides()) }
    }

    /// As [`Field::copy_from_any`], with scalars of another type converted as Rust's `as` does: see [`Cast`].
    ///
    /// # Errors
    /// [`Error::Shape`], or [`Error::DType`] for complex numbers into a field of real ones; then nothing is written.
    pub fn copy_from_any_cast(&mut self, array: &AnyArray<'_>) -> Result<()> {
        if array.dtype() == T::Scalar::DTYPE {
            return self.copy_from_any(array);
        }
        self.check_any(array)?;
        let tile = converter(array.dtype(), T::Scalar::DTYPE).ok_or_else(|| Error::DType {
            what: format!("converting an array into {}", self.describe()),
            expected: T::Scalar::DTYPE,
            got: array.dtype(),
        })?;
        let source = (array.as_ptr(), array.strides(), array.dtype().size());
        let shape = self.shape;
        // SAFETY: the array has this shape, and the tile takes its scalars.
        unsafe { whole::<T, L>(&shape).import_cast(self.own()?, &T::AXES, source, tile) }
    }

    /// Converts on the device, if it is one that the host does not reach and both fields lie one element after the other.
    fn cast_remote<S: External<Scalar: ArrayScalar>, K: FieldLayout>(&mut self, from: &Field<S, D, K>) -> Result<bool> {
        let (source, target) = (kind(<S::Scalar>::DTYPE), kind(T::Scalar::DTYPE));
        let (Some(source), Some(target)) = (source, target) else {
            return Ok(false);
        };
        if L::PLANAR || K::PLANAR || self.device() != from.device() || self.device().backend().is_host() {
            return Ok(false);
        }
        from.memory.read()?;
        self.memory.write()?;
        self.prepare()?;
        let (Some(to), Some(at)) = (NonNull::new(self.address()), NonNull::new(from.address())) else {
            return Ok(false);
        };
        let count = self.len() * T::AXES.lengths().iter().product::<usize>();
        let address = |at: NonNull<u8>| at.as_ptr().expose_provenance() as u64;
        let launches = plan::cast(address(at), source, address(to), target, count as u64);
        // SAFETY: both fields have so many scalars, and this one is borrowed exclusively.
        unsafe { self.device().backend().run(&launches, &[(to, true), (at, false)])? };
        Ok(true)
    }

    fn check_any(&self, array: &AnyArray<'_>) -> Result<()> {
        let what = format!("copying an array into {}", self.describe());
        whole::<T, L>(&self.shape).check(&T::AXES, array.shape(), &what)
    }
}

impl<T: External, const D: usize> Field<T, D>
where
    T::Scalar: ArrayScalar,
{
    /// As [`Field::from_ndarray`], from an array whose type and rank are known when the program runs.
    ///
    /// # Errors
    /// [`Error::Shape`], [`Error::DType`], [`Error::OutOfMemory`].
    pub fn from_any(device: &Device, array: &AnyArray<'_>) -> Result<Self> {
        if array.dtype() != T::Scalar::DTYPE {
            return Err(Error::DType {
                what: format!("making a Field<{}, {D}> of an array", T::ty()),
                expected: T::Scalar::DTYPE,
                got: array.dtype(),
            });
        }
        let shape = field_shape::<T, D>(array.shape())?;
        let mut field = Self::alloc(device, shape, Init::Uninit)?;
        field.copy_from_any(array)?;
        Ok(field)
    }
}

impl<M: External, const D: usize, L: FieldLayout> MemberMut<'_, M, D, L>
where
    M::Scalar: ArrayScalar,
{
    /// As [`Field::copy_from_ndarray_cast`].
    ///
    /// # Errors
    /// As there.
    pub fn copy_from_ndarray_cast<S: Cast<M::Scalar>, E: Dimension>(&mut self, array: &ArrayRef<S, E>) -> Result<()> {
        let (memory, place) = self.split()?;
        place.check(&M::AXES, array.shape(), &importing::<M>(place.shape))?;
        // SAFETY: the shapes are equal.
        unsafe { cast::<M, S, E>(memory, &place, array) }
    }
}

/// The scalar as kernels of the runtime's own know it.
fn kind(dtype: DType) -> Option<plan::Scalar> {
    plan::Scalar::ALL
        .into_iter()
        .find(|scalar| scalar.name() == dtype.name())
}

/// # Safety
/// The place is one of the memory, with parts of type `T`, and the array has its shape.
unsafe fn cast<T: External, S: Cast<T::Scalar>, E: Dimension>(
    memory: &mut Memory,
    place: &Place<'_>,
    array: &ArrayRef<S, E>,
) -> Result<()>
where
    T::Scalar: ArrayScalar,
{
    if S::DTYPE == T::Scalar::DTYPE {
        // SAFETY: by the caller's word; the scalars are of the same type.
        return unsafe { place.import(memory, &T::AXES, array.as_ptr().cast(), array.strides()) };
    }
    let source = (array.as_ptr().cast(), array.strides(), size_of::<S>());
    // SAFETY: by the caller's word.
    unsafe { place.import_cast(memory, &T::AXES, source, Tile::casting::<S, T::Scalar>()) }
}
