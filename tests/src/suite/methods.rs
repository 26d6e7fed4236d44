//! Every row of the table of scalar methods, in a kernel of its own for each type.

use std::panic::catch_unwind;

use swathe::math::{Float, Int, Scalar};
use swathe::prelude::*;

/// One method of one type.
struct Row {
    name: &'static str,
    check: fn(&Device),
    source: fn() -> swathe::Result<String>,
}

/// Values to try a type's methods on.
trait Sample: Element + PartialEq + std::fmt::Debug {
    const SAMPLES: &'static [Self];

    /// 0 if they are equal, where all NaN are; of two floats the number of floats between, plus 1.
    fn distance(self, other: Self) -> u64;
}

macro_rules! sample {
    ($($t:ident: $($value:expr),*;)*) => {$(
        impl Sample for $t {
            const SAMPLES: &'static [$t] = &[$($value),*];

            fn distance(self, other: $t) -> u64 {
                if self == other { 0 } else { u64::MAX }
            }
        }
    )*};
}

macro_rules! sample_floats {
    ($($t:ident $bits:ident $signed:ident;)*) => {$(
        impl Sample for $t {
            const SAMPLES: &'static [$t] = &[
                0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.5, -2.5, 3.0, 0.1, -0.7, 1e-5, 100.25, -1e10, 12345.678, $t::MAX,
                $t::MIN_POSITIVE, $t::MIN_POSITIVE / 16.0, $t::EPSILON, std::$t::consts::PI, -std::$t::consts::FRAC_PI_2,
                $t::INFINITY, $t::NEG_INFINITY, $t::NAN, 0.999_999, 33.0, -7.0, 8.0,
            ];

            fn distance(self, other: $t) -> u64 {
                if self.is_nan() || other.is_nan() {
                    return if self.is_nan() && other.is_nan() { 0 } else { u64::MAX };
                }
                // Floats as integers in the same order, both zeros apart.
                let order = |v: $t| {
                    let bits = v.to_bits() as $signed;
                    i128::from(if bits < 0 { $signed::MIN - bits - 1 } else { bits })
                };
                order(self).abs_diff(order(other)).try_into().unwrap()
            }
        }
    )*};
}

sample! {
    bool: false, true;
    i8: 0, 1, 2, 3, 7, -1, -2, -7, 10, 63, 100, -100, i8::MAX, i8::MIN, i8::MIN + 1, 0x55;
    i16: 0, 1, 2, 3, 7, -1, -2, -7, 10, 255, 100, -100, i16::MAX, i16::MIN, i16::MIN + 1, 0x5555;
    i32: 0, 1, 2, 3, 7, -1, -2, -7, 10, 255, 46341, -46341, i32::MAX, i32::MIN, i32::MIN + 1, 0x5555;
    i64: 0, 1, 2, 3, 7, -1, -2, -7, 10, 255, 3_037_000_500, -100, i64::MAX, i64::MIN, i64::MIN + 1, 1 << 40;
    u8: 0, 1, 2, 3, 7, 8, 9, 10, 63, 100, 128, 200, u8::MAX, u8::MAX - 1, 0x55, 0xaa;
    u16: 0, 1, 2, 3, 7, 8, 9, 10, 63, 100, 256, 32768, u16::MAX, u16::MAX - 1, 0x5555, 0xaa;
    u32: 0, 1, 2, 3, 7, 8, 9, 10, 31, 32, 33, 64, 65536, 1 << 31, u32::MAX, u32::MAX - 1;
    u64: 0, 1, 2, 3, 7, 8, 9, 10, 63, 64, 65, 1 << 32, 1 << 63, u64::MAX, u64::MAX - 1, 0x5555_5555;
}
sample_floats! { f32 u32 i32; f64 u64 i64; }

/// The types of a row, where that of a `usize` is its equal that can be an element.
macro_rules! ty {
    (Same $t:ident) => {
        $t
    };
    (Bool $t:ident) => {
        bool
    };
    (U32 $t:ident) => {
        u32
    };
    (I32 $t:ident) => {
        i32
    };
    (U64 $t:ident) => {
        u64
    };
    (I64 $t:ident) => {
        i64
    };
    (Usize $t:ident) => {
        u64
    };
    (F32 $t:ident) => {
        f32
    };
    (F64 $t:ident) => {
        f64
    };
    (Bits $t:ident) => {
        <$t as Float>::Bits
    };
    (Unsigned $t:ident) => {
        <$t as Int>::Unsigned
    };
}

/// The type that a function takes.
macro_rules! argument_ty {
    (Usize $t:ident) => { usize };
    ($ty:ident $t:ident) => { ty!($ty $t) };
}

/// Compares where the host does not panic, as it does on an overflow in a build with checks.
///
/// CUDA's functions are off by the table's figures, the host's by one more; on the CPU both are the same.
fn compare<R: Sample>(
    device: &Device,
    name: &str,
    ulp: [u32; 2],
    count: usize,
    host: impl Fn(usize) -> R + std::panic::RefUnwindSafe,
    launch: impl FnOnce(&[usize], &mut Field<R>) -> swathe::Result<()>,
) {
    let cases: Vec<(usize, R)> = (0..count)
        .filter_map(|k| catch_unwind(|| host(k)).ok().map(|r| (k, r)))
        .collect();
    assert!(!cases.is_empty(), "{name}: no case");
    let (numbers, expected): (Vec<usize>, Vec<R>) = cases.into_iter().unzip();
    let mut out = Field::zeros(device, numbers.len()).unwrap();
    launch(&numbers, &mut out).unwrap_or_else(|e| panic!("{name}: {e}"));
    // On the CPU the functions of f64 are the host's, those of f32 ours; the host's own are off, too.
    let double = std::any::type_name::<R>().contains("f64");
    let allowed = match ulp[usize::from(double)] {
        0 => 0,
        _ if device.is_cpu() && double => 0,
        allowed => u64::from(allowed) + 1,
    };
    // Of zeros with both signs the standard library gives either; a GPU takes the negative one for the lesser.
    let either = ["lesser", "greater", "min", "max"]
        .iter()
        .any(|method| name.ends_with(method));
    for ((k, expected), got) in numbers.iter().zip(expected).zip(out.to_vec().unwrap()) {
        // The standard library overflows on the way for the largest numbers.
        if !(device.is_cpu() && double)
            && (name.ends_with("asinh") || name.ends_with("acosh"))
            && format!("{expected:?}").ends_with("inf")
        {
            continue;
        }
        assert!(
            got.distance(expected) <= allowed || either && got == expected,
            "{name}: case {k}: {got:?} instead of {expected:?}"
        );
    }
}

/// Argument number `place` of case `k`.
fn argument<A: Sample>(k: usize, place: u32) -> A {
    A::SAMPLES[k / 16_usize.pow(place) % A::SAMPLES.len()]
}

macro_rules! rows {
    ([$($t:ident)*] $rows:ident methods { $(
        $(#[$doc:meta])* $method:ident($($arg:ident: $arg_ty:ident),*) -> $result:ident,
        [$ulp:expr, $ulp64:expr], $($on:ident $text:literal),+;
    )* }) => {
        rows! { @types [$($t)*] $rows [$($method [$($arg $arg_ty)*] $result [$ulp, $ulp64])*] }
    };
    (@types [$($t:ident)*] $rows:ident $list:tt) => {
        $(rows! { @list $t $rows $list })*
    };
    (@list $t:ident $rows:ident [$($method:ident $args:tt $result:ident $ulp:tt)*]) => {
        $(rows! { @row $t $rows $method $args $result $ulp })*
    };
    (@row $t:ident $rows:ident $method:ident [$($arg:ident $arg_ty:ident)*] $result:ident $ulp:expr) => {{
        type Is = ty!($result $t);
        $(
            #[allow(non_camel_case_types)]
            type $arg = ty!($arg_ty $t);
        )*

        #[kernel]
        fn run(x: &Field<$t>, $($arg: &Field<$arg>,)* out: &mut Field<Is>) {
            for i in out.indices() {
                out[i] = x[i].$method($($arg[i]),*);
            }
        }

        fn check(device: &Device) {
            let name = concat!(stringify!($t), "::", stringify!($method));
            #[allow(unused_mut)]
            let mut places = 0;
            $(let $arg = { places += 1; places };)*
            let receiver = |k: usize| argument::<$t>(k, 0) as $t;
            // Samples go round at another length than 16, so that more cases give more combinations.
            let count = 600 * (places as usize * places as usize * 4 + 1);
            compare::<Is>(
                device,
                name,
                $ulp,
                count,
                |k| receiver(k).$method($(argument::<ty!($arg_ty $t)>(k, $arg)),*),
                |cases, out| {
                    let x = Field::from_fn(device, cases.len(), |[k]| receiver(cases[k]))?;
                    $(let $arg = Field::from_fn(device, cases.len(), |[k]| argument::<ty!($arg_ty $t)>(cases[k], $arg))?;)*
                    run(&x, $(&$arg,)* out)
                },
            );
        }

        $rows.push(Row {
            name: concat!(stringify!($t), "::", stringify!($method)),
            check,
            source: run::cuda_source,
        });
    }};
    ([$($t:ident)*] $rows:ident casts { $(
        $(#[$doc:meta])* $method:ident() -> $result:ident, [$ulp:expr, $ulp64:expr], $($on:ident $text:literal),+;
    )* }) => {
        rows! { @casts [$($t)*] $rows [$($method $result)*] }
    };
    (@casts [$($t:ident)*] $rows:ident $list:tt) => {
        $(rows! { @cast_list $t $rows $list })*
    };
    (@cast_list $t:ident $rows:ident [$($method:ident $result:ident)*]) => {
        $({
            type Is = ty!($result $t);

            #[kernel]
            fn run(x: &Field<$t>, out: &mut Field<Is>) {
                for i in out.indices() {
                    out[i] = x[i].$method() as Is;
                }
            }

            fn check(device: &Device) {
                let name = concat!(stringify!($t), "::", stringify!($method));
                let x = Field::from_slice(device, <$t>::SAMPLES).unwrap();
                compare::<Is>(device, name, [0, 0], <$t>::SAMPLES.len(), |k| <$t>::SAMPLES[k] as Is, |_, out| run(&x, out));
            }

            $rows.push(Row {
                name: concat!(stringify!($t), "::", stringify!($method)),
                check,
                source: run::cuda_source,
            });
        })*
    };
    ([$($t:ident)*] $rows:ident functions { $(
        $(#[$doc:meta])* $method:ident($arg:ident: $arg_ty:ident) -> $result:ident, [$ulp:expr, $ulp64:expr],
        $($on:ident $text:literal),+;
    )* }) => {
        rows! { @functions [$($t)*] $rows [$($method $arg_ty)*] }
    };
    (@functions [$($t:ident)*] $rows:ident $list:tt) => {
        $(rows! { @function_list $t $rows $list })*
    };
    (@function_list $t:ident $rows:ident [$($method:ident $arg_ty:ident)*]) => {
        $({
            type Of = ty!($arg_ty $t);
            type Argument = argument_ty!($arg_ty $t);

            #[kernel]
            fn run(x: &Field<Of>, out: &mut Field<$t>) {
                for i in out.indices() {
                    out[i] = $t::$method(x[i] as Argument);
                }
            }

            fn check(device: &Device) {
                let name = concat!(stringify!($t), "::", stringify!($method));
                let x = Field::from_slice(device, Of::SAMPLES).unwrap();
                compare::<$t>(
                    device,
                    name,
                    [0, 0],
                    Of::SAMPLES.len(),
                    |k| host!($method $t, Of::SAMPLES[k]),
                    |_, out| run(&x, out),
                );
            }

            $rows.push(Row {
                name: concat!(stringify!($t), "::", stringify!($method)),
                check,
                source: run::cuda_source,
            });
        })*
    };
}

/// What a function of a type gives: a cast, but for the one that takes bits.
macro_rules! host {
    (from_bits $t:ident, $value:expr) => {
        <$t>::from_bits($value)
    };
    ($method:ident $t:ident, $value:expr) => {
        $value as $t
    };
}

macro_rules! table {
    (
        ($rows:ident)
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
        rows! { [i8 i16 i32 i64 u8 u16 u32 u64 f32 f64] $rows methods { $($scalar)* } }
        rows! { [i8 i16 i32 i64 u8 u16 u32 u64 f32 f64] $rows casts { $($cast)* } }
        rows! { [i8 i16 i32 i64 u8 u16 u32 u64 f32 f64] $rows functions { $($scalar_fn)* } }
        rows! { [i8 i16 i32 i64 f32 f64] $rows methods { $($signed)* } }
        rows! { [f32 f64] $rows methods { $($float)* } }
        rows! { [f32 f64] $rows functions { $($float_fn)* } }
        rows! { [i8 i16 i32 i64 u8 u16 u32 u64] $rows methods { $($int_std)* } }
        rows! { [i8 i16 i32 i64 u8 u16 u32 u64] $rows methods { $($int)* } }
        rows! { [i8 i16 i32 i64] $rows methods { $($signed_int)* } }
        rows! { [u8 u16 u32 u64] $rows methods { $($unsigned_int)* } }
        rows! { [u8 u16 u32 u64] $rows methods { $($boundary)* } }
    };
}

fn table() -> Vec<Row> {
    let mut rows = Vec::new();
    swathe_ir::for_each_scalar_method!(table, rows);
    rows
}

pub fn check(device: &Device) {
    let rows = table();
    assert!(rows.len() > 400, "{} rows", rows.len());
    for row in rows {
        (row.check)(device);
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    table().into_iter().map(|row| (row.name, (row.source)())).collect()
}
