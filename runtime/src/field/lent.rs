//! Fields as arguments of functions.

use crate::access::Access;
use crate::access::layout::Layout;
use crate::element::Element;
use crate::field::Field;
use crate::kernel::typed::{TypedField, never};
use crate::parameter::{Argument, Parameter};
use crate::recording;

/// What can be passed where a function's parameter is written `&P`: in a kernel one of its own fields, on the host a reference to
/// what a kernel would take.
///
/// # Safety
/// `lent` describes elements that may be read as long as the borrow lasts. `INSIDE` is true only for arguments of calls for which it was asked that
/// what the function reads at positions which its parameters tell is in bounds.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for a function's parameter `&{P}`",
    label = "expected a field of the kernel that it reads, a `{P}`"
)]
pub unsafe trait FieldArgument<P: Parameter + ?Sized> {
    /// How its elements lie in memory.
    type Layout: Layout;

    /// Whether all reads at positions that the function's parameters tell are in bounds.
    const INSIDE: bool = false;

    /// For native code.
    fn lent(&self) -> P::Access<'_, Self::Layout>;
}

// SAFETY: in native code of a kernel, or of a function, it describes an argument of the launch, which lasts longer.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element, const D: usize, L: Layout> FieldArgument<Field<T, D>> for Access<'_, T, D, L> {
    type Layout = L;

    #[inline(always)]
    fn lent(&self) -> Access<'_, T, D, L> {
        *self
    }
}

// SAFETY: in the copy that is only typed nothing runs.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element, const D: usize> FieldArgument<Field<T, D>> for TypedField<T, D> {
    type Layout = crate::access::layout::Aos;

    fn lent(&self) -> Access<'_, T, D> {
        never()
    }
}

/// On the host.
///
/// # Panics
/// If the field is in the memory of a GPU.
// SAFETY: an argument of a launch may be read, and this one is in the host's memory.
#[diagnostic::do_not_recommend]
unsafe impl<P: Parameter + ?Sized, A: Argument<P> + ?Sized> FieldArgument<P> for &A {
    type Layout = A::Layout;

    #[inline]
    fn lent(&self) -> P::Access<'_, A::Layout> {
        if let Some(place) = (**self).place() {
            assert!(
                place.device.is_cpu(),
                "a function that the host calls reads fields of the CPU: this one is on {}",
                place.device
            );
            recording::note(place.storage, recording::Access::Read);
        }
        (**self).access()
    }
}

/// A field of which it is known, if `INSIDE`, that what a function reads of it at positions which its parameters tell is in bounds.
#[derive(Clone, Copy)]
struct Known<A, const INSIDE: bool>(A);

// SAFETY: `lend_inside` makes it, whose caller promises that.
#[diagnostic::do_not_recommend]
unsafe impl<P: Parameter + ?Sized, A: FieldArgument<P>, const INSIDE: bool> FieldArgument<P> for Known<A, INSIDE> {
    type Layout = A::Layout;

    const INSIDE: bool = INSIDE;

    #[inline(always)]
    fn lent(&self) -> P::Access<'_, A::Layout> {
        self.0.lent()
    }
}

/// A field that a function lends on, of which the same is known if `INSIDE`.
struct On<'a, A, const INSIDE: bool>(&'a A);

// SAFETY: where its caller was told that all is in bounds, what it lends on was asked for, too.
#[diagnostic::do_not_recommend]
unsafe impl<P: Parameter + ?Sized, A: FieldArgument<P>, const INSIDE: bool> FieldArgument<P> for On<'_, A, INSIDE> {
    type Layout = A::Layout;

    const INSIDE: bool = A::INSIDE && INSIDE;

    #[inline(always)]
    fn lent(&self) -> P::Access<'_, A::Layout> {
        self.0.lent()
    }
}

/// Lends a field to a function. Of what type it is rustc says the same wherever it comes from.
#[inline(always)]
pub fn lend<T: Element, const D: usize>(field: impl FieldArgument<Field<T, D>>) -> impl FieldArgument<Field<T, D>> {
    field
}

/// Lends a field of a kernel to a function that reads it without checks at positions which its parameters tell, if `INSIDE`.
///
/// # Safety
/// These are in bounds then.
#[inline(always)]
pub unsafe fn lend_inside<const INSIDE: bool, T: Element, const D: usize, L: Layout>(
    field: Access<'_, T, D, L>,
) -> impl FieldArgument<Field<T, D>> {
    Known::<_, INSIDE>(field)
}

/// Lends a field on to another function. Where `INSIDE`, what that reads was asked for with what this one reads.
#[inline(always)]
pub fn lend_on<const INSIDE: bool, P: Parameter + ?Sized, A: FieldArgument<P>>(field: &A) -> impl FieldArgument<P> {
    On::<_, INSIDE>(field)
}

/// Whether a function may read without checks.
#[inline(always)]
pub fn is_inside<P: Parameter + ?Sized, A: FieldArgument<P>>(_: &A) -> bool {
    A::INSIDE
}

/// Rust's own `usize`: another type may have its name.
#[diagnostic::on_unimplemented(
    message = "`usize` is `{Self}` here: a function that is lent fields needs Rust's own",
    label = "another type of this name",
    note = "give your type another name"
)]
pub trait IsUsize {}

#[diagnostic::do_not_recommend]
impl IsUsize for usize {}

/// Confirms that a function's parameter is one index: a position of rank 2 is none, whatever its type is called.
#[inline(always)]
pub fn is_index(_: &impl IsUsize) {}

/// Confirms that a function's parameter is an array of indices.
#[inline(always)]
pub fn is_position<const D: usize>(_: &[impl IsUsize; D]) {}

/// What native code of a function works on, of the argument for a parameter `&P`.
#[inline(always)]
pub fn lent<P: Parameter + ?Sized, A: FieldArgument<P>>(argument: &A) -> P::Access<'_, A::Layout> {
    argument.lent()
}
