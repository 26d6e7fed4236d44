//! Blocks of elements of several words, from an array of structures into planes and back, by shuffles of 4 words each of 8 elements.

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Elements in a block.
pub const BLOCK: usize = 64;

/// Whether the code for a block is compiled in the first place.
pub(super) const SHUFFLES: bool = cfg!(target_arch = "x86_64");

/// Elements that are shuffled together: a register of words.
#[cfg(target_arch = "x86_64")]
const GROUP: usize = 8;

/// Words of an element that are shuffled together.
#[cfg(target_arch = "x86_64")]
const QUAD: usize = 4;

/// Takes [`BLOCK`] elements of `words` words apart: word `w` of element `e` goes to `to + w * BLOCK + e`.
///
/// # Safety
/// The processor has AVX2. `from` may be read and `to` be written for all those words; they do not overlap.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
pub(super) unsafe fn take_apart(from: *const u32, to: *mut u32, words: usize) {
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
        }
    }
}
