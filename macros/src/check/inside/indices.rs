//! Indices that a position reaches through casts: `u[(i as i32 + k) as usize]`.
//!
//! All of their parts are asked to be numbers of their types, so in the inside they are the same sums of numbers of the type of an index.
//! Without casts LLVM sees that neighbouring positions have neighbouring elements.

use proc_macro2::Span;
use swathe_ir::{BinOp, LocalId, UnOp};

use super::sums::only;
use super::{Split, decided, with, within};
use crate::hir::affine::limited;
use crate::hir::{Expr, ExprKind, Sum, Within};

impl Split<'_> {
    /// Takes the casts between the position and an index away.
    pub(super) fn uncast(&self, index: &mut Expr) {
        if (self.is_cast(index) || self.has_given(index))
            && let Some(value) = self.as_index(index)
        {
            let written = index.kind.clone();
            decided(index, written, value.kind);
        }
    }

    /// Whether what changes along the row is cast on the way.
    fn is_cast(&self, e: &Expr) -> bool {
        match self.part(e) {
            Part::Pair(a, b) => self.is_cast(a) || self.is_cast(b),
            Part::Same(a) | Part::Negative(a) => self.is_cast(a),
            Part::Cast(a) => self
                .index(a)
                .is_some_and(|sum| self.stride(&sum).is_some_and(|stride| stride != 0)),
            Part::Other => false,
        }
    }

    /// Whether a function gives a part of it.
    pub(super) fn has_given(&self, e: &Expr) -> bool {
        match self.part(e) {
            Part::Pair(a, b) => self.has_given(a) || self.has_given(b),
            Part::Same(a) | Part::Negative(a) | Part::Cast(a) => self.has_given(a),
            Part::Other => self.given(e).is_some(),
        }
    }

    /// Whether all that functions give in it becomes the numbers that were asked for, where it becomes an index.
    pub(super) fn is_number_given(&self, e: &Expr) -> bool {
        match self.part(e) {
            Part::Pair(a, b) => self.is_number_given(a) && self.is_number_given(b),
            Part::Same(a) | Part::Negative(a) | Part::Cast(a) => self.is_number_given(a),
            Part::Other => self.given(e).is_some() || !self.index(e).is_some_and(|sum| sum.is_given()),
        }
    }

    /// A sum, in numbers of the type of an index, if all that it is made of has its type wherever it stands.
    pub(super) fn as_index(&self, e: &Expr) -> Option<Expr> {
        if let Some(Sum::Given { into, by, .. }) = self.given(e) {
            return Some(self.number_given(e, into, by));
        }
        match (self.part(e), &e.kind) {
            (Part::Pair(a, b), ExprKind::Binary(op, at, ..)) => {
                Some(indices(e, (*op, *at), self.as_index(a)?, self.as_index(b)?))
            }
            (Part::Negative(a), _) => Some(indices(e, (BinOp::Sub, e.span), self.zero(e), self.as_index(a)?)),
            (Part::Same(a) | Part::Cast(a), _) => self.as_index(a),
            _ => is_typed(e).then(|| {
                let mut number = e.clone();
                within(&mut number, Within::Index);
                number
            }),
        }
    }

    /// The number 0 of the type of an index.
    pub(super) fn zero(&self, at: &Expr) -> Expr {
        self.literal(at, 0)
    }

    /// A number of the type of an index.
    fn literal(&self, at: &Expr, number: u64) -> Expr {
        let number = syn::Lit::Int(syn::LitInt::new(&number.to_string(), at.span));
        let mut number = with(at, ExprKind::Lit(number, self.func.local(self.position).ty));
        within(&mut number, Within::Index);
        number
    }

    /// What a function gives: `into` at position 0, and `by` more at each next one.
    fn number_given(&self, at: &Expr, into: LocalId, by: i64) -> Expr {
        let named = |id: LocalId| {
            let mut named = with(at, ExprKind::Local(id, self.func.local(id).ident.clone()));
            within(&mut named, Within::Index);
            named
        };
        let moved = match by {
            0 => return named(into),
            1 | -1 => named(self.position),
            _ => indices(
                at,
                (BinOp::Mul, at.span),
                named(self.position),
                self.literal(at, by.unsigned_abs()),
            ),
        };
        let op = if by < 0 { BinOp::Sub } else { BinOp::Add };
        indices(at, (op, at.span), named(into), moved)
    }

    fn part<'e>(&'e self, e: &'e Expr) -> Part<'e> {
        match (self.same(e), &e.kind) {
            (Some(other), _) => Part::Same(other),
            (_, ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, _, a, b, _)) => Part::Pair(a, b),
            (_, ExprKind::Unary(UnOp::Neg, a, _)) => Part::Negative(a),
            (_, ExprKind::Cast(a, ..)) if self.is_integer(a) => Part::Cast(a),
            _ => Part::Other,
        }
    }

    /// Another expression that is evaluated in the place of this one.
    fn same<'e>(&'e self, e: &'e Expr) -> Option<&'e Expr> {
        match &e.kind {
            ExprKind::Limited(_) => limited(e),
            ExprKind::Local(id, _) => self.defined.get(id).filter(|value| self.stays(value)),
            ExprKind::Decided { value, .. } => Some(value),
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => only(block),
            _ => None,
        }
    }

    /// Whether an expression has the value later that it has now.
    fn stays(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) => true,
            ExprKind::Local(id, _) => !self.func.local(*id).mutable,
            ExprKind::Cast(a, ..) | ExprKind::Unary(UnOp::Neg, a, _) => self.stays(a),
            ExprKind::Binary(_, _, a, b, _) => self.stays(a) && self.stays(b),
            ExprKind::Call { .. } => self.given(e).is_some(),
            _ => false,
        }
    }

    /// Whether it is asked of what is cast to be an integer: of a variable alone it is not.
    fn is_integer(&self, e: &Expr) -> bool {
        match (self.same(e), &e.kind) {
            (Some(other), _) => self.is_integer(other),
            (_, ExprKind::Local(id, _)) => {
                *id == self.position || self.counted.contains_key(id) || self.heads.contains(id)
            }
            (_, ExprKind::Binary(..) | ExprKind::Cast(..)) => true,
            _ => self.given(e).is_some(),
        }
    }
}

/// The operation of two numbers of the type of an index.
pub(super) fn indices(at: &Expr, (op, span): (BinOp, Span), a: Expr, b: Expr) -> Expr {
    let mut sum = with(at, ExprKind::Binary(op, span, Box::new(a), Box::new(b), None));
    within(&mut sum, Within::Indices);
    sum
}

/// Whether an expression has the same type in the place of an argument of any type. Literals in it would lose theirs.
fn is_typed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(..) | ExprKind::Local(..) | ExprKind::Const(..) | ExprKind::Cast(..) | ExprKind::FieldLen(..) => {
            true
        }
        ExprKind::Index(array, _) => match &array.kind {
            ExprKind::FieldShape(..) => true,
            _ => is_typed(array),
        },
        _ => false,
    }
}

/// What an index is made of.
enum Part<'e> {
    Pair(&'e Expr, &'e Expr),
    /// The same number.
    Same(&'e Expr),
    /// The same number of another type.
    Cast(&'e Expr),
    Negative(&'e Expr),
    Other,
}
