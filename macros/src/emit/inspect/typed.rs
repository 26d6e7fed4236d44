//! Whether the tokens of an expression alone decide about its type. A variable that is declared again for the inspection is used in
//! fewer places than the kernel's own, so rustc could infer another type for it, in which a sum wraps elsewhere.

use std::collections::HashSet;

use swathe_ir::BinOp;

use crate::hir::{Expr, ExprKind, LocalId, Stmt};

/// Whether a variable's declaration decides.
pub fn declared(stmt: &Stmt, untyped: &HashSet<LocalId>) -> bool {
    match stmt {
        Stmt::Let { ty: Some(_), .. } => true,
        Stmt::Let { init: Some(init), .. } => typed(init, untyped),
        _ => false,
    }
}

/// `untyped` are variables whose types their declarations leave open.
pub fn typed(e: &Expr, untyped: &HashSet<LocalId>) -> bool {
    let all = |parts: &[Expr]| parts.iter().all(|e| typed(e, untyped));
    match &e.kind {
        ExprKind::Lit(lit, _) => match lit {
            syn::Lit::Int(lit) => !lit.suffix().is_empty(),
            syn::Lit::Float(lit) => !lit.suffix().is_empty(),
            _ => true,
        },
        ExprKind::Local(id, _) => !untyped.contains(id),
        ExprKind::Unary(_, a, _) => typed(a, untyped),
        ExprKind::Binary(BinOp::Shl | BinOp::Shr, _, a, _, _) => typed(a, untyped),
        ExprKind::Binary(op, _, a, b, _) => op.is_comparison() || typed(a, untyped) || typed(b, untyped),
        ExprKind::Tuple(parts) => all(parts),
        ExprKind::Array(parts, _) => parts.iter().any(|e| typed(e, untyped)),
        _ => true,
    }
}

/// Whether every integer type that rustc may infer has the same number: its own choice is `i32`.
pub fn holds_everywhere(e: &Expr) -> bool {
    matches!(crate::stride::number(e), Some(n) if n <= i32::MAX as u64)
}
