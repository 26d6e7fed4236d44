//! Divisions of integers that have no result.

use crate::element::KernelType;

/// What an integer is as an operand of a division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Integer {
    /// 0.
    Zero,
    /// -1.
    MinusOne,
    /// The least of a signed type.
    Least,
    /// Any other.
    Other,
}

/// Why a division has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// By zero.
    Zero,
    /// The least integer by -1.
    Overflow,
}

/// Says, in Rust's words, what is wrong with a division.
pub(crate) const fn message(remainder: bool, overflow: bool) -> &'static str {
    match (remainder, overflow) {
        (false, false) => "attempt to divide by zero",
        (true, false) => "attempt to calculate the remainder with a divisor of zero",
        (false, true) => "attempt to divide with overflow",
        (true, true) => "attempt to calculate the remainder with overflow",
    }
}

impl Fault {
    /// Rust's words for it.
    #[must_use]
    pub const fn message(self, remainder: bool) -> &'static str {
        message(remainder, matches!(self, Fault::Overflow))
    }
}

/// Dividend and divisor.
pub struct Operands<'a, A, B>(pub &'a A, pub &'a B);

/// For operands that kernels know: integers, and vectors and matrices of them.
pub trait Checked {
    /// Why they cannot be divided.
    fn __fault(&self) -> Option<Fault>;
}

impl<A: KernelType, B: KernelType> Checked for &Operands<'_, A, B> {
    #[inline(always)]
    fn __fault(&self) -> Option<Fault> {
        let (a, b) = (self.0, self.1);
        let (a_count, b_count) = (A::INTEGERS, B::INTEGERS);
        if a_count == 0 || b_count == 0 {
            return None;
        }
        let dividend = |k| a.integer(if a_count == 1 { 0 } else { k });
        let divisor = |k| b.integer(if b_count == 1 { 0 } else { k });
        for k in 0..b_count {
            if divisor(k) == Integer::Zero {
                return Some(Fault::Zero);
            }
        }
        for k in 0..a_count.max(b_count) {
            if divisor(k) == Integer::MinusOne && dividend(k) == Integer::Least {
                return Some(Fault::Overflow);
            }
        }
        None
    }
}

/// For all other operands, whose division is the user's own.
pub trait Unchecked {
    /// Why they cannot be divided.
    fn __fault(&self) -> Option<Fault>;
}

impl<A, B> Unchecked for Operands<'_, A, B> {
    #[inline(always)]
    fn __fault(&self) -> Option<Fault> {
        None
    }
}
