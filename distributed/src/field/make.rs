//! Fields of a grid.

use std::panic::Location;

use swathe::{Aos, Device, Element, FieldLayout};

use crate::error::Result;
use crate::field::Distributed;
use crate::grid::{At, Grid};

impl<const D: usize> Grid<D> {
    /// A field with an element in each cell, zeros, this rank's part of it on `device`. Every rank makes the same fields in the same order.
    ///
    /// # Errors
    /// Of the device.
    #[track_caller]
    pub fn field<T: Element>(&self, device: &Device) -> Result<Distributed<T, D>> {
        self.field_with(device, [At::Cell; D], Aos)
    }

    /// As [`Grid::field`], of a staggered grid.
    ///
    /// ```
    /// use swathe::Device;
    /// use swathe_distributed::{At, Grid, Local};
    ///
    /// let flows = Local::new(2).run(|world| {
    ///     let grid = Grid::new(world, [4, 6]).halo(1).build()?;
    ///     let mut flow = grid.field_at::<f32>(&Device::cpu(), [At::Face, At::Cell])?;
    ///     flow.fill(1.0)?;
    ///     flow.sum()
    /// })?;
    /// assert_eq!(flows, [30.0, 30.0]);
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn field_at<T: Element>(&self, device: &Device, at: [At; D]) -> Result<Distributed<T, D>> {
        self.field_with(device, at, Aos)
    }

    /// As [`Grid::field_at`], in a layout: [`Aos`] or [`Soa`](swathe::Soa).
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn field_with<T: Element, L: FieldLayout>(
        &self,
        device: &Device,
        at: [At; D],
        layout: L,
    ) -> Result<Distributed<T, D, L>> {
        let site = Location::caller();
        let [grid, number] = self.next_field();
        let name = format!(
            "field {number} of grid {grid}, `{}`, made at {}:{}:{}",
            T::ty(),
            site.file(),
            site.line(),
            site.column()
        );
        Distributed::new(self.clone(), device, at, layout, name)
    }
}
