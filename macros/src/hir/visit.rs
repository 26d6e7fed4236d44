//! Walks over HIR.

use std::collections::HashMap;

use crate::hir::{Arm, Block, Domain, Expr, ExprKind, LocalId, Named, ParFor, Range, Stmt};

/// Visits expressions in the order of evaluation; `expr` calls [`walk_expr`] to go on below.
pub trait Visit {
    fn expr(&mut self, e: &Expr);

    fn parallel(&mut self, p: &ParFor) {
        walk_parallel(self, p);
    }

    /// What is there for its types alone.
    fn unreached(&mut self, _: &Expr) {}

    /// An immutable variable that is one name for a value, behind it.
    fn named(&mut self, _: LocalId, _: &Expr) {}

    /// One that is a name for an item of an array, behind it.
    fn item(&mut self, _: LocalId, _: &Expr, _: usize) {}

    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
    }

    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|s| self.stmt(s));
        block.tail.iter().for_each(|e| self.expr(e));
    }
}

pub fn walk_stmt<V: Visit + ?Sized>(v: &mut V, stmt: &Stmt) {
    match stmt {
        Stmt::Let { pat, init, .. } => {
            init.iter().for_each(|e| v.expr(e));
            if let Some(init) = init {
                pat.names(init, &mut |local, named| match named {
                    Named::Value(init) => v.named(local, init),
                    Named::Item(array, k) => v.item(local, array, k),
                });
            }
        }
        Stmt::Expr(e) => v.expr(e),
        Stmt::ParFor(p) => v.parallel(p),
    }
}

pub fn walk_parallel<V: Visit + ?Sized>(v: &mut V, p: &ParFor) {
    walk_domain(v, &p.domain);
    v.block(&p.body);
}

pub fn walk_domain<V: Visit + ?Sized>(v: &mut V, domain: &Domain) {
    match domain {
        Domain::Indices(..) => {}
        Domain::Range(range) => walk_range(v, range),
        Domain::NdRange(extents) => extents.iter().for_each(|e| v.expr(e)),
    }
}

fn walk_range<V: Visit + ?Sized>(v: &mut V, range: &Range) {
    v.expr(&range.start);
    v.expr(&range.end);
    range.step.iter().for_each(|e| v.expr(e));
}

pub fn walk_expr<V: Visit + ?Sized>(v: &mut V, e: &Expr) {
    match &e.kind {
        ExprKind::Lit(..)
        | ExprKind::Local(..)
        | ExprKind::Const(..)
        | ExprKind::FieldLen(..)
        | ExprKind::FieldShape(..)
        | ExprKind::FieldOrigin(..)
        | ExprKind::FieldArgument(..)
        | ExprKind::Continue(_) => {}
        ExprKind::Unary(_, a, _)
        | ExprKind::Cast(a, ..)
        | ExprKind::Member(a, _)
        | ExprKind::Repeat(a, ..)
        | ExprKind::Within(a, _)
        | ExprKind::Inside(a, _)
        | ExprKind::Limited(a)
        | ExprKind::OfClosure(_, a)
        | ExprKind::Ref { place: a, .. } => v.expr(a),
        // A value comes before the place that it is written to.
        ExprKind::Binary(_, _, a, b, _)
        | ExprKind::Index(a, b)
        | ExprKind::Assign(b, a)
        | ExprKind::AssignOp(_, _, b, a, _) => {
            v.expr(a);
            v.expr(b);
        }
        ExprKind::Field(access) => access.index.iter().for_each(|e| v.expr(e)),
        // What is changed is no value: its indices are.
        ExprKind::Atomic(_, _, place, args) => {
            let indices = place
                .field_place()
                .into_iter()
                .flat_map(|place| place.indices().collect::<Vec<_>>());
            indices.chain(args).for_each(|e| v.expr(e));
        }
        ExprKind::Call { args, .. } | ExprKind::Fail { args, .. } | ExprKind::Print { args, .. } => {
            args.iter().for_each(|e| v.expr(e));
        }
        ExprKind::Method { receiver, args, .. } => {
            v.expr(receiver);
            args.iter().for_each(|e| v.expr(e));
        }
        ExprKind::Tuple(parts) | ExprKind::Array(parts, _) => parts.iter().for_each(|e| v.expr(e)),
        ExprKind::Struct { members, base, .. } => {
            members.iter().for_each(|(_, e)| v.expr(e));
            base.iter().for_each(|e| v.expr(e));
        }
        ExprKind::Block { block, .. } | ExprKind::Loop(_, block) => v.block(block),
        ExprKind::Decided { unreached, value } => {
            v.unreached(unreached);
            v.expr(value);
        }
        ExprKind::If(cond, then, otherwise) => {
            v.expr(cond);
            v.block(then);
            otherwise.iter().for_each(|e| v.expr(e));
        }
        ExprKind::Match(value, arms) => {
            v.expr(value);
            arms.iter().for_each(|arm| walk_arm(v, arm));
        }
        ExprKind::While(_, cond, body) => {
            v.expr(cond);
            v.block(body);
        }
        ExprKind::For(_, _, range, body) => {
            walk_range(v, range);
            v.block(body);
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => value.iter().for_each(|e| v.expr(e)),
    }
}

/// The same for changes. A block's statements come in their order.
pub trait VisitMut {
    fn expr(&mut self, e: &mut Expr);

    fn stmt(&mut self, stmt: &mut Stmt) {
        walk_stmt_mut(self, stmt);
    }

    fn block(&mut self, block: &mut Block) {
        block.stmts.iter_mut().for_each(|s| self.stmt(s));
        block.tail.iter_mut().for_each(|e| self.expr(e));
    }
}

pub fn walk_stmt_mut<V: VisitMut + ?Sized>(v: &mut V, stmt: &mut Stmt) {
    match stmt {
        Stmt::Let { init, .. } => init.iter_mut().for_each(|e| v.expr(e)),
        Stmt::Expr(e) => v.expr(e),
        Stmt::ParFor(p) => v.block(&mut p.body),
    }
}

/// Goes on below, also to places.
pub fn walk_expr_mut<V: VisitMut + ?Sized>(v: &mut V, e: &mut Expr) {
    match &mut e.kind {
        ExprKind::Lit(..)
        | ExprKind::Local(..)
        | ExprKind::Const(..)
        | ExprKind::FieldLen(..)
        | ExprKind::FieldShape(..)
        | ExprKind::FieldOrigin(..)
        | ExprKind::FieldArgument(..)
        | ExprKind::Continue(_) => {}
        ExprKind::Unary(_, a, _)
        | ExprKind::Cast(a, ..)
        | ExprKind::Member(a, _)
        | ExprKind::Repeat(a, ..)
        | ExprKind::Decided { value: a, .. }
        | ExprKind::Within(a, _)
        | ExprKind::Inside(a, _)
        | ExprKind::Limited(a)
        | ExprKind::OfClosure(_, a)
        | ExprKind::Ref { place: a, .. } => v.expr(a),
        ExprKind::Binary(_, _, a, b, _)
        | ExprKind::Index(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::AssignOp(_, _, a, b, _) => {
            v.expr(a);
            v.expr(b);
        }
        ExprKind::Field(access) => access.index.iter_mut().for_each(|e| v.expr(e)),
        ExprKind::Atomic(_, _, place, args) => {
            v.expr(place);
            args.iter_mut().for_each(|e| v.expr(e));
        }
        ExprKind::Call { args, .. } | ExprKind::Fail { args, .. } | ExprKind::Print { args, .. } => {
            args.iter_mut().for_each(|e| v.expr(e));
        }
        ExprKind::Method { receiver, args, .. } => {
            v.expr(receiver);
            args.iter_mut().for_each(|e| v.expr(e));
        }
        ExprKind::Tuple(parts) | ExprKind::Array(parts, _) => parts.iter_mut().for_each(|e| v.expr(e)),
        ExprKind::Struct { members, base, .. } => {
            members.iter_mut().for_each(|(_, e)| v.expr(e));
            base.iter_mut().for_each(|e| v.expr(e));
        }
        ExprKind::Block { block, .. } | ExprKind::Loop(_, block) => v.block(block),
        ExprKind::If(cond, then, otherwise) => {
            v.expr(cond);
            v.block(then);
            otherwise.iter_mut().for_each(|e| v.expr(e));
        }
        ExprKind::Match(value, arms) => {
            v.expr(value);
            for arm in arms {
                arm.guard.iter_mut().for_each(|e| v.expr(e));
                v.expr(&mut arm.body);
            }
        }
        ExprKind::While(_, cond, body) => {
            v.expr(cond);
            v.block(body);
        }
        ExprKind::For(_, _, range, body) => {
            v.expr(&mut range.start);
            v.expr(&mut range.end);
            range.step.iter_mut().for_each(|e| v.expr(e));
            v.block(body);
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => value.iter_mut().for_each(|e| v.expr(e)),
    }
}

fn walk_arm<V: Visit + ?Sized>(v: &mut V, arm: &Arm) {
    arm.guard.iter().for_each(|e| v.expr(e));
    v.expr(&arm.body);
}

struct Any<F>(F, bool);

impl<F: Fn(&Expr) -> bool> Visit for Any<F> {
    fn expr(&mut self, e: &Expr) {
        self.1 = self.1 || (self.0)(e);
        if !self.1 {
            walk_expr(self, e);
        }
    }
}

/// Whether the expression or a part of it is one.
pub fn any(e: &Expr, is: impl Fn(&Expr) -> bool) -> bool {
    let mut any = Any(is, false);
    any.expr(e);
    any.1
}

pub fn any_in(block: &Block, is: impl Fn(&Expr) -> bool) -> bool {
    let mut any = Any(is, false);
    any.block(block);
    any.1
}

pub fn any_of(domain: &Domain, is: impl Fn(&Expr) -> bool) -> bool {
    let mut any = Any(is, false);
    walk_domain(&mut any, domain);
    any.1
}

/// Whether it is a sequential loop.
pub fn is_loop(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..))
}

/// Tells each expression its [order](Expr::order). Before, that is 0, or in closures where an expression comes from: those that stand there several
/// times get the order of the first one.
pub fn number(block: &Block) {
    let (mut accesses, mut first) = (0, HashMap::new());
    let mut number = Numbered(&mut |e: &Expr| {
        accesses += u32::from(matches!(e.kind, ExprKind::Field(_)));
        let order = match e.order.get() {
            0 => accesses,
            origin => *first.entry(origin).or_insert(accesses),
        };
        e.order.set(order);
    });
    number.block(block);
}

/// Looks at what [`number`] tells orders, in its order.
pub fn each_numbered(e: &Expr, look: &mut dyn FnMut(&Expr)) {
    Numbered(look).expr(e);
}

struct Numbered<'f>(&'f mut dyn FnMut(&Expr));

impl Visit for Numbered<'_> {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Atomic(_, _, place, args) => {
                self.expr(place);
                args.iter().for_each(|e| self.expr(e));
            }
            _ => walk_expr(self, e),
        }
        (self.0)(e);
    }
}

/// How many expressions there are in a block.
pub fn parts(block: &Block) -> usize {
    let mut parts = Parts(0);
    parts.block(block);
    parts.0
}

/// The same of an expression.
pub fn parts_of(e: &Expr) -> usize {
    let mut parts = Parts(0);
    parts.expr(e);
    parts.0
}

struct Parts(usize);

impl Visit for Parts {
    fn expr(&mut self, e: &Expr) {
        self.0 += 1;
        walk_expr(self, e);
    }
}
