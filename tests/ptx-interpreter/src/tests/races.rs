//! Accesses to global memory that another order of threads could change, and such that it could not.

use super::{entry, run_text};
use crate::{Grid, Module, Region, Regions, Trace};

fn of(body: &str, blocks: u32, threads: u32) -> Result<(), String> {
    let body =
        format!("mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; or.b32 %r3, %r1, %r2; setp.eq.u32 %p1, %r3, 0; {body}");
    run_text(&entry("", &body), Grid::line(blocks, threads, 0), &mut [0; 4])
}

#[test]
fn what_nothing_orders_is_refused() {
    let (one_block, two_blocks) = ((1, 2), (2, 1));
    let write_one = "@%p1 st.global.u32 [%d0], 1;";
    let add = "atom.global.add.u32 %r4, [%d0], 1;";
    for (first, second) in [
        (write_one, "@!%p1 ld.global.u32 %r4, [%d0];"),
        ("@!%p1 ld.global.u32 %r4, [%d0];", write_one),
        ("st.global.u32 [%d0], %r3;", ""),
        (write_one, add),
        (add, "@%p1 ld.global.u32 %r4, [%d0];"),
        (
            "@%p1 ld.volatile.global.u32 %r4, [%d0];",
            "@!%p1 st.global.u32 [%d0], 1;",
        ),
        // Of different sizes.
        ("@%p1 st.global.u8 [%d0+3], 1;", "@!%p1 ld.global.u64 %d1, [%d0];"),
    ] {
        for (blocks, threads) in [one_block, two_blocks] {
            let found = of(&format!("{first} {second}"), blocks, threads);
            let found = found.expect_err(&format!("{first} {second}, {blocks} blocks"));
            assert!(found.contains("and nothing orders them"), "{first} {second}: {found}");
        }
        // A barrier orders the threads of a block, if the accesses stand on both sides.
        if !second.is_empty() {
            assert_eq!(
                of(&format!("{first} bar.sync 0; {second}"), 1, 2),
                Ok(()),
                "{first} {second}"
            );
        }
    }
}

#[test]
fn what_is_ordered_or_apart_passes() {
    for body in [
        "atom.global.add.u32 %r4, [%d0], 1; red.global.max.u32 [%d0], 3;",
        "ld.volatile.global.u32 %r4, [%d0]; st.volatile.global.u32 [%d0], 1;",
        "ld.global.u32 %r4, [%d0]; ld.global.u32 %r4, [%d0];",
        // The same value from everywhere.
        "st.global.u32 [%d0], 7;",
        // Bytes beside each other.
        "cvt.u64.u32 %d1, %r3; add.s64 %d1, %d0, %d1; st.global.u8 [%d1], 1; ld.global.u8 %h1, [%d1];",
        // The last one of all takes what the others have left in front of a fence.
        "mul.wide.u32 %d1, %r3, 4; add.s64 %d1, %d0, %d1; st.global.u32 [%d1+8], 7; membar.gl;
            atom.global.add.u32 %r4, [%d0], 1; setp.eq.u32 %p2, %r4, 1; @%p2 ld.global.v2.u32 {%r5, %r6}, [%d0+8];",
    ] {
        for (blocks, threads) in [(1, 2), (2, 1)] {
            assert_eq!(of(body, blocks, threads), Ok(()), "{body}");
        }
    }
    let without = "mul.wide.u32 %d1, %r3, 4; add.s64 %d1, %d0, %d1; st.global.u32 [%d1+8], 7;
        atom.global.add.u32 %r4, [%d0], 1; setp.eq.u32 %p2, %r4, 1; @%p2 ld.global.v2.u32 {%r5, %r6}, [%d0+8];";
    assert!(of(without, 2, 1).unwrap_err().contains("and nothing orders them"));
}

/// Parts of a launch that run beside each other are compared behind it.
#[test]
fn parts_of_a_launch_are_joined() {
    let joined = |body: &str| {
        let module = Module::parse(&entry("", body)).unwrap();
        let mut words = [0_u64; 4];
        let start = words.as_mut_ptr().expose_provenance() as u64;
        let (bytes, writable) = (32, true);
        let regions: Regions = [Region { start, bytes, writable }].into_iter().collect();
        let argument = start.to_le_bytes();
        let mut all = Trace::default();
        (0..3).try_for_each(|block| {
            let mut launch = module.launch("e", Grid::line(3, 1, 0), &[&argument], &regions).unwrap();
            // SAFETY: the region is memory that nobody else uses.
            unsafe { launch.run_block(block) }.unwrap();
            all.join(launch.trace()).map_err(|why| why.text)
        })
    };
    let place = "mov.u32 %r1, %ctaid.x; mul.wide.u32 %d1, %r1, 8; add.s64 %d1, %d0, %d1;";
    for apart in [
        "st.global.u64 [%d1], 1;",
        "st.global.u64 [%d0], 1;",
        "ld.global.u64 %d2, [%d0];",
        "atom.global.add.u64 %d2, [%d0], 1;",
        "st.volatile.global.u64 [%d0], %d1; ld.volatile.global.u64 %d2, [%d0];",
        "cvt.u64.u32 %d2, %r1; add.s64 %d2, %d0, %d2; st.global.u8 [%d2], %r1;",
        "st.global.u64 [%d1], %d1; membar.gl; atom.global.add.u64 %d2, [%d0+24], 1; ld.volatile.global.u64 %d2, [%d0];",
    ] {
        assert_eq!(joined(&format!("{place} {apart}")), Ok(()), "{apart}");
    }
    for race in [
        "st.global.u64 [%d0], %d1;",
        "st.global.u64 [%d1], %d1; ld.global.u64 %d2, [%d0];",
        "ld.global.u64 %d2, [%d0]; st.global.u64 [%d1], %d1;",
        "st.global.u64 [%d1], %d1; atom.global.add.u64 %d2, [%d0], 1;",
        "st.global.u8 [%d0+3], %r1; ld.global.u32 %r2, [%d0];",
    ] {
        let found = joined(&format!("{place} {race}")).unwrap_err();
        assert!(found.contains("and nothing orders them"), "{race}: {found}");
    }
}
