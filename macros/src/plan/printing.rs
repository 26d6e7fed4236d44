//! Whether a loop may print.

use crate::hir::visit::any_in;
use crate::hir::{Block, ExprKind};

/// Whether a function that a body calls may print. An operator, and a method by the name of one of numbers, is taken for theirs.
pub fn may_print(body: &Block) -> bool {
    let of_numbers = |name: &syn::Ident| swathe_ir::scalar_methods().iter().any(|method| name == method.name);
    any_in(body, |e| match &e.kind {
        ExprKind::Call { on: None, .. } => true,
        ExprKind::Call { path, .. } => path.path.segments.last().is_some_and(|last| !of_numbers(&last.ident)),
        ExprKind::Method { name, .. } => !of_numbers(name),
        _ => false,
    })
}
