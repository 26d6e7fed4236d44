//! How many threads run an entry, and how they are laid out.

use super::module::{LoadedEntry, UNKNOWN};
use crate::codegen::{Entry, EntryKind};

/// A grid and its blocks, along `x`, `y` and `z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Geometry {
    pub grid: (u32, u32, u32),
    pub block: (u32, u32, u32),
}

/// Blocks that a grid may have along `y` and `z`.
const MOST: u32 = 65535;

impl LoadedEntry {
    /// The layout for iterations along each axis, `None` where their number is known on the device alone.
    pub fn geometry(&self, iterations: [Option<usize>; 3], processors: u32) -> Geometry {
        let line = |grid: u32, block: u32| Geometry {
            grid: (grid, 1, 1),
            block: (block, 1, 1),
        };
        let threads = self.block;
        match self.kind {
            EntryKind::Serial => line(1, 1),
            EntryKind::ReduceFinish => line(1, threads),
            EntryKind::ReducePartial(_) => {
                // Of the iterations alone, so that the result does not depend on the device's size.
                let most = if iterations.contains(&None) {
                    Entry::REDUCE_BLOCKS / 4
                } else {
                    Entry::REDUCE_BLOCKS
                };
                // Some iterations for each thread.
                cover(iterations, threads, 4, most)
            }
            EntryKind::Parallel(_) => {
                if let [None, Some(1), Some(1)] = iterations {
                    return line(self.resident, threads);
                }
                // A small loop in smaller blocks reaches more multiprocessors.
                let mut threads = threads;
                let total = iterations.iter().try_fold(1_usize, |n, axis| n.checked_mul((*axis)?));
                while threads > 64 && total.is_some_and(|n| n.div_ceil(threads as usize) < processors as usize) {
                    threads /= 2;
                }
                // Above that threads stride.
                cover(iterations, threads, 1, self.most_blocks(iterations))
            }
        }
    }
}

/// Blocks of so many threads, a power of two, that cover the iterations, `each` for a thread, or `most` of them.
fn cover(iterations: [Option<usize>; 3], threads: u32, each: usize, most: u32) -> Geometry {
    let [x, y, z] = iterations.map(|n| n.unwrap_or(UNKNOWN).max(1));
    // Neighbours along `x` share transactions; rows are many.
    let width = if y == 1 && z == 1 { threads } else { threads.min(32) };
    let up_to = |n: usize, limit: u32| {
        u32::try_from(n)
            .unwrap_or(u32::MAX)
            .min(limit)
            .next_power_of_two()
            .min(limit)
    };
    let bx = if y == 1 && z == 1 { width } else { up_to(x, width) };
    let by = up_to(y, threads / bx);
    let bz = up_to(z, (threads / bx / by).min(64));
    let blocks = |n: usize, each: usize| u32::try_from(n.div_ceil(each)).unwrap_or(u32::MAX).max(1);
    // Those that take turns do so along the slowest axis, whose loop is the outermost.
    let (across, rows) = if y == 1 && z == 1 { (each, 1) } else { (1, each) };
    let gx = blocks(x, bx as usize * across).min(most);
    let gy = blocks(y, by as usize * rows).min((most / gx).max(1)).min(MOST);
    let gz = blocks(z, bz as usize).min((most / gx / gy).max(1)).min(MOST);
    Geometry {
        grid: (gx, gy, gz),
        block: (bx, by, bz),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size((x, y, z): (u32, u32, u32)) -> u64 {
        u64::from(x) * u64::from(y) * u64::from(z)
    }

    #[test]
    fn blocks_are_whole_and_no_more_than_asked_for() {
        let lengths = [1, 2, 3, 17, 31, 33, 100, 1000, 70_000, 5_000_000];
        for x in lengths {
            for y in lengths {
                for z in [1, 2, 7, 300_000] {
                    for most in [1, 6, 1024, 30_000] {
                        let Geometry { grid, block } = cover([Some(x), Some(y), Some(z)], 256, 1, most);
                        assert!(size(block) <= 256 && size(block).is_power_of_two() && block.2 <= 64);
                        assert!(size(grid) <= u64::from(most), "{grid:?} of {x} {y} {z}");
                        assert!(grid.1 <= MOST && grid.2 <= MOST);
                    }
                }
            }
        }
    }

    #[test]
    fn threads_cover_a_shape() {
        let all = cover([Some(1000), Some(700), Some(1)], 256, 1, 1 << 20);
        assert_eq!(all.block, (32, 8, 1));
        assert_eq!(all.grid, (32, 88, 1));
        let thin = cover([Some(3), Some(700), Some(1)], 256, 1, 1 << 20);
        assert_eq!((thin.block, thin.grid), ((4, 64, 1), (1, 11, 1)));
        let line = cover([Some(1000), Some(1), Some(1)], 256, 4, 1024);
        assert_eq!((line.block, line.grid), ((256, 1, 1), (1, 1, 1)));
    }
}
