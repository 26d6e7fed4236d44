//! The traits against the standard library, and the table that the documentation shows.

use std::fmt::{Debug, Write};
use std::panic::catch_unwind;

use swathe_ir::{Operand, ResultType, ScalarMethod, method_id, scalar_methods};

use super::{Float, Int, Scalar, Signed, SignedInt, UnsignedInt};
use crate::kernel::Callee;
use crate::kernel::probe::Method;

/// Values of one type, with its extremes.
trait Spread: Copy + Debug + std::panic::RefUnwindSafe + 'static {
    const SPREAD: &'static [Self];
    fn bits(self) -> u64;
}

macro_rules! spread_ints {
    ($($t:ident)*) => {$(
        impl Spread for $t {
            const SPREAD: &'static [$t] =
                &[0, 1, 2, 3, 7, 8, 100, 127, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, $t::MAX / 3, (0 as $t).wrapping_sub(1)];

            fn bits(self) -> u64 {
                self as u64
            }
        }
    )*};
}

macro_rules! spread_floats {
    ($($t:ident)*) => {$(
        impl Spread for $t {
            const SPREAD: &'static [$t] = &[
                0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -2.5, 3.25, 1e-3, -7e5, 1e30, $t::MAX, $t::MIN, $t::MIN_POSITIVE,
                $t::EPSILON, 1e-40, $t::INFINITY, $t::NEG_INFINITY, $t::NAN,
            ];

            /// All NaNs count as one.
            fn bits(self) -> u64 {
                if self.is_nan() { u64::MAX } else { self.to_bits().into() }
            }
        }
    )*};
}

spread_ints! { i8 i16 i32 i64 u8 u16 u32 u64 usize }
spread_floats! { f32 f64 }

impl Spread for bool {
    const SPREAD: &'static [bool] = &[false, true];

    fn bits(self) -> u64 {
        self.into()
    }
}

fn compare<A: Spread, B: Spread, C: Spread, R: Spread>(
    name: &str,
    ours: fn(A, B, C) -> R,
    std: fn(A, B, C) -> R,
    args: usize,
) {
    let rounds = |row: &ScalarMethod| row.name == name && row.ulp != [0, 0];
    let own = std::any::type_name::<R>() == "f32" && scalar_methods().iter().any(rounds);
    let mut results = 0;
    for &a in A::SPREAD {
        for &b in &B::SPREAD[..if args > 1 { B::SPREAD.len() } else { 1 }] {
            for &c in &C::SPREAD[..if args > 2 { C::SPREAD.len() } else { 1 }] {
                // Overflow, division by zero and empty ranges panic in both or in neither.
                let (ours, std) = (
                    catch_unwind(|| ours(a, b, c).bits()).ok(),
                    catch_unwind(|| std(a, b, c).bits()).ok(),
                );
                // Functions of `f32` are this crate's, of which `single` has tests; here they agree in all but the last place.
                // The standard library's `asinh` overflows on the way.
                let near = |(a, b): (u64, u64)| {
                    own && (a.abs_diff(b) <= 1 || b & 0x7fff_ffff == f32::INFINITY.to_bits().into())
                };
                if !ours.zip(std).is_some_and(near) {
                    assert_eq!(ours, std, "{name} of {a:?}, {b:?}, {c:?}");
                }
                results += usize::from(ours.is_some());
            }
        }
    }
    assert!(results > A::SPREAD.len() / 3, "{name}: {results}");
}

macro_rules! resolve {
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
    (Bits f32) => {
        u32
    };
    (Bits f64) => {
        u64
    };
    (Unsigned $t:ident) => {
        <$t as Int>::Unsigned
    };
}

macro_rules! row {
    ($trait:ident $t:ident $name:ident() -> $r:ident) => {
        compare::<$t, bool, bool, resolve!($r $t)>(
            stringify!($name), |x, _, _| <$t as $trait>::$name(x), |x, _, _| <$t>::$name(x), 1,
        )
    };
    ($trait:ident $t:ident $name:ident($a:ident) -> $r:ident) => {
        compare::<$t, resolve!($a $t), bool, resolve!($r $t)>(
            stringify!($name), |x, a, _| <$t as $trait>::$name(x, a), |x, a, _| <$t>::$name(x, a), 2,
        )
    };
    ($trait:ident $t:ident $name:ident($a:ident $b:ident) -> $r:ident) => {
        compare::<$t, resolve!($a $t), resolve!($b $t), resolve!($r $t)>(
            stringify!($name), |x, a, b| <$t as $trait>::$name(x, a, b), |x, a, b| <$t>::$name(x, a, b), 3,
        )
    };
}

macro_rules! std_rows {
    (($want:ident $t:ident) $($kind:ident $on:ident { $($rows:tt)* })*) => {
        $(std_rows! { @$kind $on $want $t $($rows)* })*
    };
    (@methods Signed Signed $t:ident $($rows:tt)*) => { std_rows! { @all Signed $t $($rows)* } };
    (@methods Float Float $t:ident $($rows:tt)*) => { std_rows! { @all Float $t $($rows)* } };
    (@methods Int Int $t:ident $($rows:tt)*) => { std_rows! { @all Int $t $($rows)* } };
    (@methods SignedInt SignedInt $t:ident $($rows:tt)*) => { std_rows! { @all SignedInt $t $($rows)* } };
    (@methods UnsignedInt UnsignedInt $t:ident $($rows:tt)*) => { std_rows! { @all UnsignedInt $t $($rows)* } };
    (@all $trait:ident $t:ident $(
        $(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $r:ident, $ulp:expr, $($text_on:ident $text:literal),+;
    )*) => {
        $(row!($trait $t $name($($ty)*) -> $r);)*
    };
    (@$kind:ident $on:ident $want:ident $t:ident $($rows:tt)*) => {};
}

macro_rules! check_std {
    ($($test:ident $trait:ident: $($t:ident)*;)*) => {$(
        #[test]
        fn $test() {
            $(swathe_ir::for_each_scalar_method!(std_rows, $trait $t);)*
        }
    )*};
}

check_std! {
    signed_is_std Signed: i8 i16 i32 i64 f32 f64;
    float_is_std Float: f32 f64;
    int_is_std Int: i8 i16 i32 i64 u8 u16 u32 u64;
    signed_int_is_std SignedInt: i8 i16 i32 i64;
    unsigned_int_is_std UnsignedInt: u8 u16 u32 u64;
}

#[test]
fn casts_are_as() {
    macro_rules! check {
        ($($t:ident)*) => {$(for &x in <$t as Spread>::SPREAD {
            assert_eq!(Scalar::as_f32(x).bits(), (x as f32).bits());
            assert_eq!(Scalar::as_f64(x).bits(), (x as f64).bits());
            assert_eq!(Scalar::as_i32(x), x as i32);
            assert_eq!(Scalar::as_i64(x), x as i64);
            assert_eq!(Scalar::as_u32(x), x as u32);
            assert_eq!(Scalar::as_u64(x), x as u64);
            assert_eq!(Scalar::as_usize(x), x as usize);
            let y = <$t as Spread>::SPREAD[3];
            assert_eq!(Scalar::lesser(x, y).bits(), x.min(y).bits());
            assert_eq!(Scalar::greater(x, y).bits(), x.max(y).bits());
        })*};
    }
    macro_rules! from {
        ($($t:ident)*) => {$(
            f32::SPREAD.iter().for_each(|&x| assert_eq!($t::from_f32(x).bits(), (x as $t).bits()));
            f64::SPREAD.iter().for_each(|&x| assert_eq!($t::from_f64(x).bits(), (x as $t).bits()));
            i32::SPREAD.iter().for_each(|&x| assert_eq!($t::from_i32(x), x as $t));
            i64::SPREAD.iter().for_each(|&x| assert_eq!($t::from_i64(x), x as $t));
            u32::SPREAD.iter().for_each(|&x| assert_eq!($t::from_u32(x), x as $t));
            u64::SPREAD.iter().for_each(|&x| assert_eq!($t::from_u64(x), x as $t));
            usize::SPREAD.iter().for_each(|&x| assert_eq!($t::from_usize(x), x as $t));
        )*};
    }
    check! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }
    from! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }
    assert_eq!(<f32 as Float>::from_bits(0x4049_0fdb), std::f32::consts::PI);
    assert_eq!(<f64 as Float>::from_bits(1 << 62), 2.0);
}

#[test]
fn generic_code_may_call_everything() {
    fn callable<T: Method<ID>, const ID: u64>() -> bool {
        matches!(T::callee(), Callee::BuiltIn)
    }
    fn float<T: Float>() -> bool {
        callable::<T, { method_id("sqrt") }>()
            && callable::<T, { method_id("add_assign") }>()
            && callable::<T, { method_id("neg") }>()
            && callable::<T, { method_id("from_f64") }>()
            && callable::<T::Bits, { method_id("rotate_left") }>()
    }
    fn int<T: Int>(x: T) -> T {
        assert!(callable::<T, { method_id("min") }>() && callable::<T, { method_id("shl") }>());
        (x << 2).min(T::MAX.wrapping_sub(T::ONE)) | T::ONE
    }
    assert!(float::<f32>() && float::<f64>());
    assert_eq!((int(5_u8), int(-1_i64)), (21, -3));
    assert!(callable::<usize, { method_id("trailing_zeros") }>() && callable::<bool, { method_id("bitxor") }>());
}

#[test]
fn constants() {
    fn check<T: Float + Into<f64>>() {
        let near = |x: T, y: f64| (x.into() - y).abs() <= y * T::EPSILON.into();
        assert!(near(T::PI, std::f64::consts::PI) && near(T::TAU, std::f64::consts::TAU));
        assert!(near(T::E, std::f64::consts::E) && near(T::HALF, 0.5) && near(T::TWO, 2.0) && near(T::ONE, 1.0));
        assert!(T::INFINITY > T::MAX && T::NEG_INFINITY < T::MIN && T::NAN.is_nan() && T::ZERO < T::MIN_POSITIVE);
    }
    check::<f32>();
    check::<f64>();
}

fn name_of(ty: ResultType) -> &'static str {
    match ty {
        ResultType::Same => "Self",
        ResultType::Bool => "bool",
        ResultType::U32 => "u32",
        ResultType::I32 => "i32",
        ResultType::U64 => "u64",
        ResultType::I64 => "i64",
        ResultType::Usize => "usize",
        ResultType::F32 => "f32",
        ResultType::F64 => "f64",
        ResultType::Bits => "Self::Bits",
        ResultType::Unsigned => "Self::Unsigned",
    }
}

fn line(row: &ScalarMethod) -> String {
    let mut call = row.name.to_owned();
    let args: Vec<_> = row
        .arg_names
        .iter()
        .zip(row.args)
        .map(|(name, &ty)| format!("{name}: {}", name_of(ty)))
        .collect();
    write!(call, "({})", args.join(", ")).expect("a string");
    let call = if row.receiver {
        format!("x.{call}")
    } else {
        format!("T::{call}")
    };
    let on = match row.on {
        Operand::Scalar => "numbers",
        Operand::Signed => "floats, signed integers",
        Operand::Float => "floats",
        Operand::Half => "`f16`, `bf16`",
        Operand::Int => "integers",
        Operand::SignedInt => "signed integers",
        Operand::UnsignedInt => "unsigned integers",
    };
    let ulp = if row.ulp == [0, 0] {
        String::new()
    } else {
        format!("{}, {}", row.ulp[0], row.ulp[1])
    };
    format!(
        "| `{call} -> {}` | {on} | {ulp} | {} |\n",
        name_of(row.result),
        row.doc.trim().replace('|', "\\|")
    )
}

/// After a change to the table, `SWATHE_BLESS=1 cargo test -p swathe` writes the page anew.
#[test]
fn the_documentation_shows_the_table() {
    let mut page = String::from(
        "What kernels can call on scalars. Results are those of the standard library on every device, except for the functions with numbers in \
         the third column. On a CUDA device they may be off by that many units in the last place, for `f32` and `f64`. On the CPU those of `f32` \
         vectorise, in kernels and in `#[func]`s: at most 0.52 units off, with the same bits on every processor; those of `f64` are the standard library's. \
         `f16` and `bf16` compute in `f32` and round; so do those functions, and the last place may differ.\n\n\
         | Method | On | Error | Meaning |\n|---|---|---|---|\n",
    );
    scalar_methods().iter().for_each(|row| page.push_str(&line(row)));
    if std::env::var_os("SWATHE_BLESS").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/math/table.md"), &page).expect("writable sources");
    } else {
        assert!(page == include_str!("table.md"), "src/math/table.md is out of date");
    }
}
