//! What vectors can do, in the kernel language: these bodies serve the host and every device.

use super::{Matrix, Vector};
use crate::func;
use crate::math::{Float, Scalar, Signed};

#[func]
impl<T: Scalar, const N: usize> Vector<T, N> {
    /// Scalar product.
    #[must_use]
    pub fn dot(self, other: Self) -> T {
        let mut sum = self[0] * other[0];
        for k in 1..N {
            sum += self[k] * other[k];
        }
        sum
    }

    /// Square of the length.
    #[must_use]
    pub fn length_squared(self) -> T {
        self.dot(self)
    }

    /// Square of the distance between two points.
    #[must_use]
    pub fn distance_squared(self, other: Self) -> T {
        let d = self - other;
        d.dot(d)
    }

    /// The smaller of each two components; of floats the one that is not NaN.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        let mut v = self;
        for k in 0..N {
            v[k] = self[k].lesser(other[k]);
        }
        v
    }

    /// The larger of each two components; of floats the one that is not NaN.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        let mut v = self;
        for k in 0..N {
            v[k] = self[k].greater(other[k]);
        }
        v
    }

    /// Each component brought into the range of those of `low` and `high`: `self.max(low).min(high)`.
    ///
    /// ```
    /// # use swathe::IVec2;
    /// assert_eq!(IVec2::new(-3, 9).clamp(IVec2::ZERO, IVec2::new(4, 5)), IVec2::new(0, 5));
    /// ```
    #[must_use]
    pub fn clamp(self, low: Self, high: Self) -> Self {
        self.max(low).min(high)
    }

    /// The smallest component.
    #[must_use]
    pub fn min_component(self) -> T {
        let mut least = self[0];
        for k in 1..N {
            least = least.lesser(self[k]);
        }
        least
    }

    /// The largest component.
    #[must_use]
    pub fn max_component(self) -> T {
        let mut most = self[0];
        for k in 1..N {
            most = most.greater(self[k]);
        }
        most
    }

    /// Sum of the components.
    #[must_use]
    pub fn sum(self) -> T {
        let mut sum = self[0];
        for k in 1..N {
            sum += self[k];
        }
        sum
    }

    /// Product of the components.
    #[must_use]
    pub fn product(self) -> T {
        let mut product = self[0];
        for k in 1..N {
            product *= self[k];
        }
        product
    }

    /// The matrix whose entry (r, c) is `self[r] * other[c]`.
    #[must_use]
    pub fn outer_product(self, other: Self) -> Matrix<T, N, N> {
        let mut m = Matrix::<T, N, N>::ZERO;
        for r in 0..N {
            for c in 0..N {
                m[[r, c]] = self[r] * other[c];
            }
        }
        m
    }

    /// Each component `as f32`.
    #[must_use]
    pub fn as_f32(self) -> Vector<f32, N> {
        let mut v = Vector::<f32, N>::ZERO;
        for k in 0..N {
            v[k] = self[k].as_f32();
        }
        v
    }

    /// Each component `as f64`.
    #[must_use]
    pub fn as_f64(self) -> Vector<f64, N> {
        let mut v = Vector::<f64, N>::ZERO;
        for k in 0..N {
            v[k] = self[k].as_f64();
        }
        v
    }

    /// Each component `as i32`: floats lose their fraction, and saturate.
    #[must_use]
    pub fn as_i32(self) -> Vector<i32, N> {
        let mut v = Vector::<i32, N>::ZERO;
        for k in 0..N {
            v[k] = self[k].as_i32();
        }
        v
    }

    /// Each component `as u32`: floats lose their fraction, and saturate.
    #[must_use]
    pub fn as_u32(self) -> Vector<u32, N> {
        let mut v = Vector::<u32, N>::ZERO;
        for k in 0..N {
            v[k] = self[k].as_u32();
        }
        v
    }

    /// Each component `as usize`: an index of a field.
    ///
    /// ```
    /// # use swathe::Vec2;
    /// assert_eq!(Vec2::new(2.9, -1.0).as_usize(), [2, 0]);
    /// ```
    #[must_use]
    pub fn as_usize(self) -> [usize; N] {
        let mut index = [0; N];
        for k in 0..N {
            index[k] = self[k].as_usize();
        }
        index
    }

    /// Each index `as T`: the inverse of [`as_usize`](Vector::as_usize).
    ///
    /// ```
    /// # use swathe::Vec2;
    /// assert_eq!(Vec2::from_usize([2, 7]), Vec2::new(2.0, 7.0));
    /// ```
    #[must_use]
    pub fn from_usize(index: [usize; N]) -> Self {
        let mut v = Self::ZERO;
        for k in 0..N {
            v[k] = T::from_usize(index[k]);
        }
        v
    }
}

#[func]
impl<T: Scalar> Vector<T, 3> {
    /// Vector product.
    #[must_use]
    pub fn cross(self, other: Self) -> Self {
        Vector::<T, 3>::new(
            self.y * other.z - self.z * other.y,
            self.z * other.x - self.x * other.z,
            self.x * other.y - self.y * other.x,
        )
    }
}

#[func]
impl<T: Signed> Vector<T, 2> {
    /// The vector turned by a quarter, counterclockwise.
    #[must_use]
    pub fn perp(self) -> Self {
        Vector::<T, 2>::new(-self.y, self.x)
    }

    /// `self.perp().dot(other)`: the area of the parallelogram of two vectors, positive if `other` lies
    /// counterclockwise from `self`.
    #[must_use]
    pub fn perp_dot(self, other: Self) -> T {
        self.x * other.y - self.y * other.x
    }
}

#[func]
impl<T: Signed, const N: usize> Vector<T, N> {
    /// The absolute value of each component.
    #[must_use]
    pub fn abs(self) -> Self {
        let mut v = self;
        for k in 0..N {
            v[k] = self[k].abs();
        }
        v
    }
}

#[func]
impl<T: Float, const N: usize> Vector<T, N> {
    /// Length (Euclidean norm).
    #[must_use]
    pub fn norm(self) -> T {
        self.dot(self).sqrt()
    }

    /// Length; the same as [`norm`](Vector::norm).
    #[must_use]
    pub fn length(self) -> T {
        self.dot(self).sqrt()
    }

    /// The vector of length 1 in the same direction; NaN for the zero vector.
    #[must_use]
    pub fn normalized(self) -> Self {
        self / self.norm()
    }

    /// The vector of length 1 in the same direction; the zero vector if the length is 0 or not finite.
    #[must_use]
    pub fn normalized_or_zero(self) -> Self {
        let norm = self.norm();
        if norm > T::ZERO && norm.is_finite() {
            self / norm
        } else {
            Self::ZERO
        }
    }

    /// Distance between two points.
    #[must_use]
    pub fn distance(self, other: Self) -> T {
        let d = self - other;
        d.norm()
    }

    /// The vector mirrored at the plane with this normal, which has length 1.
    ///
    /// ```
    /// # use swathe::Vec2;
    /// assert_eq!(Vec2::new(3.0, -1.0).reflect(Vec2::Y), Vec2::new(3.0, 1.0));
    /// ```
    #[must_use]
    pub fn reflect(self, normal: Self) -> Self {
        self - normal * (T::TWO * self.dot(normal))
    }

    /// The point that far on the way from `self` (`t` = 0) to `end` (`t` = 1).
    #[must_use]
    pub fn lerp(self, end: Self, t: T) -> Self {
        self * (T::ONE - t) + end * t
    }

    /// Each component's largest integer not above.
    #[must_use]
    pub fn floor(self) -> Self {
        let mut v = self;
        for k in 0..N {
            v[k] = self[k].floor();
        }
        v
    }

    /// Each component's smallest integer not below.
    #[must_use]
    pub fn ceil(self) -> Self {
        let mut v = self;
        for k in 0..N {
            v[k] = self[k].ceil();
        }
        v
    }

    /// Each component's nearest integer, halves away from zero.
    #[must_use]
    pub fn round(self) -> Self {
        let mut v = self;
        for k in 0..N {
            v[k] = self[k].round();
        }
        v
    }

    /// Each component less its integer part, as [`f32::fract`].
    #[must_use]
    pub fn fract(self) -> Self {
        let mut v = self;
        for k in 0..N {
            v[k] = self[k].fract();
        }
        v
    }
}

#[cfg(test)]
mod tests {
    use crate::types::{DVec2, DVec3, DVec4, IVec3, UVec3, Vec2, Vec3, Vector};

    const A: DVec3 = DVec3::new(1.5, -2.0, 4.25);
    const B: DVec3 = DVec3::new(-0.5, 3.0, 2.0);

    #[test]
    fn products() {
        assert_eq!(A.dot(B), -0.75 - 6.0 + 8.5);
        assert_eq!(
            A.cross(B).to_array(),
            [-2.0 * 2.0 - 4.25 * 3.0, 4.25 * -0.5 - 1.5 * 2.0, 1.5 * 3.0 - 2.0 * 0.5]
        );
        assert_eq!((A.cross(B).dot(A), A.cross(B).dot(B)), (0.0, 0.0));
        // Lagrange's identity.
        assert_eq!(A.cross(B).length_squared(), A.dot(A) * B.dot(B) - A.dot(B).powi(2));
        assert_eq!(DVec2::new(2.0, 1.0).perp_dot(DVec2::new(1.0, 3.0)), 5.0);
        assert_eq!(DVec2::X.perp(), DVec2::Y);
        let outer = A.outer_product(B);
        for r in 0..3 {
            for c in 0..3 {
                assert_eq!(outer[[r, c]], A[r] * B[c]);
            }
        }
        let long: Vector<i64, 17> = Vector::from_array(std::array::from_fn(|k| k as i64 - 3));
        assert_eq!(long.dot(long), (0..17).map(|k| (k - 3) * (k - 3)).sum::<i64>());
        assert_eq!((long.sum(), long.product()), (17 * 8 - 51, 0));
        assert_eq!(UVec3::new(2, 3, 7).product(), 42);
    }

    #[test]
    fn lengths() {
        assert_eq!(DVec2::new(3.0, -4.0).norm(), 5.0);
        assert_eq!(DVec4::new(1.0, -1.0, 1.0, -1.0).length(), 2.0);
        assert_eq!(A.distance(B), (4.0 + 25.0 + 5.0625_f64).sqrt());
        assert_eq!(A.distance_squared(B), 34.0625);
        assert!((A.normalized().norm() - 1.0).abs() < 1e-15);
        assert!((A.normalized() * A.norm() - A).norm() < 1e-15);
        assert_eq!(Vec3::ZERO.normalized_or_zero(), Vec3::ZERO);
        assert_eq!(Vec2::new(0.0, -7.0).normalized_or_zero(), -Vec2::Y);
        assert!(Vec3::ZERO.normalized().x.is_nan());
    }

    #[test]
    fn reflection_and_interpolation() {
        let n = B.normalized();
        let r = A.reflect(n);
        assert!((r.norm() - A.norm()).abs() < 1e-14);
        assert!((r.dot(n) + A.dot(n)).abs() < 1e-14);
        assert_eq!(A.lerp(B, 0.0), A);
        assert_eq!(A.lerp(B, 1.0), B);
        assert_eq!(A.lerp(B, 0.5), (A + B) / 2.0);
    }

    #[test]
    fn componentwise() {
        let v = Vec3::new(-1.5, 2.5, f32::NAN);
        assert_eq!(v.min(Vec3::ZERO).to_array(), [-1.5, 0.0, 0.0]);
        assert_eq!(v.max(Vec3::ONE).to_array(), [1.0, 2.5, 1.0]);
        let w = Vec3::new(-1.5, 2.25, 0.75);
        assert_eq!(w.abs().to_array(), [1.5, 2.25, 0.75]);
        assert_eq!(w.floor().to_array(), [-2.0, 2.0, 0.0]);
        assert_eq!(w.ceil().to_array(), [-1.0, 3.0, 1.0]);
        assert_eq!(w.round().to_array(), [-2.0, 2.0, 1.0]);
        assert_eq!(w.fract().to_array(), [-0.5, 0.25, 0.75]);
        assert_eq!((w.min_component(), w.max_component()), (-1.5, 2.25));
        assert_eq!(IVec3::new(4, -9, 2).abs().max_component(), 9);
    }

    #[test]
    fn conversions_saturate() {
        let v = DVec3::new(-1.5, 3e10, f64::NAN);
        assert_eq!(v.as_i32().to_array(), [-1, i32::MAX, 0]);
        assert_eq!(v.as_u32().to_array(), [0, u32::MAX, 0]);
        assert_eq!(v.as_usize(), [0, 30_000_000_000, 0]);
        assert_eq!(v.as_f32()[1], 3e10);
        assert_eq!(IVec3::new(1, 2, -3).as_f64(), DVec3::new(1.0, 2.0, -3.0));
        assert_eq!(IVec3::from_usize([1, 2, 3]), IVec3::new(1, 2, 3));
    }
}
