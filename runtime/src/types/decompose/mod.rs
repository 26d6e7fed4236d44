//! Decompositions of square matrices of two and three rows, in the kernel language: these bodies serve the host and every device.
//!
//! Every one first brings its matrix near 1 by a power of two, which rounds nothing; so no square on the way overflows.

mod jacobi;
mod three;
mod two;

use super::{Matrix, Vector};
use crate::math::Float;
use crate::{Element, func};

/// What [`Matrix::svd`] gives: `u * Matrix::from_diagonal(s) * v.transpose()` is the matrix.
///
/// `u` and `v` are rotations, of determinant 1. So the singular values have signs: `s[0] >= s[1] >= ..`, the last one is negative where
/// the determinant of the matrix is, all others are not, and each is at least as large as the absolute value of the next.
/// The singular values of other libraries are `s.abs()`, with the last column of `u` or of `v` negated where the last one is negative.
#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq)]
pub struct Svd<T: Float, const N: usize> {
    /// The left singular vectors, as columns: a rotation.
    pub u: Matrix<T, N, N>,
    /// The singular values, descending.
    pub s: Vector<T, N>,
    /// The right singular vectors, as columns: a rotation.
    pub v: Matrix<T, N, N>,
}

/// What [`Matrix::polar`] gives: `rotation * stretch` is the matrix.
#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq)]
pub struct Polar<T: Float, const N: usize> {
    /// The rotation nearest to the matrix, of determinant 1 also where that of the matrix is negative.
    pub rotation: Matrix<T, N, N>,
    /// A symmetric matrix. One of its eigenvalues is negative where the determinant of the matrix is, else none.
    pub stretch: Matrix<T, N, N>,
}

/// What [`Matrix::symmetric_eigen`] gives: `vectors * Matrix::from_diagonal(values) * vectors.transpose()` is the matrix.
#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq)]
pub struct SymmetricEigen<T: Float, const N: usize> {
    /// The eigenvalues, ascending.
    pub values: Vector<T, N>,
    /// The eigenvectors, as columns: a rotation.
    pub vectors: Matrix<T, N, N>,
}

/// What [`Matrix::qr`] gives: `q * r` is the matrix.
#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq)]
pub struct Qr<T: Float, const N: usize> {
    /// A rotation.
    pub q: Matrix<T, N, N>,
    /// Zero below the diagonal. The last entry of the diagonal has the sign of the matrix's determinant, the others are not negative.
    pub r: Matrix<T, N, N>,
}

#[func]
impl<T: Float, const R: usize, const C: usize> Matrix<T, R, C> {
    /// A power of two beside the largest entry: after a division by it all entries are below 4, and one is at least 1 unless all
    /// are below the least normal number. NaN if an entry is infinite or NaN.
    #[must_use]
    fn magnitude(self) -> T {
        let mut most = T::ZERO;
        let mut none = T::ZERO;
        for r in 0..R {
            for c in 0..C {
                most = most.max(self[[r, c]].abs());
                // Zero, or NaN.
                none += self[[r, c]] * T::ZERO;
            }
        }
        // The exponent alone, between bounds whose reciprocals are normal numbers.
        let power = T::from_bits(most.to_bits() & T::INFINITY.to_bits());
        power.max(T::MIN_POSITIVE).min(T::ONE / T::MIN_POSITIVE) + none
    }
}
