//! Reads behind conditions that are made whether these hold or not. Vector registers read elements of 32 bits and more under a mask, smaller
//! ones mostly not: there a read that waits for a condition keeps LLVM from vectorising.

use std::collections::HashSet;

use swathe_ir::BinOp;

use super::Covered;
use super::accumulators::checked;
use super::lanes::is_written_out;
use super::setting::plain;
use crate::budget::EAGER_READS;
use crate::hir::conditions::Conditions;
use crate::hir::types::may_be_small;
use crate::hir::visit::{Visit, any, any_in, is_loop};
use crate::hir::{Access, Expr, ExprKind, Func, LocalId, ParFor};

/// A read, and where it stands.
pub struct Eager {
    pub at: *const Expr,
    pub read: Expr,
}

/// The reads behind conditions of a parallel loop's body that are in bounds at all of its positions, of fields that it does not write. None in a loop
/// that LLVM does not vectorise anyway.
pub fn of(func: &Func, p: &ParFor) -> Vec<Eager> {
    let in_order = |e: &Expr| {
        is_loop(e) && !is_written_out(e)
            || matches!(
                e.kind,
                ExprKind::Atomic(..) | ExprKind::Print { .. } | ExprKind::Fail { .. }
            )
    };
    if plain() || any_in(&p.body, in_order) || !checked(func, &p.body).is_empty() {
        return Vec::new();
    }
    let reads = Reads {
        func,
        p,
        positions: p.vars.iter().flatten().copied().collect(),
    };
    let mut found = Vec::new();
    let mut find = Conditions::new(false, |e, conditional| {
        if let ExprKind::Field(access) = &e.kind
            && conditional
            && reads.are_safe(access)
        {
            found.push(Eager {
                at: std::ptr::from_ref(e),
                read: e.clone(),
            });
        }
        // Sequential loops have indices of their own. A part of an element is read alone.
        let part = matches!(e.kind, ExprKind::Member(..) | ExprKind::Index(..)) && e.field_place().is_some();
        !part && !is_loop(e) && !matches!(e.kind, ExprKind::Ref { mutable: true, .. })
    });
    find.block(&p.body);
    // Of many most may be of no use.
    match found.len() > EAGER_READS {
        true => Vec::new(),
        false => found,
    }
}

struct Reads<'f> {
    func: &'f Func,
    p: &'f ParFor,
    positions: HashSet<LocalId>,
}

impl Reads<'_> {
    fn are_safe(&self, access: &Access) -> bool {
        // The author's word may hold under the condition alone.
        let info = self.func.access(access.id);
        let mut params = self.func.params.iter();
        Covered::All.in_bounds(info)
            && !info.behind_condition
            && params.any(|param| param.local == access.field && may_be_small(&param.ty))
            && !self.p.written.contains(&access.field)
            && access.index.iter().all(|e| self.is_known(e))
            && self.is_along(access)
    }

    /// Whether iterations that follow one another read elements that do.
    fn is_along(&self, access: &Access) -> bool {
        let last = self.p.vars.last().copied().flatten();
        let moves = |e: &Expr| any(e, |e| matches!(&e.kind, ExprKind::Local(id, _) if Some(*id) == last));
        let index = match &access.index[..] {
            [
                Expr {
                    kind: ExprKind::Array(parts, _),
                    ..
                },
            ] => parts,
            index => index,
        };
        index
            .split_last()
            .is_some_and(|(last, others)| moves(last) && !others.iter().any(moves))
    }

    /// Whether an index is made of what is known where an iteration begins.
    fn is_known(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => true,
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                self.positions.contains(id) || !local.mutable && local.inside.is_none()
            }
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, _, a, b, _) => self.is_known(a) && self.is_known(b),
            // Whatever else is indexed may be out of bounds.
            ExprKind::Index(a, b) => matches!((&a.kind, &b.kind), (ExprKind::FieldShape(..), ExprKind::Lit(..))),
            ExprKind::Cast(a, ..) | ExprKind::Within(a, _) => self.is_known(a),
            ExprKind::Array(parts, _) => parts.iter().all(|e| self.is_known(e)),
            _ => false,
        }
    }
}
