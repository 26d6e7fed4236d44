//! Kernels with `fast_math`: a quotient by a square root is a product with its reciprocal, which takes neither a division nor a root.
//! Whether the numbers are `f32` is for their types to say; others keep the user's own operations.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::BinOp;

use super::at;
use super::maths::is_variable;
use super::print::{Printer, parens, symbol};
use crate::hir::types;
use crate::hir::{Arithmetic, Expr, ExprKind};
use crate::order;

/// `radicand.sqrt()`.
struct Root<'e> {
    radicand: &'e Expr,
    name: &'e Ident,
    whole: &'e Expr,
}

/// A divisor with a root in it.
struct Divisor<'e> {
    root: Root<'e>,
    /// What the root is multiplied with, where the operator stands, and whether the root comes first.
    factor: Option<(&'e Expr, Span, bool)>,
}

impl Printer<'_> {
    /// `a / x.sqrt()`, `a / (b * x.sqrt())`, and `a / (x * x.sqrt())`.
    pub fn fast_quotient(&self, op: BinOp, span: Span, left: &Expr, right: &Expr, e: &Expr) -> Option<TokenStream> {
        if self.arithmetic != Arithmetic::Fast || !self.is_loose() || op != BinOp::Div || self.is_integer(left) {
            return None;
        }
        let Divisor { root, factor } = divisor(right)?;
        if self.held(right).is_some() || self.held(root.whole).is_some() {
            return None;
        }
        let (factor_first, factor_last) = match factor {
            Some((factor, _, root_first)) => (
                Some(factor).filter(|_| !root_first),
                Some(factor).filter(|_| root_first),
            ),
            None => (None, None),
        };
        let stays = |e: &Expr, later: &[Option<&Expr>]| {
            !is_variable(e) || order::stays(self.func, e, later.iter().copied().flatten())
        };
        if !stays(left, &[factor_first, Some(root.radicand), factor_last])
            || !factor_first.is_none_or(|factor| stays(factor, &[Some(root.radicand)]))
            || !stays(root.radicand, &[factor_last])
        {
            return None;
        }
        let (mut setup, function, values);
        setup = TokenStream::new();
        let dividend = self.taken("__numerator", left, &mut setup);
        let taken = |setup: &mut TokenStream| {
            let radicand = self.taken("__radicand", root.radicand, setup);
            (radicand.clone(), root.tokens(&radicand))
        };
        let (number, divisor);
        match factor {
            None => {
                let (radicand, tokens) = taken(&mut setup);
                (function, values) = (format_ident!("over_root"), vec![dividend.clone(), radicand]);
                divisor = tokens;
            }
            Some((factor, times, root_first)) => {
                let (radicand, tokens);
                if root_first {
                    (radicand, tokens) = taken(&mut setup);
                    number = self.taken("__factor", factor, &mut setup);
                } else {
                    number = self.taken("__factor", factor, &mut setup);
                    (radicand, tokens) = taken(&mut setup);
                }
                let times = symbol(BinOp::Mul, times, false);
                let product = match root_first {
                    true => quote!(#tokens #times #number),
                    false => quote!(#number #times #tokens),
                };
                divisor = quote_spanned!(right.span=> (#product));
                (function, values) = match is_same(factor, root.radicand) {
                    true => (format_ident!("over_cubed_root"), vec![dividend.clone(), radicand]),
                    false => (format_ident!("over_product"), vec![dividend.clone(), number, radicand]),
                };
            }
        }
        let symbol = symbol(BinOp::Div, span, false);
        let plain = if types::may_fail(op, left, right) {
            let check = self.division_check(op, e, &quote!(&__dividend), &quote!(&__divisor));
            quote!({ let __dividend = #dividend; let __divisor = #divisor; #check __dividend #symbol __divisor })
        } else {
            quote!((#dividend #symbol #divisor))
        };
        Some(quote_spanned!(at(e.span)=> ({
            #setup
            match ::swathe::__rt::fast::#function(__target #(, ::swathe::__rt::single::number(&#values))*) {
                ::swathe::__rt::core::option::Option::None => #plain,
                ::swathe::__rt::core::option::Option::Some(__quotient) => ::swathe::__rt::fast::value(__quotient),
            }
        })))
    }
}

impl Root<'_> {
    fn tokens(&self, radicand: &TokenStream) -> TokenStream {
        let (name, none) = (
            super::method::companion(self.name),
            parens(self.whole.end, TokenStream::new()),
        );
        quote_spanned!(self.whole.span=> #radicand.#name #none)
    }
}

fn divisor(e: &Expr) -> Option<Divisor<'_>> {
    if let Some(root) = root(e) {
        return Some(Divisor { root, factor: None });
    }
    let ExprKind::Binary(BinOp::Mul, span, left, right, _) = &e.kind else {
        return None;
    };
    let (root, factor, root_first) = match root(left) {
        Some(root) => (root, right, true),
        None => (self::root(right)?, left, false),
    };
    Some(Divisor {
        root,
        factor: Some((factor, *span, root_first)),
    })
}

fn root(e: &Expr) -> Option<Root<'_>> {
    match &e.kind {
        ExprKind::Method {
            receiver, name, args, ..
        } if name == "sqrt" && args.is_empty() && !matches!(receiver.kind, ExprKind::Lit(..)) => Some(Root {
            radicand: receiver,
            name,
            whole: e,
        }),
        _ => None,
    }
}

/// Whether both are the same variable, or the same member of one.
fn is_same(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Local(a, _), ExprKind::Local(b, _)) => a == b,
        (ExprKind::Member(a, first), ExprKind::Member(b, second)) => first == second && is_same(a, b),
        _ => false,
    }
}
