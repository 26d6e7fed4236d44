//! Boxes of positions.

use std::array::from_fn;

/// All positions from `start` up to `end` on each axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region<const D: usize> {
    pub start: [isize; D],
    pub end: [isize; D],
}

impl<const D: usize> Region<D> {
    pub fn shape(&self) -> [usize; D] {
        from_fn(|k| usize::try_from(self.end[k] - self.start[k]).unwrap_or(0))
    }

    pub fn len(&self) -> usize {
        self.shape().iter().product()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn meet(&self, other: &Self) -> Self {
        Region {
            start: from_fn(|k| self.start[k].max(other.start[k])),
            end: from_fn(|k| self.end[k].min(other.end[k])),
        }
    }

    /// With so many more positions at both ends of each axis.
    pub fn grown(&self, by: usize) -> Self {
        Region {
            start: self.start.map(|start| start - by as isize),
            end: self.end.map(|end| end + by as isize),
        }
    }

    /// In parts of at most so many positions, if it has one or more; cut along its first axes, so that each has whole rows if it can.
    pub fn pieces(&self, most: usize) -> Vec<Self> {
        let (mut pieces, mut rest) = (Vec::new(), vec![*self]);
        while let Some(piece) = rest.pop() {
            let axis = piece.shape().iter().position(|length| *length > 1);
            match axis {
                _ if piece.is_empty() => {}
                Some(axis) if piece.len() > most => {
                    let (mut low, mut high) = (piece, piece);
                    low.end[axis] -= piece.shape()[axis] as isize / 2;
                    high.start[axis] = low.end[axis];
                    rest.extend([high, low]);
                }
                _ => pieces.push(piece),
            }
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_all_of_a_box_once() {
        let all = Region {
            start: [-2, 3, 0],
            end: [5, 4, 6],
        };
        for most in [0, 1, 3, 7, 100] {
            let pieces = all.pieces(most);
            assert!(pieces.iter().all(|piece| piece.len() <= most.max(1)));
            assert_eq!(pieces.iter().map(Region::len).sum::<usize>(), all.len());
            for (k, one) in pieces.iter().enumerate() {
                assert_eq!(one.meet(&all), *one);
                assert!(pieces[..k].iter().all(|other| other.meet(one).is_empty()));
            }
        }
        let none = Region {
            start: [1, 1],
            end: [1, 4],
        };
        assert_eq!(none.pieces(3), []);
        assert_eq!(Region { start: [], end: [] }.pieces(3).len(), 1);
    }
}
