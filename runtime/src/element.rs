//! The traits of types that kernels handle.

use swathe_ir::Type;

/// A type that a kernel's variables may have: scalars, [`Vector`](crate::Vector), [`Matrix`](crate::Matrix), structs
/// with `#[derive(Element)]`, and arrays and tuples of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used inside a kernel",
    label = "a kernel's values are scalars, vectors, matrices, arrays, tuples and structs with `#[derive(Element)]`",
    note = "for a struct of your own, write `#[derive(Element, Clone, Copy)]` above it"
)]
pub trait KernelType: Copy + 'static {
    /// The type as code generation sees it.
    fn ty() -> Type;
}

/// A type that a [`Field`](crate::Field) can hold.
///
/// # Safety
/// The type has the layout that [`KernelType::ty`] states, all bytes zero are a valid value of it, and it holds no
/// pointers. `#[derive(Element)]` proves all that.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of a field",
    label = "an element is a scalar, vector, matrix, array or struct with `#[derive(Element)]`",
    note = "for a struct of your own, write `#[derive(Element, Clone, Copy)]` above it"
)]
pub unsafe trait Element: KernelType + Send + Sync {}
