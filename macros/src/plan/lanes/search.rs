//! What bodies contain, as far as it decides where they are cut.

use std::collections::{HashMap, HashSet};

use swathe_ir::FuncKind;

use super::part::RETURN;
use super::why::{ATOMIC, CHECKED, FAILS, NESTED, PLACED, RETURNS, ROWS, VALUE, Why};
use crate::budget::{LANE_ARRAY, UNROLLED};
use crate::hir::visit::{Loops, Visit, walk_expr};
use crate::hir::{Block, Check, Expr, ExprKind, Func, LabelId, LocalId, ParFor, Pat, Range, Stmt};

/// An array whose copies for all lanes do not belong on a stack.
pub fn is_large(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Array(parts, _) => parts.len() > LANE_ARRAY || parts.iter().any(is_large),
        ExprKind::Repeat(value, len, _) => {
            let len = match &**len {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(len),
                    ..
                }) => len.base10_parse().ok(),
                _ => None,
            };
            len.is_none_or(|len: usize| len > LANE_ARRAY) || is_large(value)
        }
        _ => false,
    }
}

pub fn is_short(range: &Range) -> bool {
    let number = |e: &Expr| match &e.kind {
        ExprKind::Lit(syn::Lit::Int(lit), _) => lit.base10_parse::<u64>().ok(),
        _ => None,
    };
    match (number(&range.start), number(&range.end)) {
        (Some(start), Some(end)) => end.saturating_sub(start) <= UNROLLED,
        _ => false,
    }
}

pub fn has_loop(e: &Expr) -> bool {
    Loops::in_expr(e)
}

/// Labels that are left or continued.
#[derive(Default)]
pub struct Exits(pub HashSet<LabelId>);

impl Visit for Exits {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Break(label, _) | ExprKind::Continue(label) => {
                self.0.insert(*label);
            }
            ExprKind::Return(_) => {
                self.0.insert(RETURN);
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}

/// Whether one of the parts of an `if` leaves or continues a loop that is cut.
pub fn any_exit(then: &Block, otherwise: Option<&Expr>, labels: &HashMap<LabelId, u32>) -> bool {
    let mut exits = Exits::default();
    exits.block(then);
    otherwise.iter().for_each(|e| exits.expr(e));
    exits.0.iter().any(|label| labels.contains_key(label))
}

/// Where a sequential loop writes along the last axis of a field, row by row, of which each iteration of the parallel loop has its own:
/// lanes would write as many rows at once.
pub fn rows(p: &ParFor) -> Option<Why> {
    let mut search = Rows {
        positions: p.vars.iter().flatten().copied().collect(),
        along: Vec::new(),
        found: None,
    };
    search.block(&p.body);
    search.found
}

struct Rows {
    positions: HashSet<LocalId>,
    /// What the sequential loops around count.
    along: Vec<LocalId>,
    found: Option<Why>,
}

impl Visit for Rows {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(_, Pat::Bind { local, .. }, ..) => {
                self.along.push(*local);
                walk_expr(self, e);
                self.along.pop();
            }
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) => {
                if let Some(inner) = self.along.last()
                    && let Some(found) = place.field_place()
                    && let Some((last, others)) = found.access.index.split_last()
                    && mentions(last, |id| id == *inner)
                    && !mentions(last, |id| self.positions.contains(&id))
                    && others.iter().any(|e| mentions(e, |id| self.positions.contains(&id)))
                {
                    self.found = self.found.or(Some(Why::new(place.span, ROWS)));
                }
                walk_expr(self, e);
            }
            _ => walk_expr(self, e),
        }
    }
}

fn mentions(e: &Expr, is: impl Fn(LocalId) -> bool) -> bool {
    struct Search<F>(F, bool);
    impl<F: Fn(LocalId) -> bool> Visit for Search<F> {
        fn expr(&mut self, e: &Expr) {
            self.1 |= matches!(&e.kind, ExprKind::Local(id, _) if (self.0)(*id));
            walk_expr(self, e);
        }
    }
    let mut search = Search(is, false);
    search.expr(e);
    search.1
}

/// Whether code may run for one lane after the other.
pub struct Straight<'h> {
    pub func: &'h Func,
    /// In a loop that is cut.
    pub inner: bool,
    /// The first thing for which it may not.
    pub bent: Option<Why>,
}

impl Visit for Straight<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(p) => self.bent = self.bent.or(Some(Why::new(p.span, NESTED))),
        }
    }

    fn expr(&mut self, e: &Expr) {
        let of_kernel = self.func.kind == FuncKind::Kernel;
        let text = match &e.kind {
            ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) => Some(PLACED),
            ExprKind::Atomic(..) => Some(ATOMIC),
            ExprKind::Break(_, Some(_)) => Some(VALUE),
            ExprKind::Return(_) if of_kernel => Some(RETURNS),
            // Whatever else unwinds keeps LLVM from vectorising, which does not matter outside of loops.
            ExprKind::Fail { .. } if of_kernel || self.inner => Some(FAILS),
            // A failed check is a call, which keeps LLVM from vectorising.
            ExprKind::Field(access) if self.func.access(access.id).check == Check::InKernel => Some(CHECKED),
            _ => None,
        };
        self.bent = self.bent.or(text.map(|text| Why::new(e.span, text)));
        walk_expr(self, e);
    }
}
