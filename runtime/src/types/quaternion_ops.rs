//! Operators on quaternions, in the kernel language.

use std::ops::{Add, AddAssign, Div, DivAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use super::{Quaternion, Vector};
use crate::func;
use crate::math::Float;

#[func]
impl<T: Float> Default for Quaternion<T> {
    /// The identity.
    fn default() -> Self {
        Self::IDENTITY
    }
}

#[func]
impl<T: Float> Mul for Quaternion<T> {
    type Output = Self;

    /// Hamilton's product: of rotations the one that turns by `other` first.
    fn mul(self, other: Self) -> Self {
        Quaternion {
            x: self.w * other.x + self.x * other.w + self.y * other.z - self.z * other.y,
            y: self.w * other.y - self.x * other.z + self.y * other.w + self.z * other.x,
            z: self.w * other.z + self.x * other.y - self.y * other.x + self.z * other.w,
            w: self.w * other.w - self.x * other.x - self.y * other.y - self.z * other.z,
        }
    }
}

#[func]
impl<T: Float> Mul<Vector<T, 3>> for Quaternion<T> {
    type Output = Vector<T, 3>;

    /// The vector turned by a quaternion of length 1.
    fn mul(self, v: Vector<T, 3>) -> Vector<T, 3> {
        self.rotate(v)
    }
}

#[func]
impl<T: Float> Mul<T> for Quaternion<T> {
    type Output = Self;

    fn mul(self, by: T) -> Self {
        Quaternion {
            x: self.x * by,
            y: self.y * by,
            z: self.z * by,
            w: self.w * by,
        }
    }
}

#[func]
impl<T: Float> Div<T> for Quaternion<T> {
    type Output = Self;

    fn div(self, by: T) -> Self {
        Quaternion {
            x: self.x / by,
            y: self.y / by,
            z: self.z / by,
            w: self.w / by,
        }
    }
}

#[func]
impl<T: Float> Add for Quaternion<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Quaternion {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
            w: self.w + other.w,
        }
    }
}

#[func]
impl<T: Float> Sub for Quaternion<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Quaternion {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
            w: self.w - other.w,
        }
    }
}

#[func]
impl<T: Float> Neg for Quaternion<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Quaternion {
            x: -self.x,
            y: -self.y,
            z: -self.z,
            w: -self.w,
        }
    }
}

#[func]
impl<T: Float> MulAssign for Quaternion<T> {
    fn mul_assign(&mut self, other: Self) {
        *self = *self * other;
    }
}

#[func]
impl<T: Float> MulAssign<T> for Quaternion<T> {
    fn mul_assign(&mut self, by: T) {
        *self = *self * by;
    }
}

#[func]
impl<T: Float> DivAssign<T> for Quaternion<T> {
    fn div_assign(&mut self, by: T) {
        *self = *self / by;
    }
}

#[func]
impl<T: Float> AddAssign for Quaternion<T> {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

#[func]
impl<T: Float> SubAssign for Quaternion<T> {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}
