//! Every row's CUDA C, compiled by the host's C++ compiler, against the standard library.

use std::fmt::Write;
use std::panic::catch_unwind;
use std::process::Command;

use swathe_ir::{Cuda, Scalar, cuda_type, scalar_method};

/// What CUDA has beyond C++.
const SHIM: &str = include_str!("shim/cuda.h");

/// A type's values as bits.
trait Value: Copy {
    const SCALAR: Scalar;
    fn of(bits: u64) -> Self;
    fn bits(self) -> u64;
    fn spread() -> Vec<u64>;
}

macro_rules! ints {
    ($($t:ident $scalar:ident;)*) => {$(
        impl Value for $t {
            const SCALAR: Scalar = Scalar::$scalar;
            fn of(bits: u64) -> $t {
                bits as $t
            }
            fn bits(self) -> u64 {
                self as u64
            }
            fn spread() -> Vec<u64> {
                let m1 = (0 as $t).wrapping_sub(1);
                let all = [0, 1, 2, 3, 7, 8, 13, 40, 100, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, $t::MAX / 3, m1, m1 - 4];
                all.map(|x| x as u64).to_vec()
            }
        }
    )*};
}

macro_rules! floats {
    ($($t:ident $scalar:ident;)*) => {$(
        impl Value for $t {
            const SCALAR: Scalar = Scalar::$scalar;
            fn of(bits: u64) -> $t {
                $t::from_bits(bits as _)
            }
            fn bits(self) -> u64 {
                self.to_bits().into()
            }
            fn spread() -> Vec<u64> {
                let all: [$t; 28] = [
                    0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -2.5, 3.25, 7.9, -12.7, 1e-3, 200.7, -130.4, 70000.0, -7e5, 3e9, -3e9, 1e19,
                    1e30, $t::MAX, $t::MIN, $t::MIN_POSITIVE, $t::EPSILON, 1e-40, $t::INFINITY, $t::NEG_INFINITY, $t::NAN,
                ];
                all.map(Value::bits).to_vec()
            }
        }
    )*};
}

ints! { i8 I8; i16 I16; i32 I32; i64 I64; isize Isize; u8 U8; u16 U16; u32 U32; u64 U64; usize Usize; }
floats! { f32 F32; f64 F64; }

impl Value for bool {
    const SCALAR: Scalar = Scalar::Bool;
    fn of(bits: u64) -> bool {
        bits != 0
    }
    fn bits(self) -> u64 {
        self.into()
    }
    fn spread() -> Vec<u64> {
        vec![0, 1]
    }
}

/// One row on one type: the inputs for which Rust has a result.
struct Case {
    title: String,
    cuda: Cuda,
    operands: Vec<Scalar>,
    result: Scalar,
    ulp: u64,
    inputs: Vec<Vec<u64>>,
    expected: Vec<u64>,
}

fn case(
    name: &str,
    on: Scalar,
    operands: &[(Scalar, Vec<u64>)],
    result: Scalar,
    std: fn(&mut dyn Iterator<Item = u64>) -> u64,
) -> Case {
    let row = scalar_method(name, on).expect("a row");
    let mut inputs = vec![vec![]];
    for (k, (_, spread)) in operands.iter().enumerate() {
        // All pairs, and some of all triples.
        let step = if k == 2 { 3 } else { 1 };
        inputs = inputs
            .iter()
            .flat_map(|head| {
                spread
                    .iter()
                    .step_by(step)
                    .map(move |&x| [head.as_slice(), &[x]].concat())
            })
            .collect();
    }
    let run = |input: &Vec<u64>| catch_unwind(|| std(&mut input.iter().copied())).ok();
    let (inputs, expected) = inputs
        .into_iter()
        .filter_map(|input| run(&input).map(|r| (input, r)))
        .unzip();
    let ulp = row.ulp[usize::from(on == Scalar::F64)].into();
    let operands = operands.iter().map(|(scalar, _)| *scalar).collect();
    Case {
        title: format!("{name} on {}", on.name()),
        cuda: row.cuda(on),
        operands,
        result,
        ulp,
        inputs,
        expected,
    }
}

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
        usize
    };
    (F32 $t:ident) => {
        f32
    };
    (F64 $t:ident) => {
        f64
    };
    (Bits f32) => {
        u32
    };
    (Bits f64) => {
        u64
    };
    (Unsigned i8) => {
        u8
    };
    (Unsigned i16) => {
        u16
    };
    (Unsigned i32) => {
        u32
    };
    (Unsigned i64) => {
        u64
    };
    (Unsigned isize) => {
        usize
    };
    (Unsigned $t:ident) => {
        $t
    };
}

/// The method of the standard library; of overflowing ones the wrapping one.
macro_rules! std_call {
    ($t:ident lesser $x:expr, $($arg:expr),*) => { <$t>::min($x, $($arg),*) };
    ($t:ident greater $x:expr, $($arg:expr),*) => { <$t>::max($x, $($arg),*) };
    (f32 $name:ident $x:expr, $($arg:expr),*) => { <f32>::$name($x, $($arg),*) };
    (f64 $name:ident $x:expr, $($arg:expr),*) => { <f64>::$name($x, $($arg),*) };
    ($t:ident abs $x:expr,) => { <$t>::wrapping_abs($x) };
    ($t:ident pow $x:expr, $n:expr) => { <$t>::wrapping_pow($x, $n) };
    ($t:ident rem_euclid $x:expr, $y:expr) => { <$t>::wrapping_rem_euclid($x, $y) };
    ($t:ident div_euclid $x:expr, $y:expr) => { <$t>::wrapping_div_euclid($x, $y) };
    ($t:ident clamped $x:expr, $($arg:expr),*) => { moved($x, $($arg,)* |p, n| p.clamp(0, n - 1)) };
    ($t:ident periodic $x:expr, $($arg:expr),*) => { moved($x, $($arg,)* |p, n| p.rem_euclid(n)) };
    ($t:ident reflected $x:expr, $($arg:expr),*) => { moved($x, $($arg,)* |p, n| match p.rem_euclid((2 * n - 2).max(1)) {
        p if p < n => p,
        p => 2 * n - 2 - p,
    }) };
    ($t:ident symmetric $x:expr, $($arg:expr),*) => { moved($x, $($arg,)* |p, n| match p.rem_euclid(2 * n) {
        p if p < n => p,
        p => 2 * n - 1 - p,
    }) };
    ($t:ident $name:ident $x:expr, $($arg:expr),*) => { <$t>::$name($x, $($arg),*) };
}

/// The position that a rule gives for any number, on an axis that has any.
fn moved<T: TryInto<i128> + TryFrom<i128>>(x: T, offset: i32, extent: T, rule: impl Fn(i128, i128) -> i128) -> T {
    let number = |x: T| x.try_into().ok().unwrap();
    let (x, extent) = (number(x), number(extent));
    let at = if extent == 0 {
        0
    } else {
        rule(x + i128::from(offset), extent)
    };
    T::try_from(at).ok().unwrap()
}

macro_rules! rows {
    ($cases:ident $t:ident [$($kind:ident $on:ident { $(
        $(#[$doc:meta])* $name:ident($($arg:ident: $ty:ident),*) -> $r:ident, $ulp:expr, $($text_on:ident $text:literal),+;
    )* })*]) => {
        $($(rows! { @$kind $cases $t $name($($ty)*) -> $r })*)*
    };
    (@casts $cases:ident $t:ident $name:ident() -> $r:ident) => {
        $cases.push(case(stringify!($name), <$t>::SCALAR, &[(<$t>::SCALAR, <$t>::spread())], <ty!($r $t)>::SCALAR, |bits| {
            (<$t>::of(bits.next().unwrap()) as ty!($r $t)).bits()
        }));
    };
    (@functions $cases:ident f32 from_bits(Bits) -> Same) => { rows! { @bits $cases f32 u32 } };
    (@functions $cases:ident f64 from_bits(Bits) -> Same) => { rows! { @bits $cases f64 u64 } };
    (@bits $cases:ident $t:ident $bits:ident) => {
        $cases.push(case("from_bits", <$t>::SCALAR, &[(<$bits>::SCALAR, <$t>::spread())], <$t>::SCALAR, |bits| {
            <$t>::from_bits(<$bits>::of(bits.next().unwrap())).bits()
        }));
    };
    (@functions $cases:ident $t:ident $name:ident($ty:ident) -> $r:ident) => {
        $cases.push(case(stringify!($name), <$t>::SCALAR, &[(<ty!($ty $t)>::SCALAR, <ty!($ty $t)>::spread())], <$t>::SCALAR, |bits| {
            (<ty!($ty $t)>::of(bits.next().unwrap()) as $t).bits()
        }));
    };
    (@$kind:ident $cases:ident $t:ident $name:ident($($ty:ident)*) -> $r:ident) => {
        $cases.push(case(
            stringify!($name),
            <$t>::SCALAR,
            &[(<$t>::SCALAR, <$t>::spread()) $(, (<ty!($ty $t)>::SCALAR, <ty!($ty $t)>::spread()))*],
            <ty!($r $t)>::SCALAR,
            |bits| {
                let x = <$t>::of(bits.next().unwrap());
                let result: ty!($r $t) = std_call!($t $name x, $(<ty!($ty $t)>::of(bits.next().unwrap())),*);
                result.bits()
            },
        ));
    };
}

/// The sections that a type has.
macro_rules! sections {
    (
        ($cases:ident $class:ident $($t:ident)*)
        methods Scalar $a:tt casts Scalar $b:tt functions Scalar $c:tt methods Signed $d:tt
        methods Float $e:tt functions Float $f:tt
        inherited Int $g:tt methods Int $h:tt methods SignedInt $i:tt methods UnsignedInt $j:tt
        inherited UnsignedInt $k:tt
    ) => {
        $(sections! { @$class $cases $t $a $b $c $d $e $f $g $h $i $j $k })*
    };
    (@float $cases:ident $t:ident $a:tt $b:tt $c:tt $d:tt $e:tt $f:tt $($rest:tt)*) => {
        rows! { $cases $t [
            methods Scalar $a casts Scalar $b functions Scalar $c methods Signed $d methods Float $e functions Float $f
        ] }
    };
    (@signed $cases:ident $t:ident $a:tt $b:tt $c:tt $d:tt $e:tt $f:tt $g:tt $h:tt $i:tt $j:tt $k:tt) => {
        rows! { $cases $t [
            methods Scalar $a casts Scalar $b functions Scalar $c methods Signed $d
            inherited Int $g methods Int $h methods SignedInt $i
        ] }
    };
    (@unsigned $cases:ident $t:ident $a:tt $b:tt $c:tt $d:tt $e:tt $f:tt $g:tt $h:tt $i:tt $j:tt $k:tt) => {
        rows! { $cases $t [
            methods Scalar $a casts Scalar $b functions Scalar $c inherited Int $g methods Int $h methods UnsignedInt $j
            inherited UnsignedInt $k
        ] }
    };
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    swathe_ir::for_each_scalar_method!(sections, cases float f32 f64);
    swathe_ir::for_each_scalar_method!(sections, cases signed i8 i16 i32 i64 isize);
    swathe_ir::for_each_scalar_method!(sections, cases unsigned u8 u16 u32 u64 usize);
    cases
}

/// A program that prints the bits of all results.
fn program(cases: &[Case]) -> Result<String, std::fmt::Error> {
    let mut text = SHIM.to_owned();
    let mut main = String::new();
    let mut helpers = std::collections::BTreeSet::new();
    for (id, case) in cases.iter().enumerate() {
        if let Some(helper) = case
            .cuda
            .helper
            .as_ref()
            .filter(|helper| helpers.insert(helper.name.clone()))
        {
            text.push_str(&helper.text);
        }
        let (n, result) = (case.operands.len(), cuda_type(case.result));
        writeln!(text, "static const uint64_t in{id}[][{n}] = {{")?;
        for input in &case.inputs {
            let words: Vec<_> = input.iter().map(|x| format!("{x}u")).collect();
            writeln!(text, "{{{}}},", words.join(","))?;
        }
        let mut call = case.cuda.template.clone();
        for (k, operand) in case.operands.iter().enumerate() {
            call = call.replace(
                &format!("{{{k}}}"),
                &format!("bits_to<{}>(in[{k}])", cuda_type(*operand)),
            );
        }
        writeln!(
            text,
            "}};\nstatic void run{id}() {{ for (auto& in : in{id}) {{ auto r = {call};"
        )?;
        writeln!(
            text,
            "static_assert(std::is_same<decltype(r), {result}>::value, \"{}\");",
            case.title
        )?;
        writeln!(
            text,
            "printf(\"%llu\\n\", (unsigned long long)bits_to<uint64_t>(r)); }} }}"
        )?;
        writeln!(main, "run{id}();")?;
    }
    write!(text, "int main() {{\n{main}}}\n")?;
    Ok(text)
}

fn agree(case: &Case, got: u64, want: u64) -> bool {
    let (got_f, want_f, unit) = match case.result {
        Scalar::F32 => (
            f64::from(f32::of(got)),
            f64::from(f32::of(want)),
            f64::from(f32::EPSILON),
        ),
        Scalar::F64 => (f64::of(got), f64::of(want), f64::EPSILON),
        other => return got == want & (u64::MAX >> (64 - 8 * other.size())),
    };
    // Rust leaves open which zero is the smaller.
    let zeros = got_f == want_f
        && ["min ", "max ", "lesser ", "greater "]
            .iter()
            .any(|name| case.title.starts_with(name));
    got == want
        || zeros
        || got_f.is_nan() && want_f.is_nan()
        || case.ulp > 0 && (got_f - want_f).abs() <= (case.ulp + 1) as f64 * unit * want_f.abs()
}

#[test]
fn texts_mean_what_rust_means() {
    let cases = cases();
    let folder = std::env::temp_dir().join(format!("swathe-cuda-text-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, binary) = (folder.join("rows.cpp"), folder.join("rows"));
    std::fs::write(&source, program(&cases).unwrap()).unwrap();
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let built = Command::new(&compiler)
        .args(["-std=c++17", "-O1", "-ffp-contract=off", "-fno-builtin", "-w", "-o"])
        .args([&binary, &source])
        .output()
        .unwrap_or_else(|e| panic!("this test needs a C++ compiler, `{compiler}`: {e}"));
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let output = Command::new(&binary).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut results = text.lines().map(|line| line.parse::<u64>().unwrap());
    let mut wrong = Vec::new();
    for case in &cases {
        assert!(case.inputs.len() > 1, "{}", case.title);
        for (input, &want) in case.inputs.iter().zip(&case.expected) {
            let got = results.next().expect("a result for each input");
            if !agree(case, got, want) {
                wrong.push(format!("{} of {input:x?}: {got:x}, not {want:x}", case.title));
            }
        }
    }
    assert!(results.next().is_none());
    std::fs::remove_dir_all(folder).unwrap();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        text.lines().count(),
        wrong[..wrong.len().min(40)].join("\n")
    );
}
