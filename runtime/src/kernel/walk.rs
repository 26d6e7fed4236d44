//! Visits every expression below a node, outermost first.

use swathe_ir::{Block, Domain, Expr, ExprKind, ParFor, Pattern, Range, Stmt};

type Visit<'v> = dyn FnMut(&Expr) + 'v;

pub(crate) fn block(block: &Block, visit: &mut Visit<'_>) {
    block.stmts.iter().for_each(|s| stmt(s, visit));
    block.tail.iter().for_each(|e| expr(e, visit));
}

pub(crate) fn stmt(stmt: &Stmt, visit: &mut Visit<'_>) {
    match stmt {
        Stmt::Let { init, .. } => init.iter().for_each(|e| expr(e, visit)),
        Stmt::Expr(e) => expr(e, visit),
        Stmt::ParFor(p) => par_for(p, visit),
    }
}

pub(crate) fn par_for(p: &ParFor, visit: &mut Visit<'_>) {
    domain(&p.domain, visit);
    block(&p.body, visit);
}

pub(crate) fn domain(domain: &Domain, visit: &mut Visit<'_>) {
    match domain {
        Domain::Indices(_) => {}
        Domain::Range(r) => range(r, visit),
        Domain::NdRange(extents) => extents.iter().for_each(|e| expr(e, visit)),
    }
}

fn range(r: &Range, visit: &mut Visit<'_>) {
    expr(&r.start, visit);
    expr(&r.end, visit);
    r.step.iter().for_each(|e| expr(e, visit));
}

fn pattern(p: &Pattern, visit: &mut Visit<'_>) {
    match p {
        Pattern::Wild | Pattern::Bind(_) => {}
        Pattern::Value(e) => expr(e, visit),
        Pattern::Range { start, end, .. } => start.iter().chain(end).for_each(|e| expr(e, visit)),
        Pattern::Named(_, p) => pattern(p, visit),
        Pattern::Or(ps) | Pattern::Tuple(ps) => ps.iter().for_each(|p| pattern(p, visit)),
        Pattern::Struct(ps) => ps.iter().for_each(|(_, p)| pattern(p, visit)),
    }
}

pub(crate) fn expr(e: &Expr, visit: &mut Visit<'_>) {
    visit(e);
    match &e.kind {
        ExprKind::Lit(..)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::FieldLen(_)
        | ExprKind::FieldShape(_)
        | ExprKind::FieldArgument(_)
        | ExprKind::FieldOrigin(_)
        | ExprKind::Continue(_) => {}
        ExprKind::Unary(_, a, _)
        | ExprKind::Cast(a, _)
        | ExprKind::Position(_, _, a)
        | ExprKind::Offset(_, _, a)
        | ExprKind::Member(a, _)
        | ExprKind::Repeat(a, _)
        | ExprKind::Ref { place: a, .. } => expr(a, visit),
        ExprKind::Binary(_, a, b, _)
        | ExprKind::Assign(a, b)
        | ExprKind::AssignOp(_, a, b, _)
        | ExprKind::Index(a, b) => {
            expr(a, visit);
            expr(b, visit);
        }
        ExprKind::Field(access) => access.index.iter().for_each(|e| expr(e, visit)),
        ExprKind::Atomic(_, place, args) => std::iter::once(&**place).chain(args).for_each(|e| expr(e, visit)),
        ExprKind::Call { args, .. }
        | ExprKind::Tuple(args)
        | ExprKind::Array(args, _)
        | ExprKind::Fail { args, .. }
        | ExprKind::Print { args, .. } => {
            args.iter().for_each(|e| expr(e, visit));
        }
        ExprKind::Method { receiver, args, .. } => {
            expr(receiver, visit);
            args.iter().for_each(|e| expr(e, visit));
        }
        ExprKind::Struct { members, base, .. } => {
            members.iter().for_each(|(_, e)| expr(e, visit));
            base.iter().for_each(|e| expr(e, visit));
        }
        ExprKind::Block(_, b) | ExprKind::Loop(_, b) => block(b, visit),
        ExprKind::If(cond, then, other) => {
            expr(cond, visit);
            block(then, visit);
            other.iter().for_each(|e| expr(e, visit));
        }
        ExprKind::Match(value, arms) => {
            expr(value, visit);
            for arm in arms {
                pattern(&arm.pat, visit);
                arm.guard.iter().for_each(|e| expr(e, visit));
                expr(&arm.body, visit);
            }
        }
        ExprKind::While(_, cond, body) => {
            expr(cond, visit);
            block(body, visit);
        }
        ExprKind::For(_, _, r, body) => {
            range(r, visit);
            block(body, visit);
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => value.iter().for_each(|e| expr(e, visit)),
    }
}
