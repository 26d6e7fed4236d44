//! What matrices can do, in the kernel language: these bodies serve the host and every device.

use super::{Matrix, Vector};
use crate::func;
use crate::math::{Float, Scalar};

#[func]
impl<T: Scalar, const R: usize, const C: usize> Matrix<T, R, C> {
    /// A matrix of these rows.
    #[must_use]
    pub fn from_rows(rows: [Vector<T, C>; R]) -> Self {
        let mut m = Self::ZERO;
        for r in 0..R {
            for c in 0..C {
                m[[r, c]] = rows[r][c];
            }
        }
        m
    }

    /// A matrix of these columns.
    ///
    /// ```
    /// # use swathe::{Mat2, Vec2};
    /// let m = Mat2::from_cols([Vec2::new(1.0, 2.0), Vec2::new(3.0, 4.0)]);
    /// assert_eq!(m.to_array(), [[1.0, 3.0], [2.0, 4.0]]);
    /// ```
    #[must_use]
    pub fn from_cols(cols: [Vector<T, R>; C]) -> Self {
        let mut m = Self::ZERO;
        for r in 0..R {
            for c in 0..C {
                m[[r, c]] = cols[c][r];
            }
        }
        m
    }

    /// One row.
    #[must_use]
    pub fn row(self, r: usize) -> Vector<T, C> {
        let mut v = Vector::<T, C>::ZERO;
        for c in 0..C {
            v[c] = self[[r, c]];
        }
        v
    }

    /// One column.
    #[must_use]
    pub fn col(self, c: usize) -> Vector<T, R> {
        let mut v = Vector::<T, R>::ZERO;
        for r in 0..R {
            v[r] = self[[r, c]];
        }
        v
    }

    /// Rows and columns exchanged.
    #[must_use]
    pub fn transpose(self) -> Matrix<T, C, R> {
        let mut m = Matrix::<T, C, R>::ZERO;
        for r in 0..R {
            for c in 0..C {
                m[[c, r]] = self[[r, c]];
            }
        }
        m
    }

    /// The product with a vector; the same as `self * v`.
    #[must_use]
    pub fn mul_vec(self, v: Vector<T, C>) -> Vector<T, R> {
        self * v
    }

    /// Sum of the squares of all entries.
    #[must_use]
    pub fn norm_squared(self) -> T {
        let mut sum = T::ZERO;
        for r in 0..R {
            for c in 0..C {
                sum += self[[r, c]] * self[[r, c]];
            }
        }
        sum
    }
}

#[func]
impl<T: Scalar, const N: usize> Matrix<T, N, N> {
    /// A matrix with this diagonal, 0 elsewhere.
    #[must_use]
    pub fn from_diagonal(diagonal: Vector<T, N>) -> Self {
        let mut m = Self::ZERO;
        for k in 0..N {
            m[[k, k]] = diagonal[k];
        }
        m
    }

    /// The entries of the diagonal.
    #[must_use]
    pub fn diagonal(self) -> Vector<T, N> {
        let mut v = Vector::<T, N>::ZERO;
        for k in 0..N {
            v[k] = self[[k, k]];
        }
        v
    }

    /// 1 on the diagonal, 0 elsewhere; the same as [`IDENTITY`](Matrix::IDENTITY).
    #[must_use]
    pub fn identity() -> Self {
        Self::IDENTITY
    }

    /// Sum of the diagonal.
    #[must_use]
    pub fn trace(self) -> T {
        let mut sum = self[[0, 0]];
        for k in 1..N {
            sum += self[[k, k]];
        }
        sum
    }
}

#[func]
impl<T: Float, const N: usize> Matrix<T, N, N> {
    /// The symmetric part, half the sum with the transpose: of a velocity gradient the strain rate.
    #[must_use]
    pub fn symmetric_part(self) -> Self {
        (self + self.transpose()) * T::HALF
    }

    /// The skew-symmetric part, half the difference to the transpose.
    #[must_use]
    pub fn skew_part(self) -> Self {
        (self - self.transpose()) * T::HALF
    }
}

#[func]
impl<T: Float> Matrix<T, 2, 2> {
    /// Determinant.
    #[must_use]
    pub fn determinant(self) -> T {
        self[[0, 0]] * self[[1, 1]] - self[[0, 1]] * self[[1, 0]]
    }

    /// Inverse; not finite for a singular matrix.
    #[must_use]
    pub fn inverse(self) -> Self {
        let scale = T::ONE / self.determinant();
        let adjugate = Matrix::<T, 2, 2>::from_array([[self[[1, 1]], -self[[0, 1]]], [-self[[1, 0]], self[[0, 0]]]]);
        adjugate * scale
    }
}

#[func]
impl<T: Float> Matrix<T, 3, 3> {
    /// Determinant: the scalar triple product of the rows.
    #[must_use]
    pub fn determinant(self) -> T {
        self.row(0).dot(self.row(1).cross(self.row(2)))
    }

    /// Inverse; not finite for a singular matrix.
    #[must_use]
    pub fn inverse(self) -> Self {
        let a = self.row(0);
        let b = self.row(1);
        let c = self.row(2);
        // The columns of the adjugate are perpendicular to two rows each.
        let bc = b.cross(c);
        let adjugate = Matrix::<T, 3, 3>::from_cols([bc, c.cross(a), a.cross(b)]);
        adjugate * (T::ONE / a.dot(bc))
    }
}

#[func]
impl<T: Float> Matrix<T, 4, 4> {
    /// The six 2 by 2 determinants of the rows `r` and `r + 1`, over the columns 01, 02, 03, 12, 13, 23.
    #[must_use]
    fn minors(self, r: usize) -> Vector<T, 6> {
        let a = self.row(r);
        let b = self.row(r + 1);
        Vector::<T, 6>::from_array([
            a.x * b.y - a.y * b.x,
            a.x * b.z - a.z * b.x,
            a.x * b.w - a.w * b.x,
            a.y * b.z - a.z * b.y,
            a.y * b.w - a.w * b.y,
            a.z * b.w - a.w * b.z,
        ])
    }

    /// Determinant, by Laplace's expansion along the first two rows.
    #[must_use]
    pub fn determinant(self) -> T {
        let s = self.minors(0);
        let t = self.minors(2);
        s[0] * t[5] - s[1] * t[4] + s[2] * t[3] + s[3] * t[2] - s[4] * t[1] + s[5] * t[0]
    }

    /// Inverse; not finite for a singular matrix.
    #[must_use]
    pub fn inverse(self) -> Self {
        let s = self.minors(0);
        let t = self.minors(2);
        let a = self.row(0);
        let b = self.row(1);
        let c = self.row(2);
        let d = self.row(3);
        let determinant = s[0] * t[5] - s[1] * t[4] + s[2] * t[3] + s[3] * t[2] - s[4] * t[1] + s[5] * t[0];
        let adjugate = Matrix::<T, 4, 4>::from_array([
            [
                b.y * t[5] - b.z * t[4] + b.w * t[3],
                a.z * t[4] - a.y * t[5] - a.w * t[3],
                d.y * s[5] - d.z * s[4] + d.w * s[3],
                c.z * s[4] - c.y * s[5] - c.w * s[3],
            ],
            [
                b.z * t[2] - b.x * t[5] - b.w * t[1],
                a.x * t[5] - a.z * t[2] + a.w * t[1],
                d.z * s[2] - d.x * s[5] - d.w * s[1],
                c.x * s[5] - c.z * s[2] + c.w * s[1],
            ],
            [
                b.x * t[4] - b.y * t[2] + b.w * t[0],
                a.y * t[2] - a.x * t[4] - a.w * t[0],
                d.x * s[4] - d.y * s[2] + d.w * s[0],
                c.y * s[2] - c.x * s[4] - c.w * s[0],
            ],
            [
                b.y * t[1] - b.x * t[3] - b.z * t[0],
                a.x * t[3] - a.y * t[1] + a.z * t[0],
                d.y * s[1] - d.x * s[3] - d.z * s[0],
                c.x * s[3] - c.y * s[1] + c.z * s[0],
            ],
        ]);
        adjugate * (T::ONE / determinant)
    }
}

#[cfg(test)]
mod tests {
    use crate::types::{DMat2, DMat3, DMat4, DVec3, DVec4, Matrix, Vec3, Vector};

    const M4: DMat4 = DMat4::from_array([
        [2.0, -1.0, 0.5, 3.0],
        [1.0, 4.0, -2.0, 0.25],
        [-3.0, 0.0, 1.0, 2.0],
        [0.5, 1.5, -1.0, 5.0],
    ]);

    /// Leibniz' formula: the sum over all permutations.
    fn leibniz<const N: usize>(m: Matrix<f64, N, N>) -> f64 {
        fn go<const N: usize>(m: &Matrix<f64, N, N>, row: usize, used: &mut Vec<usize>) -> f64 {
            if row == N {
                return 1.0;
            }
            let mut sum = 0.0;
            for c in 0..N {
                if !used.contains(&c) {
                    let sign = if used.iter().filter(|&&u| u > c).count() % 2 == 0 {
                        1.0
                    } else {
                        -1.0
                    };
                    used.push(c);
                    sum += sign * m[[row, c]] * go(m, row + 1, used);
                    used.pop();
                }
            }
            sum
        }
        go(&m, 0, &mut Vec::new())
    }

    fn part<const N: usize>() -> Matrix<f64, N, N> {
        let mut m = Matrix::ZERO;
        for r in 0..N {
            for c in 0..N {
                m[[r, c]] = M4[[r, c]];
            }
        }
        m
    }

    #[test]
    fn determinants_and_inverses() {
        macro_rules! check {
            ($($n:literal)*) => {$({
                let m = part::<$n>();
                assert!((m.determinant() - leibniz(m)).abs() < 1e-13);
                let unit = Matrix::<f64, $n, $n>::IDENTITY;
                assert!((m * m.inverse() - unit).norm_squared() < 1e-28);
                assert!((m.inverse() * m - unit).norm_squared() < 1e-28);
                assert!((m.transpose().determinant() - m.determinant()).abs() < 1e-13);
                assert!(!Matrix::<f64, $n, $n>::ZERO.inverse()[[0, 0]].is_finite());
            })*};
        }
        check! { 2 3 4 }
    }

    #[test]
    fn rows_and_columns() {
        let m = Matrix::<i32, 2, 3>::from_array([[1, 2, 3], [4, 5, 6]]);
        assert_eq!(m.row(1).to_array(), [4, 5, 6]);
        assert_eq!(m.col(2).to_array(), [3, 6]);
        assert_eq!(m.transpose().to_array(), [[1, 4], [2, 5], [3, 6]]);
        assert_eq!(Matrix::from_rows([m.row(0), m.row(1)]), m);
        assert_eq!(Matrix::from_cols([m.col(0), m.col(1), m.col(2)]), m);
        assert_eq!(m.mul_vec(Vector::<i32, 3>::new(1, 0, -1)).to_array(), [-2, -2]);
        assert_eq!(m.norm_squared(), 91);
    }

    #[test]
    fn diagonals() {
        assert_eq!(M4.trace(), 12.0);
        assert_eq!(M4.diagonal(), DVec4::new(2.0, 4.0, 1.0, 5.0));
        assert_eq!(DMat3::from_diagonal(DVec3::ONE), DMat3::identity());
        assert_eq!(M4.symmetric_part() + M4.skew_part(), M4);
        assert_eq!(M4.symmetric_part().transpose(), M4.symmetric_part());
        assert_eq!(M4.skew_part().trace(), 0.0);
        assert_eq!(DMat2::IDENTITY.determinant(), 1.0);
        assert_eq!(Vec3::X.outer_product(Vec3::Z)[[0, 2]], 1.0);
    }
}
