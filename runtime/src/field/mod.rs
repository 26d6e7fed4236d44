//! Typed arrays in a device's memory.

mod cow;
mod exchange;
pub mod lent;
mod members;
mod memory;
mod operations;
pub(crate) mod recorded;
#[cfg(feature = "serde")]
mod serde;
mod show;
#[cfg(test)]
mod tests;
mod views;

use std::marker::PhantomData;

use crate::access::layout::{Aos, FieldLayout, Steps};
use crate::access::{Access, MAX_RANK, MOST_WITHOUT_SIZE, Position};
use crate::device::argument::LaunchArg;
use crate::device::{Device, Init};
use crate::element::{Element, MOST_ALIGNED};
use crate::error::{Error, Result};
use crate::kernel::probe::constant;
use crate::recording;
use cow::CowMemory;
use memory::Memory;

pub use cow::{FieldId, copies_on_write};
pub use exchange::any::AnyArray;
pub use exchange::array::ArrayOf;
pub use exchange::arrays::{Arrays, Entry};
pub use exchange::dlpack;
pub use exchange::scalar::{ArrayScalar, Cast};
pub(crate) use exchange::staging::Staged;
pub use members::member::{Member, MemberMut};
pub use operations::join::{concatenate, stack};
pub use operations::number::{IndexNumber, Integer, Number, Real};
pub use operations::product::{Dot, DotOperand, DotRanks, DotTarget, Factor};
pub use operations::reduce::Tolerance;
#[cfg(feature = "serde")]
pub use serde::FieldSeed;
pub use views::offset::OffsetField;
pub use views::offset_view::OffsetView;
pub use views::view::{FieldView, FieldViewMut};

/// An array of `D` axes (0 to 6) in a device's memory, in row-major order without gaps.
///
/// Kernels take fields by reference; from the host one reads and writes them with the methods here. The memory is freed
/// on drop.
///
/// Shapes and positions are `usize` for one axis, `[usize; D]` in general, slowest axis first.
///
/// ```
/// use ndarray::array;
/// use swathe::{Device, Field};
///
/// let device = Device::cpu();
/// let mut u = Field::<f32, 2>::zeros(&device, [2, 3])?;
/// u.set([1, 2], 4.0)?;
/// assert_eq!(u.to_ndarray()?, array![[0.0, 0.0, 0.0], [0.0, 0.0, 4.0]]);
///
/// let v = Field::<f32, 2>::from_ndarray(&device, &array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]].t())?;
/// u.copy_from(&v)?;
/// assert_eq!(u.to_vec()?, [1.0, 3.0, 5.0, 2.0, 4.0, 6.0]);
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// # Fields and arrays
///
/// | elements | array of a field of shape `(h, w)` | |
/// |---|---|---|
/// | scalars | `(h, w)` | [`from_ndarray`](Field::from_ndarray), [`copy_from_ndarray`](Field::copy_from_ndarray), [`to_ndarray`](Field::to_ndarray), [`copy_to_ndarray`](Field::copy_to_ndarray) |
/// | `Vector<T, N>`, `[T; N]` | `(h, w, N)` | the same |
/// | `Matrix<T, R, C>` | `(h, w, R, C)` | the same |
/// | a struct | a dictionary: by the name of each member, its array | [`from_arrays`](Field::from_arrays), [`copy_from_arrays`](Field::copy_from_arrays), [`to_arrays`](Field::to_arrays) |
/// | a member of a struct | as a field of the member's type | [`member`](Field::member), [`member_mut`](Field::member_mut) |
///
/// - Arrays that come in may have any strides and any memory order: transposes, slices, reversed and broadcast ones. They are copied in
///   one pass, without a temporary copy.
/// - Arrays that go out are new and in row-major order, or are given, with any strides. Positions of an array that is
///   written are distinct: `ndarray` makes no mutable view with a stride of 0 along an axis of several positions. Where an array
///   comes from elsewhere, as in [`copy_to_dlpack`](Field::copy_to_dlpack), such a one is refused.
/// - The type of the scalars is the same on both sides, by the compiler's word or, for an [`AnyArray`] and for a struct's
///   [`Arrays`], by a check. [`copy_from_ndarray_cast`](Field::copy_from_ndarray_cast) converts.
/// - A call that fails has written nothing, unless it tells what failed in a kernel before, or the driver failed in the middle of a transfer.
///
/// ```
/// use ndarray::{Array3, array, s};
/// use swathe::{Device, Field, Matrix, Vec3};
///
/// let device = Device::default();
/// // The components of a vector are the last axis.
/// let planes = Array3::from_shape_fn((3, 4, 5), |(k, i, j)| (100 * k + 10 * i + j) as f32);
/// let velocity = Field::<Vec3, 2>::from_ndarray(&device, &planes.view().permuted_axes([1, 2, 0]))?;
/// assert_eq!(velocity.shape(), [4, 5]);
/// assert_eq!(velocity.get([2, 3])?, Vec3::new(23.0, 123.0, 223.0));
/// assert_eq!(velocity.to_ndarray()?.shape(), [4, 5, 3]);
///
/// // Rows and columns of a matrix are the last two.
/// let stress = Field::<Matrix<f64, 2, 3>>::zeros(&device, 7)?;
/// assert_eq!(stress.to_ndarray()?.shape(), [7, 2, 3]);
///
/// // Into every second column of an array that is there.
/// let u = Field::<i32, 2>::from_ndarray(&device, &array![[1, 2], [3, 4]])?;
/// let mut wide = array![[0, 0, 0], [0, 0, 0]];
/// u.copy_to_ndarray(&mut wide.slice_mut(s![.., ..;2]))?;
/// assert_eq!(wide, array![[1, 0, 2], [3, 0, 4]]);
///
/// // A field without axes is one element.
/// let sum = Field::<f64, 0>::full(&device, [], 2.5)?;
/// assert_eq!(sum.to_ndarray()?.into_scalar(), 2.5);
///
/// // What does not fit is refused with both shapes.
/// let error = Field::<Vec3, 2>::zeros(&device, [4, 5])?.copy_from_ndarray(&planes).unwrap_err();
/// assert!(error.to_string().ends_with("expected shape [4, 5, 3], got [3, 4, 5]"));
/// # Ok::<(), swathe::Error>(())
/// ```
///
/// For structs see [`Arrays`] and [`Member`].
///
/// # Layouts
///
/// A field is an array of structures, [`Aos`], unless it is made with the layout [`Soa`](crate::Soa), a structure of arrays: then each scalar of an
/// element has a plane of its own. Kernels, arrays and files do not see the difference. Kernels that use few members of
/// large elements, and loops that the compiler vectorises, gain by planes; access to whole elements in no order loses.
///
/// ```
/// use swathe::{Field, Soa, prelude::*};
///
/// #[derive(Element, Clone, Copy, Default, Debug, PartialEq)]
/// struct Particle {
///     pos: Vec3,
///     mass: f32,
/// }
///
/// #[kernel]
/// fn fall(particles: &mut Field<Particle>, dt: f32) {
///     for i in particles.indices() {
///         particles[i].pos.z -= 9.81 * dt;
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let mut particles = Field::<Particle>::zeros_in(&Device::default(), 1000, Soa)?;
/// particles.member_mut::<f32>("mass")?.fill(2.0)?;
/// fall(&mut particles, 1.0)?;
/// let particle = Particle { pos: Vec3::new(0.0, 0.0, -9.81), mass: 2.0 };
/// assert_eq!(particles.get(999)?, particle);
/// # Ok(())
/// # }
/// ```
pub struct Field<T: Element, const D: usize = 1, L: FieldLayout = Aos> {
    memory: CowMemory,
    shape: [usize; D],
    elements: PhantomData<(T, L)>,
}

impl<T: Element, const D: usize> Field<T, D> {
    /// A field of elements whose bytes are all zero: the numbers 0, `false`.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`], or [`Error::OutOfMemory`].
    pub fn zeros(device: &Device, shape: impl Position<D>) -> Result<Self> {
        Self::alloc(device, shape.axes(), Init::Zeroed)
    }

    /// A field of copies of `value`.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`], or [`Error::OutOfMemory`].
    pub fn full(device: &Device, shape: impl Position<D>, value: T) -> Result<Self> {
        let mut field = Self::alloc(device, shape.axes(), Init::Uninit)?;
        field.fill(value)?;
        Ok(field)
    }

    /// A field whose element at each position is the function's value there.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`], or [`Error::OutOfMemory`].
    pub fn from_fn(device: &Device, shape: impl Position<D>, mut value: impl FnMut([usize; D]) -> T) -> Result<Self> {
        let shape = shape.axes();
        let mut field = Self::alloc(device, shape, Init::Uninit)?;
        let size = size_of::<T>();
        let mut position = [0; D];
        for range in field.blocks() {
            let bytes = range.start * size..range.end * size;
            let write = |at: *mut u8| {
                for k in 0..range.len() {
                    // SAFETY: `at` points to room for the elements in `range`.
                    unsafe { at.cast::<T>().add(k).write(value(position)) };
                    advance(&mut position, &shape);
                }
            };
            // SAFETY: the blocks lie inside the field.
            unsafe { field.own()?.edit(bytes, false, write)? };
        }
        Ok(field)
    }

    /// As [`Field::zeros`], with a layout.
    ///
    /// # Errors
    /// As there.
    pub fn zeros_in<L: FieldLayout>(device: &Device, shape: impl Position<D>, _: L) -> Result<Field<T, D, L>> {
        Field::alloc(device, shape.axes(), Init::Zeroed)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    fn alloc(device: &Device, shape: [usize; D], mut init: Init) -> Result<Self> {
        const { assert!(D <= MAX_RANK, "a field has at most 6 axes") };
        if align_of::<T>() > MOST_ALIGNED {
            return Err(Error::Alignment {
                ty: T::ty().to_string(),
                align: align_of::<T>(),
            });
        }
        let mut bytes = bytes_of(&shape, size_of::<T>())?;
        if L::PLANAR && bytes > 0 {
            let len = shape.iter().product();
            let room = L::room(len);
            bytes = bytes_of(&[room], size_of::<T>())?;
            // Operations on whole memories, as those of tapes, also read what lies behind the last element of a plane.
            if room > len {
                init = Init::Zeroed;
            }
        }
        Ok(Field {
            memory: CowMemory::new::<T, L>(Memory::alloc(device, bytes, init)?),
            shape,
            elements: PhantomData,
        })
    }

    /// A field whose elements hold nothing yet.
    ///
    /// # Safety
    /// Each is written before it is read.
    pub(crate) unsafe fn uninit(device: &Device, shape: [usize; D]) -> Result<Self> {
        Self::alloc(device, shape, Init::Uninit)
    }

    /// Its type, shape and device, as errors name them.
    #[must_use]
    pub fn describe(&self) -> String {
        let layout = if L::PLANAR { ", Soa" } else { "" };
        let (ty, shape, device) = (T::ty(), self.shape, self.device());
        format!("Field<{ty}, {D}{layout}> {{ shape: {shape:?}, device: {device} }}")
    }

    /// Length of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there are no elements.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Where it lives.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.memory.device()
    }

    /// Another field with the same elements on the same device: *copy-on-write*.
    ///
    /// The two share memory until one of them is written, whose elements are then copied to memory of its own. So a clone
    /// costs nothing by itself, and neither field sees what happens to the other. The first write to either, on the host or by a
    /// kernel, takes time and memory for a copy while both are there, and fails with [`Error::OutOfMemory`] if there is none.
    /// [`copies_on_write`](crate::copies_on_write) counts these copies.
    ///
    /// A field in another library's memory ([`Field::from_dlpack`]), or in memory that a [`Graph`](crate::Graph) refers to, is
    /// copied at once. So is a view, by [`FieldView::try_clone`].
    ///
    /// ```
    /// use swathe::prelude::*;
    ///
    /// #[kernel]
    /// fn grow(x: &mut Field<f32>) {
    ///     for i in x.indices() {
    ///         x[i] += 0.5;
    ///     }
    /// }
    ///
    /// # fn main() -> swathe::Result<()> {
    /// let mut x = Field::from_slice(&Device::default(), &[1.0, 2.0, 3.0])?;
    /// let start = x.try_clone()?; // nothing is copied
    /// grow(&mut x)?; // copies, and writes to the copy
    /// grow(&mut x)?;
    /// assert_eq!(x.to_vec()?, [2.0, 3.0, 4.0]);
    /// assert_eq!(start.to_vec()?, [1.0, 2.0, 3.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::NotCapturable`] within the capture of a graph; [`Error::OutOfMemory`] for what is copied at once.
    pub fn try_clone(&self) -> Result<Self> {
        if !recording::is_recording() {
            self.memory.read()?;
        }
        let mut clone = Field {
            memory: self.memory.try_clone()?,
            shape: self.shape,
            elements: PhantomData,
        };
        if recording::is_recording() {
            recorded::linear::cloned(self, &mut clone)?;
        }
        Ok(clone)
    }

    /// Gives it memory of its own now, if a clone shares it, instead of with the next write: so that this write is as fast as
    /// any other, cannot fail for lack of memory, and a [`Graph`](crate::Graph) can refer to the field.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], and those of the device.
    pub fn unshare(&mut self) -> Result<()> {
        match self.memory.is_alone() {
            true => Ok(()),
            false => self.unshare_now(),
        }
    }

    #[cold]
    #[inline(never)]
    fn unshare_now(&mut self) -> Result<()> {
        let done = self.memory.unshare();
        done.map_err(|error| cow::named(error, &self.describe()))
    }

    /// With another shape of as many elements.
    fn with_shape<const E: usize>(self, shape: [usize; E]) -> Field<T, E, L> {
        Field {
            memory: self.memory,
            shape,
            elements: PhantomData,
        }
    }

    /// What tells it from all other fields of the process.
    ///
    /// It belongs to the field, not to its memory: it moves with the field, as by [`std::mem::swap`], and stays when the field
    /// gets other memory. A clone is a field of its own. No number comes twice.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let mut a = Field::<f32>::zeros(&Device::cpu(), 3)?;
    /// let mut b = a.try_clone()?;
    /// let (first, second) = (a.id(), b.id());
    /// assert_ne!(first, second);
    /// std::mem::swap(&mut a, &mut b);
    /// assert_eq!((b.id(), a.id()), (first, second));
    /// # Ok::<(), swathe::Error>(())
    /// ```
    #[must_use]
    pub fn id(&self) -> FieldId {
        self.memory.id()
    }

    /// A number that grows with everything that may write to the field: calls of kernels that take it, or a part of it, by
    /// `&mut`, whether they write or fail; methods with `&mut self`; views and members to write, when they are made; launches of
    /// graphs that write to it. As long as it is the same, for the same [`Field::id`], the elements are.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let mut u = Field::<f32>::zeros(&Device::default(), 3)?;
    /// let seen = (u.id(), u.write_count());
    /// let _ = (u.sum()?, u.to_vec()?, u.try_clone()?);
    /// assert_eq!((u.id(), u.write_count()), seen);
    /// u.set(1, 2.0)?;
    /// assert!(u.write_count() > seen.1);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    #[must_use]
    pub fn write_count(&self) -> u64 {
        self.memory.write_count()
    }

    /// Before a write at its address, which may be another one afterwards.
    #[inline]
    pub(in crate::field) fn prepare(&mut self) -> Result<()> {
        self.memory.may_write()?;
        match self.memory.prepare() {
            true => Ok(()),
            false => self.unshare_now(),
        }
    }

    /// Its memory, to be written.
    fn own(&mut self) -> Result<&mut Memory> {
        self.memory.write()?;
        self.prepare()?;
        Ok(self.memory.own())
    }

    /// Sets every element.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill(&mut self, value: T) -> Result<()> {
        match recording::is_recording() {
            true => recorded::linear::fill(self, value),
            false => self.fill_now(value),
        }
    }

    fn fill_now(&mut self, value: T) -> Result<()> {
        let shape = self.shape;
        // A device looks at the bytes, so that none may be padding.
        let initialised = (!self.device().backend().is_host()).then(|| constant(&value).bytes);
        let bytes = initialised.as_deref().map_or((&raw const value).cast(), <[u8]>::as_ptr);
        let (place, memory) = (exchange::array::whole::<T, L>(&shape), self.own()?);
        // SAFETY: `value` is one element, and so are the bytes, which have the layout of the host.
        unsafe {
            match place.room {
                None => memory.fill(bytes, size_of::<T>()),
                Some(_) => place.fill(memory, &T::ty(), (&raw const value).cast()),
            }
        }
    }

    /// Copies all elements of a field of the same shape, from whatever device and of either layout.
    ///
    /// # Errors
    /// [`Error::Shape`]; those of a kernel on a device, if the layouts differ.
    pub fn copy_from<K: FieldLayout>(&mut self, from: &Field<T, D, K>) -> Result<()> {
        if self.shape != from.shape {
            return Err(Error::shape("copying from another field", self.shape, &from.shape));
        }
        match recording::is_recording() {
            true => recorded::linear::copy(self, from),
            false => self.copy_now(from),
        }
    }

    fn copy_now<K: FieldLayout>(&mut self, from: &Field<T, D, K>) -> Result<()> {
        if L::PLANAR == K::PLANAR {
            let from = from.memory.read()?;
            return self.own()?.copy_from(from);
        }
        if self.memory.is_host() && from.memory.is_host() {
            return self.rearrange(from);
        }
        self.view_mut()?.copy_now(&from.view())
    }

    /// A field with the same elements on the same device, in another layout.
    ///
    /// ```
    /// use swathe::{Device, Field, Soa, Vec3};
    ///
    /// let u = Field::<Vec3>::from_fn(&Device::default(), 3, |[i]| Vec3::splat(i as f32))?;
    /// let planes: Field<Vec3, 1, Soa> = u.with_layout(Soa)?;
    /// assert_eq!(planes.to_ndarray()?, u.to_ndarray()?);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`], and those of [`Field::copy_from`].
    pub fn with_layout<K: FieldLayout>(&self, _: K) -> Result<Field<T, D, K>> {
        let mut field = Field::<T, D, K>::alloc(self.device(), self.shape, Init::Uninit)?;
        field.copy_from(self)?;
        Ok(field)
    }

    /// The element at a position. It alone is moved, after the kernels before it have ended.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn get(&self, index: impl Position<D>) -> Result<T> {
        self.memory.read()?;
        let spot = self.region().locate(index.axes())?;
        // SAFETY: an element of the memory, which is borrowed.
        unsafe { spot.get(self.device()) }
    }

    /// Sets the element at a position.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn set(&mut self, index: impl Position<D>, value: T) -> Result<()> {
        let index = index.axes();
        check_index(&self.shape, &index)?;
        self.memory.write()?;
        self.prepare()?;
        let spot = self.region().locate(index)?;
        // SAFETY: an element of the memory, which is this field's alone, and borrowed exclusively.
        unsafe { spot.set(self.device(), value) }
    }

    fn region(&self) -> views::view::Region<'_, D> {
        views::view::Region::of::<L>(&self.memory, self.shape, size_of::<T>(), 0)
    }

    /// Ranges of elements to handle at once from the host.
    fn blocks(&self) -> impl Iterator<Item = std::ops::Range<usize>> + use<T, D, L> {
        let len = self.len();
        let block = (self.memory.raw().block() / size_of::<T>().max(1)).clamp(1, len.max(1));
        (0..len)
            .step_by(block)
            .map(move |start| start..len.min(start.saturating_add(block)))
    }

    /// The field as an argument of a launch.
    pub(crate) fn arg(&self) -> LaunchArg<'_> {
        LaunchArg::field::<T>(self.address(), self.extents(), L::PLANAR.then(|| L::room(self.len())))
    }

    /// Address on its device.
    pub(crate) fn address(&self) -> *mut u8 {
        self.memory.raw().address()
    }

    pub(crate) fn extents(&self) -> &[usize] {
        &self.shape
    }

    /// For native kernels.
    #[doc(hidden)]
    #[inline]
    pub fn access(&self) -> Access<'_, T, D, L> {
        let steps = if L::PLANAR {
            Steps::planes(self.shape, L::room(self.len()))
        } else {
            Steps::of([0; D])
        };
        // SAFETY: the memory holds the elements of the shape; one after the other they need no strides.
        unsafe { Access::with_steps(self.memory.raw().address().cast(), self.shape, steps) }
    }

    /// For native kernels that write, after [`ArgumentMut::prepare`](crate::ArgumentMut).
    #[doc(hidden)]
    #[inline]
    pub fn access_mut(&mut self) -> Access<'_, T, D, L> {
        debug_assert!(self.memory.is_alone());
        self.access()
    }
}

/// # Errors
/// [`Error::Index`] if a position lies outside.
fn check_index(shape: &[usize], index: &[usize]) -> Result<()> {
    if index.iter().zip(shape).all(|(i, n)| i < n) {
        return Ok(());
    }
    Err(Error::Index {
        index: index.to_vec(),
        shape: shape.to_vec(),
    })
}

/// The next position in row-major order.
fn advance(position: &mut [usize], shape: &[usize]) {
    for (i, n) in position.iter_mut().zip(shape).rev() {
        *i += 1;
        if *i < *n {
            return;
        }
        *i = 0;
    }
}

/// Size of an array in bytes. As in `ndarray`, an axis of length 0 does not excuse the others.
fn bytes_of(shape: &[usize], element_size: usize) -> Result<usize> {
    let overflow = || Error::SizeOverflow {
        shape: shape.to_vec(),
        element_size,
    };
    let least = shape
        .iter()
        .filter(|n| **n != 0)
        .try_fold(element_size.max(1), |size, n| size.checked_mul(*n))
        .filter(|bytes| isize::try_from(*bytes).is_ok() && (element_size > 0 || *bytes <= MOST_WITHOUT_SIZE))
        .ok_or_else(overflow)?;
    Ok(if shape.contains(&0) || element_size == 0 {
        0
    } else {
        least
    })
}
