//! `ndrange` of ranges, and the interior of fields: positions are counted from 0, and what the user names is that and the start of a range.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use swathe_ir::{BinOp, LocalId};
use syn::spanned::Spanned;

use super::Lower;
use crate::groups;
use crate::hir::affine::number;
use crate::hir::{Axis, CalleeQuery, Domain, Expr, ExprKind, Extent, Pat, Stmt, Value};

/// Start and end of the positions along an axis.
pub(super) struct Along {
    start: Expr,
    end: Expr,
}

/// The positions of a loop, as the user names them.
#[derive(Default)]
pub(super) struct Counted {
    /// What counts along each axis.
    pub(super) counters: Vec<Option<LocalId>>,
    /// The positions that have names.
    pub(super) positions: Vec<LocalId>,
    /// What declares the positions.
    pub(super) stmts: Vec<Stmt>,
    /// The name of all positions together, if the user wrote one, and the positions.
    pub(super) whole: Option<(LocalId, Vec<Expr>)>,
}

impl Lower<'_> {
    /// The ranges, their ends evaluated once, by statements in front of the loop.
    pub(super) fn along(&mut self, ranges: &[[&syn::Expr; 2]], before: &mut Vec<Stmt>) -> Vec<Along> {
        let ends = ranges.iter().map(|ends| {
            if let Some((end, instead)) = ends.iter().find_map(|end| Some((end, not_usize(end)?))) {
                let text = format!("`ndrange` takes `usize`, as the indices of fields are: {instead}");
                self.errors.on(end, text);
            }
            let [start, end] = ends.map(|end| {
                let end = self.expr(end);
                self.in_front(end, before)
            });
            Along { start, end }
        });
        ends.collect()
    }

    /// The positions of a field that are at least `width` from its rim along every axis.
    pub(super) fn interior_along(
        &mut self,
        f: &syn::ExprForLoop,
        field: LocalId,
        ident: Ident,
        width: &syn::Expr,
        before: &mut Vec<Stmt>,
    ) -> Option<Vec<Along>> {
        let rank = self.rank_of_loop(f, field)?;
        if rank == 0 {
            self.errors.on(&ident, "a field without axes has no interior");
            return None;
        }
        let width = self.expr(width);
        let width = self.in_front(width, before);
        // A pattern of its extents has rustc confirm how many these are.
        let (extents, shape) = self.axes_of(rank, ExprKind::FieldShape(field, ident), f.pat.span());
        before.push(shape);
        let along = extents.into_iter().enumerate().map(|(axis, (local, ident))| {
            self.locals[local.0 as usize].value = Value::Extent(Extent::Shape(field, axis));
            let at = ident.span();
            let extent = Expr::new(ExprKind::Local(local, ident), at, at);
            let end = self.saturating_sub(extent, width.clone());
            Along {
                start: width.clone(),
                end: self.in_front(end, before),
            }
        });
        Some(along.collect())
    }

    /// A number itself, or a variable of its value.
    fn in_front(&mut self, e: Expr, before: &mut Vec<Stmt>) -> Expr {
        if let (Some(_), ExprKind::Lit(_, slot)) = (number(&e), &e.kind) {
            // A start of 0 is left out.
            self.slots.types[slot.0 as usize] = Some(syn::parse_quote!(::swathe::__rt::core::primitive::usize));
            return e;
        }
        let ty = Some(Box::new(syn::parse_quote!(::swathe::__rt::core::primitive::usize)));
        self.once(e, ty, before)
    }

    /// Evaluates what a loop runs over by statements in front of it.
    pub(super) fn domain_in_front(&mut self, domain: &mut Domain, before: &mut Vec<Stmt>) {
        match domain {
            Domain::Indices(..) => {}
            Domain::Range(range) => {
                let ends = [&mut range.start, &mut range.end].into_iter().chain(&mut range.step);
                // A number has the type of the others.
                for e in ends.filter(|e| !matches!(e.kind, ExprKind::Lit(..))) {
                    **e = self.once((**e).clone(), None, before);
                }
            }
            Domain::NdRange(extents) => {
                for e in extents {
                    *e = self.in_front(e.clone(), before);
                }
            }
        }
    }

    /// A variable of this value.
    fn once(&mut self, e: Expr, ty: Option<Box<syn::Type>>, before: &mut Vec<Stmt>) -> Expr {
        let (span, end) = (e.span, e.end);
        let ident = format_ident!("__n{}", self.locals.len(), span = span);
        let value = self.value_of(&e);
        let local = self.hidden(&ident, false, value);
        before.push(Stmt::Let {
            pat: Pat::Bind {
                local,
                ident: ident.clone(),
                mutable: false,
            },
            ty,
            init: Some(e),
            span,
            lints: Vec::new(),
        });
        Expr::new(ExprKind::Local(local, ident), span, end)
    }

    /// What a parallel loop counts.
    pub(super) fn counted_domain(&mut self, along: &[Along]) -> (Domain, Value) {
        let extents = along.iter().map(|along| self.extent_along(along)).collect();
        let value = Value::Parallel {
            axis: Axis::All,
            extent: None,
        };
        (Domain::NdRange(extents), value)
    }

    /// How many positions there are along an axis.
    pub(super) fn extent_along(&mut self, along: &Along) -> Expr {
        if number(&along.start) == Some(0) {
            return along.end.clone();
        }
        self.saturating_sub(along.end.clone(), along.start.clone())
    }

    fn saturating_sub(&mut self, from: Expr, less: Expr) -> Expr {
        let (span, end) = (from.span, from.end);
        let usize_type: syn::Type = syn::parse_quote!(::swathe::__rt::core::primitive::usize);
        let name = Ident::new("saturating_sub", span);
        let query = CalleeQuery::On(name, Box::new(usize_type.clone()), span);
        let distance = ExprKind::Call {
            callee: self.slots.callee(query),
            path: syn::parse_quote_spanned!(span=> ::swathe::__rt::core::primitive::usize::saturating_sub),
            on: Some(self.slots.ty(Some(usize_type))),
            args: vec![from, less],
        };
        Expr::new(distance, span, end)
    }

    /// Names the positions in the scope of a parallel loop's body.
    pub(super) fn counted(&mut self, pat: &syn::Pat, axes: &[Along]) -> Option<Counted> {
        let mut counted = Counted::default();
        match pat {
            syn::Pat::Slice(slice) => {
                if slice.elems.len() != axes.len() {
                    self.errors.on(
                        slice,
                        format!("this loop has {} positions: name each, or `_`", axes.len()),
                    );
                    return None;
                }
                for (k, (pat, along)) in slice.elems.iter().zip(axes).enumerate() {
                    let local = self.parallel_var(pat, Value::Unknown)?;
                    self.counter(k, along, local, &mut counted);
                }
            }
            _ => {
                let whole = self.parallel_var(pat, Value::Unknown)?;
                if axes.len() == 1 {
                    self.counter(0, &axes[0], whole, &mut counted);
                    return Some(counted);
                }
                let Some(whole) = whole else {
                    counted.counters = vec![None; axes.len()];
                    return Some(counted);
                };
                let name = self.locals[whole.0 as usize].name.clone();
                let mut parts = Vec::new();
                for (k, along) in axes.iter().enumerate() {
                    let ident = format_ident!("__p{}", self.locals.len(), span = name.span());
                    let local = self.hidden(&ident, false, Value::Unknown);
                    self.locals[local.0 as usize].name = name.clone();
                    self.counter(k, along, Some(local), &mut counted);
                    parts.push(Expr::new(ExprKind::Local(local, ident), name.span(), name.span()));
                }
                counted.whole = Some((whole, parts));
            }
        }
        Some(counted)
    }

    /// `let position = start + counter;`
    fn counter(&mut self, k: usize, along: &Along, position: Option<LocalId>, counted: &mut Counted) {
        let Some(position) = position else {
            counted.counters.push(None);
            return;
        };
        counted.positions.push(position);
        let named = &self.locals[position.0 as usize];
        let (ident, name) = (named.ident.clone(), named.name.clone());
        let span = ident.span();
        let counter = format_ident!(
            "__counter{}",
            self.locals.len(),
            span = span.resolved_at(Span::call_site())
        );
        let value = Value::Parallel {
            axis: Axis::One(k),
            // From 0 on a position is counted as it is.
            extent: (number(&along.start) == Some(0))
                .then(|| self.extent_of(&along.end))
                .flatten(),
        };
        let local = self.hidden(&counter, false, value);
        // In messages.
        self.locals[local.0 as usize].name = name;
        counted.counters.push(Some(local));
        let own = Expr::new(ExprKind::Local(local, counter), span, span);
        let init = match number(&along.start) {
            Some(0) => {
                self.locals[position.0 as usize].value = Value::Alias(local);
                own
            }
            _ => {
                let mut start = along.start.clone();
                (start.span, start.end) = (span, span);
                let callee = self.operator(BinOp::Add.method(), &[&start, &own]);
                let sum = ExprKind::Binary(BinOp::Add, span, Box::new(start), Box::new(own), callee);
                Expr::new(sum, span, span)
            }
        };
        counted.stmts.push(Stmt::Let {
            pat: Pat::Bind {
                local: position,
                ident,
                mutable: false,
            },
            ty: Some(Box::new(syn::parse_quote!(::swathe::__rt::core::primitive::usize))),
            init: Some(init),
            span,
            lints: Vec::new(),
        });
    }

    /// The same loop in order, as loops in one another.
    pub(super) fn serial_along(&mut self, f: &syn::ExprForLoop, stmts: Vec<Stmt>, axes: Vec<Along>) -> Option<Expr> {
        let ends = axes.into_iter().map(|Along { start, end }| {
            let below = self.below(&end);
            (start, end, below)
        });
        let ends = ends.collect();
        self.below_ends(f, stmts, ends)
    }
}

/// What to write for a number that is no `usize`.
fn not_usize(end: &syn::Expr) -> Option<String> {
    match groups::bare(end) {
        syn::Expr::Unary(syn::ExprUnary {
            op: syn::UnOp::Neg(_),
            expr,
            ..
        }) => match groups::bare(expr) {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(lit),
                ..
            }) => Some(format!(
                "begin the range at 0, and subtract {} from the position in the body, as in `i as i32 - {0}`",
                lit.base10_digits()
            )),
            _ => None,
        },
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(lit),
            ..
        }) if !matches!(lit.suffix(), "" | "usize") => Some(format!(
            "write `{}`, and convert the position in the body, as in `i as {}`",
            lit.base10_digits(),
            lit.suffix()
        )),
        _ => None,
    }
}
