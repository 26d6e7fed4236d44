//! Instructions one by one, with operands and results as bits. What is expected is worked out by hand from the manual and
//! IEEE 754, not computed by the code under test.

mod cases;
mod coverage;

use std::collections::BTreeSet;

use cases::CASES;

use super::{entry, run, run_recorded};
use crate::{Grid, Module, Region, Regions};

/// A register for operands of so many bits, by number; a predicate has one.
fn register(bits: u32, k: usize) -> String {
    let kind = match bits {
        1 => "p",
        8 | 16 => "h",
        32 => "r",
        _ => "d",
    };
    format!("%{kind}{k}")
}

/// Bits of the result and of each operand.
fn widths(opcode: &str, operands: usize) -> (u32, Vec<u32>) {
    let parts: Vec<&str> = opcode.split('.').collect();
    let bits = |part: &str| match part {
        "pred" => 1,
        "bf16" => 16,
        part => part[1..].parse().unwrap(),
    };
    let ty = bits(parts[parts.len() - 1]);
    let mut all = vec![ty; operands];
    let mut to = ty;
    match (parts[0], parts.get(1).copied()) {
        ("cvt", _) => to = bits(parts[parts.len() - 2]),
        ("mul" | "mad", Some("wide")) => {
            to = 2 * ty;
            if let Some(last) = all.get_mut(2) {
                *last = to;
            }
        }
        ("setp", _) => {
            to = 1;
            if let Some(last) = all.get_mut(2) {
                *last = 1;
            }
        }
        ("testp", _) => to = 1,
        ("selp", _) => all[2] = 1,
        ("shl" | "shr", _) => all[1] = 32,
        ("bfi", _) => (all[2], all[3]) = (32, 32),
        ("popc" | "clz", _) => to = 32,
        _ => {}
    }
    (to, all)
}

/// Into a register from the words at `%d0`, or from it.
fn moved(register: &str, bits: u32, word: usize, store: bool) -> String {
    let place = format!("[%d0+{}]", 8 * word);
    match (bits, store) {
        (1, false) => format!("ld.global.u32 %r18, {place}; setp.ne.u32 {register}, %r18, 0;"),
        (1, true) => format!("selp.b64 %d18, 1, 0, {register}; st.global.u64 {place}, %d18;"),
        (bits, false) => format!("ld.global.b{bits} {register}, {place};"),
        (bits, true) => format!("st.global.b{bits} {place}, {register};"),
    }
}

/// Runs all cases; the opcodes of those that are right, and the others with what came out.
fn computed() -> (BTreeSet<String>, Vec<String>) {
    let (mut right, mut wrong) = (BTreeSet::new(), Vec::new());
    for line in CASES.lines().filter(|line| !line.trim().is_empty()) {
        let (opcode, rest) = line.trim().split_once(' ').unwrap();
        let mut values: Vec<u64> = rest
            .split_whitespace()
            .map(|word| u64::from_str_radix(word, 16).unwrap())
            .collect();
        let expected = values.pop().unwrap();
        let (to, from) = widths(opcode, values.len());
        let names: Vec<String> = from
            .iter()
            .enumerate()
            .map(|(k, &bits)| register(bits, k + 1))
            .collect();
        let result = register(to, 8);
        let loads = names.iter().zip(&from).enumerate();
        let loads: Vec<String> = loads.map(|(k, (name, &bits))| moved(name, bits, k, false)).collect();
        let store = moved(&result, to, values.len(), true);
        let body = format!(
            "{}\n{opcode} {result}, {};\n{store}",
            loads.join("\n"),
            names.join(", ")
        );
        let mut words = values.clone();
        words.push(0);
        match run_recorded(&entry("", &body), Grid::line(1, 1, 0), &mut words, None) {
            Ok(ran) if ran.contains(opcode) && words[values.len()] == expected => {
                right.insert(opcode.to_owned());
            }
            ran => wrong.push(format!("{}: {:x}, {ran:?}", line.trim(), words[values.len()])),
        }
    }
    (right, wrong)
}

#[test]
fn results_are_those_of_the_manual() {
    let (_, wrong) = computed();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn carries_reach_the_next_word() {
    // The product of two numbers of 64 bits, from words of 32: as NVRTC writes it.
    let body = "ld.global.v2.u32 {%r1, %r2}, [%d0]; ld.global.v2.u32 {%r3, %r4}, [%d0+8];
        mul.lo.u32 %r5, %r1, %r3; mul.hi.u32 %r6, %r1, %r3;
        mad.lo.cc.u32 %r6, %r1, %r4, %r6; madc.hi.u32 %r7, %r1, %r4, 0;
        mad.lo.cc.u32 %r6, %r2, %r3, %r6; madc.hi.cc.u32 %r7, %r2, %r3, %r7; madc.hi.u32 %r8, %r2, %r4, 0;
        mad.lo.cc.u32 %r7, %r2, %r4, %r7; addc.u32 %r8, %r8, 0;
        st.global.v4.u32 [%d0], {%r5, %r6, %r7, %r8};
        sub.cc.u32 %r1, %r1, 1; subc.u32 %r2, 0, 0; st.global.u32 [%d0+16], %r2;";
    let (a, b) = (0xffff_fff0_1234_5678_u64, 0xfedc_ba98_ffff_fff1_u64);
    let mut words = [a, b, 0, 0];
    // Aligned as a vector of four words.
    #[repr(align(16))]
    struct Aligned([u64; 4]);
    let mut aligned = Aligned(words);
    run(body, 1, &mut aligned.0).unwrap();
    words = aligned.0;
    let product = u128::from(a) * u128::from(b);
    assert_eq!(words[..3], [product as u64, (product >> 64) as u64, 0]);
}

#[test]
fn atomic_operations_give_what_was_there() {
    let cases = [
        ("add.u32", "5", 0xffff_ffff, 4),
        ("add.f32", "0f3F800000", 0x3f80_0000, 0x4000_0000),
        (
            "add.f64",
            "0d3FF0000000000000",
            0x3ff0_0000_0000_0000,
            0x4000_0000_0000_0000,
        ),
        ("add.u64", "1", u64::MAX, 0),
        ("min.s32", "-1", 1, 0xffff_ffff),
        ("max.u64", "7", 3, 7),
        ("and.b32", "6", 3, 2),
        ("or.b64", "4", 3, 7),
        ("xor.b32", "1", 3, 2),
        ("exch.b32", "9", 3, 9),
        ("cas.b32", "3, 9", 3, 9),
        ("cas.b64", "4, 9", 3, 3),
        ("cas.b16", "3, 9", 3, 9),
    ];
    for (opcode, operands, before, after) in cases {
        let bits: u32 = opcode.split_once('.').unwrap().1[1..].parse().unwrap();
        let old = register(bits, 1);
        let body = format!(
            "atom.global.{opcode} {old}, [%d0], {operands};\n{}",
            moved(&old, bits, 1, true)
        );
        let mut words = [before, 0];
        run(&body, 1, &mut words).unwrap();
        assert_eq!(words, [after, before], "{opcode}");
    }
    // Subnormals are zeros in global memory.
    let mut words = [1];
    run("atom.global.add.f32 %f1, [%d0], 0f00000001;", 1, &mut words).unwrap();
    assert_eq!(words, [0]);
}

/// A seed changes the last bits of an approximation, and nothing without it.
#[test]
fn approximations_can_be_disturbed() {
    let body = "ld.global.f32 %f1, [%d0]; ex2.approx.f32 %f2, %f1; st.global.f32 [%d0+8], %f2;
        div.approx.f32 %f3, %f2, %f1; st.global.f32 [%d0+12], %f3; add.rn.f32 %f4, %f1, %f1; st.global.f32 [%d0+16], %f4;";
    let of = |seed: Option<u64>| {
        let module = Module::parse(&entry("", body)).unwrap();
        let mut words = [u64::from(0.3_f32.to_bits()), 0, 0];
        let start = words.as_mut_ptr().expose_provenance() as u64;
        let (bytes, writable) = (24, true);
        let regions: Regions = [Region { start, bytes, writable }].into_iter().collect();
        let argument = start.to_le_bytes();
        let mut launch = module.launch("e", Grid::line(1, 1, 0), &[&argument], &regions).unwrap();
        if let Some(seed) = seed {
            launch.disturb_approximations(seed);
        }
        // SAFETY: the region is memory that nobody else uses.
        unsafe { launch.run() }.unwrap();
        let [first, second] = [words[1] as u32, (words[1] >> 32) as u32].map(f32::from_bits);
        (first, second, words[2] as u32)
    };
    let (power, quotient, sum) = of(None);
    assert_eq!((power, sum), (0.3_f64.exp2() as f32, 0.6_f32.to_bits()));
    let others: Vec<_> = (0..12).map(|seed| of(Some(seed))).collect();
    assert!(others.iter().any(|other| other.0 != power) && others.iter().any(|other| other.1 != quotient));
    for (other, ratio, same) in others {
        assert!(
            (other - power).abs() <= 2.5 * f32::EPSILON && (ratio - quotient).abs() < 1e-5,
            "{other} {ratio}"
        );
        assert_eq!(same, sum);
    }
}
