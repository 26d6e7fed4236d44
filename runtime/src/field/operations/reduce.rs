//! Fields of numbers as a whole: sums and extremes, comparisons, sequences, random numbers.

use swathe_device_kernels::plan::{self, Items, Operation, Order, Scalar};

use crate::access::Position;
use crate::access::layout::FieldLayout;
use crate::device::{Device, Init};
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::operations::number::sealed::Kind;
use crate::field::operations::number::{Integer, Number, Real};
use crate::field::operations::work::{Work, position_of};
use crate::recording;

/// How far apart two floats may be to count as close: equal ones are, infinities too, and others if both are finite and
/// `|a - b| <= absolute + relative * |b|`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Times the size of the second.
    pub relative: f64,
    /// In addition.
    pub absolute: f64,
    /// Whether NaN is close to NaN.
    pub equal_nan: bool,
}

impl Default for Tolerance {
    /// As `numpy.allclose` has it: 1e-5 and 1e-8.
    fn default() -> Self {
        Tolerance {
            relative: 1e-5,
            absolute: 1e-8,
            equal_nan: false,
        }
    }
}

impl<T: Number, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The sum of all elements; 0 of none. Integers wrap. Floats of 16 bits are added up as `f32`, and the sum is rounded once: in
    /// 16 bits, a sum of ones would stop at 2048 for `f16`, at 256 for `bf16`.
    ///
    /// How the elements are grouped depends on their number alone, so a float sum has the same bits whenever it is taken, on every
    /// device. It begins with 0, so that of -0 alone is 0.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::from_fn(&Device::default(), [30, 40], |[i, j]| (i * j) as f64)?;
    /// assert_eq!(u.sum()?, 435.0 * 780.0);
    /// assert_eq!((u.min()?, u.max()?), (Some(0.0), Some(29.0 * 39.0)));
    /// assert_eq!(u.argmax()?, Some([29, 39]));
    /// assert_eq!(u.mean()?, Some(435.0 * 780.0 / 1200.0));
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of the device.
    pub fn sum(&self) -> Result<T> {
        match recording::is_recording() {
            true => crate::field::recorded::linear::sum(self, || reduced(self, Operation::Sum)),
            false => reduced(self, Operation::Sum),
        }
    }

    /// The product of all elements; 1 of none. Integers wrap; floats as in [`Field::sum`].
    ///
    /// # Errors
    /// Of the device.
    pub fn product(&self) -> Result<T> {
        reduced(self, Operation::Product)
    }

    /// The least element, `None` of none. NaN is passed over if there is another element.
    ///
    /// # Errors
    /// Of the device.
    pub fn min(&self) -> Result<Option<T>> {
        self.value_of(Operation::Min, Order::Min)
    }

    /// The greatest element, `None` of none. NaN is passed over if there is another element.
    ///
    /// # Errors
    /// Of the device.
    pub fn max(&self) -> Result<Option<T>> {
        self.value_of(Operation::Max, Order::Max)
    }

    /// The position of the least element, of several equal ones that of the first in row-major order; `None` without elements.
    ///
    /// # Errors
    /// Of the device.
    pub fn argmin(&self) -> Result<Option<[usize; D]>> {
        self.extreme(Order::Min)
            .map(|found| found.map(|(_, position)| position))
    }

    /// The position of the greatest element, as [`Field::argmin`].
    ///
    /// # Errors
    /// Of the device.
    pub fn argmax(&self) -> Result<Option<[usize; D]>> {
        self.extreme(Order::Max)
            .map(|found| found.map(|(_, position)| position))
    }

    fn value_of(&self, operation: Operation, order: Order) -> Result<Option<T>> {
        if self.is_empty() {
            return Ok(None);
        }
        let value: T = reduced(self, operation)?;
        if value.is_infinite() {
            // Perhaps of NaN alone.
            return self.extreme(order).map(|found| found.map(|(value, _)| value));
        }
        Ok(Some(value))
    }

    fn extreme(&self, order: Order) -> Result<Option<(T, [usize; D])>> {
        if self.is_empty() {
            return Ok(None);
        }
        self.memory.read()?;
        let items = Items::all(self.len() as u64);
        let work = Work::new(self.device(), 16, plan::arg_reduce_scratch(&items))?;
        let to = (work.at(0), work.at(8));
        let launches = plan::arg_reduce(order, T::KIND, self.start(), to, &items, work.at(16));
        // SAFETY: the plan's memory is that of the field and of the work.
        let (value, number) = unsafe {
            work.run(&launches, self.uses())?;
            (work.get::<T>(0)?, work.get::<u64>(8)?)
        };
        Ok(Some((value, position_of(number, self.shape))))
    }
}

impl<T: Real, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The sum divided by the number of elements; `None` without elements.
    ///
    /// # Errors
    /// Of the device.
    pub fn mean(&self) -> Result<Option<T>> {
        if self.is_empty() {
            return Ok(None);
        }
        let count = self.len() as f64;
        let mean = match T::KIND.wide() {
            Scalar::F32 => f64::from(wide::<T, f32, D, L>(self, Operation::Sum)?) / count,
            _ => wide::<T, f64, D, L>(self, Operation::Sum)? / count,
        };
        Ok(Some(T::narrow(mean)))
    }

    /// Whether the elements of two fields of one shape and device are close. The bound is one-sided: see [`Tolerance`].
    ///
    /// ```
    /// use swathe::{Device, Field, Tolerance};
    ///
    /// let u = Field::full(&Device::default(), 100, 1.0_f32)?;
    /// let v = Field::full(&Device::default(), 100, 1.000_001_f32)?;
    /// assert!(u.all_close(&v, Tolerance::default())?);
    /// assert!(!u.all_close(&v, Tolerance { relative: 1e-7, ..Tolerance::default() })?);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Shape`]; those of the device.
    pub fn all_close<K: FieldLayout>(&self, other: &Field<T, D, K>, tolerance: Tolerance) -> Result<bool> {
        if self.shape() != other.shape() {
            let what = format!("comparing {} with {}", self.describe(), other.describe());
            return Err(Error::shape(what, self.shape(), &other.shape()));
        }
        if self.device() != other.device() {
            let mut here = Field::<T, D>::alloc(self.device(), self.shape(), Init::Uninit)?;
            here.copy_from(other)?;
            return self.all_close(&here, tolerance);
        }
        self.memory.read()?;
        other.memory.read()?;
        let tolerance = plan::Tolerance {
            relative: tolerance.relative,
            absolute: tolerance.absolute,
            equal_nan: tolerance.equal_nan,
        };
        let mut work = Work::new(self.device(), 8, 0)?;
        work.set(0, u64::MAX)?;
        let count = self.len() as u64;
        let launches = plan::close(T::KIND, self.start(), other.start(), count, tolerance, work.at(0));
        // SAFETY: the plan's memory is that of the fields and of the work.
        unsafe {
            work.run(&launches, self.uses().into_iter().chain(other.uses()))?;
            Ok(work.get::<u64>(0)? == u64::MAX)
        }
    }

    /// Sets all elements to random numbers from `low` to `high`, which rounding may reach. Element `i`, in row-major order, is
    /// what `Rng::new(seed, i).range_f32(low, high)` gives in a kernel, or `range_f64` for `f64`; floats of 16 bits are rounded from
    /// `f32`. The bounds are finite; their distance may be beyond all numbers.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill_uniform(&mut self, seed: u64, low: T, high: T) -> Result<()> {
        self.memory.write()?;
        self.prepare()?;
        let bounds = (low.wide(), high.wide());
        let launches = plan::uniform(T::KIND, self.start(), self.len() as u64, (seed, 0), bounds);
        // SAFETY: the plan writes this field's elements.
        unsafe { self.write(&launches) }
    }
}

impl<T: Real> Field<T> {
    /// `count` numbers at equal distances from `start` to `last`, both included.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`], [`Error::OutOfMemory`].
    pub fn linspace(device: &Device, start: T, last: T, count: usize) -> Result<Self> {
        let mut field = Field::alloc(device, count.axes(), Init::Uninit)?;
        let launches = plan::linspace(T::KIND, field.start(), count as u64, start.wide(), last.wide());
        // SAFETY: the plan writes this field's elements.
        unsafe { field.write(&launches)? };
        Ok(field)
    }
}

impl<T: Integer, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Sets element `i`, in row-major order, to `start + i * step`. Wraps.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let mut u = Field::<i16, 2>::zeros(&Device::default(), [2, 3])?;
    /// u.fill_sequence(10, -2)?;
    /// assert_eq!(u.to_vec()?, [10, 8, 6, 4, 2, 0]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of the device.
    pub fn fill_sequence(&mut self, start: T, step: T) -> Result<()> {
        self.memory.write()?;
        self.prepare()?;
        let launches = plan::iota(T::KIND, self.start(), self.len() as u64, start.bits(), step.bits());
        // SAFETY: the plan writes this field's elements.
        unsafe { self.write(&launches) }
    }
}

impl<T: Integer, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// All elements joined by bitwise *and*; all bits of none.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<u8>::from_slice(&Device::default(), &[0b1110, 0b0111])?;
    /// assert_eq!((u.bit_and()?, u.bit_or()?), (0b0110, 0b1111));
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of the device.
    pub fn bit_and(&self) -> Result<T> {
        reduced(self, Operation::And)
    }

    /// All elements joined by bitwise *or*; 0 of none.
    ///
    /// # Errors
    /// Of the device.
    pub fn bit_or(&self) -> Result<T> {
        reduced(self, Operation::Or)
    }
}

impl<const D: usize, L: FieldLayout> Field<bool, D, L> {
    /// Whether all elements are `true`; so it is of none.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::from_fn(&Device::default(), 10, |[i]| i > 0)?;
    /// assert!(u.any()? && !u.all()?);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// Of the device.
    pub fn all(&self) -> Result<bool> {
        reduced(self, Operation::And)
    }

    /// Whether an element is `true`; none is if there are none.
    ///
    /// # Errors
    /// Of the device.
    pub fn any(&self) -> Result<bool> {
        reduced(self, Operation::Or)
    }
}

/// All elements as one of their type.
fn reduced<T: Kind, const D: usize, L: FieldLayout>(field: &Field<T, D, L>, operation: Operation) -> Result<T> {
    wide::<T, T, D, L>(field, operation)
}

/// All elements as one of type `R`: the elements' type, or the one they are computed with.
fn wide<T: Kind, R: Kind, const D: usize, L: FieldLayout>(field: &Field<T, D, L>, operation: Operation) -> Result<R> {
    field.memory.read()?;
    let items = Items::all(field.len() as u64);
    let scratch = plan::reduce_scratch(T::KIND, R::KIND, &items);
    let work = Work::new(field.device(), 8, scratch)?;
    let to = (work.at(0), R::KIND);
    let launches = plan::reduce(operation, T::KIND, field.start(), to, &items, work.at(8));
    // SAFETY: the plan's memory is that of the field and of the work.
    unsafe {
        work.run(&launches, field.uses())?;
        work.get::<R>(0)
    }
}
