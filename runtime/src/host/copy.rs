//! Copies of contiguous memory on all threads.

use std::ops::Range;

use super::cache::is_large;
use super::{SendPtr, parallel};

/// Copies are spread over threads in blocks of this many bytes.
pub(crate) const BLOCK: usize = 1 << 16;
/// Size of a cache line.
pub(crate) const LINE: usize = 64;

/// Copies bytes.
///
/// # Safety
/// Both addresses are valid for them, do not overlap, and nobody else accesses them.
pub(crate) unsafe fn copy(to: *mut u8, from: *const u8, bytes: usize) {
    let large = is_large(bytes);
    let to = SendPtr::new(to);
    let from = SendPtr::new(from.cast_mut());
    parallel::for_each(bytes.div_ceil(BLOCK), Some(cost(BLOCK)), |range: Range<usize>| {
        let start = range.start * BLOCK;
        let end = (range.end * BLOCK).min(bytes);
        // SAFETY: both ranges are valid by the caller's word, and distinct blocks do not overlap.
        unsafe {
            let (to, from) = (to.get().add(start), from.get().add(start));
            if large {
                stream(to, from, end - start);
                fence();
            } else {
                std::ptr::copy_nonoverlapping(from, to, end - start);
            }
        }
    });
}

/// Operations that a copy takes: about 8 bytes in a nanosecond and a thread.
pub(crate) fn cost(bytes: usize) -> u32 {
    u32::try_from(bytes / 2).unwrap_or(u32::MAX)
}

/// [`stream`] of a number of bytes that is known to the compiler, in its instruction set.
///
/// # Safety
/// As for [`copy`]; the bytes are initialised.
#[inline(always)]
pub(crate) unsafe fn stream_block(to: *mut u8, from: *const u8, bytes: usize) {
    // SAFETY: by the caller's word; `to` is a multiple of a cache line where lines are written.
    unsafe {
        if !to.addr().is_multiple_of(LINE) || !bytes.is_multiple_of(LINE) {
            return stream(to, from, bytes);
        }
        for k in (0..bytes).step_by(LINE) {
            stream_numbers(to.add(k), from.add(k));
        }
    }
}

/// Copies whole cache lines by stores that go past the caches. A [`fence`] has to follow on the same thread.
///
/// # Safety
/// As for [`copy`].
#[inline(never)]
pub(crate) unsafe fn stream(to: *mut u8, from: *const u8, bytes: usize) {
    let head = to.align_offset(LINE).min(bytes);
    let lines = (bytes - head) / LINE;
    let tail = head + lines * LINE;
    // SAFETY: by the caller's word; `to + head` begins a cache line.
    unsafe {
        std::ptr::copy_nonoverlapping(from, to, head);
        for k in (head..tail).step_by(LINE) {
            stream_line(to.add(k), from.add(k));
        }
        std::ptr::copy_nonoverlapping(from.add(tail), to.add(tail), bytes - tail);
    }
}

/// # Safety
/// As for [`stream_line`]; the bytes are initialised.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
unsafe fn stream_numbers(to: *mut u8, from: *const u8) {
    use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_stream_si128};
    let (to, from) = (to.cast::<__m128i>(), from.cast::<__m128i>());
    // SAFETY: by the caller's word.
    unsafe {
        let parts = [0, 1, 2, 3].map(|part| _mm_loadu_si128(from.add(part)));
        for (part, value) in parts.into_iter().enumerate() {
            _mm_stream_si128(to.add(part), value);
        }
    }
}

/// # Safety
/// Both addresses are valid for 64 bytes, of which `to` is a multiple.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
unsafe fn stream_line(to: *mut u8, from: *const u8) {
    use std::arch::asm;
    use std::arch::x86_64::__m128i;
    use std::mem::MaybeUninit;

    // Not by the intrinsic: elements may have padding, which is no number.
    // SAFETY: by the caller's word.
    let [a, b, c, d] = unsafe { from.cast::<[MaybeUninit<__m128i>; 4]>().read_unaligned() };
    // SAFETY: the stores are to these 64 bytes. What they go past is fenced by the caller.
    unsafe {
        asm!(
            "movntdq xmmword ptr [{to}], {a}",
            "movntdq xmmword ptr [{to} + 16], {b}",
            "movntdq xmmword ptr [{to} + 32], {c}",
            "movntdq xmmword ptr [{to} + 48], {d}",
            to = in(reg) to,
            a = in(xmm_reg) a,
            b = in(xmm_reg) b,
            c = in(xmm_reg) c,
            d = in(xmm_reg) d,
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(not(target_arch = "x86_64"))]
use stream_line as stream_numbers;

#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
unsafe fn stream_line(to: *mut u8, from: *const u8) {
    // SAFETY: by the caller's word.
    unsafe { std::ptr::copy_nonoverlapping(from, to, 64) }
}

/// Puts the stores of [`stream`] before those that tell other threads of the end.
#[inline]
pub(crate) fn fence() {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every processor of this architecture has it.
    unsafe {
        std::arch::x86_64::_mm_sfence();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::host::cache::LARGE;

    #[test]
    fn every_byte_once() {
        for bytes in [0, 1, 63, 64, 65, 200, LARGE - 1, LARGE, LARGE + 12_345] {
            for (to_shift, from_shift) in [(0, 0), (1, 0), (17, 5), (63, 64)] {
                let value = |k: usize| (k * k / 7 + k) as u8;
                let from: Vec<u8> = (0..bytes + 64).map(value).collect();
                let mut to = vec![99; bytes + 65];
                // SAFETY: both vectors are longer by the shifts.
                unsafe { copy(to.as_mut_ptr().add(to_shift), from.as_ptr().add(from_shift), bytes) };
                assert!(
                    to[..to_shift]
                        .iter()
                        .chain(&to[to_shift + bytes..])
                        .all(|byte| *byte == 99)
                );
                assert!(
                    to[to_shift..to_shift + bytes] == from[from_shift..from_shift + bytes],
                    "{bytes} {to_shift}"
                );
            }
        }
    }
}
