//! Indices that are a multiple of a loop's position, plus a number and what does not change during the loop.

use std::collections::{BTreeMap, BTreeSet};

use swathe_ir::{LocalId, UnOp};

use crate::hir::{Axis, Expr, ExprKind, Extent};

/// Positions from here on are those of no element: no address space has so many, and without size there are no more
/// (`MOST_WITHOUT_SIZE` of the runtime).
pub const LIMIT: u64 = 1 << 52;
/// Largest stride: a product with a position stays far below 2^64.
const MOST_STRIDE: i64 = 1 << 10;
/// Largest number that is added.
const MOST_OFFSET: i64 = 1 << 32;
/// Most products of what is fixed, and most factors of one.
const MOST_PRODUCTS: usize = 16;
const MOST_FACTORS: usize = 4;

/// `stride * position + fixed + offset`, with an offset from `low` to `high`. Without a position the stride is 0.
#[derive(Clone, PartialEq, Debug)]
pub struct Affine {
    pub axis: Option<Axis>,
    pub stride: i64,
    pub fixed: Fixed,
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

/// A polynomial in numbers that do not change during the loop, modulo 2^64: products of them, in order, each with a factor that is not 0.
/// Two are equal if their products are.
#[derive(Clone, Default, Debug)]
pub struct Fixed {
    products: BTreeMap<Vec<Extent>, i64>,
    /// The variables that were in it, also those that a difference took out: whether they are numbers is not known yet.
    variables: BTreeSet<LocalId>,
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Fixed) -> bool {
        self.products == other.products
    }
}

impl Fixed {
    fn of(product: Vec<Extent>, factor: i64) -> Fixed {
        let variables = product.iter().filter_map(|extent| match extent {
            Extent::Local(id) => Some(*id),
            _ => None,
        });
        Fixed {
            variables: variables.collect(),
            products: [(product, factor)].into(),
        }
    }

    /// Whether nothing is or was in it.
    pub fn is_none(&self) -> bool {
        self.products.is_empty() && self.variables.is_empty()
    }

    pub fn variables(&self) -> impl Iterator<Item = LocalId> {
        self.variables.iter().copied()
    }

    fn plus(mut self, other: Fixed) -> Option<Fixed> {
        for (product, factor) in other.products {
            let sum = self.products.entry(product).or_insert(0);
            *sum = sum.checked_add(factor)?;
        }
        self.products.retain(|_, factor| *factor != 0);
        self.variables.extend(other.variables);
        (self.products.len() <= MOST_PRODUCTS).then_some(self)
    }

    fn times(mut self, factor: i64) -> Option<Fixed> {
        for k in self.products.values_mut() {
            *k = k.checked_mul(factor)?;
        }
        self.products.retain(|_, factor| *factor != 0);
        Some(self)
    }

    fn times_fixed(&self, other: &Fixed) -> Option<Fixed> {
        let variables = self.variables.union(&other.variables).copied().collect();
        let mut all = Fixed {
            variables,
            ..Fixed::default()
        };
        for (a, j) in &self.products {
            for (b, k) in &other.products {
                let mut product = [a.as_slice(), b].concat();
                product.sort();
                if product.len() > MOST_FACTORS {
                    return None;
                }
                all = all.plus(Fixed::of(product, j.checked_mul(*k)?))?;
            }
        }
        Some(all)
    }
}

impl Affine {
    /// The position itself.
    pub fn own(axis: Axis) -> Affine {
        Affine {
            axis: Some(axis),
            stride: 1,
            ..Affine::numbers(0, 0)
        }
    }

    pub fn numbers(low: i64, high: i64) -> Affine {
        Affine {
            axis: None,
            stride: 0,
            fixed: Fixed::default(),
            low,
            high,
        }
    }

    /// A number that does not change during the loop.
    pub fn fixed(extent: Extent) -> Affine {
        Affine {
            fixed: Fixed::of(vec![extent], 1),
            ..Affine::numbers(0, 0)
        }
    }

    fn checked(self) -> Option<Affine> {
        let near = |n: i64| (-MOST_OFFSET..=MOST_OFFSET).contains(&n);
        // A position in a product is at most [`LIMIT`], of which what is fixed could make an index in bounds.
        let limited = self.stride.abs() <= 1 || (self.stride.abs() <= MOST_STRIDE && self.fixed.is_none());
        (near(self.low) && near(self.high) && limited).then_some(self)
    }

    pub fn plus(self, other: Affine) -> Option<Affine> {
        if self.axis.is_some() && other.axis.is_some() {
            return None;
        }
        let sum = Affine {
            axis: self.axis.or(other.axis),
            stride: self.stride.checked_add(other.stride)?,
            fixed: self.fixed.plus(other.fixed)?,
            low: self.low.checked_add(other.low)?,
            high: self.high.checked_add(other.high)?,
        };
        sum.checked()
    }

    pub fn minus(self, other: Affine) -> Option<Affine> {
        let negative = Affine {
            axis: other.axis,
            stride: -other.stride,
            fixed: other.fixed.times(-1)?,
            low: other.high.checked_neg()?,
            high: other.low.checked_neg()?,
        };
        self.plus(negative)
    }

    /// The product with a number from 1, or of what has no position.
    pub fn times(self, other: Affine) -> Option<Affine> {
        if other.axis.is_some() || other.low != other.high {
            return if self.axis.is_none() && self.low == self.high {
                other.times(self)
            } else {
                None
            };
        }
        let factor = other.low;
        if self.axis.is_some() || self.low != self.high {
            // A number alone, in all eyes.
            if !other.fixed.is_none() || !(1..=MOST_STRIDE).contains(&factor) {
                return None;
            }
            let product = Affine {
                axis: self.axis,
                stride: self.stride.checked_mul(factor)?,
                fixed: self.fixed.times(factor)?,
                low: self.low.checked_mul(factor)?,
                high: self.high.checked_mul(factor)?,
            };
            return product.checked();
        }
        let fixed = self.fixed.times_fixed(&other.fixed)?;
        let fixed = fixed
            .plus(self.fixed.times(factor)?)?
            .plus(other.fixed.times(self.low)?)?;
        let number = self.low.checked_mul(factor)?;
        let product = Affine {
            fixed,
            ..Affine::numbers(number, number)
        };
        product.checked()
    }

    /// Two indices along one axis. Their difference is a multiple of the stride plus what is between the offsets.
    pub fn meets(&self, other: &Affine) -> Meeting {
        if self.axis.is_none() || (self.axis, self.stride, &self.fixed) != (other.axis, other.stride, &other.fixed) {
            return Meeting::Anything;
        }
        let stride = self.stride.abs();
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
            ..Affine::numbers(0, 0)
        }
    }

    /// All pairs of some positions and offsets, modulo 2^64.
    fn tried(a: &Affine, b: &Affine) -> Meeting {
        let (mut same, mut others) = (false, false);
        for x in 0..20_u64 {
            for y in 0..20_u64 {
                let index =
                    |f: &Affine, at: u64, offset: i64| at.wrapping_mul(f.stride as u64).wrapping_add(offset as u64);
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
        for stride in [-4, -3, -2, -1, 1, 2, 3, 4] {
            for low in -4..5 {
                for len in 0..6 {
                    for other in -4..5 {
                        for other_len in 0..3 {
                            let (a, b) = (affine(stride, low, low + len), affine(stride, other, other + other_len));
                            assert_eq!(a.meets(&b), tried(&a, &b), "{a:?} {b:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn other_strides_and_axes_say_nothing() {
        let a = affine(2, 0, 0);
        assert_eq!(a.meets(&affine(3, 0, 0)), Meeting::Anything);
        let other = Affine {
            axis: Some(Axis::One(1)),
            ..a.clone()
        };
        assert_eq!(a.meets(&other), Meeting::Anything);
        assert_eq!(Affine::numbers(1, 1).meets(&Affine::numbers(1, 1)), Meeting::Anything);
    }

    fn number(n: i64) -> Affine {
        Affine::numbers(n, n)
    }

    #[test]
    fn sums_have_one_position_and_small_numbers() {
        let i = || Affine::own(Axis::One(0));
        assert_eq!(i().plus(i()), None);
        assert_eq!(i().minus(i()), None);
        assert_eq!(number(1).minus(i()), Some(affine(-1, 1, 1)));
        let tile = i().times(number(3)).unwrap().plus(Affine::numbers(0, 2));
        assert_eq!(tile, Some(affine(3, 0, 2)));
        assert_eq!(number(5).minus(tile.unwrap()), Some(affine(-3, 3, 5)));
        assert_eq!(i().times(number(0)), None);
        assert_eq!(i().times(number(1025)), None);
        assert_eq!(i().times(number(1000)).unwrap().times(number(1000)), None);
        assert_eq!(i().minus(number((1 << 32) + 1)), None);
        assert_eq!(i().times(Affine::numbers(1, 2)), None);
        assert_eq!(i().times(i()), None);
    }

    #[test]
    fn what_is_fixed_is_a_polynomial() {
        let i = || Affine::own(Axis::One(0));
        let [n, m] = [0, 1].map(|k| move || Affine::fixed(Extent::Local(LocalId(k))));
        // i + (n + 2) * (m - 3) is i + n * m + 2 * m - 3 * n - 6, in any order.
        let product = || {
            n().plus(number(2))
                .unwrap()
                .times(m().minus(number(3)).unwrap())
                .unwrap()
        };
        let other = (m().times(n()).unwrap().plus(m()).unwrap().plus(m()).unwrap())
            .minus(n().times(number(3)).unwrap())
            .unwrap();
        let (a, b) = (
            i().plus(product()).unwrap(),
            other.plus(i()).unwrap().minus(number(6)).unwrap(),
        );
        assert_eq!(a, b);
        assert_eq!(a.meets(&b), Meeting::Same);
        assert_eq!(a.meets(&b.clone().plus(number(1)).unwrap()), Meeting::Anything);
        assert_eq!(a.meets(&b.clone().plus(n()).unwrap()), Meeting::Anything);
        assert_eq!(a.meets(&i()), Meeting::Anything);
        // Nothing is left but the variables, of which nobody knows whether they are numbers.
        let nothing = product().minus(product()).unwrap();
        assert_eq!(nothing, number(0));
        assert_eq!(nothing.fixed.variables().collect::<Vec<_>>(), [LocalId(0), LocalId(1)]);
        assert_eq!(i().plus(nothing.clone()), Some(i()));
        assert_eq!(i().times(nothing.plus(number(2)).unwrap()), None);
        assert_eq!(product().times(number(0)).unwrap().fixed.variables().count(), 2);
        assert_eq!(i().times(n()), None);
        // A limited position and what is fixed could be an index of another iteration.
        assert_eq!(i().times(number(2)).unwrap().minus(n()), None);
        assert_eq!(n().minus(i().times(number(2)).unwrap()), None);
        assert_eq!(i().plus(n()).unwrap().times(number(2)), None);
        assert_eq!(n().minus(i()).unwrap().times(number(1)), n().minus(i()));
        assert_eq!(n().times(Affine::numbers(0, 1)), None);
        let mut power = n();
        for _ in 1..4 {
            power = power.times(n()).unwrap();
        }
        assert_eq!(power.times(n()), None);
    }
}
