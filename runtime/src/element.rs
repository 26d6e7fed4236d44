//! The traits of types that kernels handle.

use swathe_ir::{Scalar, Type};

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
    ($($t:ident $scalar:ident;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl KernelType for $t {
            fn ty() -> Type {
                const { assert!(size_of::<$t>() == Scalar::$scalar.size() && align_of::<$t>() == size_of::<$t>()) };
                Type::Scalar(Scalar::$scalar)
            }
        }
    )*};
}

scalars! {
    bool Bool; i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; usize Usize; isize Isize;
    f32 F32; f64 F64;
}

macro_rules! elements {
    ($($t:ident)*) => {$(
        // SAFETY: a scalar's layout is that of its type's row in `swathe_ir::Scalar`, and zero is a value of each.
        #[diagnostic::do_not_recommend]
        unsafe impl Element for $t {}
    )*};
}

// Not `usize` and `isize`: data should not change its size with the host.
elements! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

#[diagnostic::do_not_recommend]
impl KernelType for () {
    fn ty() -> Type {
        Type::Unit
    }
}

#[diagnostic::do_not_recommend]
impl<T: KernelType, const N: usize> KernelType for [T; N] {
    fn ty() -> Type {
        Type::Array(Box::new(T::ty()), N)
    }
}

// SAFETY: an array is its elements in order, and has no bytes beside them.
#[diagnostic::do_not_recommend]
unsafe impl<T: Element, const N: usize> Element for [T; N] {}

macro_rules! tuples {
    ($(($($t:ident)+))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($t: KernelType),+> KernelType for ($($t,)+) {
            fn ty() -> Type {
                Type::Tuple(vec![$($t::ty()),+])
            }
        }
    )*};
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) }

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_named_as_in_rust() {
        assert_eq!(<()>::ty(), Type::Unit);
        assert_eq!(<[[f32; 3]; 2]>::ty().to_string(), "[[f32; 3]; 2]");
        assert_eq!(<(i8, bool, u64)>::ty().to_string(), "(i8, bool, u64, )");
        assert_eq!(usize::ty(), Type::Scalar(Scalar::Usize));
        assert_eq!(<(u8, u8, u8, u8, u8, f64)>::ty().scalar(), None);
    }

    #[test]
    fn sizes_are_those_of_rust() {
        fn same<T: Element>() {
            assert_eq!(
                (T::ty().size(), T::ty().align()),
                (size_of::<T>(), align_of::<T>()),
                "{}",
                T::ty()
            );
        }
        same::<bool>();
        same::<i16>();
        same::<f64>();
        same::<[u8; 7]>();
        same::<[[f64; 2]; 3]>();
    }
}
