//! Floats with the roundings that the host's processor does not have at hand: exact, then rounded once, by `rustc_apfloat`.

use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float as _, FloatConvert, Round, StatusAnd};

/// A mode of rounding by number: 0 to the nearest, 1 to zero, 2 down, 3 up.
fn mode(number: u8) -> Round {
    match number {
        0 => Round::NearestTiesToEven,
        1 => Round::TowardZero,
        2 => Round::TowardNegative,
        _ => Round::TowardPositive,
    }
}

fn single(bits: u64) -> Single {
    Single::from_bits(u128::from(bits as u32))
}

fn double(bits: u64) -> Double {
    Double::from_bits(u128::from(bits))
}

fn half(bits: u64) -> Half {
    Half::from_bits(u128::from(bits as u16))
}

fn bits<F: rustc_apfloat::Float>(x: StatusAnd<F>) -> u64 {
    x.value.to_bits() as u64
}

macro_rules! of_type {
    ($load:ident, $add:ident, $sub:ident, $mul:ident, $div:ident, $fma:ident) => {
        pub(crate) fn $add<const R: u8>(a: u64, b: u64) -> u64 {
            bits($load(a).add_r($load(b), mode(R)))
        }

        pub(crate) fn $sub<const R: u8>(a: u64, b: u64) -> u64 {
            bits($load(a).sub_r($load(b), mode(R)))
        }

        pub(crate) fn $mul<const R: u8>(a: u64, b: u64) -> u64 {
            bits($load(a).mul_r($load(b), mode(R)))
        }

        pub(crate) fn $div<const R: u8>(a: u64, b: u64) -> u64 {
            bits($load(a).div_r($load(b), mode(R)))
        }

        pub(crate) fn $fma<const R: u8>(a: u64, b: u64, c: u64) -> u64 {
            bits($load(a).mul_add_r($load(b), $load(c), mode(R)))
        }
    };
}
of_type!(single, add_f32, sub_f32, mul_f32, div_f32, fma_f32);
of_type!(double, add_f64, sub_f64, mul_f64, div_f64, fma_f64);
of_type!(half, add_f16, sub_f16, mul_f16, div_f16, fma_f16);

macro_rules! conversions {
    ($($name:ident $load:ident $to:ident;)*) => {$(
        pub(crate) fn $name<const R: u8>(a: u64) -> u64 {
            let mut loses = false;
            let converted: StatusAnd<$to> = $load(a).convert_r(mode(R), &mut loses);
            bits(converted)
        }
    )*};
}
conversions! {
    f32_of_f64 double Single;
    f16_of_f64 double Half;
    bf16_of_f32 single BFloat;
}

macro_rules! of_integers {
    ($($name:ident $to:ident;)*) => {$(
        /// Of a value that fits.
        pub(crate) fn $name<const R: u8>(value: i128) -> u64 {
            bits($to::from_i128_r(value, mode(R)))
        }
    )*};
}
of_integers! { f32_of_integer Single; f64_of_integer Double; f16_of_integer Half; }
