//! Values without derivatives.

use crate::element::KernelType;
use crate::func;

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

/// Confirms that a function that the macros take for [`detach`] is that.
#[doc(hidden)]
pub const fn is_detach<F: Copy>(_: F, _: F) {}

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
