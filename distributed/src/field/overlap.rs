//! Computing while halos are on their way.

use std::panic::Location;

use swathe::{Element, FieldLayout, FieldViewMut, Layout, OffsetField, OffsetView};

use crate::error::{Error, Result};
use crate::field::{Distributed, Inside, Side, part};

/// An exchange whose messages are on their way. Until it has [finished](Pending::finish) there is no halo to read.
///
/// If it is dropped, the field's next call receives them.
#[must_use = "the halo is there after `finish`"]
pub struct Pending<'a, T: Element, const D: usize, L: FieldLayout> {
    field: &'a mut Distributed<T, D, L>,
}

/// What a rank owns, in parts without an element in common: kernels take each for `&mut OffsetField<T, D>`.
pub struct Rim<'a, T: Element, const D: usize, L: Layout> {
    /// What is `width` or more away from the ends of the block.
    pub inner: OffsetView<FieldViewMut<'a, T, D, L>, D>,
    /// The rest, two parts for each axis.
    pub sides: Vec<OffsetView<FieldViewMut<'a, T, D, L>, D>>,
}

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// Sends what the neighbours need, and does not wait for what they send: a collective call of all ranks.
    ///
    /// Until then a kernel can work on what needs no halo. It reads what this rank owns, [`Pending::inside`], and writes a part of another
    /// field that is as far from the block's ends as it reads: [`Distributed::split_rim`].
    ///
    /// ```
    /// use swathe::prelude::*;
    /// use swathe_distributed::{Grid, Local};
    ///
    /// #[kernel]
    /// fn spread(u: &OffsetField<f64>, v: &mut OffsetField<f64>) {
    ///     for i in v.indices() {
    ///         v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
    ///     }
    /// }
    ///
    /// Local::new(2).run(|world| {
    ///     let grid = Grid::new(world, 12).halo(1).periodic([true]).build()?;
    ///     let (mut u, mut v) = (grid.field(&Device::cpu())?, grid.field(&Device::cpu())?);
    ///     u.fill_with(|[i]| i as f64)?;
    ///     let pending = u.start_exchange()?;
    ///     let mut parts = v.split_rim(1)?;
    ///     spread(&pending.inside()?, &mut parts.inner)?;
    ///     let whole = pending.finish()?;
    ///     for side in &mut parts.sides {
    ///         spread(whole, side)?;
    ///     }
    ///     let all = v.gather(0)?.map(|whole| whole.to_vec()).transpose()?;
    ///     assert!(all.is_none_or(|all| all[..3] == [3.0, 1.0, 2.0] && all[11] == 8.0));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Distributed::shared`].
    #[track_caller]
    pub fn start_exchange(&mut self) -> Result<Pending<'_, T, D, L>> {
        self.start(Location::caller())?;
        Ok(Pending { field: self })
    }

    /// What this rank owns, to write: the part that is `width` or more away from the ends of the block, and the rest.
    ///
    /// # Errors
    /// As [`Distributed::own`].
    pub fn split_rim(&mut self, width: usize) -> Result<Rim<'_, T, D, L::Part>> {
        self.settle()?;
        let mut inner = part::part_mut(&mut self.block, &self.owned)?;
        let mut origin = self.owned.start;
        let mut sides = Vec::with_capacity(2 * D);
        for axis in 0..D {
            let low_length = width.min(self.owned.shape()[axis]);
            let (low, rest) = inner.split_at(axis, low_length)?;
            sides.push(low.with_origin(origin)?);
            origin[axis] += low_length as isize;
            let length = rest.shape()[axis];
            let at = length - width.min(length);
            let (middle, high) = rest.split_at(axis, at)?;
            let mut behind = origin;
            behind[axis] += at as isize;
            sides.push(high.with_origin(behind)?);
            inner = middle;
        }
        Ok(Rim {
            inner: inner.with_origin(origin)?,
            sides,
        })
    }
}

impl<'a, T: Element, const D: usize, L: FieldLayout> Pending<'a, T, D, L> {
    /// What this rank owns, to read. An access to the halo is out of bounds.
    ///
    /// # Errors
    /// None but of the library.
    pub fn inside(&self) -> Result<Inside<'_, T, D, L>> {
        self.field.inside()
    }

    /// Block and halo, after all has arrived.
    ///
    /// # Errors
    /// As [`Distributed::shared`].
    pub fn finish(self) -> Result<&'a OffsetField<T, D, L>> {
        self.field.settle()?;
        Ok(&self.field.block)
    }

    /// The same, after `fill` has filled the cells beyond the grid's ends: [`Distributed::boundary`].
    ///
    /// # Errors
    /// As there.
    pub fn boundary<E>(
        self,
        fill: impl FnMut(Side<'_, T, D, L::Part>) -> Result<(), E>,
    ) -> Result<&'a OffsetField<T, D, L>>
    where
        Error: From<E>,
    {
        self.field.settle()?;
        self.field.fill_boundary(fill)?;
        Ok(&self.field.block)
    }
}
