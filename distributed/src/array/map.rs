//! Which rank has which parts of an array.

use std::array::from_fn;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use swathe::Position;

use crate::array::cover::{TooMany, uncovered};
use crate::array::span::Span;
use crate::error::{Error, Result};

/// Positions of a chunk along each axis.
pub type Chunk<const D: usize> = [Span; D];

/// Which rank has which chunks of an array. Each position is in one chunk or more; the same on all ranks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexMap<const D: usize> {
    shape: [usize; D],
    /// Of each rank.
    chunks: Vec<Vec<Chunk<D>>>,
}

impl<const D: usize> IndexMap<D> {
    /// An array of this shape with these chunks on the first, second, .. rank.
    ///
    /// ```
    /// use swathe_distributed::{IndexMap, Span};
    ///
    /// let rows = |rows: Span| [rows, Span::from(0..4)];
    /// // The even rows on rank 0, the odd ones on rank 1.
    /// let map = IndexMap::new([5, 4], [vec![rows(Span::stepped(0..5, 2))], vec![rows(Span::stepped(1..5, 2))]])?;
    /// assert_eq!(map.ranks(), 2);
    /// let error = IndexMap::new([5, 4], [vec![rows((0..3).into())], vec![rows((4..5).into())]]).unwrap_err();
    /// assert!(error.to_string().ends_with("got none with [3, 0]"));
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] for a chunk beyond the array, and for a position that is in none: the first one is named. Also for chunks of so many
    /// different steps that it would take long to find out.
    pub fn new(shape: impl Position<D>, chunks: impl Into<Vec<Vec<Chunk<D>>>>) -> Result<IndexMap<D>> {
        let map = IndexMap {
            shape: shape.axes(),
            chunks: chunks.into(),
        };
        let wrong = |expected: &str, got: String| Error::Argument {
            what: format!("chunks of an array of shape {:?}", map.shape),
            expected: expected.to_owned(),
            got,
        };
        for (_, chunk) in map.all() {
            if let Some(axis) = (0..D).find(|k| chunk[*k].end() > map.shape[*k]) {
                return Err(wrong("chunks inside of it", format!("{} on axis {axis}", chunk[axis])));
            }
        }
        match map.uncovered()? {
            Some(position) => Err(wrong("each position in a chunk", format!("none with {position:?}"))),
            None => Ok(map),
        }
    }

    /// The map of what is computed chunk by chunk, from chunks inside of it. Arrays without positions need no chunks, but their sums along an axis have
    /// positions: where some are in none, the first rank gets the whole as its last chunk. Whether it did.
    pub(crate) fn of_result(shape: [usize; D], chunks: Vec<Vec<Chunk<D>>>) -> Result<(IndexMap<D>, bool)> {
        let mut map = IndexMap { shape, chunks };
        let lacks = map.uncovered()?.is_some();
        if lacks {
            map.chunks.resize(map.chunks.len().max(1), Vec::new());
            map.chunks[0].push(shape.map(|length| (0..length).into()));
        }
        Ok((map, lacks))
    }

    /// The first position that is in none of the chunks.
    fn uncovered(&self) -> Result<Option<[usize; D]>> {
        let chunks: Vec<&Chunk<D>> = self.all().map(|(_, chunk)| chunk).collect();
        uncovered(self.shape, &chunks).map_err(|TooMany| {
            let steps: BTreeSet<usize> = chunks.iter().flat_map(|chunk| chunk.map(|span| span.step())).collect();
            Error::Argument {
                what: format!("chunks of an array of shape {:?}", self.shape),
                expected: "chunks of fewer different steps".to_owned(),
                got: format!("{} chunks of {} steps", chunks.len(), steps.len()),
            }
        })
    }

    /// Number of positions along each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; D] {
        self.shape
    }

    /// For how many ranks it is.
    #[must_use]
    pub fn ranks(&self) -> usize {
        self.chunks.len()
    }

    /// The chunks of a rank, none of one that there is not.
    #[must_use]
    pub fn of_rank(&self, rank: usize) -> &[Chunk<D>] {
        self.chunks.get(rank).map_or(&[], Vec::as_slice)
    }

    /// All chunks, by rank.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &Chunk<D>)> {
        let of_rank = |(rank, chunks)| std::iter::repeat(rank).zip(chunks);
        self.chunks.iter().enumerate().flat_map(of_rank)
    }

    /// To be compared among ranks.
    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.shape, &self.chunks).hash(&mut hasher);
        hasher.finish()
    }
}

impl IndexMap<2> {
    /// A matrix cut at these rows and columns, with the ranks that have each block. Blocks of several ranks are replicated.
    ///
    /// ```
    /// use swathe_distributed::IndexMap;
    ///
    /// // Two columns of blocks: the left one on rank 0, the right one on ranks 1 and 2.
    /// let map = IndexMap::blocks(&[0, 2], &[0, 1, 3], &[&[&[0], &[1, 2]]])?;
    /// assert_eq!((map.shape(), map.ranks()), ([2, 3], 3));
    /// # Ok::<(), swathe_distributed::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Argument`] if the cuts do not rise from 0, if there are not as many rows and columns of ranks as there are between
    /// cuts, if a block is of no rank, or if a rank's number is beyond those of any world.
    pub fn blocks(rows: &[usize], columns: &[usize], ranks: &[&[&[usize]]]) -> Result<IndexMap<2>> {
        let wrong = |expected: &str, got: String| Error::Argument {
            what: "blocks of a matrix".to_owned(),
            expected: expected.to_owned(),
            got,
        };
        for cuts in [rows, columns] {
            if cuts.first() != Some(&0) || !cuts.is_sorted() || cuts.len() < 2 {
                return Err(wrong("cuts that rise from 0", format!("{cuts:?}")));
            }
        }
        let fits = ranks.len() == rows.len() - 1 && ranks.iter().all(|row| row.len() == columns.len() - 1);
        if !fits {
            let expected = format!("ranks for {} x {} blocks", rows.len() - 1, columns.len() - 1);
            return Err(wrong(&expected, format!("{ranks:?}")));
        }
        let last = ranks
            .iter()
            .flat_map(|row| row.iter())
            .flat_map(|ranks| ranks.iter())
            .max();
        // More than any world has; each takes some memory.
        const RANKS: usize = 1 << 22;
        if let Some(last) = last.filter(|last| **last >= RANKS) {
            return Err(wrong(&format!("ranks below {RANKS}"), last.to_string()));
        }
        let mut chunks = vec![Vec::new(); last.map_or(0, |last| last + 1)];
        for (i, row) in ranks.iter().enumerate() {
            for (j, ranks) in row.iter().enumerate() {
                for rank in ranks.iter().collect::<BTreeSet<_>>() {
                    chunks[*rank].push([(rows[i]..rows[i + 1]).into(), (columns[j]..columns[j + 1]).into()]);
                }
            }
        }
        IndexMap::new([rows[rows.len() - 1], columns[columns.len() - 1]], chunks)
    }
}

/// The positions of both.
pub(crate) fn meet<const D: usize>(one: &Chunk<D>, other: &Chunk<D>) -> Option<Chunk<D>> {
    let both: Chunk<D> = from_fn(|k| one[k].meet(&other[k]));
    both.iter().all(|span| !span.is_empty()).then_some(both)
}

pub(crate) fn lengths<const D: usize>(chunk: &Chunk<D>) -> [usize; D] {
    chunk.map(|span| span.len())
}

/// Where the positions of `part`, in row-major order, are among those of a chunk that holds them.
pub(crate) fn numbers<const D: usize>(chunk: &Chunk<D>, part: &Chunk<D>) -> impl Iterator<Item = usize> {
    let (shape, counts) = (lengths(chunk), lengths(part));
    let axes: [Vec<usize>; D] = from_fn(|k| {
        let places = (0..counts[k]).map(|n| chunk[k].number(part[k].at(n)).expect("the chunk holds the part"));
        places.collect()
    });
    (0..counts.iter().product::<usize>()).map(move |number| {
        let (mut rest, mut at, mut stride) = (number, 0, 1);
        for k in (0..D).rev() {
            at += axes[k][rest % counts[k]] * stride;
            rest /= counts[k];
            stride *= shape[k];
        }
        at
    })
}
