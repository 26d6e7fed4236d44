//! Sums that do not depend on the order of their terms.
//!
//! A sum of floats is kept as an integer, in units of the least positive `f64`, and rounded once, at its end: a *superaccumulator*
//! (R. M. Neal, "Fast exact summation using small and large superaccumulators", arXiv:1505.05571). Integers wrap.

use swathe::{Element, Vector, bf16, f16};

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
    fn merge(&mut self, other: &Self);
    fn sum(&self) -> T;
    fn encode(&self, to: &mut Vec<u8>);
    fn decode(from: &mut &[u8]) -> Option<Self>;
}

/// Bits of a digit; the rest of an `i64` has room for carries.
const DIGIT: u32 = 32;
/// From the least positive `f64`, 2^-1074, to 2^1024, and room for 2^62 terms.
const DIGITS: usize = (1074 + 1024 + 64) / DIGIT as usize + 1;
/// Terms after which the digits are put in order.
const MOST_TERMS: u32 = 1 << 30;

/// A sum of floats.
#[doc(hidden)]
#[derive(Clone)]
pub struct Exact {
    digits: [i64; DIGITS],
    terms: u32,
    /// Whether there is a term of each kind: NaN, infinite of each sign, and any but -0.
    nan: bool,
    infinite: [bool; 2],
    other: bool,
    empty: bool,
}

impl Default for Exact {
    fn default() -> Exact {
        Exact {
            digits: [0; DIGITS],
            terms: 0,
            nan: false,
            infinite: [false; 2],
            other: false,
            empty: true,
        }
    }
}

impl Exact {
    fn add(&mut self, term: f64) {
        let bits = term.to_bits();
        let negative = term.is_sign_negative();
        let (exponent, mantissa) = ((bits >> 52 & 0x7ff) as u32, bits & ((1 << 52) - 1));
        self.empty = false;
        self.other |= bits != 1 << 63;
        if exponent == 0x7ff {
            match mantissa {
                0 => self.infinite[usize::from(negative)] = true,
                _ => self.nan = true,
            }
            return;
        }
        let (mantissa, shift) = match exponent {
            0 => (mantissa, 0),
            _ => (mantissa | 1 << 52, exponent - 1),
        };
        let at = (shift / DIGIT) as usize;
        let wide = u128::from(mantissa) << (shift % DIGIT);
        for k in 0..3 {
            let digit = (wide >> (k * DIGIT)) as u32;
            let digit = if negative { -i64::from(digit) } else { i64::from(digit) };
            self.digits[at + k as usize] += digit;
        }
        self.terms += 1;
        if self.terms >= MOST_TERMS {
            self.carry();
        }
    }

    /// Brings all digits but the last into `0..2^32`.
    fn carry(&mut self) {
        let mut carry = 0;
        let (last, digits) = self.digits.split_last_mut().expect("there are some");
        for digit in digits {
            let sum = *digit + carry;
            *digit = sum & ((1 << DIGIT) - 1);
            carry = sum >> DIGIT;
        }
        *last += carry;
        self.terms = 1;
    }

    fn merge(&mut self, other: &Exact) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        for (digit, others) in self.digits.iter_mut().zip(other.digits) {
            *digit += others;
        }
        self.carry();
        self.nan |= other.nan;
        self.infinite = [0, 1].map(|k| self.infinite[k] | other.infinite[k]);
        self.other |= other.other;
        self.empty &= other.empty;
    }

    /// Rounded to `precision` bits, of which the last one is worth 2^`least` or more.
    fn round(&self, precision: u32, least: i32) -> f64 {
        if self.nan || self.infinite == [true; 2] {
            return f64::NAN;
        }
        match self.infinite {
            [true, _] => return f64::INFINITY,
            [_, true] => return f64::NEG_INFINITY,
            _ => {}
        }
        let mut sum = self.clone();
        sum.carry();
        let negative = sum.digits[DIGITS - 1] < 0;
        if negative {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
        }
        let Some(top) = sum.digits.iter().rposition(|digit| *digit != 0) else {
            return if self.other || self.empty { 0.0 } else { -0.0 };
        };
        let highest = top as u32 * DIGIT + sum.digits[top].ilog2();
        let lowest = (highest + 1).saturating_sub(precision).max((least + 1074) as u32);
        let bit = |k: u32| sum.digits[(k / DIGIT) as usize] >> (k % DIGIT) & 1 == 1;
        let mut quotient = (lowest..=highest)
            .rev()
            .fold(0_u64, |all, k| all << 1 | u64::from(bit(k)));
        if lowest > 0 && bit(lowest - 1) {
            let below = (0..lowest - 1).any(bit);
            quotient += u64::from(below || quotient & 1 == 1);
        }
        // Both factors, and the product unless it is too large, are numbers of `f64`.
        let value = quotient as f64 * power_of_two(lowest as i32 - 1074);
        if negative { -value } else { value }
    }
}

/// Infinite from 2^1024 on.
fn power_of_two(exponent: i32) -> f64 {
    match exponent {
        1024.. => f64::INFINITY,
        -1022.. => f64::from_bits(((exponent + 1023) as u64) << 52),
        _ => f64::from_bits(1 << (exponent + 1074)),
    }
}

macro_rules! floats {
    ($($t:ident: $precision:literal, $least:literal, $narrow:expr;)*) => {$(
        impl Summable for $t {
            type Accumulator = Exact;
        }

        impl Accumulator<$t> for Exact {
            #[inline]
            fn add(&mut self, term: $t) {
                Exact::add(self, term.into());
            }

            fn merge(&mut self, other: &Self) {
                Exact::merge(self, other);
            }

            fn sum(&self) -> $t {
                let narrow: fn(f64) -> $t = $narrow;
                narrow(self.round($precision, $least))
            }

            fn encode(&self, to: &mut Vec<u8>) {
                let mut sum = self.clone();
                sum.carry();
                sum.digits.iter().for_each(|digit| to.extend_from_slice(&digit.to_le_bytes()));
                let [plus, minus] = self.infinite;
                to.extend([self.nan, plus, minus, self.other, self.empty].map(u8::from));
            }

            fn decode(from: &mut &[u8]) -> Option<Self> {
                let mut sum = Exact::default();
                for digit in &mut sum.digits {
                    *digit = i64::from_le_bytes(take(from)?);
                }
                let [nan, plus, minus, other, empty] = take(from)?.map(|byte| byte != 0);
                Some(Exact { nan, infinite: [plus, minus], other, empty, ..sum })
            }
        }

        impl Ordered for $t {
            fn least(self, other: Self) -> Self {
                let turned = self.is_nan() && (!other.is_nan() || other.to_bits() < self.to_bits())
                    || other < self
                    || other == self && other.is_sign_negative();
                if turned { other } else { self }
            }

            fn greatest(self, other: Self) -> Self {
                let turned = self.is_nan() && (!other.is_nan() || other.to_bits() < self.to_bits())
                    || other > self
                    || other == self && self.is_sign_negative();
                if turned { other } else { self }
            }
        }
    )*};
}
floats! {
    f64: 53, -1074, |value| value;
    f32: 24, -149, |value| value as f32;
    f16: 11, -24, f16::from_f64;
    bf16: 8, -133, bf16::from_f64;
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
