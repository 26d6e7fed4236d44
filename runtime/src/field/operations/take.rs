//! Elements at positions that are given in a field.

use std::ptr::NonNull;

use swathe_device_kernels::Launch;
use swathe_device_kernels::plan::{self, Elements, Positions};

use crate::access::layout::FieldLayout;
use crate::device::undivided::undivided;
use crate::device::{Device, Init};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::bytes_of;
use crate::field::members::part::numbers;
use crate::field::operations::axis::AroundAxis;
use crate::field::operations::number::IndexNumber;
use crate::field::operations::work::{Work, position_of};

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// The elements at positions of row-major order: a field of the positions' shape. As in `numpy.take`, except that negative
    /// positions are refused.
    ///
    /// ```
    /// use ndarray::array;
    /// use swathe::{Device, Field};
    ///
    /// let device = Device::default();
    /// let u = Field::<f32, 2>::from_ndarray(&device, &array![[0.0, 0.1, 0.2], [1.0, 1.1, 1.2]])?;
    /// let positions = Field::<u32>::from_slice(&device, &[5, 0, 0, 4])?;
    /// assert_eq!(u.take(&positions)?.to_vec()?, [1.2, 0.0, 0.0, 1.1]);
    /// // Columns.
    /// let columns = Field::<i64>::from_slice(&device, &[2, 0])?;
    /// assert_eq!(u.select(1, &columns)?.to_ndarray()?, array![[0.2, 0.0], [1.2, 1.0]]);
    ///
    /// let error = u.select(0, &columns).unwrap_err();
    /// assert!(error.to_string().ends_with("the position at [0] is 2, not in 0..2"));
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Position`], [`Error::OtherDevice`], [`Error::OutOfMemory`].
    pub fn take<I: IndexNumber, const E: usize, K: FieldLayout>(
        &self,
        positions: &Field<I, E, K>,
    ) -> Result<Field<T, E, L>> {
        let taken = Field::<T, E, L>::alloc(self.device(), positions.shape(), Init::Uninit)?;
        let all = AroundAxis {
            outer: 1,
            length: self.len() as u64,
            inner: 1,
        };
        self.gather(&all, positions, taken)
    }

    /// The parts at positions along an axis: the shape is this one's, with as many positions along the axis as are given. As
    /// `ndarray`'s `select`, and `numpy.take` along an axis, except that negative positions are refused.
    ///
    /// # Errors
    /// As [`Field::take`]; [`Error::Slice`] if there is no such axis.
    pub fn select<I: IndexNumber, K: FieldLayout>(&self, axis: usize, positions: &Field<I, 1, K>) -> Result<Self> {
        let around = AroundAxis::of(&self.shape, axis)?;
        let mut shape = self.shape;
        shape[axis] = positions.len();
        self.gather(&around, positions, Self::alloc(self.device(), shape, Init::Uninit)?)
    }

    /// Sets the elements at positions of row-major order to those of another field, of the positions' shape. Of several values
    /// for one position the last one stays, in row-major order. As in `numpy.put`, except that negative positions are refused.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let device = Device::default();
    /// let mut u = Field::<i32>::zeros(&device, 5)?;
    /// let positions = Field::<u32>::from_slice(&device, &[3, 1, 3])?;
    /// u.put(&positions, &Field::from_slice(&device, &[10, 20, 30])?)?;
    /// assert_eq!(u.to_vec()?, [0, 20, 0, 30, 0]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Position`], [`Error::Shape`], [`Error::OtherDevice`]; then nothing is written. [`Error::OutOfMemory`]: for each element
    /// of this field 8 bytes are needed for a while.
    pub fn put<I: IndexNumber, const E: usize, K: FieldLayout, M: FieldLayout>(
        &mut self,
        positions: &Field<I, E, K>,
        values: &Field<T, E, M>,
    ) -> Result<()> {
        let what = |field: &Self| format!("putting elements into {}", field.describe());
        if positions.shape() != values.shape() {
            return Err(Error::shape(what(self), positions.shape(), &values.shape()));
        }
        same_device("putting elements", self.device(), positions.device())?;
        same_device("putting elements", self.device(), values.device())?;
        self.memory.write()?;
        positions.memory.read()?;
        values.memory.read()?;
        let (list, length) = (list(positions), self.len());
        if size_of::<T>() == 0 {
            return refuse_of_nothing(positions, length, || what(self));
        }
        let device = self.device().clone();
        let own = (&device, self.memory.raw().place().1);
        undivided(
            [own, positions.memory.raw().place(), values.memory.raw().place()],
            || {
                let last = self.last(list, positions.uses())?;
                refuse(&last, positions, length, || what(self))?;
                match M::PLANAR == L::PLANAR {
                    true => self.scatter(list, positions.uses(), values, &last),
                    false => self.scatter(list, positions.uses(), &values.with_layout(L::default())?, &last),
                }
            },
        )
    }

    fn gather<I: IndexNumber, const E: usize, const F: usize, K: FieldLayout>(
        &self,
        around: &AroundAxis,
        positions: &Field<I, E, K>,
        taken: Field<T, F, L>,
    ) -> Result<Field<T, F, L>> {
        same_device("taking elements", self.device(), positions.device())?;
        self.memory.read()?;
        positions.memory.read()?;
        undivided([self.memory.raw().place(), positions.memory.raw().place()], || {
            self.gather_at_once(around, positions, taken)
        })
    }

    fn gather_at_once<I: IndexNumber, const E: usize, const F: usize, K: FieldLayout>(
        &self,
        around: &AroundAxis,
        positions: &Field<I, E, K>,
        mut taken: Field<T, F, L>,
    ) -> Result<Field<T, F, L>> {
        let list = list(positions);
        let mut failed = Work::new(self.device(), 8, 0)?;
        failed.set(0, u64::MAX)?;
        let parts = self.parts().into_iter().zip(taken.parts());
        let launches: Vec<Launch> = parts
            .filter(|((_, size), _)| size * around.inner > 0)
            .flat_map(|((from, size), (to, _))| {
                let from = Elements {
                    address: from,
                    count: around.length,
                };
                plan::gather(from, list, (to, around.outer), size * around.inner, failed.at(0))
            })
            .collect();
        let length = usize::try_from(around.length).unwrap_or(usize::MAX);
        let what = || format!("taking elements of {}", self.describe());
        if launches.is_empty() {
            return refuse_of_nothing(positions, length, what).map(|()| taken);
        }
        let uses = self.uses().into_iter().chain(positions.uses()).chain(taken.uses_mut());
        // SAFETY: the plan's memory is that of the fields and of the work.
        unsafe { failed.run(&launches, uses)? };
        refuse(&failed, positions, length, what)?;
        Ok(taken)
    }

    /// For each element which of the positions names it last, and which position is wrong.
    fn last(&self, list: Positions, uses: Option<(NonNull<u8>, bool)>) -> Result<Work> {
        let mut notes = Work::zeroed(self.device(), bytes_of(&[self.len().saturating_add(1)], NOTES)?)?;
        notes.set(0, u64::MAX)?;
        let launches = plan::claim(list, (notes.at(NOTES), self.len() as u64), notes.at(0));
        // SAFETY: the plan's memory is that of the positions and of the notes.
        unsafe { notes.run(&launches, uses)? };
        Ok(notes)
    }

    /// Values are in planes if this field is.
    fn scatter<const E: usize, M: FieldLayout>(
        &mut self,
        list: Positions,
        uses: Option<(NonNull<u8>, bool)>,
        values: &Field<T, E, M>,
        last: &Work,
    ) -> Result<()> {
        self.prepare()?;
        let parts = self.parts().into_iter().zip(values.parts());
        let launches: Vec<Launch> = parts
            .filter(|((_, size), _)| *size > 0)
            .flat_map(|((to, size), (from, _))| {
                let to = Elements {
                    address: to,
                    count: self.len() as u64,
                };
                plan::scatter(from, list, to, size, last.at(NOTES))
            })
            .collect();
        let uses = values.uses().into_iter().chain(uses).chain(self.uses_mut());
        // SAFETY: the plan's memory is that of the fields and of the work, and positions are in range.
        unsafe { last.run(&launches, uses) }
    }

    /// Addresses and sizes of what lies one after the other: all elements, or each plane.
    fn parts(&self) -> Vec<(u64, u64)> {
        if !L::PLANAR {
            return vec![(self.start(), size_of::<T>() as u64)];
        }
        let pitch = L::room(self.len()) as u64;
        let plane = |(offset, size): (usize, usize)| (self.start().wrapping_add(pitch * offset as u64), size as u64);
        numbers(&T::ty()).map(plane).collect()
    }
}

/// Where notes who comes last begin: before them is what failed.
const NOTES: usize = 8;

fn list<I: IndexNumber, const E: usize, K: FieldLayout>(positions: &Field<I, E, K>) -> Positions {
    Positions {
        address: positions.start(),
        scalar: I::KIND,
        count: positions.len() as u64,
    }
}

fn same_device(what: &'static str, expected: &Device, got: &Device) -> Result<()> {
    match expected == got {
        true => Ok(()),
        false => Err(Error::OtherDevice {
            what,
            expected: expected.label(),
            got: got.label(),
        }),
    }
}

/// # Errors
/// [`Error::Position`] if the work has noted a wrong position.
fn refuse<I: IndexNumber, const E: usize, K: FieldLayout>(
    work: &Work,
    positions: &Field<I, E, K>,
    length: usize,
    what: impl Fn() -> String,
) -> Result<()> {
    // SAFETY: a number is at the start.
    let failed = unsafe { work.get::<u64>(0)? };
    match failed {
        u64::MAX => Ok(()),
        number => Err(wrong(positions, number, length, what)?),
    }
}

/// The same where nothing is moved: positions have to be right all the same.
fn refuse_of_nothing<I: IndexNumber, const E: usize, K: FieldLayout>(
    positions: &Field<I, E, K>,
    length: usize,
    what: impl Fn() -> String,
) -> Result<()> {
    let mut all = positions.to_vec()?.into_iter();
    match all.position(|position| usize::try_from(position.wide()).map_or(true, |at| at >= length)) {
        Some(number) => Err(wrong(positions, number as u64, length, what)?),
        None => Ok(()),
    }
}

/// What is said of the position of this number.
fn wrong<I: IndexNumber, const E: usize, K: FieldLayout>(
    positions: &Field<I, E, K>,
    number: u64,
    length: usize,
    what: impl Fn() -> String,
) -> Result<Error> {
    let at = position_of(number, positions.shape());
    Ok(Error::Position {
        what: what(),
        at: at.to_vec(),
        position: positions.get(at)?.wide(),
        length,
    })
}
