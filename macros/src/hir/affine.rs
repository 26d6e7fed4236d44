//! Indices that are a multiple of a loop's position plus a number.

use swathe_ir::UnOp;

use crate::hir::{Axis, Expr, ExprKind};

/// Positions beyond are those of no element: no memory has so many.
pub const LIMIT: u64 = 1 << 52;
/// Largest stride: a product with a position stays far below 2^64.
const MOST_STRIDE: i64 = 1 << 10;
/// Largest number that is added.
const MOST_OFFSET: i64 = 1 << 32;

/// `stride * position + offset`, with an offset from `low` to `high`. Without a position the stride is 0.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Affine {
    pub axis: Option<Axis>,
    pub stride: i64,
    pub low: i64,
    pub high: i64,
}

/// What equal indices in two iterations say of their positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meeting {
    /// There are none.
    Never,
    /// They are the same.
    Same,
    Anything,
}

impl Affine {
    /// The position itself.
    pub fn own(axis: Axis) -> Affine {
        Affine {
            axis: Some(axis),
            stride: 1,
            low: 0,
            high: 0,
        }
    }

    pub fn numbers(low: i64, high: i64) -> Affine {
        Affine {
            axis: None,
            stride: 0,
            low,
            high,
        }
    }

    fn checked(self) -> Option<Affine> {
        let near = |n: i64| (-MOST_OFFSET..=MOST_OFFSET).contains(&n);
        (near(self.low) && near(self.high) && self.stride <= MOST_STRIDE).then_some(self)
    }

    pub fn plus(self, other: Affine) -> Option<Affine> {
        if self.axis.is_some() && other.axis.is_some() {
            return None;
        }
        let sum = Affine {
            axis: self.axis.or(other.axis),
            stride: self.stride.checked_add(other.stride)?,
            low: self.low.checked_add(other.low)?,
            high: self.high.checked_add(other.high)?,
        };
        sum.checked()
    }

    pub fn minus(self, other: Affine) -> Option<Affine> {
        if other.axis.is_some() {
            return None;
        }
        self.plus(Affine::numbers(other.high.checked_neg()?, other.low.checked_neg()?))
    }

    pub fn times(self, factor: u64) -> Option<Affine> {
        let factor = i64::try_from(factor).ok().filter(|n| (1..=MOST_STRIDE).contains(n))?;
        let product = Affine {
            stride: self.stride.checked_mul(factor)?,
            low: self.low.checked_mul(factor)?,
            high: self.high.checked_mul(factor)?,
            ..self
        };
        product.checked()
    }

    /// Two indices along one axis. Their difference is a multiple of the stride plus what is between the offsets.
    pub fn meets(self, other: Affine) -> Meeting {
        if self.axis.is_none() || (self.axis, self.stride) != (other.axis, other.stride) {
            return Meeting::Anything;
        }
        let stride = self.stride;
        let (least, most) = (self.low - other.high, self.high - other.low);
        // Multiples of the stride among the differences of offsets.
        let first = -((-least).div_euclid(stride));
        let last = most.div_euclid(stride);
        match (first, last) {
            _ if first > last => Meeting::Never,
            (0, 0) => Meeting::Same,
            _ => Meeting::Anything,
        }
    }
}

/// The number that a literal of an index is.
pub fn number(e: &Expr) -> Option<u64> {
    match &e.kind {
        ExprKind::Lit(syn::Lit::Int(lit), _) if matches!(lit.suffix(), "" | "usize" | "isize") => {
            lit.base10_parse().ok()
        }
        _ => None,
    }
}

/// The number that a literal is, of whatever type.
pub fn literal(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Lit(syn::Lit::Int(n), _) => n.base10_parse().ok(),
        ExprKind::Unary(UnOp::Neg, a, _) => literal(a)?.checked_neg(),
        _ => None,
    }
}

/// The position in a product, of which lowering made a minimum with [`LIMIT`].
pub fn limited(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Limited(minimum) => match &minimum.kind {
            ExprKind::Call { args, .. } => args.first(),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn affine(stride: i64, low: i64, high: i64) -> Affine {
        Affine {
            axis: Some(Axis::One(0)),
            stride,
            low,
            high,
        }
    }

    /// All pairs of some positions and offsets, modulo 2^64.
    fn tried(a: Affine, b: Affine) -> Meeting {
        let (mut same, mut others) = (false, false);
        for x in 0..20_u64 {
            for y in 0..20_u64 {
                let index =
                    |f: Affine, at: u64, offset: i64| at.wrapping_mul(f.stride as u64).wrapping_add(offset as u64);
                let meets = (a.low..=a.high).any(|k| (b.low..=b.high).any(|l| index(a, x, k) == index(b, y, l)));
                same |= meets && x == y;
                others |= meets && x != y;
            }
        }
        match (same, others) {
            (_, true) => Meeting::Anything,
            (true, false) => Meeting::Same,
            (false, false) => Meeting::Never,
        }
    }

    #[test]
    fn meetings_are_those_of_the_numbers() {
        for stride in 1..5 {
            for low in -4..5 {
                for len in 0..6 {
                    for other in -4..5 {
                        for other_len in 0..3 {
                            let (a, b) = (affine(stride, low, low + len), affine(stride, other, other + other_len));
                            assert_eq!(a.meets(b), tried(a, b), "{a:?} {b:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn other_strides_and_axes_say_nothing() {
        let a = affine(2, 0, 0);
        assert_eq!(a.meets(affine(3, 0, 0)), Meeting::Anything);
        let other = Affine {
            axis: Some(Axis::One(1)),
            ..a
        };
        assert_eq!(a.meets(other), Meeting::Anything);
        assert_eq!(Affine::numbers(1, 1).meets(Affine::numbers(1, 1)), Meeting::Anything);
    }

    #[test]
    fn sums_have_one_position_and_small_numbers() {
        let i = Affine::own(Axis::One(0));
        assert_eq!(i.plus(i), None);
        assert_eq!(Affine::numbers(1, 1).minus(i), None);
        assert_eq!(i.times(3).unwrap().plus(Affine::numbers(0, 2)), Some(affine(3, 0, 2)));
        assert_eq!(i.times(0), None);
        assert_eq!(i.times(1025), None);
        assert_eq!(i.times(1000).unwrap().times(1000), None);
        assert_eq!(i.minus(Affine::numbers(0, (1 << 32) + 1)), None);
    }
}
