//! What vectors and matrices consist of.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use super::{Matrix, Vector, built_in};
use crate::element::Element;
use crate::func;
use crate::math::Scalar;

/// What a [`Vector`] or [`Matrix`] in a field or kernel consists of: the numbers ([`Scalar`]), and `bool`.
///
/// Those of `bool` have `!`, `&`, `|`, `^`, `==`, and as vectors `all` and `any`.
///
/// ```
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn inside(x: &Field<Vec3>, bound: f32, axes: &mut Field<Vector<bool, 3>>, all: &mut Field<bool>) {
///     for i in x.indices() {
///         let v = x[i];
///         let below = Vector::<bool, 3>::new(v.x < bound, v.y < bound, v.z < bound);
///         let above = Vector::<bool, 3>::new(v.x < 0.0, v.y < 0.0, v.z < 0.0);
///         axes[i] = below & !above;
///         all[i] = axes[i].all();
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cpu();
/// let x = Field::from_slice(&device, &[Vec3::new(0.5, 2.0, -1.0), Vec3::new(0.1, 0.2, 0.3)])?;
/// let (mut axes, mut all) = (Field::zeros(&device, 2)?, Field::zeros(&device, 2)?);
/// inside(&x, 1.0, &mut axes, &mut all)?;
/// assert_eq!(axes.to_ndarray()?, ndarray::array![[true, false, false], [true, true, true]]);
/// assert_eq!(all.to_vec()?, [false, true]);
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "a vector or matrix of `{Self}` cannot be used in a field or kernel",
    label = "not a component of vectors and matrices",
    note = "components are i8 to i64, u8 to u64, f16, bf16, f32, f64 and bool"
)]
pub trait Component: sealed::Sealed + Element + Default + PartialEq + Debug {}

mod sealed {
    /// Code generation knows the scalar types one by one, so that no other type can be one.
    pub trait Sealed {}
}

impl<T: Scalar> sealed::Sealed for T {}
#[diagnostic::do_not_recommend]
impl<T: Scalar> Component for T {}

impl sealed::Sealed for bool {}
impl Component for bool {}

macro_rules! operators {
    ($($op:ident $method:ident, $assign:ident $assign_method:ident;)*) => {$(
        impl<const N: usize> $op for Vector<bool, N> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, rhs: Self) -> Self {
                let mut value = self;
                for k in 0..N {
                    value.0[k] = $op::$method(self.0[k], rhs.0[k]);
                }
                value
            }
        }

        impl<const R: usize, const C: usize> $op for Matrix<bool, R, C> {
            type Output = Self;

            #[inline(always)]
            fn $method(self, rhs: Self) -> Self {
                let mut value = self;
                for r in 0..R {
                    for c in 0..C {
                        value.0[r][c] = $op::$method(self.0[r][c], rhs.0[r][c]);
                    }
                }
                value
            }
        }

        impl<const N: usize> $assign for Vector<bool, N> {
            #[inline(always)]
            fn $assign_method(&mut self, rhs: Self) {
                *self = $op::$method(*self, rhs);
            }
        }

        impl<const R: usize, const C: usize> $assign for Matrix<bool, R, C> {
            #[inline(always)]
            fn $assign_method(&mut self, rhs: Self) {
                *self = $op::$method(*self, rhs);
            }
        }

        built_in! { @one [const N: usize] [Vector<bool, N>] $method }
        built_in! { @one [const N: usize] [Vector<bool, N>] $assign_method }
        built_in! { @one [const R: usize, const C: usize] [Matrix<bool, R, C>] $method }
        built_in! { @one [const R: usize, const C: usize] [Matrix<bool, R, C>] $assign_method }
    )*};
}

operators! {
    BitAnd bitand, BitAndAssign bitand_assign;
    BitOr bitor, BitOrAssign bitor_assign;
    BitXor bitxor, BitXorAssign bitxor_assign;
}

impl<const N: usize> Not for Vector<bool, N> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Vector(self.0.map(|value| !value))
    }
}

impl<const R: usize, const C: usize> Not for Matrix<bool, R, C> {
    type Output = Self;

    #[inline(always)]
    fn not(self) -> Self {
        Matrix(self.0.map(|row| row.map(|value| !value)))
    }
}

built_in! { @one [const N: usize] [Vector<bool, N>] not }
built_in! { @one [const R: usize, const C: usize] [Matrix<bool, R, C>] not }

#[func]
impl<const N: usize> Vector<bool, N> {
    /// Whether all components are `true`.
    #[must_use]
    pub fn all(self) -> bool {
        let mut all = true;
        for k in 0..N {
            all &= self[k];
        }
        all
    }

    /// Whether a component is `true`.
    #[must_use]
    pub fn any(self) -> bool {
        let mut any = false;
        for k in 0..N {
            any |= self[k];
        }
        any
    }
}
