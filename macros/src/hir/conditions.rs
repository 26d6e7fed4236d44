//! A walk that tells of each expression whether it is behind a condition.

use std::collections::HashSet;

use swathe_ir::BinOp;

use super::visit::{Visit, walk_expr};
use super::{Block, Expr, ExprKind, LabelId, Stmt};

/// Visits expressions in the order of evaluation. `each` is told whether it may be that one is not evaluated, and says whether to go on below. Of a
/// field's element that is written there are only the indices.
pub struct Conditions<F> {
    conditional: bool,
    each: F,
}

impl<F: FnMut(&Expr, bool) -> bool> Conditions<F> {
    pub fn new(conditional: bool, each: F) -> Self {
        Conditions { conditional, each }
    }

    fn sometimes(&mut self, visit: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.conditional, true);
        visit(self);
        self.conditional = before;
    }
}

/// Whether what follows a statement may not be reached.
fn leaves(stmt: &Stmt) -> bool {
    let mut exits = Exits::default();
    exits.stmt(stmt);
    exits.returns || !exits.to.is_subset(&exits.within)
}

/// Whether what follows a block is not reached from it, as its last expression tells.
pub fn ends_in_jump(block: &Block) -> bool {
    match (&block.tail, block.stmts.last()) {
        (Some(tail), _) => jumps(tail),
        (None, Some(Stmt::Expr(last))) => jumps(last),
        _ => false,
    }
}

/// The same of an expression.
pub fn jumps(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Return(_) | ExprKind::Fail { .. } => true,
        ExprKind::Block { label: None, block, .. } => ends_in_jump(block),
        _ => false,
    }
}

/// What is left or continued, and what of that stands there itself.
#[derive(Default)]
struct Exits {
    to: HashSet<LabelId>,
    within: HashSet<LabelId>,
    returns: bool,
}

impl Visit for Exits {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Break(label, _) | ExprKind::Continue(label) => _ = self.to.insert(*label),
            ExprKind::Return(_) => self.returns = true,
            ExprKind::For(label, ..) | ExprKind::While(label, ..) | ExprKind::Loop(label, _) => {
                self.within.insert(*label);
            }
            ExprKind::Block { label, .. } => self.within.extend(label),
            _ => {}
        }
        walk_expr(self, e);
    }
}

impl<F: FnMut(&Expr, bool) -> bool> Visit for Conditions<F> {
    fn stmt(&mut self, stmt: &Stmt) {
        super::visit::walk_stmt(self, stmt);
        self.conditional |= leaves(stmt);
    }

    fn block(&mut self, block: &Block) {
        let before = self.conditional;
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        block.tail.iter().for_each(|e| self.expr(e));
        self.conditional = before;
    }

    fn expr(&mut self, e: &Expr) {
        if !(self.each)(e, self.conditional) {
            return;
        }
        match &e.kind {
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => {
                self.expr(a);
                self.sometimes(|rest| rest.expr(b));
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.sometimes(|rest| {
                    rest.block(then);
                    otherwise.iter().for_each(|e| rest.expr(e));
                });
            }
            ExprKind::Match(value, arms) => {
                self.expr(value);
                self.sometimes(|rest| {
                    for arm in arms {
                        arm.guard.iter().for_each(|e| rest.expr(e));
                        rest.expr(&arm.body);
                    }
                });
            }
            ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) => self.sometimes(|rest| walk_expr(rest, e)),
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, _, place, value, _)
                if let Some(place) = place.field_place() =>
            {
                self.expr(value);
                place.indices().for_each(|e| self.expr(e));
            }
            _ => walk_expr(self, e),
        }
    }
}
