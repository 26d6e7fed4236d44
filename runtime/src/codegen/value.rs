//! Expressions of CUDA C with what printing and ordering them needs.

use std::borrow::Cow;

use swathe_ir::Type;

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
        }
    }

    pub(super) fn name(text: impl Into<String>, ty: Type, stable: bool) -> Self {
        Value::new(
            text,
            prec::POSTFIX,
            ty,
            if stable { Effect::Stable } else { Effect::Read },
        )
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
        self.effect == Effect::Stable && self.text.len() <= 24 && !self.text.contains(['/', '%', '?', '('])
    }
}
