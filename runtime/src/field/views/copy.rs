//! Whole views at once: fills, copies, exchange with `ndarray`.

use ndarray::{ArrayRef, Dim, Dimension};

use crate::access::MAX_RANK;
use crate::access::layout::{Aos, FieldLayout, Layout, Steps};
use crate::device::capture;
use crate::element::Element;
use crate::element::external::External;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::exchange::array::{ArrayOf, collect};
use crate::field::exchange::elements::{self, Lie};
use crate::field::exchange::strided;
use crate::field::exchange::strided::Axis;
use crate::field::exchange::tile::Tile;
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::field::{Init, bytes_of, recorded};
use crate::kernel;
use crate::recording;

#[kernel]
fn fill<T: Element>(to: &mut Field<T, MAX_RANK>, value: T) {
    for [a, b, c, d, e, f] in to.indices() {
        to[[a, b, c, d, e, f]] = value;
    }
}

#[kernel]
fn copy<T: Element>(from: &Field<T>, to: &mut Field<T>) {
    for i in to.indices() {
        to[i] = from[i];
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Copies a field of the host of the same shape and another layout, by a kernel: those take blocks of elements apart in registers.
    pub(in crate::field) fn rearrange<K: FieldLayout>(&mut self, from: &Field<T, D, K>) -> Result<()> {
        from.memory.read()?;
        self.memory.write()?;
        self.prepare()?;
        let (len, size) = ([self.len()], size_of::<T>());
        if size == 0 {
            return Ok(());
        }
        // SAFETY: the memories hold as many elements in these layouts; the one that is written is this field's alone, and borrowed
        // exclusively.
        let (from, mut to) = unsafe {
            let from = FieldView::<T, 1, K>::new(Region::of::<K>(&from.memory, len, size, 0));
            let to = FieldViewMut::<T, 1, L>::new(Region::of::<L>(&self.memory, len, size, 0));
            (from, to)
        };
        copy(&from, &mut to)
    }
}

impl<'a, const D: usize> Region<'a, D> {
    /// The same elements with axes of length 1 in front: one compiled kernel serves all ranks.
    pub(in crate::field) fn padded(self) -> Region<'a, MAX_RANK> {
        let (mut shape, mut strides) = ([1; MAX_RANK], [0; MAX_RANK]);
        shape[MAX_RANK - D..].copy_from_slice(&self.shape);
        strides[MAX_RANK - D..].copy_from_slice(&self.steps.strides);
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

    /// Shape, byte strides and address of the scalars.
    fn scalars<T: External>(&self) -> (Vec<usize>, Vec<isize>, *mut u8) {
        let axes = T::AXES;
        let size = size_of::<T::Scalar>();
        let (unit, origin) = if self.planar {
            ((size / axes.parts()) as isize, self.steps.origin)
        } else {
            (1, 0)
        };
        let outer = self.steps.strides.iter().map(|stride| stride.wrapping_mul(unit));
        let inner = strided::row_major(axes.lengths(), size * self.steps.pitch);
        (
            [&self.shape, axes.lengths()].concat(),
            outer.chain(inner).collect(),
            self.at.wrapping_offset(origin.wrapping_mul(unit)),
        )
    }
}

impl<T: Element, const D: usize, L: Layout> FieldView<'_, T, D, L> {
    /// A new field with these elements, on the same device.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn try_clone(&self) -> Result<Field<T, D>> {
        let mut field = Field::<T, D, Aos>::alloc(self.device(), self.shape(), Init::Uninit)?;
        field.view_mut()?.copy_from(self)?;
        Ok(field)
    }

    /// The same, to be copied on. Of no elements the other axes may be longer than those of a field: then it has none.
    fn dense(&self) -> Result<Field<T, D>> {
        let mut view = *self;
        if self.is_empty() {
            view.region.shape = [0; D];
        }
        view.try_clone()
    }

    /// All elements, in row-major order.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.region.memory.read()?;
        if !self.device().backend().is_host() {
            return self.dense()?.to_vec();
        }
        let shape = self.shape();
        let strides = strided::row_major(&shape, size_of::<T>());
        let write = |at: *mut T| {
            let to = Lie::list(at.cast(), &strides);
            // SAFETY: there is room for all elements; the region's are on the host, and borrowed.
            unsafe { elements::copy::<T>(&shape, to, Lie::region(&self.region)) };
            Ok(())
        };
        // SAFETY: the function writes every element of the shape.
        unsafe { collect(self.len(), write) }
    }
}

impl<T: Element, const D: usize, L: Layout> FieldViewMut<'_, T, D, L> {
    /// All elements, in row-major order.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        self.view().to_vec()
    }

    /// Sets every element.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill(&mut self, value: T) -> Result<()> {
        match recording::is_recording() {
            true => recorded::linear::fill_part(self, value),
            false => self.fill_now(value),
        }
    }

    pub(in crate::field) fn fill_now(&mut self, value: T) -> Result<()> {
        self.region.memory.write()?;
        if !self.device().backend().is_host() && !crate::device::capture::is_capturing() {
            // SAFETY: the view's elements, borrowed exclusively.
            return unsafe { self.region.fill_remote(value) };
        }
        if size_of::<T>() == 0 {
            return Ok(());
        }
        // A capture has no place for a copy of the value; a kernel takes it as an argument.
        // SAFETY: the elements are those of this view, which is borrowed exclusively.
        let mut to = unsafe { FieldViewMut::<T, MAX_RANK, L::General>::new(self.region.padded()) };
        fill(&mut to, value)
    }

    /// Copies all elements of a view of the same shape, from whatever device.
    ///
    /// # Errors
    /// [`Error::Shape`]; then nothing is written.
    pub fn copy_from<K: Layout>(&mut self, from: &FieldView<'_, T, D, K>) -> Result<()> {
        if self.shape() != from.shape() {
            return Err(Error::shape("copying from another view", self.shape(), &from.shape()));
        }
        match recording::is_recording() {
            true => recorded::linear::copy_part(self, from),
            false => self.copy_now(from),
        }
    }

    pub(in crate::field) fn copy_now<K: Layout>(&mut self, from: &FieldView<'_, T, D, K>) -> Result<()> {
        self.region.memory.write()?;
        from.region.memory.read()?;
        let on_host = self.device().backend().is_host();
        if on_host {
            capture::refuse_on_cpu(|| format!("copying into {}", self.describe()))?;
        }
        if self.device() == from.device() && !on_host {
            // SAFETY: the elements are those of these views, of which the one that is written is borrowed exclusively.
            return unsafe { self.region.copy_remote::<T>(&from.region) };
        }
        if self.device() == from.device() {
            let (to, from) = (Lie::region(&self.region), Lie::region(&from.region));
            // SAFETY: the elements are those of these views, of which the one that is written is borrowed exclusively.
            unsafe { elements::copy::<T>(&self.shape(), to, from) };
            return Ok(());
        }
        if self.is_empty() {
            return Ok(());
        }
        let from = from.try_clone()?;
        let mut here = Field::<T, D, Aos>::alloc(self.device(), self.shape(), Init::Uninit)?;
        here.copy_from(&from)?;
        self.copy_now(&here.view())
    }
}

impl<T: External, const D: usize, L: Layout> FieldView<'_, T, D, L> {
    /// All elements as an array in row-major order: see [`Field::to_ndarray`].
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn to_ndarray(&self) -> Result<ArrayOf<T, D>>
    where
        Dim<[usize; D]>: Dimension,
    {
        let (shape, ..) = self.region.scalars::<T>();
        // Elements that are broadcast may be more than any memory has.
        let bytes = bytes_of(&shape, size_of::<T::Scalar>())?;
        let strides = strided::row_major(&shape, 1);
        // SAFETY: the function writes every scalar of the shape.
        let scalars: Vec<T::Scalar> = unsafe {
            collect(bytes / size_of::<T::Scalar>(), |at: *mut T::Scalar| {
                self.export(at.cast(), &strides)
            })?
        };
        crate::field::exchange::array::shaped::<T, D>(shape, scalars)
    }

    /// Copies all elements into an array with any strides: see [`Field::copy_to_ndarray`].
    ///
    /// # Errors
    /// [`Error::Shape`]; then nothing is written.
    pub fn copy_to_ndarray<E: Dimension>(&self, array: &mut ArrayRef<T::Scalar, E>) -> Result<()> {
        let (shape, ..) = self.region.scalars::<T>();
        if shape != array.shape() {
            return Err(Error::shape(
                format!("copying {} into an array", self.describe()),
                shape,
                array.shape(),
            ));
        }
        let to = array.as_mut_ptr().cast();
        // SAFETY: the shapes are equal, and the array is borrowed exclusively, which ndarray grants only for arrays
        // whose positions are distinct.
        unsafe { self.export(to, array.strides()) }
    }

    /// Strides are in scalars.
    ///
    /// # Safety
    /// The array may be written at all positions of the scalars' shape, which are distinct.
    unsafe fn export(&self, to: *mut u8, strides: &[isize]) -> Result<()> {
        self.region.memory.read()?;
        if !self.device().backend().is_host() {
            let dense = self.dense()?;
            // SAFETY: by the caller's word; the shapes are equal, or there are no elements.
            return unsafe { dense.export(to, strides) };
        }
        let (shape, from, at) = self.region.scalars::<T>();
        let size = size_of::<T::Scalar>();
        let strides = strided::scaled(strides, size);
        // SAFETY: by the caller's word; the region's elements are on the host, and borrowed.
        unsafe { copy_scalars::<T>(&shape, (to, &strides, 1), (at, &from, self.region.steps.pitch)) };
        Ok(())
    }
}

impl<T: External, const D: usize, L: Layout> FieldViewMut<'_, T, D, L> {
    /// Sets all elements from an array with any strides: see [`Field::copy_from_ndarray`].
    ///
    /// # Errors
    /// [`Error::Shape`]; then nothing is written.
    pub fn copy_from_ndarray<E: Dimension>(&mut self, array: &ArrayRef<T::Scalar, E>) -> Result<()> {
        let (shape, to, at) = self.region.scalars::<T>();
        if shape != array.shape() {
            return Err(Error::shape(
                format!("copying an array into {}", self.describe()),
                shape,
                array.shape(),
            ));
        }
        self.region.memory.write()?;
        if self.is_empty() {
            return Ok(());
        }
        if !self.device().backend().is_host() {
            let mut dense = Field::<T, D>::alloc(self.device(), self.shape(), Init::Uninit)?;
            dense.copy_from_ndarray(array)?;
            return self.copy_from(&dense.view());
        }
        let size = size_of::<T::Scalar>();
        let strides = strided::scaled(array.strides(), size);
        let from = array.as_ptr().cast();
        // SAFETY: the shapes are equal, and the array lets us read all its positions; the region's elements are on the host,
        // distinct, and borrowed exclusively.
        unsafe { copy_scalars::<T>(&shape, (at, &to, self.region.steps.pitch), (from, &strides, 1)) };
        Ok(())
    }
}

/// Copies arrays of scalars of `T`, each given by address, strides in bytes, and the distance of a scalar's parts in their size.
///
/// # Safety
/// All positions are scalars, those written are distinct from one another and from those read, and nobody else accesses them.
unsafe fn copy_scalars<T: External>(
    shape: &[usize],
    (to, to_strides, to_pitch): (*mut u8, &[isize], usize),
    (from, from_strides, from_pitch): (*const u8, &[isize], usize),
) {
    let parts = T::AXES.parts();
    let number = size_of::<T::Scalar>() / parts;
    let axis = |((&length, &to), &from)| Axis { length, to, from };
    let mut axes: Vec<Axis> = shape.iter().zip(to_strides).zip(from_strides).map(axis).collect();
    axes.push(Axis {
        length: parts,
        to: (number * to_pitch) as isize,
        from: (number * from_pitch) as isize,
    });
    // SAFETY: by the caller's word, since the parts of the scalars are all of them.
    unsafe { strided::copy(Tile::copying(number), axes, to, from) };
}
