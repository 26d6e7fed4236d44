//! What kernels can call on scalars: the rows of the table, and the operators.

use half::{bf16, f16};
use swathe_ir::method_id;

use super::{Boundary, Float, Scalar, Signed, ty};
use crate::kernel::Callee;
use crate::kernel::probe::Method;

/// `built_in! { [f32 f64] sqrt cbrt }`: code generation knows these methods of these types by name.
macro_rules! built_in {
    ($types:tt $($name:ident)*) => {
        $(built_in! { @one $name $types })*
    };
    (@one $name:ident [$($t:ident)*]) => {$(
        #[diagnostic::do_not_recommend]
        impl Method<{ method_id(stringify!($name)) }> for $t {
            fn callee() -> Callee {
                Callee::BuiltIn
            }
        }
    )*};
}

macro_rules! on {
    (Scalar $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64] $name }
    };
    (Signed $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize f16 bf16 f32 f64] $name }
    };
    (Float $name:ident) => {
        built_in! { [f16 bf16 f32 f64] $name }
    };
    (Int $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize u8 u16 u32 u64 usize] $name }
    };
    (SignedInt $name:ident) => {
        built_in! { [i8 i16 i32 i64 isize] $name }
    };
    (UnsignedInt $name:ident) => {
        built_in! { [u8 u16 u32 u64 usize] $name }
    };
}

macro_rules! methods {
    (() $($kind:ident $on:ident { $(
        $(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $result:ident,
        $ulp:expr, $($text_on:ident $text:literal),+;
    )* })*) => {
        $($(on! { $on $name })*)*
    };
}

swathe_ir::for_each_scalar_method!(methods);

built_in! {
    [i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64]
    add sub mul div rem add_assign sub_assign mul_assign div_assign rem_assign
}
built_in! { [i8 i16 i32 i64 isize f16 bf16 f32 f64] neg }
built_in! { [bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize f16 bf16 f32 f64] eq ne lt le gt ge }
built_in! {
    [bool i8 i16 i32 i64 isize u8 u16 u32 u64 usize]
    not bitand bitor bitxor bitand_assign bitor_assign bitxor_assign
}
built_in! { [i8 i16 i32 i64 isize u8 u16 u32 u64 usize] shl shr shl_assign shr_assign }
built_in! { [f16 bf16] to_f32 to_f64 }

/// A row's type inside of [`called`]: the types of the traits by other names, since a type parameter has both.
macro_rules! called_ty {
    (Bits) => {
        Self::__Unsigned
    };
    (Unsigned) => {
        Self::__Unsigned
    };
    ($ty:ident) => {
        ty!($ty)
    };
}

/// A trait with what kernels call for the methods of some rows; also of `usize` and `isize`, which are no [`Scalar`], since a field holds none.
macro_rules! called {
    ($trait:ident $of:ident $types:tt [$(
        $(#[$doc:meta])* $method:ident($($arg:ident: $ty:ident),*) -> $result:ident,
        $ulp:expr, $($on:ident $text:literal),+;
    )*] [$(
        $(#[$fn_doc:meta])* $function:ident($($fn_arg:ident: $fn_ty:ident),*) -> $fn_result:ident,
        $fn_ulp:expr, $($fn_on:ident $fn_text:literal),+;
    )*]) => {
        #[allow(missing_docs)]
        #[swathe_macros::renamed]
        pub trait $trait: Sized {
            type __Unsigned;

            $(
                #[must_use]
                fn $method(self $(, $arg: called_ty!($ty))*) -> called_ty!($result);
            )*
            $(
                #[must_use]
                fn $function($($fn_arg: called_ty!($fn_ty)),*) -> called_ty!($fn_result);
            )*
        }

        called! {
            @types $trait $of $types
            [$([$method ($($arg: $ty),*) $result])*]
            [$([$function ($($fn_arg: $fn_ty),*) $fn_result])*]
        }
    };
    (@types $trait:ident $of:ident [$($t:ident $unsigned:ident)*] $methods:tt $functions:tt) => {
        $(called! { @impl $trait $of $t $unsigned $methods $functions })*
    };
    (
        @impl $trait:ident $of:ident $t:ident $unsigned:ident
        [$([$method:ident ($($arg:ident: $ty:ident),*) $result:ident])*]
        [$([$function:ident ($($fn_arg:ident: $fn_ty:ident),*) $fn_result:ident])*]
    ) => {
        #[swathe_macros::renamed]
        impl $trait for $t {
            type __Unsigned = $unsigned;

            $(
                #[inline(always)]
                fn $method(self $(, $arg: called_ty!($ty))*) -> called_ty!($result) {
                    called!(@path $of $t $method)(self $(, $arg)*)
                }
            )*
            $(
                #[inline(always)]
                fn $function($($fn_arg: called_ty!($fn_ty)),*) -> called_ty!($fn_result) {
                    called!(@path $of $t $function)($($fn_arg),*)
                }
            )*
        }
    };
    (@path Int $t:ident $method:ident) => {
        // Those of `usize`, too.
        <$t>::$method
    };
    (@path Signed isize $method:ident) => {
        <isize>::$method
    };
    (@path $of:ident $t:ident $method:ident) => {
        <$t as $of>::$method
    };
}

macro_rules! traits {
    (
        ()
        methods Scalar { $($scalar:tt)* }
        casts Scalar { $($cast:tt)* }
        functions Scalar { $($scalar_fn:tt)* }
        methods Signed { $($signed:tt)* }
        methods Float { $($float:tt)* }
        functions Float { $($float_fn:tt)* }
        inherited Int { $($ord:tt)* }
        methods Int { $($int:tt)* }
        methods SignedInt { $($signed_int:tt)* }
        methods UnsignedInt { $($unsigned_int:tt)* }
        inherited UnsignedInt { $($boundary:tt)* }
    ) => {
        called! {
            ScalarMethods Scalar
            [i8 u8 i16 u16 i32 u32 i64 u64 u8 u8 u16 u16 u32 u32 u64 u64 f16 u16 bf16 u16 f32 u32 f64 u64]
            [$($scalar)* $($cast)*] [$($scalar_fn)*]
        }
        called! {
            SignedMethods Signed
            [i8 u8 i16 u16 i32 u32 i64 u64 isize usize f16 u16 bf16 u16 f32 u32 f64 u64]
            [$($signed)*] []
        }
        called! { FloatMethods Float [f16 u16 bf16 u16 f32 u32 f64 u64] [$($float)*] [$($float_fn)*] }
        called! {
            OrdMethods Ord
            [i8 u8 i16 u16 i32 u32 i64 u64 isize usize u8 u8 u16 u16 u32 u32 u64 u64 usize usize]
            [$($ord)*] []
        }
        called! {
            IntMethods Int
            [i8 u8 i16 u16 i32 u32 i64 u64 isize usize u8 u8 u16 u16 u32 u32 u64 u64 usize usize]
            [$($int)*] []
        }
        called! { SignedIntMethods Int [i8 u8 i16 u16 i32 u32 i64 u64 isize usize] [$($signed_int)*] [] }
        called! { UnsignedIntMethods Int [u8 u8 u16 u16 u32 u32 u64 u64 usize usize] [$($unsigned_int)*] [] }
        called! { BoundaryMethods Boundary [u8 u8 u16 u16 u32 u32 u64 u64 usize usize] [$($boundary)*] [] }
    };
}

swathe_ir::for_each_scalar_method!(traits);

/// What kernels call for the conversions of `half`'s types.
#[allow(missing_docs)]
#[swathe_macros::renamed]
pub trait HalfMethods {
    #[must_use]
    fn to_f32(self) -> f32;
    #[must_use]
    fn to_f64(self) -> f64;
}

macro_rules! half_methods {
    ($($t:ident)*) => {$(
        #[swathe_macros::renamed]
        impl HalfMethods for $t {
            #[inline(always)]
            fn to_f32(self) -> f32 {
                <$t>::to_f32(self)
            }

            #[inline(always)]
            fn to_f64(self) -> f64 {
                <$t>::to_f64(self)
            }
        }
    )*};
}
half_methods!(f16 bf16);
