//! Kernels with one mistake each, as a code generator that is broken would make them, and how each is found.

mod kernels;

use kernels::{COUNT, Kernel, SHIFT, SUM, Setup, run};

/// How a mistake shows.
#[derive(Debug)]
enum Found {
    /// The text is refused, or the launch, or it stops, with these words.
    Error(&'static str),
    /// The kernel runs, and what it leaves is wrong.
    Result,
}
use Found::{Error, Result as Wrong};

/// What it breaks, in which kernel, what stands there and what in its place, how it is found.
type Mutation = (&'static str, &'static Kernel, &'static str, &'static str, Found);

/// Of texts.
#[rustfmt::skip]
const TEXTS: &[Mutation] = &[
    ("no barrier between write and read", &SUM, "bar.sync 0;", "", Error("of shared memory")),
    ("no barrier between the zeros and the atomic operations", &COUNT, "bar.sync 0;", "", Error("of shared memory")),
    ("no barrier between the atomic operations and the reads", &COUNT, "bar.sync  0;", "", Error("of shared memory")),
    ("a barrier in divergent code", &SUM, "$L3:\n    bar.sync 0;", "bar.sync 0;\n$L3:", Error("thread 0 stops at the barrier in line")),
    ("two barriers of which a thread meets one", &COUNT, "$L1:\n    bar.sync 0;", "bar.sync 0; bra $L3;\n$L1: bar.sync 0;\n$L3:", Error("at the barrier in line")),
    ("a barrier of another number", &SUM, "bar.sync 0", "bar.sync 1", Error("a barrier other than number 0")),
    ("a bound that is off by one", &SUM, "setp.ge.s32 %p1", "setp.gt.s32 %p1", Error("outside: ")),
    ("no bound", &SUM, "@%p1 bra $L1;", "", Error("outside: ")),
    ("a bound the wrong way round", &SUM, "@%p1 bra $L1;", "@!%p1 bra $L1;", Error("outside: ")),
    ("a store one element on", &SUM, "[%rd8], %f5", "[%rd8+4], %f5", Error("outside: ")),
    ("a load one element back", &SHIFT, "[%rd8]", "[%rd8+-4]", Error("outside: ")),
    ("elements of another size", &SUM, "mul.wide.s32 %rd4, %r5, 4", "mul.wide.s32 %rd4, %r5, 8", Error("outside: ")),
    ("an index of 8 bits", &SUM, "mul.wide.s32 %rd4, %r5, 4;", "cvt.s32.s8 %r15, %r5; mul.wide.s32 %rd4, %r15, 4;", Error("outside: ")),
    ("an address of 32 bits", &SUM, "ld.global.nc.f32", "cvt.u32.u64 %r15, %rd5; cvt.u64.u32 %rd5, %r15; ld.global.nc.f32", Error("outside: ")),
    ("a sign that is not extended", &SHIFT, "cvt.s64.s32 %rd5", "cvt.u64.u32 %rd5", Error("outside: ")),
    ("a comparison without a sign", &SHIFT, "setp.lt.s64 %p1", "setp.lt.u64 %p1", Error("outside: ")),
    ("an address that is not aligned", &SUM, "[%rd5]", "[%rd5+2]", Error("misaligned: ")),
    ("a vector at the address of a scalar", &SUM, "st.global.f32 [%rd8], %f5", "st.global.v2.f32 [%rd8], {%f5, %f5}", Error("misaligned: ")),
    ("a vector that is not aligned", &SHIFT, "st.local.v2.u32 [own]", "st.local.v2.u32 [own+4]", Error("misaligned: ")),
    ("a store to the wrong space", &SUM, "st.global.f32 [%rd8]", "st.shared.f32 [%rd8]", Error("outside: ")),
    ("an atomic operation in the wrong space", &COUNT, "atom.shared.add.u32", "atom.global.add.u32", Error("outside: ")),
    ("an address in shared memory as a generic one", &SUM, "st.shared.f32", "st.f32", Error("outside: ")),
    ("shared memory behind its end", &SUM, "[values+4]", "[values+8]", Error("outside: ")),
    ("a write to what is only read", &SHIFT, "ld.global.nc.u32 %r3, [%rd8];", "st.global.u32 [%rd8], %r3;", Error("outside: ")),
    ("an update in shared memory that is not atomic", &COUNT, "atom.shared.add.u32 %r12, [%r11], 1;", "ld.shared.u32 %r12, [%r11]; add.s32 %r12, %r12, 1; st.shared.u32 [%r11], %r12;", Error("of shared memory")),
    ("an atomic operation of another scope", &COUNT, "red.global.add", "red.cta.global.add", Error("unknown instruction")),
    ("a slot of shared memory that is not written", &SUM, "and.b32 %r9, %r1, 31", "and.b32 %r9, %r1, 63", Error("which nobody has written")),
    ("counters that nobody sets to zero", &COUNT, "st.shared.u32 [%r4], %r5;", "", Error("which nobody has written")),
    ("a slot of local memory that is not written", &SHIFT, "st.local.v2.u32 [own], {%r1, %r1}", "st.local.u32 [own], %r1", Error("of which some are not written")),
    ("a register that some threads have not written", &SUM, "mov.f32 %f1, 0f00000000;", "", Error("reads a register that is not written")),
    ("a predicate that is not written", &COUNT, "setp.gt.u32 %p1, %r1, 15;", "", Error("reads a register that is not written")),
    ("a register that only a branch not taken writes", &SHIFT, "mov.b32 %r3, 0;", "", Error("reads a register that is not written")),
    ("a register that a loop has not written yet", &SUM, "mov.b32 %r6, %f1;\n    shfl.sync.down.b32 %r7|%p2, %r6, %r8, 31, -1;", "shfl.sync.down.b32 %r7|%p2, %r6, %r8, 31, -1; mov.b32 %r6, %f1;", Error("reads a register that is not written")),
    ("an argument that is not passed", &SHIFT, "st.param.b32 [param0], %r1;", "", Error("reads a parameter that is not written")),
    ("a result that is not returned", &SHIFT, "st.param.b32 [func_retval0], %r4;", "", Error("reads a parameter that is not written")),
    ("a mask without half of the lanes", &SUM, "31, -1;", "31, 0xffff;", Error("is not in its own mask")),
    ("a mask without one lane", &SUM, "31, -1;", "31, 0xfffffffb;", Error("thread 2 is not in its own mask")),
    ("a mask that names lanes that have ended", &SUM, "$L2:", "and.b32 %r15, %r1, 31; setp.gt.u32 %p5, %r15, 15; @%p5 exit;\n$L2:", Error("that is undefined")),
    ("an exchange that half of the lanes reach", &SUM, "mov.u32 %r8, 16;", "mov.u32 %r8, 16; and.b32 %r15, %r1, 31; setp.gt.u32 %p5, %r15, 15; @%p5 bra $L3;", Error("for the lanes 0xffffffff")),
    ("a shuffle the other way", &SUM, "shfl.sync.down.b32 %r7|%p2, %r6, %r8, 31", "shfl.sync.up.b32 %r7|%p2, %r6, %r8, 0", Wrong),
    ("a shuffle within halves of a warp", &SUM, "%r8, 31, -1", "%r8, 0x101f, -1", Wrong),
    ("the distances from 8 on", &SUM, "mov.u32 %r8, 16;", "mov.u32 %r8, 8;", Wrong),
    ("a sum rounded to zero", &SUM, "add.rn.f32 %f1", "add.rz.f32 %f1", Wrong),
    ("a sum rounded up", &SUM, "add.rn.f32 %f5", "add.rp.f32 %f5", Wrong),
    ("a warp's first lane that is another one", &SUM, "setp.ne.s32 %p3, %r9, 0", "setp.ne.s32 %p3, %r9, 1", Wrong),
    ("a counter of another digit", &COUNT, "shl.b32 %r10, %r9, 2", "shl.b32 %r10, %r1, 2", Error("outside: ")),
    ("the greatest in the place of the sum", &COUNT, "red.global.add.u32", "red.global.max.u32", Wrong),
    ("a store in the place of an atomic operation", &COUNT, "red.global.add.u32", "st.global.u32", Error("and nothing orders them")),
    ("an update in global memory that is not atomic", &COUNT, "red.global.add.u32 [%rd8], %r13;", "ld.global.u32 %r14, [%rd8]; add.s32 %r14, %r14, %r13; st.global.u32 [%rd8], %r14;", Error("and nothing orders them")),
    ("a volatile update in the place of an atomic one, in a block's own memory", &COUNT, "atom.shared.add.u32 %r12, [%r11], 1;", "ld.volatile.shared.u32 %r12, [%r11]; add.s32 %r12, %r12, 1; st.volatile.shared.u32 [%r11], %r12;", Error("of shared memory")),
    ("an element that every thread writes", &SHIFT, "mul.wide.u32 %rd10, %r1, 4;", "mul.wide.u32 %rd10, %r1, 0;", Error("and nothing orders them")),
    ("a block's result that the next block reads", &SUM, "st.global.f32 [%rd8], %f5;", "st.global.f32 [%rd8], %f5; setp.eq.s32 %p5, %r3, 0; @%p5 bra $L4; ld.global.f32 %f6, [%rd8+-4];", Error("and nothing orders them")),
    ("a function that is not there", &SHIFT, "(retval0), twice,", "(retval0), thrice,", Error("no function `thrice`")),
    ("an argument of another size", &SHIFT, ".param .b32 param0;", ".param .b64 param0;", Error("no function `twice` with such parameters")),
    ("an instruction that the type does not have", &SUM, "add.rn.f32 %f5", "add.rn.s32 %f5", Error("unknown instruction")),
    ("an architecture with other limits", &COUNT, "counts[];", "counts[];\n.shared .align 16 .b8 more[49152];\n.shared .align 16 .b8 most[16];", Error("49168 bytes of shared variables")),
    ("too many parameters", &SHIFT, "kernel_param_2\n)", "kernel_param_2, .param .align 8 .b8 kernel_param_3[32768]\n)", Error("line 19: .visible .entry kernel(")),
];

/// What it breaks, in which kernel, how, and how it is found.
type Wrongly = (&'static str, &'static Kernel, fn(&mut Setup), Found);

/// Of what a kernel is given: the text is right.
#[rustfmt::skip]
const SETUPS: &[Wrongly] = &[
    ("an input of which the last item is not written", &SUM, |setup| setup.written -= 1, Error("of which some are not written")),
    ("an output that is read as constant", &SUM, |setup| setup.in_place = true, Error("by ld.global.nc")),
    ("an input that is one item short", &SUM, |setup| { setup.input.pop(); setup.written -= 1; }, Error("outside: ")),
    ("an output that is one item short", &SUM, |setup| { setup.output.pop(); }, Error("outside: ")),
    ("more threads than the kernel takes", &SUM, |setup| setup.grid.threads[0] = 96, Error("of up to 64 threads")),
    ("more threads than a block has", &COUNT, |setup| setup.grid.threads[0] = 1056, Error("of up to 1024 threads")),
    ("too many threads along the last axis", &COUNT, |setup| setup.grid.threads = [1, 1, 65], Error("along the axes")),
    ("too many blocks along the second axis", &COUNT, |setup| setup.grid.blocks = [1, 65_536, 1], Error("65535] blocks")),
    ("too much shared memory", &COUNT, |setup| setup.grid.shared = 65_552, Error("of up to 65536 of sm_75")),
    ("too little shared memory", &COUNT, |setup| setup.grid.shared = 60, Error("outside: ")),
    ("more blocks than items", &COUNT, |setup| setup.grid.blocks[0] = 3, Error("outside: ")),
    ("another distance", &SHIFT, |setup| setup.number = 1, Error("outside: ")),
];

/// How a mistake was found, if it was not as it has to be.
fn complaint(what: &str, wanted: &Found, found: Result<bool, String>) -> Option<String> {
    match (wanted, &found) {
        (Found::Error(words), Err(why)) if why.contains(words) => None,
        (Found::Result, Ok(false)) => None,
        _ => Some(format!("{what}: {found:?} in the place of {wanted:?}")),
    }
}

/// Is the result the right one?
fn outcome(kernel: &Kernel, text: &str, setup: &Setup) -> Result<bool, String> {
    let expected = (kernel.expected)(&(kernel.setup)());
    run(text, setup, None).map(|left| left == expected)
}

#[test]
fn kernels_without_a_mistake_pass() {
    for (number, kernel) in [SUM, COUNT, SHIFT].iter().enumerate() {
        let setup = (kernel.setup)();
        assert_eq!(outcome(kernel, kernel.text, &setup), Ok(true), "kernel {number}");
        for seed in 0..12 {
            let left = run(kernel.text, &setup, Some(seed));
            assert_eq!(left, Ok((kernel.expected)(&setup)), "kernel {number}, seed {seed}");
        }
    }
}

#[test]
fn every_mistake_is_found() {
    let mut missed = Vec::new();
    for (what, kernel, good, bad, found) in TEXTS {
        assert_eq!(kernel.text.matches(good).count(), 1, "{what}: `{good}`");
        let text = kernel.text.replace(good, bad);
        missed.extend(complaint(what, found, outcome(kernel, &text, &(kernel.setup)())));
    }
    for (what, kernel, change, found) in SETUPS {
        let mut setup = (kernel.setup)();
        change(&mut setup);
        missed.extend(complaint(what, found, outcome(kernel, kernel.text, &setup)));
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
