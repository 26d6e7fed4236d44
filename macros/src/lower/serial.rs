//! Sequential loops: over ranges, and over several axes as loops in one another.

use proc_macro2::Ident;
use quote::format_ident;
use swathe_ir::LocalId;
use syn::spanned::Spanned;

use super::loops::{Written, with_tail};
use super::{Label, Lower};
use crate::hir::{Block, CalleeQuery, Expr, ExprKind, Extent, Pat, Range, Stmt, Value};

impl Lower<'_> {
    pub(super) fn serial_for(&mut self, f: &syn::ExprForLoop, written: Written<'_>) -> Option<Expr> {
        let span = f.for_token.span;
        match written {
            Written::Range(range) => {
                let range = self.range(&range)?;
                let value = if range.inclusive {
                    Value::Unknown
                } else {
                    self.below(&range.end)
                };
                let label = self.new_label();
                let frame = Label::of_loop(f.label.as_ref(), Some(label), label);
                let (pat, body) = self.scoped(|l| {
                    let pat = l.pat(&f.pat, &value);
                    let body = l.labelled(frame, |l| l.block(&f.body));
                    (
                        pat,
                        Block {
                            stmts: with_tail(body),
                            tail: None,
                        },
                    )
                });
                Some(Expr::new(ExprKind::For(label, pat, range, body), span, span))
            }
            Written::Indices(field, ident) => {
                let rank = self.rank_of_loop(f, field)?;
                if self.offset.contains(&field) {
                    return self.serial_positions(f, field, &ident, rank);
                }
                match rank {
                    0 => return self.one_position(f, ExprKind::FieldShape(field, ident)),
                    1 => {}
                    _ => return self.whole_positions(f, field, &ident, rank),
                }
                // A pattern of its extents has rustc confirm that there is one.
                let (_, shape) = self.axes_of(1, ExprKind::FieldShape(field, ident.clone()), f.pat.span());
                let extent = Extent::Len(field);
                let len = ExprKind::FieldLen(field, ident.clone());
                let len = Expr::new(len, ident.span(), ident.span());
                self.nested(f, vec![shape], vec![(len, Some(extent))])
            }
            Written::Items(items) => self.items(f, items),
            Written::NdRanges(ranges) => {
                let mut stmts = Vec::new();
                let axes = self.along(&ranges, &mut stmts);
                self.serial_along(f, stmts, axes)
            }
            Written::Interior(field, ident, width) => {
                let mut stmts = Vec::new();
                let axes = self.interior_along(f, field, ident, width, &mut stmts)?;
                self.serial_along(f, stmts, axes)
            }
            Written::NdRange(extents) => {
                let extents = extents
                    .iter()
                    .map(|e| {
                        let e = self.expr(e);
                        let extent = self.extent_of(&e);
                        (e, extent)
                    })
                    .collect();
                self.nested(f, Vec::new(), extents)
            }
        }
    }

    /// What is known of numbers below `end`.
    pub(super) fn below(&self, end: &Expr) -> Value {
        let least = match &end.kind {
            ExprKind::Method {
                receiver, name, args, ..
            } if name == "min" => args.iter().chain([&**receiver]).find_map(|e| self.extent_of(e)),
            _ => None,
        };
        match (self.extent_of(end), least) {
            (Some(extent), _) => Value::Below(extent),
            (None, Some(extent)) => Value::Within(extent),
            (None, None) => Value::Unknown,
        }
    }

    /// A sequential loop over several axes, as loops in one another: `break` leaves the outermost, `continue` starts
    /// the next round of the innermost.
    fn nested(
        &mut self,
        f: &syn::ExprForLoop,
        mut stmts: Vec<Stmt>,
        extents: Vec<(Expr, Option<Extent>)>,
    ) -> Option<Expr> {
        let span = f.for_token.span;
        let mut ends = Vec::new();
        for (k, (expr, extent)) in extents.into_iter().enumerate() {
            let ident = format_ident!("__n{}", k, span = span);
            let value = extent.clone().map_or(Value::Unknown, Value::Extent);
            let local = self.hidden(&ident, false, value);
            let known = extent.or_else(|| self.parallel.is_none().then_some(Extent::Local(local)));
            let pat = Pat::Bind {
                local,
                ident: ident.clone(),
                mutable: false,
            };
            stmts.push(Stmt::Let {
                pat,
                ty: None,
                init: Some(expr),
                span,
                lints: Vec::new(),
            });
            let end = Expr::new(ExprKind::Local(local, ident), span, span);
            let start = self.usize_literal(0, span);
            ends.push((start, end, known.map_or(Value::Unknown, Value::Below)));
        }
        self.below_ends(f, stmts, ends)
    }

    /// A sequential loop over all positions of a field of several axes. The pattern of its extents has rustc confirm how many these are.
    fn whole_positions(&mut self, f: &syn::ExprForLoop, field: LocalId, ident: &Ident, rank: usize) -> Option<Expr> {
        let at = f.pat.span();
        let (extents, shape) = self.axes_of(rank, ExprKind::FieldShape(field, ident.clone()), at);
        let axes = extents.into_iter().enumerate().map(|(axis, (local, ident))| {
            let extent = Extent::Shape(field, axis);
            self.locals[local.0 as usize].value = Value::Extent(extent.clone());
            let end = Expr::new(ExprKind::Local(local, ident), at, at);
            (self.usize_literal(0, at), end, Value::Below(extent))
        });
        let ends: Vec<_> = axes.collect();
        self.below_ends(f, vec![shape], ends)
    }

    /// A loop over the position of a field without axes: an array of no numbers, as `none` is.
    pub(super) fn one_position(&mut self, f: &syn::ExprForLoop, none: ExprKind) -> Option<Expr> {
        let span = f.for_token.span;
        let label = self.new_label();
        let frame = Label::of_loop(f.label.as_ref(), Some(label), label);
        let stmts = self.scoped(|l| {
            let mut stmts = vec![Stmt::Let {
                pat: l.pat(&f.pat, &Value::Unknown),
                ty: None,
                init: Some(Expr::new(none, span, span)),
                span,
                lints: Vec::new(),
            }];
            stmts.extend(with_tail(l.labelled(frame, |l| l.block(&f.body))));
            stmts
        });
        let range = Range {
            start: Box::new(self.usize_literal(0, span)),
            end: Box::new(self.usize_literal(1, span)),
            inclusive: false,
            reverse: false,
            step: None,
            turned: false,
        };
        Some(Expr::new(
            ExprKind::For(label, Pat::Wild(span), range, Block { stmts, tail: None }),
            span,
            span,
        ))
    }

    /// A loop over the items of an array, by their numbers.
    fn items(&mut self, f: &syn::ExprForLoop, items: &syn::Expr) -> Option<Expr> {
        let (span, at) = (f.for_token.span, items.span());
        if let Some((_, ident)) = self.lent_path(items) {
            let text = format!("`{ident}` is a reference, whose items would be references: write `for .. in *{ident}`");
            self.errors.on(items, text);
            return None;
        }
        let items = self.expr(items);
        let list = format_ident!("__items{}", self.locals.len(), span = at);
        let all = self.hidden(&list, false, Value::Unknown);
        let mut stmts = vec![Stmt::Let {
            pat: Pat::Bind {
                local: all,
                ident: list.clone(),
                mutable: false,
            },
            ty: None,
            init: Some(items),
            span,
            lints: Vec::new(),
        }];
        let whole = self.at(ExprKind::Local(all, list), at);
        let len = Ident::new("__len", at);
        let end = ExprKind::Method {
            receiver: Box::new(whole.clone()),
            callee: self.slots.callee(CalleeQuery::Method(len.clone())),
            name: len,
            args: Vec::new(),
        };
        let label = self.new_label();
        let frame = Label::of_loop(f.label.as_ref(), Some(label), label);
        let number = format_ident!("__number{}", self.locals.len(), span = at);
        let local = self.hidden(&number, false, Value::Unknown);
        let index = self.at(ExprKind::Local(local, number.clone()), at);
        let item = self.at(ExprKind::Index(Box::new(whole), Box::new(index)), at);
        let body = self.scoped(|l| {
            let mut body = vec![Stmt::Let {
                pat: l.pat(&f.pat, &Value::Unknown),
                ty: None,
                init: Some(item),
                span,
                lints: Vec::new(),
            }];
            l.taken_apart(span, &[], &mut body);
            body.extend(with_tail(l.labelled(frame, |l| l.block(&f.body))));
            body
        });
        let range = Range {
            start: Box::new(self.usize_literal(0, span)),
            end: Box::new(self.at(end, at)),
            inclusive: false,
            reverse: false,
            step: None,
            turned: false,
        };
        let pat = Pat::Bind {
            local,
            ident: number,
            mutable: false,
        };
        let block = Block {
            stmts: body,
            tail: None,
        };
        stmts.push(Stmt::Expr(self.at(ExprKind::For(label, pat, range, block), span)));
        let block = Block { stmts, tail: None };
        Some(self.at(
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            },
            span,
        ))
    }

    /// Loops in one another, from a start to an end each, of whose positions something is known.
    pub(super) fn below_ends(
        &mut self,
        f: &syn::ExprForLoop,
        mut stmts: Vec<Stmt>,
        ends: Vec<(Expr, Expr, Value)>,
    ) -> Option<Expr> {
        let span = f.for_token.span;
        let axes = ends
            .into_iter()
            .map(|(start, end, value)| (self.new_label(), start, end, value));
        let axes: Vec<_> = axes.collect();
        let frame = Label::of_loop(f.label.as_ref(), Some(axes.first()?.0), axes.last()?.0);
        let body = self.scoped(|l| {
            let values: Vec<Value> = axes.iter().map(|(.., value)| value.clone()).collect();
            let (pats, first) = l.axis_pats(&f.pat, &values)?;
            let mut body = Block {
                stmts: first.into_iter().collect(),
                tail: None,
            };
            body.stmts.extend(with_tail(l.labelled(frame, |l| l.block(&f.body))));
            Some((pats, body))
        });
        let (pats, mut body) = body?;
        for ((label, start, end, _), pat) in axes.into_iter().zip(pats).rev() {
            let range = Range {
                start: Box::new(start),
                end: Box::new(end),
                inclusive: false,
                reverse: false,
                step: None,
                turned: false,
            };
            let inner = Expr::new(ExprKind::For(label, pat, range, body), span, span);
            body = Block {
                stmts: vec![Stmt::Expr(inner)],
                tail: None,
            };
        }
        stmts.append(&mut body.stmts);
        let block = Block { stmts, tail: None };
        Some(Expr::new(
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            },
            span,
            span,
        ))
    }

    /// A pattern for each axis, and the statement that gathers them where the user wrote a single name.
    pub(super) fn axis_pats(&mut self, pat: &syn::Pat, values: &[Value]) -> Option<(Vec<Pat>, Option<Stmt>)> {
        let found = self.pats_of_axes(pat, values);
        for (.., p) in std::mem::take(&mut self.structs) {
            self.errors
                .on(p.path, "a position is no struct: write a name, or `[i, j]`");
        }
        found
    }

    fn pats_of_axes(&mut self, pat: &syn::Pat, values: &[Value]) -> Option<(Vec<Pat>, Option<Stmt>)> {
        let span = pat.span();
        match pat {
            syn::Pat::Slice(slice) => {
                if slice.elems.len() != values.len() {
                    self.errors.on(
                        slice,
                        format!("this loop has {} positions: name each, or `_`", values.len()),
                    );
                    return None;
                }
                Some((
                    slice
                        .elems
                        .iter()
                        .zip(values)
                        .map(|(pat, value)| self.pat(pat, value))
                        .collect(),
                    None,
                ))
            }
            _ if values.len() == 1 => Some((vec![self.pat(pat, &values[0])], None)),
            _ => {
                let mut pats = Vec::new();
                let mut parts = Vec::new();
                for (k, value) in values.iter().enumerate() {
                    let ident = format_ident!("__i{}", k, span = span);
                    let local = self.hidden(&ident, false, value.clone());
                    pats.push(Pat::Bind {
                        local,
                        ident: ident.clone(),
                        mutable: false,
                    });
                    parts.push(Expr::new(ExprKind::Local(local, ident), span, span));
                }
                let ty = self.inferred();
                let init = Some(Expr::new(ExprKind::Array(parts, ty), span, span));
                let pat = self.pat(pat, &Value::Unknown);
                Some((
                    pats,
                    Some(Stmt::Let {
                        pat,
                        ty: None,
                        init,
                        span,
                        lints: Vec::new(),
                    }),
                ))
            }
        }
    }

    /// How many positions a loop over a field has: as the field's type says it, or else as many as the pattern.
    pub(super) fn rank_of_loop(&mut self, f: &syn::ExprForLoop, field: LocalId) -> Option<usize> {
        let names = match &*f.pat {
            syn::Pat::Slice(slice) => Some(slice.elems.len()),
            _ => None,
        };
        match self.ranks.get(&field).copied().or(names) {
            Some(rank) => Some(rank),
            None => {
                self.errors.on(
                    &f.pat,
                    "how many axes this field has does not stand in its type as a number: name each position, `[i]` or `[i, j]`",
                );
                None
            }
        }
    }
}
