//! Reductions over all ranks, with the same bits for any division.

use std::panic::Location;

use rayon::prelude::*;
use swathe::FieldLayout;

use crate::error::Result;
use crate::exact::{Accumulator, Ordered, Summable};
use crate::field::Distributed;

/// Elements that one thread takes at a time.
const CHUNK: usize = 1 << 14;

impl<T: Summable, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// The sum of all elements of the whole field, on every rank: a collective call.
    ///
    /// Of floats it is the exact sum, rounded once, and so the same bits however the grid is divided: [`Summable`]. Elements are
    /// copied to the host for it.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn sum(&self) -> Result<T> {
        let site = Location::caller();
        let world = self.grid.world();
        let values = self.inside()?.into_part().to_vec()?;
        let own = values
            .par_chunks(CHUNK)
            .map(|values| {
                let mut sum = T::Accumulator::default();
                values.iter().for_each(|value| sum.add(*value));
                sum
            })
            .reduce(T::Accumulator::default, |mut sum, other| {
                sum.merge(&other);
                sum
            });
        let sums = world.sums::<T>(&format!("sum of {}", self.name), vec![own], site)?;
        Ok(sums[0])
    }
}

impl<T: Ordered, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// The least element of the whole field, on every rank; `None` without elements. A collective call.
    ///
    /// NaN is passed over if there is another element; -0 is less than 0. Elements are copied to the host for it.
    ///
    /// # Errors
    /// As [`Distributed::sum`].
    #[track_caller]
    pub fn min(&self) -> Result<Option<T>> {
        self.best("min", T::least, Location::caller())
    }

    /// The greatest element of the whole field: as [`Distributed::min`].
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn max(&self) -> Result<Option<T>> {
        self.best("max", T::greatest, Location::caller())
    }

    fn best(&self, what: &str, better: fn(T, T) -> T, site: &'static Location<'static>) -> Result<Option<T>> {
        let values = self.inside()?.into_part().to_vec()?;
        let own = values.into_par_iter().with_min_len(CHUNK).reduce_with(better);
        let what = format!("{what} in {},", self.name);
        self.grid.world().extreme(&what, own, better, site)
    }
}
