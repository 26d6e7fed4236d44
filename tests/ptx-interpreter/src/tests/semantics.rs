//! Instructions one by one, with operands and results as bits. What is expected is worked out by hand from the manual and
//! IEEE 754, not computed by the code under test.

use super::{entry, run};
use crate::{Grid, Module, Region, Regions};

/// Each line: opcode, operands, result. Predicates are 0 and 1.
const CASES: &str = "
    add.u32          ffffffff 2                                  1
    add.s16          7fff 1                                      8000
    sub.u64          0 1                                         ffffffffffffffff
    mul.lo.s32       ffffffff 5                                  fffffffb
    mul.hi.u32       ffffffff ffffffff                           fffffffe
    mul.hi.s32       ffffffff 1                                  ffffffff
    mul.hi.u64       ffffffffffffffff ffffffffffffffff           fffffffffffffffe
    mul.hi.s64       8000000000000000 2                          ffffffffffffffff
    mul.wide.s32     ffffffff 5                                  fffffffffffffffb
    mul.wide.u32     ffffffff ffffffff                           fffffffe00000001
    mul.wide.u16     ffff ffff                                   fffe0001
    mad.lo.s32       3 4 fffffff0                                fffffffc
    mad.wide.u32     ffffffff 2 ffffffffffffffff                 1fffffffd
    div.s32          fffffff9 2                                  fffffffd
    div.s32          80000000 ffffffff                           80000000
    div.u64          ffffffffffffffff 10                         fffffffffffffff
    rem.s32          fffffff9 2                                  ffffffff
    rem.u16          ffff 10                                     f
    abs.s32          80000000                                    80000000
    abs.s64          ffffffffffffffff                            1
    neg.s16          1                                           ffff
    min.s32          80000000 1                                  80000000
    min.u32          80000000 1                                  1
    max.s16          8000 1                                      1
    popc.b64         ff000000000000ff                            10
    clz.b32          0                                           20
    clz.b64          1                                           3f
    brev.b32         1                                           80000000
    bfi.b32          f 0 8 2                                     300
    bfe.u32          f0f 8 4                                     f
    dp2a.lo.u32.u32  00030002 0b0a 1                             36
    dp2a.lo.s32.u32  fffd0002 0a05 1                             ffffffed
    dp2a.hi.s32.s32  0003fffe ff7f0000 5                         ffffff04
    dp4a.s32.u32     ff028003 01020304 2                         fffffe91
    dp4a.u32.s32     01020304 ff028003 7                         fffffe96
    and.b16          ff0f 0fff                                   f0f
    not.b16          1                                           fffe
    not.pred         1                                           0
    shl.b32          1 20                                        0
    shl.b64          1 3f                                        8000000000000000
    shr.s32          80000000 40                                 ffffffff
    shr.u32          80000000 1f                                 1
    shr.u32          80000000 20                                 0
    shr.s16          8000 4                                      f800
    shf.l.wrap.b32   80000000 1 1                                3
    shf.r.wrap.b32   2 1 1                                       80000001
    prmt.b32         33221100 77665544 7610                      77661100
    prmt.b32         80 0 8880                                   ffffff80
    add.f32          7f7fffff 7f7fffff                           7f800000
    add.f32          3f800000 33800000                           3f800000
    add.f32          3f800001 33800000                           3f800002
    add.rz.f32       3f800001 33800000                           3f800001
    add.rz.f32       7f800000 ff800000                           7fffffff
    add.rm.f32       7fc00001 3f800000                           7fffffff
    fma.rp.f32       7f800000 0        3f800000                  7fffffff
    add.rp.f32       3f800000 33800000                           3f800001
    add.rm.f32       bf800000 b3800000                           bf800001
    add.f32          7f800000 ff800000                           7fffffff
    sub.f32          1 0                                         1
    sub.ftz.f32      1 0                                         0
    sub.ftz.f32      80000001 0                                  80000000
    mul.f32          800000 3f000000                             400000
    mul.ftz.f32      800000 3f000000                             0
    mul.rz.f32       3f800001 3f800001                           3f800002
    mul.rp.f32       3f800001 3f800001                           3f800003
    fma.rn.f32       3f800001 3f800001 bf800002                  28800000
    fma.rn.f64       3ff0000000000001 3ff0000000000001 bff0000000000002 3970000000000000
    fma.rz.f32       3f800000 3f800000 b2800000                  3f7fffff
    div.rn.f32       3f800000 40400000                           3eaaaaab
    div.rz.f32       3f800000 40400000                           3eaaaaaa
    div.rn.f32       3f800000 80000000                           ff800000
    div.rn.f64       3ff0000000000000 4008000000000000           3fd5555555555555
    div.approx.f32   40000000 7e800000                           1000000
    div.approx.f32   40000000 7f000000                           0
    rcp.rn.f32       40400000                                    3eaaaaab
    rcp.approx.ftz.f64 4008000000000000                          3fd5555500000000
    rcp.approx.ftz.f64 1                                         7ff0000000000000
    rsqrt.approx.ftz.f64 4010000000000000                        3fe0000000000000
    rsqrt.approx.ftz.f32 40800000                                3f000000
    sqrt.rn.f32      40000000                                    3fb504f3
    sqrt.rn.f32      bf800000                                    7fffffff
    sqrt.rn.f32      80000000                                    80000000
    ex2.approx.f32   40400000                                    41000000
    ex2.approx.ftz.f32 c2fe0000                                  0
    lg2.approx.f32   41000000                                    40400000
    lg2.approx.f32   0                                           ff800000
    sin.approx.f32   80000000                                    80000000
    cos.approx.f32   0                                           3f800000
    min.f32          0 80000000                                  80000000
    max.f32          80000000 0                                  0
    min.f32          7fc00000 40000000                           40000000
    max.f64          3ff0000000000000 7ff8000000000001           3ff0000000000000
    min.f32          7fc00000 7fc00000                           7fffffff
    neg.f32          0                                           80000000
    abs.f64          bff0000000000000                            3ff0000000000000
    copysign.f32     80000000 3f800000                           bf800000
    copysign.f64     0 bff0000000000000                          3ff0000000000000
    add.rn.f16       3c00 1000                                   3c00
    add.rn.f16       3c01 1000                                   3c02
    mul.rn.f16       7bff 4000                                   7c00
    fma.rn.f16       3c01 3c01 bc02                              10
    setp.lt.f32      7fc00000 3f800000                           0
    setp.ltu.f32     7fc00000 3f800000                           1
    setp.ne.f32      7fc00000 3f800000                           0
    setp.neu.f32     7fc00000 7fc00000                           1
    setp.eq.f32      0 80000000                                  1
    setp.nan.f64     7ff8000000000000 0                          1
    setp.num.f32     3f800000 0                                  1
    setp.gt.ftz.f32  1 0                                         0
    setp.lt.s32      ffffffff 0                                  1
    setp.lt.u32      ffffffff 0                                  0
    setp.ge.s64      8000000000000000 0                          0
    setp.eq.and.s32  5 5 0                                       0
    setp.ne.or.s32   5 5 1                                       1
    setp.eq.xor.s32  5 5 1                                       0
    selp.b32         7 8 1                                       7
    selp.f64         7 8 0                                       8
    cvt.u32.u16      ffff                                        ffff
    cvt.s32.s16      8000                                        ffff8000
    cvt.s64.s32      80000000                                    ffffffff80000000
    cvt.u64.u32      80000000                                    80000000
    cvt.u16.u32      12345                                       2345
    cvt.s32.s8       80                                          ffffff80
    cvt.rn.f32.s32   ffffffff                                    bf800000
    cvt.rn.f32.u32   1000001                                     4b800000
    cvt.rn.f32.u32   1000003                                     4b800002
    cvt.rz.f32.u32   1000003                                     4b800001
    cvt.rn.f64.u64   ffffffffffffffff                            43f0000000000000
    cvt.rn.f32.s64   8000000000000000                            df000000
    cvt.rzi.s32.f32  c0200000                                    fffffffe
    cvt.rni.s32.f32  c0200000                                    fffffffe
    cvt.rni.s32.f32  40600000                                    4
    cvt.rmi.s32.f32  c0200000                                    fffffffd
    cvt.rpi.s32.f32  c0200000                                    fffffffe
    cvt.rzi.s32.f32  7f800000                                    7fffffff
    cvt.rzi.u32.f32  bf800000                                    0
    cvt.rzi.s32.f32  7fc00000                                    0
    cvt.rzi.s64.f32  7fc00000                                    8000000000000000
    cvt.rzi.u64.f64  43f0000000000000                            ffffffffffffffff
    cvt.rzi.u16.f32  47800000                                    ffff
    cvt.rni.f32.f32  3f000000                                    0
    cvt.rni.f32.f32  3fc00000                                    40000000
    cvt.rmi.f32.f32  bf000000                                    bf800000
    cvt.rzi.f64.f64  bfe0000000000000                            8000000000000000
    cvt.sat.f32.f32  40000000                                    3f800000
    cvt.sat.f32.f32  7fc00000                                    0
    cvt.sat.f32.f32  bf800000                                    0
    cvt.rn.f32.f64   3ff0000010000000                            3f800000
    cvt.rn.f32.f64   3ff0000030000000                            3f800002
    cvt.rn.f32.f64   7ff8000000000000                            7fffffff
    cvt.f64.f32      7f7fffff                                    47efffffe0000000
    cvt.rn.f16.f32   477ff000                                    7c00
    cvt.rn.f16.f32   477fefff                                    7bff
    cvt.rn.f16.f32   33000000                                    0
    cvt.rn.f16.f32   33000001                                    1
    cvt.f32.f16      1                                           33800000
    cvt.rn.f16.f64   3ff0020000000001                            3c01
    cvt.rn.bf16.f32  3f808000                                    3f80
    cvt.rn.bf16.f32  3f818000                                    3f82
    cvt.rn.bf16.f32  7f7fffff                                    7f80
    cvt.rz.bf16.f32  7f7fffff                                    7f7f
    cvt.rn.bf16.f32  ff800001                                    7fff
    cvt.rn.bf16.f32  80000001                                    8000
    cvt.f32.bf16     c049                                        c0490000
    testp.subnormal.f32 1                                        1
    testp.normal.f32 0                                           0
";

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

#[test]
fn results_are_those_of_the_manual() {
    let mut wrong = Vec::new();
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
        let got = run(&body, 1, &mut words).map(|()| words[values.len()]);
        if got != Ok(expected) {
            wrong.push(format!("{}: {got:x?}", line.trim()));
        }
    }
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
