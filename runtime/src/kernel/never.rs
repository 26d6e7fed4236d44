//! Expressions of which a part never has a value, `f(1, return x)`: they become what is evaluated up to that part.
//!
//! Code generation then meets a jump only as a statement, or at the end of a branch.

use swathe_ir::{BinOp, Block, Expr, ExprKind, Func, LabelId, Range, Stmt, UnOp};

use super::walk;

/// Takes out what is never evaluated.
pub(crate) fn cut(func: &mut Func) {
    cut_block(&mut func.body);
}

/// Whether an expression never has a value, where [`cut`] took out what is behind.
pub(crate) fn is_never(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Return(_) | ExprKind::Fail { .. } => true,
        ExprKind::Loop(label, body) => !leaves(*label, body),
        ExprKind::Block(label, body) => ends(body) && !label.is_some_and(|label| leaves(label, body)),
        ExprKind::If(_, then, Some(other)) => ends(then) && is_never(other),
        ExprKind::Match(_, arms) => !arms.is_empty() && arms.iter().all(|arm| is_never(&arm.body)),
        _ => false,
    }
}

/// Whether a block never comes to its end.
pub(crate) fn ends(block: &Block) -> bool {
    match (&block.tail, block.stmts.last()) {
        (Some(tail), _) => is_never(tail),
        (None, Some(Stmt::Expr(last))) => is_never(last),
        _ => false,
    }
}

/// Whether there is a `break` of this loop or block.
fn leaves(label: LabelId, body: &Block) -> bool {
    let mut found = false;
    walk::block(body, &mut |e| {
        found |= matches!(&e.kind, ExprKind::Break(l, _) if *l == label)
    });
    found
}

/// These functions tell whether what they are given never comes to its end.
fn cut_block(block: &mut Block) -> bool {
    let Some(last) = block.stmts.iter_mut().position(cut_stmt) else {
        return block.tail.as_deref_mut().is_some_and(cut_expr);
    };
    block.stmts.truncate(last + 1);
    block.tail = None;
    if let Some(Stmt::Let { init: Some(init), .. }) = block.stmts.last() {
        let init = Stmt::Expr(init.clone());
        block.stmts[last] = init;
    }
    true
}

fn cut_stmt(stmt: &mut Stmt) -> bool {
    match stmt {
        Stmt::Let { init, .. } => init.as_mut().is_some_and(cut_expr),
        Stmt::Expr(e) => cut_expr(e),
        Stmt::ParFor(p) => {
            cut_block(&mut p.body);
            false
        }
    }
}

fn cut_expr(e: &mut Expr) -> bool {
    match &mut e.kind {
        ExprKind::Block(_, body) | ExprKind::Loop(_, body) => {
            cut_block(body);
        }
        ExprKind::While(label, cond, body) => {
            let own = *label;
            let (never, cond) = (cut_expr(cond), &**cond);
            cut_block(body);
            let mut left = false;
            walk::expr(cond, &mut |e| {
                left |= matches!(&e.kind, ExprKind::Break(l, _) if *l == own)
            });
            if never && !left {
                *e = cond.clone();
            }
        }
        ExprKind::If(cond, then, other) => {
            if cut_expr(cond) {
                *e = (**cond).clone();
                return true;
            }
            cut_block(then);
            other.iter_mut().for_each(|e| _ = cut_expr(e));
        }
        ExprKind::Match(value, arms) => {
            if cut_expr(value) {
                *e = (**value).clone();
                return true;
            }
            for arm in arms {
                arm.guard.iter_mut().for_each(|e| _ = cut_expr(e));
                cut_expr(&mut arm.body);
            }
        }
        ExprKind::Binary(BinOp::And | BinOp::Or, a, b, _) => {
            if cut_expr(a) {
                *e = (**a).clone();
                return true;
            }
            cut_expr(b);
            return false;
        }
        ExprKind::For(_, _, _, body) => {
            cut_block(body);
            cut_parts(e);
        }
        _ => cut_parts(e),
    }
    is_never(e)
}

/// Makes of an expression what is evaluated up to a part that never has a value, if there is one.
fn cut_parts(e: &mut Expr) {
    let mut parts = Vec::new();
    operands(e, &mut parts);
    let Some(last) = parts.iter_mut().position(|part| cut_expr(part)) else {
        return;
    };
    let stmts = parts[..=last]
        .iter()
        .map(|part| Stmt::Expr(without_reference(part).clone()))
        .collect();
    e.kind = ExprKind::Block(None, Block { stmts, tail: None });
}

/// The value in `&mut 1`: nobody gets the reference, so it needs no variable.
fn without_reference(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Ref { place, .. } if !is_place(place) => place,
        _ => e,
    }
}

/// What is always evaluated of an expression, in its order.
fn operands<'e>(e: &'e mut Expr, parts: &mut Vec<&'e mut Expr>) {
    match &mut e.kind {
        ExprKind::Lit(..)
        | ExprKind::Local(_)
        | ExprKind::Const(_)
        | ExprKind::FieldLen(_)
        | ExprKind::FieldShape(_)
        | ExprKind::FieldArgument(_)
        | ExprKind::FieldOrigin(_)
        | ExprKind::Continue(_)
        | ExprKind::Block(..)
        | ExprKind::Loop(..)
        | ExprKind::While(..)
        | ExprKind::If(..)
        | ExprKind::Match(..) => {}
        ExprKind::Unary(_, a, _)
        | ExprKind::Cast(a, _)
        | ExprKind::Position(_, _, a)
        | ExprKind::Offset(_, _, a)
        | ExprKind::Member(a, _)
        | ExprKind::Repeat(a, _) => parts.push(a),
        ExprKind::Binary(_, a, b, _) | ExprKind::Index(a, b) => parts.extend([&mut **a, &mut **b]),
        ExprKind::Assign(place, value) | ExprKind::AssignOp(_, place, value, _) => {
            parts.push(value);
            place_operands(place, parts);
        }
        ExprKind::Ref { place, .. } => place_operands(place, parts),
        ExprKind::Field(access) => parts.extend(&mut access.index),
        ExprKind::Atomic(_, place, args) => {
            place_operands(place, parts);
            parts.extend(args);
        }
        ExprKind::Call { args, .. } | ExprKind::Fail { args, .. } | ExprKind::Print { args, .. } => parts.extend(args),
        ExprKind::Tuple(items) | ExprKind::Array(items, _) => parts.extend(items),
        ExprKind::Method { receiver, args, .. } => {
            parts.push(receiver);
            parts.extend(args);
        }
        ExprKind::Struct { members, base, .. } => {
            parts.extend(members.iter_mut().map(|(_, e)| e));
            parts.extend(base.as_deref_mut());
        }
        ExprKind::For(_, _, Range { start, end, step, .. }, _) => {
            parts.extend([&mut **start, &mut **end]);
            parts.extend(step.as_deref_mut());
        }
        ExprKind::Break(_, value) | ExprKind::Return(value) => parts.extend(value.as_deref_mut()),
    }
}

/// The same of a place, which itself is not read.
fn place_operands<'e>(place: &'e mut Expr, parts: &mut Vec<&'e mut Expr>) {
    if !is_place(place) {
        parts.push(place);
        return;
    }
    match &mut place.kind {
        ExprKind::Member(base, _) | ExprKind::Unary(UnOp::Deref, base, _) => place_operands(base, parts),
        ExprKind::Index(base, index) => {
            place_operands(base, parts);
            parts.push(index);
        }
        ExprKind::Field(access) => parts.extend(&mut access.index),
        _ => {}
    }
}

fn is_place(e: &Expr) -> bool {
    matches!(
        e.kind,
        ExprKind::Local(_)
            | ExprKind::Member(..)
            | ExprKind::Unary(UnOp::Deref, ..)
            | ExprKind::Index(..)
            | ExprKind::Field(_)
    )
}
