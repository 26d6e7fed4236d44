//! Rules, by operation and types.
//!
//! A trait stands for all operations of so many operands, and `K`, one of [`operation`], for one of them. An implementation names the
//! `#[func]` that is called; the functions of [`functions`] choose by types, on the host as in a kernel.

use crate::element::KernelType;
use crate::kernel::probe::FuncDef;

/// What has a gradient with respect to its only operand, or to its first one where that is the only one that has a derivative.
#[diagnostic::on_unimplemented(
    message = "`{K}` of `{Self}` has no derivative",
    label = "no rule for its gradient",
    note = "write a `#[func(grad)]`, or a `#[func(grad = rule)]` with a rule of your own, or `detach(..)` around the value"
)]
pub trait Back1<K>: KernelType {
    /// The type of the value.
    type Output: KernelType;
    /// The function for kernels.
    type Def: FuncDef;

    /// The gradient with respect to the operand, from that with respect to the value.
    #[must_use]
    fn back(self, d: Self::Output) -> Self;
}

/// The same of two operands.
#[diagnostic::on_unimplemented(
    message = "`{K}` of `{Self}` and `{B}` has no derivative",
    label = "no rule for its gradient",
    note = "write a `#[func(grad)]`, or a `#[func(grad = rule)]` with a rule of your own, or `detach(..)` around the value"
)]
pub trait Back2<K, B: KernelType>: KernelType {
    /// The type of the value.
    type Output: KernelType;
    /// The function for kernels.
    type Def: FuncDef;

    /// The gradients with respect to the operands, from that with respect to the value.
    #[must_use]
    fn back(self, b: B, d: Self::Output) -> (Self, B);
}

/// The same of three operands.
#[diagnostic::on_unimplemented(
    message = "`{K}` of `{Self}`, `{B}` and `{C}` has no derivative",
    label = "no rule for its gradient",
    note = "write a `#[func(grad)]`, or a `#[func(grad = rule)]` with a rule of your own, or `detach(..)` around the value"
)]
pub trait Back3<K, B: KernelType, C: KernelType>: KernelType {
    /// The type of the value.
    type Output: KernelType;
    /// The function for kernels.
    type Def: FuncDef;

    /// The gradients with respect to the operands, from that with respect to the value.
    #[must_use]
    fn back(self, b: B, c: C, d: Self::Output) -> (Self, B, C);
}

/// What has a tangent: the directional derivative of the value along the tangent of the operand.
#[diagnostic::on_unimplemented(
    message = "`{K}` of `{Self}` has no derivative",
    label = "no rule for its tangent",
    note = "write a `#[func(jvp)]`, or a `#[func(jvp = rule)]` with a rule of your own, or `detach(..)` around the value"
)]
pub trait Forward1<K>: KernelType {
    /// The type of the value.
    type Output: KernelType;
    /// The function for kernels.
    type Def: FuncDef;

    /// The tangent of the value.
    #[must_use]
    fn forward(self, t: Self) -> Self::Output;
}

/// The same of two operands.
#[diagnostic::on_unimplemented(
    message = "`{K}` of `{Self}` and `{B}` has no derivative",
    label = "no rule for its tangent",
    note = "write a `#[func(jvp)]`, or a `#[func(jvp = rule)]` with a rule of your own, or `detach(..)` around the value"
)]
pub trait Forward2<K, B: KernelType>: KernelType {
    /// The type of the value.
    type Output: KernelType;
    /// The function for kernels.
    type Def: FuncDef;

    /// The tangent of the value.
    #[must_use]
    fn forward(self, t_a: Self, b: B, t_b: B) -> Self::Output;
}

/// The same of three operands.
#[diagnostic::on_unimplemented(
    message = "`{K}` of `{Self}`, `{B}` and `{C}` has no derivative",
    label = "no rule for its tangent",
    note = "write a `#[func(jvp)]`, or a `#[func(jvp = rule)]` with a rule of your own, or `detach(..)` around the value"
)]
pub trait Forward3<K, B: KernelType, C: KernelType>: KernelType {
    /// The type of the value.
    type Output: KernelType;
    /// The function for kernels.
    type Def: FuncDef;

    /// The tangent of the value.
    #[must_use]
    fn forward(self, t_a: Self, b: B, t_b: B, c: C, t_c: C) -> Self::Output;
}

/// Declares a function that chooses the rule, and what kernels know of it.
macro_rules! chooses {
    ($(#[$doc:meta])* $name:ident<$($p:ident),*>($($arg:ident: $ty:ty),*) -> $out:ty { $bound:path => $method:ident / $def:ident }) => {
        $(#[$doc])*
        #[inline(always)]
        #[must_use]
        pub fn $name<$($p: KernelType),*>($($arg: $ty),*) -> $out
        where
            A: $bound,
        {
            <A as $bound>::$method($($arg),*)
        }

        /// What kernels know of the function.
        #[allow(non_camel_case_types)]
        #[derive(Debug)]
        pub struct $name<$($p),*> {
            __private: PhantomData<fn() -> ($($p,)*)>,
        }

        impl<$($p: KernelType),*> FuncDef for $name<$($p),*>
        where
            A: $bound,
        {
            fn load() -> Instance {
                <<A as $bound>::$def as FuncDef>::load()
            }
        }

        #[allow(missing_docs)]
        impl<$($p: KernelType),*> $name<$($p),*> {
            #[doc(hidden)]
            #[inline(always)]
            #[must_use]
            pub const fn __of(_: &FuncSlot<Self>) -> Self {
                Self { __private: PhantomData }
            }

            #[doc(hidden)]
            #[inline(always)]
            pub fn __call(self, $($arg: $ty),*) -> $out
            where
                A: $bound,
            {
                $name($($arg),*)
            }
        }

        #[allow(missing_docs)]
        impl $name<$($crate::derivative::rule::any!($p)),*> {
            #[doc(hidden)]
            #[must_use]
            pub const fn __looped(_: u32) -> bool {
                false
            }

            #[doc(hidden)]
            #[allow(non_upper_case_globals)]
            pub const a_function_of_kernels_must_not_call_itself: u32 = 1;
        }
    };
}

/// What stands for a type parameter where it does not matter which type it is.
macro_rules! any {
    ($p:ident) => {
        $crate::cpu::lanes::Any
    };
}
pub(crate) use any;

pub(crate) use chooses;

macro_rules! operations {
    ($(one { $($k1:ident $back1:ident $forward1:ident)* } two { $($k2:ident $back2:ident $forward2:ident)* } three { $($k3:ident $back3:ident $forward3:ident)* })*) => {
        /// Operations that have derivatives.
        pub mod operation {
            $(
                $(#[doc = concat!("That of `", stringify!($back1), "`.")] #[derive(Debug)] pub struct $k1;)*
                $(#[doc = concat!("That of `", stringify!($back2), "`.")] #[derive(Debug)] pub struct $k2;)*
                $(#[doc = concat!("That of `", stringify!($back3), "`.")] #[derive(Debug)] pub struct $k3;)*
            )*
        }

        /// Functions that choose the rule of an operation by the types of its operands: `_back` for gradients, `_forward` for tangents.
        pub mod functions {
            use std::marker::PhantomData;

            use super::{Back1, Back2, Back3, Forward1, Forward2, Forward3, operation};
            use crate::element::KernelType;
            use crate::kernel::Instance;
            use crate::kernel::probe::{FuncDef, FuncSlot};

            $(
                $(
                    chooses! {
                        /// The gradient with respect to the operand.
                        $back1<A>(a: A, d: <A as Back1<operation::$k1>>::Output) -> A { Back1<operation::$k1> => back / Def }
                    }
                    chooses! {
                        /// The tangent of the value.
                        $forward1<A>(a: A, t: A) -> <A as Forward1<operation::$k1>>::Output { Forward1<operation::$k1> => forward / Def }
                    }
                )*
                $(
                    chooses! {
                        /// The gradients with respect to both operands.
                        $back2<A, B>(a: A, b: B, d: <A as Back2<operation::$k2, B>>::Output) -> (A, B) { Back2<operation::$k2, B> => back / Def }
                    }
                    chooses! {
                        /// The tangent of the value.
                        $forward2<A, B>(a: A, t_a: A, b: B, t_b: B) -> <A as Forward2<operation::$k2, B>>::Output { Forward2<operation::$k2, B> => forward / Def }
                    }
                )*
                $(
                    chooses! {
                        /// The gradients with respect to all three operands.
                        $back3<A, B, C>(a: A, b: B, c: C, d: <A as Back3<operation::$k3, B, C>>::Output) -> (A, B, C) { Back3<operation::$k3, B, C> => back / Def }
                    }
                    chooses! {
                        /// The tangent of the value.
                        $forward3<A, B, C>(a: A, t_a: A, b: B, t_b: B, c: C, t_c: C) -> <A as Forward3<operation::$k3, B, C>>::Output { Forward3<operation::$k3, B, C> => forward / Def }
                    }
                )*
            )*
        }
    };
}

operations! {
    one {
        Negation neg_back neg_forward
        Abs abs_back abs_forward
        Signum signum_back signum_forward
        Sqrt sqrt_back sqrt_forward
        Cbrt cbrt_back cbrt_forward
        Exp exp_back exp_forward
        Exp2 exp2_back exp2_forward
        ExpM1 exp_m1_back exp_m1_forward
        Ln ln_back ln_forward
        Ln1p ln_1p_back ln_1p_forward
        Log2 log2_back log2_forward
        Log10 log10_back log10_forward
        Sin sin_back sin_forward
        Cos cos_back cos_forward
        Tan tan_back tan_forward
        Asin asin_back asin_forward
        Acos acos_back acos_forward
        Atan atan_back atan_forward
        Sinh sinh_back sinh_forward
        Cosh cosh_back cosh_forward
        Tanh tanh_back tanh_forward
        Asinh asinh_back asinh_forward
        Acosh acosh_back acosh_forward
        Atanh atanh_back atanh_forward
        Floor floor_back floor_forward
        Ceil ceil_back ceil_forward
        Round round_back round_forward
        Trunc trunc_back trunc_forward
        Fract fract_back fract_forward
        AsUsize as_usize_back as_usize_forward
        Recip recip_back recip_forward
        ToDegrees to_degrees_back to_degrees_forward
        ToRadians to_radians_back to_radians_forward
        LengthSquared length_squared_back length_squared_forward
        Length length_back length_forward
        Norm norm_back norm_forward
        NormSquared norm_squared_back norm_squared_forward
        Normalized normalized_back normalized_forward
        NormalizedOrZero normalized_or_zero_back normalized_or_zero_forward
        Sum sum_back sum_forward
        Perp perp_back perp_forward
        Transpose transpose_back transpose_forward
        Determinant determinant_back determinant_forward
        Inverse inverse_back inverse_forward
        Trace trace_back trace_forward
        Diagonal diagonal_back diagonal_forward
    }
    two {
        Addition add_back add_forward
        Subtraction sub_back sub_forward
        Multiplication mul_back mul_forward
        Division div_back div_forward
        Remainder rem_back rem_forward
        Min min_back min_forward
        Max max_back max_forward
        Lesser lesser_back lesser_forward
        Greater greater_back greater_forward
        Powf powf_back powf_forward
        Powi powi_back powi_forward
        Atan2 atan2_back atan2_forward
        Hypot hypot_back hypot_forward
        Log log_back log_forward
        Copysign copysign_back copysign_forward
        Dot dot_back dot_forward
        Cross cross_back cross_forward
        PerpDot perp_dot_back perp_dot_forward
        Distance distance_back distance_forward
        DistanceSquared distance_squared_back distance_squared_forward
        Reflect reflect_back reflect_forward
        MulVec mul_vec_back mul_vec_forward
        OuterProduct outer_product_back outer_product_forward
    }
    three {
        Clamp clamp_back clamp_forward
        MulAdd mul_add_back mul_add_forward
        Lerp lerp_back lerp_forward
    }
}

/// Implements rules: `[parameters] Self: Operation -> Output = function [its arguments]`.
macro_rules! rules {
    (back1 { $([$($g:tt)*] $a:ty: $k:ident -> $out:ty = $f:ident [$($arg:tt)*];)* }) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::derivative::rule::Back1<$crate::derivative::rule::operation::$k> for $a {
            type Output = $out;
            type Def = $f<$($arg)*>;

            #[inline(always)]
            fn back(self, d: $out) -> Self {
                $f(self, d)
            }
        }
    )*};
    (forward1 { $([$($g:tt)*] $a:ty: $k:ident -> $out:ty = $f:ident [$($arg:tt)*];)* }) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::derivative::rule::Forward1<$crate::derivative::rule::operation::$k> for $a {
            type Output = $out;
            type Def = $f<$($arg)*>;

            #[inline(always)]
            fn forward(self, t: Self) -> $out {
                $f(self, t)
            }
        }
    )*};
    (back2 { $([$($g:tt)*] $a:ty, $b:ty: $k:ident -> $out:ty = $f:ident [$($arg:tt)*];)* }) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::derivative::rule::Back2<$crate::derivative::rule::operation::$k, $b> for $a {
            type Output = $out;
            type Def = $f<$($arg)*>;

            #[inline(always)]
            fn back(self, b: $b, d: $out) -> (Self, $b) {
                $f(self, b, d)
            }
        }
    )*};
    (forward2 { $([$($g:tt)*] $a:ty, $b:ty: $k:ident -> $out:ty = $f:ident [$($arg:tt)*];)* }) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::derivative::rule::Forward2<$crate::derivative::rule::operation::$k, $b> for $a {
            type Output = $out;
            type Def = $f<$($arg)*>;

            #[inline(always)]
            fn forward(self, t_a: Self, b: $b, t_b: $b) -> $out {
                $f(self, t_a, b, t_b)
            }
        }
    )*};
    (back3 { $([$($g:tt)*] $a:ty, $b:ty, $c:ty: $k:ident -> $out:ty = $f:ident [$($arg:tt)*];)* }) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::derivative::rule::Back3<$crate::derivative::rule::operation::$k, $b, $c> for $a {
            type Output = $out;
            type Def = $f<$($arg)*>;

            #[inline(always)]
            fn back(self, b: $b, c: $c, d: $out) -> (Self, $b, $c) {
                $f(self, b, c, d)
            }
        }
    )*};
    (forward3 { $([$($g:tt)*] $a:ty, $b:ty, $c:ty: $k:ident -> $out:ty = $f:ident [$($arg:tt)*];)* }) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> $crate::derivative::rule::Forward3<$crate::derivative::rule::operation::$k, $b, $c> for $a {
            type Output = $out;
            type Def = $f<$($arg)*>;

            #[inline(always)]
            fn forward(self, t_a: Self, b: $b, t_b: $b, c: $c, t_c: $c) -> $out {
                $f(self, t_a, b, t_b, c, t_c)
            }
        }
    )*};
}
pub(crate) use rules;
