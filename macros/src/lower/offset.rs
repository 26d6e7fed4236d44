//! Offset fields: their origin, and loops over their positions.

use proc_macro2::{Ident, Span};
use quote::format_ident;
use swathe_ir::{BinOp, LocalId};
use syn::spanned::Spanned;

use super::loops::with_tail;
use super::{Label, Lower};
use crate::hir::{Block, Casting, Domain, Expr, ExprKind, Extent, Pat, Range, Stmt, Value};

impl Lower<'_> {
    /// What the positions of a parallel loop over a field are below, or in.
    pub(super) fn positions(&self, field: LocalId) -> Extent {
        if self.offset.contains(&field) {
            Extent::Ranges(field)
        } else {
            Extent::All(field)
        }
    }

    pub(super) fn type_name(&self, field: LocalId) -> &'static str {
        if self.offset.contains(&field) {
            "OffsetField"
        } else {
            "Field"
        }
    }

    pub(super) fn origin(&mut self, field: LocalId, ident: Ident, span: Span) -> ExprKind {
        if !self.offset.contains(&field) {
            self.errors.at(
                span,
                format!("positions of `{ident}` start at 0: only an `OffsetField` has an origin"),
            );
        }
        ExprKind::FieldOrigin(field, ident)
    }

    /// A hidden variable for each of a parallel loop, which holds its distance from the origin.
    pub(super) fn offsets(&mut self, domain: &Domain, vars: &[Option<LocalId>]) -> Vec<Option<LocalId>> {
        let Domain::Indices(field, _) = domain else {
            return Vec::new();
        };
        if !self.offset.contains(field) {
            return Vec::new();
        }
        let whole = vars.len() == 1;
        let hidden = vars.iter().map(|var| {
            let ident = self.locals[(*var)?.0 as usize].ident.clone();
            let local = self.hidden(&format_ident!("{}_offset", ident), false, Value::Unknown);
            if !whole {
                let slot = self.locals[local.0 as usize].ty;
                self.slots.types[slot.0 as usize] = Some(syn::parse_quote!(::swathe::__rt::core::primitive::usize));
            }
            Some(local)
        });
        hidden.collect()
    }

    /// A sequential loop over all positions, as loops in one another: `break` leaves the outermost, `continue` starts the next round of
    /// the innermost.
    pub(super) fn serial_positions(
        &mut self,
        f: &syn::ExprForLoop,
        field: LocalId,
        ident: &Ident,
        rank: usize,
    ) -> Option<Expr> {
        let span = f.for_token.span;
        if rank == 0 {
            return self.one_position(f, ExprKind::FieldOrigin(field, ident.clone()));
        }
        let labels: Vec<_> = (0..rank).map(|_| self.new_label()).collect();
        let frame = Label::of_loop(f.label.as_ref(), Some(*labels.first()?), *labels.last()?);
        // As patterns, which are refused unless there is one name for each axis.
        let at = f.pat.span();
        let (starts, first) = self.axes_of(rank, ExprKind::FieldOrigin(field, ident.clone()), at);
        let (extents, second) = self.axes_of(rank, ExprKind::FieldShape(field, ident.clone()), at);
        let values: Vec<Value> = (0..rank).map(|axis| Value::Below(Extent::Range(field, axis))).collect();
        let (pats, mut body) = self.scoped(|l| {
            let (pats, gathered) = l.axis_pats(&f.pat, &values)?;
            let mut stmts: Vec<Stmt> = gathered.into_iter().collect();
            stmts.extend(with_tail(l.labelled(frame, |l| l.block(&f.body))));
            Some((pats, Block { stmts, tail: None }))
        })?;
        let ranges: Vec<Range> = starts
            .iter()
            .zip(&extents)
            .map(|(start, n)| self.range_of(start, n))
            .collect();
        for ((label, pat), range) in labels.into_iter().zip(pats).zip(ranges).rev() {
            let inner = Expr::new(ExprKind::For(label, pat, range, body), span, span);
            body = Block {
                stmts: vec![Stmt::Expr(inner)],
                tail: None,
            };
        }
        body.stmts.splice(0..0, [first, second]);
        Some(Expr::new(
            ExprKind::Block {
                label: None,
                unsafety: false,
                block: body,
            },
            span,
            span,
        ))
    }

    /// `let [n0, n1] = init;`, and the names.
    pub(super) fn axes_of(&mut self, rank: usize, init: ExprKind, span: Span) -> (Vec<(LocalId, Ident)>, Stmt) {
        let names = (0..rank).map(|_| {
            let ident = format_ident!("__n{}", self.locals.len(), span = span);
            (self.hidden(&ident, false, Value::Unknown), ident)
        });
        let names: Vec<(LocalId, Ident)> = names.collect();
        let parts = names.iter().cloned().map(|(local, ident)| Pat::Bind {
            local,
            ident,
            mutable: false,
        });
        let stmt = Stmt::Let {
            pat: Pat::Array(parts.collect()),
            ty: None,
            init: Some(Expr::new(init, span, span)),
            span,
            lints: Vec::new(),
        };
        (names, stmt)
    }

    /// `start..start + extent as isize`
    fn range_of(&mut self, start: &(LocalId, Ident), extent: &(LocalId, Ident)) -> Range {
        let span = start.1.span();
        let expr = |kind| Expr::new(kind, span, span);
        let local = |(local, ident): &(LocalId, Ident)| Box::new(expr(ExprKind::Local(*local, ident.clone())));
        let isize: syn::Type = syn::parse_quote!(::swathe::__rt::core::primitive::isize);
        let slot = self.slots.ty(Some(isize.clone()));
        let extent = expr(ExprKind::Cast(local(extent), Box::new(isize), slot, Casting::As));
        let end = ExprKind::Binary(BinOp::Add, span, local(start), Box::new(extent), None);
        Range {
            start: local(start),
            end: Box::new(expr(end)),
            inclusive: false,
            reverse: false,
            step: None,
            turned: false,
        }
    }
}
