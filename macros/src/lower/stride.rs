//! Multiples of a loop's position as index, `f[2 * i]`: different positions are different elements, as long as the product does not wrap.

use proc_macro2::Ident;
use swathe_ir::BinOp;
use syn::parse_quote_spanned;

use super::Lower;
use crate::hir::affine::{self, LIMIT};
use crate::hir::{CalleeQuery, Expr, ExprKind, Value};

impl Lower<'_> {
    /// The index with positions in products at most [`LIMIT`]: beyond, an index is out of bounds as it was, but it cannot wrap to an
    /// element of another iteration.
    pub(super) fn limited(&mut self, mut e: Expr) -> Expr {
        match e.kind {
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), span, a, b, callee) => {
                let (a, b) = (self.limited(*a), self.limited(*b));
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
            ExprKind::Binary(BinOp::Mul, ..) => self.limited(e),
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
        let usize_type: syn::Type = syn::parse_quote!(::core::primitive::usize);
        let query = CalleeQuery::On(Ident::new("min", span), Box::new(usize_type.clone()), span);
        let limit = syn::LitInt::new(&format!("{LIMIT}usize"), span);
        let limit = Expr::new(ExprKind::Lit(syn::Lit::Int(limit), self.inferred()), end, end);
        let minimum = Expr::new(
            ExprKind::Call {
                callee: self.slots.callee(query),
                path: parse_quote_spanned!(span=> ::core::primitive::usize::min),
                on: Some(self.slots.ty(Some(usize_type))),
                args: vec![e, limit],
            },
            span,
            end,
        );
        Expr::new(ExprKind::Limited(Box::new(minimum)), span, end)
    }
}
