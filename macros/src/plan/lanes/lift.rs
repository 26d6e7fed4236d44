//! Calls taken out of expressions, so that they are made for all lanes before the rest is evaluated.

use swathe_ir::{BinOp, ParamKind};

use super::call::{Arg, Call};
use super::part::{Item, Part, push};
use super::search::is_large;
use super::split::Split;
use crate::budget::LANE_ARGS;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Func, Stmt};
use crate::order;

/// Goes through an expression in the order in which it is evaluated.
pub struct Lift<'s, 'h> {
    pub split: &'s mut Split<'h>,
    pub parts: &'s mut Vec<Part<'h>>,
    /// Whether a variable or a field may have been read.
    pub seen: bool,
    /// Whether one may have been changed.
    pub changed: bool,
}

impl<'h> Lift<'_, 'h> {
    pub fn expr(&mut self, e: &'h Expr) {
        if self.split.lifted.contains_key(&std::ptr::from_ref(e)) {
            return;
        }
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) => {}
            ExprKind::Unary(_, a, _)
            | ExprKind::Cast(a, ..)
            | ExprKind::Member(a, _)
            | ExprKind::Decided { value: a, .. }
            | ExprKind::Within(a, _)
            | ExprKind::Limited(a) => self.expr(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => {
                self.expr(a);
                self.opaque(b);
            }
            ExprKind::Binary(_, _, a, b, _) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            // For some types the place comes first.
            ExprKind::AssignOp(_, _, place, value, _) if !order::commutes(self.split.func(), place, value) => {
                self.opaque(e)
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, _, place, value, _) => {
                self.expr(value);
                self.opaque(place);
                self.changed = true;
            }
            ExprKind::Field(access) => {
                access.index.iter().for_each(|e| self.expr(e));
                self.seen = true;
            }
            ExprKind::Tuple(all) | ExprKind::Array(all, _) => all.iter().for_each(|e| self.expr(e)),
            ExprKind::Struct { members, base, .. } => {
                members.iter().for_each(|(_, e)| self.expr(e));
                base.iter().for_each(|e| self.expr(e));
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                then.stmts.iter().for_each(|s| self.stmt(s));
                then.tail.iter().for_each(|e| self.opaque(e));
                otherwise.iter().for_each(|e| self.opaque(e));
            }
            ExprKind::Return(Some(value)) => self.expr(value),
            ExprKind::Method { receiver, args, .. } => {
                self.expr(receiver);
                args.iter().for_each(|e| self.expr(e));
                self.changed |= changes(self.split.func(), e);
            }
            ExprKind::Call { args, path, .. } => self.call(e, path, args),
            _ => self.opaque(e),
        }
    }

    fn call(&mut self, e: &'h Expr, path: &'h syn::ExprPath, args: &'h [Expr]) {
        let func = self.split.func();
        let (seen, changed) = (self.seen, self.changed);
        args.iter().for_each(|e| self.expr(e));
        let moves = seen && args.iter().any(|e| changes(func, e));
        if !is_candidate(func, e) || changed || moves {
            self.seen = true;
            self.changed |= changes(func, e);
            return;
        }
        // The arguments are evaluated here, in their order.
        (self.seen, self.changed) = (seen, changed);
        let mut values = Vec::new();
        for arg in args {
            let lifted = self.split.lifted.get(&std::ptr::from_ref(arg)).copied();
            let value = lifted.unwrap_or_else(|| {
                let id = self.split.variable();
                push(Item::Let(id, arg), self.parts);
                id
            });
            values.push(Arg { value, written: arg });
        }
        let result = self.split.variable();
        self.parts.push(Part::Call(Call {
            path,
            args: values,
            result,
            written: e,
        }));
        self.split.lifted.insert(e, result);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.opaque(e)),
            Stmt::Expr(e) => self.opaque(e),
            Stmt::ParFor(_) => {}
        }
    }

    /// What stays as it is.
    fn opaque(&mut self, e: &Expr) {
        self.seen = true;
        self.changed |= changes(self.split.func(), e);
    }
}

/// Whether a call of a function may be made for all lanes: it is given values, not places.
pub fn is_candidate(func: &Func, e: &Expr) -> bool {
    let is_place = |e: &Expr| match &e.kind {
        ExprKind::Ref { .. } => true,
        ExprKind::Local(id, _) => {
            let mut params = func.params.iter();
            params.any(|p| p.local == *id && matches!(p.kind, ParamKind::Ref { .. }))
        }
        _ => false,
    };
    match &e.kind {
        ExprKind::Call { on: None, args, .. } if args.is_empty() || args.len() > LANE_ARGS => false,
        ExprKind::Call { on: None, args, .. } => !args.iter().any(|e| is_place(e) || is_large(e)),
        _ => false,
    }
}

pub struct Calls<'f> {
    pub func: &'f Func,
    pub found: bool,
}

impl Visit for Calls<'_> {
    fn expr(&mut self, e: &Expr) {
        self.found |= is_candidate(self.func, e);
        walk_expr(self, e);
    }
}

/// Whether an expression may change a variable or a field, or not come to its end.
fn changes(func: &Func, e: &Expr) -> bool {
    struct Search<'f>(&'f Func, bool);
    impl Visit for Search<'_> {
        fn expr(&mut self, e: &Expr) {
            self.1 |= match &e.kind {
                ExprKind::Method { receiver, .. } => receiver.root_local().is_some_and(|id| self.0.local(id).mutable),
                ExprKind::Ref { mutable, .. } => *mutable,
                ExprKind::Assign(..)
                | ExprKind::AssignOp(..)
                | ExprKind::Atomic(..)
                | ExprKind::Break(..)
                | ExprKind::Continue(_)
                | ExprKind::Return(_)
                | ExprKind::Fail { .. } => true,
                _ => false,
            };
            walk_expr(self, e);
        }
    }
    let mut search = Search(func, false);
    search.expr(e);
    search.1
}
