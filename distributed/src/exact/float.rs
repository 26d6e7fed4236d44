//! Sums of floats as integers, in units of the least positive `f64`.

use swathe::{bf16, f16};

use crate::exact::{Accumulator, Ordered, Summable, take};

/// Bits of a digit; the rest of an `i64` has room for carries.
const DIGIT: u32 = 32;
/// From the least positive `f64`, 2^-1074, to 2^1024, and room for 2^62 terms.
const DIGITS: usize = (1074 + 1024 + 64) / DIGIT as usize + 1;
/// Terms after which the digits are put in order.
const MOST_TERMS: u32 = 1 << 30;
/// Mantissas of one exponent that an `i64` has room for, and fewer.
const MOST_TOGETHER: usize = 1 << 20;

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

    /// Adds `value` times 2^`shift` of the least unit.
    fn add_scaled(&mut self, value: i64, shift: usize) {
        let (at, wide) = (
            shift / DIGIT as usize,
            u128::from(value.unsigned_abs()) << (shift % DIGIT as usize),
        );
        for k in 0..3 {
            let digit = i64::from((wide >> (k * DIGIT)) as u32);
            self.digits[at + k as usize] += if value < 0 { -digit } else { digit };
        }
        self.terms += 1;
        if self.terms >= MOST_TERMS {
            self.carry();
        }
    }

    /// Adds floats of 32 bits: their mantissas by exponent first. Neighbours, which often have the same exponent, go to different sums.
    fn add_narrow(&mut self, terms: impl Iterator<Item = f32>) {
        let (mut sums, mut special, mut other) = ([[0_i64; 4]; 256], Vec::new(), false);
        for (k, term) in terms.enumerate() {
            let bits = term.to_bits();
            let exponent = (bits >> 23 & 0xff) as usize;
            other |= bits != 1 << 31;
            if exponent == 0xff {
                special.push(term);
                continue;
            }
            let mantissa = bits & 0x007f_ffff | u32::from(exponent > 0) << 23;
            sums[exponent][k % 4] += signed(mantissa.into(), term.is_sign_negative());
        }
        self.empty = false;
        self.other |= other;
        special.into_iter().for_each(|term| Exact::add(self, term.into()));
        for (exponent, sum) in sums.iter().enumerate() {
            // In units of 2^-149.
            self.add_scaled(sum.iter().sum(), exponent.max(1) - 1 + 1074 - 149);
        }
    }

    /// Adds floats of 64 bits: both halves of their mantissas by exponent first.
    fn add_wide(&mut self, terms: impl Iterator<Item = f64>) {
        let (mut sums, mut special, mut other) = (vec![[0_i64; 2]; 2048], Vec::new(), false);
        for term in terms {
            let bits = term.to_bits();
            let exponent = (bits >> 52 & 0x7ff) as usize;
            other |= bits != 1 << 63;
            if exponent == 0x7ff {
                special.push(term);
                continue;
            }
            let mantissa = bits & ((1 << 52) - 1) | u64::from(exponent > 0) << 52;
            let sum = &mut sums[exponent];
            sum[0] += signed(mantissa & 0xffff_ffff, term.is_sign_negative());
            sum[1] += signed(mantissa >> 32, term.is_sign_negative());
        }
        self.empty = false;
        self.other |= other;
        special.into_iter().for_each(|term| Exact::add(self, term));
        for (exponent, [low, high]) in sums.into_iter().enumerate() {
            let shift = exponent.max(1) - 1;
            self.add_scaled(low, shift);
            self.add_scaled(high, shift + 32);
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

#[inline]
fn signed(magnitude: u64, negative: bool) -> i64 {
    let sign = -i64::from(negative);
    (magnitude as i64 ^ sign) - sign
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
    ($($t:ident: $precision:literal, $least:literal, $add_all:ident of $wide:ident, $narrow:expr;)*) => {$(
        impl Summable for $t {
            type Accumulator = Exact;
        }

        impl Accumulator<$t> for Exact {
            #[inline]
            fn add(&mut self, term: $t) {
                Exact::add(self, term.into());
            }

            fn add_all(&mut self, terms: &[$t]) {
                for terms in terms.chunks(MOST_TOGETHER) {
                    self.$add_all(terms.iter().map(|term| $wide::from(*term)));
                }
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
    f64: 53, -1074, add_wide of f64, |value| value;
    f32: 24, -149, add_narrow of f32, |value| value as f32;
    f16: 11, -24, add_narrow of f32, f16::from_f64;
    bf16: 8, -133, add_narrow of f32, bf16::from_f64;
}
