//! Reductions over all ranks, with the same bits for any division.

use std::panic::Location;

use rayon::prelude::*;
use swathe::{Element, FieldLayout};

use crate::error::Result;
use crate::exact::{Accumulator, Ordered, Summable};
use crate::field::{Distributed, part};
use crate::grid::region::Region;

/// Elements that one thread copies and reduces at a time: they stay in its cache.
const PIECE: usize = 1 << 15;

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// Reduces what this rank owns piece by piece, in no order. A device's elements come to the host at once.
    fn reduce<A: Send>(
        &self,
        reduce: impl Fn(Vec<T>) -> Option<A> + Sync,
        join: impl Fn(A, A) -> A + Sync,
    ) -> Result<Option<A>> {
        let block = &self.block;
        let most = if block.device().is_cpu() { PIECE } else { usize::MAX };
        let reduced = self.owned.pieces(most).into_par_iter().map(|region: Region<D>| {
            let values = part::part(block, &region)?.to_vec()?;
            Ok(reduce(values))
        });
        let joined = |one: Option<A>, other: Option<A>| match (one, other) {
            (Some(one), Some(other)) => Some(join(one, other)),
            (one, other) => one.or(other),
        };
        reduced.try_reduce(|| None, |one, other| Ok(joined(one, other)))
    }
}

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
        let sum = |values: Vec<T>| {
            let mut sum = T::Accumulator::default();
            sum.add_all(&values);
            Some(sum)
        };
        let join = |mut sum: T::Accumulator, other: T::Accumulator| {
            sum.merge(&other);
            sum
        };
        let own = self.reduce(sum, join)?.unwrap_or_default();
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
        let own = self.reduce(|values| values.into_iter().reduce(better), better)?;
        let what = format!("{what} in {},", self.name);
        self.grid.world().extreme(&what, own, better, site)
    }
}
