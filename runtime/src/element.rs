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

macro_rules! scalars {
    ($($t:ty: $s:ident),*) => {$(
        impl KernelType for $t {
            fn ty() -> Type {
                Type::Scalar(swathe_ir::Scalar::$s)
            }
        }
        // SAFETY: a number.
        unsafe impl Element for $t {}
    )*};
}
scalars!(bool: Bool, i8: I8, i16: I16, i32: I32, i64: I64, u8: U8, u16: U16, u32: U32, u64: U64, f32: F32, f64: F64);
