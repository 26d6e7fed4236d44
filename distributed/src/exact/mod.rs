//! Sums that do not depend on the order of their terms.
//!
//! A sum of floats is kept as an integer, in units of the least positive `f64`, and rounded once, at its end: a *superaccumulator*
//! (R. M. Neal, "Fast exact summation using small and large superaccumulators", arXiv:1505.05571). Integers wrap.

mod float;

use swathe::{Element, Vector};

/// An element that can be summed over all ranks: numbers, and vectors of them.
///
/// A sum of floats is the exact sum of all terms, rounded once to the nearest number, ties to even. So it has the same bits however the terms
/// are divided among ranks. NaN, and infinities of both signs, give NaN. Integers wrap.
pub trait Summable: Element {
    #[doc(hidden)]
    type Accumulator: Accumulator<Self>;
}

/// A number of which the least and the greatest over all ranks can be found.
///
/// NaN is passed over if there is another number; -0 is less than 0.
pub trait Ordered: Element {
    #[doc(hidden)]
    fn least(self, other: Self) -> Self;
    #[doc(hidden)]
    fn greatest(self, other: Self) -> Self;
}

#[doc(hidden)]
pub trait Accumulator<T>: Default + Send + Sync {
    fn add(&mut self, term: T);
    /// The same for many, faster.
    fn add_all(&mut self, terms: &[T]);
    fn merge(&mut self, other: &Self);
    fn sum(&self) -> T;
    fn encode(&self, to: &mut Vec<u8>);
    fn decode(from: &mut &[u8]) -> Option<Self>;
}

/// A sum of integers, which wraps.
#[doc(hidden)]
#[derive(Default)]
pub struct Wrapping<T>(T);

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl Summable for $t {
            type Accumulator = Wrapping<$t>;
        }

        impl Accumulator<$t> for Wrapping<$t> {
            fn add(&mut self, term: $t) {
                self.0 = self.0.wrapping_add(term);
            }

            fn add_all(&mut self, terms: &[$t]) {
                terms.iter().for_each(|term| self.add(*term));
            }

            fn merge(&mut self, other: &Self) {
                self.add(other.0);
            }

            fn sum(&self) -> $t {
                self.0
            }

            fn encode(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.0.to_le_bytes());
            }

            fn decode(from: &mut &[u8]) -> Option<Self> {
                Some(Wrapping($t::from_le_bytes(take(from)?)))
            }
        }

        impl Ordered for $t {
            fn least(self, other: Self) -> Self {
                self.min(other)
            }

            fn greatest(self, other: Self) -> Self {
                self.max(other)
            }
        }
    )*};
}
integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

/// A sum for each component.
#[doc(hidden)]
pub struct Each<A, const N: usize>([A; N]);

impl<A: Default, const N: usize> Default for Each<A, N> {
    fn default() -> Self {
        Each(std::array::from_fn(|_| A::default()))
    }
}

impl<T: Summable, const N: usize> Summable for Vector<T, N>
where
    Vector<T, N>: Element,
{
    type Accumulator = Each<T::Accumulator, N>;
}

impl<T: Summable, const N: usize> Accumulator<Vector<T, N>> for Each<T::Accumulator, N> {
    fn add(&mut self, term: Vector<T, N>) {
        for (sum, term) in self.0.iter_mut().zip(term.to_array()) {
            sum.add(term);
        }
    }

    fn add_all(&mut self, terms: &[Vector<T, N>]) {
        let mut column = Vec::with_capacity(terms.len());
        for (k, sum) in self.0.iter_mut().enumerate() {
            column.clear();
            column.extend(terms.iter().map(|term| term[k]));
            sum.add_all(&column);
        }
    }

    fn merge(&mut self, other: &Self) {
        for (sum, other) in self.0.iter_mut().zip(&other.0) {
            sum.merge(other);
        }
    }

    fn sum(&self) -> Vector<T, N> {
        Vector::from(std::array::from_fn(|k| self.0[k].sum()))
    }

    fn encode(&self, to: &mut Vec<u8>) {
        self.0.iter().for_each(|sum| sum.encode(to));
    }

    fn decode(from: &mut &[u8]) -> Option<Self> {
        let mut all = Self::default();
        for sum in &mut all.0 {
            *sum = T::Accumulator::decode(from)?;
        }
        Some(all)
    }
}

fn take<const N: usize>(from: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, rest) = from.split_first_chunk::<N>()?;
    *from = rest;
    Some(*taken)
}

#[cfg(test)]
mod tests;
