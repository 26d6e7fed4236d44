//! The same elements on another grid.

use std::panic::Location;

use swathe::{Aos, Device, Element, FieldLayout};

use crate::collective::message_error;
use crate::error::{Error, Result};
use crate::field::{Distributed, part};
use crate::grid::Grid;
use crate::world::Operation;

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// A field with the same elements on another grid of the same shape, and, if it is staggered, at the same places: a collective call.
    ///
    /// Each rank sends to each other one what that one owns there.
    ///
    /// ```
    /// use swathe::Device;
    /// use swathe_distributed::{Grid, Local};
    ///
    /// Local::new(4).run(|world| {
    ///     let rows = Grid::new(world, [8, 6]).ranks([4, 1]).build()?;
    ///     let columns = Grid::new(world, [8, 6]).ranks([1, 4]).build()?;
    ///     let mut u = rows.field::<i32>(&Device::cpu())?;
    ///     u.fill_with(|[i, j]| (10 * i + j) as i32)?;
    ///     let v = u.reshard(&columns, &Device::cpu())?;
    ///     assert_eq!(v.inside()?.into_part().get([7, 0])?, 70 + v.ranges()[1].start as i32);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the shapes or the worlds differ; those of ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn reshard(&self, grid: &Grid<D>, device: &Device) -> Result<Distributed<T, D>> {
        let mut field = grid.field_with(device, self.at, Aos)?;
        field.copy_at(self, Location::caller())?;
        Ok(field)
    }

    /// Sets all elements to those of a field of the same shape, on this grid or another one: a collective call.
    ///
    /// # Errors
    /// As [`Distributed::reshard`].
    #[track_caller]
    pub fn copy_from<K: FieldLayout>(&mut self, from: &Distributed<T, D, K>) -> Result<()> {
        self.copy_at(from, Location::caller())
    }

    fn copy_at<K: FieldLayout>(&mut self, from: &Distributed<T, D, K>, site: &'static Location<'static>) -> Result<()> {
        let what = format!("copying {} to {}", from.name, self.name);
        let world = self.grid.world().clone();
        if !world.is(from.grid.world()) {
            return Err(Error::Argument {
                what,
                expected: "fields of one world".to_owned(),
                got: "fields of two".to_owned(),
            });
        }
        if self.shape() != from.shape() {
            return Err(Error::Argument {
                what,
                expected: format!("shape {:?}", self.shape()),
                got: format!("shape {:?}", from.shape()),
            });
        }
        self.settle()?;
        world.collective(&what, site, |operation| self.copy_boxes(operation, from))
    }

    fn copy_boxes<K: FieldLayout>(&mut self, operation: &Operation, from: &Distributed<T, D, K>) -> Result<()> {
        let world = self.grid.world().clone();
        for rank in world.others() {
            let common = from.owned.meet(&self.grid.owned(&self.at, rank));
            if !common.is_empty() {
                world.send(operation, rank, |message| {
                    part::pack(&from.block, &common, &self.plain, message)
                })?;
            }
        }
        let own = from.owned.meet(&self.owned);
        if !own.is_empty() {
            let values = part::part(&from.block, &own)?;
            if values.device() == self.block.device() {
                part::part_mut(&mut self.block, &own)?.copy_from(&values)?;
            } else {
                part::put(&mut self.block, &own, values.to_vec()?)?;
            }
        }
        for rank in world.others() {
            let common = self.owned.meet(&from.grid.owned(&from.at, rank));
            if !common.is_empty() {
                let message = world.receive(operation, rank)?;
                let values = self.plain.unpack(&message, common.len());
                let values = values.map_err(|reason| message_error(operation, rank, reason))?;
                part::put(&mut self.block, &common, values)?;
            }
        }
        Ok(())
    }
}
