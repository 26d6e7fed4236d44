//! Particles that move among the ranks of a grid.

use std::panic::Location;

use swathe::{Aos, Device, Element, Field, FieldLayout};

use crate::error::{Error, Result};
use crate::exact::{Accumulator, Summable};
use crate::grid::Grid;

/// Elements that each belong to a cell of a [`Grid`], and live on the rank that owns it.
///
/// Kernels work on this rank's elements as on any field, [`field`](Particles::field) and [`field_mut`](Particles::field_mut). Those that
/// have gone to another rank's cells are sent there by [`migrate`](Particles::migrate).
///
/// ```
/// use swathe::prelude::*;
/// use swathe_distributed::{Grid, Local, Particles};
///
/// #[kernel]
/// fn fly(at: &mut Field<f32>, by: f32) {
///     for i in at.indices() {
///         at[i] += by;
///     }
/// }
///
/// let counts = Local::new(3).run(|world| {
///     let grid = Grid::new(world, 9).build()?;
///     let own = grid.cells(world.rank())?[0].clone();
///     let start: Vec<f32> = own.map(|cell| cell as f32 + 0.5).collect();
///     let mut particles = Particles::new(&grid, Field::from_vec(&Device::cpu(), start)?);
///     fly(particles.field_mut(), -2.0)?;
///     // What leaves the grid is put back at its end.
///     particles.migrate(|at| [(at.floor() as isize).max(0)])?;
///     assert_eq!(particles.count()?, 9);
///     Ok(particles.field().len())
/// })?;
/// assert_eq!(counts, [5, 3, 1]);
/// # Ok::<(), swathe_distributed::Error>(())
/// ```
pub struct Particles<T: Element, const D: usize, L: FieldLayout = Aos> {
    grid: Grid<D>,
    /// The same on every rank: [`World::next_made`](crate::World::next_made).
    number: u64,
    field: Field<T, 1, L>,
}

impl<T: Element, const D: usize, L: FieldLayout> Particles<T, D, L> {
    /// This rank's elements, in whatever cells: [`migrate`](Particles::migrate) brings them to theirs. Every rank makes the same particles in the same
    /// order.
    #[must_use]
    pub fn new(grid: &Grid<D>, field: Field<T, 1, L>) -> Self {
        Particles {
            grid: grid.clone(),
            number: grid.world().next_made(),
            field,
        }
    }

    /// This rank's elements.
    #[must_use]
    pub fn field(&self) -> &Field<T, 1, L> {
        &self.field
    }

    /// This rank's elements, to be changed, or exchanged for more or fewer.
    #[must_use]
    pub fn field_mut(&mut self) -> &mut Field<T, 1, L> {
        &mut self.field
    }

    /// Where this rank's elements live.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.field.device()
    }

    /// Number of elements of all ranks, on every rank: a collective call.
    ///
    /// # Errors
    /// Those of ranks that failed or make other calls.
    #[track_caller]
    pub fn count(&self) -> Result<u64> {
        let mut count = <u64 as Summable>::Accumulator::default();
        count.add(self.field.len() as u64);
        let what = format!("number of {}", self.name());
        let counts = self.grid.world().sums::<u64>(&what, vec![count], Location::caller())?;
        Ok(counts[0])
    }

    /// Sends each element to the rank that owns its cell: a collective call. `cell` says which one it is, on the host; along periodic axes positions
    /// beyond the ends count from the other side.
    ///
    /// An element that stays keeps its place among those that stay. Behind them come those of other ranks, in the order of the ranks and, from each, in
    /// their order there.
    ///
    /// # Errors
    /// [`Error::Argument`] for a cell beyond the end of an axis that is not periodic; then no rank's elements have changed. Those of
    /// ranks that failed or make other calls, and of devices.
    #[track_caller]
    pub fn migrate(&mut self, mut cell: impl FnMut(&T) -> [isize; D]) -> Result<()> {
        let world = self.grid.world();
        let what = format!("migration of {}", self.name());
        world.collective(&what, Location::caller(), |operation| {
            let mut parts = vec![Vec::new(); world.size()];
            for (number, element) in self.field.to_vec()?.into_iter().enumerate() {
                let at = cell(&element);
                let owner = self.grid.owner(at).ok_or_else(|| Error::Argument {
                    what: format!("{what}, element {number} of rank {}", world.rank()),
                    expected: format!("a cell of the grid of shape {:?}", self.grid.shape()),
                    got: format!("{at:?}"),
                })?;
                parts[owner].push(element);
            }
            let mut came = world.exchange_all(operation, &parts)?;
            let mut all = std::mem::take(&mut came[world.rank()]);
            all.extend(came.into_iter().flatten());
            let count = all.len();
            let moved = Field::<T>::from_vec(self.field.device(), all)?;
            let mut field = Field::<T, 1>::zeros_in(self.field.device(), count, L::default())?;
            field.copy_from(&moved)?;
            self.field = field;
            Ok(())
        })
    }

    /// What errors call them, and ranks compare.
    fn name(&self) -> String {
        format!("particles {} of `{}`", self.number, T::ty())
    }
}
