//! Parts of a field: slices, rows, transposes, members.

use std::marker::PhantomData;

use crate::access::layout::{FieldLayout, Layout, Steps, Strided};
use crate::access::pointer::Planes;
use crate::access::{MAX_RANK, Position};
use crate::device::Device;
use crate::element::Element;
use crate::error::Result;
use crate::field::Field;
use crate::field::cow::CowMemory;
use crate::field::members::spot::Spot;
use crate::recording::Place;

/// Where the elements of a part lie in a field's memory.
#[derive(Clone, Copy)]
pub(in crate::field) struct Region<'a, const D: usize> {
    pub memory: &'a CowMemory,
    /// Of the element at position 0; of planes the first one's.
    pub at: *mut u8,
    pub shape: [usize; D],
    pub steps: Steps<D>,
    /// Whether scalars have planes of their own.
    pub planar: bool,
    /// Whether it may be written at its address.
    pub exclusive: bool,
}

impl<const D: usize> Region<'_, D> {
    /// The parts at an offset in each element, of a field with that layout.
    pub fn of<L: FieldLayout>(memory: &CowMemory, shape: [usize; D], element: usize, offset: usize) -> Region<'_, D> {
        let (at, steps) = if L::PLANAR {
            let room = L::room(shape.iter().product());
            (offset.wrapping_mul(room), Steps::planes(shape, room))
        } else {
            (offset, Steps::of([element as isize; D]).row_major(shape))
        };
        Region {
            memory,
            at: memory.raw().address().wrapping_add(at),
            shape,
            steps,
            planar: L::PLANAR,
            exclusive: false,
        }
    }

    /// Starts so many positions further along an axis.
    pub fn shift(&mut self, axis: usize, positions: usize) {
        let distance = self.steps.strides[axis].wrapping_mul(positions as isize);
        if self.planar {
            self.steps.origin = self.steps.origin.wrapping_add(distance);
        } else {
            self.at = self.at.wrapping_offset(distance);
        }
    }

    /// The element at a position.
    ///
    /// # Errors
    /// [`Error::Index`].
    pub fn locate(&self, index: [usize; D]) -> Result<Spot> {
        crate::field::check_index(&self.shape, &index)?;
        let distance = crate::field::exchange::transfer::dot(&index, &self.steps.strides);
        Ok(if self.planar {
            Spot::Planes(Planes::new(
                self.at,
                self.steps.pitch,
                self.steps.origin.wrapping_add(distance),
            ))
        } else {
            Spot::Whole(self.at.wrapping_offset(distance))
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
    pub(in crate::field) region: Region<'a, D>,
    elements: PhantomData<(&'a T, L)>,
}

/// A part of a field, to write. See [`FieldView`].
pub struct FieldViewMut<'a, T: Element, const D: usize = 1, L: Layout = Strided> {
    pub(in crate::field) region: Region<'a, D>,
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
    pub(in crate::field) unsafe fn new(region: Region<'a, D>) -> Self {
        const { assert!(D <= MAX_RANK, "a view has at most 6 axes") };
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
    pub(in crate::field) unsafe fn new(region: Region<'a, D>) -> Self {
        const { assert!(D <= MAX_RANK, "a view has at most 6 axes") };
        FieldViewMut {
            region: Region {
                exclusive: true,
                ..region
            },
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

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// All of it, as a view.
    #[must_use]
    pub fn view(&self) -> FieldView<'_, T, D, L::Part> {
        // SAFETY: the memory holds the elements of the shape, and is borrowed.
        unsafe { FieldView::new(Region::of::<L>(&self.memory, self.shape, size_of::<T>(), 0)) }
    }

    /// All of it, as a view to write.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory) if a clone shares the memory: see [`Field::try_clone`].
    pub fn view_mut(&mut self) -> Result<FieldViewMut<'_, T, D, L::Part>> {
        self.prepare()?;
        // SAFETY: the memory holds the elements of the shape, one beside the other, is this field's alone, and borrowed
        // exclusively.
        Ok(unsafe { FieldViewMut::new(self.region()) })
    }
}

macro_rules! common {
    ($($view:ident)*) => {$(
        impl<T: Element, const D: usize, L: Layout> $view<'_, T, D, L> {
            /// Its type, shape and device, as errors name them.
            #[must_use]
            pub fn describe(&self) -> String {
                let (ty, shape, device) = (T::ty(), self.shape(), self.device());
                format!("{}<{ty}, {D}> {{ shape: {shape:?}, device: {device} }}", stringify!($view))
            }

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

            /// As an argument of a launch.
            pub(crate) fn whereabouts(&self) -> Place<'_> {
                self.region.memory.place(self.region.exclusive)
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
                self.region.memory.read()?;
                let spot = self.region.locate(index.axes())?;
                // SAFETY: an element of the field, which is borrowed.
                unsafe { spot.get(self.device()) }
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
        self.region.memory.write()?;
        let spot = self.region.locate(index.axes())?;
        // SAFETY: an element of the field, which is borrowed exclusively.
        unsafe { spot.set(self.device(), value) }
    }
}
