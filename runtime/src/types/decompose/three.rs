//! Decompositions of 3 by 3 matrices, by sweeps of rotations.

use super::jacobi::{SWEEPS, exchange, givens, orthogonalize, perpendicular, schur, turn};
use super::{Polar, Qr, Svd, SymmetricEigen};
use crate::func;
use crate::math::Float;
use crate::types::{Matrix, Vector};

#[func]
impl<T: Float> Matrix<T, 3, 3> {
    /// Singular value decomposition, with rotations `u` and `v` and the sign of the determinant in `s[2]`: see [`Svd`](crate::types::Svd).
    ///
    /// By Jacobi's method from one side (M. R. Hestenes, 1958), in at most 16 sweeps: rotations make the columns orthogonal, up to rounding beside their
    /// own lengths. The result is finite for a finite matrix, but for a singular value beyond the largest number; all of it is NaN if
    /// an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::{Mat3, Vec3};
    /// let m = Mat3::from_array([[0.0, 2.0, 0.0], [3.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    /// let d = m.svd();
    /// assert_eq!(d.s, Vec3::new(3.0, 2.0, -1.0));
    /// assert_eq!(d.u * Mat3::from_diagonal(d.s) * d.v.transpose(), m);
    /// ```
    #[must_use]
    pub fn svd(self) -> Svd<T, 3> {
        let scale = self.magnitude();
        let scaled = self * (T::ONE / scale);
        let mut x = scaled.col(0);
        let mut y = scaled.col(1);
        let mut z = scaled.col(2);
        let unit = Self::IDENTITY * (scale / scale);
        let mut u = unit.col(0);
        let mut v = unit.col(1);
        let mut w = unit.col(2);
        for _ in 0..SWEEPS {
            let a = orthogonalize(&mut x, &mut y, &mut u, &mut v);
            let b = orthogonalize(&mut x, &mut z, &mut u, &mut w);
            let c = orthogonalize(&mut y, &mut z, &mut v, &mut w);
            if !(a | b | c) {
                break;
            }
        }
        if x.dot(x) < y.dot(y) {
            exchange(&mut x, &mut y);
            exchange(&mut u, &mut v);
        }
        if x.dot(x) < z.dot(z) {
            exchange(&mut x, &mut z);
            exchange(&mut u, &mut w);
        }
        if y.dot(y) < z.dot(z) {
            exchange(&mut y, &mut z);
            exchange(&mut v, &mut w);
        }
        let most = x.norm();
        let mut first = unit.col(0);
        if most > T::ZERO {
            first = x / most;
        }
        // By its largest component, so that the squares of a short column do not vanish.
        let longest = y.abs().max_component();
        let direction = y / longest;
        let length = direction.norm();
        let mut middle = longest - longest;
        let mut second = perpendicular(first);
        if longest > T::ZERO {
            middle = (longest * length).min(most);
        }
        // What a shorter column keeps of its direction is rounding.
        if longest > most * T::EPSILON * T::from_f64(0.000_244_140_625) {
            second = direction / length;
        }
        let third = first.cross(second);
        let least = z.dot(third).min(middle).max(-middle);
        Svd {
            u: Matrix::<T, 3, 3>::from_cols([first, second, third]),
            s: Vector::<T, 3>::new(most, middle, least) * scale,
            v: Matrix::<T, 3, 3>::from_cols([u, v, w]),
        }
    }

    /// Polar decomposition into a rotation and a symmetric matrix: see [`Polar`](crate::types::Polar).
    ///
    /// From the singular values: the rotation is `u * v.transpose()`, the stretch `v * Matrix::from_diagonal(s) * v.transpose()`
    /// (N. J. Higham: Functions of Matrices (2008), section 8.1). Where the matrix has no nearest rotation, it is one of the
    /// nearest ones. The result is finite for a finite matrix, but for an entry of the stretch beyond the largest number; all of it is NaN if
    /// an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::{DMat3, DVec3};
    /// let turn = DMat3::from_array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    /// let d = (turn * DMat3::from_diagonal(DVec3::new(2.0, 0.5, 3.0))).polar();
    /// assert_eq!(d.rotation, turn);
    /// assert_eq!(d.stretch.diagonal(), DVec3::new(2.0, 0.5, 3.0));
    /// ```
    #[must_use]
    pub fn polar(self) -> Polar<T, 3> {
        let scale = self.magnitude();
        let d = (self * (T::ONE / scale)).svd();
        let back = d.v.transpose();
        let stretch = d.v * Matrix::<T, 3, 3>::from_diagonal(d.s) * back;
        Polar {
            rotation: d.u * back,
            stretch: stretch.symmetric_part() * scale,
        }
    }

    /// Eigenvalues and eigenvectors of a symmetric matrix: see [`SymmetricEigen`](crate::types::SymmetricEigen). Of another matrix those of its
    /// [symmetric part](Matrix::symmetric_part).
    ///
    /// By Jacobi's method, in at most 16 sweeps (Golub and Van Loan: Matrix Computations, section 8.5). The result is finite for a finite matrix, but for an
    /// eigenvalue beyond the largest number; all of it is NaN if an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::{DMat3, DVec3};
    /// let d = DMat3::from_array([[2.0, 0.0, 1.0], [0.0, 7.0, 0.0], [1.0, 0.0, 2.0]]).symmetric_eigen();
    /// assert!((d.values - DVec3::new(1.0, 3.0, 7.0)).norm() < 1e-14);
    /// assert!((d.vectors.col(2).abs() - DVec3::Y).norm() < 1e-14);
    /// ```
    #[must_use]
    pub fn symmetric_eigen(self) -> SymmetricEigen<T, 3> {
        let scale = self.magnitude();
        let m = (self * (T::ONE / scale)).symmetric_part();
        let mut xx = m[[0, 0]];
        let mut yy = m[[1, 1]];
        let mut zz = m[[2, 2]];
        let mut xy = m[[0, 1]];
        let mut xz = m[[0, 2]];
        let mut yz = m[[1, 2]];
        let unit = Self::IDENTITY * (scale / scale);
        let mut u = unit.col(0);
        let mut v = unit.col(1);
        let mut w = unit.col(2);
        for _ in 0..SWEEPS {
            // Beyond the rounding of the largest entry: the next sweep would change no bit.
            if xy.abs().max(xz.abs()).max(yz.abs()) <= T::EPSILON * T::EPSILON {
                break;
            }
            if xy.abs() > T::ZERO {
                let [tan, cos, sin] = schur(xx, xy, yy);
                xx -= tan * xy;
                yy += tan * xy;
                xy = T::ZERO;
                (xz, yz) = (xz * cos - yz * sin, xz * sin + yz * cos);
                turn(&mut u, &mut v, cos, sin);
            }
            if xz.abs() > T::ZERO {
                let [tan, cos, sin] = schur(xx, xz, zz);
                xx -= tan * xz;
                zz += tan * xz;
                xz = T::ZERO;
                (xy, yz) = (xy * cos - yz * sin, xy * sin + yz * cos);
                turn(&mut u, &mut w, cos, sin);
            }
            if yz.abs() > T::ZERO {
                let [tan, cos, sin] = schur(yy, yz, zz);
                yy -= tan * yz;
                zz += tan * yz;
                yz = T::ZERO;
                (xy, xz) = (xy * cos - xz * sin, xy * sin + xz * cos);
                turn(&mut v, &mut w, cos, sin);
            }
        }
        if xx > yy {
            (xx, yy) = (yy, xx);
            exchange(&mut u, &mut v);
        }
        if yy > zz {
            (yy, zz) = (zz, yy);
            exchange(&mut v, &mut w);
        }
        if xx > yy {
            (xx, yy) = (yy, xx);
            exchange(&mut u, &mut v);
        }
        SymmetricEigen {
            values: Vector::<T, 3>::new(xx, yy, zz) * scale,
            vectors: Matrix::<T, 3, 3>::from_cols([u, v, w]),
        }
    }

    /// QR decomposition with a rotation `q`: see [`Qr`](crate::types::Qr).
    ///
    /// By three Givens rotations (Golub and Van Loan: Matrix Computations, section 5.2.5). The result is finite for a finite matrix, but for an entry of `r` beyond
    /// the largest number; all of it is NaN if an entry is infinite or NaN.
    ///
    /// ```
    /// # use swathe::Mat3;
    /// let d = Mat3::from_array([[0.0, 2.0, 1.0], [-4.0, 1.0, 0.0], [0.0, 0.0, -3.0]]).qr();
    /// assert_eq!(d.q.to_array(), [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]);
    /// assert_eq!(d.r.to_array(), [[4.0, -1.0, 0.0], [0.0, 2.0, 1.0], [0.0, 0.0, -3.0]]);
    /// ```
    #[must_use]
    pub fn qr(self) -> Qr<T, 3> {
        let scale = self.magnitude();
        let m = self * (T::ONE / scale);
        let unit = Self::IDENTITY * (scale / scale);
        let mut a = m.row(0);
        let mut b = m.row(1);
        let mut c = m.row(2);
        let mut p = unit.row(0);
        let mut q = unit.row(1);
        let mut r = unit.row(2);
        let [cos, sin] = givens(a.x, b.x);
        turn(&mut a, &mut b, cos, sin);
        turn(&mut p, &mut q, cos, sin);
        let [cos, sin] = givens(a.x, c.x);
        turn(&mut a, &mut c, cos, sin);
        turn(&mut p, &mut r, cos, sin);
        let [cos, sin] = givens(b.y, c.y);
        turn(&mut b, &mut c, cos, sin);
        turn(&mut q, &mut r, cos, sin);
        let zero = scale - scale;
        b.x = zero;
        c.x = zero;
        c.y = zero;
        Qr {
            q: Matrix::<T, 3, 3>::from_cols([p, q, r]),
            r: Matrix::<T, 3, 3>::from_rows([a, b, c]) * scale,
        }
    }
}
