//! Numbers in kernels: which methods they have, and traits for kernels that are generic over them.
//!
//! A kernel may be generic over its numbers, as any Rust function:
//!
//! ```
//! use swathe::math::Float;
//!
//! fn smooth_step<T: Float>(x: T) -> T {
//!     let t = x.clamp(T::ZERO, T::ONE);
//!     t * t * (T::from_f64(3.0) - T::TWO * t)
//! }
//! assert_eq!(smooth_step(0.5_f32), 0.5);
//! assert_eq!(smooth_step(7.0_f64), 1.0);
//! ```
//!
//! A constant is written `T::from_f64(0.1)`, a conversion `x.as_f32()` or `T::from_usize(i)`; both mean what `as`
//! does on a concrete type.
//!
//! # Methods
//!
#![doc = include_str!("math/table.md")]

mod boundary;
pub mod fast;
mod half;
mod impls;
pub mod methods;
pub mod single;
#[cfg(test)]
mod tests;

use std::fmt::{Debug, Display};
use std::ops::{
    Add, AddAssign, BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Div, DivAssign, Mul, MulAssign,
    Neg, Not, Rem, RemAssign, Shl, ShlAssign, Shr, ShrAssign, Sub, SubAssign,
};

use swathe_ir::method_id;

use crate::element::Element;
use crate::kernel::operator::BuiltIn;
use crate::kernel::probe::Method;
use crate::kernel::std_func::Empty;
use crate::numbers::reduce::{ReduceAdd, ReduceBits, ReduceMax, ReduceMin, ReduceMul};
use methods::{
    BoundaryMethods, FloatMethods, IntMethods, OrdMethods, ScalarMethods, SignedIntMethods, SignedMethods,
    UnsignedIntMethods,
};

pub use crate::numbers::atomic::{AtomicAdd, AtomicBits, AtomicOrd, AtomicSwap};

mod sealed {
    /// Code generation knows the scalar types one by one, so that no other type can be one.
    pub trait Sealed {}
}

/// A row's type inside a trait or an implementation of it.
macro_rules! ty {
    (Same) => {
        Self
    };
    (Bool) => {
        bool
    };
    (U32) => {
        u32
    };
    (I32) => {
        i32
    };
    (U64) => {
        u64
    };
    (I64) => {
        i64
    };
    (Usize) => {
        usize
    };
    (F32) => {
        f32
    };
    (F64) => {
        f64
    };
    (Bits) => {
        Self::Bits
    };
    (Unsigned) => {
        Self::Unsigned
    };
}
use ty;

/// Declares one trait with the rows of its sections of the table.
macro_rules! declare {
    (
        $(#[$meta:meta])*
        pub trait $name:ident: { $($bounds:tt)* } operators { $($operator:ident)* } items { $($items:tt)* }
        methods { $(
            $(#[$doc:meta])* $method:ident($($arg:ident: $ty:ident),*) -> $result:ident,
            $ulp:expr, $($on:ident $text:literal),+;
        )* }
        functions { $(
            $(#[$fn_doc:meta])* $function:ident($($fn_arg:ident: $fn_ty:ident),*) -> $fn_result:ident,
            $fn_ulp:expr, $($fn_on:ident $fn_text:literal),+;
        )* }
        inherited { $(
            $(#[$std_doc:meta])* $std:ident($($std_arg:ident: $std_ty:ident),*) -> $std_result:ident,
            $std_ulp:expr, $($std_on:ident $std_text:literal),+;
        )* }
    ) => {
        $(#[$meta])*
        pub trait $name:
            sealed::Sealed + $($bounds)*
            $(+ Method<{ method_id(stringify!($operator)) }>)*
            $(+ Method<{ method_id(stringify!($method)) }>)*
            $(+ Method<{ method_id(stringify!($function)) }>)*
            $(+ Method<{ method_id(stringify!($std)) }>)*
        {
            $($items)*
            $($(#[$doc])* #[must_use] fn $method(self $(, $arg: ty!($ty))*) -> ty!($result);)*
            $($(#[$fn_doc])* #[must_use] fn $function($($fn_arg: ty!($fn_ty)),*) -> ty!($fn_result);)*
        }
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
        inherited Int { $($int_std:tt)* }
        methods Int { $($int:tt)* }
        methods SignedInt { $($signed_int:tt)* }
        methods UnsignedInt { $($unsigned_int:tt)* }
        inherited UnsignedInt { $($boundary:tt)* }
    ) => {
        declare! {
            /// A number: `i8` to `i64`, `u8` to `u64`, `f16`, `bf16`, `f32`, `f64`.
            pub trait Scalar: {
                ScalarMethods + Element + BuiltIn + Default + Empty + PartialOrd + Debug + Display
                + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Rem<Output = Self>
                + AddAssign + SubAssign + MulAssign + DivAssign + RemAssign
                + ReduceAdd + ReduceMul + ReduceMin + ReduceMax
            }
            operators {
                add sub mul div rem add_assign sub_assign mul_assign div_assign rem_assign eq ne lt le gt ge
            }
            items {
                /// 0.
                const ZERO: Self;
                /// 1.
                const ONE: Self;
                /// 2.
                const TWO: Self;
                /// Smallest value; of floats the smallest finite one.
                const MIN: Self;
                /// Largest value; of floats the largest finite one.
                const MAX: Self;
            }
            methods { $($scalar)* $($cast)* }
            functions { $($scalar_fn)* }
            inherited {}
        }

        declare! {
            /// A number with a sign: `i8` to `i64`, `f16`, `bf16`, `f32`, `f64`.
            pub trait Signed: { Scalar + SignedMethods + Neg<Output = Self> }
            operators { neg }
            items {}
            methods { $($signed)* }
            functions {}
            inherited {}
        }

        declare! {
            /// `f16`, `bf16`, `f32` or `f64`.
            pub trait Float: { Signed + FloatMethods<__Unsigned = <Self as Float>::Bits> + AtomicAdd + AtomicOrd + AtomicSwap }
            operators {}
            items {
                /// Unsigned integer of the same width.
                type Bits: UnsignedInt;
                /// One half.
                const HALF: Self;
                /// Circumference of a circle with diameter 1.
                const PI: Self;
                /// Circumference of a circle with radius 1.
                const TAU: Self;
                /// Base of the natural logarithm.
                const E: Self;
                /// Infinity.
                const INFINITY: Self;
                /// Minus infinity.
                const NEG_INFINITY: Self;
                /// A NaN.
                const NAN: Self;
                /// Distance from 1 to the next larger float.
                const EPSILON: Self;
                /// Smallest positive normal float.
                const MIN_POSITIVE: Self;
            }
            methods { $($float)* }
            functions { $($float_fn)* }
            inherited {}
        }

        declare! {
            /// An integer: `i8` to `i64`, `u8` to `u64`.
            pub trait Int: {
                Scalar + OrdMethods + IntMethods<__Unsigned = <Self as Int>::Unsigned> + Ord + Eq + ReduceBits + Not<Output = Self>
                + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
                + BitAndAssign + BitOrAssign + BitXorAssign
                + Shl<u32, Output = Self> + Shr<u32, Output = Self> + ShlAssign<u32> + ShrAssign<u32>
            }
            operators {
                not bitand bitor bitxor shl shr bitand_assign bitor_assign bitxor_assign shl_assign shr_assign
            }
            items {
                /// The unsigned integer of the same width.
                type Unsigned: UnsignedInt;
                /// Number of bits.
                const BITS: u32;
            }
            methods { $($int)* }
            functions {}
            inherited { $($int_std)* }
        }

        declare! {
            /// A signed integer: `i8` to `i64`.
            pub trait SignedInt: { Int + Signed + SignedIntMethods<__Unsigned = <Self as Int>::Unsigned> }
            operators {}
            items {}
            methods { $($signed_int)* }
            functions {}
            inherited {}
        }

        declare! {
            /// An unsigned integer: `u8` to `u64`.
            pub trait UnsignedInt: { Int + Boundary + UnsignedIntMethods<__Unsigned = <Self as Int>::Unsigned> }
            operators {}
            items {}
            methods { $($unsigned_int)* }
            functions {}
            inherited {}
        }

        declare! {
            /// A position on an axis, `u8` to `u64` or `usize`, and its neighbours by the rules of boundaries.
            ///
            /// An offset may be of any size, and the position beyond the end. On an axis without positions each method gives 0.
            ///
            /// | `i + offset` on 5 positions | -3 | -2 | -1 | 0 | .. | 4 | 5 | 6 | 7 |
            /// |---|---|---|---|---|---|---|---|---|---|
            /// | [`clamped`](Boundary::clamped) | 0 | 0 | 0 | 0 | .. | 4 | 4 | 4 | 4 |
            /// | [`periodic`](Boundary::periodic) | 2 | 3 | 4 | 0 | .. | 4 | 0 | 1 | 2 |
            /// | [`reflected`](Boundary::reflected) | 3 | 2 | 1 | 0 | .. | 4 | 3 | 2 | 1 |
            /// | [`symmetric`](Boundary::symmetric) | 2 | 1 | 0 | 0 | .. | 4 | 4 | 3 | 2 |
            ///
            /// ```
            /// use swathe::prelude::*;
            ///
            /// /// One step of the heat equation on a ring of rods whose ends are insulated.
            /// #[kernel]
            /// fn heat(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
            ///     let [h, w] = u.shape();
            ///     for [i, j] in u.indices() {
            ///         let around = u[[i.periodic(-1, h), j]] + u[[i.periodic(1, h), j]];
            ///         let along = u[[i, j.clamped(-1, w)]] + u[[i, j.clamped(1, w)]];
            ///         out[[i, j]] = u[[i, j]] + 0.1 * (around + along - 4.0 * u[[i, j]]);
            ///     }
            /// }
            ///
            /// let u = Field::from_fn(&Device::cpu(), [3, 2], |[i, j]| if [i, j] == [0, 0] { 1.0 } else { 0.0 })?;
            /// let mut out = Field::zeros(&Device::cpu(), [3, 2])?;
            /// heat(&u, &mut out)?;
            /// assert_eq!(out.to_vec()?, [0.7, 0.1, 0.1, 0.0, 0.1, 0.0]);
            /// # Ok::<(), swathe::Error>(())
            /// ```
            pub trait Boundary: { Copy + BoundaryMethods }
            operators {}
            items {}
            methods { $($boundary)* }
            functions {}
            inherited {}
        }
    };
}

swathe_ir::for_each_scalar_method!(traits);
