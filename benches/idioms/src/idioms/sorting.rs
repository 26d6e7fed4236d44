//! Passes of sorts and of prefix sums.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::data::{Size, Twin, hash, output, state};
use crate::hand::CHUNK;
use crate::idiom::{Measured, idiom};

pub fn all() -> Vec<Box<dyn Measured>> {
    let keys = |size: Size| Ok((state([size.of(1 << 18, 1 << 24)], hash)?,));
    let numbers = |size: Size| {
        let n = size.of(1 << 18, 1 << 24);
        Ok((state([n], |i| hash(i) % 16)?, output::<u32, 1, _>([n])?))
    };
    vec![
        idiom("bitonic sort, one pass", keys, bitonic)
            .form("`i ^ j`", bitonic_xor::plan, |(x,)| bitonic_xor(&mut x.field, 512, 64))
            .form("pairs by `/` and `%`", bitonic_pairs::plan, |(x,)| {
                bitonic_pairs(&mut x.field, 512, 64)
            })
            .form("blocks", bitonic_blocks::plan, |(x,)| {
                bitonic_blocks(&mut x.field, 512, 64)
            })
            .done(),
        idiom("odd-even sort, two passes", keys, odd_even)
            .form("own pairs, `if`", pairs_if::plan, |(x,)| {
                pairs_if(&mut x.field, 0)?;
                pairs_if(&mut x.field, 1)
            })
            .form("`min`, `max`", pairs_min::plan, |(x,)| {
                pairs_min(&mut x.field, 0)?;
                pairs_min(&mut x.field, 1)
            })
            .form("`step_by(2)`", pairs_step::plan, |(x,)| {
                pairs_step(&mut x.field, 0)?;
                pairs_step(&mut x.field, 1)
            })
            .done(),
        idiom("prefix sum, one pass of all", numbers, scan)
            .form("`if`", scan_if::plan, |(x, y)| scan_if(&x.field, &mut y.field, 64))
            .form("value of `if`", scan_value::plan, |(x, y)| {
                scan_value(&x.field, &mut y.field, 64)
            })
            .form("two loops", scan_loops::plan, |(x, y)| {
                scan_loops(&x.field, &mut y.field, 64)
            })
            .done(),
        idiom("prefix sums of blocks", numbers, blocks)
            .form("loop over a block", blocks_loop::plan, |(x, y)| {
                blocks_loop(&x.field, &mut y.field)
            })
            .form("`start..start + 256`", blocks_range::plan, |(x, y)| {
                blocks_range(&x.field, &mut y.field)
            })
            .done(),
    ]
}

type Keys = (Twin<u32>,);
type Two = (Twin<u32>, Twin<u32>);

#[kernel]
fn bitonic_xor(x: &mut Field<u32>, k: usize, j: usize) {
    for i in x.indices() {
        let l = i ^ j;
        if l > i {
            // SAFETY: the lower one of each pair exchanges both.
            unsafe {
                let (a, b) = (x[i], x[l]);
                if (i & k == 0) == (a > b) {
                    x[i] = b;
                    x[l] = a;
                }
            }
        }
    }
}

#[kernel]
fn bitonic_pairs(x: &mut Field<u32>, k: usize, j: usize) {
    for p in 0..x.len() / 2 {
        let i = p / j * 2 * j + p % j;
        // SAFETY: pairs have no element in common.
        unsafe {
            let a = x[i];
            let b = x[i + j];
            let swap = if i & k == 0 { a > b } else { a < b };
            if swap {
                x[i] = b;
                x[i + j] = a;
            }
        }
    }
}

#[kernel]
fn bitonic_blocks(x: &mut Field<u32>, k: usize, j: usize) {
    for block in 0..x.len() / (2 * j) {
        let first = block * 2 * j;
        let up = first & k == 0;
        for i in first..first + j {
            // SAFETY: blocks have no element in common.
            unsafe {
                let (low, high) = (x[i].min(x[i + j]), x[i].max(x[i + j]));
                x[i] = if up { low } else { high };
                x[i + j] = if up { high } else { low };
            }
        }
    }
}

#[kernel]
fn pairs_if(x: &mut Field<u32>, odd: usize) {
    for p in 0..(x.len() - odd) / 2 {
        let i = 2 * p + odd;
        // SAFETY: pairs have no element in common.
        unsafe {
            if x[i] > x[i + 1] {
                let a = x[i];
                x[i] = x[i + 1];
                x[i + 1] = a;
            }
        }
    }
}

#[kernel]
fn pairs_min(x: &mut Field<u32>, odd: usize) {
    for p in 0..(x.len() - odd) / 2 {
        // SAFETY: pairs have no element in common.
        unsafe {
            let (a, b) = (x[2 * p + odd], x[2 * p + odd + 1]);
            x[2 * p + odd] = a.min(b);
            x[2 * p + odd + 1] = a.max(b);
        }
    }
}

#[kernel]
fn pairs_step(x: &mut Field<u32>, odd: usize) {
    for i in (odd..x.len() - 1).step_by(2) {
        // SAFETY: pairs have no element in common.
        unsafe {
            let (a, b) = (x[i], x[i + 1]);
            x[i] = a.min(b);
            x[i + 1] = a.max(b);
        }
    }
}

#[kernel]
fn scan_if(x: &Field<u32>, y: &mut Field<u32>, step: usize) {
    for i in y.indices() {
        if i >= step {
            y[i] = x[i] + x[i - step];
        } else {
            y[i] = x[i];
        }
    }
}

#[kernel]
fn scan_value(x: &Field<u32>, y: &mut Field<u32>, step: usize) {
    for i in y.indices() {
        let before = if i < step { 0 } else { x[i - step] };
        y[i] = before + x[i];
    }
}

#[kernel]
fn scan_loops(x: &Field<u32>, y: &mut Field<u32>, step: usize) {
    for i in 0..step {
        y[i] = x[i];
    }
    for i in step..x.len() {
        y[i] = x[i] + x[i - step];
    }
}

#[kernel]
fn blocks_loop(x: &Field<u32>, y: &mut Field<u32>) {
    for block in 0..x.len() / 256 {
        let mut sum = 0;
        for k in 0..256 {
            sum += x[256 * block + k];
            y[256 * block + k] = sum;
        }
    }
}

#[kernel]
fn blocks_range(x: &Field<u32>, y: &mut Field<u32>) {
    for block in 0..x.len() / 256 {
        let start = 256 * block;
        let mut sum = 0;
        for i in start..start + 256 {
            sum += x[i];
            // SAFETY: blocks have no element in common.
            unsafe { y[i] = sum };
        }
    }
}

by_hand! {
    fn bitonic((x,): &mut Keys) {
        x.plain.par_chunks_mut(1024).enumerate().for_each(|(c, x)| {
            for (b, block) in x.chunks_exact_mut(128).enumerate() {
                let up = (c * 1024 + b * 128) & 512 == 0;
                let (left, right) = block.split_at_mut(64);
                for (a, b) in left.iter_mut().zip(right) {
                    let (low, high) = ((*a).min(*b), (*a).max(*b));
                    (*a, *b) = if up { (low, high) } else { (high, low) };
                }
            }
        });
    }

    fn odd_even((x,): &mut Keys) {
        for odd in 0..2 {
            x.plain[odd..].par_chunks_mut(CHUNK).for_each(|x| {
                for pair in x.chunks_exact_mut(2) {
                    let (a, b) = (pair[0], pair[1]);
                    pair[0] = a.min(b);
                    pair[1] = a.max(b);
                }
            });
        }
    }

    fn scan((x, y): &mut Two) {
        let x = &x.plain;
        y.plain[..64].copy_from_slice(&x[..64]);
        y.plain[64..].par_chunks_mut(CHUNK).enumerate().for_each(|(c, y)| {
            let before = &x[c * CHUNK..c * CHUNK + y.len()];
            let here = &x[c * CHUNK + 64..c * CHUNK + 64 + y.len()];
            for (y, (a, b)) in y.iter_mut().zip(before.iter().zip(here)) {
                *y = a + b;
            }
        });
    }

    fn blocks((x, y): &mut Two) {
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.chunks_mut(256).zip(x.chunks(256)) {
                let mut sum = 0;
                for (y, x) in y.iter_mut().zip(x) {
                    sum += x;
                    *y = sum;
                }
            }
        });
    }
}
