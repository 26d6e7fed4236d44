//! How shapes join: by NumPy's rule, the last axes beside each other, each pair of lengths equal or one of them 1.

use crate::access::MAX_RANK;
use crate::error::{Error, Result};
use crate::kernel::rank::Dim;

/// Lengths of axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extents {
    axes: [usize; MAX_RANK],
    rank: usize,
}

impl Extents {
    /// Of nothing that has axes.
    pub const NONE: Extents = Extents {
        axes: [1; MAX_RANK],
        rank: 0,
    };

    #[inline]
    pub fn of<const D: usize>(shape: [usize; D]) -> Extents {
        let mut extents = Extents {
            rank: D,
            ..Extents::NONE
        };
        extents.axes[..D].copy_from_slice(&shape);
        extents
    }

    #[inline]
    pub fn axes(&self) -> &[usize] {
        &self.axes[..self.rank]
    }

    /// How many elements a shape has.
    ///
    /// # Errors
    /// [`Error::SizeOverflow`].
    pub fn count(&self, element_size: usize) -> Result<usize> {
        let axes = self.axes();
        if axes.contains(&0) {
            return Ok(0);
        }
        let counted = axes
            .iter()
            .try_fold(1_usize, |count, length| count.checked_mul(*length));
        counted
            .filter(|count| isize::try_from(*count).is_ok())
            .ok_or_else(|| Error::SizeOverflow {
                shape: axes.to_vec(),
                element_size,
            })
    }

    /// As a shape of rank `D`, with axes of length 1 in front.
    #[inline]
    pub fn shape<const D: usize>(&self) -> [usize; D] {
        let mut shape = [1; D];
        let axes = self.axes();
        // The type has the rank of what joins.
        let front = D.saturating_sub(axes.len());
        shape[front..].copy_from_slice(&axes[axes.len() - (D - front)..]);
        shape
    }

    /// The shape that both have by `operator`.
    ///
    /// # Errors
    /// [`Error::Broadcast`].
    #[inline]
    pub fn join(self, other: Extents, operator: &'static str) -> Result<Extents> {
        if self == other {
            return Ok(self);
        }
        let mut joined = if self.rank >= other.rank { self } else { other };
        for back in 1..=self.rank.min(other.rank) {
            let axis = joined.rank - back;
            let (a, b) = (self.axes[self.rank - back], other.axes[other.rank - back]);
            joined.axes[axis] = match (a, b) {
                (1, length) | (length, 1) => length,
                (a, b) if a == b => a,
                _ => {
                    return Err(Error::Broadcast {
                        operator,
                        left: self.axes().to_vec(),
                        right: other.axes().to_vec(),
                        axis,
                    });
                }
            };
        }
        Ok(joined)
    }
}

/// The rank that two ranks join into, the larger one: `Dim<1>: Join<Dim<2>, Out = Dim<2>>`.
pub trait Join<Other>: sealed::Sealed<Other> {
    /// The larger one.
    type Out;
}

mod sealed {
    /// A rank decides how many axes are read.
    pub trait Sealed<Other> {}
}

impl<const D: usize, const E: usize> sealed::Sealed<Dim<E>> for Dim<D> {}

impl<const D: usize> sealed::Sealed<AnyRank> for Dim<D> {}

impl<const D: usize> Join<Dim<D>> for Dim<D> {
    type Out = Dim<D>;
}

/// The rank of values: that of what they join with. So functions that are generic over the rank have them, too.
pub struct AnyRank;

impl<const D: usize> Join<AnyRank> for Dim<D> {
    type Out = Dim<D>;
}

macro_rules! unequal {
    ($($small:literal < $($large:literal)*;)*) => {$($(
        impl Join<Dim<$large>> for Dim<$small> {
            type Out = Dim<$large>;
        }

        impl Join<Dim<$small>> for Dim<$large> {
            type Out = Dim<$large>;
        }
    )*)*};
}
unequal! {
    0 < 1 2 3 4 5 6;
    1 < 2 3 4 5 6;
    2 < 3 4 5 6;
    3 < 4 5 6;
    4 < 5 6;
    5 < 6;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_join_from_the_last_axis_on() {
        let join = |a: &[usize], b: &[usize]| {
            let of = |axes: &[usize]| {
                let mut extents = Extents {
                    rank: axes.len(),
                    ..Extents::NONE
                };
                extents.axes[..axes.len()].copy_from_slice(axes);
                extents
            };
            of(a).join(of(b), "+").map(|joined| joined.axes().to_vec())
        };
        assert_eq!(join(&[3, 1], &[4]), Ok(vec![3, 4]));
        assert_eq!(join(&[5, 1, 7], &[1, 6, 1]), Ok(vec![5, 6, 7]));
        assert_eq!(join(&[], &[2, 3]), Ok(vec![2, 3]));
        assert_eq!(join(&[0], &[1]), Ok(vec![0]));
        assert_eq!(join(&[2, 0], &[1, 1]), Ok(vec![2, 0]));
        let clash = join(&[3, 2], &[9, 2, 3]).unwrap_err();
        let message = "`+` of shapes [3, 2] and [9, 2, 3]: on axis 2 of the result, 2 and 3 do not join; lengths have to be equal, or one of them 1";
        assert_eq!(clash.to_string(), message);
        assert!(join(&[0], &[2]).is_err());
    }

    #[test]
    fn axes_of_length_1_come_first() {
        assert_eq!(Extents::of([3, 4]).shape::<4>(), [1, 1, 3, 4]);
        assert_eq!(Extents::NONE.shape::<0>(), [0; 0]);
        assert_eq!(Extents::of([5]).shape::<1>(), [5]);
    }
}
