//! Fields as arguments of functions.

use super::{Argument, Parameter};
use crate::access::Access;
use crate::access::layout::Layout;
use crate::element::Element;
use crate::field::Field;
use crate::kernel::typed::{TypedField, never};

/// What can be passed where a function's parameter is written `&P`: in a kernel one of its own fields, on the host a reference to
/// what a kernel would take.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for a function's parameter `&{P}`",
    label = "expected a field of the kernel that it reads, a `{P}`"
)]
pub trait FieldArgument<P: Parameter + ?Sized> {
    /// How its elements lie in memory.
    type Layout: Layout;

    /// For native code.
    fn lent(&self) -> P::Access<'_, Self::Layout>;
}

/// In native code of a kernel, or of a function.
#[diagnostic::do_not_recommend]
impl<T: Element, const D: usize, L: Layout> FieldArgument<Field<T, D>> for Access<'_, T, D, L> {
    type Layout = L;

    #[inline(always)]
    fn lent(&self) -> Access<'_, T, D, L> {
        *self
    }
}

/// In the copy that is only typed.
#[diagnostic::do_not_recommend]
impl<T: Element, const D: usize> FieldArgument<Field<T, D>> for TypedField<T, D> {
    type Layout = crate::access::layout::Aos;

    fn lent(&self) -> Access<'_, T, D> {
        never()
    }
}

/// On the host.
///
/// # Panics
/// If the field is in the memory of a GPU.
#[diagnostic::do_not_recommend]
impl<P: Parameter + ?Sized, A: Argument<P> + ?Sized> FieldArgument<P> for &A {
    type Layout = A::Layout;

    #[inline]
    fn lent(&self) -> P::Access<'_, A::Layout> {
        if let Some(device) = (**self).place() {
            assert!(
                device.is_cpu(),
                "a function that the host calls reads fields of the CPU: this one is on {device}"
            );
        }
        (**self).access()
    }
}

/// What native code of a function works on, of the argument for a parameter `&P`.
#[inline(always)]
pub fn lent<P: Parameter + ?Sized, A: FieldArgument<P>>(argument: &A) -> P::Access<'_, A::Layout> {
    argument.lent()
}
