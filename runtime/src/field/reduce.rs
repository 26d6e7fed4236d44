//! Fields of numbers as a whole: sums and extremes, comparisons, sequences, random numbers.

use std::ptr::NonNull;

use swathe_device_kernels::plan::{self, Items, Operation, Order};
use swathe_device_kernels::{Launch, plan::Scalar as Kind};

use super::Field;
use super::memory::Memory;
use crate::cpu::access::Position;
use crate::cpu::layout::FieldLayout;
use crate::device::{Device, Init};
use crate::element::Element;
use crate::error::{Error, Result};

/// A number of which a whole field can be reduced at once: integers of 8 to 64 bits, `f32`, `f64`.
pub trait Number: Element + PartialEq + PartialOrd + sealed::Number {}

/// An integer of which fields can be filled with a sequence.
pub trait Integer: Number + sealed::Integer {}

/// A float of which fields can be filled with random numbers, and compared within a tolerance: `f32`, `f64`.
pub trait Real: Number + sealed::Real {}

mod sealed {
    use swathe_device_kernels::plan::Scalar;

    pub trait Number {
        const KIND: Scalar;
    }

    pub trait Integer: Number {
        fn bits(self) -> u64;
    }

    pub trait Real: Number {
        fn wide(self) -> f64;
        fn narrow(value: f64) -> Self;
    }
}

macro_rules! numbers {
    ($($t:ident $kind:ident)*) => {$(
        impl sealed::Number for $t {
            const KIND: Kind = Kind::$kind;
        }
        impl Number for $t {}
    )*};
}
numbers!(i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64);

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl sealed::Integer for $t {
            fn bits(self) -> u64 {
                self as u64
            }
        }
        impl Integer for $t {}
    )*};
}
macro_rules! reals {
    ($($t:ident)*) => {$(
        impl sealed::Real for $t {
            fn wide(self) -> f64 {
                self.into()
            }

            fn narrow(value: f64) -> Self {
                value as $t
            }
        }
        impl Real for $t {}
    )*};
}
reals!(f32 f64);
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

/// How far apart two floats may be to count as close: `|a - b| <= absolute + relative * |b|`.
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
    /// The sum of all elements; 0 of none. Integers wrap.
    ///
    /// How the elements are grouped depends on their number alone, so a float sum has the same bits whenever it is taken, on every
    /// device.
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
        self.reduce(Operation::Sum)
    }

    /// The product of all elements; 1 of none. Integers wrap.
    ///
    /// # Errors
    /// Of the device.
    pub fn product(&self) -> Result<T> {
        self.reduce(Operation::Product)
    }

    /// The least element, `None` of none. NaN is passed over if there is another element.
    ///
    /// # Errors
    /// Of the device.
    pub fn min(&self) -> Result<Option<T>> {
        self.extreme(Order::Min).map(|found| found.map(|(value, _)| value))
    }

    /// The greatest element, `None` of none. NaN is passed over if there is another element.
    ///
    /// # Errors
    /// Of the device.
    pub fn max(&self) -> Result<Option<T>> {
        self.extreme(Order::Max).map(|found| found.map(|(value, _)| value))
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

    fn reduce(&self, operation: Operation) -> Result<T> {
        let items = Items::all(self.len() as u64);
        let scratch = plan::reduce_scratch(T::KIND, &items);
        let work = Work::new(self.device(), 8, scratch)?;
        let launches = plan::reduce(operation, T::KIND, self.start(), work.at(0), &items, work.at(8));
        // SAFETY: the plan's memory is that of the field and of the work.
        unsafe {
            work.run(&launches, self.uses())?;
            work.get::<T>(0)
        }
    }

    fn extreme(&self, order: Order) -> Result<Option<(T, [usize; D])>> {
        if self.is_empty() {
            return Ok(None);
        }
        let items = Items::all(self.len() as u64);
        let work = Work::new(self.device(), 16, plan::arg_reduce_scratch(&items))?;
        let to = (work.at(0), work.at(8));
        let launches = plan::arg_reduce(order, T::KIND, self.start(), to, &items, work.at(16));
        // SAFETY: the plan's memory is that of the field and of the work.
        let (value, number) = unsafe {
            work.run(&launches, self.uses())?;
            (work.get::<T>(0)?, work.get::<u64>(8)?)
        };
        let mut rest = usize::try_from(number).unwrap_or(0);
        let mut position = [0; D];
        for (i, n) in position.iter_mut().zip(self.shape()).rev() {
            (*i, rest) = (rest % n, rest / n);
        }
        Ok(Some((value, position)))
    }

    /// Scalars lie one after the other in either layout.
    fn start(&self) -> u64 {
        self.address().expose_provenance() as u64
    }

    fn uses(&self) -> Option<(NonNull<u8>, bool)> {
        NonNull::new(self.address())
            .filter(|_| !self.is_empty())
            .map(|at| (at, false))
    }

    fn uses_mut(&mut self) -> Option<(NonNull<u8>, bool)> {
        self.uses().map(|(at, _)| (at, true))
    }

    /// # Safety
    /// The launches write to this field alone.
    unsafe fn write(&mut self, launches: &[Launch]) -> Result<()> {
        let Some(uses) = self.uses_mut() else { return Ok(()) };
        // SAFETY: by the caller's word; the field is borrowed exclusively.
        unsafe { self.device().backend().run(launches, &[uses]) }
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
        let sum = self.sum()?.wide();
        Ok(Some(T::narrow(sum / self.len() as f64)))
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
    /// what `Rng::new(seed, i).range_f32(low, high)` gives in a kernel, or `range_f64`.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill_uniform(&mut self, seed: u64, low: T, high: T) -> Result<()> {
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
        let launches = plan::iota(T::KIND, self.start(), self.len() as u64, start.bits(), step.bits());
        // SAFETY: the plan writes this field's elements.
        unsafe { self.write(&launches) }
    }
}

/// Memory for results and for what comes between.
struct Work(Memory);

impl Work {
    fn new(device: &Device, results: usize, scratch: u64) -> Result<Work> {
        let bytes = results.saturating_add(usize::try_from(scratch).unwrap_or(usize::MAX));
        Ok(Work(Memory::alloc(device, bytes, Init::Uninit)?))
    }

    fn at(&self, offset: usize) -> u64 {
        self.0.address().wrapping_add(offset).expose_provenance() as u64
    }

    /// # Safety
    /// As for `Backend::run`, where this memory may be written.
    unsafe fn run(&self, launches: &[Launch], uses: impl IntoIterator<Item = (NonNull<u8>, bool)>) -> Result<()> {
        let own = NonNull::new(self.0.address()).map(|at| (at, true));
        let uses: Vec<_> = uses.into_iter().chain(own).collect();
        // SAFETY: by the caller's word.
        unsafe { self.0.device().backend().run(launches, &uses) }
    }

    fn set(&mut self, offset: usize, value: u64) -> Result<()> {
        // SAFETY: the callers stay inside of the results.
        unsafe { self.0.upload(offset, (&raw const value).cast(), size_of::<u64>()) }
    }

    /// # Safety
    /// A `T` was written at the offset.
    unsafe fn get<T: Element>(&self, offset: usize) -> Result<T> {
        let mut value = std::mem::MaybeUninit::<T>::uninit();
        // SAFETY: by the caller's word.
        unsafe {
            self.0.download(value.as_mut_ptr().cast(), offset, size_of::<T>())?;
            Ok(value.assume_init())
        }
    }
}
