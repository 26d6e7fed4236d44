//! Which bytes of a region hold values that somebody wrote.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// A bit for each byte.
#[derive(Debug)]
pub struct Written {
    words: Box<[AtomicU64]>,
}

impl Written {
    /// None of so many.
    #[must_use]
    pub fn new(bytes: usize) -> Written {
        Written {
            words: (0..bytes.div_ceil(64)).map(|_| AtomicU64::new(0)).collect(),
        }
    }

    /// The words of a range, each with the bits that are in it; what is outside is left out.
    fn parts(&self, start: usize, bytes: usize) -> impl Iterator<Item = (&AtomicU64, u64)> {
        let end = start.saturating_add(bytes).min(self.words.len() * 64);
        let start = start.min(end);
        let words = start / 64..if start < end { end.div_ceil(64) } else { 0 };
        words.map(move |k| {
            let from = start.saturating_sub(k * 64);
            let to = (end - k * 64).min(64);
            let mask = (u64::MAX >> (64 - (to - from))) << from;
            (&self.words[k], mask)
        })
    }

    /// They are written, or are not.
    pub fn set(&self, start: usize, bytes: usize, written: bool) {
        for (word, mask) in self.parts(start, bytes) {
            match written {
                true => word.fetch_or(mask, Relaxed),
                false => word.fetch_and(!mask, Relaxed),
            };
        }
    }

    /// Are all of them written?
    #[must_use]
    pub fn all(&self, start: usize, bytes: usize) -> bool {
        self.parts(start, bytes)
            .all(|(word, mask)| word.load(Relaxed) & mask == mask)
    }

    /// For each byte, whether it is written.
    pub fn each(&self, start: usize, bytes: usize) -> impl Iterator<Item = bool> {
        (start..start + bytes).map(|k| self.all(k, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_across_words() {
        let written = Written::new(200);
        written.set(60, 70, true);
        assert!(written.all(60, 70) && written.all(63, 2) && written.all(129, 1) && written.all(7, 0));
        assert!(!written.all(59, 2) && !written.all(129, 2) && !written.all(0, 200));
        written.set(100, 1, false);
        assert!(written.all(60, 40) && !written.all(60, 70) && written.all(101, 29));
        assert!(written.each(99, 3).eq([true, false, true]));
        // Beyond the end nothing is kept.
        written.set(190, 1000, true);
        assert!(written.all(190, 10));
    }
}
