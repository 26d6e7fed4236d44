//! Operators on matrices.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Matrix, Vector, built_in};
use crate::math::{Scalar, Signed};

macro_rules! by_entry {
    ($($op:ident<$rhs:ty> $method:ident, $assign:ident $assign_method:ident: |$a:ident, $b:ident, $r:ident, $c:ident| $value:expr;)*) => {$(
        impl<T: Scalar, const R: usize, const C: usize> $op<$rhs> for Matrix<T, R, C> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, $b: $rhs) -> Self {
                let mut value = self;
                for $r in 0..R {
                    for $c in 0..C {
                        let $a = self.0[$r][$c];
                        value.0[$r][$c] = $value;
                    }
                }
                value
            }
        }

        impl<T: Scalar, const R: usize, const C: usize> $assign<$rhs> for Matrix<T, R, C> {
            #[inline(always)]
            fn $assign_method(&mut self, rhs: $rhs) {
                *self = $op::$method(*self, rhs);
            }
        }
    )*};
}

by_entry! {
    Add<Self> add, AddAssign add_assign: |a, b, r, c| a + b.0[r][c];
    Sub<Self> sub, SubAssign sub_assign: |a, b, r, c| a - b.0[r][c];
    Mul<T> mul, MulAssign mul_assign: |a, b, r, c| a * b;
    Div<T> div, DivAssign div_assign: |a, b, r, c| a / b;
}

impl<T: Signed, const R: usize, const C: usize> Neg for Matrix<T, R, C> {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        let mut value = self;
        for r in 0..R {
            for c in 0..C {
                value.0[r][c] = -self.0[r][c];
            }
        }
        value
    }
}

impl<T: Scalar, const R: usize, const C: usize> Mul<Vector<T, C>> for Matrix<T, R, C> {
    type Output = Vector<T, R>;

    #[inline(always)]
    fn mul(self, rhs: Vector<T, C>) -> Vector<T, R> {
        let mut v = Vector::ZERO;
        for r in 0..R {
            let mut sum = self.0[r][0] * rhs.0[0];
            for k in 1..C {
                sum += self.0[r][k] * rhs.0[k];
            }
            v.0[r] = sum;
        }
        v
    }
}

impl<T: Scalar, const R: usize, const C: usize> Mul<Matrix<T, R, C>> for Vector<T, R> {
    type Output = Vector<T, C>;

    /// The row vector times the matrix.
    #[inline(always)]
    fn mul(self, rhs: Matrix<T, R, C>) -> Vector<T, C> {
        let mut v = Vector::ZERO;
        for c in 0..C {
            let mut sum = self.0[0] * rhs.0[0][c];
            for k in 1..R {
                sum += self.0[k] * rhs.0[k][c];
            }
            v.0[c] = sum;
        }
        v
    }
}

impl<T: Scalar, const R: usize, const K: usize, const C: usize> Mul<Matrix<T, K, C>> for Matrix<T, R, K> {
    type Output = Matrix<T, R, C>;

    #[inline(always)]
    fn mul(self, rhs: Matrix<T, K, C>) -> Matrix<T, R, C> {
        let mut m = Matrix::ZERO;
        for r in 0..R {
            for c in 0..C {
                let mut sum = self.0[r][0] * rhs.0[0][c];
                for k in 1..K {
                    sum += self.0[r][k] * rhs.0[k][c];
                }
                m.0[r][c] = sum;
            }
        }
        m
    }
}

impl<T: Scalar, const N: usize> MulAssign for Matrix<T, N, N> {
    #[inline(always)]
    fn mul_assign(&mut self, rhs: Self) {
        *self = *self * rhs;
    }
}

built_in! { Matrix<T, R, C>: Scalar: add add_assign sub sub_assign mul mul_assign div div_assign }
built_in! { Matrix<T, R, C>: Signed: neg }

#[cfg(test)]
mod tests {
    use crate::types::{DMat3, Matrix, Vector};

    const A: Matrix<i32, 2, 3> = Matrix::from_array([[1, -2, 3], [4, 5, -6]]);

    #[test]
    fn by_entry() {
        let b = Matrix::from_array([[7, 8, 9], [10, 11, 12]]);
        assert_eq!((A + b).to_array(), [[8, 6, 12], [14, 16, 6]]);
        assert_eq!((A - b).to_array(), [[-6, -10, -6], [-6, -6, -18]]);
        assert_eq!((-A).to_array(), [[-1, 2, -3], [-4, -5, 6]]);
        assert_eq!(A * 2, A + A);
        assert_eq!(2 * A, A + A);
        assert_eq!((A + A) / 2, A);
        let mut m = A;
        m += b;
        m -= A;
        m *= 3;
        m /= 3;
        assert_eq!(m, b);
    }

    #[test]
    fn products_are_those_of_linear_algebra() {
        assert_eq!(A * Vector::<i32, 3>::new(1, 10, 100), Vector::<i32, 2>::new(281, -546));
        assert_eq!(Vector::<i32, 2>::new(10, 1) * A, Vector::<i32, 3>::new(14, -15, 24));
        let b = Matrix::from_array([[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]]);
        let product: Matrix<i32, 2, 4> = A * b;
        for r in 0..2 {
            for c in 0..4 {
                assert_eq!(product[[r, c]], (0..3).map(|k| A[[r, k]] * b[[k, c]]).sum::<i32>());
            }
        }
        let mut m = DMat3::from_array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]);
        let cycle = m;
        m *= cycle;
        m *= cycle;
        assert_eq!(m, DMat3::IDENTITY);
    }
}
