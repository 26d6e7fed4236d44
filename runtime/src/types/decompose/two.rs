//! Decompositions of 2 by 2 matrices, in closed form.

use super::jacobi::{exchange, givens, orthogonalize, schur, turn};
use super::{Polar, Qr, Svd, SymmetricEigen};
use crate::func;
use crate::math::Float;
use crate::types::{Matrix, Vector};

#[func]
impl<T: Float> Matrix<T, 2, 2> {
    /// Singular value decomposition, with rotations `u` and `v` and the sign of the determinant in `s[1]`: see [`Svd`](crate::types::Svd).
    ///
    /// By Jacobi's method from one side (M. R. Hestenes, 1958): a rotation makes the columns orthogonal, a second one removes what the first one's
    /// rounding left. The result is finite for a finite matrix, but for a singular value beyond the largest number; all of it is NaN if
    /// an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::{Mat2, Vec2};
    /// let d = Mat2::from_array([[0.0, 2.0], [3.0, 0.0]]).svd();
    /// assert_eq!(d.s, Vec2::new(3.0, -2.0));
    /// assert_eq!(d.u * Mat2::from_diagonal(d.s) * d.v.transpose(), Mat2::from_array([[0.0, 2.0], [3.0, 0.0]]));
    /// ```
    #[must_use]
    pub fn svd(self) -> Svd<T, 2> {
        let scale = self.magnitude();
        let scaled = self * (T::ONE / scale);
        let mut x = scaled.col(0);
        let mut y = scaled.col(1);
        let unit = Self::IDENTITY * (scale / scale);
        let mut v = unit.col(0);
        let mut w = unit.col(1);
        for _ in 0..2 {
            orthogonalize(&mut x, &mut y, &mut v, &mut w);
        }
        if x.dot(x) < y.dot(y) {
            exchange(&mut x, &mut y);
            exchange(&mut v, &mut w);
        }
        let most = x.norm();
        let mut first = unit.col(0);
        if most > T::ZERO {
            first = x / most;
        }
        let second = first.perp();
        let least = y.dot(second).min(most).max(-most);
        Svd {
            u: Matrix::<T, 2, 2>::from_cols([first, second]),
            s: Vector::<T, 2>::new(most, least) * scale,
            v: Matrix::<T, 2, 2>::from_cols([v, w]),
        }
    }

    /// Polar decomposition into a rotation and a symmetric matrix: see [`Polar`](crate::types::Polar). The rotation is that of the multiple of a
    /// rotation nearest to the matrix, whose entries are `m[0, 0] + m[1, 1]` and `m[1, 0] - m[0, 1]`; it is the identity where both are 0.
    ///
    /// K. Shoemake, T. Duff: Matrix animation and polar decomposition. Graphics Interface (1992). The result is finite for a finite matrix, but
    /// for an entry of the stretch beyond the largest number; all of it is NaN if an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::Mat2;
    /// let d = Mat2::from_array([[0.0, -2.0], [3.0, 0.0]]).polar();
    /// assert_eq!(d.rotation.to_array(), [[0.0, -1.0], [1.0, 0.0]]);
    /// assert_eq!(d.stretch.to_array(), [[3.0, 0.0], [0.0, 2.0]]);
    /// ```
    #[must_use]
    pub fn polar(self) -> Polar<T, 2> {
        let scale = self.magnitude();
        let m = self * (T::ONE / scale);
        let one = scale / scale;
        let [cos, sin] = givens(m[[0, 0]] + m[[1, 1]], m[[1, 0]] - m[[0, 1]]);
        let rotation = Matrix::<T, 2, 2>::from_array([[cos, sin], [-sin, cos]]) * one;
        let stretch = rotation.transpose() * m;
        Polar {
            rotation,
            stretch: stretch.symmetric_part() * scale,
        }
    }

    /// Eigenvalues and eigenvectors of a symmetric matrix: see [`SymmetricEigen`](crate::types::SymmetricEigen). Of another matrix those of its
    /// [symmetric part](Matrix::symmetric_part).
    ///
    /// By one rotation of Jacobi's (Golub and Van Loan: Matrix Computations, section 8.5). The result is finite for a finite matrix, but for an
    /// eigenvalue beyond the largest number; all of it is NaN if an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::{DMat2, DVec2};
    /// let d = DMat2::from_array([[1.0, 2.0], [2.0, 1.0]]).symmetric_eigen();
    /// assert!((d.values - DVec2::new(-1.0, 3.0)).norm() < 1e-15);
    /// ```
    #[must_use]
    pub fn symmetric_eigen(self) -> SymmetricEigen<T, 2> {
        let scale = self.magnitude();
        let m = (self * (T::ONE / scale)).symmetric_part();
        let unit = Self::IDENTITY * (scale / scale);
        let mut v = unit.col(0);
        let mut w = unit.col(1);
        let mut values = m.diagonal();
        let b = m[[0, 1]];
        if b.abs() > T::ZERO {
            let [tan, cos, sin] = schur(m[[0, 0]], b, m[[1, 1]]);
            values += Vector::<T, 2>::new(-tan * b, tan * b);
            turn(&mut v, &mut w, cos, sin);
        }
        if values.x > values.y {
            values = Vector::<T, 2>::new(values.y, values.x);
            exchange(&mut v, &mut w);
        }
        SymmetricEigen {
            values: values * scale,
            vectors: Matrix::<T, 2, 2>::from_cols([v, w]),
        }
    }

    /// QR decomposition with a rotation `q`: see [`Qr`](crate::types::Qr).
    ///
    /// By a Givens rotation (Golub and Van Loan: Matrix Computations, section 5.2.5). The result is finite for a finite matrix, but for an entry of `r` beyond
    /// the largest number; all of it is NaN if an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::Mat2;
    /// let d = Mat2::from_array([[0.0, 2.0], [-4.0, 1.0]]).qr();
    /// assert_eq!(d.q.to_array(), [[0.0, 1.0], [-1.0, 0.0]]);
    /// assert_eq!(d.r.to_array(), [[4.0, -1.0], [0.0, 2.0]]);
    /// ```
    #[must_use]
    pub fn qr(self) -> Qr<T, 2> {
        let scale = self.magnitude();
        let m = self * (T::ONE / scale);
        let unit = Self::IDENTITY * (scale / scale);
        let mut a = m.row(0);
        let mut b = m.row(1);
        let mut p = unit.row(0);
        let mut q = unit.row(1);
        let [cos, sin] = givens(a.x, b.x);
        turn(&mut a, &mut b, cos, sin);
        turn(&mut p, &mut q, cos, sin);
        b.x = scale - scale;
        Qr {
            q: Matrix::<T, 2, 2>::from_cols([p, q]),
            r: Matrix::<T, 2, 2>::from_rows([a, b]) * scale,
        }
    }
}
