//! The order of evaluation. Operands are read in the order in which they are written, and the receiver of a method that takes `self` by value is copied
//! before the arguments are evaluated. Where code generation would read a variable later than Rust does, these functions say whether that can be seen.

use std::collections::HashSet;

use swathe_ir::{ParamKind, UnOp};

use crate::error::Errors;
use crate::hir::types;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Func, LocalId, Step};

/// What methods do to what they are called on, where that can change.
#[derive(Clone, Copy, PartialEq)]
pub enum Receivers {
    /// They may take `&mut self`.
    Changed,
    /// They do not, which rustc has to confirm.
    Kept,
}

pub const DEPENDS: &str = "one side may change what the other one reads, and which of them comes first depends on their types: put one into a variable in a statement before, `let value = ..;`";

/// Whether a place of a variable reads the same before `later` expressions and after them.
pub fn stays<'e>(func: &Func, place: &Expr, later: impl IntoIterator<Item = &'e Expr>) -> bool {
    let mut effects = Effects::of(func);
    later.into_iter().for_each(|e| effects.expr(e));
    place.root_local().is_none_or(|root| !effects.written.contains(&root))
}

/// Whether `place op= value` is the same with the value first, as for primitive types, and with the place first, as for all others.
pub fn commutes(func: &Func, place: &Expr, value: &Expr) -> bool {
    commutes_with(func, place, value, Receivers::Changed)
}

pub fn commutes_with(func: &Func, place: &Expr, value: &Expr, receivers: Receivers) -> bool {
    let (mut first, mut second) = (Effects::of(func), Effects::of(func));
    (first.receivers, second.receivers) = (receivers, receivers);
    match place.field_place() {
        Some(place) => {
            place.access.index.iter().for_each(|e| first.expr(e));
            for step in &place.steps {
                if let Step::Index(index) = step {
                    first.expr(index);
                }
            }
        }
        None => first.indices(place),
    }
    second.expr(value);
    !first.disturbs(&second) && !second.disturbs(&first)
}

/// Whether an expression does more than to give a value, where methods keep what they are called on.
pub fn acts(func: &Func, e: &Expr) -> bool {
    let mut effects = Effects::of(func);
    effects.receivers = Receivers::Kept;
    effects.expr(e);
    effects.leaves || !effects.written.is_empty()
}

/// Refuses updates of places whose order would depend on the type, where only one order is emitted; or that it takes for a type parameter, of which rustc
/// evaluates the place first, where a device has the type in its place.
pub fn check(func: &Func, generic: bool, errors: &mut Errors) {
    struct Check<'c>(&'c Func, bool, &'c mut Errors);
    impl Visit for Check<'_> {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::AssignOp(op, _, place, value, _) = &e.kind
                && (self.1 || place.field_place().is_some() || types::may_fail(*op, place, value))
                && !commutes(self.0, place, value)
            {
                self.2.on(e.ends(), DEPENDS);
            }
            walk_expr(self, e);
        }
    }
    Check(func, generic, errors).block(&func.body);
}

/// Refuses references that are moved on otherwise than as arguments of their own: a device would pass copies of what they refer to.
pub fn references(func: &Func, errors: &mut Errors) {
    struct Check<'c>(&'c Func, &'c mut Errors);
    impl Check<'_> {
        fn is_reference(&self, e: &Expr) -> bool {
            let ExprKind::Local(id, _) = &e.kind else { return false };
            let mut params = self.0.params.iter();
            params.any(|p| p.local == *id && p.kind == ParamKind::Ref { mutable: true })
        }

        /// What may be a reference.
        fn place(&mut self, e: &Expr) {
            if !self.is_reference(e) {
                self.expr(e);
            }
        }
    }
    impl Visit for Check<'_> {
        fn expr(&mut self, e: &Expr) {
            match &e.kind {
                ExprKind::Local(_, name) if self.is_reference(e) => self.1.on(
                    e.ends(),
                    format!("`{name}` is a reference: give it to a function as an argument of its own, `f({name})`, or use its value, `*{name}`"),
                ),
                ExprKind::Call { args, .. } | ExprKind::Fail { args, .. } | ExprKind::Print { args, .. } => {
                    args.iter().for_each(|e| self.place(e));
                }
                ExprKind::Method { receiver, args, .. } => {
                    self.place(receiver);
                    args.iter().for_each(|e| self.place(e));
                }
                ExprKind::Unary(UnOp::Deref, a, _) | ExprKind::Member(a, _) => self.place(a),
                ExprKind::Index(a, index) => {
                    self.place(a);
                    self.expr(index);
                }
                _ => walk_expr(self, e),
            }
        }
    }
    Check(func, errors).block(&func.body);
}

/// Variables and fields that expressions read and write.
struct Effects<'f> {
    func: &'f Func,
    read: HashSet<LocalId>,
    written: HashSet<LocalId>,
    /// Whether they may leave the statement.
    leaves: bool,
    receivers: Receivers,
}

impl<'f> Effects<'f> {
    fn of(func: &'f Func) -> Self {
        Effects {
            func,
            read: HashSet::new(),
            written: HashSet::new(),
            leaves: false,
            receivers: Receivers::Changed,
        }
    }

    /// Of the indices in a place of a variable.
    fn indices(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Index(base, index) => {
                self.indices(base);
                self.expr(index);
            }
            ExprKind::Member(base, _) | ExprKind::Unary(_, base, _) => self.indices(base),
            ExprKind::Local(..) => {}
            _ => self.expr(place),
        }
    }

    fn disturbs(&self, other: &Effects<'_>) -> bool {
        let mut touched = other.read.union(&other.written);
        touched.any(|id| self.written.contains(id)) || (other.leaves && !self.written.is_empty())
    }

    fn write(&mut self, place: &Expr) {
        self.written.extend(place.root_local());
        self.written.extend(place.field_place().map(|place| place.access.field));
    }

    /// References are passed on without a sign.
    fn passed(&mut self, args: &[Expr]) {
        for arg in args {
            if let ExprKind::Local(id, _) = arg.kind
                && self.is_reference(id)
            {
                self.written.insert(id);
            }
        }
    }

    fn is_reference(&self, id: LocalId) -> bool {
        let mut params = self.func.params.iter();
        params.any(|p| p.local == id && p.kind == ParamKind::Ref { mutable: true })
    }
}

impl Visit for Effects<'_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id, _) => _ = self.read.insert(*id),
            ExprKind::Field(access) => _ = self.read.insert(access.field),
            ExprKind::Atomic(_, _, place, _) => {
                self.read.extend(e.accessed().map(|access| access.field));
                self.write(place);
            }
            ExprKind::Ref { mutable: true, place }
            | ExprKind::Assign(place, _)
            | ExprKind::AssignOp(_, _, place, ..) => {
                self.write(place);
            }
            // It may take `&mut self`.
            ExprKind::Method { receiver, args, .. } => {
                if self.receivers == Receivers::Changed
                    && receiver
                        .root_local()
                        .is_some_and(|id| self.func.local(id).mutable || self.is_reference(id))
                {
                    self.write(receiver);
                }
                self.passed(args);
            }
            ExprKind::Call { args, .. } => self.passed(args),
            ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) | ExprKind::Fail { .. } => {
                self.leaves = true;
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}
