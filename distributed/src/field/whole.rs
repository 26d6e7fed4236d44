//! Whole fields on one rank: gather and scatter.

use std::panic::Location;

use swathe::{Element, Field, FieldLayout};

use crate::collective::message_error;
use crate::error::{Error, Result};
use crate::field::part::{cut, cut_mut};
use crate::field::{Distributed, part};
use crate::grid::region::Region;

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    /// The whole field on the rank `root`, on the device of its part; `None` on the others. A collective call.
    ///
    /// # Errors
    /// [`Error::Rank`], those of ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn gather(&self, root: usize) -> Result<Option<Field<T, D>>> {
        let (world, site) = (self.grid.world(), Location::caller());
        let what = format!("gather of {} on rank {root}", self.name);
        world.check(&what, root)?;
        world.collective(&what, site, |operation| {
            let mut own = Vec::new();
            part::pack(&self.block, &self.owned, &self.plain, &mut own)?;
            let Some(parts) = world.collect(operation, root, own)? else {
                return Ok(None);
            };
            let mut whole = Field::<T, D>::zeros(self.device(), self.shape())?;
            for (rank, bytes) in parts.iter().enumerate() {
                let owned = self.grid.owned(&self.at, rank);
                let values = self
                    .plain
                    .unpack::<T>(bytes, owned.len())
                    .map_err(|reason| message_error(operation, rank, reason))?;
                let values = Field::<T>::from_vec(self.device(), values)?.into_shape(owned.shape())?;
                cut_mut(whole.view_mut()?, start(&owned), owned.shape())?.copy_from(&values.view())?;
            }
            Ok(Some(whole))
        })
    }

    /// Sets all elements from a whole field on the rank `root`; the others pass `None`. A collective call.
    ///
    /// ```
    /// use swathe::{Device, Field};
    /// use swathe_distributed::{Grid, Local};
    ///
    /// let sums = Local::new(3).run(|world| {
    ///     let grid = Grid::new(world, [5, 7]).build()?;
    ///     let mut u = grid.field::<i32>(&Device::cpu())?;
    ///     let whole = match world.rank() {
    ///         0 => Some(Field::from_fn(&Device::cpu(), [5, 7], |[i, j]| (10 * i + j) as i32)?),
    ///         _ => None,
    ///     };
    ///     u.scatter(0, whole.as_ref())?;
    ///     u.sum()
    /// })?;
    /// assert_eq!(sums, [7 * 100 + 5 * 21; 3]);
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] on `root` if there is no field, or one of another shape; else as [`Distributed::gather`].
    #[track_caller]
    pub fn scatter<K: FieldLayout>(&mut self, root: usize, whole: Option<&Field<T, D, K>>) -> Result<()> {
        let (world, site) = (self.grid.world().clone(), Location::caller());
        let what = format!("scatter of {} from rank {root}", self.name);
        world.check(&what, root)?;
        self.settle()?;
        world.collective(&what, site, |operation| {
            if world.rank() != root {
                let bytes = world.receive(operation, root)?;
                let values = self.plain.unpack(&bytes, self.owned.len());
                let values = values.map_err(|reason| message_error(operation, root, reason))?;
                return part::put(&mut self.block, &self.owned, values);
            }
            let wrong = |got: String| Error::Argument {
                what: what.clone(),
                expected: format!("a field of shape {:?} on that rank", self.shape()),
                got,
            };
            let whole = whole.ok_or_else(|| wrong("none".to_owned()))?;
            if whole.shape() != self.shape() {
                return Err(wrong(whole.describe()));
            }
            for rank in world.others() {
                let owned = self.grid.owned(&self.at, rank);
                let values = cut(whole.view(), start(&owned), owned.shape())?.to_vec()?;
                world.send(operation, rank, |message| {
                    self.plain.pack(&values, message);
                    Ok(())
                })?;
            }
            let own = cut(whole.view(), start(&self.owned), self.owned.shape())?;
            part::part_mut(&mut self.block, &self.owned)?.copy_from(&own)?;
            Ok(())
        })
    }

    /// Sets what this rank owns from a whole field that it has. No call of all ranks.
    ///
    /// # Errors
    /// [`Error::Argument`] if the shapes differ.
    pub fn copy_from_whole<K: FieldLayout>(&mut self, whole: &Field<T, D, K>) -> Result<()> {
        if whole.shape() != self.shape() {
            return Err(Error::Argument {
                what: format!("setting {} from a whole field", self.name),
                expected: format!("shape {:?}", self.shape()),
                got: whole.describe(),
            });
        }
        self.settle()?;
        let own = cut(whole.view(), start(&self.owned), self.owned.shape())?;
        part::part_mut(&mut self.block, &self.owned)?.copy_from(&own)?;
        Ok(())
    }
}

fn start<const D: usize>(region: &Region<D>) -> [usize; D] {
    region.start.map(|start| start.unsigned_abs())
}
