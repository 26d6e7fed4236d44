//! Parts of a field: slices, rows, transposes, members.

use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

use super::Field;
use super::memory::Memory;
use crate::cpu::access::Position;
use crate::cpu::layout::{Layout, Strided};
use crate::device::Device;
use crate::element::Element;
use crate::error::{Error, Result};

/// Where the elements of a part lie in a field's memory.
#[derive(Clone, Copy)]
pub(super) struct Region<'a, const D: usize> {
    pub memory: &'a Memory,
    /// Of the element at position 0.
    pub at: *mut u8,
    pub shape: [usize; D],
    /// In bytes.
    pub strides: [isize; D],
}

impl<const D: usize> Region<'_, D> {
    /// All parts of `size` bytes at an offset in each element.
    pub fn of(memory: &Memory, shape: [usize; D], element: usize, offset: usize) -> Region<'_, D> {
        let mut strides = [element as isize; D];
        for k in (1..D).rev() {
            // An axis of length 0 may stand beside others whose product is no size of memory.
            strides[k - 1] = strides[k].wrapping_mul(shape[k] as isize);
        }
        Region {
            memory,
            at: memory.address().wrapping_add(offset),
            shape,
            strides,
        }
    }

    /// Address of the element at a position.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn locate(&self, index: [usize; D]) -> Result<NonNull<u8>> {
        super::offset(&self.shape, &index)?;
        let offset = super::transfer::dot(&index, &self.strides);
        NonNull::new(self.at.wrapping_offset(offset)).ok_or(Error::Unknown {
            what: "the address of a field",
        })
    }

    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }
}

/// A part of a field, to read: a slice, a row, a transpose, one member of every element, and parts of these.
///
/// It borrows the field, and kernels take it wherever they take `&Field<T, D>`. Positions are those of the part.
/// [`FieldViewMut`] is the same to write.
///
/// ```
/// use ndarray::{array, s};
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn double(x: &Field<f32>, out: &mut Field<f32>) {
///     for i in out.indices() {
///         out[i] = 2.0 * x[i];
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cpu();
/// let mut u = Field::<f32, 2>::from_ndarray(&device, &array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])?;
/// let mut column = Field::<f32>::zeros(&device, 2)?;
/// double(&u.slice(s![.., 1])?, &mut column)?;
/// assert_eq!(column.to_vec()?, [4.0, 10.0]);
///
/// // The first row becomes twice the second one, backwards.
/// let (mut first, second) = u.split_at_mut(0, 1)?;
/// double(&second.view().slice(s![0, ..;-1])?, &mut first.index_axis_mut(0, 0)?)?;
/// assert_eq!(u.to_ndarray()?, array![[12.0, 10.0, 8.0], [4.0, 5.0, 6.0]]);
/// # Ok(())
/// # }
/// ```
pub struct FieldView<'a, T: Element, const D: usize = 1, L: Layout = Strided> {
    pub(super) region: Region<'a, D>,
    elements: PhantomData<(&'a T, L)>,
}

/// A part of a field, to write. See [`FieldView`].
pub struct FieldViewMut<'a, T: Element, const D: usize = 1, L: Layout = Strided> {
    pub(super) region: Region<'a, D>,
    elements: PhantomData<(&'a mut T, L)>,
}

// SAFETY: a shared borrow of elements, which are `Send` and `Sync`.
unsafe impl<T: Element, const D: usize, L: Layout> Send for FieldView<'_, T, D, L> {}
// SAFETY: as above.
unsafe impl<T: Element, const D: usize, L: Layout> Sync for FieldView<'_, T, D, L> {}
// SAFETY: an exclusive borrow of elements, which are `Send` and `Sync`; they are written through `&mut` only.
unsafe impl<T: Element, const D: usize, L: Layout> Send for FieldViewMut<'_, T, D, L> {}
// SAFETY: as above.
unsafe impl<T: Element, const D: usize, L: Layout> Sync for FieldViewMut<'_, T, D, L> {}

impl<T: Element, const D: usize, L: Layout> Clone for FieldView<'_, T, D, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Element, const D: usize, L: Layout> Copy for FieldView<'_, T, D, L> {}

impl<'a, T: Element, const D: usize, L: Layout> FieldView<'a, T, D, L> {
    /// # Safety
    /// The region consists of elements of type `T`, which nobody writes for `'a`, and its strides suit the layout.
    pub(super) unsafe fn new(region: Region<'a, D>) -> Self {
        FieldView {
            region,
            elements: PhantomData,
        }
    }
}

impl<'a, T: Element, const D: usize, L: Layout> FieldViewMut<'a, T, D, L> {
    /// # Safety
    /// The region consists of elements of type `T` at distinct addresses, which nobody else uses for `'a`, and its strides suit the
    /// layout.
    pub(super) unsafe fn new(region: Region<'a, D>) -> Self {
        FieldViewMut {
            region,
            elements: PhantomData,
        }
    }

    /// The same part, to read.
    #[must_use]
    pub fn view(&self) -> FieldView<'_, T, D, L> {
        // SAFETY: the borrow of `self` lasts as long.
        unsafe { FieldView::new(self.region) }
    }

    /// The same part, for a shorter time.
    #[must_use]
    pub fn view_mut(&mut self) -> FieldViewMut<'_, T, D, L> {
        // SAFETY: the exclusive borrow of `self` lasts as long.
        unsafe { FieldViewMut::new(self.region) }
    }
}

impl<T: Element, const D: usize> Field<T, D> {
    /// All of it, as a view.
    #[must_use]
    pub fn view(&self) -> FieldView<'_, T, D> {
        // SAFETY: the memory holds the elements of the shape, and is borrowed.
        unsafe { FieldView::new(Region::of(&self.memory, self.shape, size_of::<T>(), 0)) }
    }

    /// All of it, as a view to write.
    #[must_use]
    pub fn view_mut(&mut self) -> FieldViewMut<'_, T, D> {
        // SAFETY: the memory holds the elements of the shape, one beside the other, and is borrowed exclusively.
        unsafe { FieldViewMut::new(Region::of(&self.memory, self.shape, size_of::<T>(), 0)) }
    }
}

macro_rules! common {
    ($($view:ident)*) => {$(
        impl<T: Element, const D: usize, L: Layout> $view<'_, T, D, L> {
            /// Length of each axis.
            #[must_use]
            pub fn shape(&self) -> [usize; D] {
                self.region.shape
            }

            /// Number of elements.
            #[must_use]
            pub fn len(&self) -> usize {
                self.region.len()
            }

            /// Whether there are no elements.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.region.shape.contains(&0)
            }

            /// Where the field lives.
            #[must_use]
            pub fn device(&self) -> &Device {
                self.region.memory.device()
            }

            /// The element at a position. It alone is moved.
            ///
            /// # Errors
            /// [`Error::Index`].
            pub fn get(&self, index: impl Position<D>) -> Result<T> {
                let at = self.region.locate(index.axes())?;
                let mut value = std::mem::MaybeUninit::<T>::uninit();
                if size_of::<T>() > 0 {
                    let to = value.as_mut_ptr().cast();
                    // SAFETY: an element of the field, which is borrowed.
                    unsafe { self.device().backend().download(to, at, size_of::<T>())? };
                }
                // SAFETY: all of it is written.
                Ok(unsafe { value.assume_init() })
            }
        }

        impl<T: Element, const D: usize, L: Layout> fmt::Debug for $view<'_, T, D, L> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let (ty, shape, device) = (T::ty(), self.shape(), self.device());
                write!(f, "{}<{ty}, {D}> {{ shape: {shape:?}, device: {device} }}", stringify!($view))
            }
        }
    )*};
}
common!(FieldView FieldViewMut);

impl<T: Element, const D: usize, L: Layout> FieldViewMut<'_, T, D, L> {
    /// Sets the element at a position.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn set(&mut self, index: impl Position<D>, value: T) -> Result<()> {
        let at = self.region.locate(index.axes())?;
        if size_of::<T>() == 0 {
            return Ok(());
        }
        let from = (&raw const value).cast();
        // SAFETY: an element of the field, which is borrowed exclusively.
        unsafe { self.device().backend().upload(at, from, size_of::<T>()) }
    }
}
