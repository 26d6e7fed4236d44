//! What bodies contain, as far as it decides where they are cut.

use std::collections::{BTreeSet, HashMap, HashSet};

use proc_macro2::Span;
use swathe_ir::{BinOp, FuncKind};

use super::super::accumulators::Accumulators;
use super::part::RETURN;
use super::why::{ATOMIC, CHECKED, FAILS, LENT, NESTED, PLACED, PRINTS, RETURNS, ROWS, VALUE, Why};
use crate::budget::{LANE_ARRAY, UNROLLED};
use crate::hir::visit::{Visit, any, any_in, is_loop, walk_expr};
use crate::hir::{
    Access, AccessId, Block, Check, Expr, ExprKind, Func, LabelId, LocalId, ParFor, Pat, Range, Stmt, Within,
};

/// An array whose copies for all lanes do not belong on a stack.
pub fn is_large(e: &Expr) -> bool {
    let Some(length) = length(e) else { return false };
    let parts = match &e.kind {
        ExprKind::Array(parts, _) => parts.iter().any(is_large),
        ExprKind::Repeat(value, ..) => is_large(value),
        _ => false,
    };
    parts || length.is_none_or(|length| length > LANE_ARRAY)
}

/// How long an array is, as far as its text tells. Nothing for what is no array by its text.
pub fn length(e: &Expr) -> Option<Option<usize>> {
    match &e.kind {
        ExprKind::Array(parts, _) => Some(Some(parts.len())),
        ExprKind::Repeat(_, length, _) => Some(match &**length {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(length),
                ..
            }) => length.base10_parse().ok(),
            _ => None,
        }),
        _ => None,
    }
}

pub fn is_short(range: &Range) -> bool {
    range
        .literals()
        .is_some_and(|[start, end]| end.saturating_sub(start) <= UNROLLED)
}

/// A short loop of short loops that nothing leaves: LLVM writes it out, so that it is straight code.
pub fn is_written_out(e: &Expr) -> bool {
    let ExprKind::For(_, _, range, body) = &e.kind else {
        return false;
    };
    let mut exits = Exits::default();
    exits.block(body);
    let other = |e: &Expr| match &e.kind {
        ExprKind::For(_, _, range, _) => !is_short(range),
        _ => is_loop(e),
    };
    is_short(range) && exits.0.is_empty() && !any_in(body, other)
}

pub fn has_loop(e: &Expr) -> bool {
    any(e, is_loop)
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

/// Where a sequential loop writes elements that follow one another, row by row, of which each iteration of the parallel loop has its own:
/// lanes would write as many rows at once. In a parallel loop with reductions, where one writes or reads such elements that accumulates into parts
/// of them.
pub fn rows(p: &ParFor, accumulators: &Accumulators) -> Option<Why> {
    let mut search = Rows {
        positions: p.vars.iter().flatten().copied().collect(),
        along: Vec::new(),
        reduces: !p.reductions.is_empty(),
        accumulators,
        accumulates: false,
        named: HashMap::new(),
        found: None,
    };
    search.block(&p.body);
    search.found
}

/// How a number grows, as far as it is written as a sum.
#[derive(Clone, Default)]
struct Growth {
    /// With a position of the parallel loop, by as much.
    near: bool,
    /// With one in a product.
    apart: bool,
    /// With what these loops count, by as much.
    along: Vec<LocalId>,
}

struct Rows<'a> {
    positions: HashSet<LocalId>,
    /// What the sequential loops around count.
    along: Vec<LocalId>,
    /// Whether the parallel loop has reductions.
    reduces: bool,
    accumulators: &'a Accumulators,
    /// Whether the innermost of these accumulates into parts of reductions.
    accumulates: bool,
    /// Immutable variables.
    named: HashMap<LocalId, Growth>,
    found: Option<Why>,
}

impl Rows<'_> {
    fn growth(&self, e: &Expr) -> Growth {
        match &e.kind {
            ExprKind::Local(id, _) if self.positions.contains(id) => Growth {
                near: true,
                ..Growth::default()
            },
            ExprKind::Local(id, _) if self.along.contains(id) => Growth {
                along: vec![*id],
                ..Growth::default()
            },
            ExprKind::Local(id, _) => self.named.get(id).cloned().unwrap_or_default(),
            ExprKind::Binary(BinOp::Add | BinOp::Sub, _, a, b, _) => {
                let (mut a, b) = (self.growth(a), self.growth(b));
                (a.near, a.apart) = (a.near || b.near, a.apart || b.apart);
                let others = b
                    .along
                    .into_iter()
                    .filter(|id| !a.along.contains(id))
                    .collect::<Vec<_>>();
                a.along.extend(others);
                a
            }
            ExprKind::Within(a, Within::Like) if let ExprKind::Binary(_, _, _, number, _) = &a.kind => {
                self.growth(number)
            }
            ExprKind::Cast(a, ..)
            | ExprKind::Decided { value: a, .. }
            | ExprKind::Within(a, Within::Indices | Within::Index) => self.growth(a),
            _ => Growth {
                apart: any(e, |e| match &e.kind {
                    ExprKind::Local(id, _) => {
                        let named = self.named.get(id);
                        self.positions.contains(id) || named.is_some_and(|growth| growth.near || growth.apart)
                    }
                    _ => false,
                }),
                ..Growth::default()
            },
        }
    }

    fn written(&mut self, place: &Expr) {
        if let Some(found) = place.field_place().filter(|_| !self.reduces) {
            self.accessed(found.access);
        }
    }

    fn accessed(&mut self, access: &Access) {
        let (Some(inner), Some((last, others))) = (self.along.last(), access.index.split_last()) else {
            return;
        };
        let counts = any(last, |e| matches!(&e.kind, ExprKind::Local(id, _) if id == inner));
        let last = self.growth(last);
        let mut others = others.iter().map(|e| self.growth(e));
        let beside = last.along.contains(inner) && last.apart;
        let in_others = (counts || last.along.contains(inner)) && others.any(|other| other.near || other.apart);
        if !last.near && (beside || in_others) {
            self.found = self.found.or(Some(Why::new(access.span, ROWS)));
        }
    }
}

impl Visit for Rows<'_> {
    fn named(&mut self, local: LocalId, init: &Expr) {
        let growth = self.growth(init);
        self.named.insert(local, growth);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(id, Pat::Bind { local, .. }, ..) => {
                let accumulates = self.accumulators.contains_key(id);
                let before = std::mem::replace(&mut self.accumulates, accumulates);
                self.along.push(*local);
                walk_expr(self, e);
                self.along.pop();
                self.accumulates = before;
            }
            ExprKind::Field(access) if self.accumulates => {
                self.accessed(access);
                walk_expr(self, e);
            }
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) => {
                self.written(place);
                walk_expr(self, e);
            }
            _ => walk_expr(self, e),
        }
    }
}

/// A read that is checked in place: data tells its index.
#[derive(Clone, Copy)]
pub struct Gather {
    pub id: AccessId,
    pub field: LocalId,
    pub at: Span,
}

/// Whether code may run for one lane after the other.
pub struct Straight<'h> {
    pub func: &'h Func,
    /// In a loop that is cut.
    pub inner: bool,
    /// Fields that are only added to.
    pub added: &'h BTreeSet<LocalId>,
    /// Reads that are checked in place, of fields that nobody writes.
    pub gathers: Vec<Gather>,
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
        let checked = |access: &Access| self.func.access(access.id).check == Check::InKernel;
        if let ExprKind::Field(access) = &e.kind
            && of_kernel
            && checked(access)
            && !self.func.field_mutable(access.field)
        {
            self.gathers.push(Gather {
                id: access.id,
                field: access.field,
                at: access.span,
            });
            return walk_expr(self, e);
        }
        let text = match &e.kind {
            ExprKind::For(..) if is_written_out(e) => None,
            ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) => Some(PLACED),
            ExprKind::Atomic(..) if e.accessed().is_none_or(|access| !self.added.contains(&access.field)) => {
                Some(ATOMIC)
            }
            ExprKind::Break(_, Some(_)) => Some(VALUE),
            ExprKind::Return(_) if of_kernel => Some(RETURNS),
            ExprKind::Print { .. } => Some(PRINTS),
            // Whatever else unwinds keeps LLVM from vectorising, which does not matter outside of loops.
            ExprKind::Fail { .. } if of_kernel || self.inner => Some(FAILS),
            // What is written is not put back, as long as data tells where.
            ExprKind::Field(access) if checked(access) => Some(CHECKED),
            ExprKind::Atomic(..) if e.accessed().is_some_and(checked) => Some(CHECKED),
            ExprKind::FieldArgument(..) => Some(LENT),
            _ => None,
        };
        self.bent = self.bent.or(text.map(|text| Why::new(e.span, text)));
        walk_expr(self, e);
    }
}
