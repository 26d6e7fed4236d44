//! The matrix type.

use std::ops::{Index, IndexMut};

use swathe_ir::Type;

use super::{Component, built_in};
use crate::access::pointer::Planes;
use crate::element::{Element, KernelType};
use crate::kernel::divide::Integer;
use crate::math::Scalar;
use crate::numbers::contract::Floats;

/// `R` rows of `C` numbers, with the operators and methods of a matrix; or of `bool` (see [`Component`](crate::types::Component)).
///
/// Its layout is that of `[[T; C]; R]`, row after row, on every device. Entries are indexed with `m[[row, column]]`. `*` with a
/// vector or a matrix is the product of linear algebra, with a vector as a column on the right and a row on the left; the other operators go entry by entry. The methods below work on the
/// host and in kernels.
///
/// ```
/// use swathe::{Mat2, Vec2};
///
/// let m = Mat2::from_array([[2.0, 1.0], [0.0, 4.0]]);
/// assert_eq!(m[[0, 1]], 1.0);
/// assert_eq!(m * Vec2::new(1.0, 2.0), Vec2::new(4.0, 8.0));
/// assert_eq!(m * m.inverse(), Mat2::IDENTITY);
/// assert_eq!(m.determinant(), 8.0);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Matrix<T, const R: usize, const C: usize>(pub(crate) [[T; C]; R]);

// SAFETY: a matrix is its scalars row after row, as the assertion says.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component, const R: usize, const C: usize> KernelType for Matrix<T, R, C> {
    const BUILT_IN: bool = true;

    fn ty() -> Type {
        const {
            assert!(R > 0 && C > 0, "a matrix has at least one entry");
            assert!(size_of::<Self>() == R * C * size_of::<T>() && align_of::<Self>() == align_of::<T>());
        };
        let Type::Scalar(scalar) = T::ty() else {
            unreachable!("`Component` is sealed")
        };
        Type::Matrix(scalar, R, C)
    }

    const INTEGERS: usize = R * C * T::INTEGERS;
    const FLOATS: Floats = T::FLOATS.shaped(R, C);

    #[inline(always)]
    fn integer(&self, k: usize) -> Integer {
        self.0[k / C % R][k % C].integer(0)
    }

    #[inline(always)]
    unsafe fn from_lane(from: Planes) -> Self {
        // SAFETY: by the caller's word; the layout is that of the array.
        Matrix(unsafe { KernelType::from_lane(from) })
    }

    #[inline(always)]
    unsafe fn to_lane(self, to: Planes) {
        // SAFETY: by the caller's word; the layout is that of the array.
        unsafe { self.0.to_lane(to) }
    }
}

// SAFETY: a matrix is its scalars row after row, as `Type::Matrix` says, and zero is a value of each.
#[diagnostic::do_not_recommend]
unsafe impl<T: Component, const R: usize, const C: usize> Element for Matrix<T, R, C> {
    const SCALAR: usize = size_of::<T>();
    const UNIFORM: usize = T::UNIFORM;

    #[inline(always)]
    unsafe fn gather(from: Planes) -> Self {
        // SAFETY: by the caller's word; the layout is that of the array.
        Matrix(unsafe { Element::gather(from) })
    }

    #[inline(always)]
    unsafe fn scatter(self, to: Planes) {
        // SAFETY: by the caller's word; the layout is that of the array.
        unsafe { self.0.scatter(to) }
    }
}

impl<T, const R: usize, const C: usize> Matrix<T, R, C> {
    /// A matrix of these rows.
    #[inline(always)]
    #[must_use]
    pub const fn from_array(rows: [[T; C]; R]) -> Self {
        Matrix(rows)
    }

    /// What kernels call for it.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn __func_from_array(rows: [[T; C]; R]) -> Self {
        Self::from_array(rows)
    }
}

impl<T: Copy, const R: usize, const C: usize> Matrix<T, R, C> {
    /// The rows.
    #[inline(always)]
    #[must_use]
    pub const fn to_array(self) -> [[T; C]; R] {
        self.0
    }

    /// What kernels call for it.
    #[doc(hidden)]
    #[inline(always)]
    #[must_use]
    pub const fn __func_to_array(self) -> [[T; C]; R] {
        Self::to_array(self)
    }
}

impl<T: Scalar, const R: usize, const C: usize> Matrix<T, R, C> {
    /// All 0.
    pub const ZERO: Self = Matrix([[T::ZERO; C]; R]);
}

impl<T: Scalar, const N: usize> Matrix<T, N, N> {
    /// 1 on the diagonal, 0 elsewhere.
    pub const IDENTITY: Self = {
        let mut rows = [[T::ZERO; N]; N];
        let mut k = 0;
        while k < N {
            rows[k][k] = T::ONE;
            k += 1;
        }
        Matrix(rows)
    };
}

built_in! { Matrix<T, R, C>: Component: from_array to_array eq ne }

impl<T: Component, const R: usize, const C: usize> Default for Matrix<T, R, C> {
    #[inline(always)]
    fn default() -> Self {
        Matrix([[T::default(); C]; R])
    }
}

impl<T, const R: usize, const C: usize> Index<[usize; 2]> for Matrix<T, R, C> {
    type Output = T;

    #[inline(always)]
    fn index(&self, [r, c]: [usize; 2]) -> &T {
        &self.0[r][c]
    }
}

impl<T, const R: usize, const C: usize> IndexMut<[usize; 2]> for Matrix<T, R, C> {
    #[inline(always)]
    fn index_mut(&mut self, [r, c]: [usize; 2]) -> &mut T {
        &mut self.0[r][c]
    }
}

impl<T, const R: usize, const C: usize> From<[[T; C]; R]> for Matrix<T, R, C> {
    #[inline(always)]
    fn from(rows: [[T; C]; R]) -> Self {
        Matrix(rows)
    }
}

impl<T, const R: usize, const C: usize> From<Matrix<T, R, C>> for [[T; C]; R] {
    #[inline(always)]
    fn from(matrix: Matrix<T, R, C>) -> Self {
        matrix.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DMat3, Mat2};

    #[test]
    fn layout_is_stated() {
        type M = Matrix<f64, 2, 3>;
        assert_eq!(M::ty(), Type::Matrix(swathe_ir::Scalar::F64, 2, 3));
        assert_eq!((M::ty().size(), M::ty().align()), (size_of::<M>(), align_of::<M>()));
        assert_eq!(Mat2::ty().to_string(), "Matrix<f32, 2, 2>");
    }

    #[test]
    fn entries_are_row_after_row() {
        let mut m = Matrix::from_array([[1, 2, 3], [4, 5, 6]]);
        assert_eq!((m[[0, 2]], m[[1, 0]]), (3, 4));
        m[[1, 1]] = 9;
        assert_eq!(<[[i32; 3]; 2]>::from(m), [[1, 2, 3], [4, 9, 6]]);
        assert_eq!(
            DMat3::IDENTITY.to_array(),
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
        );
        assert_eq!(DMat3::default(), DMat3::ZERO);
    }
}
