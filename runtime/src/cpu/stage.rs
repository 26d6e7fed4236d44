//! Blocks of iterations whose own elements are in planes: large ones, which are copied there and back, and those that are only written, which go from
//! there past the caches.
//!
//! In an array of structures the same scalar of neighbouring elements is far apart, and LLVM's vector code for that is shuffles of what
//! it happens to see. In a block the elements are transposed once, as a whole; what reads and writes them finds a structure of arrays.

use std::mem::MaybeUninit;

pub use super::transpose::BLOCK;
use super::transpose::{SHUFFLES, put_together, stream_together, take_apart};
use crate::access::layout::{Layout, Planar, Steps};
use crate::access::pointer::Pointer;
use crate::access::{Access, Position};
use crate::element::Element;
use crate::host::cache::stream_from;
use crate::host::copy::{LINE, fence, stream, stream_block};
use crate::versions::Target;

/// Size of a word, which is what is transposed.
const WORD: usize = 4;
/// Up to so many scalars LLVM vectorises elements as they are.
const SMALL: usize = 4;
/// Words of all elements of an iteration, so that planes stay in the first cache.
const MOST_WORDS: usize = 96;

/// An operator or method has to be worth so many words that pass through planes.
const WORDS_FOR_WORK: usize = 8;

/// The elements of a block, scalar by scalar.
#[repr(C, align(64))]
#[derive(Debug)]
pub struct Stage<T> {
    values: MaybeUninit<[T; BLOCK]>,
}

impl<T: Element> Stage<T> {
    /// Without values.
    #[inline(always)]
    #[must_use]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Stage {
            values: MaybeUninit::uninit(),
        }
    }

    const WORDS: usize = size_of::<T>() / WORD;
    /// A plane of its own already.
    const SINGLE: bool = size_of::<T>() == T::UNIFORM;

    /// Takes the elements of a field from `first` on, along the last axis.
    ///
    /// # Safety
    /// [`pays`] says so of this field, in code that was given its target by [`versions::call`](crate::versions::call). A block of elements
    /// is in the field, and may be read.
    #[inline(always)]
    pub unsafe fn fill<const D: usize, L: Layout>(&mut self, field: Access<'_, T, D, L>, first: impl Position<D>) {
        let to = self.values.as_mut_ptr();
        // SAFETY: by the caller's word.
        unsafe {
            let from = field.unchecked(first).first().cast_const();
            if Self::SINGLE {
                std::ptr::copy_nonoverlapping(from, to.cast(), BLOCK);
            } else {
                take_apart(from.cast(), to.cast(), Self::WORDS);
            }
        }
    }

    /// The field, of which only the block from `first` on is there.
    ///
    /// # Safety
    /// What is read of it was filled or written before.
    #[inline(always)]
    #[must_use]
    pub unsafe fn view<'a, const D: usize, L: Layout>(
        &mut self,
        field: Access<'a, T, D, L>,
        first: impl Position<D>,
    ) -> Access<'a, T, D, Planar> {
        let mut strides = [0; D];
        let mut origin = 0_isize;
        if let (Some(stride), Some(first)) = (strides.last_mut(), first.axes().last()) {
            *stride = 1;
            origin = origin.wrapping_sub_unsigned(*first);
        }
        let steps = Steps {
            strides,
            pitch: BLOCK,
            origin,
        };
        // SAFETY: by the caller's word no other positions are used.
        unsafe { Access::with_steps(self.values.as_mut_ptr().cast(), field.shape(), steps) }
    }

    /// Writes the elements to a field from `first` on, past the caches if `streams`.
    ///
    /// # Safety
    /// As for [`fill`](Stage::fill), but that they may be written, and all have values.
    #[inline(always)]
    pub unsafe fn flush<const D: usize, L: Layout>(
        &self,
        field: Access<'_, T, D, L>,
        first: impl Position<D>,
        streams: bool,
    ) {
        let from = self.values.as_ptr();
        // SAFETY: by the caller's word.
        unsafe {
            let to = field.unchecked(first).first();
            let mut whole = Stage::<T>::new();
            match (Self::SINGLE, streams) {
                (true, true) => stream_block(to.cast(), from.cast(), size_of::<[T; BLOCK]>()),
                (true, false) => std::ptr::copy_nonoverlapping(from.cast(), to, BLOCK),
                (false, true) if stream_together(from.cast(), to.cast(), Self::WORDS) => {}
                (false, true) => {
                    let whole = whole.values.as_mut_ptr();
                    put_together(from.cast(), whole.cast(), Self::WORDS);
                    stream(to.cast(), whole.cast_const().cast(), size_of::<[T; BLOCK]>());
                }
                (false, false) => put_together(from.cast(), to.cast(), Self::WORDS),
            }
        }
    }
}

impl<T: Element, const D: usize, L: Layout> Access<'_, T, D, L> {
    /// Whether a stack has room for a block of elements, whatever else is to be said for it: known where code is generated, so that none is kept free
    /// for others.
    #[inline(always)]
    #[must_use]
    pub const fn fits_a_block(self) -> bool {
        size_of::<T>() <= MOST_WORDS * WORD
    }

    /// How many words of each element pass through planes, if they can. `in_rows`: iterations of a block differ in the last axis alone.
    #[inline(always)]
    #[must_use]
    pub fn staged(self, in_rows: bool) -> Option<usize> {
        let words = match T::UNIFORM {
            0 => return None,
            WORD => size_of::<T>() / WORD,
            scalar if scalar == size_of::<T>() => scalar.div_ceil(WORD),
            _ => return None,
        };
        ((in_rows || D == 1) && self.is_dense()).then_some(words)
    }

    /// How many elements there are from a position on before one begins a cache line; none if none does, or the field has no such position.
    #[inline(always)]
    #[must_use]
    pub fn head(self, at: impl Position<D>) -> usize {
        let Some(first) = self.checked(at) else { return 0 };
        let start = first.first().addr();
        let begins = |k: &usize| (start + k * size_of::<T>()).is_multiple_of(LINE);
        (0..LINE).find(begins).unwrap_or(0)
    }

    /// Size of all elements, as long as nothing lies between them.
    #[inline(always)]
    #[must_use]
    pub fn bytes(self) -> usize {
        self.len().saturating_mul(size_of::<T>())
    }
}

/// Whether blocks pay where an iteration has these elements, and the body does so much with them (`work`).
#[inline(always)]
#[must_use]
pub fn pays<const N: usize>(target: Target, work: usize, staged: [Option<usize>; N]) -> bool {
    let large = staged.iter().flatten().any(|words| *words > SMALL);
    words(target, staged).is_some_and(|words| large && words <= WORDS_FOR_WORK * work)
}

/// Words of all elements of an iteration, if blocks of them can be.
#[inline(always)]
fn words<const N: usize>(target: Target, staged: [Option<usize>; N]) -> Option<usize> {
    let mut sum = 0;
    for words in staged {
        sum += words?;
    }
    (HAS_AVX2 && target.fuses() && sum <= MOST_WORDS).then_some(sum)
}

/// Whether a processor for which loops are compiled with FMA has AVX2, too.
const HAS_AVX2: bool = SHUFFLES && (!cfg!(target_feature = "fma") || cfg!(target_feature = "avx2"));

/// Whether elements that are written without being read go past the caches, from blocks of those that can be `staged`: in a loop whose fields fill
/// this many bytes.
#[inline(always)]
#[must_use]
pub fn streams<const N: usize, const F: usize>(target: Target, staged: [Option<usize>; N], fields: [usize; F]) -> bool {
    words(target, staged).is_some()
        && fields.iter().fold(0, |sum: usize, bytes| sum.saturating_add(*bytes)) >= stream_from()
}

/// Puts what was streamed before what tells other threads of it.
#[derive(Debug)]
pub struct Streaming(pub bool);

impl Drop for Streaming {
    #[inline(always)]
    fn drop(&mut self) {
        if self.0 {
            fence();
        }
    }
}
