//! `assert!`, `panic!`, `println!`, `matches!` and their kind in a kernel.

use proc_macro2::{Ident, Span};
use swathe_ir::{BinOp, LocalId, Output};
use syn::spanned::Spanned;

use super::Lower;
use crate::claim::{Inspected, Kind, Message, claim};
use crate::error::refused_macro;
use crate::hir::{Block, Expr, ExprKind, Pat, Stmt, Value};

impl Lower<'_> {
    /// A macro call, where an expression stands.
    pub(super) fn macro_call(&mut self, mac: &syn::Macro) -> Expr {
        let (span, end) = (mac.path.span(), mac.delimiter.span().close());
        let claim = match claim(mac) {
            Some(Ok(claim)) => {
                self.confirm(&mac.path);
                claim
            }
            Some(Err(error)) => {
                self.errors.add(error);
                return self.unit(span);
            }
            None => {
                let name = mac.path.segments.last().map(|s| s.ident.to_string());
                self.errors.on(&mac.path, refused_macro(&name.unwrap_or_default()));
                return self.unit(span);
            }
        };
        let at = |kind| Expr::new(kind, span, end);
        if self.constant && matches!(claim.kind, Kind::Prints(_) | Kind::Inspects(_)) {
            self.errors.on(
                &mac.path,
                "a `const fn` prints nothing: leave `const` out, or print where it is called",
            );
            return self.unit(span);
        }
        let held = match claim.kind {
            Kind::Prints(output) => return at(self.print(output, claim.message, Vec::new())),
            Kind::Inspects(inspected) if inspected.is_empty() => {
                return at(self.print(Output::Debug, claim.message, Vec::new()));
            }
            Kind::Inspects(inspected) => return self.inspected(inspected, &at),
            Kind::Matches(whole) => return at(self.kind(&whole, span)),
            Kind::Never => return at(self.failure(claim.message, Vec::new())),
            Kind::Holds(cond) => {
                let cond = self.expr(&cond);
                let failure = at(self.failure(claim.message, Vec::new()));
                at(unless(cond, failure))
            }
            Kind::Compares { equal, left, right } => {
                let (left, right) = (self.expr(&left), self.expr(&right));
                let (op, method) = if equal { (BinOp::Eq, "eq") } else { (BinOp::Ne, "ne") };
                let (op_span, ends) = (right.span, [(left.span, left.end), (right.span, right.end)]);
                let mut stmts = Vec::new();
                let sides =
                    [("__left", left), ("__right", right)].map(|(name, value)| self.side(name, value, &mut stmts));
                let side = |k: usize| {
                    let (local, ident): &(LocalId, Ident) = &sides[k];
                    Expr::new(ExprKind::Local(*local, ident.clone()), ends[k].0, ends[k].1)
                };
                let callee = self.operator(method, &[&side(0), &side(1)]);
                let cond = at(ExprKind::Binary(
                    op,
                    op_span,
                    Box::new(side(0)),
                    Box::new(side(1)),
                    callee,
                ));
                let failure = at(self.failure(claim.message, vec![side(0), side(1)]));
                stmts.push(Stmt::Expr(at(unless(cond, failure))));
                at(block(stmts))
            }
        };
        if !claim.debug {
            return held;
        }
        let cond = at(self.debug_assertions());
        let then = Block {
            stmts: vec![Stmt::Expr(held)],
            tail: None,
        };
        at(ExprKind::If(Box::new(cond), then, None))
    }

    /// Notes that a macro's name has to mean what it does in std.
    fn confirm(&self, path: &syn::Path) {
        self.witnesses.borrow_mut().claims.push(path.clone());
    }

    fn side(&mut self, name: &str, value: Expr, stmts: &mut Vec<Stmt>) -> (LocalId, Ident) {
        let ident = Ident::new(name, value.span.resolved_at(Span::call_site()));
        let local = self.hidden(&ident, false, Value::Unknown);
        stmts.push(Stmt::Let {
            pat: Pat::Bind {
                local,
                ident: ident.clone(),
                mutable: false,
            },
            ty: None,
            span: value.span,
            init: Some(value),
            lints: Vec::new(),
        });
        (local, ident)
    }

    /// `dbg!(a)` is a block that ends with the value, and `dbg!(a, b)` a tuple of them.
    fn inspected(&mut self, inspected: Vec<Inspected>, at: &impl Fn(ExprKind) -> Expr) -> Expr {
        let parts = inspected.into_iter().map(|Inspected { message, value }| {
            let value = self.expr(&value);
            let (span, end) = (value.span, value.end);
            let mut stmts = Vec::new();
            let (local, ident) = self.side("__inspected", value, &mut stmts);
            let shown = || Expr::new(ExprKind::Local(local, ident.clone()), span, end);
            stmts.push(Stmt::Expr(at(self.print(Output::Debug, message, vec![shown()]))));
            at(ExprKind::Block {
                label: None,
                unsafety: false,
                block: Block {
                    stmts,
                    tail: Some(Box::new(shown())),
                },
            })
        });
        let mut parts: Vec<Expr> = parts.collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => at(ExprKind::Tuple(parts)),
        }
    }

    fn print(&mut self, output: Output, message: Message, more: Vec<Expr>) -> ExprKind {
        let mut args: Vec<Expr> = message.args.iter().map(|arg| self.expr(arg)).collect();
        args.extend(more);
        ExprKind::Print {
            output,
            template: message.template,
            args,
            styles: message.styles,
        }
    }

    fn failure(&mut self, message: Message, more: Vec<Expr>) -> ExprKind {
        let mut args: Vec<Expr> = message.args.iter().map(|arg| self.expr(arg)).collect();
        args.extend(more);
        ExprKind::Fail {
            template: message.template,
            args,
            styles: message.styles,
        }
    }

    /// Whether the crate of the kernel is built with debug assertions, which its own compiler answers.
    fn debug_assertions(&mut self) -> ExprKind {
        let path: syn::ExprPath = syn::parse_quote!(__DEBUG_ASSERTIONS);
        let item = debug_assertions();
        if !self.items.contains(&item) {
            self.items.push(item);
        }
        ExprKind::Const(self.slots.constant(path.clone()), path)
    }
}

/// The constant that stands in a kernel with `debug_assert!`, and in its derivatives.
pub fn debug_assertions() -> syn::Item {
    syn::parse_quote!(
        const __DEBUG_ASSERTIONS: bool = ::swathe::__rt::core::cfg!(debug_assertions);
    )
}

/// `if cond {} else { failure }`.
fn unless(cond: Expr, failure: Expr) -> ExprKind {
    let then = Block {
        stmts: Vec::new(),
        tail: None,
    };
    ExprKind::If(Box::new(cond), then, Some(Box::new(failure)))
}

fn block(stmts: Vec<Stmt>) -> ExprKind {
    ExprKind::Block {
        label: None,
        unsafety: false,
        block: Block { stmts, tail: None },
    }
}
