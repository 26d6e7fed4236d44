//! How the parts of reductions are accumulated.

use std::collections::HashSet;

use swathe_ir::{BinOp, ReduceOp};

use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, LocalId, ParFor};

/// Reductions by `-=` alone. Their parts add up what is subtracted in the end: 0 minus something would overflow in an
/// unsigned type, in a build with checks.
pub fn only_subtracted(p: &ParFor) -> HashSet<LocalId> {
    struct Others(HashSet<LocalId>);
    impl Visit for Others {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) = &e.kind
                && let ExprKind::Local(id, _) = &place.kind
                && !matches!(e.kind, ExprKind::AssignOp(BinOp::Sub, ..))
            {
                self.0.insert(*id);
            }
            walk_expr(self, e);
        }
    }
    let mut others = Others(HashSet::new());
    others.block(&p.body);
    let sums = p.reductions.iter().filter(|r| r.op == ReduceOp::Add);
    sums.map(|r| r.local).filter(|id| !others.0.contains(id)).collect()
}
