//! The widest instruction set for a loop (function multi-versioning).

use std::collections::BTreeSet;

use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, LocalId, ParFor};

/// Up to which instruction set a loop is there.
pub enum Widest {
    /// The widest of all.
    Any,
    /// By how many scalars the elements of these fields have, which only their types know: what has no loops of its own is not run in lanes.
    ByElements(BTreeSet<LocalId>),
}

impl Widest {
    pub fn of(p: &ParFor) -> Widest {
        let mut fields = Fields::default();
        fields.block(&p.body);
        match fields.loops {
            true => Widest::Any,
            false => Widest::ByElements(fields.accessed),
        }
    }
}

#[derive(Default)]
struct Fields {
    accessed: BTreeSet<LocalId>,
    loops: bool,
}

impl Visit for Fields {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) => self.loops = true,
            ExprKind::Field(access) => {
                self.accessed.insert(access.field);
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}
