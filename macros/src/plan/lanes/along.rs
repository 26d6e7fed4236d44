//! Whether what a loop adds to lies along a row, as its iterations do. This decides about speed alone.

use std::collections::HashMap;

use proc_macro2::Span;
use swathe_ir::BinOp;

use crate::hir::affine::literal;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Axis, Expr, ExprKind, Func, LocalId, ParFor, Value, Within};

/// Where a loop adds to other elements than neighbours for neighbouring iterations, or one for a whole row.
pub fn other(func: &Func, p: &ParFor) -> Option<Span> {
    let mut search = Search {
        func,
        last: p.vars.len().saturating_sub(1),
        slopes: HashMap::new(),
        found: None,
    };
    search.block(&p.body);
    search.found
}

struct Search<'f> {
    func: &'f Func,
    /// The number of the last of the loop's variables.
    last: usize,
    /// Of immutable variables.
    slopes: HashMap<LocalId, i64>,
    found: Option<Span>,
}

impl Search<'_> {
    /// By how much an index grows from one iteration of a row to the next, if that is known.
    fn slope(&self, e: &Expr) -> Option<i64> {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => Some(0),
            ExprKind::Local(id, _) => self.of_local(*id),
            ExprKind::Within(a, Within::Like) => match &a.kind {
                ExprKind::Binary(_, _, _, number, _) => self.slope(number),
                _ => None,
            },
            ExprKind::Cast(a, ..)
            | ExprKind::Decided { value: a, .. }
            | ExprKind::Within(a, _)
            | ExprKind::Inside(a, _) => self.slope(a),
            ExprKind::Binary(BinOp::Add, _, a, b, _) => self.slope(a)?.checked_add(self.slope(b)?),
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => self.slope(a)?.checked_sub(self.slope(b)?),
            ExprKind::Binary(BinOp::Mul, _, a, b, _) => match (self.slope(a)?, self.slope(b)?) {
                (0, 0) => Some(0),
                (slope, 0) => slope.checked_mul(literal(b)?),
                (0, slope) => slope.checked_mul(literal(a)?),
                _ => None,
            },
            ExprKind::Index(a, b) if self.slope(b) == Some(0) => match &a.kind {
                ExprKind::FieldShape(..) => Some(0),
                // One of the axes of a position.
                ExprKind::Local(id, _)
                    if matches!(self.func.local(*id).value, Value::Parallel { axis: Axis::All, .. }) =>
                {
                    None
                }
                _ => self.slope(a).filter(|slope| *slope == 0),
            },
            _ => None,
        }
    }

    fn of_local(&self, id: LocalId) -> Option<i64> {
        let local = self.func.local(id);
        match &local.value {
            _ if local.mutable => None,
            Value::Alias(other) => self.of_local(*other),
            Value::Parallel { axis: Axis::One(k), .. } => Some(i64::from(*k == self.last)),
            Value::Parallel { axis: Axis::All, .. } => Some(1),
            Value::Parallel {
                axis: Axis::Part { k, of },
                ..
            } => Some(i64::from(k + 1 == *of)),
            Value::Below(_) | Value::Extent(_) => Some(0),
            _ if local.inside.is_none() => Some(0),
            _ => self.slopes.get(&id).copied(),
        }
    }
}

impl Visit for Search<'_> {
    fn named(&mut self, local: LocalId, init: &Expr) {
        if let Some(slope) = self.slope(init) {
            self.slopes.insert(local, slope);
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Atomic(_, _, place, _) = &e.kind
            && let Some(found) = place.field_place()
        {
            let index = match &found.access.index[..] {
                [
                    Expr {
                        kind: ExprKind::Array(parts, _),
                        ..
                    },
                ] => parts,
                index => index,
            };
            let slopes: Vec<Option<i64>> = index.iter().map(|index| self.slope(index)).collect();
            let along = match slopes.split_last() {
                Some((last, others)) => {
                    last.is_some_and(|slope| slope.abs() <= 1) && others.iter().all(|slope| *slope == Some(0))
                }
                None => true,
            };
            if !along {
                self.found = self.found.or(Some(e.span));
            }
        }
        walk_expr(self, e);
    }
}
