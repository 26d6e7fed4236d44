//! Whether code may print.

use super::visit::any_in;
use super::{Block, Expr, ExprKind};

/// Whether a function that a body calls may print. An operator, and a method by the name of one of numbers, is taken for theirs.
pub fn may_print(body: &Block) -> bool {
    any_in(body, calls_function)
}

/// Whether it is the call of a function that may be anybody's, and so may print or fail.
pub fn calls_function(e: &Expr) -> bool {
    let of_numbers = |name: &syn::Ident| swathe_ir::scalar_methods().iter().any(|method| name == method.name);
    match &e.kind {
        ExprKind::Call { on: None, .. } => true,
        ExprKind::Call { path, .. } => path.path.segments.last().is_some_and(|last| !of_numbers(&last.ident)),
        ExprKind::Method { name, .. } => !of_numbers(name),
        _ => false,
    }
}
