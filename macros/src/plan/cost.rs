//! What an iteration costs, as far as its text tells.

use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Block, Expr, ExprKind};

/// Simple operations of one iteration; `None` where loops or calls make it a matter of measurement.
pub fn cost(block: &Block) -> Option<u32> {
    struct Count(Option<u32>);
    impl Visit for Count {
        fn expr(&mut self, e: &Expr) {
            let own = match &e.kind {
                ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) | ExprKind::Call { on: None, .. } => None,
                ExprKind::Method { .. } => Some(8),
                ExprKind::Atomic(..) => Some(20),
                ExprKind::Field(_) => Some(2),
                _ => Some(1),
            };
            self.0 = self.0.zip(own).map(|(a, b)| a.saturating_add(b));
            walk_expr(self, e);
        }
    }
    let mut count = Count(Some(1));
    count.block(block);
    count.0
}
