//! How partial results of a parallel reduction combine, and what each starts from.
//!
//! The names keep clear of `Ord::min` and the like: generic code has both in scope.
//!
//! Integer sums and products wrap: partial sums may leave the type's range where the whole sum does not, and modulo
//! 2^bits the result is right again.

use half::{bf16, f16};

use crate::element::KernelType;

/// Types with sums.
#[diagnostic::on_unimplemented(message = "a parallel loop cannot sum values of type `{Self}`")]
pub trait ReduceAdd: KernelType {
    /// The empty sum.
    fn zero() -> Self;
    /// `self + other`.
    #[must_use]
    fn reduce_add(self, other: Self) -> Self;
    /// `self - sum`, of a sum of what `-=` has subtracted. If nothing was, the sum is [`zero`](ReduceAdd::zero), and the
    /// value stays: `-0.0 - -0.0` would be 0. A sum of -0.0 alone counts as that of nothing.
    #[must_use]
    fn reduce_sub(self, sum: Self) -> Self;
}

/// Types with products.
#[diagnostic::on_unimplemented(message = "a parallel loop cannot multiply up values of type `{Self}`")]
pub trait ReduceMul: KernelType {
    /// The empty product.
    fn one() -> Self;
    /// `self * other`, for vectors component by component.
    #[must_use]
    fn reduce_mul(self, other: Self) -> Self;
}

/// Types with minima.
#[diagnostic::on_unimplemented(message = "a parallel loop cannot find the minimum of values of type `{Self}`")]
pub trait ReduceMin: KernelType {
    /// The minimum of nothing: the largest integer; of floats NaN, since infinity is less than a variable that is NaN.
    fn highest() -> Self;
    /// `self.min(other)`, for vectors component by component; of floats the one that is not NaN.
    #[must_use]
    fn reduce_min(self, other: Self) -> Self;
}

/// Types with maxima.
#[diagnostic::on_unimplemented(message = "a parallel loop cannot find the maximum of values of type `{Self}`")]
pub trait ReduceMax: KernelType {
    /// The maximum of nothing: the least integer; of floats NaN, as for the minimum.
    fn lowest() -> Self;
    /// `self.max(other)`, for vectors component by component; of floats the one that is not NaN.
    #[must_use]
    fn reduce_max(self, other: Self) -> Self;
}

/// Types with bitwise operations: integers and `bool`.
#[diagnostic::on_unimplemented(message = "a parallel loop cannot combine values of type `{Self}` bit by bit")]
pub trait ReduceBits: KernelType {
    /// The conjunction of nothing.
    fn ones() -> Self;
    /// The disjunction of nothing.
    fn zeros() -> Self;
    /// `self & other`.
    #[must_use]
    fn reduce_and(self, other: Self) -> Self;
    /// `self | other`.
    #[must_use]
    fn reduce_or(self, other: Self) -> Self;
    /// `self ^ other`.
    #[must_use]
    fn reduce_xor(self, other: Self) -> Self;
}

macro_rules! reduce {
    ($trait:ident for $t:ident: $identity:ident = $value:expr $(, $combine:ident($a:ident, $b:ident) = $result:expr)+) => {
        impl $trait for $t {
            #[inline(always)]
            fn $identity() -> Self {
                $value
            }

            $(
                #[inline(always)]
                fn $combine(self, $b: Self) -> Self {
                    let $a = self;
                    $result
                }
            )+
        }
    };
}

macro_rules! ints {
    ($($t:ident)*) => {
        $(
            reduce! {
                ReduceAdd for $t: zero = 0,
                reduce_add(a, b) = a.wrapping_add(b), reduce_sub(a, b) = a.wrapping_sub(b)
            }
            reduce! { ReduceMul for $t: one = 1, reduce_mul(a, b) = a.wrapping_mul(b) }
            reduce! { ReduceMin for $t: highest = $t::MAX, reduce_min(a, b) = Ord::min(a, b) }
            reduce! { ReduceMax for $t: lowest = $t::MIN, reduce_max(a, b) = Ord::max(a, b) }
        )*
    };
}

macro_rules! floats {
    ($($t:ident)*) => {$(
        // Not +0: a sum of negative zeros is -0.
        reduce! {
            ReduceAdd for $t: zero = -0.0,
            reduce_add(a, b) = a + b, reduce_sub(a, b) = if b.to_bits() == (-0.0 as $t).to_bits() { a } else { a - b }
        }
        reduce! { ReduceMul for $t: one = 1.0, reduce_mul(a, b) = a * b }
        reduce! { ReduceMin for $t: highest = $t::NAN, reduce_min(a, b) = $t::min(a, b) }
        reduce! { ReduceMax for $t: lowest = $t::NAN, reduce_max(a, b) = $t::max(a, b) }
    )*};
}

macro_rules! halves {
    ($($t:ident)*) => {$(
        reduce! {
            ReduceAdd for $t: zero = $t::NEG_ZERO,
            reduce_add(a, b) = a + b, reduce_sub(a, b) = if b.to_bits() == $t::NEG_ZERO.to_bits() { a } else { a - b }
        }
        reduce! { ReduceMul for $t: one = $t::ONE, reduce_mul(a, b) = a * b }
        reduce! { ReduceMin for $t: highest = $t::NAN, reduce_min(a, b) = a.min(b) }
        reduce! { ReduceMax for $t: lowest = $t::NAN, reduce_max(a, b) = a.max(b) }
    )*};
}

macro_rules! bits {
    ($($t:ident $zeros:literal;)*) => {$(
        impl ReduceBits for $t {
            #[inline(always)]
            fn ones() -> Self {
                !$zeros
            }

            #[inline(always)]
            fn zeros() -> Self {
                $zeros
            }

            #[inline(always)]
            fn reduce_and(self, other: Self) -> Self {
                self & other
            }

            #[inline(always)]
            fn reduce_or(self, other: Self) -> Self {
                self | other
            }

            #[inline(always)]
            fn reduce_xor(self, other: Self) -> Self {
                self ^ other
            }
        }
    )*};
}

ints! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
floats! { f32 f64 }
halves! { f16 bf16 }
bits! { bool false; i8 0; i16 0; i32 0; i64 0; isize 0; u8 0; u16 0; u32 0; u64 0; usize 0; }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{Mat2, Vec3};

    #[test]
    fn identities_change_nothing() {
        macro_rules! check {
            ($($t:ident [$($x:expr),*];)*) => {$(for x in [$($x),*] {
                assert_eq!(ReduceAdd::reduce_add(<$t as ReduceAdd>::zero(), x), x);
                assert_eq!(ReduceMul::reduce_mul(<$t as ReduceMul>::one(), x), x);
                assert_eq!(ReduceMin::reduce_min(<$t as ReduceMin>::highest(), x), x);
                assert_eq!(ReduceMax::reduce_max(<$t as ReduceMax>::lowest(), x), x);
            })*};
        }
        check! {
            i8 [i8::MIN, -1, 0, i8::MAX]; u16 [0, 7, u16::MAX]; i64 [i64::MIN, 5, i64::MAX]; usize [0, usize::MAX];
            f32 [f32::NEG_INFINITY, -2.5, f32::MIN_POSITIVE, f32::INFINITY]; f64 [f64::MIN, 0.1, f64::INFINITY];
        }
        assert!((<f32 as ReduceAdd>::zero() + -0.0).is_sign_negative());
        assert!(ReduceMin::reduce_min(<f64 as ReduceMin>::highest(), f64::NAN).is_nan());
        assert!(ReduceMax::reduce_max(<bf16 as ReduceMax>::lowest(), bf16::NAN).is_nan());
        for x in [0_u32, 0x1234_5678, u32::MAX] {
            assert_eq!(
                [
                    u32::ones().reduce_and(x),
                    u32::zeros().reduce_or(x),
                    u32::zeros().reduce_xor(x)
                ],
                [x; 3]
            );
        }
        assert!(bool::ones().reduce_and(true) && !bool::zeros().reduce_or(false) && bool::zeros().reduce_xor(true));
    }

    #[test]
    fn sums_wrap_and_minima_drop_nan() {
        assert_eq!(ReduceAdd::reduce_add(ReduceAdd::reduce_add(120_i8, 100), -100), 120);
        assert_eq!(ReduceMin::reduce_min(f32::NAN, 3.0), 3.0);
        assert_eq!(ReduceMax::reduce_max(-1.0, f64::NAN), -1.0);
    }

    #[test]
    fn vectors_and_matrices_go_by_component() {
        let (a, b) = (Vec3::new(1.0, -2.0, 3.0), Vec3::new(0.5, 5.0, -7.0));
        assert_eq!(ReduceAdd::reduce_add(a, b), Vec3::new(1.5, 3.0, -4.0));
        assert_eq!(ReduceMul::reduce_mul(a, b), Vec3::new(0.5, -10.0, -21.0));
        assert_eq!(ReduceMin::reduce_min(a, b), Vec3::new(0.5, -2.0, -7.0));
        assert_eq!(ReduceMax::reduce_max(<Vec3 as ReduceMax>::lowest(), b), b);
        let m = Mat2::from_array([[1.0, 2.0], [3.0, 4.0]]);
        assert_eq!(ReduceAdd::reduce_add(<Mat2 as ReduceAdd>::zero(), m), m);
    }
}
