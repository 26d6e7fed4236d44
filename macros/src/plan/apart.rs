//! Fields that a loop only reads, and those that it writes: LLVM is told that they are apart.
//!
//! What a kernel borrows nobody else writes, and the iterations of one loop do not meet those of another. So what a loop only reads stays as
//! it is while the loop runs.

use std::collections::BTreeSet;

use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Func, LocalId, ParFor};

pub struct Apart {
    pub read: Vec<LocalId>,
    pub written: Vec<LocalId>,
}

/// `MOST` of `swathe::versions`.
const MOST: usize = 8;

impl Apart {
    pub fn of(func: &Func, p: &ParFor) -> Apart {
        let mut accessed = Accessed::default();
        accessed.block(&p.body);
        let fields = func.params.iter().map(|param| param.local);
        let (mut written, mut read): (Vec<_>, Vec<_>) = fields
            .filter(|field| accessed.fields.contains(field))
            .partition(|field| p.written.contains(field));
        // Where fields are only read, or only written, there is nothing that LLVM could make of it.
        let most = match read.is_empty() || written.is_empty() {
            true => 0,
            false => MOST,
        };
        read.truncate(most);
        written.truncate(most);
        Apart { read, written }
    }

    pub fn is_empty(&self) -> bool {
        self.read.is_empty()
    }

    /// Which of those that are only read it is.
    pub fn read(&self, field: LocalId) -> Option<usize> {
        self.read.iter().position(|other| *other == field)
    }

    /// Which of those that are written it is.
    pub fn written(&self, field: LocalId) -> Option<usize> {
        self.written.iter().position(|other| *other == field)
    }
}

#[derive(Default)]
struct Accessed {
    fields: BTreeSet<LocalId>,
}

impl Visit for Accessed {
    fn expr(&mut self, e: &Expr) {
        self.fields.extend(e.accessed().map(|access| access.field));
        if let ExprKind::FieldArgument(field, _) = &e.kind {
            self.fields.insert(*field);
        }
        walk_expr(self, e);
    }
}
