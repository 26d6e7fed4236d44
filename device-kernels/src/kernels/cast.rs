//! Conversion of scalars, as Rust's `as` does it: integers wrap, floats saturate, NaN becomes 0. To and
//! from floats of 16 bits by way of `f32`.

use super::at;
use crate::entry::kernels;
use crate::grid::Grid;
use crate::half::{Bf16, F16, Half};

/// Conversion of one scalar.
trait To<T> {
    fn to(self) -> T;
}

/// A `bool`: what is not zero is true.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Truth(#[allow(dead_code, reason = "it is only written to memory")] u8);

macro_rules! to {
    ($($from:ident)*) => { $(to! { @from $from i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 })* };
    (@from $from:ident $($to:ident)*) => {
        $(
            impl To<$to> for $from {
                #[inline(always)]
                #[allow(clippy::unnecessary_cast, trivial_numeric_casts)]
                fn to(self) -> $to {
                    self as $to
                }
            }
        )*

        impl To<Truth> for $from {
            #[inline(always)]
            fn to(self) -> Truth {
                Truth((self != 0 as $from) as u8)
            }
        }
    };
}
to!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

macro_rules! half {
    ($($half:ident)*) => { $(half! { @of $half i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 })* };
    (@of $half:ident $($other:ident)*) => {
        $(
            impl To<$other> for $half {
                #[inline(always)]
                fn to(self) -> $other {
                    self.wide().to()
                }
            }

            impl To<$half> for $other {
                #[inline(always)]
                fn to(self) -> $half {
                    $half::narrow(self.to())
                }
            }
        )*

        impl To<Truth> for $half {
            #[inline(always)]
            fn to(self) -> Truth {
                self.wide().to()
            }
        }
    };
}
half!(F16 Bf16);

impl To<Bf16> for F16 {
    #[inline(always)]
    fn to(self) -> Bf16 {
        Bf16::narrow(self.wide())
    }
}

impl To<F16> for Bf16 {
    #[inline(always)]
    fn to(self) -> F16 {
        F16::narrow(self.wide())
    }
}

// Where the sign of an integer makes no difference there is the unsigned entry alone; a `bool` is read as `u8`.
kernels! {
    "cast": cast(Cast { from: *mut u8, to: *mut u8, count: u64 });
    cast_u8_u16 <u8, u16>; cast_i8_u16 <i8, u16>; cast_u8_u32 <u8, u32>; cast_i8_u32 <i8, u32>; cast_u8_u64 <u8, u64>;
    cast_i8_u64 <i8, u64>; cast_u16_u8 <u16, u8>; cast_u16_u32 <u16, u32>; cast_i16_u32 <i16, u32>;
    cast_u16_u64 <u16, u64>; cast_i16_u64 <i16, u64>; cast_u32_u8 <u32, u8>; cast_u32_u16 <u32, u16>;
    cast_u32_u64 <u32, u64>; cast_i32_u64 <i32, u64>; cast_u64_u8 <u64, u8>; cast_u64_u16 <u64, u16>;
    cast_u64_u32 <u64, u32>; cast_i8_f32 <i8, f32>; cast_i8_f64 <i8, f64>; cast_u8_f32 <u8, f32>;
    cast_u8_f64 <u8, f64>; cast_i16_f32 <i16, f32>; cast_i16_f64 <i16, f64>; cast_u16_f32 <u16, f32>;
    cast_u16_f64 <u16, f64>; cast_i32_f32 <i32, f32>; cast_i32_f64 <i32, f64>; cast_u32_f32 <u32, f32>;
    cast_u32_f64 <u32, f64>; cast_i64_f32 <i64, f32>; cast_i64_f64 <i64, f64>; cast_u64_f32 <u64, f32>;
    cast_u64_f64 <u64, f64>; cast_f32_i8 <f32, i8>; cast_f32_u8 <f32, u8>; cast_f32_i16 <f32, i16>;
    cast_f32_u16 <f32, u16>; cast_f32_i32 <f32, i32>; cast_f32_u32 <f32, u32>; cast_f32_i64 <f32, i64>;
    cast_f32_u64 <f32, u64>; cast_f64_i8 <f64, i8>; cast_f64_u8 <f64, u8>; cast_f64_i16 <f64, i16>;
    cast_f64_u16 <f64, u16>; cast_f64_i32 <f64, i32>; cast_f64_u32 <f64, u32>; cast_f64_i64 <f64, i64>;
    cast_f64_u64 <f64, u64>; cast_f32_f64 <f32, f64>; cast_f64_f32 <f64, f32>;
    cast_u8_bool <u8, Truth>; cast_u16_bool <u16, Truth>; cast_u32_bool <u32, Truth>; cast_u64_bool <u64, Truth>;
    cast_f32_bool <f32, Truth>; cast_f64_bool <f64, Truth>;
    cast_f16_i8 <F16, i8>; cast_i8_f16 <i8, F16>; cast_f16_i16 <F16, i16>; cast_i16_f16 <i16, F16>;
    cast_f16_i32 <F16, i32>; cast_i32_f16 <i32, F16>; cast_f16_i64 <F16, i64>; cast_i64_f16 <i64, F16>;
    cast_f16_u8 <F16, u8>; cast_u8_f16 <u8, F16>; cast_f16_u16 <F16, u16>; cast_u16_f16 <u16, F16>;
    cast_f16_u32 <F16, u32>; cast_u32_f16 <u32, F16>; cast_f16_u64 <F16, u64>; cast_u64_f16 <u64, F16>;
    cast_f16_f32 <F16, f32>; cast_f32_f16 <f32, F16>; cast_f16_f64 <F16, f64>; cast_f64_f16 <f64, F16>;
    cast_f16_bool <F16, Truth>; cast_bf16_i8 <Bf16, i8>; cast_i8_bf16 <i8, Bf16>; cast_bf16_i16 <Bf16, i16>;
    cast_i16_bf16 <i16, Bf16>; cast_bf16_i32 <Bf16, i32>; cast_i32_bf16 <i32, Bf16>; cast_bf16_i64 <Bf16, i64>;
    cast_i64_bf16 <i64, Bf16>; cast_bf16_u8 <Bf16, u8>; cast_u8_bf16 <u8, Bf16>; cast_bf16_u16 <Bf16, u16>;
    cast_u16_bf16 <u16, Bf16>; cast_bf16_u32 <Bf16, u32>; cast_u32_bf16 <u32, Bf16>; cast_bf16_u64 <Bf16, u64>;
    cast_u64_bf16 <u64, Bf16>; cast_bf16_f32 <Bf16, f32>; cast_f32_bf16 <f32, Bf16>; cast_bf16_f64 <Bf16, f64>;
    cast_f64_bf16 <f64, Bf16>; cast_bf16_bool <Bf16, Truth>; cast_f16_bf16 <F16, Bf16>; cast_bf16_f16 <Bf16, F16>;
}

/// Both arrays are contiguous and do not overlap.
#[inline(always)]
unsafe fn cast<S: To<T> + Copy, T, G: Grid>(g: G, a: Cast) {
    g.each(a.count, |index| {
        // SAFETY: by contract the arrays have `count` scalars.
        unsafe { at::<T>(a.to, index).write((*at::<S>(a.from, index)).to()) };
    });
}
