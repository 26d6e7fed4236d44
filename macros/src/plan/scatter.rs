//! What a parallel loop changes atomically, and where each thread has a copy to add to (privatisation).

use std::collections::{BTreeMap, BTreeSet};

use swathe_ir::AtomicOp;

use super::inspect::Inspection;
use crate::budget::SCATTERED_PARTS;
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Block, Expr, ExprKind, Func, LocalId, ParFor, Pat, Place, Stmt, member_name};

/// The fields that a loop changes atomically.
#[derive(Clone, Default)]
pub struct Atomics {
    pub fields: BTreeMap<LocalId, Changes>,
    /// Those that it changes in sequential loops.
    pub looped: BTreeSet<LocalId>,
    /// How many sequential loops the visit is in.
    depth: usize,
}

/// How a loop changes a field atomically.
#[derive(Clone, Default)]
pub struct Changes {
    /// Whether it does nothing but add to the field, without use of the results.
    pub only_added: bool,
    /// The parts of elements that it adds to: their paths of members, up to the first index or component.
    pub parts: BTreeMap<Vec<String>, Vec<syn::Member>>,
}

impl Atomics {
    pub fn of(block: &Block) -> Atomics {
        let mut atomics = Atomics::default();
        atomics.block(block);
        let mut plain = Plain(BTreeSet::new());
        plain.block(block);
        for (field, changes) in &mut atomics.fields {
            changes.only_added &= !plain.0.contains(field);
        }
        atomics
    }

    /// Whether all that the loop does with other memory than its own is to add, once in an iteration.
    fn scatters(&self) -> bool {
        !self.fields.is_empty() && self.looped.is_empty() && self.fields.values().all(|changes| changes.only_added)
    }

    /// Whether iterations that follow one another add to different copies, so that none waits for what the one before has stored.
    pub fn in_turns(&self, func: &Func, p: &ParFor) -> bool {
        self.scatters()
            && self.fields.keys().all(|field| !func.is_offset(*field))
            && parts(&p.body) <= SCATTERED_PARTS
            && Inspection::of(func, p).is_some()
    }

    pub fn added_only(&self) -> impl Iterator<Item = (LocalId, &Changes)> {
        let fields = self.fields.iter().filter(|(_, changes)| changes.only_added);
        fields.map(|(field, changes)| (*field, changes))
    }

    fn note(&mut self, place: &Place<'_>, only_added: bool) {
        let field = place.access.field;
        let changes = self.fields.entry(field).or_insert(Changes {
            only_added: true,
            parts: BTreeMap::new(),
        });
        changes.only_added &= only_added;
        let path: Vec<syn::Member> = place.members().cloned().collect();
        changes.parts.insert(path.iter().map(member_name).collect(), path);
        if self.depth > 0 {
            self.looped.insert(field);
        }
    }

    /// An expression whose value nobody uses.
    fn unused(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Atomic(AtomicOp::Add | AtomicOp::Sub, _, place, _) if let Some(place) = place.field_place() => {
                self.note(&place, true);
                walk_expr(self, e);
            }
            ExprKind::Block { block, .. } => self.unused_block(block),
            ExprKind::Decided { value, .. } => self.unused(value),
            ExprKind::If(cond, then, otherwise) => {
                self.expr(cond);
                self.unused_block(then);
                otherwise.iter().for_each(|e| self.unused(e));
            }
            ExprKind::Match(value, arms) => {
                self.expr(value);
                for arm in arms {
                    arm.guard.iter().for_each(|e| self.expr(e));
                    self.unused(&arm.body);
                }
            }
            _ => self.expr(e),
        }
    }

    fn unused_block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
        block.tail.iter().for_each(|e| self.unused(e));
    }
}

impl Visit for Atomics {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let {
                pat: Pat::Wild(_),
                init: Some(e),
                ..
            }
            | Stmt::Expr(e) => self.unused(e),
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
            Stmt::ParFor(p) => self.parallel(p),
        }
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Atomic(_, _, place, _) = &e.kind
            && let Some(place) = place.field_place()
        {
            self.note(&place, false);
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
