//! Rules of conversions, `x as T`.

use std::marker::PhantomData;

use super::Differentiable;
use crate::element::KernelType;
use crate::func;
use crate::kernel::Instance;
use crate::kernel::probe::{FuncDef, FuncSlot};

/// What a gradient with respect to `x as B` says of `x`.
#[diagnostic::on_unimplemented(
    message = "a conversion of `{Self}` to `{B}` has no derivative",
    label = "no rule for its gradient",
    note = "write `detach(..)` around the value"
)]
pub trait CastBack<B: KernelType>: KernelType {
    /// The function for kernels.
    type Def: FuncDef;

    /// The gradient with respect to `self`.
    #[must_use]
    fn cast_back(self, d: B) -> Self;
}

super::rule::chooses! {
    /// The gradient with respect to `a`, from that with respect to `a as B`: zero if one of the two is an integer.
    cast_back<A, B>(a: A, d: B) -> A { CastBack<B> => cast_back / Def }
}

#[func]
#[inline(always)]
pub fn none<A: Differentiable, B: KernelType>(a: A, _d: B) -> A {
    ::swathe::derivative::zero(a)
}

macro_rules! floats {
    ($($name:ident: $a:ident $b:ident;)*) => {$(
        #[func]
        #[inline(always)]
        pub fn $name(_a: $a, d: $b) -> $a {
            d as $a
        }

        #[diagnostic::do_not_recommend]
        impl CastBack<$b> for $a {
            type Def = $name;

            #[inline(always)]
            fn cast_back(self, d: $b) -> $a {
                $name(self, d)
            }
        }
    )*};
}
floats! { f32_f32: f32 f32; f32_f64: f32 f64; f64_f32: f64 f32; f64_f64: f64 f64; }

macro_rules! none {
    ($($a:ident => $($b:ident)*;)*) => {$($(
        #[diagnostic::do_not_recommend]
        impl CastBack<$b> for $a {
            type Def = none<$a, $b>;

            #[inline(always)]
            fn cast_back(self, d: $b) -> $a {
                none(self, d)
            }
        }
    )*)*};
}
none! {
    bool => i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    f32 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    f64 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    i8 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    i16 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    i32 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    i64 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    isize => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    u8 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    u16 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    u32 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    u64 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
    usize => i8 i16 i32 i64 isize u8 u16 u32 u64 usize f32 f64;
}
