//! Fields over all ranks of a grid.

mod boundary;
mod exchange;
mod make;
mod overlap;
pub(crate) mod part;
mod reduce;
mod reshard;
mod whole;

use std::rc::Rc;

use swathe::{Aos, Device, Element, Field, FieldLayout, FieldView, FieldViewMut, OffsetField, OffsetView};

use crate::bytes::Plain;
use crate::error::Result;
use crate::grid::region::Region;
use crate::grid::{At, Grid};
use exchange::{Plan, Underway};

pub use boundary::{End, Side};
pub use overlap::{Pending, Rim};

/// A field over all ranks of a [`Grid`]. This rank owns the elements of its block, and has a halo around them.
///
/// | method | what it gives |
/// |---|---|
/// | [`shared`](Distributed::shared) | block and halo, to read, after the halo has been brought up to date: collective |
/// | [`boundary`](Distributed::boundary) | the same, after the cells beyond the grid's ends have been filled: collective |
/// | [`own`](Distributed::own) | what this rank owns, to write |
/// | [`inside`](Distributed::inside) | what this rank owns, to read: an access to the halo is out of bounds |
/// | [`start_exchange`](Distributed::start_exchange) | what this rank owns, while the halo is on its way: collective |
///
/// All have the positions of the whole grid. There is no way to read a halo that is out of date, and none to write one.
pub struct Distributed<T: Element, const D: usize, L: FieldLayout = Aos> {
    grid: Grid<D>,
    at: [At; D],
    /// What errors call it, the same on every rank.
    name: Rc<str>,
    plan: Rc<Plan<D>>,
    plain: Rc<Plain>,
    /// Of the whole grid.
    owned: Region<D>,
    block: OffsetField<T, D, L>,
    /// The block's count of writes after the halo was last brought up to date.
    exchanged: Option<u64>,
    /// An exchange whose messages are on their way.
    open: Option<Underway>,
}

/// What a rank owns of a field, to read: kernels take it for `&OffsetField<T, D>`.
pub type Inside<'a, T, const D: usize, L = Aos> = OffsetView<FieldView<'a, T, D, <L as FieldLayout>::Part>, D>;
/// What a rank owns of a field, to write: kernels take it for `&mut OffsetField<T, D>`.
pub type Own<'a, T, const D: usize, L = Aos> = OffsetView<FieldViewMut<'a, T, D, <L as FieldLayout>::Part>, D>;

impl<T: Element, const D: usize, L: FieldLayout> Distributed<T, D, L> {
    pub(crate) fn new(grid: Grid<D>, device: &Device, at: [At; D], layout: L, name: String) -> Result<Self> {
        let owned = grid.owned(&at, grid.world().rank());
        let all = owned.grown(grid.halo());
        let block = Field::<T, D>::zeros_in(device, all.shape(), layout)?.with_origin(all.start)?;
        let plan = Plan::new(&grid, &owned);
        Ok(Distributed {
            grid,
            at,
            name: name.into(),
            plan: Rc::new(plan),
            plain: Rc::new(Plain::of::<T>()),
            owned,
            block,
            exchanged: None,
            open: None,
        })
    }

    /// Its grid.
    #[must_use]
    pub fn grid(&self) -> &Grid<D> {
        &self.grid
    }

    /// Number of elements of the whole field along each axis: that of the cells, or one more.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.grid.extents(&self.at)
    }

    /// Where on each axis its elements are.
    #[must_use]
    pub fn at(&self) -> [At; D] {
        self.at
    }

    /// Where this rank's part lives.
    #[must_use]
    pub fn device(&self) -> &Device {
        self.block.device()
    }

    /// The positions that this rank owns.
    #[must_use]
    pub fn ranges(&self) -> [std::ops::Range<isize>; D] {
        std::array::from_fn(|k| self.owned.start[k]..self.owned.end[k])
    }

    /// What this rank owns, to read. An access beyond it is out of bounds.
    ///
    /// # Errors
    /// None but of the library.
    pub fn inside(&self) -> Result<Inside<'_, T, D, L>> {
        Ok(part::part(&self.block, &self.owned)?.with_origin(self.owned.start)?)
    }

    /// What this rank owns, to write.
    ///
    /// # Errors
    /// Of the device, if a clone shares the memory: [`Field::try_clone`].
    pub fn own(&mut self) -> Result<Own<'_, T, D, L>> {
        self.settle()?;
        Ok(part::part_mut(&mut self.block, &self.owned)?.with_origin(self.owned.start)?)
    }

    /// Sets every element that this rank owns.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill(&mut self, value: T) -> Result<()> {
        Ok(self.own()?.into_part().fill(value)?)
    }

    /// Sets every element that this rank owns, by its position in the whole grid, in row-major order.
    ///
    /// # Errors
    /// Of the device.
    pub fn fill_with(&mut self, mut value: impl FnMut([usize; D]) -> T) -> Result<()> {
        self.settle()?;
        let (start, shape) = (self.owned.start.map(|start| start as usize), self.owned.shape());
        let mut values = Vec::with_capacity(self.owned.len());
        let mut at = [0; D];
        for _ in 0..self.owned.len() {
            values.push(value(std::array::from_fn(|k| start[k] + at[k])));
            for axis in (0..D).rev() {
                at[axis] += 1;
                if at[axis] < shape[axis] {
                    break;
                }
                at[axis] = 0;
            }
        }
        self.put_owned(values)
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn plain(&self) -> &Plain {
        &self.plain
    }

    pub(crate) fn owned(&self) -> &Region<D> {
        &self.owned
    }

    pub(crate) fn block(&self) -> &OffsetField<T, D, L> {
        &self.block
    }

    /// Sets what this rank owns, in row-major order.
    pub(crate) fn put_owned(&mut self, values: Vec<T>) -> Result<()> {
        let owned = self.owned;
        part::put(&mut self.block, &owned, values)
    }
}
