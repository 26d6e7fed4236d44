//! Rules of integers, which have no derivatives: all are zero.

use super::rule::rules;
use crate::element::KernelType;
use crate::func;

use super::Differentiable;

#[func]
#[inline(always)]
pub fn none1<A: Differentiable>(a: A, _d: A) -> A {
    ::swathe::derivative::zero(a)
}

#[func]
#[inline(always)]
pub fn none2<A: Differentiable, B: Differentiable>(a: A, b: B, _d: A) -> (A, B) {
    (::swathe::derivative::zero(a), ::swathe::derivative::zero(b))
}

#[func]
#[inline(always)]
pub fn none2_forward<A: Differentiable, B: KernelType>(a: A, _t_a: A, _b: B, _t_b: B) -> A {
    ::swathe::derivative::zero(a)
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        rules! { back1 {
            [] $t: Negation -> $t = none1 [$t];
            [] $t: Abs -> $t = none1 [$t];
            [] $t: Signum -> $t = none1 [$t];
        } }
        rules! { forward1 {
            [] $t: Negation -> $t = none1 [$t];
            [] $t: Abs -> $t = none1 [$t];
            [] $t: Signum -> $t = none1 [$t];
        } }
        rules! { back2 {
            [] $t, $t: Addition -> $t = none2 [$t, $t];
            [] $t, $t: Subtraction -> $t = none2 [$t, $t];
            [] $t, $t: Multiplication -> $t = none2 [$t, $t];
            [] $t, $t: Division -> $t = none2 [$t, $t];
            [] $t, $t: Remainder -> $t = none2 [$t, $t];
            [] $t, $t: Min -> $t = none2 [$t, $t];
            [] $t, $t: Max -> $t = none2 [$t, $t];
        } }
        rules! { forward2 {
            [] $t, $t: Remainder -> $t = none2_forward [$t, $t];
            [] $t, $t: Min -> $t = none2_forward [$t, $t];
            [] $t, $t: Max -> $t = none2_forward [$t, $t];
        } }
    )*};
}

integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }
