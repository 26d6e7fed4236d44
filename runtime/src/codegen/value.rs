//! Expressions of CUDA C with what printing and ordering them needs.

use std::borrow::Cow;

use swathe_ir::{Scalar, Type};

use super::cells::Trail;
use super::condition::{Condition, Term};
use super::interval::Interval;
use super::scalar;

/// Precedence levels of C++, tightest highest.
pub(super) mod prec {
    pub const ATOM: u8 = 16;
    pub const POSTFIX: u8 = 15;
    pub const UNARY: u8 = 14;
    pub const MUL: u8 = 13;
    pub const ADD: u8 = 12;
    pub const SHIFT: u8 = 11;
    pub const RELATION: u8 = 10;
    pub const EQUALITY: u8 = 9;
    pub const BIT_AND: u8 = 8;
    pub const BIT_XOR: u8 = 7;
    pub const BIT_OR: u8 = 6;
    pub const AND: u8 = 5;
    pub const OR: u8 = 4;
    pub const TERNARY: u8 = 3;
}

/// What evaluating an expression later, or twice, would change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Effect {
    /// Nothing: it depends on immutable variables alone.
    Stable,
    /// It sees writes that happen in between.
    Read,
    /// It writes itself.
    Write,
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub text: String,
    /// Precedence of its outermost operator.
    pub prec: u8,
    /// Its Rust type.
    pub ty: Type,
    pub effect: Effect,
    /// Its C++ type differs from the Rust type, to which it has to be converted (modulo 2^bits) wherever the
    /// difference shows: signed arithmetic runs on unsigned operands, since it wraps in Rust and must not in C++.
    pub wide: bool,
    /// Its value, if it is an integer literal.
    pub lit: Option<i128>,
    /// Bounds of a 64-bit value that the text computes in 32: its C++ type is `u32`.
    pub narrow: Option<Interval>,
    /// For a 64-bit value that may wrap below zero: what computes its last 32 bits.
    pub low: Option<Low>,
    /// For the sum of a 64-bit value that is computed in 32 and a number: the two.
    pub shifted: Option<(String, i128)>,
    /// For a place in an element whose accesses are noted: where.
    pub trail: Option<Box<Trail>>,
    /// Computing it early does nothing that a check could have to prevent: it loads nothing, divides nothing and calls nothing.
    pub arithmetic: bool,
    /// The number that it is, where the text is not its shortest name.
    pub term: Option<Term>,
    /// What it says, if it is Boolean.
    pub condition: Option<Box<Condition>>,
}

/// The last 32 bits of a 64-bit value, enough to check it as an index and to use it as one.
#[derive(Clone, Debug)]
pub(super) struct Low {
    /// Of C++ type `u32`.
    pub text: String,
    pub prec: u8,
    /// Bounds of the value before it wraps.
    pub bounds: Interval,
}

impl Value {
    pub(super) fn new(text: impl Into<String>, prec: u8, ty: Type, effect: Effect) -> Self {
        Value {
            text: text.into(),
            prec,
            ty,
            effect,
            wide: false,
            lit: None,
            narrow: None,
            low: None,
            shifted: None,
            trail: None,
            arithmetic: false,
            term: None,
            condition: None,
        }
    }

    /// A 64-bit value of C++ type `u32`.
    pub(super) fn narrow(text: impl Into<String>, prec: u8, ty: Type, effect: Effect, bounds: Interval) -> Self {
        Value {
            narrow: Some(bounds),
            ..Value::new(text, prec, ty, effect)
        }
    }

    /// The value, known to be arithmetic or not.
    pub(super) fn with_arithmetic(self, arithmetic: bool) -> Self {
        Value { arithmetic, ..self }
    }

    /// A conversion to another scalar type.
    pub(super) fn converted(to: Scalar, a: &Value, ty: Type) -> Self {
        let text = format!("{}({})", scalar::name(to), a.text);
        let arithmetic = a.arithmetic && matches!(to, Scalar::U32 | Scalar::U64 | Scalar::Usize | Scalar::Isize);
        Value::new(text, prec::POSTFIX, ty, a.effect).with_arithmetic(arithmetic)
    }

    /// The value with 64 bits.
    pub(super) fn widened(self) -> Self {
        if self.narrow.is_none() {
            return self;
        }
        let to = self.ty.scalar().unwrap_or(Scalar::Usize);
        Value {
            term: Some(self.term()),
            ..Value::converted(to, &self, self.ty.clone())
        }
    }

    /// The number that it is, whatever the text computes it in.
    pub(super) fn term(&self) -> Term {
        match (self.lit, &self.term) {
            (Some(v), _) => Term::Number(v),
            (None, Some(term)) => term.clone(),
            (None, None) => Term::of(&self.text),
        }
    }

    /// Bounds, if as an operand of 32-bit arithmetic the text means what it means in 64 bits.
    pub(super) fn narrow_operand(&self) -> Option<Interval> {
        match self.lit {
            Some(v) => (0..1 << 31).contains(&v).then(|| Interval::point(v)),
            None => self.narrow,
        }
    }

    /// Its last 32 bits, with bounds, if they are known to tell all.
    pub(super) fn low(&self) -> Option<Low> {
        if let Some(v) = self.lit {
            return (0..1 << 31).contains(&v).then(|| Low {
                text: self.text.clone(),
                prec: self.prec,
                bounds: Interval::point(v),
            });
        }
        match self.narrow {
            Some(bounds) => Some(Low {
                text: self.text.clone(),
                prec: self.prec,
                bounds,
            }),
            None => self.low.clone(),
        }
    }

    /// The same type and bounds under another text, that of a constant that holds the value.
    pub(super) fn named(&self, name: String) -> Value {
        Value {
            narrow: self.narrow,
            low: self.low.as_ref().map(|low| Low::of_constant(&name, low.bounds)),
            ..Value::name(name, self.ty.clone(), true)
        }
    }

    /// A variable.
    pub(super) fn name(text: impl Into<String>, ty: Type, stable: bool) -> Self {
        Value::new(
            text,
            prec::POSTFIX,
            ty,
            if stable { Effect::Stable } else { Effect::Read },
        )
        .with_arithmetic(true)
    }

    /// The text as an operand where operators from `level` up need no parentheses.
    pub(super) fn at(&self, level: u8) -> Cow<'_, str> {
        if self.prec < level {
            Cow::Owned(format!("({})", self.text))
        } else {
            Cow::Borrowed(&self.text)
        }
    }

    /// Whether it can stand several times in the text without harm to speed or reading.
    pub(super) fn is_simple(&self) -> bool {
        self.effect == Effect::Stable && is_simple(&self.text)
    }
}

impl Low {
    /// The last 32 bits of a constant with 64.
    pub(super) fn of_constant(name: &str, bounds: Interval) -> Low {
        Low {
            text: format!("u32({name})"),
            prec: prec::POSTFIX,
            bounds,
        }
    }

    pub(super) fn at(&self, level: u8) -> Cow<'_, str> {
        if self.prec < level {
            Cow::Owned(format!("({})", self.text))
        } else {
            Cow::Borrowed(&self.text)
        }
    }

    /// Whether it can stand several times, if it has no effects.
    pub(super) fn is_simple(&self) -> bool {
        self.text.starts_with("u32(") || is_simple(&self.text)
    }
}

fn is_simple(text: &str) -> bool {
    text.len() <= 24 && !text.contains(['/', '%', '?', '('])
}
