//! Grids of cells, cut in blocks, one for each rank.

pub(crate) mod division;
pub(crate) mod region;

use std::array::from_fn;
use std::cell::Cell;
use std::ops::Range;
use std::panic::Location;
use std::rc::Rc;

use swathe::Position;

use crate::error::{Error, Result};
use crate::world::World;
use division::{Axis, place};
use region::Region;

/// A grid of `D` axes, cut in blocks, one for each rank. Its fields have, on each rank, that rank's block with a *halo* around it: a copy of
/// what the neighbours own, or, at the ends of an axis that is not periodic, cells of the program's.
///
/// Positions are those of the whole grid, on every rank. So a kernel that reads `u[[i - 1, j]]` of an
/// [`OffsetField`](swathe::OffsetField) runs unchanged on one rank and on many. On a periodic axis of length `n` positions go on beyond its
/// ends: at -1 the halo has what is owned at `n - 1`.
///
/// ```
/// use std::mem::swap;
/// use swathe::prelude::*;
/// use swathe_distributed::{Grid, Local};
///
/// #[kernel]
/// fn heat(u: &OffsetField<f32, 2>, v: &mut OffsetField<f32, 2>, rate: f32) {
///     for [i, j] in v.indices() {
///         let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
///         v[[i, j]] = u[[i, j]] + rate * (around - 4.0 * u[[i, j]]);
///     }
/// }
///
/// let run = |ranks| {
///     Local::new(ranks).run(|world| {
///         let grid = Grid::new(world, [30, 40]).halo(1).periodic([true, false]).build()?;
///         let mut u = grid.field::<f32>(&Device::cpu())?;
///         let mut v = grid.field::<f32>(&Device::cpu())?;
///         u.fill_with(|[i, j]| (i * j % 7) as f32)?;
///         for _ in 0..10 {
///             heat(u.shared()?, &mut v.own()?, 0.1)?;
///             swap(&mut u, &mut v);
///         }
///         Ok((u.gather(0)?.map(|whole| whole.to_vec()).transpose()?, u.sum()?))
///     })
/// };
/// let (one, six) = (run(1)?, run(6)?);
/// assert_eq!(one[0], six[0]);
/// # Ok::<(), swathe_distributed::Error>(())
/// ```
#[derive(Clone)]
pub struct Grid<const D: usize> {
    inner: Rc<Inner<D>>,
}

struct Inner<const D: usize> {
    world: World,
    axes: [Axis; D],
    halo: usize,
    /// Number of the call that built it.
    number: u64,
    fields: Cell<u64>,
}

/// What a grid is to be: [`Grid::new`].
#[derive(Clone)]
#[must_use = "a grid is built by `build`"]
pub struct GridBuilder<const D: usize> {
    world: World,
    shape: [usize; D],
    halo: usize,
    periodic: [bool; D],
    ranks: Option<[usize; D]>,
}

/// Where on an axis of a staggered grid the elements of a field are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// In the cells: one element for each.
    Cell,
    /// At the faces between cells: element `i` between the cells `i - 1` and `i`, one more than there are cells unless the axis is
    /// periodic. A face belongs to the rank of the cell behind it, the last one to the last rank.
    Face,
}

impl<const D: usize> Grid<D> {
    /// A grid of this shape over all ranks of a world.
    // What is built has more to be said of it.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(world: &World, shape: impl Position<D>) -> GridBuilder<D> {
        GridBuilder {
            world: world.clone(),
            shape: shape.axes(),
            halo: 0,
            periodic: [false; D],
            ranks: None,
        }
    }
}

impl<const D: usize> GridBuilder<D> {
    /// How many positions around its block a rank has; 0 if nothing is said.
    pub fn halo(self, width: usize) -> Self {
        GridBuilder { halo: width, ..self }
    }

    /// Which axes are periodic; none if nothing is said.
    pub fn periodic(self, axes: [bool; D]) -> Self {
        GridBuilder { periodic: axes, ..self }
    }

    /// In how many blocks each axis is cut. If nothing is said, it is cut so that as few cells as possible border on another rank.
    pub fn ranks(self, blocks: [usize; D]) -> Self {
        GridBuilder {
            ranks: Some(blocks),
            ..self
        }
    }

    /// Divides it among the ranks: a collective call.
    ///
    /// # Errors
    /// [`Error::Division`] if the grid cannot be divided so that each rank has a cell, and borders on its neighbours only: where an axis is cut or
    /// periodic, no block is narrower than the halo. [`Error::Mismatch`] if ranks ask for different grids.
    #[track_caller]
    pub fn build(self) -> Result<Grid<D>> {
        let GridBuilder {
            world,
            shape,
            halo,
            periodic,
            ranks,
        } = self;
        let size = world.size();
        let division = |reason: String| Error::Division {
            shape: shape.to_vec(),
            size,
            reason,
        };
        let fits = |length: &usize| *length < isize::MAX as usize - halo.min(isize::MAX as usize / 2) - 1;
        if halo > isize::MAX as usize / 4 || !shape.iter().all(fits) {
            return Err(division("positions would be larger than an `isize` can be".to_owned()));
        }
        let blocks = match ranks {
            Some(blocks) => blocks,
            None => place(&shape, &periodic, halo, size).ok_or_else(|| {
                division(format!(
                    "there is no division that gives each rank a cell, and blocks at least as wide as the halo of {halo} where an axis is cut or periodic"
                ))
            })?,
        };
        if blocks.contains(&0) || blocks.iter().try_fold(1_usize, |all, n| all.checked_mul(*n)) != Some(size) {
            return Err(division(format!("{blocks:?} blocks are not one for each rank")));
        }
        let axes = from_fn(|k| Axis {
            length: shape[k],
            blocks: blocks[k],
            periodic: periodic[k],
        });
        if let Some(reason) = (0..D).find_map(|k| axes[k].fault(k, halo)) {
            return Err(division(reason));
        }
        let what = format!("building a grid of shape {shape:?}, halo {halo}, periodic {periodic:?}, blocks {blocks:?}");
        let number = world.collective(&what, Location::caller(), |operation| Ok(operation.call.sequence))?;
        Ok(Grid {
            inner: Rc::new(Inner {
                world,
                axes,
                halo,
                number,
                fields: Cell::new(0),
            }),
        })
    }
}

impl<const D: usize> Grid<D> {
    /// The world over whose ranks it is divided.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.inner.world
    }

    /// Number of cells along each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.inner.axes.map(|axis| axis.length)
    }

    /// Width of the halo.
    #[must_use]
    pub fn halo(&self) -> usize {
        self.inner.halo
    }

    /// Which axes are periodic.
    #[must_use]
    pub fn periodic(&self) -> [bool; D] {
        self.inner.axes.map(|axis| axis.periodic)
    }

    /// In how many blocks each axis is cut.
    #[must_use]
    pub fn ranks(&self) -> [usize; D] {
        self.inner.axes.map(|axis| axis.blocks)
    }

    /// The cells of a rank.
    ///
    /// ```
    /// use swathe_distributed::{Grid, Local};
    ///
    /// Local::new(2).run(|world| {
    ///     let grid = Grid::new(world, [5, 4]).build()?;
    ///     assert_eq!((grid.cells(0)?, grid.cells(1)?), ([0..3, 0..4], [3..5, 0..4]));
    ///     Ok(())
    /// })?;
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Rank`].
    pub fn cells(&self, rank: usize) -> Result<[Range<usize>; D]> {
        self.inner.world.check("the cells of a rank", rank)?;
        let region = self.owned(&[At::Cell; D], rank);
        Ok(from_fn(|k| region.start[k] as usize..region.end[k] as usize))
    }

    /// Numbers of this grid, and of its next field.
    pub(crate) fn next_field(&self) -> [u64; 2] {
        let number = self.inner.fields.get();
        self.inner.fields.set(number + 1);
        [self.inner.number, number]
    }

    pub(crate) fn axes(&self) -> &[Axis; D] {
        &self.inner.axes
    }

    /// Length of each axis of a field.
    pub(crate) fn extents(&self, at: &[At; D]) -> [usize; D] {
        from_fn(|k| self.inner.axes[k].length + usize::from(self.has_last_face(at, k)))
    }

    fn has_last_face(&self, at: &[At; D], axis: usize) -> bool {
        at[axis] == At::Face && !self.inner.axes[axis].periodic
    }

    /// What a rank owns of a field.
    pub(crate) fn owned(&self, at: &[At; D], rank: usize) -> Region<D> {
        let block = self.block(rank);
        let range = |k: usize| {
            let axis = &self.inner.axes[k];
            let range = axis.block(block[k]);
            let last = block[k] + 1 == axis.blocks && self.has_last_face(at, k);
            range.start..range.end + usize::from(last)
        };
        Region {
            start: from_fn(|k| range(k).start as isize),
            end: from_fn(|k| range(k).end as isize),
        }
    }

    /// The rank that owns a cell; on a periodic axis positions go on beyond the ends.
    pub(crate) fn owner(&self, cell: [isize; D]) -> Option<usize> {
        let mut rank = 0;
        for (axis, at) in self.inner.axes.iter().zip(cell) {
            rank = rank * axis.blocks + axis.block_of(at)?;
        }
        Some(rank)
    }

    /// Numbers of a rank's block along the axes, in row-major order of the ranks.
    pub(crate) fn block(&self, rank: usize) -> [usize; D] {
        let mut rest = rank;
        let mut block = [0; D];
        for k in (0..D).rev() {
            block[k] = rest % self.inner.axes[k].blocks;
            rest /= self.inner.axes[k].blocks;
        }
        block
    }

    /// The rank with the block beside this rank's, in a direction of -1, 0 and 1.
    pub(crate) fn neighbour(&self, direction: &[isize; D]) -> Option<usize> {
        let block = self.block(self.inner.world.rank());
        let mut rank = 0;
        for (k, axis) in self.inner.axes.iter().enumerate() {
            rank = rank * axis.blocks + axis.neighbour(block[k], direction[k])?;
        }
        Some(rank)
    }
}
