//! Whether the tokens of an expression alone decide about its type. A variable that is declared again for the inspection is used in
//! fewer places than the kernel's own, so rustc could infer another type for it, in which a sum wraps elsewhere.

use swathe_ir::BinOp;

use crate::hir::{Expr, ExprKind, Stmt};

/// Whether a variable's declaration decides.
pub fn declared(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { ty: Some(_), .. } => true,
        Stmt::Let { init: Some(init), .. } => typed(init),
        _ => false,
    }
}

fn typed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(lit, _) => match lit {
            syn::Lit::Int(lit) => !lit.suffix().is_empty(),
            syn::Lit::Float(lit) => !lit.suffix().is_empty(),
            _ => true,
        },
        ExprKind::Unary(_, a, _) => typed(a),
        ExprKind::Binary(BinOp::Shl | BinOp::Shr, _, a, _, _) => typed(a),
        ExprKind::Binary(op, _, a, b, _) => op.is_comparison() || typed(a) || typed(b),
        ExprKind::Tuple(parts) => parts.iter().all(typed),
        ExprKind::Array(parts, _) => parts.iter().any(typed),
        _ => true,
    }
}
