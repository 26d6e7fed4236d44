//! Fill memory with a pattern.

use super::{at, split};
use crate::entry::kernels;
use crate::grid::Grid;
use crate::word::Word;

/// A pattern of `period` bytes, repeated: byte 0 of it is where the words begin, `head` bytes after `to`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Pattern {
    pub bytes: [u64; 8],
}

kernels! {
    "fill": fill(Fill { to: *mut u8, bytes: u64, head: u32, period: u32, pattern: Pattern });
    fill_1 <u8>; fill_2 <u16>; fill_4 <u32>; fill_8 <u64>; fill_16 <u128>;
}

/// `to + head` is aligned to a word, `head` is less than a word or `bytes`, `period` is a multiple of a word.
#[inline(always)]
unsafe fn fill<W: Word, G: Grid>(g: G, a: Fill) {
    let width = size_of::<W>() as u64;
    let words = a.bytes.wrapping_sub(a.head as u64) / width;
    let tail = a.head as u64 + words * width;
    let period = a.period / size_of::<W>() as u32;
    g.threads_do(|thread| {
        let first = g.block() as u64 * g.threads() as u64 + thread as u64;
        // A thread strides by a multiple of the period, and so writes one and the same word again and again.
        let threads = g.blocks() as u64 * g.threads() as u64;
        let step = if period > 1 {
            (threads - threads % period as u64).max(period as u64)
        } else {
            threads
        };
        let mut lane = first;
        while lane < step {
            let phase = if period > 1 { (lane % period as u64) as u32 } else { 0 };
            let word = W::of_pattern(&a.pattern.bytes, phase * size_of::<W>() as u32);
            let mut index = lane;
            while index < words {
                // SAFETY: the word lies between head and tail.
                unsafe { at::<W>(a.to.add(a.head as usize), index).write(word) };
                index += step;
            }
            lane += threads;
        }
        let mut byte = first;
        let ends = a.head as u64 + (a.bytes - tail);
        while byte < ends {
            let offset = if byte < a.head as u64 {
                byte
            } else {
                tail + (byte - a.head as u64)
            };
            // SAFETY: the byte lies before the words or behind them; a period is not 0.
            unsafe {
                // A head is shorter than 16 periods.
                let (_, phase) = split(offset + a.period as u64 * 16 - a.head as u64, a.period as u64);
                *a.to.add(offset as usize) = u8::of_pattern(&a.pattern.bytes, phase as u32);
            }
            byte += threads;
        }
    });
}
