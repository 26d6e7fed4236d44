//! Calls taken out of expressions, so that they are made for all lanes before the rest is evaluated.

use swathe_ir::{BinOp, ParamKind, UnOp};

use super::call::{Arg, Call};
use super::part::{Item, Part, push};
use super::search::is_large;
use super::split::Split;
use crate::budget::LANE_ARGS;
use crate::hir::visit::any;
use crate::hir::{Check, Expr, ExprKind, Func, Stmt, is_derivative, types};
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
            | ExprKind::Inside(a, _)
            | ExprKind::Limited(a) => self.expr(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => {
                self.expr(a);
                self.opaque(b);
            }
            ExprKind::Binary(_, _, a, b, _) | ExprKind::Index(a, b) => self.sequence(&[&**a, &**b]),
            // For some types the place comes first.
            ExprKind::AssignOp(_, _, place, value, _)
                if !order::commutes(self.split.func(), place, value) || self.fails_before(place, value) =>
            {
                self.opaque(e)
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, _, place, value, _) => {
                self.expr(value);
                self.opaque(place);
                self.changed = true;
            }
            ExprKind::Field(access) => {
                self.sequence(&access.index.iter().collect::<Vec<_>>());
                self.seen = true;
            }
            ExprKind::Tuple(all) | ExprKind::Array(all, _) => self.sequence(&all.iter().collect::<Vec<_>>()),
            ExprKind::Struct { members, base, .. } => {
                let base = base.iter().map(|e| &**e);
                self.sequence(&members.iter().map(|(_, e)| e).chain(base).collect::<Vec<_>>());
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                then.stmts.iter().for_each(|s| self.stmt(s));
                then.tail.iter().for_each(|e| self.opaque(e));
                otherwise.iter().for_each(|e| self.opaque(e));
            }
            ExprKind::Return(Some(value)) => self.expr(value),
            ExprKind::Method { receiver, args, .. } => {
                if self.is_lent(receiver) {
                    self.place(receiver, args);
                    self.sequence(&args.iter().collect::<Vec<_>>());
                } else {
                    self.sequence(&std::iter::once(&**receiver).chain(args).collect::<Vec<_>>());
                }
                self.changed |= changes(self.split.func(), e);
            }
            ExprKind::Call { args, path, .. } => self.call(e, path, args),
            _ => self.opaque(e),
        }
    }

    /// Whether a place may be out of bounds in front of calls that might not come to their end.
    fn fails_before(&self, place: &Expr, value: &Expr) -> bool {
        let func = self.split.func();
        may_be_outside(func, place) && any(value, |e| is_candidate(func, e))
    }

    /// Whether a method may change its receiver, which then is a place, not a value.
    fn is_lent(&self, receiver: &Expr) -> bool {
        let root = receiver.root_local();
        root.is_some_and(|id| self.split.func().local(id).mutable)
    }

    /// A place, of which no part is copied, in front of what is evaluated next.
    fn place(&mut self, e: &'h Expr, next: &'h [Expr]) {
        match &e.kind {
            ExprKind::Member(base, _) => self.place(base, next),
            ExprKind::Index(base, index) => {
                self.place(base, std::slice::from_ref(index));
                self.expr(index);
                let func = self.split.func();
                self.changed |= next.iter().any(|e| any(e, |e| is_candidate(func, e)));
            }
            _ => self.opaque(e),
        }
    }

    /// Operands in their order. One that may end the iteration is evaluated before calls in those behind it: they might not come to their end.
    fn sequence(&mut self, operands: &[&'h Expr]) {
        let func = self.split.func();
        let mut parts = Vec::new();
        operands.iter().for_each(|e| operands_of(func, e, &mut parts));
        let operands = parts;
        for (k, e) in operands.iter().copied().enumerate() {
            self.expr(e);
            let calls = operands[k + 1..].iter().any(|e| any(e, |e| is_candidate(func, e)));
            if !calls || self.changed || !may_fail(func, e) || self.split.lifted.contains_key(&std::ptr::from_ref(e)) {
                continue;
            }
            if is_large(e) || is_place(func, e) {
                self.changed = true;
                continue;
            }
            let id = self.split.variable();
            push(Item::Let(id, e), self.parts);
            self.split.lifted.insert(e, id);
        }
    }

    fn call(&mut self, e: &'h Expr, path: &'h syn::ExprPath, args: &'h [Expr]) {
        let func = self.split.func();
        let (seen, changed) = (self.seen, self.changed);
        self.sequence(&args.iter().collect::<Vec<_>>());
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

/// What is evaluated for an operand: of operations that do not fail by themselves their operands, so that a product and the sum that it goes into, or a root
/// and its quotient, stay together.
fn operands_of<'h>(func: &Func, e: &'h Expr, found: &mut Vec<&'h Expr>) {
    match &e.kind {
        ExprKind::Binary(BinOp::And | BinOp::Or, ..) => found.push(e),
        ExprKind::Binary(op, _, a, b, _) if !types::may_fail(*op, a, b) => {
            operands_of(func, a, found);
            operands_of(func, b, found);
        }
        ExprKind::Unary(UnOp::Neg | UnOp::Not, a, _) => operands_of(func, a, found),
        ExprKind::Method {
            receiver, name, args, ..
        } if name == "sqrt" && args.is_empty() && !receiver.root_local().is_some_and(|id| func.local(id).mutable) => {
            operands_of(func, receiver, found);
        }
        _ => found.push(e),
    }
}

/// Whether a call of a function may be made for all lanes: it is given values, not places.
pub fn is_candidate(func: &Func, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Call {
            on: None, args, path, ..
        } if args.is_empty() || args.len() > LANE_ARGS || is_straight(path) => false,
        ExprKind::Call { on: None, args, .. } => !args.iter().any(|e| is_place(func, e) || is_large(e)),
        _ => false,
    }
}

/// Whether the function is one of the library's rules of derivatives, written out by its path: they have no loops, so that nothing is gained where they
/// are called in lanes. Nor are a function's derivatives.
fn is_straight(path: &syn::ExprPath) -> bool {
    let segments = &path.path.segments;
    let rule = path.path.leading_colon.is_some() && segments.len() == 3 && segments[1].ident == "derivative";
    rule || segments.last().is_some_and(|last| is_derivative(&last.ident))
}

/// Whether a place is lent.
fn is_place(func: &Func, e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Ref { .. } | ExprKind::FieldArgument(..) => true,
        ExprKind::Local(id, _) => {
            let mut params = func.params.iter();
            params.any(|p| p.local == *id && matches!(p.kind, ParamKind::Ref { .. }))
        }
        _ => false,
    }
}

/// Whether an expression may end the iteration: by a division, an index, or in a function. Calls that are made for all lanes come in
/// their order.
fn may_fail(func: &Func, e: &Expr) -> bool {
    let fails = |e: &Expr| match &e.kind {
        ExprKind::Binary(op, _, a, b, _) => types::may_fail(*op, a, b),
        ExprKind::Method { .. } | ExprKind::Call { .. } => true,
        _ => false,
    };
    may_be_outside(func, e) || any(e, fails)
}

/// Whether an index may be out of bounds: of an array, or of a field where it is checked.
fn may_be_outside(func: &Func, e: &Expr) -> bool {
    any(e, |e| match &e.kind {
        ExprKind::Index(..) => true,
        ExprKind::Field(access) => {
            let access = func.access(access.id);
            access.conditional || access.check == Check::InKernel
        }
        _ => false,
    })
}

/// Whether an expression may change a variable or a field, or not come to its end.
fn changes(func: &Func, e: &Expr) -> bool {
    any(e, |e| match &e.kind {
        ExprKind::Method { receiver, .. } => receiver.root_local().is_some_and(|id| func.local(id).mutable),
        ExprKind::Ref { mutable, .. } => *mutable,
        ExprKind::Assign(..)
        | ExprKind::AssignOp(..)
        | ExprKind::Atomic(..)
        | ExprKind::Break(..)
        | ExprKind::Continue(_)
        | ExprKind::Return(_)
        | ExprKind::Print { .. }
        | ExprKind::Fail { .. } => true,
        _ => false,
    })
}
