//! Whether two arguments of an operation have elements in common.

use crate::device::argument::ArgKind;
use crate::device::argument::LaunchArg;

/// Where an argument's elements lie in the memory of its field.
#[derive(Clone, Debug)]
pub(super) enum Span {
    /// Anywhere.
    All,
    /// Nowhere: there are no elements, or they have no bytes.
    Nowhere,
    /// Bytes.
    Bytes(Places),
    /// Positions in the planes of some bytes of each element.
    Planes { bytes: (isize, isize), places: Places },
}

/// Blocks of a size at the places of a first one and strides.
#[derive(Clone, Debug)]
pub(super) struct Places {
    first: isize,
    size: isize,
    /// Strides of axes longer than 1, and their lengths.
    axes: Vec<(isize, isize)>,
}

impl Places {
    fn new(first: isize, size: isize, shape: &[usize], strides: &[isize]) -> Places {
        let axes = shape.iter().zip(strides).filter(|(n, _)| **n > 1);
        Places {
            first,
            size,
            axes: axes.map(|(n, stride)| (*stride, *n as isize)).collect(),
        }
    }

    fn ends(&self) -> (isize, isize) {
        let (mut low, mut high) = (self.first, self.first.saturating_add(self.size));
        for (stride, n) in &self.axes {
            let reach = stride.saturating_mul(n - 1);
            low = low.saturating_add(reach.min(0));
            high = high.saturating_add(reach.max(0));
        }
        (low, high)
    }

    fn is_apart(&self, other: &Places) -> bool {
        if are_apart(self.ends(), other.ends()) {
            return true;
        }
        let steps = self.axes.iter().chain(&other.axes);
        let step = steps.fold(0, |step, (stride, _)| gcd(step, stride.unsigned_abs())) as isize;
        if step == 0 {
            return false;
        }
        // All blocks of either begin at one place modulo the common step.
        let distance = other.first.wrapping_sub(self.first).rem_euclid(step);
        distance >= self.size && step - distance >= other.size
    }
}

fn gcd(a: usize, b: usize) -> usize {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn are_apart(a: (isize, isize), b: (isize, isize)) -> bool {
    a.1 <= b.0 || b.1 <= a.0
}

impl Span {
    /// Of an argument with elements of that size, in a memory at that address.
    pub fn of(argument: &LaunchArg<'_>, memory: *mut u8, size: usize) -> Span {
        let ArgKind::Field {
            at,
            shape,
            part,
            planes,
            ..
        } = argument.0
        else {
            return Span::All;
        };
        if size == 0 || shape.contains(&0) {
            return Span::Nowhere;
        }
        let Some(part) = part else {
            return Span::All;
        };
        let offset = at.addr().wrapping_sub(memory.addr()).cast_signed();
        let size = size as isize;
        match planes {
            None => Span::Bytes(Places::new(offset, size, shape, &part.strides)),
            Some(planes) => Span::Planes {
                bytes: (
                    offset,
                    offset.saturating_add(size.saturating_mul(planes.pitch as isize)),
                ),
                places: Places::new(planes.origin, 1, shape, &part.strides),
            },
        }
    }

    /// Whether it is known that they have none in common.
    pub fn is_apart(&self, other: &Span) -> bool {
        match (self, other) {
            (Span::Nowhere, _) | (_, Span::Nowhere) => true,
            (Span::All, _) | (_, Span::All) => false,
            (Span::Bytes(a), Span::Bytes(b)) => a.is_apart(b),
            (
                Span::Planes { bytes, places },
                Span::Planes {
                    bytes: b,
                    places: other,
                },
            ) => are_apart(*bytes, *b) || places.is_apart(other),
            (Span::Planes { bytes, .. }, Span::Bytes(places)) | (Span::Bytes(places), Span::Planes { bytes, .. }) => {
                are_apart(*bytes, places.ends())
            }
        }
    }
}
