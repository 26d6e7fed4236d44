//! Conditions as data, beside the text that they are printed as: what follows from a Boolean value that is true, or false.

use std::fmt;

use swathe_ir::{BinOp, Type};

use super::value::{Effect, Value};

/// A number. Equal terms are equal numbers, as long as the variables that they name do not change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    Number(i128),
    /// What an expression stands for, and a number that is added to it in 64 bits, modulo 2^64.
    Sum(String, i128),
}

/// `left relation right`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub left: Term,
    pub relation: Relation,
    pub right: Term,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Different,
}

/// What a Boolean value says about numbers that do not change.
#[derive(Clone, Debug, Default)]
pub(super) struct Condition {
    /// What holds where the value is true, and where it is false.
    pub if_true: Vec<Comparison>,
    pub if_false: Vec<Comparison>,
}

/// That a position is in bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Below {
    pub position: Term,
    pub extent: Term,
}

/// A position that is not known to be in bounds.
#[derive(Clone, Debug)]
pub(super) struct Outside {
    /// What holds if it is.
    pub inside: Below,
    /// The position as an operand.
    pub position: String,
}

impl Term {
    /// What a name, or another expression, stands for.
    pub(super) fn of(text: impl Into<String>) -> Term {
        Term::Sum(text.into(), 0)
    }

    pub(super) fn plus(self, number: i128) -> Term {
        match self {
            Term::Number(v) => Term::Number(v + number),
            Term::Sum(base, v) => Term::Sum(base, v + number),
        }
    }

    /// The expression, if nothing is added to it.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Term::Sum(name, 0) => Some(name),
            _ => None,
        }
    }
}

/// As CUDA C; of an extent.
impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Number(v) => write!(f, "{v}"),
            Term::Sum(base, 0) => f.write_str(base),
            Term::Sum(base, v) if *v < 0 => write!(f, "{base} - {}", v.unsigned_abs()),
            Term::Sum(base, v) => write!(f, "{base} + {v}"),
        }
    }
}

impl fmt::Display for Outside {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} >= {}", self.position, self.inside.extent)
    }
}

impl Relation {
    const fn of(op: BinOp) -> Option<Relation> {
        Some(match op {
            BinOp::Lt => Relation::Less,
            BinOp::Le => Relation::LessOrEqual,
            BinOp::Gt => Relation::Greater,
            BinOp::Ge => Relation::GreaterOrEqual,
            BinOp::Eq => Relation::Equal,
            BinOp::Ne => Relation::Different,
            _ => return None,
        })
    }

    /// What holds where this one does not.
    const fn negated(self) -> Relation {
        match self {
            Relation::Less => Relation::GreaterOrEqual,
            Relation::LessOrEqual => Relation::Greater,
            Relation::Greater => Relation::LessOrEqual,
            Relation::GreaterOrEqual => Relation::Less,
            Relation::Equal => Relation::Different,
            Relation::Different => Relation::Equal,
        }
    }

    /// The relation of the right side to the left.
    const fn mirrored(self) -> Relation {
        match self {
            Relation::Less => Relation::Greater,
            Relation::LessOrEqual => Relation::GreaterOrEqual,
            Relation::Greater => Relation::Less,
            Relation::GreaterOrEqual => Relation::LessOrEqual,
            Relation::Equal | Relation::Different => self,
        }
    }
}

impl Condition {
    /// What `a op b` says; of other operators than comparisons of integers, `&&` and `||` nothing.
    pub(super) fn of(op: BinOp, a: &Value, b: &Value) -> Option<Box<Condition>> {
        let said = match op {
            BinOp::And => Condition {
                if_true: both(a, b, |condition| &condition.if_true),
                if_false: Vec::new(),
            },
            BinOp::Or => Condition {
                if_true: Vec::new(),
                if_false: both(a, b, |condition| &condition.if_false),
            },
            _ => Condition::comparison(Relation::of(op)?, a, b)?,
        };
        (!said.if_true.is_empty() || !said.if_false.is_empty()).then(|| Box::new(said))
    }

    /// What `!a` says.
    pub(super) fn not(a: &Value) -> Option<Box<Condition>> {
        let Condition { if_true, if_false } = a.condition.as_deref()?.clone();
        Some(Box::new(Condition {
            if_true: if_false,
            if_false: if_true,
        }))
    }

    fn comparison(relation: Relation, a: &Value, b: &Value) -> Option<Condition> {
        let is_int = |v: &Value| matches!(v.ty, Type::Scalar(s) if s.is_int());
        if !is_int(a) || !is_int(b) || a.effect.max(b.effect) != Effect::Stable {
            return None;
        }
        // A number stands on the right.
        let (left, relation, right) = match (a.term(), b.term()) {
            (a @ Term::Number(_), b) => (b, relation.mirrored(), a),
            (a, b) => (a, relation, b),
        };
        let says = |relation| Comparison {
            left: left.clone(),
            relation,
            right: right.clone(),
        };
        Some(Condition {
            if_true: vec![says(relation)],
            if_false: vec![says(relation.negated())],
        })
    }
}

fn both(a: &Value, b: &Value, side: impl Fn(&Condition) -> &Vec<Comparison>) -> Vec<Comparison> {
    let said = [a, b].into_iter().filter_map(|v| v.condition.as_deref());
    said.flat_map(|condition| side(condition).iter().cloned()).collect()
}
