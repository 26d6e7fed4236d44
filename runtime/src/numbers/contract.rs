//! Contraction: `a * b + c` rounded once, in the versions of a loop whose processor has an instruction for it.
//!
//! Kernels name these functions wherever the text has a product in a sum. Whether there is something to contract is for the types to
//! say: floats, and vectors and matrices of them, component by component. All others keep the plain result, as do loops that may
//! not contract.

use std::mem::transmute_copy;
use std::ops::Neg;

use crate::element::KernelType;
use crate::versions::Target;

/// What a type is to `a * b + c`: one float, or a vector or matrix of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Floats {
    /// Size of one; 0 if the type is something else.
    size: usize,
    /// 0 if there is but one.
    rows: usize,
    /// 0 but for matrices.
    columns: usize,
}

impl Floats {
    /// Something else.
    pub const NONE: Floats = Floats::scalar(0);

    /// One float, of this size.
    #[must_use]
    pub const fn scalar(size: usize) -> Floats {
        Floats {
            size,
            rows: 0,
            columns: 0,
        }
    }

    /// A vector (no columns) or a matrix of these.
    #[must_use]
    pub const fn shaped(self, rows: usize, columns: usize) -> Floats {
        match self.size {
            0 => self,
            size => Floats { size, rows, columns },
        }
    }

    /// Size of one float.
    pub(super) const fn size(self) -> usize {
        self.size
    }

    pub(super) const fn is_vector(self) -> bool {
        self.rows > 0 && self.columns == 0
    }

    const fn is_scalar(self) -> bool {
        self.rows == 0
    }

    /// Whether it can be a factor where the sum is of type `sum`, component by component.
    pub(super) const fn fits(self, sum: Floats) -> bool {
        self.size == sum.size && (self.is_scalar() || self.rows == sum.rows && self.columns == sum.columns)
    }
}

/// Whether the product and the sum are operations component by component.
const fn fuses<A: KernelType, B: KernelType, C: KernelType>() -> bool {
    let (a, b, c) = (A::FLOATS, B::FLOATS, C::FLOATS);
    let one_matrix = a.is_scalar() || b.is_scalar() || c.columns == 0;
    let of_components = c.is_scalar() || !a.is_scalar() || !b.is_scalar();
    c.size > 0 && a.fits(c) && b.fits(c) && one_matrix && of_components
}

/// A float with `self * a + b` in one rounding.
pub(super) trait Float: Copy + Neg<Output = Self> {
    fn fuse(self, a: Self, b: Self) -> Self;
}

impl Float for f32 {
    #[inline(always)]
    fn fuse(self, a: f32, b: f32) -> f32 {
        self.mul_add(a, b)
    }
}

impl Float for f64 {
    #[inline(always)]
    fn fuse(self, a: f64, b: f64) -> f64 {
        self.mul_add(a, b)
    }
}

#[inline(always)]
fn signed<F: Float, const MINUS: bool>(value: F) -> F {
    if MINUS { -value } else { value }
}

/// Adds `a * b` to `c`; changes the sign of the product before if `MINUS_PRODUCT`, that of `c` if `MINUS_TERM`.
///
/// # Safety
/// [`fuses`] these types, of floats `F`.
#[inline(always)]
unsafe fn fuse<F: Float, A, B, C, const MINUS_PRODUCT: bool, const MINUS_TERM: bool>(a: &A, b: &B, c: &mut C) {
    let one = |a: F, b: F, c: F| signed::<F, MINUS_PRODUCT>(a).fuse(b, signed::<F, MINUS_TERM>(c));
    if const { size_of::<C>() == size_of::<F>() } {
        // SAFETY: all are one float.
        unsafe {
            let sum = one(transmute_copy(a), transmute_copy(b), transmute_copy(c));
            std::ptr::from_mut(c).cast::<F>().write(sum);
        }
        return;
    }
    let (a, b, c) = (&raw const *a, &raw const *b, &raw mut *c);
    for k in 0..const { size_of::<C>() / size_of::<F>() } {
        let step = |size: usize| if size == size_of::<F>() { 0 } else { k };
        // SAFETY: a factor is one float, or as many as `c`.
        unsafe {
            let a = a.cast::<F>().add(step(size_of::<A>())).read();
            let b = b.cast::<F>().add(step(size_of::<B>())).read();
            let c = c.cast::<F>().add(k);
            c.write(one(a, b, c.read()));
        }
    }
}

/// Does [`fuse`] if the types have it.
#[inline(always)]
fn try_fuse<A: KernelType, B: KernelType, C: KernelType, const MINUS_PRODUCT: bool, const MINUS_TERM: bool>(
    target: Target,
    a: &A,
    b: &B,
    c: &mut C,
) -> bool {
    // Constants, so that no code is left of the other cases.
    if const { !fuses::<A, B, C>() } || !target.fuses() {
        return false;
    }
    if const { C::FLOATS.size == 4 } {
        // SAFETY: as was looked up.
        unsafe { fuse::<f32, A, B, C, MINUS_PRODUCT, MINUS_TERM>(a, b, c) }
    } else {
        // SAFETY: there are floats of two sizes.
        unsafe { fuse::<f64, A, B, C, MINUS_PRODUCT, MINUS_TERM>(a, b, c) }
    }
    true
}

#[inline(always)]
fn fused_or<
    A: KernelType,
    B: KernelType,
    C: KernelType,
    R: KernelType,
    const MINUS_PRODUCT: bool,
    const MINUS_TERM: bool,
>(
    target: Target,
    a: &A,
    b: &B,
    mut c: C,
    plain: R,
) -> R {
    let of_sum = const { matches!((R::FLOATS, C::FLOATS), (r, c) if r.size == c.size && c.fits(r) && r.fits(c)) };
    if of_sum && try_fuse::<A, B, C, MINUS_PRODUCT, MINUS_TERM>(target, a, b, &mut c) {
        // SAFETY: both are the same floats in the same order.
        return unsafe { transmute_copy(&c) };
    }
    plain
}

/// `a * b + c`, which is `plain`.
#[inline(always)]
pub fn sum<A: KernelType, B: KernelType, C: KernelType, R: KernelType>(
    target: Target,
    a: A,
    b: B,
    c: C,
    plain: R,
) -> R {
    fused_or::<A, B, C, R, false, false>(target, &a, &b, c, plain)
}

/// `a * b - c`, which is `plain`.
#[inline(always)]
pub fn difference<A: KernelType, B: KernelType, C: KernelType, R: KernelType>(
    target: Target,
    a: A,
    b: B,
    c: C,
    plain: R,
) -> R {
    fused_or::<A, B, C, R, false, true>(target, &a, &b, c, plain)
}

/// `c - a * b`, which is `plain`.
#[inline(always)]
pub fn rest<A: KernelType, B: KernelType, C: KernelType, R: KernelType>(
    target: Target,
    a: A,
    b: B,
    c: C,
    plain: R,
) -> R {
    fused_or::<A, B, C, R, true, false>(target, &a, &b, c, plain)
}

/// `place += a * b`, if that is one rounding. Else the caller has to do it.
#[inline(always)]
#[must_use]
pub fn add<A: KernelType, B: KernelType, C: KernelType>(target: Target, place: &mut C, a: A, b: B) -> bool {
    try_fuse::<A, B, C, false, false>(target, &a, &b, place)
}

/// `place -= a * b`, if that is one rounding. Else the caller has to do it.
#[inline(always)]
#[must_use]
pub fn subtract<A: KernelType, B: KernelType, C: KernelType>(target: Target, place: &mut C, a: A, b: B) -> bool {
    try_fuse::<A, B, C, true, false>(target, &a, &b, place)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DVec2, Mat2, Vec3};

    /// 1 + 2^-12 squared is 1 + 2^-11 + 2^-24, whose last part is half a unit of the last place.
    const A: f32 = 1.0 + 1.0 / 4096.0;
    const SQUARE: f32 = 1.0 + 2.0 / 4096.0;
    const LOST: f32 = 1.0 / 16_777_216.0;

    #[test]
    fn one_rounding_where_it_is_asked_for() {
        assert_eq!(sum(Target::Plain, A, A, -SQUARE, A * A - SQUARE), 0.0);
        assert_eq!(sum(Target::Fused, A, A, -SQUARE, f32::NAN), LOST);
        assert_eq!(difference(Target::Fused, A, A, SQUARE, f32::NAN), LOST);
        assert_eq!(rest(Target::Fused, A, A, SQUARE, f32::NAN), -LOST);
        let mut place = SQUARE;
        assert!(subtract(Target::Fused, &mut place, A, A) && place == -LOST);
        assert!(add(Target::Fused, &mut place, -A, -SQUARE) && place == A.mul_add(SQUARE, -LOST));
        assert!(!add(Target::Plain, &mut place, A, A));
    }

    #[test]
    fn by_component() {
        let (v, w) = (Vec3::new(A, -2.0, 3.0), Vec3::new(A, 5.0, 7.0));
        let c = Vec3::new(-SQUARE, 1.0, 10.0);
        assert_eq!(sum(Target::Fused, v, w, c, Vec3::ZERO), Vec3::new(LOST, -9.0, 31.0));
        assert_eq!(sum(Target::Fused, v, A, c, Vec3::ZERO).x, LOST);
        assert_eq!(rest(Target::Fused, A, v, c, Vec3::ZERO).y, 1.0 + 2.0 * A);
        let d = DVec2::new(2.0, 3.0);
        assert_eq!(
            difference(Target::Fused, d, d, DVec2::new(1.0, 10.0), d),
            DVec2::new(3.0, -1.0)
        );
        let m = Mat2::from_array([[1.0, 2.0], [3.0, 4.0]]);
        assert_eq!(
            sum(Target::Fused, m, 10.0_f32, m, m),
            Mat2::from_array([[11.0, 22.0], [33.0, 44.0]])
        );
        assert_eq!(rest(Target::Fused, 2.0_f32, m, m, m), -m);
    }

    #[test]
    fn other_types_keep_the_plain_result() {
        assert_eq!(sum(Target::Fused, 3, 4, 5, 17), 17);
        assert_eq!(sum(Target::Fused, 2.0_f32, 3.0_f64, 4.0_f64, 7.0_f64), 7.0);
        let mut place = 5_i64;
        assert!(!add(Target::Fused, &mut place, 2_i64, 3_i64) && place == 5);
        let m = Mat2::from_array([[A, 2.0], [3.0, 4.0]]);
        assert_eq!(sum(Target::Fused, m, m, m, Mat2::ZERO), Mat2::ZERO);
        assert_eq!(sum(Target::Fused, A, A, Vec3::ONE, Vec3::ZERO), Vec3::ZERO);
    }
}
