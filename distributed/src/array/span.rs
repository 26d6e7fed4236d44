//! Positions along an axis in equal steps.

use std::fmt;
use std::ops::Range;

/// Positions along one axis: `count` of them from `start` on, `step` apart. A range of positions is one with a step of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    start: usize,
    step: usize,
    count: usize,
}

impl Span {
    /// The positions of a range of which each `step`th one is taken, the first one to begin with; a step of 0 counts as 1.
    ///
    /// ```
    /// use swathe_distributed::Span;
    ///
    /// assert_eq!(Span::stepped(1..8, 3).to_string(), "1..8;3");
    /// assert_eq!(Span::from(2..4).to_string(), "2..4");
    /// ```
    #[must_use]
    pub fn stepped(range: Range<usize>, step: usize) -> Span {
        let (step, length) = (step.max(1), range.end.saturating_sub(range.start));
        let count = length.div_ceil(step);
        // One form for each set of positions: they are compared.
        Span {
            start: if count == 0 { 0 } else { range.start },
            step: if count < 2 { 1 } else { step },
            count,
        }
    }

    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// How far apart the positions are.
    pub(crate) fn step(&self) -> usize {
        self.step
    }

    /// Position number `k`.
    pub(crate) fn at(&self, k: usize) -> usize {
        self.start + k * self.step
    }

    /// The number of a position, if it is one of these.
    pub(crate) fn number(&self, position: usize) -> Option<usize> {
        let behind = position.checked_sub(self.start)?;
        (behind.is_multiple_of(self.step) && behind / self.step < self.count).then_some(behind / self.step)
    }

    /// One beyond the last position.
    pub(crate) fn end(&self) -> usize {
        match self.count {
            0 => self.start,
            count => self.at(count - 1) + 1,
        }
    }

    /// The positions of both: by the Chinese remainder theorem they are in equal steps, too.
    pub(crate) fn meet(&self, other: &Span) -> Span {
        let common = self.step / gcd(self.step, other.step);
        let apart = common.saturating_mul(other.step);
        let (start, end) = (self.start.max(other.start), self.end().min(other.end()));
        // Of each `apart` positions at most one is in both: it is searched among those of the span with the longer steps.
        let (wide, narrow) = if self.step >= other.step {
            (self, other)
        } else {
            (other, self)
        };
        let first = (0..narrow.step)
            .map(|k| wide.first_on(start) + k * wide.step)
            .find(|position| *position >= end || narrow.is_on(*position));
        match first {
            Some(first) if first < end => Span::stepped(first..end, apart),
            _ => Span::stepped(0..0, 1),
        }
    }

    /// The first position from here on that is a number of steps behind the start.
    fn first_on(&self, position: usize) -> usize {
        self.start + position.saturating_sub(self.start).next_multiple_of(self.step)
    }

    /// Whether a position is a number of steps away from the start.
    fn is_on(&self, position: usize) -> bool {
        position.abs_diff(self.start).is_multiple_of(self.step)
    }

    /// Whether all positions of `other` are among these.
    pub(crate) fn holds(&self, other: &Span) -> bool {
        self.meet(other) == *other
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Span {
        Span::stepped(range, 1)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end())?;
        match self.step {
            1 => Ok(()),
            step => write!(f, ";{step}"),
        }
    }
}

pub(crate) fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_meet_where_both_have_positions() {
        let spans: Vec<Span> = (0..7)
            .flat_map(|start| (0..14).step_by(3).map(move |end| (start, end)))
            .flat_map(|(start, end)| (1..6).map(move |step| Span::stepped(start..end, step)))
            .collect();
        let all = |span: &Span| (0..span.len()).map(|k| span.at(k)).collect::<Vec<_>>();
        for a in &spans {
            for b in &spans {
                let both: Vec<usize> = (0..20)
                    .filter(|p| a.number(*p).is_some() && b.number(*p).is_some())
                    .collect();
                assert_eq!(all(&a.meet(b)), both, "{a} and {b}");
                assert_eq!(a.holds(b), both == all(b), "{a} and {b}");
                // Equal sets of positions are equal.
                assert_eq!(a == b, all(a) == all(b), "{a} and {b}");
            }
        }
    }
}
