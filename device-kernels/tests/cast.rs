//! Casts between all scalars, against Rust's `as`.

mod common;

use common::{Buffer, LENGTHS, Plain, from_bytes, numbers, run, run_as, to_bytes};
use swathe_device_kernels::plan::{self, Scalar};

/// Values at the ends of every type's range.
fn extremes() -> Vec<f64> {
    let mut all = vec![
        0.0,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        0.5,
        -0.5,
        0.999_999_9,
        1e300,
        1e-300,
        3e38,
    ];
    for bits in [7, 8, 15, 16, 24, 31, 32, 53, 63, 64] {
        let edge = 2_f64.powi(bits);
        for near in [
            edge - 1.0,
            edge - 0.5,
            edge,
            edge + 0.5,
            edge + 1.0,
            edge * (1.0 - f64::EPSILON),
        ] {
            all.extend([near, -near]);
        }
    }
    all
}

fn integers() -> Vec<u64> {
    let edges = (0..64).flat_map(|bit| {
        [
            1_u64 << bit,
            (1 << bit) - 1,
            (1 << bit) + 1,
            !(1 << bit),
            (1_u64 << bit).wrapping_neg(),
        ]
    });
    edges.chain(numbers(200)).collect()
}

/// All NaN are one, since a GPU has one NaN of `f32`.
fn of_numbers(bytes: &[u8], target: Scalar) -> Vec<u8> {
    let single = |bytes: [u8; 4]| match f32::from_le_bytes(bytes) {
        x if x.is_nan() => f32::NAN.to_le_bytes(),
        x => x.to_le_bytes(),
    };
    match target {
        Scalar::F32 => bytes.as_chunks().0.iter().flat_map(|&bytes| single(bytes)).collect(),
        _ => bytes.to_vec(),
    }
}

fn check<S: Plain, T: Plain>(from: &[S], source: Scalar, target: Scalar, convert: impl Fn(S) -> T) {
    let empty = vec![0xa5; from.len() * size_of::<T>()];
    let buffers = vec![Buffer::input(from), Buffer::new(empty, 0, true)];
    let plan = |at: &[u64]| plan::cast(at[0], source, at[1], target, from.len() as u64);
    let cast = run_as(buffers, plan, |bytes| of_numbers(bytes, target));
    let expected: Vec<T> = from.iter().map(|&x| convert(x)).collect();
    assert_eq!(
        cast[1],
        of_numbers(&to_bytes(&expected), target),
        "{source:?} to {target:?}"
    );
}

macro_rules! all {
    (@to $from:ident $source:ident $values:ident; $($to:ident $target:ident;)*) => {
        $(check(&$values, Scalar::$source, Scalar::$target, |x: $from| x as $to);)*
    };
    (@from $($from:ident $source:ident $values:expr;)*) => {$(
        let values: Vec<$from> = $values;
        all! { @to $from $source values;
            i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; f32 F32; f64 F64; }
        check(&values, Scalar::$source, Scalar::Bool, |x: $from| x != 0 as $from);
    )*};
}

#[test]
#[allow(trivial_numeric_casts, clippy::unnecessary_cast)]
fn every_pair_of_types_at_extreme_values() {
    let of = integers;
    all! { @from
        i8 I8 of().iter().map(|&x| x as i8).collect(); i16 I16 of().iter().map(|&x| x as i16).collect();
        i32 I32 of().iter().map(|&x| x as i32).collect(); i64 I64 of().iter().map(|&x| x as i64).collect();
        u8 U8 of().iter().map(|&x| x as u8).collect(); u16 U16 of().iter().map(|&x| x as u16).collect();
        u32 U32 of().iter().map(|&x| x as u32).collect(); u64 U64 of();
        f32 F32 extremes().iter().map(|&x| x as f32).collect(); f64 F64 extremes();
    }
    let truths = [true, false, false, true, true];
    macro_rules! truth {
        ($($to:ident $target:ident;)*) => {
            $(check(&truths, Scalar::Bool, Scalar::$target, |x| u8::from(x) as $to);)*
        };
    }
    truth! { i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; f32 F32; f64 F64; }
    check(&truths, Scalar::Bool, Scalar::Bool, |x| x);
}

#[test]
fn all_lengths() {
    for length in LENGTHS {
        let values: Vec<i32> = numbers(length).map(|x| x as i32).collect();
        check(&values, Scalar::I32, Scalar::F64, f64::from);
        let empty = vec![0; length * 2];
        let cast = run(vec![Buffer::input(&values), Buffer::new(empty, 2, true)], |at| {
            plan::cast(at[0], Scalar::I32, at[1], Scalar::I16, length as u64)
        });
        assert!(
            from_bytes::<i16>(&cast[1])
                .into_iter()
                .eq(values.iter().map(|&x| x as i16))
        );
    }
}

/// To and from 16 bits by way of `f32`, by the crate `half`.
#[test]
#[allow(trivial_numeric_casts, clippy::unnecessary_cast)]
fn floats_of_16_bits_with_every_type() {
    use half::{bf16, f16};
    macro_rules! with {
        ($half:ident $scalar:ident; $($t:ident $other:ident $values:expr;)*) => {$(
            let values: Vec<$t> = $values;
            check(&values, Scalar::$other, Scalar::$scalar, |x: $t| $half::from_f32(x as f32));
            let all: Vec<$half> = (0..=u16::MAX).step_by(7).map($half::from_bits).collect();
            check(&all, Scalar::$scalar, Scalar::$other, |x: $half| x.to_f32() as $t);
        )*};
    }
    macro_rules! all {
        ($($half:ident $scalar:ident;)*) => {$(
            with! { $half $scalar;
                i8 I8 integers().iter().map(|&x| x as i8).collect(); i16 I16 integers().iter().map(|&x| x as i16).collect();
                i32 I32 integers().iter().map(|&x| x as i32).collect(); i64 I64 integers().iter().map(|&x| x as i64).collect();
                u8 U8 integers().iter().map(|&x| x as u8).collect(); u16 U16 integers().iter().map(|&x| x as u16).collect();
                u32 U32 integers().iter().map(|&x| x as u32).collect(); u64 U64 integers();
                f32 F32 extremes().iter().map(|&x| x as f32).filter(|x| !x.is_nan()).collect();
                f64 F64 extremes().into_iter().filter(|x| !x.is_nan()).collect();
            }
            let all: Vec<$half> = (0..=u16::MAX).map($half::from_bits).collect();
            check(&all, Scalar::$scalar, Scalar::Bool, |x: $half| x != $half::ZERO);
            check(&all, Scalar::$scalar, Scalar::$scalar, |x: $half| x);
            check(&[true, false], Scalar::Bool, Scalar::$scalar, |x| if x { $half::ONE } else { $half::ZERO });
            check(&all, Scalar::$scalar, Scalar::F16, |x: $half| if Scalar::$scalar == Scalar::F16 {
                f16::from_bits(x.to_bits())
            } else {
                f16::from_f32(x.to_f32())
            });
            check(&all, Scalar::$scalar, Scalar::Bf16, |x: $half| if Scalar::$scalar == Scalar::Bf16 {
                bf16::from_bits(x.to_bits())
            } else {
                bf16::from_f32(x.to_f32())
            });
        )*};
    }
    all! { f16 F16; bf16 Bf16; }
}
