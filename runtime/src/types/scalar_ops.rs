//! `2.0 * v`: a scalar on the left. Rust's rules on foreign types allow these for one scalar type at a time only.

use std::ops::{Add, Div, Mul, Sub};

use half::{bf16, f16};

use super::{Matrix, Vector};

macro_rules! scalar_left {
    ($($t:ident)*) => {$(
        scalar_left! { @op $t Add add }
        scalar_left! { @op $t Sub sub }
        scalar_left! { @op $t Mul mul }
        scalar_left! { @op $t Div div }

        impl<const R: usize, const C: usize> Mul<Matrix<$t, R, C>> for $t {
            type Output = Matrix<$t, R, C>;

            #[inline(always)]
            fn mul(self, rhs: Matrix<$t, R, C>) -> Matrix<$t, R, C> {
                rhs * self
            }
        }
    )*};
    (@op $t:ident $op:ident $method:ident) => {
        impl<const N: usize> $op<Vector<$t, N>> for $t {
            type Output = Vector<$t, N>;

            #[inline(always)]
            fn $method(self, rhs: Vector<$t, N>) -> Vector<$t, N> {
                $op::$method(Vector::splat(self), rhs)
            }
        }
    };
}

scalar_left! { f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 }
