//! Blocks of elements of several words, from an array of structures into planes and back, by shuffles.
//!
//! Elements of an odd number of words: word `w` of element `e` is number `e * words + w`, so the 8 elements of a plane stand at 8
//! different places of the registers that they are in. Which register a place takes its word from is, with planes in the right order, a rotation by a
//! multiple of the place: three steps of blends by fixed masks, one for each bit of the place. A permutation within each register does the
//! rest, and memory is read and written in whole registers. (Catanzaro, Keller, Garland: A decomposition for in-place matrix transposition, 2014.)
//! Other elements go by 4 words of 8 elements at a time.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

pub use crate::host::failure::BLOCK;

/// Whether the code for a block is compiled in the first place.
pub(super) const SHUFFLES: bool = cfg!(target_arch = "x86_64");

/// Elements that are shuffled together: a register of words.
#[cfg(target_arch = "x86_64")]
const GROUP: usize = 8;

/// Words of an element that are shuffled together.
#[cfg(target_arch = "x86_64")]
const QUAD: usize = 4;

/// Calls `$do` with a constant for the number of words, if it is one of those that there is code for.
#[cfg(target_arch = "x86_64")]
macro_rules! odd {
    ($words:expr, $constant:ident, $do:expr) => {
        odd!(@ $words, $constant, $do, 3 5 7 9 11 13 15 17 19 21)
    };
    (@ $words:expr, $constant:ident, $do:expr, $($odd:literal)*) => {
        match $words {
            $($odd => {
                const $constant: usize = $odd;
                $do
            })*
            _ => {}
        }
    };
}

/// Takes [`BLOCK`] elements of `words` words apart: word `w` of element `e` goes to `to + w * BLOCK + e`.
///
/// # Safety
/// The processor has AVX2. `from` may be read and `to` be written for all those words; they do not overlap.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn take_apart(from: *const u32, to: *mut u32, words: usize) {
    // SAFETY: by the caller's word.
    odd!(words, WORDS, return unsafe { take_apart_odd::<WORDS>(from, to) });
    if words < QUAD {
        for element in 0..BLOCK {
            for word in 0..words {
                // SAFETY: a word of an element, by the caller's word.
                unsafe { *to.add(word * BLOCK + element) = *from.add(element * words + word) };
            }
        }
        return;
    }
    let whole = words - words % QUAD;
    for first in (0..BLOCK).step_by(GROUP) {
        // SAFETY: elements and words below their numbers; the last words are taken with those before.
        unsafe {
            let (from, to) = (from.add(first * words), to.add(first));
            for word in (0..whole).step_by(QUAD) {
                planes_of::<0>(from.add(word), to.add(word * BLOCK), words);
            }
            let (from, to) = (from.add(words - QUAD), to.add((words - QUAD) * BLOCK));
            match words % QUAD {
                1 => planes_of::<3>(from, to, words),
                2 => planes_of::<2>(from, to, words),
                3 => planes_of::<1>(from, to, words),
                _ => {}
            }
        }
    }
}

/// Puts [`BLOCK`] elements of `words` words together again: the inverse of [`take_apart`].
///
/// # Safety
/// As for that.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn put_together(from: *const u32, to: *mut u32, words: usize) {
    odd!(words, WORDS, {
        // SAFETY: by the caller's word.
        unsafe { put_together_odd::<WORDS, false>(from, to) };
        return;
    });
    if words < QUAD {
        for element in 0..BLOCK {
            for word in 0..words {
                // SAFETY: a word of an element, by the caller's word.
                unsafe { *to.add(element * words + word) = *from.add(word * BLOCK + element) };
            }
        }
        return;
    }
    let whole = words - words % QUAD;
    for first in (0..BLOCK).step_by(GROUP) {
        // SAFETY: elements and words below their numbers; the last words are written with those before, as they are.
        unsafe {
            let (from, to) = (from.add(first), to.add(first * words));
            for word in (0..whole).step_by(QUAD) {
                elements_of(from.add(word * BLOCK), to.add(word), words);
            }
            if whole < words {
                elements_of(from.add((words - QUAD) * BLOCK), to.add(words - QUAD), words);
            }
        }
    }
}

/// [`put_together`] past the caches, if there is code for that: says whether it did. A [`fence`](super::copy::fence) has to follow on the same
/// thread.
///
/// # Safety
/// As for that.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn stream_together(from: *const u32, to: *mut u32, words: usize) -> bool {
    if to.addr().is_multiple_of(size_of::<__m256i>()) {
        odd!(words, WORDS, {
            // SAFETY: by the caller's word; the address is aligned.
            unsafe { put_together_odd::<WORDS, true>(from, to) };
            return true;
        });
    }
    false
}

/// [`take_apart`] for an odd number of words.
///
/// # Safety
/// As for that.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn take_apart_odd<const WORDS: usize>(from: *const u32, to: *mut u32) {
    let places = const { places::<WORDS>() };
    for first in (0..BLOCK).step_by(GROUP) {
        // SAFETY: by the caller's word: as many registers as words are 8 elements.
        let rows: [_; WORDS] = std::array::from_fn(
            #[inline(always)]
            |row| unsafe { _mm256_loadu_si256(from.add(first * WORDS + GROUP * row).cast()) },
        );
        let planes = rotated(rows, WORDS - const { inverse_of_group(WORDS) });
        for (k, plane) in planes.into_iter().enumerate() {
            let word = GROUP * k % WORDS;
            // SAFETY: the numbers of a register, and a plane by the caller's word.
            unsafe {
                let places = _mm256_loadu_si256(places[word].as_ptr().cast());
                let plane = _mm256_permutevar8x32_epi32(plane, places);
                _mm256_storeu_si256(to.add(word * BLOCK + first).cast(), plane);
            }
        }
    }
}

/// [`put_together`] for an odd number of words; past the caches, if `STREAMS`.
///
/// # Safety
/// As for that. `to` is aligned for a register, if `STREAMS`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn put_together_odd<const WORDS: usize, const STREAMS: bool>(from: *const u32, to: *mut u32) {
    let elements = const { elements::<WORDS>() };
    for first in (0..BLOCK).step_by(GROUP) {
        let planes: [_; WORDS] = std::array::from_fn(
            #[inline(always)]
            |k| {
                let word = GROUP * k % WORDS;
                // SAFETY: a plane by the caller's word, and the numbers of a register.
                unsafe {
                    let plane = _mm256_loadu_si256(from.add(word * BLOCK + first).cast());
                    let elements = _mm256_loadu_si256(elements[word].as_ptr().cast());
                    _mm256_permutevar8x32_epi32(plane, elements)
                }
            },
        );
        let rows = rotated(planes, const { inverse_of_group(WORDS) });
        for (k, row) in rows.into_iter().enumerate() {
            // SAFETY: by the caller's word: as many registers as words are 8 elements.
            unsafe {
                let to = to.add(first * WORDS + GROUP * k).cast();
                match STREAMS {
                    true => _mm256_stream_si256(to, row),
                    false => _mm256_storeu_si256(to, row),
                }
            }
        }
    }
}

/// Place `p` of each register from the one that is `p * step` behind it, in a circle.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn rotated<const N: usize>(mut rows: [__m256i; N], step: usize) -> [__m256i; N] {
    rows = std::array::from_fn(
        #[inline(always)]
        |k| _mm256_blend_epi32::<0b1010_1010>(rows[k], rows[(k + step) % N]),
    );
    rows = std::array::from_fn(
        #[inline(always)]
        |k| _mm256_blend_epi32::<0b1100_1100>(rows[k], rows[(k + 2 * step) % N]),
    );
    std::array::from_fn(
        #[inline(always)]
        |k| _mm256_blend_epi32::<0b1111_0000>(rows[k], rows[(k + 4 * step) % N]),
    )
}

/// What 8 is multiplied by to leave 1 behind multiples of `words`.
#[cfg(target_arch = "x86_64")]
const fn inverse_of_group(words: usize) -> usize {
    let mut inverse = 0;
    while GROUP * inverse % words != 1 {
        inverse += 1;
    }
    inverse
}

/// For each word: at which place each of 8 elements has it.
#[cfg(target_arch = "x86_64")]
const fn places<const WORDS: usize>() -> [[u32; GROUP]; WORDS] {
    let mut places = [[0; GROUP]; WORDS];
    let mut k = 0;
    while k < WORDS * GROUP {
        let (word, element) = (k / GROUP, k % GROUP);
        places[word][element] = ((element * WORDS + word) % GROUP) as u32;
        k += 1;
    }
    places
}

/// For each word: which of 8 elements has it at each place.
#[cfg(target_arch = "x86_64")]
const fn elements<const WORDS: usize>() -> [[u32; GROUP]; WORDS] {
    let mut elements = [[0; GROUP]; WORDS];
    let mut k = 0;
    while k < WORDS * GROUP {
        let (word, element) = (k / GROUP, k % GROUP);
        elements[word][(element * WORDS + word) % GROUP] = element as u32;
        k += 1;
    }
    elements
}

/// The planes of 4 words of 8 elements, from plane `FIRST` of them on.
///
/// # Safety
/// Those of the elements may be read, those of the planes be written.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn planes_of<const FIRST: usize>(from: *const u32, to: *mut u32, words: usize) {
    // SAFETY: by the caller's word.
    let pairs = [0, 1, 2, 3].map(|element| unsafe {
        let low = _mm_loadu_si128(from.add(element * words).cast());
        let high = _mm_loadu_si128(from.add((element + QUAD) * words).cast());
        _mm256_inserti128_si256::<1>(_mm256_castsi128_si256(low), high)
    });
    for (word, plane) in transposed(pairs).into_iter().enumerate().skip(FIRST) {
        // SAFETY: by the caller's word.
        unsafe { _mm256_storeu_si256(to.add(word * BLOCK).cast(), plane) };
    }
}

/// 4 words of 8 elements, from their planes.
///
/// # Safety
/// Those of the planes may be read, those of the elements be written.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
unsafe fn elements_of(from: *const u32, to: *mut u32, words: usize) {
    // SAFETY: by the caller's word.
    let planes = [0, 1, 2, 3].map(|word| unsafe { _mm256_loadu_si256(from.add(word * BLOCK).cast()) });
    for (element, pair) in transposed(planes).into_iter().enumerate() {
        // SAFETY: by the caller's word.
        unsafe {
            _mm_storeu_si128(to.add(element * words).cast(), _mm256_castsi256_si128(pair));
            let high = _mm256_extracti128_si256::<1>(pair);
            _mm_storeu_si128(to.add((element + QUAD) * words).cast(), high);
        }
    }
}

/// Both halves of 4 registers as matrices of 4 x 4 words, transposed.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "avx2")]
fn transposed(rows: [__m256i; 4]) -> [__m256i; 4] {
    let low = _mm256_unpacklo_epi32(rows[0], rows[1]);
    let high = _mm256_unpackhi_epi32(rows[0], rows[1]);
    let low_behind = _mm256_unpacklo_epi32(rows[2], rows[3]);
    let high_behind = _mm256_unpackhi_epi32(rows[2], rows[3]);
    [
        _mm256_unpacklo_epi64(low, low_behind),
        _mm256_unpackhi_epi64(low, low_behind),
        _mm256_unpacklo_epi64(high, high_behind),
        _mm256_unpackhi_epi64(high, high_behind),
    ]
}

/// Never called: [`SHUFFLES`] is false.
///
/// # Safety
/// None.
#[cfg(not(target_arch = "x86_64"))]
pub(super) unsafe fn take_apart(_: *const u32, _: *mut u32, _: usize) {}

/// Never called: [`SHUFFLES`] is false.
///
/// # Safety
/// None.
#[cfg(not(target_arch = "x86_64"))]
pub(super) unsafe fn put_together(_: *const u32, _: *mut u32, _: usize) {}

/// Never called: [`SHUFFLES`] is false.
///
/// # Safety
/// None.
#[cfg(not(target_arch = "x86_64"))]
pub(super) unsafe fn stream_together(_: *const u32, _: *mut u32, _: usize) -> bool {
    false
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        for words in 1..40 {
            let elements: Vec<u32> = (0..(BLOCK * words) as u32)
                .map(|k| k.wrapping_mul(0x9e37_79b9))
                .collect();
            let (mut planes, mut back) = (vec![0; BLOCK * words + 1], vec![0; BLOCK * words + 1]);
            // SAFETY: the vectors hold a block.
            unsafe { take_apart(elements.as_ptr(), planes.as_mut_ptr(), words) };
            for (at, value) in elements.iter().enumerate() {
                assert_eq!(
                    planes[at % words * BLOCK + at / words],
                    *value,
                    "{words} words, at {at}"
                );
            }
            // SAFETY: as above.
            unsafe { put_together(planes.as_ptr(), back.as_mut_ptr(), words) };
            assert_eq!(back[..BLOCK * words], elements, "{words} words");
            assert_eq!([planes[BLOCK * words], back[BLOCK * words]], [0, 0], "{words} words");

            let mut lines = vec![[0_u32; 16]; BLOCK * words / 16 + 1];
            let start = lines.as_mut_ptr().cast::<u32>();
            let start = start.wrapping_add(start.align_offset(32));
            // SAFETY: as above, from the first aligned place on, which is in the first half of a line.
            let streamed = unsafe { stream_together(planes.as_ptr(), start, words) };
            crate::host::copy::fence();
            // SAFETY: these were written, by the vector or by the block.
            let block = unsafe { std::slice::from_raw_parts(start, BLOCK * words) };
            assert_eq!(streamed, words % 2 == 1 && (3..=21).contains(&words), "{words} words");
            assert!(!streamed || block == elements, "{words} words");
        }
    }
}
