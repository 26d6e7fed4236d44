//! What quaternions can do, in the kernel language: these bodies serve the host and every device.

use super::{Matrix, Quaternion, Vector};
use crate::func;
use crate::math::Float;

#[func]
impl<T: Float> Quaternion<T> {
    /// 1, no rotation.
    pub const IDENTITY: Self = Quaternion {
        x: T::ZERO,
        y: T::ZERO,
        z: T::ZERO,
        w: T::ONE,
    };

    /// `w + x i + y j + z k`.
    #[must_use]
    pub fn new(x: T, y: T, z: T, w: T) -> Self {
        Quaternion { x, y, z, w }
    }

    /// The quaternion of an imaginary and a real part.
    #[must_use]
    pub fn from_parts(imaginary: Vector<T, 3>, real: T) -> Self {
        Quaternion {
            x: imaginary.x,
            y: imaginary.y,
            z: imaginary.z,
            w: real,
        }
    }

    /// The imaginary part, (x, y, z).
    #[must_use]
    pub fn imaginary(self) -> Vector<T, 3> {
        Vector::<T, 3>::new(self.x, self.y, self.z)
    }

    /// The four numbers in the order x, y, z, w.
    #[must_use]
    pub fn to_vector(self) -> Vector<T, 4> {
        Vector::<T, 4>::new(self.x, self.y, self.z, self.w)
    }

    /// The quaternion of four numbers in the order x, y, z, w.
    #[must_use]
    pub fn from_vector(v: Vector<T, 4>) -> Self {
        Quaternion {
            x: v.x,
            y: v.y,
            z: v.z,
            w: v.w,
        }
    }

    /// Scalar product of the four numbers: the cosine of half the angle between two rotations.
    #[must_use]
    pub fn dot(self, other: Self) -> T {
        self.x * other.x + self.y * other.y + self.z * other.z + self.w * other.w
    }

    /// Square of the length.
    #[must_use]
    pub fn norm_squared(self) -> T {
        self.dot(self)
    }

    /// Length.
    #[must_use]
    pub fn norm(self) -> T {
        self.dot(self).sqrt()
    }

    /// The quaternion of length 1 in the same direction; NaN for zero.
    #[must_use]
    pub fn normalized(self) -> Self {
        self / self.norm()
    }

    /// The imaginary part negated: the inverse of a rotation.
    #[must_use]
    pub fn conjugate(self) -> Self {
        Quaternion {
            x: -self.x,
            y: -self.y,
            z: -self.z,
            w: self.w,
        }
    }

    /// The inverse, conjugate by square of the length; not finite for zero.
    #[must_use]
    pub fn inverse(self) -> Self {
        self.conjugate() / self.norm_squared()
    }

    /// e to the power of `self`: `e^w (cos |v| + v / |v| sin |v|)` with the imaginary part v.
    #[must_use]
    pub fn exp(self) -> Self {
        let v = self.imaginary();
        let angle = v.norm();
        Self::from_parts(v * sinc(angle), angle.cos()) * self.w.exp()
    }

    /// Natural logarithm, `ln |q| + v / |v| atan2(|v|, w)` with the imaginary part v, that with an imaginary part of
    /// length 0 to pi; of a negative real number along x.
    #[must_use]
    pub fn ln(self) -> Self {
        let v = self.imaginary();
        let length = v.norm();
        let angle = length.atan2(self.w);
        let mut axis = Vector::<T, 3>::new(angle, T::ZERO, T::ZERO);
        if length > T::ZERO {
            axis = v * (angle / length);
        }
        Self::from_parts(axis, self.norm().ln())
    }

    /// Power, `(self.ln() * n).exp()`: of a rotation that by `n` times the angle; NaN for zero.
    #[must_use]
    pub fn powf(self, n: T) -> Self {
        (self.ln() * n).exp()
    }

    /// The rotation that far on the shorter arc from `self` (`t` = 0) to `end` (`t` = 1), at constant speed. Both have length 1.
    ///
    /// K. Shoemake: Animating rotation with quaternion curves. SIGGRAPH '85 (1985). The angle is that of W. Kahan, from sum and difference,
    /// which is exact also where it is small.
    ///
    /// ```
    /// # use swathe::{Quat, Vec3};
    /// let quarter = Quat::from_axis_angle(Vec3::Z, 1.5);
    /// let third = Quat::IDENTITY.slerp(quarter, 1.0 / 3.0);
    /// assert!((third - Quat::from_axis_angle(Vec3::Z, 0.5)).norm() < 1e-6);
    /// ```
    #[must_use]
    pub fn slerp(self, end: Self, t: T) -> Self {
        let mut end = end;
        if self.dot(end) < T::ZERO {
            end = -end;
        }
        let angle = T::TWO * (end - self).norm().atan2((end + self).norm());
        let whole = sinc(angle);
        let rest = T::ONE - t;
        self * (rest * sinc(rest * angle) / whole) + end * (t * sinc(t * angle) / whole)
    }

    /// The rotation by an angle in radians about an axis of length 1, by the right-hand rule.
    #[must_use]
    pub fn from_axis_angle(axis: Vector<T, 3>, angle: T) -> Self {
        let half = angle * T::HALF;
        Self::from_parts(axis * half.sin(), half.cos())
    }

    /// The rotation about the direction of a vector by its length in radians.
    #[must_use]
    pub fn from_rotation_vector(v: Vector<T, 3>) -> Self {
        let half = v * T::HALF;
        let angle = half.norm();
        Self::from_parts(half * sinc(angle), angle.cos())
    }

    /// Axis times angle of a rotation, with an angle from 0 to pi.
    #[must_use]
    pub fn to_rotation_vector(self) -> Vector<T, 3> {
        let mut q = self;
        if q.w < T::ZERO {
            q = -q;
        }
        let v = q.imaginary();
        let length = v.norm();
        let mut ratio = T::TWO;
        if length > T::ZERO {
            ratio = T::TWO * length.atan2(q.w) / length;
        }
        v * ratio
    }

    /// Axis, of length 1, and angle from 0 to pi of a rotation; the x axis where the angle is 0.
    #[must_use]
    pub fn to_axis_angle(self) -> (Vector<T, 3>, T) {
        let v = self.to_rotation_vector();
        let angle = v.norm();
        let mut axis = Vector::<T, 3>::new(T::ONE, T::ZERO, T::ZERO);
        if angle > T::ZERO {
            axis = v / angle;
        }
        (axis, angle)
    }

    /// The rotation of a matrix that is one, with a real part that is not negative.
    ///
    /// S. W. Shepperd: Quaternion from rotation matrix. J. Guidance and Control 1 (1978): the largest of the four numbers comes first, so that
    /// nothing is divided by a small one.
    #[must_use]
    pub fn from_matrix(m: Matrix<T, 3, 3>) -> Self {
        let trace = m.trace();
        let mut q = Quaternion {
            x: m[[2, 1]] - m[[1, 2]],
            y: m[[0, 2]] - m[[2, 0]],
            z: m[[1, 0]] - m[[0, 1]],
            w: T::ONE + trace,
        };
        if trace < m[[0, 0]].max(m[[1, 1]]).max(m[[2, 2]]) {
            if m[[0, 0]] >= m[[1, 1]] && m[[0, 0]] >= m[[2, 2]] {
                q = Quaternion {
                    x: T::ONE + T::TWO * m[[0, 0]] - trace,
                    y: m[[0, 1]] + m[[1, 0]],
                    z: m[[0, 2]] + m[[2, 0]],
                    w: q.x,
                };
            } else if m[[1, 1]] >= m[[2, 2]] {
                q = Quaternion {
                    x: m[[0, 1]] + m[[1, 0]],
                    y: T::ONE + T::TWO * m[[1, 1]] - trace,
                    z: m[[1, 2]] + m[[2, 1]],
                    w: q.y,
                };
            } else {
                q = Quaternion {
                    x: m[[0, 2]] + m[[2, 0]],
                    y: m[[1, 2]] + m[[2, 1]],
                    z: T::ONE + T::TWO * m[[2, 2]] - trace,
                    w: q.z,
                };
            }
        }
        if q.w < T::ZERO {
            q = -q;
        }
        q.normalized()
    }

    /// The matrix of a rotation, of a quaternion of length 1.
    #[must_use]
    pub fn to_matrix(self) -> Matrix<T, 3, 3> {
        let double = self * T::TWO;
        let (xx, yy, zz) = (self.x * double.x, self.y * double.y, self.z * double.z);
        let (xy, xz, yz) = (self.x * double.y, self.x * double.z, self.y * double.z);
        let (wx, wy, wz) = (self.w * double.x, self.w * double.y, self.w * double.z);
        Matrix::<T, 3, 3>::from_array([
            [T::ONE - (yy + zz), xy - wz, xz + wy],
            [xy + wz, T::ONE - (xx + zz), yz - wx],
            [xz - wy, yz + wx, T::ONE - (xx + yy)],
        ])
    }

    /// A vector turned by a quaternion of length 1; the same as `self * v`.
    ///
    /// `q v q*` as `v + w t + u x t` with `t = 2 u x v` and the imaginary part u.
    #[must_use]
    pub fn rotate(self, v: Vector<T, 3>) -> Vector<T, 3> {
        let u = self.imaginary();
        let t = u.cross(v) * T::TWO;
        v + t * self.w + u.cross(t)
    }
}

/// `sin(x) / x`, 1 at 0.
#[func]
fn sinc<T: Float>(x: T) -> T {
    let mut ratio = T::ONE;
    if x.abs() > T::ZERO {
        ratio = x.sin() / x;
    }
    ratio
}
