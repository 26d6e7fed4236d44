//! Cells beyond the ends of a grid.

use std::panic::Location;

use swathe::{Element, FieldLayout, FieldView, FieldViewMut, Layout, OffsetField, OffsetView};

use crate::error::{Error, Result};
use crate::field::Distributed;
use crate::grid::region::Region;

/// One of the two ends of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// In front of position 0.
    Low,
    /// Behind the last position.
    High,
}

/// The cells beyond an end of an axis that is not periodic, on a rank whose block ends there.
pub struct Side<'a, T: Element, const D: usize, L: Layout> {
    /// The axis.
    pub axis: usize,
    /// Which end of it.
    pub end: End,
    /// The cells, to be written; along the other axes with this rank's halo. Kernels take it for `&mut OffsetField<T, D>`.
    pub beyond: OffsetView<FieldViewMut<'a, T, D, L>, D>,
    /// The rest of this rank's block and halo, to read. Kernels take it for `&OffsetField<T, D>`.
    pub rest: OffsetView<FieldView<'a, T, D, L>, D>,
}

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// Block and halo, after the halo has been brought up to date and `fill` has filled the cells beyond the ends of the grid: a collective
    /// call of all ranks, and the same as [`Distributed::shared`] otherwise.
    ///
    /// `fill` is called for each end of an axis at which this rank's block ends, axis by axis. At the corners the last axis has the last word.
    ///
    /// ```
    /// use swathe::prelude::*;
    /// use swathe_distributed::{Grid, Local};
    ///
    /// /// Nothing flows through the ends.
    /// #[kernel]
    /// fn mirror(u: &OffsetField<f64>, beyond: &mut OffsetField<f64>, low: isize, high: isize) {
    ///     for i in beyond.indices() {
    ///         beyond[i] = u[i.max(low).min(high)];
    ///     }
    /// }
    ///
    /// #[kernel]
    /// fn spread(u: &OffsetField<f64>, v: &mut OffsetField<f64>) {
    ///     for i in v.indices() {
    ///         v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
    ///     }
    /// }
    ///
    /// let sums = Local::new(3).run(|world| {
    ///     let grid = Grid::new(world, 7).halo(1).build()?;
    ///     let (mut u, mut v) = (grid.field(&Device::cpu())?, grid.field(&Device::cpu())?);
    ///     u.fill_with(|[i]| if i == 0 { 64.0 } else { 0.0 })?;
    ///     for _ in 0..3 {
    ///         let whole = u.boundary(|mut side| mirror(&side.rest, &mut side.beyond, 0, 6))?;
    ///         spread(whole, &mut v.own()?)?;
    ///         std::mem::swap(&mut u, &mut v);
    ///     }
    ///     u.sum()
    /// })?;
    /// assert_eq!(sums, [64.0; 3]);
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there, and those of `fill`.
    #[track_caller]
    pub fn boundary<E>(
        &mut self,
        fill: impl FnMut(Side<'_, T, D, L::Part>) -> Result<(), E>,
    ) -> Result<&OffsetField<T, D, L>>
    where
        Error: From<E>,
    {
        self.exchange(Location::caller())?;
        self.fill_boundary(fill)?;
        Ok(&self.block)
    }

    pub(super) fn fill_boundary<E>(
        &mut self,
        mut fill: impl FnMut(Side<'_, T, D, L::Part>) -> Result<(), E>,
    ) -> Result<()>
    where
        Error: From<E>,
    {
        debug_assert!(self.is_exchanged());
        let width = self.grid.halo();
        let all = Region {
            start: self.block.origin(),
            end: self.owned.grown(width).end,
        };
        for (axis, end) in self.ends() {
            if width == 0 {
                break;
            }
            let (mut beyond, mut rest) = (all, all);
            let view = self.block.field_mut().view_mut()?;
            let (beyond_view, rest_view) = match end {
                End::Low => {
                    beyond.end[axis] = self.owned.start[axis];
                    rest.start[axis] = beyond.end[axis];
                    view.split_at(axis, width)?
                }
                End::High => {
                    beyond.start[axis] = self.owned.end[axis];
                    let at = view.shape()[axis] - width;
                    let (rest, beyond) = view.split_at(axis, at)?;
                    (beyond, rest)
                }
            };
            let side = Side {
                axis,
                end,
                beyond: beyond_view.with_origin(beyond.start)?,
                rest: rest_view.view().with_origin(rest.start)?,
            };
            let filled = fill(side);
            // Only cells that nobody else has were written.
            self.exchanged = Some(self.block.field().write_count());
            filled?;
        }
        Ok(())
    }

    /// The ends of the grid at which this rank's block ends.
    fn ends(&self) -> Vec<(usize, End)> {
        let block = self.grid.block(self.grid.world().rank());
        let mut ends = Vec::new();
        for (k, axis) in self.grid.axes().iter().enumerate().filter(|(_, axis)| !axis.periodic) {
            if block[k] == 0 {
                ends.push((k, End::Low));
            }
            if block[k] + 1 == axis.blocks {
                ends.push((k, End::High));
            }
        }
        ends
    }
}
