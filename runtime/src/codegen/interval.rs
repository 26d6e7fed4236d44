//! Bounds of integers, which decide what is computed in 32 bits.

/// All integers from `least` to `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub least: i128,
    pub most: i128,
}

/// What a `u32` of CUDA C holds.
const U32: Interval = Interval::new(0, (1 << 32) - 1);
/// Integers that are told from an index in bounds, which is below 2^31, by their last 32 bits.
const TELLABLE: Interval = Interval::new(-(1 << 31), (1 << 32) - 1);

impl Interval {
    /// An extent, or whatever else is below 2^31.
    pub(super) const EXTENT: Interval = Interval::new(0, (1 << 31) - 1);

    /// An index that is below an extent.
    pub(super) const POSITION: Interval = Interval::new(0, (1 << 31) - 2);

    pub(super) const fn new(least: i128, most: i128) -> Interval {
        Interval { least, most }
    }

    pub(super) const fn point(v: i128) -> Interval {
        Interval::new(v, v)
    }

    /// All values of a type of so many bits, at most 32.
    pub(super) const fn of_bits(bits: u32, signed: bool) -> Interval {
        if signed {
            Interval::new(-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            Interval::new(0, (1 << bits) - 1)
        }
    }

    const fn is_in(self, other: Interval) -> bool {
        other.least <= self.least && self.most <= other.most
    }

    /// Whether a `u32` holds all of them.
    pub(super) const fn is_narrow(self) -> bool {
        self.is_in(U32)
    }

    /// Whether comparing the last 32 bits with an extent, all unsigned, gives what comparing all 64 does.
    pub(super) const fn is_tellable(self) -> bool {
        self.is_in(TELLABLE)
    }

    pub(super) const fn add(self, other: Interval) -> Interval {
        Interval::new(self.least + other.least, self.most + other.most)
    }

    pub(super) const fn sub(self, other: Interval) -> Interval {
        Interval::new(self.least - other.most, self.most - other.least)
    }

    /// The products, of numbers below 2^33 in absolute value.
    pub(super) fn mul(self, other: Interval) -> Interval {
        let ends = [
            self.least * other.least,
            self.least * other.most,
            self.most * other.least,
            self.most * other.most,
        ];
        let [a, b, c, d] = ends;
        Interval::new(a.min(b).min(c).min(d), a.max(b).max(c).max(d))
    }

    /// As [`Interval::mul`], for non-negative numbers without a limit.
    pub(super) fn product(self, other: Interval) -> Interval {
        Interval::new(
            self.least.saturating_mul(other.least),
            self.most.saturating_mul(other.most),
        )
    }

    pub(super) fn union(self, other: Interval) -> Interval {
        Interval::new(self.least.min(other.least), self.most.max(other.most))
    }

    /// Non-negative integers with no more bits than the largest.
    pub(super) fn bits_of_most(self) -> Interval {
        let bits = 128 - self.most.leading_zeros();
        Interval::new(0, (1 << bits) - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// For every index in bounds of an extent, the 32-bit check agrees with the 64-bit one.
    #[test]
    fn what_is_tellable_is_checked_alike_in_32_bits() {
        let edges = [0, 1, 2, 3, 1 << 30, (1 << 31) - 1];
        let offsets = [-(1_i128 << 31), -(1 << 31) + 1, -3, -1, 0, 1, 7, 1 << 31, (1 << 32) - 1];
        for extent in edges {
            for v in offsets.into_iter().chain(edges).chain([extent - 1, extent + 1]) {
                if !Interval::point(v).is_tellable() {
                    continue;
                }
                let in_64 = (v as u64) < extent as u64;
                let in_32 = (v as u32) < extent as u32;
                assert_eq!(in_64, in_32, "{v} of {extent}");
                if in_64 {
                    assert_eq!(v as u64, u64::from(v as u32));
                }
            }
        }
    }

    #[test]
    fn a_negative_number_is_not_narrow() {
        let i = Interval::EXTENT;
        let one = Interval::point(1);
        assert!(i.add(one).is_narrow());
        assert!(!i.sub(one).is_narrow());
        assert!(i.sub(one).is_tellable());
        assert!(!i.mul(i).is_narrow());
        assert!(i.sub(one).add(one).is_narrow());
    }
}
