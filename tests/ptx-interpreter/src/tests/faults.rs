//! Kernels that are wrong: each beside one that is right and differs in the mistake alone.

use super::{entry, run, run_text};
use crate::lack::{KEPT, UNWRITTEN, is_lacking};
use crate::{Grid, Module, Region, Regions};

/// Reverses a block's numbers by way of shared memory.
const REVERSE: &str = "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4;
    mov.u64 %d2, tile; add.s64 %d3, %d2, %d1; st.shared.u32 [%d3], %r1;
    bar.sync 0;
    mov.u32 %r2, %ntid.x; sub.s32 %r3, %r2, %r1; mul.wide.u32 %d4, %r3, 4; add.s64 %d4, %d2, %d4;
    ld.shared.u32 %r4, [%d4+-4];
    mul.wide.u32 %d5, %r1, 8; add.s64 %d5, %d0, %d5; st.global.u32 [%d5], %r4;";

const TILE: &str = ".shared .align 4 .b8 tile[256];";

fn reversed(body: &str) -> Result<[u64; 64], String> {
    let mut words = [0; 64];
    run_text(&entry(TILE, body), Grid::line(1, 64, 0), &mut words).map(|()| words)
}

#[test]
fn mistakes_in_shared_memory() {
    let expected: [u64; 64] = std::array::from_fn(|k| 63 - k as u64);
    assert_eq!(reversed(REVERSE), Ok(expected));
    for (good, bad, why) in [
        ("bar.sync 0;", "", "shared memory"),
        ("[%d4+-4]", "[%d4]", "reads 4 bytes at 0x100, which it must not"),
        ("[%d4+-4]", "[%d4+-3]", "is not aligned"),
        ("st.shared.u32 [%d3]", "st.u32 [%d3]", "which it must not"),
        (
            "st.shared.u32 [%d3]",
            "@%p1 st.shared.u32 [%d3]",
            "which nobody has written",
        ),
        (
            "bar.sync 0;",
            "setp.lt.u32 %p1, %r1, 32; @%p1 bar.sync 0;",
            "shared memory",
        ),
        (
            "bar.sync 0;",
            "bar.sync 0; setp.lt.u32 %p1, %r1, 32; @%p1 bar.sync 0;",
            "thread 0 stops at the barrier in line",
        ),
        (
            "bar.sync 0;",
            "setp.lt.u32 %p1, %r1, 32; @%p1 ret; bar.sync 0;",
            "at its end",
        ),
        ("bar.sync 0;", "bar.sync 1;", "a barrier other than number 0"),
    ] {
        assert!(REVERSE.contains(good), "{good}");
        // A predicate that holds for no thread.
        let body = format!("setp.ne.u32 %p1, 0, 0;\n{}", REVERSE.replace(good, bad));
        let found = reversed(&body).unwrap_err();
        assert!(found.contains(why), "{bad}: {found}");
    }
    // By way of the generic address it is found again.
    let generic = REVERSE.replace(
        "st.shared.u32 [%d3], %r1;",
        "cvta.shared.u64 %d3, %d3; st.u32 [%d3], %r1;",
    );
    assert_eq!(reversed(&generic), Ok(expected));
}

/// Atomic operations on one word need no barrier between them, but one in front of a read.
#[test]
fn atomics_in_shared_memory() {
    let body = |barrier: &str| {
        format!(
            "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @!%p1 st.shared.u32 [tile], 0; bar.sync 0;
            atom.shared.add.u32 %r2, [tile], 2; {barrier} ld.shared.u32 %r3, [tile]; @!%p1 st.global.u32 [%d0], %r3;"
        )
    };
    assert_eq!(reversed(&body("bar.sync 0;")).unwrap()[0], 128);
    assert!(reversed(&body("")).unwrap_err().contains("shared memory"));
    // A thread may read what it alone has changed, but its own store is no atomic operation.
    let alone = "mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 bra E; st.shared.u32 [tile], 1;
        atom.shared.add.u32 %r2, [tile], 2; ld.shared.u32 %r3, [tile]; st.global.u32 [%d0], %r3; E: bar.sync 0;";
    assert_eq!(reversed(alone).unwrap()[0], 3);
    let others = alone.replace("E: bar.sync 0;", "E: atom.shared.add.u32 %r2, [tile], 2;");
    assert!(reversed(&others).unwrap_err().contains("shared memory"));
}

/// The sum of a warp's lane numbers.
const SUM: &str = "mov.u32 %r1, %laneid; mov.u32 %r2, 16;
    L: shfl.sync.down.b32 %r3|%p1, %r1, %r2, 31, -1;
    add.s32 %r1, %r1, %r3; shr.u32 %r2, %r2, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra L;
    mov.u32 %r4, %tid.x; setp.eq.u32 %p3, %r4, 0; @%p3 st.global.u32 [%d0], %r1;";

#[test]
fn mistakes_in_exchanges() {
    let sum = |body: &str| {
        let mut words = [0];
        run(body, 32, &mut words).map(|()| words[0])
    };
    assert_eq!(sum(SUM), Ok(31 * 32 / 2));
    // The other way lane 0 keeps adding its own number.
    assert_eq!(
        sum(&SUM.replace(
            "shfl.sync.down.b32 %r3|%p1, %r1, %r2, 31",
            "shfl.sync.up.b32 %r3|%p1, %r1, %r2, 0"
        )),
        Ok(0)
    );
    // Lanes that are not named give nothing.
    let few = sum(&SUM.replace("31, -1;", "31, 0xffff;"));
    assert!(few.unwrap_err().contains("thread 16 is not in its own mask 0xffff"));
    let half = "setp.gt.u32 %p4, %r1, 15; @%p4 ret; L: shfl.sync.down.b32 %r3|%p1, %r1, %r2, 31, 0xffff;";
    let ended = sum(&SUM.replace("L: shfl.sync.down.b32 %r3|%p1, %r1, %r2, 31, -1;", half));
    assert!(ended.unwrap_err().contains("writes a value that is undefined"));
    // Half of the lanes wait elsewhere.
    let barrier = "mov.u32 %r1, %laneid; mov.u32 %r2, 16; setp.gt.u32 %p4, %r1, 15; @%p4 bar.sync 0; shfl.sync.down.b32 %r3|%p1, %r1, %r2, 31, -1;";
    let why = sum(barrier).unwrap_err();
    assert!(
        why.contains("for the lanes 0xffffffff") && why.contains("the barrier in line"),
        "{why}"
    );
}

/// Lanes that ask at one place are told of each other, with what they do then among themselves.
#[test]
fn lanes_that_are_there_together() {
    let body = "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d0, %d1; and.b32 %r2, %r1, 1;
        setp.eq.u32 %p1, %r2, 0; setp.gt.u32 %p2, %r1, 36; @%p2 bra L; @%p1 bra E;
        activemask.b32 %r3; bar.warp.sync %r3; mov.u32 %r4, 3; shfl.sync.idx.b32 %r5|%p3, %r1, %r4, 31, %r3; bra S;
        E: activemask.b32 %r3; mov.u32 %r4, 2; shfl.sync.idx.b32 %r5|%p3, %r1, %r4, 31, %r3; bar.warp.sync %r3;
        S: cvt.u64.u32 %d2, %r3; shl.b64 %d2, %d2, 8; cvt.u64.u32 %d3, %r5; or.b64 %d2, %d2, %d3; st.global.u64 [%d1], %d2;
        L: bar.sync 0;";
    let mut words = [0; 38];
    assert_eq!(run(body, 38, &mut words), Ok(()));
    for (k, word) in words.iter().enumerate() {
        let expected = match (k / 32, k % 2) {
            (0, 0) => 0x5555_5555 << 8 | 2,
            (0, _) => 0xaaaa_aaaa << 8 | 3,
            (_, 0) => 0b1_0101 << 8 | 34,
            (_, _) if k == 37 => 0,
            (_, _) => 0b1010 << 8 | 35,
        };
        assert_eq!(*word, expected, "{k}");
    }
    let why = run(
        &body.replace("shfl.sync.idx.b32 %r5|%p3, %r1, %r4, 31, %r3; bar", "bar.sync 0; bar"),
        32,
        &mut words,
    );
    assert!(why.is_err());
}

#[test]
fn mistakes_in_global_memory() {
    let body = "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d0, %d1; st.global.u64 [%d1], 7;";
    let mut words = [0; 9];
    assert_eq!(run(body, 9, &mut words), Ok(()));
    assert_eq!(words, [7; 9]);
    for (good, bad, threads, why) in [
        ("7;", "7;", 10, "thread 9 writes 8 bytes"),
        // A narrow index wraps.
        (
            "add.s64 %d1, %d0, %d1;",
            "cvt.u32.u64 %r2, %d0; cvt.u64.u32 %d2, %r2; add.s64 %d1, %d2, %d1;",
            1,
            "which it must not",
        ),
        ("%r1, 8;", "%r1, 4;", 9, "is not aligned"),
        ("[%d1], 7", "[%d1+-8], 7", 1, "which it must not"),
        (
            "st.global.u64 [%d1], 7;",
            "ld.global.v2.u64 {%d2, %d3}, [%d1+8];",
            9,
            "is not aligned",
        ),
        (
            "st.global.u64 [%d1], 7;",
            "ld.global.nc.u64 %d2, [%d0]; st.global.u64 [%d1], 7;",
            9,
            "by ld.global.nc",
        ),
        (
            "st.global.u64 [%d1], 7;",
            "div.u32 %r2, 1, %r1;",
            1,
            "thread 0 divides by zero",
        ),
    ] {
        assert!(body.contains(good), "{good}");
        let found = run(&body.replace(good, bad), threads, &mut words).unwrap_err();
        assert!(found.contains(why), "{bad}: {found}");
    }
}

#[test]
fn a_block_reads_as_constant_what_another_writes() {
    let body = "mov.u32 %r1, %ctaid.x; setp.eq.u32 %p1, %r1, 1; @%p1 st.global.u64 [%d0], 1; @!%p1 ld.global.nc.u64 %d1, [%d0];";
    let mut words = [0];
    assert_eq!(run(body, 1, &mut words), Ok(()));
    let found = run_text(&entry("", body), Grid::line(2, 1, 0), &mut words).unwrap_err();
    assert!(found.contains("by ld.global.nc"), "{found}");
}

/// A thread's own array.
#[test]
fn mistakes_in_local_memory() {
    let body = ".local .align 8 .b8 own[16]; mov.u64 %d1, own; cvta.local.u64 %d2, %d1;
        st.local.u64 [%d1], 5; st.u64 [%d2+8], 6; ld.local.v2.u64 {%d3, %d4}, [%d1]; add.s64 %d3, %d3, %d4; st.global.u64 [%d0], %d3;";
    let body = body.replace(".align 8", ".align 16");
    let mut words = [0];
    assert_eq!((run(&body, 1, &mut words), words), (Ok(()), [11]));
    for (good, bad, why) in [
        ("[%d2+8], 6", "[%d2], 6", "of which some are not written"),
        ("[%d2+8], 6", "[%d2+16], 6", "which it must not"),
        ("st.u64 [%d2+8]", "st.u64 [%d1+8]", "which it must not"),
        (
            "v2.u64 {%d3, %d4}, [%d1]",
            "v2.u64 {%d3, %d4}, [%d1+8]",
            "is not aligned",
        ),
    ] {
        assert!(body.contains(good), "{good}");
        let found = run(&body.replace(good, bad), 1, &mut words).unwrap_err();
        assert!(found.contains(why), "{bad}: {found}");
    }
}

/// NVRTC copies the padding of structs by bytes, written or not.
#[test]
fn registers_that_are_not_written() {
    let mut words = [0; 2];
    for body in [
        "st.global.v4.u8 [%d0+12], {%h1, %h1, %h1, %h1};",
        "setp.ne.s32 %p1, 0, 0; selp.b64 %d1, %d2, 3, %p1; st.global.u64 [%d0], %d1;",
        ".local .align 8 .b8 own[8]; st.local.u32 [own], %r1;",
        "mov.u32 %r1, 3; mov.b64 %d1, {%r1, %r2}; cvt.u32.u64 %r3, %d1; st.global.u32 [%d0], %r3;",
    ] {
        assert_eq!(run(body, 1, &mut words), Ok(()), "{body}");
    }
    assert_eq!(words[0], 3);
    for body in [
        "st.global.v2.u16 [%d0], {%h1, %h1};",
        "setp.ne.s32 %p1, 0, 1; selp.b64 %d1, %d2, 3, %p1;",
        "mov.b32 %r1, %r2;",
        "mov.b64 %d1, {%r1, %r2};",
        "@%p1 ret;",
        "add.s64 %d1, %d2, 1;",
        "ld.global.u32 %r1, [%d1];",
        "atom.global.add.u32 %r1, [%d0], %r2;",
        "shfl.sync.idx.b32 %r1, %r2, 0, 31, 1;",
        "shfl.sync.idx.b32 %r1, 2, 0, 31, %r2;",
    ] {
        let why = run(body, 1, &mut words).unwrap_err();
        assert!(why.contains("reads a register that is not written"), "{body}: {why}");
    }
    let why = run("addc.u32 %r1, 1, 2;", 1, &mut words).unwrap_err();
    assert!(why.contains("reads a carry that is not written"), "{why}");
}

/// A function with a result, and what is kept from call to call.
#[test]
fn functions_return_values() {
    let before = ".func (.param .b64 back) twice(.param .b32 x)\n{\n.reg .b32 %r<3>; .reg .b64 %d<3>; .local .align 8 .b8 own[8];\n\
        ld.param.b32 %r1, [x]; st.local.u32 [own], %r1; ld.local.u32 %r2, [own]; mul.wide.u32 %d1, %r2, 2;\n\
        st.param.b64 [back], %d1; ret;\n}";
    let body = "mov.u32 %r1, 0; mov.u64 %d2, 0;
        L: { .param .b32 p; st.param.b32 [p], %r1; .param .b64 q; call.uni (q), twice, (p); ld.param.b64 %d1, [q]; }
        add.s64 %d2, %d2, %d1; add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 5; @%p1 bra L; st.global.u64 [%d0], %d2;";
    let mut words = [0];
    let run = |before: &str, words: &mut [u64]| run_text(&entry(before, body), Grid::line(1, 1, 0), words);
    assert_eq!(run(before, &mut words), Ok(()));
    assert_eq!(words, [20]);
    // The local memory of an earlier call is forgotten.
    let once = before
        .replace("st.local.u32", "setp.eq.u32 %p1, %r1, 0; @%p1 st.local.u32")
        .replace(".reg .b32", ".reg .pred %p<2>; .reg .b32");
    assert!(run(&once, &mut words).unwrap_err().contains("not written"));
}

/// Each of four threads reads an item of an array that is a parameter, by its address.
const LOOKUP: &str = ".version 8.5\n.target sm_75\n.address_size 64\n.visible .entry e(.param .u8 a, .param .align 4 .b8 b[16], .param .u64 c)\n{\n\
    .reg .b32 %r<5>; .reg .b64 %d<9>; .reg .b16 %h<3>;\n\
    mov.b64 %d1, b; ld.param.u64 %d0, [c]; mov.u32 %r1, %tid.x; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2;\n\
    ld.param.u32 %r2, [%d3]; ld.param.s8 %h1, [%d3+1]; cvt.u32.u16 %r3, %h1; mov.b64 %d4, {%r2, %r3};\n\
    mul.wide.u32 %d5, %r1, 8; add.s64 %d5, %d0, %d5; st.global.u64 [%d5], %d4;\nret;\n}\n";

fn looked_up(text: &str) -> Result<[u64; 4], String> {
    let mut words = [0; 4];
    let address = words.as_mut_ptr().expose_provenance() as u64;
    let regions: Regions = [Region {
        start: address,
        bytes: 32,
        writable: true,
    }]
    .into_iter()
    .collect();
    let array: Vec<u8> = (0..16).map(|k| 120 + k).collect();
    let module = Module::parse(text)?;
    let arguments: [&[u8]; 3] = [&[7], &array, &address.to_le_bytes()];
    let mut launch = module.launch("e", Grid::line(1, 4, 0), &arguments, &regions)?;
    // SAFETY: the region is memory that nobody else uses.
    unsafe { launch.run() }.map_err(|why| why.text)?;
    Ok(words)
}

#[test]
fn parameters_of_kernels_have_addresses() {
    let item = |k: u64| {
        let bytes: [u64; 4] = std::array::from_fn(|j| 120 + 4 * k + j as u64);
        let whole = bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24;
        let second = bytes[1] as u8 as i8 as i16 as u16;
        whole | u64::from(second) << 32
    };
    assert_eq!(looked_up(LOOKUP), Ok(std::array::from_fn(|k| item(k as u64))));
    for (good, bad, why) in [
        (
            "[%d3]",
            "[%d3+4]",
            "reads 4 bytes of parameters at 0x14, which it must not",
        ),
        (
            "[%d3]",
            "[%d3+-8]",
            "of parameters at 0xfffffffffffffffc, which it must not",
        ),
        ("[%d3]", "[%d3+2]", "of parameters at 0x6, which is not aligned"),
        // Between two parameters there is nothing.
        (
            "ld.param.s8 %h1, [%d3+1]",
            "ld.param.s8 %h1, [%d1+-2]",
            "at 0x2, which it must not",
        ),
        // It is an address of another space.
        (
            "ld.param.u32 %r2, [%d3]",
            "ld.global.u32 %r2, [%d3]",
            "which it must not",
        ),
        ("mov.b64 %d1, b;", "", "a register that is not written"),
    ] {
        assert!(LOOKUP.contains(good), "{good}");
        let found = looked_up(&LOOKUP.replacen(good, bad, 1)).unwrap_err();
        assert!(found.contains(why), "{bad}: {found}");
    }
    // Those of a call have none, and a function has not those of its kernel.
    let call = LOOKUP.replace("mov.b64 %d1, b;", "{ .param .b64 p; mov.b64 %d1, p; }");
    assert!(looked_up(&call).is_err());
    let function = LOOKUP.replace(
        ".visible .entry",
        ".func f(.param .b64 a)\n{\n.reg .b64 %d<3>;\nmov.b64 %d1, a; ret;\n}\n.visible .entry",
    );
    assert!(looked_up(&function).is_err());
}

#[test]
fn positions_have_three_axes() {
    let body = "mov.u32 %r1, %tid.z; mov.u32 %r2, %ntid.y; mov.u32 %r3, %tid.y; mad.lo.s32 %r1, %r1, %r2, %r3;
        mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x; mad.lo.s32 %r1, %r1, %r4, %r5;
        mov.u32 %r6, %ctaid.z; mov.u32 %r7, %nctaid.x; mad.lo.s32 %r6, %r6, %r7, %ctaid.x; mad.lo.s32 %r1, %r6, 24, %r1;
        mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d0, %d1; cvt.u64.u32 %d2, %r1; st.global.u64 [%d1], %d2;";
    let mut words = [u64::MAX; 96];
    let grid = Grid {
        blocks: [2, 1, 2],
        threads: [4, 3, 2],
        shared: 0,
    };
    run_text(&entry("", body), grid, &mut words).unwrap();
    assert!(words.iter().enumerate().all(|(k, &word)| word == k as u64), "{words:?}");
}

#[test]
fn data_and_freed_memory_are_no_registers_without_a_value() {
    let mut words = [0x0bad_0bad_0bad_0bac, 0];
    run("ld.global.u64 %d1, [%d0]; st.global.u64 [%d0+8], %d1;", 1, &mut words).unwrap();
    assert_eq!(words[1], words[0]);
    // What registers lie in becomes padding of a field, which is copied.
    let module = Module::parse(&entry("", "mov.u64 %d1, %d2;")).unwrap();
    let slots = &module.functions[0].slots;
    assert!(slots.contains(&(UNWRITTEN ^ KEPT)));
    assert!(slots.iter().all(|slot| !is_lacking(*slot)), "{slots:x?}");
}
