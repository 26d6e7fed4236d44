//! Prefix sums of fields.

use swathe_device_kernels::plan::{self, Lanes};

use crate::access::layout::FieldLayout;
use crate::device::Init;
use crate::error::Result;
use crate::field::Field;
use crate::field::operations::axis::AroundAxis;
use crate::field::operations::number::Number;
use crate::field::operations::work::Work;

impl<T: Number, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The sums of all elements up to each one, itself included, in row-major order. Integers wrap. Floats of 16 bits are added
    /// up as `f32`, for which a field of as many `f32` is made for a while.
    ///
    /// The order of the additions depends on the shape alone, so a float's bits are the same on every device.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let counts = Field::<u32>::from_slice(&Device::default(), &[3, 0, 2, 5])?;
    /// assert_eq!(counts.cumsum()?.to_vec()?, [3, 3, 5, 10]);
    /// // Where the items of each bin begin.
    /// assert_eq!(counts.cumsum_exclusive()?.to_vec()?, [0, 3, 3, 5]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OutOfMemory`](crate::Error::OutOfMemory), and those of the device.
    pub fn cumsum(&self) -> Result<Self> {
        self.scan(Lanes::all(self.len() as u64), true)
    }

    /// As [`Field::cumsum`], of the elements before each one: it begins with 0.
    ///
    /// # Errors
    /// As there.
    pub fn cumsum_exclusive(&self) -> Result<Self> {
        self.scan(Lanes::all(self.len() as u64), false)
    }

    /// As [`Field::cumsum`], along an axis.
    ///
    /// ```
    /// use ndarray::array;
    /// use swathe::{Device, Field};
    ///
    /// let u = Field::<i32, 2>::from_ndarray(&Device::default(), &array![[1, 2, 3], [4, 5, 6]])?;
    /// assert_eq!(u.cumsum_axis(0)?.to_ndarray()?, array![[1, 2, 3], [5, 7, 9]]);
    /// assert_eq!(u.cumsum_exclusive_axis(1)?.to_ndarray()?, array![[0, 1, 3], [0, 4, 9]]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there; [`Error::Slice`](crate::Error::Slice) if there is no such axis.
    pub fn cumsum_axis(&self, axis: usize) -> Result<Self> {
        self.scan(self.lanes(axis)?, true)
    }

    /// As [`Field::cumsum_exclusive`], along an axis.
    ///
    /// # Errors
    /// As [`Field::cumsum_axis`].
    pub fn cumsum_exclusive_axis(&self, axis: usize) -> Result<Self> {
        self.scan(self.lanes(axis)?, false)
    }

    fn lanes(&self, axis: usize) -> Result<Lanes> {
        let AroundAxis { outer, length, inner } = AroundAxis::of(&self.shape, axis)?;
        Ok(Lanes { outer, length, inner })
    }

    fn scan(&self, lanes: Lanes, inclusive: bool) -> Result<Self> {
        let mut sums = Self::alloc(self.device(), self.shape, Init::Uninit)?;
        self.memory.read()?;
        let work = Work::new(self.device(), 0, plan::scan_scratch(T::KIND, &lanes))?;
        let launches = plan::scan(T::KIND, self.start(), sums.start(), &lanes, inclusive, work.at(0));
        // SAFETY: the plan's memory is that of the fields and of the work.
        unsafe { work.run(&launches, self.uses().into_iter().chain(sums.uses_mut()))? };
        Ok(sums)
    }
}
