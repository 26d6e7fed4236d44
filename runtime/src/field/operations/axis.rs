//! Reductions of fields along one axis.

use swathe_device_kernels::plan::{self, Items, Operation, Order};

use crate::access::layout::FieldLayout;
use crate::device::Init;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::operations::number::sealed::Kind;
use crate::field::operations::number::{Integer, Number};
use crate::field::operations::work::Work;
use crate::kernel::rank::{Dim, OneLess, without};

/// A shape around one of its axes.
pub(in crate::field) struct AroundAxis {
    pub outer: u64,
    pub length: u64,
    pub inner: u64,
}

impl AroundAxis {
    /// # Errors
    /// [`Error::Slice`] if there is no such axis.
    pub fn of(shape: &[usize], axis: usize) -> Result<AroundAxis> {
        let length = *shape.get(axis).ok_or_else(|| Error::Slice {
            shape: shape.to_vec(),
            reason: format!("there is no axis {axis}"),
        })?;
        let all = |shape: &[usize]| shape.iter().product::<usize>() as u64;
        Ok(AroundAxis {
            outer: all(&shape[..axis]),
            length: length as u64,
            inner: all(&shape[axis + 1..]),
        })
    }

    fn items(&self) -> Items {
        Items::axis(self.outer, self.length, self.inner)
    }
}

impl<T: Number, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The sums along an axis: a field without it. Each is that of [`Field::sum`] in kind: integers wrap, floats of
    /// 16 bits are added up as `f32`, and how the elements are grouped depends on the shape alone. 0 along an axis without positions.
    ///
    /// ```
    /// use ndarray::array;
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<i32, 2>::from_ndarray(&Device::default(), &array![[1, 5, 3], [4, 2, 6]])?;
    /// assert_eq!(u.sum_axis(0)?.to_vec()?, [5, 7, 9]);
    /// assert_eq!(u.sum_axis(1)?.to_vec()?, [9, 12]);
    /// assert_eq!(u.min_axis(0)?.to_vec()?, [1, 2, 3]);
    /// assert_eq!(u.argmax_axis(1)?.to_vec()?, [1, 2]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Slice`] if there is no such axis; [`Error::OutOfMemory`].
    pub fn sum_axis<const E: usize>(&self, axis: usize) -> Result<Field<T, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        along(self, Operation::Sum, axis)
    }

    /// The products along an axis, as [`Field::sum_axis`]; 1 along an axis without positions.
    ///
    /// # Errors
    /// As there.
    pub fn product_axis<const E: usize>(&self, axis: usize) -> Result<Field<T, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        along(self, Operation::Product, axis)
    }

    /// The least elements along an axis: a field without it. NaN is passed over; of NaN alone it is infinity.
    ///
    /// # Errors
    /// As [`Field::sum_axis`]; [`Error::Slice`] too if the axis has no positions.
    pub fn min_axis<const E: usize>(&self, axis: usize) -> Result<Field<T, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.not_empty(axis)?;
        along(self, Operation::Min, axis)
    }

    /// The greatest elements along an axis, as [`Field::min_axis`]; of NaN alone it is minus infinity.
    ///
    /// # Errors
    /// As there.
    pub fn max_axis<const E: usize>(&self, axis: usize) -> Result<Field<T, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.not_empty(axis)?;
        along(self, Operation::Max, axis)
    }

    /// The positions along an axis of the least elements, of several equal ones the first; NaN is passed over if there is
    /// another element. A field without the axis.
    ///
    /// # Errors
    /// As [`Field::min_axis`].
    pub fn argmin_axis<const E: usize>(&self, axis: usize) -> Result<Field<u64, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.extreme_axis(Order::Min, axis)
    }

    /// The positions along an axis of the greatest elements, as [`Field::argmin_axis`].
    ///
    /// # Errors
    /// As there.
    pub fn argmax_axis<const E: usize>(&self, axis: usize) -> Result<Field<u64, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.extreme_axis(Order::Max, axis)
    }

    fn extreme_axis<const E: usize>(&self, order: Order, axis: usize) -> Result<Field<u64, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.not_empty(axis)?;
        self.memory.read()?;
        let items = AroundAxis::of(&self.shape, axis)?.items();
        let mut found = Field::<u64, E, L>::alloc(self.device(), without(self.shape, axis), Init::Uninit)?;
        let values = found.len().saturating_mul(size_of::<T>()).next_multiple_of(8);
        let work = Work::new(self.device(), values, plan::arg_reduce_scratch(&items))?;
        let to = (work.at(0), found.start());
        let launches = plan::arg_reduce(order, T::KIND, self.start(), to, &items, work.at(values));
        // SAFETY: the plan's memory is that of the fields and of the work.
        unsafe { work.run(&launches, self.uses().into_iter().chain(found.uses_mut()))? };
        Ok(found)
    }

    fn not_empty(&self, axis: usize) -> Result<()> {
        match AroundAxis::of(&self.shape, axis)?.length {
            0 => Err(Error::Slice {
                shape: self.shape.to_vec(),
                reason: format!("axis {axis} has no elements of which one is the least or the greatest"),
            }),
            _ => Ok(()),
        }
    }
}

impl<T: Integer, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The elements along an axis joined by bitwise *and*: a field without the axis.
    ///
    /// # Errors
    /// As [`Field::sum_axis`].
    pub fn bit_and_axis<const E: usize>(&self, axis: usize) -> Result<Field<T, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        along(self, Operation::And, axis)
    }

    /// The elements along an axis joined by bitwise *or*, as [`Field::bit_and_axis`].
    ///
    /// # Errors
    /// As [`Field::sum_axis`].
    pub fn bit_or_axis<const E: usize>(&self, axis: usize) -> Result<Field<T, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        along(self, Operation::Or, axis)
    }
}

impl<const D: usize, L: FieldLayout> Field<bool, D, L> {
    /// Whether all elements along an axis are `true`: a field without the axis.
    ///
    /// ```
    /// use ndarray::array;
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<bool, 2>::from_ndarray(&Device::default(), &array![[true, false], [true, true]])?;
    /// assert_eq!(u.all_axis(0)?.to_vec()?, [true, false]);
    /// assert_eq!(u.any_axis(1)?.to_vec()?, [true, true]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Field::sum_axis`].
    pub fn all_axis<const E: usize>(&self, axis: usize) -> Result<Field<bool, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        along(self, Operation::And, axis)
    }

    /// Whether an element along an axis is `true`, as [`Field::all_axis`].
    ///
    /// # Errors
    /// As [`Field::sum_axis`].
    pub fn any_axis<const E: usize>(&self, axis: usize) -> Result<Field<bool, E, L>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        along(self, Operation::Or, axis)
    }
}

fn along<T: Kind, const D: usize, const E: usize, L: FieldLayout>(
    field: &Field<T, D, L>,
    operation: Operation,
    axis: usize,
) -> Result<Field<T, E, L>>
where
    Dim<D>: OneLess<Out = Dim<E>>,
{
    field.memory.read()?;
    let items = AroundAxis::of(&field.shape, axis)?.items();
    let mut results = Field::<T, E, L>::alloc(field.device(), without(field.shape, axis), Init::Uninit)?;
    let work = Work::new(field.device(), 0, plan::reduce_scratch(T::KIND, T::KIND, &items))?;
    let to = (results.start(), T::KIND);
    let launches = plan::reduce(operation, T::KIND, field.start(), to, &items, work.at(0));
    // SAFETY: the plan's memory is that of the fields and of the work.
    unsafe { work.run(&launches, field.uses().into_iter().chain(results.uses_mut()))? };
    Ok(results)
}
