//! Vectors, matrices and quaternions of `nalgebra`. Its matrices lie column by column: the entry of a row and a column stays the same.

use nalgebra::{SMatrix, SVector, Scalar};

use super::{Matrix, Quaternion, Vector};

impl<T: Scalar, const N: usize> From<SVector<T, N>> for Vector<T, N> {
    fn from(v: SVector<T, N>) -> Self {
        let [components] = v.data.0;
        Vector(components)
    }
}

impl<T: Scalar, const N: usize> From<Vector<T, N>> for SVector<T, N> {
    fn from(v: Vector<T, N>) -> Self {
        SVector::from_data(nalgebra::ArrayStorage([v.0]))
    }
}

impl<T: Scalar + Copy, const R: usize, const C: usize> From<SMatrix<T, R, C>> for Matrix<T, R, C> {
    fn from(m: SMatrix<T, R, C>) -> Self {
        Matrix(std::array::from_fn(|r| std::array::from_fn(|c| m[(r, c)])))
    }
}

impl<T: Scalar + Copy, const R: usize, const C: usize> From<Matrix<T, R, C>> for SMatrix<T, R, C> {
    fn from(m: Matrix<T, R, C>) -> Self {
        SMatrix::from_fn(|r, c| m.0[r][c])
    }
}

impl<T: Scalar> From<nalgebra::Quaternion<T>> for Quaternion<T> {
    fn from(q: nalgebra::Quaternion<T>) -> Self {
        let [parts] = q.coords.data.0;
        Quaternion::from(parts)
    }
}

impl<T: Scalar> From<Quaternion<T>> for nalgebra::Quaternion<T> {
    fn from(q: Quaternion<T>) -> Self {
        nalgebra::Quaternion {
            coords: SVector::from_data(nalgebra::ArrayStorage([q.into()])),
        }
    }
}
