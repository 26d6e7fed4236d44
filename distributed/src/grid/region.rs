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
}
