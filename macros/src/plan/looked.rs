//! Loops that only compare with outer variables, `if x[i] < best { best = x[i]; at = i; }`, in blocks that are looked at: where no iteration of a block is
//! better than what was there before the block, none is taken, and the block is passed over. A look is a disjunction of comparisons, which LLVM
//! vectorises; a loop that takes values is none that it does.

use std::collections::HashSet;

use super::accumulators::checked;
use super::lanes::is_written_out;
use super::setting::plain;
use crate::hir::types::{divides_and_may_fail, may_fail};
use crate::hir::visit::{any, is_loop};
use crate::hir::{Block, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// What a look asks.
pub struct Looked<'h> {
    /// The `if`s whose conditions say that an iteration is taken, and these.
    pub takes: Vec<(&'h Expr, &'h Expr)>,
}

impl<'h> Looked<'h> {
    /// The looks of a loop that has no other effect than that iterations are taken. A function that fails unwinds out of a look, and the block runs again one by
    /// one; what fails in the loop itself is recorded where it stands, and so must not be looked at.
    pub fn of(func: &'h Func, p: &'h ParFor) -> Option<Looked<'h>> {
        if plain() || p.arg_reductions.is_empty() || !p.reductions.is_empty() || !checked(func, &p.body).is_empty() {
            return None;
        }
        let mut search = Search {
            func,
            p,
            reduced: p.reduced().collect(),
            takes: Vec::new(),
        };
        search.block(&p.body)?;
        Some(Looked { takes: search.takes })
    }
}

struct Search<'h> {
    func: &'h Func,
    p: &'h ParFor,
    reduced: HashSet<LocalId>,
    takes: Vec<(&'h Expr, &'h Expr)>,
}

impl<'h> Search<'h> {
    fn block(&mut self, block: &'h Block) -> Option<()> {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { init, .. } => self.value(init.as_ref()?)?,
                Stmt::Expr(e) => self.statement(e)?,
                Stmt::ParFor(_) => return None,
            }
        }
        block.tail.as_deref().map_or(Some(()), |tail| self.statement(tail))
    }

    fn statement(&mut self, e: &'h Expr) -> Option<()> {
        match &e.kind {
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => self.block(block),
            ExprKind::If(condition, then, None) if self.takes(then) => {
                self.takes.push((e, condition));
                self.value(condition)
            }
            ExprKind::If(condition, then, otherwise) => {
                self.value(condition)?;
                self.block(then)?;
                otherwise.as_deref().map_or(Some(()), |e| self.statement(e))
            }
            ExprKind::Assign(place, value) if self.is_own(place) => self.value(place).and_then(|()| self.value(value)),
            ExprKind::AssignOp(op, _, place, value, _) if self.is_own(place) && !may_fail(*op, place, value) => {
                self.value(place).and_then(|()| self.value(value))
            }
            ExprKind::Decided { value, .. } => self.statement(value),
            ExprKind::For(_, _, range, body) if is_written_out(e) && !range.may_fail() => self.block(body),
            ExprKind::Continue(label) if *label == self.p.label => Some(()),
            _ => None,
        }
    }

    /// Whether it is a variable of the iteration's own, or a part of one.
    fn is_own(&self, place: &Expr) -> bool {
        let local = place.root_local().map(|id| self.func.local(id));
        place.field_place().is_none() && local.is_some_and(|local| local.inside == Some(self.p.number))
    }

    /// Whether outer variables take values there.
    fn takes(&self, then: &Block) -> bool {
        let statements = then.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Expr(e) => Some(e),
            _ => None,
        });
        let assigns = |e: &Expr| match &e.kind {
            ExprKind::Assign(place, _) => matches!(&place.kind, ExprKind::Local(id, _) if self.reduced.contains(id)),
            _ => false,
        };
        statements.chain(then.tail.as_deref()).any(assigns)
    }

    /// What is computed, and does nothing else.
    fn value(&self, e: &Expr) -> Option<()> {
        let does_more = any(e, |e| match &e.kind {
            ExprKind::Binary(op, _, a, b, _) => may_fail(*op, a, b),
            ExprKind::Index(_, index) => !matches!(index.kind, ExprKind::Lit(..)),
            ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::Atomic(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_)
            | ExprKind::Print { .. }
            | ExprKind::Fail { .. } => true,
            _ => is_loop(e) || divides_and_may_fail(e),
        });
        (!does_more).then_some(())
    }
}
