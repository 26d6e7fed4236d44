//! Cache blocking of loops over several axes: rows are cut into strips, and one strip of many rows comes before the next one.
//!
//! Where an index goes across rows, as in `v[[j, i]] = u[[i, j]]`, neighbours along a row lie in different lines of the cache. The next row needs the same
//! lines again, which are gone by then if the row is long. Those of a strip stay.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The shortest row that is cut, but for those in the next line.
const LONG: usize = 512;
/// So many times as many iterations from a row to the next one that shares its lines, rows are cut that are shorter, down to this part: each strip is a call.
const FAR: usize = 8;
const SHORT: usize = 32;
/// Strips of the shortest long row. One of 128 iterations needs as many lines of the cache, 8 KiB, which may all fall into few of its sets.
const STRIPS: usize = 4;
/// Rows that share their lines, where elements have 4 bytes.
pub const SHARING: usize = 16;

static CUT_FROM: AtomicUsize = AtomicUsize::new(LONG);

/// Cuts rows from this length on, for tests; 0 is what pays.
pub fn cut_rows_from(length: usize) {
    let length = if length == 0 { LONG } else { length };
    CUT_FROM.store(length, Ordering::Relaxed);
}

/// How the rows of a loop are cut.
#[derive(Clone, Copy, Debug)]
pub struct Strips {
    /// Iterations of a row.
    row: usize,
    /// Those of a strip; none where rows stay whole.
    strip: Option<usize>,
    /// Rows from one to the next one that shares its lines.
    apart: usize,
}

impl Strips {
    /// Of a loop over these extents, whose accesses across rows go along `axis`.
    #[must_use]
    pub fn new<const D: usize>(extents: [usize; D], axis: usize) -> Strips {
        let (last, others) = extents.split_last().unwrap_or((&0, &[]));
        let between = others.get(axis + 1..).unwrap_or_default();
        let apart = between.iter().fold(1, |n: usize, extent| n.saturating_mul(*extent));
        let from = CUT_FROM.load(Ordering::Relaxed);
        let far = apart.saturating_mul(*last) >= from.saturating_mul(FAR);
        let long = *last >= from || (far && *last >= from / SHORT);
        Strips {
            row: *last,
            strip: long.then_some(from.div_ceil(STRIPS)),
            apart,
        }
    }

    /// Iterations from a row to the next one that shares its lines, if rows are cut.
    #[must_use]
    pub fn group(&self) -> Option<usize> {
        let group = self.row.saturating_mul(self.apart);
        (self.strip.is_some() && group > 0).then_some(group)
    }

    /// Calls `run` on ranges that together are `range`, each iteration in exactly one of them.
    pub fn each(&self, range: Range<usize>, mut run: impl FnMut(Range<usize>)) {
        let (Some(strip), Some(group)) = (self.strip, self.group()) else {
            return run(range);
        };
        let whole = range.start.div_ceil(group)..range.end / group;
        if whole.len() < 2 {
            return run(range);
        }
        let whole = whole.start * group..whole.end * group;
        if range.start < whole.start {
            run(range.start..whole.start);
        }
        for row in (0..group).step_by(self.row) {
            for first in (0..self.row).step_by(strip) {
                let length = strip.min(self.row - first);
                for start in whole.clone().step_by(group) {
                    let start = start + row + first;
                    run(start..start + length);
                }
            }
        }
        if whole.end < range.end {
            run(whole.end..range.end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(strips: Strips, range: Range<usize>) -> Vec<Range<usize>> {
        let mut taken = Vec::new();
        strips.each(range, |part| taken.push(part));
        taken
    }

    #[test]
    fn each_iteration_is_in_one_range() {
        for (extents, axis) in [([3, 5, 700], 1), ([3, 5, 700], 0), ([4, 1, 513], 0), ([2, 3, 512], 7)] {
            let n: usize = extents.iter().product();
            let strips = Strips::new(extents, axis);
            for range in [0..n, 0..0, 1..n, 0..n - 1, 17..3000.min(n), 700..n - 3, 5..6] {
                let mut found: Vec<usize> = taken(strips, range.clone()).into_iter().flatten().collect();
                found.sort_unstable();
                assert_eq!(found, range.clone().collect::<Vec<_>>(), "{extents:?} {axis} {range:?}");
            }
        }
    }

    #[test]
    fn strips_of_rows_that_share_lines_follow_one_another() {
        let rows = taken(Strips::new([3, 700], 0), 0..2100);
        assert_eq!(rows[..4], [0..128, 700..828, 1400..1528, 128..256]);
        let short = taken(Strips::new([3, 300, 16], 0), 0..14_400);
        assert_eq!(short[..4], [0..16, 4800..4816, 9600..9616, 16..32]);
        let planes = taken(Strips::new([2, 3, 600], 0), 0..3600);
        assert_eq!(planes[..3], [0..128, 1800..1928, 128..256]);
    }

    #[test]
    fn short_rows_and_few_of_them_stay_whole() {
        let whole = |strips: Strips, range: Range<usize>| taken(strips, range.clone()) == vec![range; 1];
        assert!(whole(Strips::new([40, 511], 0), 0..20_440));
        assert!(whole(Strips::new([40, 512], 0), 100..1200));
        assert!(whole(Strips::new([4, 300, 15], 0), 0..18_000));
        assert!(whole(Strips::new([3, 100, 16], 0), 0..4800));
        assert!(whole(Strips::new([0, 512], 0), 0..0));
    }
}
