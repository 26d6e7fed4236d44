//! Operators on vectors: component by component.
//!
//! None of them changes an operand that it has by value, `mut self`. At `opt-level = 1` rustc 1.95 may hand over a caller's variable in the
//! place of a copy of it (global value numbering of MIR), and then the variable would change.

use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use super::{Vector, built_in};
use crate::math::{Int, Scalar, Signed};

macro_rules! operators {
    ($([$bound:ident] $($op:ident $method:ident, $assign:ident $assign_method:ident;)*)*) => {$($(
        impl<T: $bound, const N: usize> $op for Vector<T, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, rhs: Self) -> Self {
                let mut value = self;
                for k in 0..N {
                    value.0[k] = $op::$method(self.0[k], rhs.0[k]);
                }
                value
            }
        }

        impl<T: $bound, const N: usize> $op<T> for Vector<T, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, rhs: T) -> Self {
                let mut value = self;
                for k in 0..N {
                    value.0[k] = $op::$method(self.0[k], rhs);
                }
                value
            }
        }

        impl<T: $bound, const N: usize> $assign for Vector<T, N> {
            #[inline(always)]
            fn $assign_method(&mut self, rhs: Self) {
                *self = $op::$method(*self, rhs);
            }
        }

        impl<T: $bound, const N: usize> $assign<T> for Vector<T, N> {
            #[inline(always)]
            fn $assign_method(&mut self, rhs: T) {
                *self = $op::$method(*self, rhs);
            }
        }

        built_in! { Vector<T, N>: $bound: $method $assign_method }
    )*)*};
}

operators! {
    [Scalar]
    Add add, AddAssign add_assign;
    Sub sub, SubAssign sub_assign;
    Mul mul, MulAssign mul_assign;
    Div div, DivAssign div_assign;
    Rem rem, RemAssign rem_assign;
    [Int]
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

macro_rules! shifts {
    ($($op:ident $method:ident, $assign:ident $assign_method:ident;)*) => {$(
        impl<T: Int, const N: usize> $op<u32> for Vector<T, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, by: u32) -> Self {
                Vector(self.0.map(|value| $op::$method(value, by)))
            }
        }

        impl<T: Int, const N: usize> $assign<u32> for Vector<T, N> {
            #[inline(always)]
            fn $assign_method(&mut self, by: u32) {
                *self = $op::$method(*self, by);
            }
        }

        built_in! { Vector<T, N>: Int: $method $assign_method }
    )*};
}

shifts! {
    Shl shl, ShlAssign shl_assign;
    Shr shr, ShrAssign shr_assign;
}

impl<T: Int, const N: usize> Not for Vector<T, N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Vector(self.0.map(|value| !value))
    }
}

built_in! { Vector<T, N>: Int: not }

impl<T: Signed, const N: usize> Neg for Vector<T, N> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let mut value = self;
        for k in 0..N {
            value.0[k] = -self.0[k];
        }
        value
    }
}

built_in! { Vector<T, N>: Signed: neg }

#[cfg(test)]
mod tests {
    use crate::types::{DMat2, DVec3, IVec3, Vec3, Vector};

    /// In a build with `opt-level = 1`, as that of these tests.
    #[test]
    fn operands_stay_as_they_are() {
        let v = std::hint::black_box(DVec3::new(1.0, 2.0, 3.0));
        let twice = |v: DVec3| v * 2.0;
        let sum = twice(v) + twice(v) * 10.0 + twice(v) * 100.0;
        assert_eq!(sum.to_array(), [222.0, 444.0, 666.0]);
        let m = std::hint::black_box(DMat2::from_array([[1.0, 2.0], [3.0, 4.0]]));
        let twice = |m: DMat2| m * 2.0;
        let sum = twice(m) + twice(m) * 10.0 + twice(m) * 100.0;
        assert_eq!(sum, DMat2::from_array([[222.0, 444.0], [666.0, 888.0]]));
    }

    #[test]
    fn operators_go_by_component() {
        let (a, b) = (IVec3::new(7, -8, 9), IVec3::new(2, 3, -4));
        assert_eq!((a + b).to_array(), [9, -5, 5]);
        assert_eq!((a - b).to_array(), [5, -11, 13]);
        assert_eq!((a * b).to_array(), [14, -24, -36]);
        assert_eq!((a / b).to_array(), [3, -2, -2]);
        assert_eq!((a % b).to_array(), [1, -2, 1]);
        assert_eq!((-a).to_array(), [-7, 8, -9]);
        assert_eq!((a + 1).to_array(), [8, -7, 10]);
        assert_eq!((10 - a).to_array(), [3, 18, 1]);
        assert_eq!(20 / b, IVec3::new(10, 6, -5));
    }

    #[test]
    fn bits_go_by_component() {
        let (a, b) = (IVec3::new(12, -8, 9), IVec3::new(10, 3, -4));
        assert_eq!((a & b).to_array(), [8, 0, 8]);
        assert_eq!((a | b).to_array(), [14, -5, -3]);
        assert_eq!((a ^ b).to_array(), [6, -5, -11]);
        assert_eq!((a & 4).to_array(), [4, 0, 0]);
        assert_eq!((!a).to_array(), [-13, 7, -10]);
        assert_eq!((a << 3).to_array(), [96, -64, 72]);
        assert_eq!((a >> 1).to_array(), [6, -4, 4]);
        let mut c = a;
        c ^= b;
        c <<= 2;
        c |= 1;
        assert_eq!(c, ((a ^ b) << 2) | 1);
    }

    #[test]
    fn assigning_operators_are_the_operators() {
        let start = Vec3::new(1.5, -2.5, 4.0);
        let by = Vec3::new(2.0, 0.5, -1.0);
        macro_rules! check {
            ($($op:tt $assign:tt;)*) => {$({
                let mut v = start;
                v $assign by;
                assert_eq!(v, start $op by);
                v = start;
                v $assign 3.0;
                assert_eq!(v, start $op Vec3::splat(3.0));
            })*};
        }
        check! { + +=; - -=; * *=; / /=; % %=; }
    }

    #[test]
    fn any_length() {
        let v: Vector<u64, 17> = Vector::from_array(std::array::from_fn(|k| k as u64 + 1));
        assert_eq!((v * v / v - 1).to_array(), std::array::from_fn(|k| k as u64));
    }
}
