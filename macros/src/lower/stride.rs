//! Multiples of a loop's position as index, `f[2 * i]`: different positions are different elements, as long as the product does not wrap.

use proc_macro2::Ident;
use swathe_ir::BinOp;
use syn::parse_quote_spanned;

use super::Lower;
use crate::hir::affine::{self, LIMIT};
use crate::hir::{CalleeQuery, Expr, ExprKind, Extent, Pat, Value};

impl Lower<'_> {
    /// The index with positions in products at most [`LIMIT`]: beyond, an index is out of bounds as it was, but it cannot wrap to an
    /// element of another iteration. An index with anything else in it is no iteration's own, and stays as it is.
    pub(super) fn limited(&mut self, e: Expr) -> Expr {
        if self.is_moved_by_numbers(&e) {
            self.limited_products(e)
        } else {
            e
        }
    }

    /// Whether an index consists of numbers, positions, and variables of sequential loops that end at numbers.
    pub(super) fn is_moved_by_numbers(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(id, _) => {
                let local = &self.locals[id.0 as usize];
                let value = self.original(&local.value);
                !local.mutable
                    && (self.moved_by_numbers.contains(id)
                        || matches!(
                            value,
                            Value::Parallel { .. }
                                | Value::Extent(Extent::Literal(_))
                                | Value::Below(Extent::Literal(_))
                                | Value::Within(Extent::Literal(_))
                        ))
            }
            ExprKind::Cast(inner, ..) => matches!(inner.kind, ExprKind::Local(..)) && self.is_moved_by_numbers(inner),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul, _, a, b, _) => {
                self.is_moved_by_numbers(a) && self.is_moved_by_numbers(b)
            }
            _ => affine::number(e).is_some(),
        }
    }

    /// Notes which variables of a pattern are moved by numbers.
    pub(super) fn note_moved_by_numbers(&mut self, pat: &Pat, init: &Expr) {
        match (pat, &init.kind) {
            (
                Pat::Bind {
                    local, mutable: false, ..
                },
                _,
            ) if self.is_moved_by_numbers(init) => {
                self.moved_by_numbers.insert(*local);
            }
            (Pat::Tuple(pats), ExprKind::Tuple(parts)) | (Pat::Array(pats), ExprKind::Array(parts, _)) => {
                pats.iter()
                    .zip(parts)
                    .for_each(|(pat, part)| self.note_moved_by_numbers(pat, part));
            }
            _ => {}
        }
    }

    fn limited_products(&mut self, mut e: Expr) -> Expr {
        match e.kind {
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), span, a, b, callee) => {
                let (a, b) = (self.limited_products(*a), self.limited_products(*b));
                e.kind = ExprKind::Binary(op, span, Box::new(a), Box::new(b), callee);
            }
            ExprKind::Binary(BinOp::Mul, span, a, b, callee) => {
                let number = |e: &Expr| affine::number(e).is_some_and(|n| n > 1);
                let (a, b) = match (number(&a), number(&b)) {
                    (true, false) => (a, Box::new(self.factor(*b))),
                    (false, true) => (Box::new(self.factor(*a)), b),
                    _ => (a, b),
                };
                e.kind = ExprKind::Binary(BinOp::Mul, span, a, b, callee);
            }
            _ => {}
        }
        e
    }

    /// What is multiplied: a position, or a sum of one and others.
    fn factor(&mut self, mut e: Expr) -> Expr {
        match e.kind {
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), span, a, b, callee) => {
                let (a, b) = (self.factor(*a), self.factor(*b));
                e.kind = ExprKind::Binary(op, span, Box::new(a), Box::new(b), callee);
                e
            }
            ExprKind::Binary(BinOp::Mul, ..) => self.limited_products(e),
            _ => self.at_most(e),
        }
    }

    fn at_most(&mut self, e: Expr) -> Expr {
        let local = match &e.kind {
            ExprKind::Local(id, _) => Some(*id),
            ExprKind::Cast(inner, ..) => match inner.kind {
                ExprKind::Local(id, _) => Some(id),
                _ => None,
            },
            _ => None,
        };
        let own = local.map(|id| &self.locals[id.0 as usize]);
        let own =
            own.is_some_and(|local| !local.mutable && matches!(self.original(&local.value), Value::Parallel { .. }));
        if !own {
            return e;
        }
        let (span, end) = (e.span, e.end);
        let usize_type: syn::Type = syn::parse_quote!(::swathe::__rt::core::primitive::usize);
        let query = CalleeQuery::On(Ident::new("min", span), Box::new(usize_type.clone()), span);
        let limit = syn::LitInt::new(&format!("{LIMIT}usize"), span);
        let limit = Expr::new(ExprKind::Lit(syn::Lit::Int(limit), self.inferred()), end, end);
        let minimum = Expr::new(
            ExprKind::Call {
                callee: self.slots.callee(query),
                path: parse_quote_spanned!(span=> ::swathe::__rt::core::primitive::usize::min),
                on: Some(self.slots.ty(Some(usize_type))),
                args: vec![e, limit],
            },
            span,
            end,
        );
        Expr::new(ExprKind::Limited(Box::new(minimum)), span, end)
    }
}
