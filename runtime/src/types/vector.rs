//! The vector type.

use std::fmt::{self, Display};
use std::ops::{Index, IndexMut};

use swathe_ir::Type;

use super::{Component, built_in};
use crate::access::pointer::Planes;
use crate::element::{Element, KernelType};
use crate::kernel::divide::Integer;
use crate::math::Scalar;
use crate::numbers::contract::Floats;

/// `N` numbers, with the operators and methods of a vector; or `N` times `bool` (see [`Component`](crate::types::Component)).
///
/// Its layout is that of `[T; N]`, on every device. `N` is at least 1. Vectors of 1 to 4 have `new` and the components
/// `x`, `y`, `z`, `w`; all are indexed with `v[k]`. Operators go component by component, also with a scalar on either side; the methods below work
/// on the host and in kernels.
///
/// ```
/// use swathe::Vec3;
///
/// let mut v = Vec3::new(1.0, 2.0, 2.0);
/// assert_eq!(v.norm(), 3.0);
/// v += 2.0 * Vec3::X;
/// assert_eq!(v.x, 3.0);
/// assert_eq!(v[2], v.z);
/// assert_eq!(v.cross(v), Vec3::ZERO);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Vector<T, const N: usize>(pub(crate) [T; N]);

// SAFETY: a vector is `N` scalars in order, as the assertion says.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component, const N: usize> KernelType for Vector<T, N> {
    const BUILT_IN: bool = true;

    fn ty() -> Type {
        const {
            assert!(N > 0, "a vector has at least one component");
            assert!(size_of::<Self>() == N * size_of::<T>() && align_of::<Self>() == align_of::<T>());
        };
        let Type::Scalar(scalar) = T::ty() else {
            unreachable!("`Component` is sealed")
        };
        Type::Vector(scalar, N)
    }

    const INTEGERS: usize = N * T::INTEGERS;
    const FLOATS: Floats = T::FLOATS.shaped(N, 0);

    #[inline(always)]
    fn integer(&self, k: usize) -> Integer {
        self.0[k % N].integer(0)
    }

    #[inline(always)]
    unsafe fn from_lane(from: Planes) -> Self {
        // SAFETY: by the caller's word; the layout is that of the array.
        Vector(unsafe { KernelType::from_lane(from) })
    }

    #[inline(always)]
    unsafe fn to_lane(self, to: Planes) {
        // SAFETY: by the caller's word; the layout is that of the array.
        unsafe { self.0.to_lane(to) }
    }
}

// SAFETY: a vector is `N` scalars in order, as `Type::Vector` says, and zero is a value of each.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component, const N: usize> Element for Vector<T, N> {
    const SCALAR: usize = size_of::<T>();
    const UNIFORM: usize = T::UNIFORM;

    #[inline(always)]
    unsafe fn gather(from: Planes) -> Self {
        // SAFETY: by the caller's word; the layout is that of the array.
        Vector(unsafe { Element::gather(from) })
    }

    #[inline(always)]
    unsafe fn scatter(self, to: Planes) {
        // SAFETY: by the caller's word; the layout is that of the array.
        unsafe { self.0.scatter(to) }
    }
}

impl<T, const N: usize> Vector<T, N> {
    /// A vector of the array's values.
    #[inline(always)]
    #[must_use]
    pub const fn from_array(values: [T; N]) -> Self {
        Vector(values)
    }

    /// What kernels call for it.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn __func_from_array(values: [T; N]) -> Self {
        Self::from_array(values)
    }
}

impl<T: Copy, const N: usize> Vector<T, N> {
    /// A vector of `N` equal values.
    #[inline(always)]
    #[must_use]
    pub const fn splat(value: T) -> Self {
        Vector([value; N])
    }

    /// What kernels call for it.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn __func_splat(value: T) -> Self {
        Self::splat(value)
    }

    /// The components.
    #[inline(always)]
    #[must_use]
    pub const fn to_array(self) -> [T; N] {
        self.0
    }

    /// What kernels call for it.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn __func_to_array(self) -> [T; N] {
        Self::to_array(self)
    }
}

impl<T: Scalar, const N: usize> Vector<T, N> {
    /// All 0.
    pub const ZERO: Self = Vector([T::ZERO; N]);
    /// All 1.
    pub const ONE: Self = Vector([T::ONE; N]);
}

built_in! { Vector<T, N>: Component: new splat from_array to_array eq ne }

impl<T: Component, const N: usize> Default for Vector<T, N> {
    #[inline(always)]
    fn default() -> Self {
        Vector([T::default(); N])
    }
}

impl<T, const N: usize> Index<usize> for Vector<T, N> {
    type Output = T;

    #[inline(always)]
    fn index(&self, k: usize) -> &T {
        &self.0[k]
    }
}

impl<T, const N: usize> IndexMut<usize> for Vector<T, N> {
    #[inline(always)]
    fn index_mut(&mut self, k: usize) -> &mut T {
        &mut self.0[k]
    }
}

impl<T, const N: usize> From<[T; N]> for Vector<T, N> {
    #[inline(always)]
    fn from(values: [T; N]) -> Self {
        Vector(values)
    }
}

impl<T, const N: usize> From<Vector<T, N>> for [T; N] {
    #[inline(always)]
    fn from(vector: Vector<T, N>) -> Self {
        vector.0
    }
}

impl<T: Display, const N: usize> Display for Vector<T, N> {
    /// `[1, 2, 3]`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (k, value) in self.0.iter().enumerate() {
            if k > 0 {
                f.write_str(", ")?;
            }
            value.fmt(f)?;
        }
        f.write_str("]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DVec3, Vec3};

    #[test]
    fn layout_is_stated() {
        assert_eq!(Vec3::ty(), Type::Vector(swathe_ir::Scalar::F32, 3));
        assert_eq!(
            (Vec3::ty().size(), Vec3::ty().align()),
            (size_of::<Vec3>(), align_of::<Vec3>())
        );
        assert_eq!((DVec3::ty().size(), DVec3::ty().align()), (24, 8));
        assert_eq!(Vector::<u8, 7>::ty().to_string(), "Vector<u8, 7>");
    }

    #[test]
    fn arrays_go_in_and_out() {
        let v = Vector::from_array([1_i64, 2, 3, 4, 5]);
        assert_eq!(<[i64; 5]>::from(v), [1, 2, 3, 4, 5]);
        assert_eq!(Vector::from([1_i64, 2, 3, 4, 5]), v);
        assert_eq!(v[4], 5);
        assert_eq!(format!("{:.1}", Vec3::new(1.0, 0.25, -3.0)), "[1.0, 0.2, -3.0]");
        assert_eq!(Vec3::default(), Vec3::splat(0.0));
    }
}
