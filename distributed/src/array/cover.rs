//! Whether each position of an array is in a chunk, from where the chunks begin and end and from their steps.

use std::collections::{BTreeMap, HashMap};

use crate::array::map::Chunk;
use crate::array::span::{Span, gcd};

/// Kinds of positions that are looked at, beside some for each chunk: a second's work.
const MOST: usize = 1 << 23;

/// The kinds of positions multiply with each step that has no divisor in common with the others.
#[derive(Debug)]
pub(crate) struct TooMany;

/// How much may still be looked at.
struct Budget(usize);

impl Budget {
    fn spend(&mut self, work: usize) -> Result<(), TooMany> {
        self.0 = self.0.checked_sub(work).ok_or(TooMany)?;
        Ok(())
    }
}

/// The first position, in row-major order, that is in none of the chunks, which are inside of the shape.
///
/// Positions along an axis that are in the same chunks are alike: one of them is looked at. How many positions there are does not matter.
///
/// # Errors
/// Where there are too many kinds of them.
pub(crate) fn uncovered<const D: usize>(
    shape: [usize; D],
    chunks: &[&Chunk<D>],
) -> Result<Option<[usize; D]>, TooMany> {
    let mut position = [0; D];
    let mut budget = Budget(MOST + 8 * chunks.len());
    let found = !shape.contains(&0) && search(shape, 0, chunks, &mut position, &mut budget)?;
    Ok(found.then_some(position))
}

/// Whether some position is in none of the chunks, looking at the axes from this one on; it is put in place.
fn search<const D: usize>(
    shape: [usize; D],
    axis: usize,
    chunks: &[&Chunk<D>],
    position: &mut [usize; D],
    budget: &mut Budget,
) -> Result<bool, TooMany> {
    if chunks.is_empty() {
        position[axis..].fill(0);
        return Ok(true);
    }
    if axis == D {
        return Ok(false);
    }
    let mut by_span: HashMap<Span, Vec<&Chunk<D>>> = HashMap::new();
    for chunk in chunks.iter().filter(|chunk| !chunk[axis].is_empty()) {
        by_span.entry(chunk[axis]).or_default().push(chunk);
    }
    let whole = |chunk: &&Chunk<D>| (axis + 1..D).all(|k| chunk[k] == Span::from(0..shape[k]));
    let (spans, of_spans): (Vec<Member>, Vec<Vec<&Chunk<D>>>) = by_span
        .into_iter()
        .map(|(span, chunks)| {
            let closes = chunks.iter().any(whole);
            (Member { span, closes }, chunks)
        })
        .unzip();
    for (first, inside) in kinds(shape[axis], &spans, budget)? {
        position[axis] = first;
        let those: Vec<&Chunk<D>> = inside.iter().flat_map(|k| &of_spans[*k]).copied().collect();
        if search(shape, axis + 1, &those, position, budget)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A span of some chunks along an axis.
struct Member {
    span: Span,
    /// Whether nothing is left to look at on the axes behind where it is: one of the chunks is whole there.
    closes: bool,
}

impl Member {
    /// The positions between which its own are those that have its remainder. They reach as far beyond the first and the last one as
    /// there is no other.
    fn reach(&self, extent: usize) -> [usize; 2] {
        let (first, last) = (self.span.at(0), self.span.end() - 1);
        let step = self.span.step();
        [(first + 1).saturating_sub(step), last.saturating_add(step).min(extent)]
    }
}

/// The kinds of positions along an axis, by their first position: those in the same spans are of one kind. Kinds in spans that close
/// are left out.
fn kinds(extent: usize, spans: &[Member], budget: &mut Budget) -> Result<Vec<(usize, Vec<usize>)>, TooMany> {
    let mut cuts = vec![0, extent];
    cuts.extend(spans.iter().flat_map(|member| member.reach(extent)));
    cuts.sort_unstable();
    cuts.dedup();
    let mut by_start: Vec<usize> = (0..spans.len()).collect();
    by_start.sort_unstable_by_key(|k| spans[*k].reach(extent)[0]);
    let mut coming = by_start.into_iter().peekable();
    let mut active: Vec<usize> = Vec::new();
    let mut found = HashMap::new();
    for cut in cuts.windows(2) {
        while let Some(k) = coming.next_if(|k| spans[*k].reach(extent)[0] <= cut[0]) {
            active.push(k);
        }
        active.retain(|k| spans[*k].reach(extent)[1] > cut[0]);
        Steps::new(spans, &active, cut[1]).kinds(cut[0], &mut found, budget)?;
    }
    let mut kinds: Vec<_> = found.into_iter().map(|(inside, first)| (first, inside)).collect();
    kinds.sort_unstable();
    Ok(kinds)
}

/// The spans of one step, by the remainder of their positions.
struct Step {
    step: usize,
    of_remainder: BTreeMap<usize, Same>,
}

/// Spans with the same positions.
#[derive(Default)]
struct Same {
    spans: Vec<usize>,
    closes: bool,
}

impl Step {
    fn has(&self, position: usize) -> bool {
        self.of_remainder.contains_key(&(position % self.step))
    }
}

/// Positions `first`, `first + apart`, .. that are in the spans `inside` and in no span of the steps `without`; `first` is one.
struct Kind {
    first: usize,
    apart: usize,
    inside: Vec<usize>,
    without: Vec<usize>,
}

/// All spans at positions that are next to one another, before `end`, by rising steps: each span has those with its remainder.
struct Steps {
    steps: Vec<Step>,
    end: usize,
}

impl Steps {
    fn new(spans: &[Member], active: &[usize], end: usize) -> Steps {
        let mut by_step: BTreeMap<usize, BTreeMap<usize, Same>> = BTreeMap::new();
        for k in active {
            let (first, step) = (spans[*k].span.at(0), spans[*k].span.step());
            let same = by_step.entry(step).or_default().entry(first % step).or_default();
            same.spans.push(*k);
            same.closes |= spans[*k].closes;
        }
        let steps = by_step
            .into_iter()
            .map(|(step, of_remainder)| Step { step, of_remainder });
        Steps {
            steps: steps.collect(),
            end,
        }
    }

    /// Adds the kinds of the positions from here on that are not there, each with its first position. Step by step they are split into
    /// those with one of the remainders, and those with none.
    fn kinds(&self, first: usize, found: &mut HashMap<Vec<usize>, usize>, budget: &mut Budget) -> Result<(), TooMany> {
        let all = Kind {
            first,
            apart: 1,
            inside: Vec::new(),
            without: Vec::new(),
        };
        let mut open = vec![(0, all)];
        while let Some((level, mut kind)) = open.pop() {
            budget.spend(1 + kind.without.len())?;
            let Some(step) = self.steps.get(level) else {
                kind.inside.sort_unstable();
                found.entry(kind.inside).or_insert(kind.first);
                continue;
            };
            for (remainder, same) in step.of_remainder.iter().filter(|(_, same)| !same.closes) {
                let with = meet([kind.first, kind.apart], [*remainder, step.step], self.end);
                if let Some([first, apart]) = with
                    && let Some(first) = self.next_without(first, apart, &kind.without, step.step, budget)?
                {
                    let inside = kind.inside.iter().chain(&same.spans).copied().collect();
                    let without = kind.without.clone();
                    let with = Kind {
                        first,
                        apart,
                        inside,
                        without,
                    };
                    open.push((level + 1, with));
                }
            }
            kind.without.push(level);
            let first = match step.has(kind.first) {
                true => self.next_without(kind.first, kind.apart, &kind.without, step.step, budget)?,
                false => Some(kind.first),
            };
            if let Some(first) = first {
                open.push((level + 1, Kind { first, ..kind }));
            }
        }
        Ok(())
    }

    /// The first of the positions `first`, `first + apart`, .. that is in no span of the steps `without`, of which `last` was met last.
    fn next_without(
        &self,
        first: usize,
        apart: usize,
        without: &[usize],
        last: usize,
        budget: &mut Budget,
    ) -> Result<Option<usize>, TooMany> {
        // Whether there is one repeats after the least common multiple of the steps. That is short for steps that divide the
        // distance or the last of them; if these have all positions, the others do not matter.
        let period = multiple(apart, last);
        let divide = without
            .iter()
            .filter(|k| period.is_multiple_of(self.steps[**k].step as u128));
        match self.scan(first, apart, &divide.copied().collect::<Vec<_>>(), budget)? {
            Some(first) => self.scan(first, apart, without, budget),
            None => Ok(None),
        }
    }

    /// The same, position by position until everything repeats.
    fn scan(
        &self,
        first: usize,
        apart: usize,
        without: &[usize],
        budget: &mut Budget,
    ) -> Result<Option<usize>, TooMany> {
        let steps = without.iter().map(|k| &self.steps[*k]);
        let period = steps.clone().try_fold(apart as u128, |period, step| {
            let common = gcd((period % step.step as u128) as usize, step.step);
            period.checked_mul((step.step / common) as u128)
        });
        let mut left = period.map_or(u128::MAX, |period| period / apart as u128);
        let mut position = first;
        while steps.clone().any(|step| step.has(position)) {
            budget.spend(1)?;
            left -= 1;
            match position.checked_add(apart).filter(|next| left > 0 && *next < self.end) {
                Some(next) => position = next,
                None => return Ok(None),
            }
        }
        Ok(Some(position))
    }
}

/// The first position before `end` of `first`, `first + apart`, .. with this remainder by `step`, and how far apart they are, by the
/// Chinese remainder theorem.
fn meet([first, apart]: [usize; 2], [remainder, step]: [usize; 2], end: usize) -> Option<[usize; 2]> {
    let common = gcd(apart, step);
    let behind = (remainder as u128 + (step - first % step) as u128) % step as u128;
    if !behind.is_multiple_of(common as u128) {
        return None;
    }
    let (behind, modulus) = (behind / common as u128, (step / common) as u128);
    let count = behind * inverse((apart / common) as u128, modulus) % modulus;
    let position = first as u128 + count * apart as u128;
    // Beyond all positions there is no second one.
    let apart = usize::try_from(multiple(apart, step)).unwrap_or(usize::MAX);
    (position < end as u128).then_some([position as usize, apart])
}

/// The least common one.
fn multiple(a: usize, b: usize) -> u128 {
    (a / gcd(a, b)) as u128 * b as u128
}

/// What `number`, which has no divisor in common with it, is multiplied with for a remainder of 1 by the modulus.
fn inverse(number: u128, modulus: u128) -> u128 {
    let modulus = modulus as i128;
    let (mut a, mut b) = (number as i128 % modulus, modulus);
    let (mut of_a, mut of_b) = (1, 0);
    while a != 0 {
        let times = b / a;
        (a, b) = (b - times * a, a);
        (of_a, of_b) = (of_b - times * of_a, of_a);
    }
    of_b.rem_euclid(modulus) as u128
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes through all positions.
    fn simple<const D: usize>(shape: [usize; D], chunks: &[&Chunk<D>]) -> Option<[usize; D]> {
        let positions = (0..shape.iter().product()).map(|number: usize| {
            let mut rest = number;
            let mut position = [0; D];
            for k in (0..D).rev() {
                position[k] = rest % shape[k];
                rest /= shape[k];
            }
            position
        });
        let has = |chunk: &Chunk<D>, p: &[usize; D]| (0..D).all(|k| chunk[k].number(p[k]).is_some());
        positions
            .into_iter()
            .find(|p| !chunks.iter().any(|chunk| has(chunk, p)))
    }

    struct Random(u64);

    impl Random {
        /// Below this number.
        fn below(&mut self, end: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % end
        }

        /// Within an extent, often to its ends.
        fn span(&mut self, extent: usize, steps: usize) -> Span {
            let [start, end] = match self.below(4) {
                0 => [0, extent],
                1 => [self.below(steps), extent],
                _ => [self.below(extent + 1), self.below(extent + 1)],
            };
            Span::stepped(start.min(extent)..end, 1 + self.below(steps))
        }
    }

    fn compare<const D: usize>(random: &mut Random, rounds: usize, most: [usize; D], chunks: usize, steps: usize) {
        let mut covered = 0;
        for _ in 0..rounds {
            let shape = most.map(|most| random.below(most + 1));
            let mut all: Vec<Chunk<D>> = Vec::new();
            for _ in 0..random.below(chunks + 1) {
                let mut chunk = shape.map(|extent| random.span(extent, steps));
                // What a chunk leaves out on an axis is filled up at times.
                let axis = random.below(D);
                let step = chunk[axis].step();
                let starts = if random.below(2) == 0 { step } else { 1 };
                for start in 0..starts {
                    if starts > 1 {
                        chunk[axis] = Span::stepped(start..shape[axis], step);
                    }
                    all.push(chunk);
                }
            }
            let all: Vec<&Chunk<D>> = all.iter().collect();
            let expected = simple(shape, &all);
            assert_eq!(uncovered(shape, &all).unwrap(), expected, "{shape:?} {all:?}");
            covered += usize::from(expected.is_none());
        }
        assert!(
            covered > rounds / 10 && covered < rounds * 9 / 10,
            "{covered} of {rounds}"
        );
    }

    #[test]
    fn the_first_position_in_no_chunk_is_that_of_a_search_through_all() {
        let mut random = Random(17);
        compare(&mut random, 20_000, [40], 9, 7);
        compare(&mut random, 5_000, [200], 12, 12);
        compare(&mut random, 5_000, [9, 12], 9, 4);
        compare(&mut random, 2_000, [5, 6, 7], 9, 3);
    }

    #[test]
    fn many_positions_take_no_time() {
        const N: usize = 1 << 40;
        let check = |spans: &[Span], expected: Option<usize>| {
            let chunks: Vec<Chunk<1>> = spans.iter().map(|span| [*span]).collect();
            let found = uncovered([N], &chunks.iter().collect::<Vec<_>>()).unwrap();
            assert_eq!(found.map(|[position]| position), expected, "{spans:?}");
            // On the second axis, below rows that are in chunks of all kinds.
            let chunks: Vec<Chunk<2>> = spans.iter().map(|span| [Span::stepped(1..N, 3), *span]).collect();
            let rest = [
                [Span::stepped(0..N, 3), (0..N).into()],
                [Span::stepped(2..N, 3), (0..N).into()],
            ];
            let found = uncovered([N, N], &chunks.iter().chain(&rest).collect::<Vec<_>>()).unwrap();
            assert_eq!(found, expected.map(|position| [1, position]), "{spans:?}");
        };
        let all = Span::from(0..N);
        let half = N / 2 + 5;
        check(&[(0..half).into(), (half..N).into()], None);
        check(&[(0..half).into(), (half + 1..N).into()], Some(half));
        check(&[(0..half).into(), (7..N - 1).into()], Some(N - 1));
        check(&[Span::stepped(0..N, 2), Span::stepped(1..N, 2)], None);
        check(&[Span::stepped(0..N, 2), Span::stepped(1..N - 1, 2)], Some(N - 1));
        check(&[Span::stepped(0..N, 2), Span::stepped(3..N, 2)], Some(1));
        // Steps whose least common multiple is beyond all positions.
        let [a, b] = [Span::stepped(3..N, (1 << 30) + 3), Span::stepped(5..N, (1 << 29) - 3)];
        check(&[a, b], Some(0));
        check(&[a, all, b], None);
        check(&[a, b, (0..half).into(), (half..N).into()], None);
        check(&[a, b, (0..3).into(), (4..N).into()], None);
        check(&[a, b, (0..4).into(), (6..N).into()], Some(4));
        // Steps of 2, 3, 4, 6 and 12 that have all positions together, and others.
        let cover = [(0, 2), (0, 3), (1, 4), (5, 6), (7, 12), (8, 35), (9, (1 << 20) + 7)];
        let cover = cover.map(|(start, step)| Span::stepped(start..N, step));
        check(&cover, None);
        check(&cover[..4], Some(7));
        check(&cover[1..], Some(2));
    }

    #[test]
    fn the_largest_numbers_do() {
        const N: usize = usize::MAX;
        let step = N / 2 + 1;
        let chunks = [
            Span::stepped(0..N, step),
            (0..7).into(),
            (8..N).into(),
            Span::stepped(N - 1..N, N),
        ];
        let chunks = chunks.map(|span| [span]);
        assert_eq!(uncovered([N], &chunks.each_ref()).unwrap(), Some([7]));
        let steps = [N - 1, N - 2, N / 2, N / 3].map(|step| [Span::stepped(1..N, step)]);
        assert_eq!(uncovered([N], &steps.each_ref()).unwrap(), Some([0]));
        assert_eq!(inverse(N as u128 - 1, N as u128), N as u128 - 1);
    }
}
