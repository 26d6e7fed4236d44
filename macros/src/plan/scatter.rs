//! What a parallel loop changes atomically, and where each thread has a copy to add to (privatisation).

use std::collections::{BTreeMap, BTreeSet};

use swathe_ir::AtomicOp;

use super::budget::SCATTERED_PARTS;
use super::inspect::Inspection;
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Access, Block, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// The fields that a loop changes atomically.
#[derive(Default)]
pub struct Atomics {
    /// Whether the loop does nothing but add to whole elements of them, without use of the results.
    pub fields: BTreeMap<LocalId, bool>,
    /// Those that it changes in sequential loops.
    pub looped: BTreeSet<LocalId>,
    /// How many sequential loops the visit is in.
    depth: usize,
}

impl Atomics {
    pub fn of(block: &Block) -> Atomics {
        let mut atomics = Atomics::default();
        atomics.block(block);
        let mut plain = Plain(BTreeSet::new());
        plain.block(block);
        for (field, only_added) in &mut atomics.fields {
            *only_added &= !plain.0.contains(field);
        }
        atomics
    }

    /// Whether all that the loop does with other memory than its own is to add, once in an iteration.
    fn scatters(&self) -> bool {
        !self.fields.is_empty() && self.looped.is_empty() && self.fields.values().all(|only_added| *only_added)
    }

    /// Whether iterations that follow one another add to different copies, so that none waits for what the one before has stored.
    pub fn in_turns(&self, func: &Func, p: &ParFor) -> bool {
        let own = |(field, _): (&LocalId, &bool)| !func.is_offset(*field);
        self.scatters()
            && self.fields.iter().all(own)
            && parts(&p.body) <= SCATTERED_PARTS
            && Inspection::of(func, p).is_some()
    }

    pub fn added_only(&self) -> impl Iterator<Item = LocalId> {
        self.fields.iter().filter(|(_, only)| **only).map(|(field, _)| *field)
    }

    fn note(&mut self, access: &Access, only_added: bool) {
        *self.fields.entry(access.field).or_insert(true) &= only_added;
        if self.depth > 0 {
            self.looped.insert(access.field);
        }
    }
}

impl Visit for Atomics {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Expr(Expr {
                kind: ExprKind::Atomic(AtomicOp::Add | AtomicOp::Sub, _, place, args),
                ..
            }) if let ExprKind::Field(access) = &place.kind => {
                self.note(access, true);
                access.index.iter().chain(args).for_each(|e| self.expr(e));
            }
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(p) => self.parallel(p),
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let (ExprKind::Atomic(..), Some(access)) = (&e.kind, e.accessed()) {
            self.note(access, false);
        }
        let inside = matches!(e.kind, ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..));
        self.depth += usize::from(inside);
        walk_expr(self, e);
        self.depth -= usize::from(inside);
    }
}

/// Fields that are accessed plainly, which `unsafe` allows beside atomic changes.
struct Plain(BTreeSet<LocalId>);

impl Visit for Plain {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Field(access) = &e.kind {
            self.0.insert(access.field);
        }
        walk_expr(self, e);
    }
}
