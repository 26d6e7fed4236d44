//! The rules between fields and arrays as a table: every scalar type, alone, in vectors, matrices and structs; ranks 0 to 4, lengths
//! 0 and odd ones; every order of memory; the CPU and a CUDA device; arrays, members and NumPy's files; and what is refused.
//!
//! A scalar type is a line of [`table!`]. A field's types are named in [`elements::row`] and [`structs::row`] alone, all else
//! knows them as trait objects.

mod elements;
mod files;
mod named;
mod orders;
mod structs;
mod values;

use swathe::{bf16, f16};

type Complex32 = swathe::Complex<f32>;
type Complex64 = swathe::Complex<f64>;

#[path = "../devices/mod.rs"]
mod devices;

macro_rules! table {
    ($($t:ident: $kind:ident, $numpy:literal, $value:expr;)*) => {
        $(impl values::Value for $t {
            const NUMPY: &'static str = $numpy;

            fn nth(k: usize) -> Self {
                let value: fn(usize) -> $t = $value;
                value(k)
            }
        })*

        mod arrays {
            use super::*;
        $(
            #[test]
            #[allow(non_snake_case)]
            fn $t() {
                crate::elements::check(&crate::elements::$kind!($t));
            }
        )*}

        mod dictionaries {
            use super::*;
        $(
            #[test]
            #[allow(non_snake_case)]
            fn $t() {
                crate::structs::check::<$t>(&crate::structs::$kind!($t));
            }
        )*}

        #[test]
        fn numpy_reads_and_writes_the_same() {
            let mut files = files::Files::default();
            $(files.add(&elements::$kind!($t));)*
            files.check();
        }
    };
}

// Values of the `k`th scalar: different ones for as many `k` as the type can tell apart, with those among them whose bits are
// easily lost.
table! {
    bool: numbers, "bool", |k| (k * k + k / 3) % 7 < 3;
    i8: numbers, "int8", |k| (k as i8).wrapping_mul(3).wrapping_sub(127);
    i16: of_each_size, "int16", |k| (k as i16).wrapping_sub(32_767);
    i32: numbers, "int32", |k| i32::MIN + k as i32;
    i64: numbers, "int64", |k| i64::MIN + k as i64;
    u8: of_each_size, "uint8", |k| 255_u8.wrapping_sub(k as u8);
    u16: numbers, "uint16", |k| u16::MAX - k as u16;
    u32: numbers, "uint32", |k| u32::MAX - k as u32;
    u64: of_each_size, "uint64", |k| u64::MAX - k as u64;
    f32: of_each_size, "float32", |k| match k % 11 {
        3 => f32::from_bits(0x7fc0_0000 | k as u32),
        5 => f32::from_bits(0xff80_0001 + k as u32),
        7 => f32::from_bits(k as u32),
        9 => -0.0,
        _ => k as f32 * 0.5 - 7.0,
    };
    f64: numbers, "float64", |k| match k % 13 {
        4 => f64::from_bits(0x7ff0_0000_0000_0001 + k as u64),
        8 => -f64::MIN_POSITIVE / k as f64,
        _ => (k as f64 + 3.0 * (k % 5) as f64) * 1e100,
    };
    f16: numbers, "float16", |k| f16::from_bits((k as u16).wrapping_mul(37).wrapping_add(0x7bf0));
    bf16: numbers, "", |k| bf16::from_bits((k as u16).wrapping_mul(41).wrapping_add(0xff70));
    Complex32: plain, "complex64", |k| Complex32::new(k as f32 - 3.5, f32::from_bits(0x7f80_0000 + k as u32));
    Complex64: plain, "complex128", |k| Complex64::new(k as f64 * 1e-310, -0.25 * k as f64);
}
