//! Conditions that have one value in most of a row.

use swathe_ir::{BinOp, UnOp};

use super::Split;
use super::operations::is_number;
use super::sums::is_looked_up;
use crate::hir::visit::any;
use crate::hir::{Asked, Expr, ExprKind, Sum};

impl Split<'_> {
    /// The value that a condition has in most of a row; where parts of it alone are known it is left with the others.
    /// `likely` is the value that the text around it lets expect.
    pub(super) fn decide(&mut self, cond: &mut Expr, likely: Option<bool>) -> Option<bool> {
        let (all, a, b) = match &mut cond.kind {
            ExprKind::Binary(BinOp::And, _, a, b, _) => (true, a, b),
            ExprKind::Binary(BinOp::Or, _, a, b, _) => (false, a, b),
            _ => return self.truth(cond, likely),
        };
        let likely = likely.filter(|likely| *likely == all);
        let left = self.decide(a, likely);
        if left == Some(!all) {
            return left;
        }
        let rest = match (left, self.decide(b, likely)) {
            (Some(_), Some(right)) => return Some(right),
            (Some(_), None) => b.clone(),
            (None, Some(right)) if right == all => a.clone(),
            (None, Some(right)) => return self.is_pure(a).then_some(right),
            (None, None) => return None,
        };
        *cond = *rest;
        None
    }

    /// Whether an expression is made of comparisons of sums, which is asked, too: it can be left out.
    fn is_pure(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(UnOp::Not, a, _) => self.is_pure(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => self.is_pure(a) && self.is_pure(b),
            ExprKind::Binary(op, _, a, b, _) if op.is_comparison() => match (self.sum(a), self.sum(b)) {
                (Some(a), Some(b)) if Sum::told(&[&a, &b]).is_ok() => {
                    self.ask(vec![Asked::Number(a), Asked::Number(b)])
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The value that a condition has in most of a row, if it depends on the position alone.
    fn truth(&mut self, cond: &Expr, likely: Option<bool>) -> Option<bool> {
        match &cond.kind {
            ExprKind::Binary(BinOp::And | BinOp::Or, ..) => self.decide(&mut cond.clone(), likely),
            ExprKind::Unary(UnOp::Not, a, _) => self.truth(a, likely.map(|likely| !likely)).map(|holds| !holds),
            ExprKind::Decided { value, .. } => self.truth(value, likely),
            ExprKind::Local(id, _) => {
                if let Some(known) = self.truths.get(&(*id, likely)) {
                    return *known;
                }
                let init = self.defined.get(id)?.clone();
                let truth = self.truth(&init, likely);
                self.truths.insert((*id, likely), truth);
                truth
            }
            // It is left out, but not what might fail in it.
            ExprKind::Binary(op, _, a, b, _) if op.is_comparison() && !self.looks_up(a) && !self.looks_up(b) => {
                let (left, right) = (self.index(a)?, self.index(b)?);
                Sum::told(&[&left, &right]).ok()?;
                // Of what type that is rustc alone knows.
                if left.is_given() || right.is_given() {
                    return None;
                }
                let holds = self.likely(*op, &left, &right, likely)?;
                let asked = Asked::Compared {
                    op: *op,
                    left,
                    right,
                    holds,
                };
                self.ask_all([asked]).then_some(holds)
            }
            _ => None,
        }
    }

    /// Whether an item is taken of an array that may not be there.
    fn looks_up(&self, e: &Expr) -> bool {
        any(e, |e| is_looked_up(e) && !matches!(self.item(e), Some(Sum::Entry(..))))
    }

    /// A position seldom equals a number. It mostly is above numbers that the text tells, and below extents. Of other variables the text around
    /// it tells, or nothing.
    fn likely(&self, op: BinOp, left: &Sum, right: &Sum, likely: Option<bool>) -> Option<bool> {
        let mut along = self.stride(left)?.checked_sub(self.stride(right)?)?;
        if self.varies(left) || self.varies(right) {
            // Between its ends a number may be equal to another one. What does not change along the row LLVM does not take out of the loop.
            let head = |leaf: &Sum| matches!(leaf, Sum::Local(id) if self.heads.contains(id));
            let growth = |sum| self.growth(sum, &|leaf| head(leaf) || *leaf == Sum::Position);
            along = growth(left)?.checked_sub(growth(right)?)?;
            if matches!(op, BinOp::Eq | BinOp::Ne) {
                return None;
            }
        }
        if along == 0 {
            return None;
        }
        let below = match op {
            BinOp::Eq => return Some(false),
            BinOp::Ne => return Some(true),
            BinOp::Lt | BinOp::Le => along > 0,
            BinOp::Gt | BinOp::Ge => along < 0,
            _ => return None,
        };
        if self.spans(left) || self.spans(right) {
            return Some(below);
        }
        match is_number(left) && is_number(right) {
            true => Some(!below),
            false => likely,
        }
    }
}

/// Of how many parts a sum is.
pub(super) fn size(sum: &Sum) -> usize {
    match sum {
        Sum::Add(a, b) | Sum::Sub(a, b) | Sum::Mul(a, b) | Sum::Saturating(a, b) => 1 + size(a) + size(b),
        Sum::If(_, all) => all.iter().map(size).sum(),
        Sum::Cast(a, _) | Sum::Div(a, _) => 1 + size(a),
        Sum::Entry(_, places) => 1 + places.iter().map(size).sum::<usize>(),
        _ => 1,
    }
}
