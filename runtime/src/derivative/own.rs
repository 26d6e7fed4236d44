//! Values without derivatives.

use crate::element::KernelType;
use crate::func;
use crate::kernel::probe::FuncSlot;
use crate::math::Scalar;
use crate::types::{Matrix, Vector};

/// The value itself, which has no derivative where it is used: gradients do not flow through it, and its tangent is zero.
///
/// ```
/// use swathe::prelude::*;
/// use swathe::derivative::detach;
///
/// #[kernel(grad)]
/// fn product(x: &Field<f32>, y: &mut Field<f32>) {
///     for i in y.indices() {
///         y[i] = x[i] * detach(x[i]); // d y / d x is x, and not 2 x
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cpu();
/// let x = Field::from_slice(&device, &[2.0, 3.0])?;
/// let y = Field::<f32>::zeros(&device, 2)?;
/// let mut g_x = Field::<f32>::zeros(&device, 2)?;
/// let mut g_y = Field::full(&device, 2, 1.0)?;
/// product::pullback(&x, &y, &mut g_x, &mut g_y)?;
/// assert_eq!(g_x.to_vec()?, [2.0, 3.0]);
/// # Ok(())
/// # }
/// ```
#[func]
#[inline(always)]
#[must_use]
pub fn detach<T: KernelType>(value: T) -> T {
    value
}

/// Confirms that a type that the macros take for an integer is one.
#[doc(hidden)]
pub const fn has_no_derivative<T: super::Differentiable>() {
    const {
        assert!(
            !T::ACTIVE,
            "a type with the name of an integer has derivatives: give it another name"
        );
    }
}

/// The struct of [`detach`] for a type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "derivatives take a function of the name `detach` for `swathe::derivative::detach`, and this is another one",
    label = "not the `detach` of swathe",
    note = "give your own function another name"
)]
pub trait IsDetach<T> {}

#[diagnostic::do_not_recommend]
impl<T> IsDetach<T> for detach<T> {}

/// Confirms that a function that the macros take for [`detach`] is that, by what stands beside it, which has no parameters to be told.
#[doc(hidden)]
pub const fn is_detach<F: IsDetach<f32>>(_: fn(&FuncSlot<F>) -> F) {}

/// A type whose operators are those of numbers: what derivatives say of sums, products and quotients holds for them.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the operators of `{Self}` are its own, and have no derivatives",
    label = "not a number, vector, matrix or quaternion",
    note = "write what the operator computes as a free `#[func(grad, jvp)]`, and call that, or `detach(..)` around the operands"
)]
pub trait Arithmetic {}

#[diagnostic::do_not_recommend]
impl<T: crate::kernel::operator::BuiltIn> Arithmetic for T {}
#[diagnostic::do_not_recommend]
impl<T: crate::math::Float> Arithmetic for crate::types::Quaternion<T> {}

/// Says to rustc that the operators between two values are those of numbers.
#[doc(hidden)]
#[func]
#[inline(always)]
pub fn numbers<A: KernelType + Arithmetic, B: KernelType + Arithmetic>(_a: A, _b: B) {}

/// The first value, of the type of the second one: where a derivative leaves out what tells that.
#[doc(hidden)]
#[func]
#[inline(always)]
#[must_use]
pub fn like<T: KernelType>(value: T, _before: T) -> T {
    value
}

/// What values are made of: the type of a literal that is computed with together with them.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the derivative cannot tell the type of a literal from `{Self}`",
    label = "not a number, vector or matrix",
    note = "write it at the literal, as in `0.5_f32` or `3_usize`"
)]
pub trait Numbers {
    /// The type of one number.
    type Number;
}

#[diagnostic::do_not_recommend]
impl<T: Scalar> Numbers for T {
    type Number = T;
}

impl Numbers for usize {
    type Number = usize;
}

impl Numbers for isize {
    type Number = isize;
}

impl<T, const N: usize> Numbers for Vector<T, N> {
    type Number = T;
}

impl<T, const R: usize, const C: usize> Numbers for Matrix<T, R, C> {
    type Number = T;
}

impl<T: Numbers, const N: usize> Numbers for [T; N] {
    type Number = T::Number;
}

/// A type of whose functions the rules are known.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the functions of `{Self}` have no derivatives",
    label = "not a number, vector or matrix",
    note = "write a free `#[func(grad)]`, or `detach(..)` around the call"
)]
pub trait HasRules {}

#[diagnostic::do_not_recommend]
impl<T: crate::kernel::operator::BuiltIn> HasRules for T {}

/// Confirms that the functions of a type are those that the rules are for.
#[doc(hidden)]
pub const fn has_rules<T: HasRules>() {}
