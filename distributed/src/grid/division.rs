//! How the axes of a grid are cut.

use std::ops::Range;

/// An axis in blocks of lengths that differ by at most 1, the longer ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Axis {
    pub length: usize,
    pub blocks: usize,
    pub periodic: bool,
}

impl Axis {
    pub fn block(&self, number: usize) -> Range<usize> {
        let (each, longer) = (self.length / self.blocks, self.length % self.blocks);
        let start = |k: usize| k * each + k.min(longer);
        start(number)..start(number + 1)
    }

    /// The block with a position, which on a periodic axis may lie beyond the ends.
    pub fn block_of(&self, position: isize) -> Option<usize> {
        let length = isize::try_from(self.length).ok().filter(|length| *length > 0)?;
        let position = if self.periodic {
            position.rem_euclid(length)
        } else {
            position
        };
        let position = usize::try_from(position)
            .ok()
            .filter(|position| *position < self.length)?;
        let (each, longer) = (self.length / self.blocks, self.length % self.blocks);
        let behind = longer * (each + 1);
        Some(match position < behind {
            true => position / (each + 1),
            false => longer + (position - behind) / each,
        })
    }

    /// The block before (-1), behind (1) or itself (0).
    pub fn neighbour(&self, number: usize, step: isize) -> Option<usize> {
        let next = number as isize + step;
        match self.periodic {
            true => Some(next.rem_euclid(self.blocks as isize) as usize),
            false => usize::try_from(next).ok().filter(|next| *next < self.blocks),
        }
    }

    /// Why it cannot be cut so, if each block borders on its neighbours only.
    pub fn fault(&self, axis: usize, halo: usize) -> Option<String> {
        let Axis { length, blocks, .. } = *self;
        if blocks > length.max(1) {
            return Some(format!(
                "axis {axis} of {length} cells cannot be cut in {blocks} blocks"
            ));
        }
        let least = length / blocks;
        if (blocks > 1 || self.periodic) && least < halo {
            return Some(format!(
                "axis {axis} in {blocks} blocks has blocks of {least} cells, fewer than the halo of {halo}"
            ));
        }
        None
    }
}

/// In how many blocks each axis is cut for `size` ranks, with the least surface between them. Of several such the one that cuts the
/// first axes, where what is sent lies together.
pub(crate) fn place<const D: usize>(
    shape: &[usize; D],
    periodic: &[bool; D],
    halo: usize,
    size: usize,
) -> Option<[usize; D]> {
    // Numbers of cells, exact as long as they are those of a field; of any shape they are finite.
    let mut best: Option<(f64, [usize; D])> = None;
    let mut blocks = [1; D];
    each(&mut blocks, 0, size, &mut |blocks| {
        let axis = |k: usize| Axis {
            length: shape[k],
            blocks: blocks[k],
            periodic: periodic[k],
        };
        if (0..D).any(|k| axis(k).fault(k, halo).is_some()) {
            return;
        }
        let surface = (0..D).map(|k| {
            let cuts = match blocks[k] {
                1 => 0,
                blocks if periodic[k] => blocks,
                blocks => blocks - 1,
            };
            let others = (0..D).filter(|other| *other != k);
            others.map(|other| shape[other] as f64).product::<f64>() * cuts as f64
        });
        let surface: f64 = surface.sum();
        if best.is_none_or(|(least, _)| surface < least) {
            best = Some((surface, *blocks));
        }
    });
    best.map(|(_, blocks)| blocks)
}

/// Every way to write `size` as a product, with large factors in front first.
fn each<const D: usize>(blocks: &mut [usize; D], axis: usize, size: usize, visit: &mut impl FnMut(&[usize; D])) {
    if axis == D {
        if size == 1 {
            visit(blocks);
        }
        return;
    }
    for factor in (1..=size).rev().filter(|factor| size.is_multiple_of(*factor)) {
        blocks[axis] = factor;
        each(blocks, axis + 1, size / factor, visit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_cover_an_axis_once() {
        for length in [1, 3, 17, 1000] {
            for blocks in 1..=length.min(9) {
                let axis = Axis {
                    length,
                    blocks,
                    periodic: false,
                };
                let all: Vec<usize> = (0..blocks).flat_map(|k| axis.block(k)).collect();
                assert_eq!(all, (0..length).collect::<Vec<_>>());
                for block in 0..blocks {
                    assert!(
                        axis.block(block)
                            .all(|position| axis.block_of(position as isize) == Some(block))
                    );
                }
                assert_eq!((axis.block_of(-1), axis.block_of(length as isize)), (None, None));
                let around = Axis { periodic: true, ..axis };
                assert_eq!(
                    (around.block_of(-1), around.block_of(length as isize)),
                    (Some(blocks - 1), Some(0))
                );
                let lengths = (0..blocks).map(|k| axis.block(k).len());
                assert!(lengths.clone().max().unwrap() - lengths.min().unwrap() <= 1);
            }
        }
    }

    #[test]
    fn ranks_are_placed_by_least_surface() {
        assert_eq!(place(&[100, 100], &[false; 2], 1, 4), Some([2, 2]));
        assert_eq!(place(&[100, 100], &[false; 2], 1, 6), Some([3, 2]));
        assert_eq!(place(&[10, 1000], &[false; 2], 1, 4), Some([1, 4]));
        assert_eq!(place(&[64, 64, 64], &[false; 3], 1, 8), Some([2, 2, 2]));
        assert_eq!(place(&[64, 64, 64], &[false; 3], 1, 2), Some([2, 1, 1]));
        assert_eq!(place(&[7], &[true], 1, 7), Some([7]));
        // A cut periodic axis has one more border: two of 20 against one of 30.
        assert_eq!(place(&[20, 30], &[false, true], 1, 2), Some([2, 1]));
        // Narrow axes are left alone.
        assert_eq!(place(&[3, 100], &[false; 2], 2, 4), Some([1, 4]));
        assert_eq!(place(&[3, 3], &[false; 2], 2, 4), None);
        assert_eq!(place(&[], &[], 0, 1), Some([]));
        assert_eq!(place(&[], &[], 0, 2), None);
        // An axis without cells.
        assert_eq!(place(&[0, 100], &[false; 2], 1, 4), Some([1, 4]));
    }

    #[test]
    fn shapes_beyond_all_memory_are_placed_alike() {
        const LONG: usize = 1 << 44;
        assert_eq!(place(&[LONG, LONG, LONG, 2], &[false; 4], 0, 2), Some([2, 1, 1, 1]));
        assert_eq!(place(&[2, LONG, LONG, LONG], &[false; 4], 0, 2), Some([1, 2, 1, 1]));
        assert_eq!(place(&[LONG; 4], &[false; 4], 1, 16), Some([2; 4]));
        assert_eq!(place(&[1 << 40; 5], &[true; 5], 1, 1), Some([1; 5]));
        let longest = isize::MAX as usize;
        assert_eq!(place(&[longest; 6], &[true; 6], 1, 6), Some([3, 2, 1, 1, 1, 1]));
        assert_eq!(
            place(&[9, longest, longest, longest, longest, longest - 1], &[false; 6], 1, 2),
            Some([1, 2, 1, 1, 1, 1])
        );
    }
}
