//! Instructions that move data or order threads, and that every instruction of the table has a test of what it does.

use std::collections::BTreeSet;

use super::super::{entry, run_recorded};
use super::{Grid, computed};
use crate::table::TABLE;

/// What stands in front of the entry, for all bodies.
const BEFORE: &str = ".shared .align 16 .b8 tile[64];
    .global .align 4 .b8 data[8] = {1, 2, 3, 255, 5, 6, 7, 8};
    .func (.param .b32 back) next(.param .b32 x) { .reg .b32 %r<3>; ld.param.u32 %r1, [x]; add.s32 %r2, %r1, 1;
    st.param.b32 [back], %r2; ret; }";

/// Opcodes that a body shows, threads, the body, and the first words that it leaves of [1, 2, 3, 0, 0, 0].
#[rustfmt::skip]
const BODIES: &[(&[&str], u32, &str, &[u64])] = &[
    (&["mov.b64", "mov.u32", "mov.b32"], 1,
        "mov.u32 %r1, %ntid.x; mov.b32 %r2, 0x80000000; mov.b64 %d1, {%r1, %r2}; st.global.u64 [%d0], %d1; mov.b64 {%r3, %r4}, %d1;
        mov.b32 {%h1, %h2}, %r4; st.global.u16 [%d0+8], %h2;", &[0x8000_0000_0000_0001, 0x8000]),
    (&["mov.f32", "mov.f64", "mov.pred"], 1,
        "mov.f32 %f1, 0fBF800000; st.global.f32 [%d0], %f1; mov.f64 %g1, 0d8000000000000000; st.global.f64 [%d0+8], %g1;
        setp.eq.s32 %p1, 0, 0; mov.pred %p2, %p1; @%p2 st.global.u64 [%d0+16], 7;", &[0xbf80_0000, 1 << 63, 7]),
    // The address of a kernel's parameter, from which it is read.
    (&["mov.b64", "ld.param.u64", "ld.param.v2.u32"], 1,
        "mov.b64 %d1, e_param_0; ld.param.u64 %d2, [%d1]; ld.param.v2.u32 {%r1, %r2}, [%d1]; mov.b64 %d3, {%r1, %r2};
        sub.s64 %d2, %d2, %d0; st.global.u64 [%d0], %d2; sub.s64 %d3, %d3, %d0; st.global.u64 [%d0+8], %d3;", &[0, 0]),
    // The sign of what is narrow goes through the whole register.
    (&["ld.global.s8", "ld.global.u8", "st.global.u32"], 1,
        "mov.u64 %d1, data; ld.global.s8 %r1, [%d1+3]; ld.global.u8 %r2, [%d1+3]; st.global.u32 [%d0], %r1; st.global.u32 [%d0+4], %r2;",
        &[0x0000_00ff_ffff_ffff]),
    (&["ld.global.v2.u64", "st.global.v2.u32"], 1,
        "ld.global.v2.u64 {%d1, %d2}, [%d0+16]; st.global.v2.u32 [%d0], {7, 8}; st.global.u64 [%d0+8], %d1;", &[0x8_0000_0007, 3]),
    (&["ld.shared.u32", "st.shared.v2.u16"], 1,
        "st.shared.v2.u16 [tile+4], {1, 0xffff}; ld.shared.u32 %r1, [tile+4]; st.global.u64 [%d0], 0; st.global.u32 [%d0], %r1;",
        &[0xffff_0001]),
    (&["cvta.shared.u64", "cvta.to.shared.u64", "ld.u32"], 1,
        "mov.u64 %d1, tile; st.shared.u32 [%d1+8], 9; cvta.shared.u64 %d2, %d1; ld.u32 %r1, [%d2+8]; cvta.to.shared.u64 %d3, %d2;
        sub.s64 %d3, %d3, %d1; st.global.u64 [%d0], %d3; cvt.u64.u32 %d4, %r1; st.global.u64 [%d0+8], %d4;", &[0, 9]),
    (&["shfl.sync.up.b32", "shfl.sync.bfly.b32", "shfl.sync.idx.b32", "shfl.sync.down.b32"], 4,
        "mov.u32 %r1, %tid.x; shfl.sync.up.b32 %r2|%p1, %r1, 1, 0, 15; shfl.sync.bfly.b32 %r3, %r1, 3, 31, 15;
        shfl.sync.idx.b32 %r4, %r1, 2, 31, 15; shfl.sync.down.b32 %r5|%p2, %r1, 1, 0x1c03, 15;
        selp.b32 %r6, 1, 0, %p1; selp.b32 %r7, 1, 0, %p2; shl.b32 %r2, %r2, 4; or.b32 %r2, %r2, %r3; shl.b32 %r4, %r4, 8; or.b32 %r2, %r2, %r4;
        shl.b32 %r5, %r5, 12; or.b32 %r2, %r2, %r5; shl.b32 %r6, %r6, 16; or.b32 %r2, %r2, %r6; shl.b32 %r7, %r7, 20; or.b32 %r2, %r2, %r7;
        mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d0, %d1; cvt.u64.u32 %d2, %r2; st.global.u64 [%d1], %d2;",
        // Bits from the lowest: butterfly, up, index, down, whether up and down are inside.
        &[0x10_1203, 0x11_2202, 0x11_3211, 0x01_3220]),
    (&["atom.global.add.u32", "red.global.max.s32", "red.shared.or.b32"], 1,
        "atom.global.add.u32 %r1, [%d0], 5; red.global.max.s32 [%d0+8], -1; st.shared.u32 [tile], 5; red.shared.or.b32 [tile], 10;
        ld.shared.u32 %r2, [tile]; cvt.u64.u32 %d1, %r2; st.global.u64 [%d0+16], %d1;", &[6, 2, 15]),
    (&["bra", "bra.uni"], 1,
        "mov.u32 %r1, 0; L: add.s32 %r1, %r1, 3; setp.lt.s32 %p1, %r1, 10; @%p1 bra L; bra.uni E; mov.u32 %r1, 0;
        E: cvt.u64.u32 %d1, %r1; st.global.u64 [%d0], %d1;", &[12]),
    (&["call.uni", "ret"], 1,
        "{ .param .b32 p; .param .b32 q; st.param.b32 [p], 41; call.uni (q), next, (p); ld.param.u32 %r1, [q]; }
        cvt.u64.u32 %d1, %r1; st.global.u64 [%d0], %d1;", &[42]),
    (&["exit"], 2,
        "mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 0; @%p1 exit; st.global.u64 [%d0], 9;", &[9]),
    (&["bar.sync", "bar.warp.sync"], 64,
        "mov.u32 %r1, %tid.x; setp.eq.s32 %p1, %r1, 63; @%p1 st.shared.u32 [tile], 8; bar.sync 0; bar.warp.sync -1;
        ld.shared.u32 %r2, [tile]; setp.eq.s32 %p2, %r1, 0; cvt.u64.u32 %d1, %r2; @%p2 st.global.u64 [%d0], %d1;", &[8]),
    (&["activemask.b32"], 5,
        "mov.u32 %r1, %tid.x; setp.gt.s32 %p1, %r1, 2; @%p1 exit; activemask.b32 %r2; setp.eq.s32 %p2, %r1, 0;
        cvt.u64.u32 %d1, %r2; @%p2 st.global.u64 [%d0], %d1;", &[7]),
    (&["membar.gl", "fence.acq_rel.gpu"], 1,
        "st.global.u64 [%d0], 4; membar.gl; fence.acq_rel.gpu; ld.global.u64 %d1, [%d0]; st.global.u64 [%d0+8], %d1;", &[4, 4]),
    (&["add.cc.u32", "addc.u32", "sub.cc.u32", "subc.u32"], 1,
        "add.cc.u32 %r1, 0xffffffff, 1; addc.u32 %r2, 0, 0; sub.cc.u32 %r3, 0, 1; subc.u32 %r4, 5, 0;
        st.global.v4.u32 [%d0], {%r1, %r2, %r3, %r4};", &[1 << 32, 0x4_ffff_ffff]),
    (&["mad.lo.cc.u32", "madc.hi.u32"], 1,
        "mad.lo.cc.u32 %r1, 0xffffffff, 2, 2; madc.hi.u32 %r2, 0xffffffff, 2, 0; st.global.v2.u32 [%d0], {%r1, %r2};", &[2 << 32]),
];

/// As far as a vector needs to be aligned.
#[repr(align(16))]
struct Words([u64; 6]);

#[test]
fn every_instruction_has_a_test_of_what_it_does() {
    let (mut tested, wrong) = computed();
    assert!(wrong.is_empty());
    for (opcodes, threads, body, expected) in BODIES {
        let mut words = Words([1, 2, 3, 0, 0, 0]);
        let ran = run_recorded(&entry(BEFORE, body), Grid::line(1, *threads, 0), &mut words.0, None);
        let ran = ran.unwrap_or_else(|why| panic!("{opcodes:?}: {why}"));
        assert_eq!(words.0[..expected.len()], **expected, "{opcodes:?}");
        for opcode in *opcodes {
            assert!(ran.contains(*opcode), "{opcode} did not run");
            tested.insert((*opcode).to_owned());
        }
    }
    let names: BTreeSet<&str> = tested.iter().filter_map(|opcode| opcode.split('.').next()).collect();
    let missing: Vec<&str> = TABLE
        .iter()
        .map(|row| row.0)
        .filter(|name| !names.contains(name))
        .collect();
    assert!(missing.is_empty(), "no test of values: {missing:?}");
}
