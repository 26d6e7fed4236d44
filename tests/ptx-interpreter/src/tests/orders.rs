//! Orders that seeds choose.

use std::collections::BTreeSet;

use super::{entry, run_in_order};
use crate::Grid;

const BLOCKS: u32 = 5;
const THREADS: u32 = 80;
const ALL: usize = (BLOCKS * THREADS) as usize;

/// Each thread draws a number, as it comes.
const TICKETS: &str =
    "atom.global.add.u32 %r1, [%d0], 1; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
    mad.lo.s32 %r2, %r2, %r3, %r4; mul.wide.u32 %d1, %r2, 8; add.s64 %d1, %d0, %d1;
    cvt.u64.u32 %d2, %r1; st.global.u64 [%d1+8], %d2;";

/// The numbers of the threads in the order in which they came.
fn order(seed: Option<u64>) -> Vec<usize> {
    let mut words = [0; ALL + 1];
    run_in_order(&entry("", TICKETS), Grid::line(BLOCKS, THREADS, 0), &mut words, seed).unwrap();
    assert_eq!(words[0], ALL as u64);
    let mut order = vec![ALL; ALL];
    for (thread, &ticket) in words[1..].iter().enumerate() {
        order[ticket as usize] = thread;
    }
    assert!(!order.contains(&ALL), "a number was drawn twice");
    order
}

#[test]
fn seeds_give_orders() {
    let by_number: Vec<usize> = (0..ALL).collect();
    assert_eq!(order(None), by_number);
    let orders: Vec<Vec<usize>> = (0..12).map(|seed| order(Some(seed))).collect();
    assert_eq!(orders[3], order(Some(3)), "the same seed gives the same order");
    assert_eq!(orders.iter().collect::<BTreeSet<_>>().len(), 12);
    let firsts = |of: fn(usize) -> usize| orders.iter().map(|order| of(order[0])).collect::<BTreeSet<usize>>();
    // Any block, warp or lane comes first with some seed.
    assert_eq!(firsts(|thread| thread / THREADS as usize).len(), BLOCKS as usize);
    assert_eq!(firsts(|thread| thread % THREADS as usize / 32).len(), 3);
    assert!(firsts(|thread| thread % THREADS as usize % 32).len() > 3);
}

/// A thread stops anywhere, also between a load and a store.
#[test]
fn seeds_find_updates_that_are_lost() {
    let body = "ld.volatile.global.u64 %d1, [%d0]; add.s64 %d1, %d1, 1; st.volatile.global.u64 [%d0], %d1;";
    let count = |seed| {
        let mut words = [0];
        run_in_order(&entry("", body), Grid::line(1, 64, 0), &mut words, seed).map(|()| words[0])
    };
    assert_eq!(count(None), Ok(64));
    assert!((0..12).any(|seed| count(Some(seed)) != Ok(64)));
}

/// A warp that draws its numbers, then meets another one, comes to the same numbers in every order.
#[test]
fn what_waits_for_others_has_one_result() {
    let body = "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 4; mov.u64 %d2, tile; add.s64 %d3, %d2, %d1; st.shared.u32 [%d3], %r1;
        bar.sync 0; setp.gt.u32 %p1, %r1, 31; @%p1 bra F;
        ld.shared.u32 %r2, [%d3+128]; add.s32 %r1, %r1, %r2; mov.u32 %r3, 16;
        L: shfl.sync.bfly.b32 %r4, %r1, %r3, 31, -1; add.s32 %r1, %r1, %r4; shr.u32 %r3, %r3, 1;
        setp.ne.u32 %p2, %r3, 0; @%p2 bra L; st.shared.u32 [%d3], %r1;
        F: bar.sync 0; ld.shared.u32 %r5, [tile+12]; mul.wide.u32 %d1, %r1, 8; mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 8;
        add.s64 %d1, %d0, %d1; cvt.u64.u32 %d2, %r5; st.global.u64 [%d1], %d2;";
    let text = entry(".shared .align 4 .b8 tile[256];", body);
    for seed in 0..12 {
        let mut words = [0; 64];
        run_in_order(&text, Grid::line(1, 64, 0), &mut words, Some(seed)).unwrap();
        assert_eq!(words, [64 * 63 / 2; 64], "{seed}");
    }
    let without = text.replacen("bar.sync 0;", "", 1);
    for seed in 0..12 {
        let found = run_in_order(&without, Grid::line(1, 64, 0), &mut [0; 64], Some(seed)).unwrap_err();
        assert!(found.contains("shared memory"), "{found}");
    }
}
