//! Variables from outside of a loop that it uses.

use std::collections::BTreeSet;

use super::scatter::Atomics;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Func, LocalId, ParFor};

pub fn captured(func: &Func, p: &ParFor, atomics: &Atomics) -> BTreeSet<LocalId> {
    let mut used = Used {
        locals: BTreeSet::new(),
    };
    used.block(&p.body);
    let reduced = p.reduced();
    let others: Vec<LocalId> = reduced.chain(atomics.added_only().map(|(field, _)| field)).collect();
    used.locals
        .retain(|id| func.local(*id).inside.is_none() && !others.contains(id));
    used.locals
}

struct Used {
    locals: BTreeSet<LocalId>,
}

impl Visit for Used {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id, _)
            | ExprKind::FieldLen(id, _)
            | ExprKind::FieldShape(id, _)
            | ExprKind::FieldOrigin(id, _)
            | ExprKind::FieldArgument(id, _) => {
                self.locals.insert(*id);
            }
            _ => {}
        }
        self.locals.extend(e.accessed().map(|access| access.field));
        walk_expr(self, e);
    }

    fn unreached(&mut self, e: &Expr) {
        self.expr(e);
    }
}
