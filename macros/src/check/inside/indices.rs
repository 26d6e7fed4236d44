//! Indices that a position reaches through casts: `u[(i as i32 + k) as usize]`.
//!
//! All of their parts are asked to be numbers of their types, so in the inside they are the same sums of numbers of the type of an index.
//! Without casts LLVM sees that neighbouring positions have neighbouring elements.

use swathe_ir::{BinOp, UnOp};

use super::sums::only;
use super::{Split, decided, with, within};
use crate::hir::affine::limited;
use crate::hir::{Expr, ExprKind, Within};

impl Split<'_> {
    /// Takes the casts between the position and an index away.
    pub(super) fn uncast(&self, index: &mut Expr) {
        if self.is_cast(index) {
            let (written, value) = (index.kind.clone(), self.as_index(index).kind);
            decided(index, written, value);
        }
    }

    /// Whether what changes along the row is cast on the way.
    fn is_cast(&self, e: &Expr) -> bool {
        match self.part(e) {
            Part::Pair(a, b) => self.is_cast(a) || self.is_cast(b),
            Part::Same(a) => self.is_cast(a),
            Part::Cast(a) => self
                .index(a)
                .is_some_and(|sum| self.stride(&sum).is_some_and(|stride| stride != 0)),
            Part::Other => false,
        }
    }

    /// A sum, in numbers of the type of an index.
    pub(super) fn as_index(&self, e: &Expr) -> Expr {
        match (self.part(e), &e.kind) {
            (Part::Pair(a, b), ExprKind::Binary(op, at, ..)) => {
                let (a, b) = (Box::new(self.as_index(a)), Box::new(self.as_index(b)));
                let mut sum = with(e, ExprKind::Binary(*op, *at, a, b, None));
                within(&mut sum, Within::Indices);
                sum
            }
            (Part::Same(a) | Part::Cast(a), _) => self.as_index(a),
            _ => {
                let mut number = e.clone();
                within(&mut number, Within::Index);
                number
            }
        }
    }

    fn part<'e>(&'e self, e: &'e Expr) -> Part<'e> {
        match (self.same(e), &e.kind) {
            (Some(other), _) => Part::Same(other),
            (_, ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, _, a, b, _)) => Part::Pair(a, b),
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
            _ => false,
        }
    }
}

/// What an index is made of.
enum Part<'e> {
    Pair(&'e Expr, &'e Expr),
    /// The same number.
    Same(&'e Expr),
    /// The same number of another type.
    Cast(&'e Expr),
    Other,
}
