//! HIR to a body in single assignment: what changes variables and fields.

use proc_macro2::Ident;
use swathe_ir::{AtomicOp, BinOp, FuncKind, LocalId};

use super::body::{Op, Stmt};
use super::build::{Build, Slot};
use crate::hir::{Expr, ExprKind};
use crate::order::{self, Receivers};

impl Build<'_> {
    pub fn assign(&mut self, e: &Expr, place: &Expr, value: &Expr) {
        if place.field_place().is_some() {
            let value = self.expr(value);
            return self.write(e, place, value);
        }
        let Some(local) = place.root_local() else {
            return self.refuse(e, "this place cannot be assigned to in a kernel with a derivative");
        };
        if self.is_outer(local) {
            return self.refuse(
                e,
                "of what a parallel loop accumulates, sums alone have derivatives: write `sum += x`, or leave the derivative out",
            );
        }
        let slot = Slot::Local(local);
        if let ExprKind::Local(..) = place.kind {
            let op = self.op(value);
            return self.set(slot, op, e.span);
        }
        let value = self.expr(value);
        let Some(steps) = self.steps(place) else { return };
        let Some(base) = self.versions.get(&slot).cloned() else {
            return self.refuse(place, "a variable needs a value before a part of it is assigned to");
        };
        self.set(slot, Op::With(base, steps, value), e.span);
    }

    pub fn assign_op(&mut self, e: &Expr, op: BinOp, place: &Expr, value: &Expr) {
        if !order::commutes_with(self.func, place, value, Receivers::Kept) {
            return self.refuse(e, order::DEPENDS);
        }
        let value = self.expr(value);
        if place.field_place().is_some() {
            return self.change(e, op, place, value);
        }
        let Some(local) = place.root_local() else {
            return self.refuse(e, "this place cannot be changed in a kernel with a derivative");
        };
        if self.is_outer(local) {
            let plain = matches!(place.kind, ExprKind::Local(..));
            match op {
                BinOp::Add | BinOp::Sub if plain => {
                    self.stmts.push(Stmt::Reduce(local, op == BinOp::Sub, value));
                }
                _ => self.refuse(
                    e,
                    "of what a parallel loop accumulates, sums of whole variables alone have derivatives: write `sum += x`, or leave the derivative out",
                ),
            }
            return;
        }
        let slot = Slot::Local(local);
        let Some(base) = self.versions.get(&slot).cloned() else {
            return self.refuse(place, "a variable needs a value before it is changed");
        };
        if let ExprKind::Local(..) = place.kind {
            return self.set(slot, Op::Changed(op, base, value), e.span);
        }
        let Some(steps) = self.steps(place) else { return };
        let before = self.part(base.clone(), &steps, e.span);
        let after = self.name(Op::Changed(op, before, value), e.span);
        self.set(slot, Op::With(base, steps, after), e.span);
    }

    /// Whether a variable belongs to all iterations of the parallel loop.
    pub fn is_outer(&self, local: LocalId) -> bool {
        self.func.kind == FuncKind::Kernel && self.parallel.is_some() && self.func.local(local).inside != self.parallel
    }

    pub fn atomic(&mut self, e: &Expr, op: AtomicOp, name: &Ident, place: &Expr, args: &[Expr]) {
        match (op, args) {
            (AtomicOp::Add | AtomicOp::Sub, [value]) => {
                self.in_a_loop(e);
                // The receiver of a method comes before its arguments.
                let place = self.place(place);
                let value = self.expr(value);
                let Some(place) = place else { return };
                self.stmts.push(Stmt::Atomic(place, op == AtomicOp::Sub, value));
            }
            _ => self.refuse(e, format!("`{name}` has no derivative: use `atomic_add`, a reduction, or a kernel of its own without a derivative")),
        }
    }
}

impl Build<'_> {
    /// Refuses to change a field where no parallel loop does.
    pub fn in_a_loop(&mut self, e: &Expr) {
        if self.parallel.is_none() {
            self.refuse(e, "a field that is changed outside of parallel loops has no derivative: write it in a parallel loop, or in a kernel of its own");
        }
    }
}
