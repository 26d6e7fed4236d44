//! Parallel loops: their positions and bodies.

use std::collections::BTreeSet;

use proc_macro2::Ident;
use swathe_ir::LocalId;

use super::loops::{Written, with_tail};
use super::{Label, Lower};
use crate::hir::visit::{VisitMut, walk_expr_mut};
use crate::hir::{Axis, Block, Domain, Expr, ExprKind, ParFor, Value};

impl Lower<'_> {
    pub(super) fn parallel_for(&mut self, f: &syn::ExprForLoop, written: Written<'_>) -> Option<ParFor> {
        let (mut axes, mut before) = (None, Vec::new());
        let (domain, value) = match written {
            Written::Indices(field, ident) => (
                Domain::Indices(field, ident),
                Value::Parallel {
                    axis: Axis::All,
                    extent: Some(self.positions(field)),
                },
            ),
            Written::Range(range) => {
                if let Some(span) = range.reverse.or(range.turned) {
                    // Steps from the other end are at other positions.
                    let instead = match (range.reverse, range.step) {
                        (Some(_), Some(_)) => {
                            "begin the range at the lowest position that the steps reach and leave out `.rev()`"
                        }
                        _ => "leave out `.rev()`",
                    };
                    self.errors.at(
                        span,
                        format!("a parallel loop has no order: {instead}, or write `serial(..)` around the range"),
                    );
                    return None;
                }
                let range = self.range(&range)?;
                let extent = if range.inclusive {
                    None
                } else {
                    self.extent_of(&range.end)
                };
                (
                    Domain::Range(range),
                    Value::Parallel {
                        axis: Axis::One(0),
                        extent,
                    },
                )
            }
            Written::Items(items) => {
                self.consequences.on(
                    items,
                    "a parallel loop runs over positions, `field.indices()`, `field.interior(1)`, a range or `ndrange`: write `for item in serial(..)` for the items of an array, or loop over them in a parallel loop",
                );
                return None;
            }
            Written::NdRanges(ranges) => {
                let along = axes.insert(self.along(&ranges, &mut before));
                self.counted_domain(along)
            }
            Written::Interior(field, ident, width) => {
                let along = axes.insert(self.interior_along(f, field, ident, width, &mut before)?);
                self.counted_domain(along)
            }
            Written::NdRange(extents) => {
                let extents: Vec<Expr> = extents.iter().map(|e| self.expr(e)).collect();
                (
                    Domain::NdRange(extents),
                    Value::Parallel {
                        axis: Axis::All,
                        extent: None,
                    },
                )
            }
        };
        let number = self.parallel_count;
        self.parallel_count += 1;
        self.parallel = Some(number);
        let label = self.new_label();
        let frame = Label::of_loop(f.label.as_ref(), None, label);
        let (vars, offsets, body, counted) = self.scoped(|l| {
            let (vars, counted) = match &axes {
                None => (l.parallel_vars(&f.pat, &domain, &value), None),
                Some(axes) => {
                    let mut counted = l.counted(&f.pat, axes);
                    (counted.as_mut().map(|c| std::mem::take(&mut c.counters)), counted)
                }
            };
            let offsets = vars.as_ref().map(|vars| l.offsets(&domain, vars));
            let body = l.labelled(frame, |l| l.block(&f.body));
            (vars, offsets, body, counted)
        });
        let mut body = Block {
            stmts: with_tail(body),
            tail: None,
        };
        let mut positions = None;
        if let Some(counted) = counted {
            positions = Some(counted.positions);
            if let Some((whole, parts)) = counted.whole {
                self.replace(&mut body, whole, parts);
            }
            body.stmts.splice(0..0, counted.stmts);
        }
        let found = vars.map(|vars| ParFor {
            number,
            domain,
            offsets: offsets.unwrap_or_default(),
            vars,
            label,
            body,
            reductions: Vec::new(),
            arg_reductions: Vec::new(),
            accumulated: Vec::new(),
            hoisted: Vec::new(),
            conditional: Vec::new(),
            likely: Vec::new(),
            fixed: Vec::new(),
            written: BTreeSet::new(),
            vouched: Vec::new(),
            items: Vec::new(),
            reaches: Vec::new(),
            interchanged: false,
            across: None,
            inside: None,
            span: f.for_token.span,
            lints: Vec::new(),
        });
        let found = found.map(|mut p| {
            self.take_apart(&mut p, &value);
            let positions = positions.unwrap_or_else(|| p.vars.iter().flatten().copied().collect());
            self.locate(&mut p.body, &positions);
            p
        });
        self.parallel = None;
        let found = found.map(|mut p| {
            self.accumulated_parts(&mut p, &mut before);
            p
        });
        // Not earlier: a loop in the body has its own.
        self.before = before;
        found
    }

    /// Gives what is printed in a parallel loop the position of the iteration.
    fn locate(&self, body: &mut Block, positions: &[LocalId]) {
        struct Locate<'l>(&'l [(LocalId, Ident)]);
        impl VisitMut for Locate<'_> {
            fn expr(&mut self, e: &mut Expr) {
                walk_expr_mut(self, e);
                let (span, end) = (e.span, e.end);
                if let ExprKind::Print { args, .. } = &mut e.kind {
                    let position = |(local, ident): &(LocalId, Ident)| ExprKind::Local(*local, ident.clone());
                    args.extend(self.0.iter().map(|at| Expr::new(position(at), span, end)));
                }
            }
        }
        let positions: Vec<_> = positions.iter().map(|id| (*id, self.emitted(*id))).collect();
        Locate(&positions).block(body);
    }

    fn parallel_vars(&mut self, pat: &syn::Pat, domain: &Domain, value: &Value) -> Option<Vec<Option<LocalId>>> {
        let axes = match domain {
            Domain::Indices(..) => None,
            Domain::Range(_) => Some(1),
            Domain::NdRange(extents) => Some(extents.len()),
        };
        match pat {
            syn::Pat::Slice(slice) if !matches!(domain, Domain::Range(_)) => {
                if axes.is_some_and(|n| n != slice.elems.len()) {
                    self.errors.on(
                        slice,
                        format!("this loop has {} positions: name each, or `_`", axes.unwrap_or(0)),
                    );
                    return None;
                }
                if let (Domain::Indices(..), 1) = (domain, slice.elems.len()) {
                    // All positions at once, whatever the field's rank is: the first axis alone would not bound them.
                    return Some(vec![self.parallel_var(&slice.elems[0], value.clone())?]);
                }
                let vars = slice.elems.iter().enumerate();
                vars.map(|(k, pat)| self.parallel_var(pat, axis_value(domain, value, k, self)))
                    .collect()
            }
            _ => Some(vec![self.parallel_var(pat, value.clone())?]),
        }
    }

    pub(super) fn parallel_var(&mut self, pat: &syn::Pat, value: Value) -> Option<Option<LocalId>> {
        match pat {
            syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                if let Some(token) = p.mutability {
                    self.errors.on(
                        token,
                        "the position of a parallel loop cannot be `mut`: copy it into a variable",
                    );
                    return None;
                }
                let position = self.declare(&p.ident, false, value);
                self.loop_positions.insert(position);
                Some(Some(position))
            }
            syn::Pat::Wild(_) => Some(None),
            syn::Pat::Paren(p) => self.parallel_var(&p.pat, value),
            _ => {
                self.errors.on(
                    pat,
                    "the positions of a parallel loop are a name `i`, or names in brackets `[i, j]`",
                );
                None
            }
        }
    }
}

/// What position `k` of a parallel loop knows of itself.
pub(super) fn axis_value(domain: &Domain, value: &Value, k: usize, lower: &Lower<'_>) -> Value {
    match domain {
        Domain::NdRange(extents) => Value::Parallel {
            axis: Axis::One(k),
            extent: lower.extent_of(&extents[k]),
        },
        _ => super::stmt::part(value, k),
    }
}
