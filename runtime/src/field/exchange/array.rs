//! Fields from and to `ndarray` arrays and slices.

use std::marker::PhantomData;

use ndarray::{Array, ArrayD, ArrayRef, Dim, Dimension, IxDyn};
use swathe_ir::Type;

use crate::access::layout::FieldLayout;
use crate::device::Device;
use crate::element::Element;
use crate::element::external::External;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::Init;
use crate::field::advance;
use crate::field::bytes_of;
use crate::field::cow::CowMemory;
use crate::field::exchange::strided::row_major;
use crate::field::exchange::tile::Tile;
use crate::field::exchange::transfer::Lane;
use crate::field::members::part::{Leaf, leaves};
use crate::field::members::place::{Place, room};
use crate::field::memory::Memory;
use crate::host::{pages, pool};

/// The array that [`Field::to_ndarray`] gives for a field of elements `T` with `D` axes: an [`ndarray::Array2<f32>`] for
/// a `Field<f32, 2>` and for a `Field<Vec3>`.
pub type ArrayOf<T, const D: usize> = Array<<T as External>::Scalar, <T as External>::Dim<Dim<[usize; D]>>>;

impl<T: Element> Field<T> {
    /// A field of the slice's elements.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn from_slice(device: &Device, values: &[T]) -> Result<Self> {
        let mut field = Self::alloc(device, [values.len()], Init::Uninit)?;
        field.copy_from_slice(values)?;
        Ok(field)
    }

    /// A field of the vector's elements.
    ///
    /// On the CPU a long vector is not copied: its memory becomes the field's, and is freed with it. It then begins where the vector's
    /// allocator put it, at a multiple of the element's alignment, where other fields begin at multiples of 64 bytes. Of a vector that
    /// is short, or has room for more than twice its elements, they are copied.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn from_vec(device: &Device, values: Vec<T>) -> Result<Self> {
        let shape = [values.len()];
        match Memory::of_vec(device, values) {
            Ok(memory) => Ok(Field {
                memory: CowMemory::new::<T, crate::access::layout::Aos>(memory),
                shape,
                elements: PhantomData,
            }),
            Err(values) => Self::from_slice(device, &values),
        }
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Sets all elements from a slice, in row-major order.
    ///
    /// # Errors
    /// [`Error::Shape`] if the slice has another length.
    pub fn copy_from_slice(&mut self, values: &[T]) -> Result<()> {
        if values.len() != self.len() {
            let what = format!("copying a slice into {}", self.describe());
            return Err(Error::shape(what, [self.len()], &[values.len()]));
        }
        let shape = self.shape;
        // SAFETY: the slice has as many elements as the memory.
        unsafe { import(self.own()?, whole::<T, L>(&shape), &T::ty(), values.as_ptr().cast()) }
    }

    /// Copies all elements into a slice, in row-major order.
    ///
    /// # Errors
    /// [`Error::Shape`] if the slice has another length.
    pub fn copy_to_slice(&self, values: &mut [T]) -> Result<()> {
        if values.len() != self.len() {
            let what = format!("copying {} into a slice", self.describe());
            return Err(Error::shape(what, [self.len()], &[values.len()]));
        }
        // SAFETY: the slice has as many elements as the memory.
        unsafe {
            export(
                self.memory.read()?,
                whole::<T, L>(&self.shape),
                &T::ty(),
                values.as_mut_ptr().cast(),
            )
        }
    }

    /// All elements with their positions, in row-major order. They are copied to the host before the first one comes.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::from_fn(&Device::cpu(), [2, 2], |[i, j]| 10 * i as u32 + j as u32)?;
    /// let large: Vec<_> = u.indexed_iter()?.filter(|(_, value)| *value > 0).collect();
    /// assert_eq!(large, [([0, 1], 1), ([1, 0], 10), ([1, 1], 11)]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Field::to_vec`].
    pub fn indexed_iter(&self) -> Result<impl ExactSizeIterator<Item = ([usize; D], T)> + use<T, D, L>> {
        let shape = self.shape;
        let mut position = [0; D];
        let with_position = move |element| {
            let at = position;
            advance(&mut position, &shape);
            (at, element)
        };
        Ok(self.to_vec()?.into_iter().map(with_position))
    }

    /// All elements, in row-major order.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] on the host.
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let len = self.len();
        // SAFETY: the function writes `len` elements.
        unsafe {
            collect(len, |at: *mut T| {
                export(self.memory.read()?, whole::<T, L>(&self.shape), &T::ty(), at.cast())
            })
        }
    }
}

impl<T: External, const D: usize> Field<T, D> {
    /// A field of an array's elements. The array may have any strides and any memory order; its axes are those of the
    /// field, then those of the element: `(.., 3)` for a field of `Vec3`.
    ///
    /// # Errors
    /// [`Error::Shape`] if the array's rank, or its last axes, are others; [`Error::OutOfMemory`].
    pub fn from_ndarray<E: Dimension>(device: &Device, array: &ArrayRef<T::Scalar, E>) -> Result<Self> {
        let shape = field_shape::<T, D>(array.shape())?;
        let mut field = Self::alloc(device, shape, Init::Uninit)?;
        field.copy_from_ndarray(array)?;
        Ok(field)
    }
}

impl<T: External, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Sets all elements from an array with any strides, whose axes are those of the field, then those of the element.
    ///
    /// # Errors
    /// [`Error::Shape`]; then nothing is written.
    pub fn copy_from_ndarray<E: Dimension>(&mut self, array: &ArrayRef<T::Scalar, E>) -> Result<()> {
        let shape = self.shape;
        let place = whole::<T, L>(&shape);
        place.check(
            &T::AXES,
            array.shape(),
            &format!("copying an array into {}", self.describe()),
        )?;
        // SAFETY: the shapes are equal, and the array lets us read all its positions.
        unsafe { place.import(self.own()?, &T::AXES, array.as_ptr().cast(), array.strides()) }
    }

    /// All elements as an array in row-major order, whose axes are those of the field, then those of the element.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`] on the host.
    pub fn to_ndarray(&self) -> Result<ArrayOf<T, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        to_ndarray::<T, D>(self.memory.read()?, whole::<T, L>(&self.shape))
    }

    /// Copies all elements into an array with any strides, whose axes are those of the field, then those of the
    /// element.
    ///
    /// # Errors
    /// [`Error::Shape`]; then nothing is written.
    pub fn copy_to_ndarray<E: Dimension>(&self, array: &mut ArrayRef<T::Scalar, E>) -> Result<()> {
        let place = whole::<T, L>(&self.shape);
        place.check(
            &T::AXES,
            array.shape(),
            &format!("copying {} into an array", self.describe()),
        )?;
        let to = array.as_mut_ptr().cast();
        // SAFETY: the shapes are equal, and the array is borrowed exclusively, which ndarray grants only for arrays
        // whose positions are distinct.
        unsafe { place.export(self.memory.read()?, &T::AXES, to, array.strides()) }
    }

    /// Copies all elements to an address on the host; strides are in scalars.
    ///
    /// # Safety
    /// All positions of the scalars' shape may be written there, and are distinct.
    pub(in crate::field) unsafe fn export(&self, to: *mut u8, strides: &[isize]) -> Result<()> {
        // SAFETY: by the caller's word.
        unsafe { whole::<T, L>(&self.shape).export(self.memory.read()?, &T::AXES, to, strides) }
    }
}

/// The shape of a field that an array of shape `got` fills.
pub(in crate::field) fn field_shape<T: External, const D: usize>(got: &[usize]) -> Result<[usize; D]> {
    let axes = T::AXES.lengths().to_vec();
    if got.len() == D + axes.len() && got[D..] == axes {
        return Ok(std::array::from_fn(|k| got[k]));
    }
    let numbers = axes.iter().map(usize::to_string);
    let expected: Vec<String> = std::iter::repeat_n("_".to_owned(), D).chain(numbers).collect();
    Err(Error::Shape {
        what: format!("making a Field<{}, {D}> of an array", T::ty()),
        expected: format!("[{}]", expected.join(", ")),
        got: got.to_vec(),
    })
}

pub(in crate::field) fn whole<T: Element, L: FieldLayout>(shape: &[usize]) -> Place<'_> {
    Place {
        shape,
        element: size_of::<T>(),
        offset: 0,
        size: size_of::<T>(),
        room: room::<L>(shape),
    }
}

/// # Safety
/// As for [`Place::import`], of an array of elements of type `ty` in row-major order.
unsafe fn import(memory: &mut Memory, place: Place<'_>, ty: &Type, from: *const u8) -> Result<()> {
    if place.room.is_none() {
        // SAFETY: by the caller's word.
        return unsafe { memory.upload(0, from, place.bytes()) };
    }
    let leaves = leaves(ty, 0);
    // SAFETY: by the caller's word; the lanes are the scalars of the array's elements.
    unsafe {
        place
            .elements()
            .import(memory, &inside(&place, &leaves, from.cast_mut()), false)
    }
}

/// # Safety
/// As for [`Place::export`], to an array of elements of type `ty` in row-major order.
unsafe fn export(memory: &Memory, place: Place<'_>, ty: &Type, to: *mut u8) -> Result<()> {
    if place.room.is_none() {
        // SAFETY: by the caller's word.
        return unsafe { memory.download(to, 0, place.bytes()) };
    }
    let leaves = leaves(ty, 0);
    // SAFETY: by the caller's word; the lanes are the scalars of the array's elements.
    unsafe { place.elements().export(memory, &inside(&place, &leaves, to)) }
}

/// The scalars of elements that lie one after the other at an address.
fn inside<'a>(place: &Place<'_>, leaves: &'a [Leaf], at: *mut u8) -> Vec<Lane<'a>> {
    let lane = |leaf: &'a Leaf| Lane {
        part: &leaf.part,
        at: at.wrapping_add(leaf.part.offset),
        strides: [row_major(place.shape, place.element), leaf.part.strides.clone()].concat(),
        tile: Tile::copying(leaf.part.scalar),
        same: true,
    };
    leaves.iter().map(lane).collect()
}

/// The array of a place's scalars.
pub(in crate::field) fn to_ndarray<T: External, const D: usize>(
    memory: &Memory,
    place: Place<'_>,
) -> Result<ArrayOf<T, D>>
where
    Dim<[usize; D]>: Dimension,
{
    let shape = place.array_shape(&T::AXES);
    bytes_of(&shape, size_of::<T::Scalar>())?;
    let strides: Vec<isize> = crate::field::exchange::strided::row_major(&shape, 1);
    // SAFETY: the function writes every scalar of the shape.
    let scalars: Vec<T::Scalar> = unsafe {
        collect(shape.iter().product(), |at: *mut T::Scalar| {
            place.export(memory, &T::AXES, at.cast(), &strides)
        })?
    };
    shaped::<T, D>(shape, scalars)
}

/// An array of scalars in row-major order.
pub(in crate::field) fn shaped<T: External, const D: usize>(
    shape: Vec<usize>,
    scalars: Vec<T::Scalar>,
) -> Result<ArrayOf<T, D>>
where
    Dim<[usize; D]>: Dimension,
{
    let element_size = size_of::<T::Scalar>();
    ArrayD::from_shape_vec(IxDyn(&shape), scalars)
        .and_then(ArrayD::into_dimensionality)
        .map_err(|_| Error::SizeOverflow { shape, element_size })
}

/// A vector that a function fills.
///
/// # Safety
/// If the function succeeds it has written `len` elements.
pub(in crate::field) unsafe fn collect<T>(len: usize, write: impl FnOnce(*mut T) -> Result<()>) -> Result<Vec<T>> {
    let mut values = pool::reserved::<T>(len)?;
    pages::advise(values.as_mut_ptr().cast(), size_of_val(values.spare_capacity_mut()));
    write(values.as_mut_ptr())?;
    // SAFETY: by the caller's word.
    unsafe { values.set_len(len) };
    Ok(values)
}
