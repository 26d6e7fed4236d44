//! Elements in memory, and what they are computed with.

use half::{bf16, f16};
use num_complex::Complex;

use super::gemm::Gemm;

/// What products are computed with.
pub trait Wide: Copy + Send + Sync + 'static {
    const ZERO: Self;

    /// What multiplies large matrices of it.
    const GEMM: Option<Gemm<Self>> = None;

    /// This and `a` times `b`. With `FUSED`, floats are rounded once.
    fn add_product<const FUSED: bool>(self, a: Self, b: Self) -> Self;

    fn plus(self, other: Self) -> Self;
}

/// An element in memory.
pub trait Item: Copy + 'static {
    type Wide: Wide;

    /// Whether it is in memory what it is computed with.
    const SAME: bool;

    /// Whether it has an imaginary part.
    const COMPLEX: bool = false;

    /// # Safety
    /// There is an element, with its imaginary part, if it has one, so many bytes further on.
    unsafe fn load(at: *const u8, imaginary: isize) -> Self::Wide;

    /// # Safety
    /// As for [`Item::load`], to write.
    unsafe fn store(value: Self::Wide, at: *mut u8, imaginary: isize);
}

macro_rules! wide_integers {
    ($($t:ident)*) => {$(
        impl Wide for $t {
            const ZERO: $t = 0;

            #[inline(always)]
            fn add_product<const FUSED: bool>(self, a: $t, b: $t) -> $t {
                self.wrapping_add(a.wrapping_mul(b))
            }

            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                self.wrapping_add(other)
            }
        }
    )*};
}
wide_integers!(u16 u32 u64);

#[inline(always)]
fn fused<const FUSED: bool, T: num_traits::Float>(a: T, b: T, c: T) -> T {
    if FUSED { a.mul_add(b, c) } else { a * b + c }
}

macro_rules! wide_floats {
    ($($t:ident)*) => {$(
        impl Wide for $t {
            const ZERO: $t = 0.0;
            const GEMM: Option<Gemm<$t>> = Some(<$t as super::gemm::Blas>::gemm);

            #[inline(always)]
            fn add_product<const FUSED: bool>(self, a: $t, b: $t) -> $t {
                fused::<FUSED, $t>(a, b, self)
            }

            #[inline(always)]
            fn plus(self, other: $t) -> $t {
                self + other
            }
        }

        impl Wide for Complex<$t> {
            const ZERO: Self = Complex { re: 0.0, im: 0.0 };
            const GEMM: Option<Gemm<Self>> = Some(<Self as super::gemm::Blas>::gemm);

            #[inline(always)]
            fn add_product<const FUSED: bool>(self, a: Self, b: Self) -> Self {
                Complex {
                    re: fused::<FUSED, $t>(-a.im, b.im, fused::<FUSED, $t>(a.re, b.re, self.re)),
                    im: fused::<FUSED, $t>(a.im, b.re, fused::<FUSED, $t>(a.re, b.im, self.im)),
                }
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self + other
            }
        }

        impl Item for Complex<$t> {
            type Wide = Self;
            const SAME: bool = true;
            const COMPLEX: bool = true;

            #[inline(always)]
            unsafe fn load(at: *const u8, imaginary: isize) -> Self {
                // SAFETY: by the caller's word.
                unsafe { Complex::new(*at.cast::<$t>(), *at.offset(imaginary).cast::<$t>()) }
            }

            #[inline(always)]
            unsafe fn store(value: Self, at: *mut u8, imaginary: isize) {
                // SAFETY: by the caller's word.
                unsafe {
                    *at.cast::<$t>() = value.re;
                    *at.offset(imaginary).cast::<$t>() = value.im;
                }
            }
        }
    )*};
}
wide_floats!(f32 f64);

macro_rules! items {
    ($($t:ident $wide:ident $same:literal |$x:ident| $load:expr, $store:expr;)*) => {$(
        impl Item for $t {
            type Wide = $wide;
            const SAME: bool = $same;

            #[inline(always)]
            unsafe fn load(at: *const u8, _: isize) -> $wide {
                // SAFETY: by the caller's word.
                let $x = unsafe { *at.cast::<$t>() };
                $load
            }

            #[inline(always)]
            unsafe fn store($x: $wide, at: *mut u8, _: isize) {
                // SAFETY: by the caller's word.
                unsafe { *at.cast::<$t>() = $store }
            }
        }
    )*};
}
items! {
    // Vectors of bytes have no products.
    u8 u16 false |x| x.into(), x as u8;
    u16 u16 true |x| x, x;
    u32 u32 true |x| x, x;
    u64 u64 true |x| x, x;
    f16 f32 false |x| of_f16(x), f16::from_f32(x);
    bf16 f32 false |x| f32::from_bits(u32::from(x.to_bits()) << 16), bf16::from_f32(x);
    f32 f32 true |x| x, x;
    f64 f64 true |x| x, x;
}

/// As the crate `half`, which asks for an instruction with each number: this loop is vectorised.
#[inline(always)]
fn of_f16(x: f16) -> f32 {
    let bits = u32::from(x.to_bits());
    let magnitude = bits & 0x7fff;
    // With the exponent's own bias: times 2^112 is exact, for subnormal numbers too.
    let finite = f32::from_bits(magnitude << 13) * f32::from_bits(0x7780_0000);
    let other = magnitude << 13 | 0x7f80_0000;
    let wide = if magnitude >= 0x7c00 { other } else { finite.to_bits() };
    f32::from_bits(wide | (bits & 0x8000) << 16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_those_of_the_crate() {
        for bits in 0..=u16::MAX {
            let (wide, expected) = (of_f16(f16::from_bits(bits)), f16::from_bits(bits).to_f32());
            assert!(wide == expected || wide.is_nan() && expected.is_nan(), "{bits:#x}");
        }
    }
}
