//! Derivatives: kernels and functions whose text is made from that of others.
//!
//! HIR becomes a [body in single assignment](body); from that [`forward`] and [`reverse`] make tokens of the kernel language, which take the way of
//! the user's: what they claim of races and bounds is checked like all else.

mod assign;
mod body;
mod branches;
mod build;
mod expr;
mod forward;
mod inline;
mod loops;
mod make;
mod names;
mod needs;
mod options;
mod owned;
mod place;
mod print;
mod pull;
mod reverse;
mod rounds;
mod rules;
mod text;
mod told;

use std::collections::HashSet;

use make::Make;
use names::plain;
pub use options::{Asked, of_func, of_kernel};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use swathe_ir::{LocalId, ParamKind};
pub use text::readable;

use crate::error::Errors;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Func, Literals};

/// Whether a block has no statements.
fn is_empty_block(block: &TokenStream) -> bool {
    let mut tokens = block.clone().into_iter();
    matches!((tokens.next(), tokens.next()), (Some(TokenTree::Group(group)), None) if group.stream().is_empty())
}

/// A function that is a derivative.
pub struct Derived {
    /// `pullback` or `jvp`.
    pub kind: &'static str,
    pub item: TokenStream,
    /// The same as it is shown: by the name under which it is called, without attributes.
    pub shown: TokenStream,
    pub sig: syn::Signature,
    /// What rustc has to confirm.
    pub confirmed: TokenStream,
    /// What the kernel's literals are taken for, which rustc has to confirm of it.
    pub literals: Vec<(LocalId, Literals)>,
    /// Fields that have gradients or tangents.
    pub active: Vec<LocalId>,
    /// Fields whose elements a pullback reads for what they are. Of others it takes types and extents.
    pub read: HashSet<LocalId>,
}

/// The derivatives of a kernel that are asked for.
pub fn kernel(func: &Func, item: &syn::ItemFn, asked: &Asked, errors: &mut Errors) -> Vec<Derived> {
    let mut found = Vec::new();
    if let Some(rule) = &asked.pullback {
        found.extend(Make::new(func, item, rule, errors).pullback());
    }
    // What is refused is refused once.
    if let Some(rule) = asked.jvp.as_ref().filter(|_| errors.is_empty()) {
        found.extend(Make::new(func, item, rule, errors).jvp());
    }
    once(found)
}

/// Those of a function, without those that it has rules of its own for.
pub fn func(func: &Func, item: &syn::ItemFn, asked: &Asked, errors: &mut Errors) -> Vec<Derived> {
    for param in &func.params {
        if param.kind != ParamKind::Value {
            errors.on(
                &param.ty,
                "a `#[func]` with a derivative takes values: pass the elements that it needs, and return what changes",
            );
            return Vec::new();
        }
    }
    if func.params.is_empty() || func.ret.is_none() {
        errors.on(
            &item.sig.ident,
            "a `#[func]` with a derivative takes values, and gives one",
        );
        return Vec::new();
    }
    let mut found = Vec::new();
    if let Some(rule) = asked.pullback.as_ref().filter(|rule| rule.own.is_none()) {
        found.extend(Make::new(func, item, rule, errors).pullback());
    }
    if let Some(rule) = asked
        .jvp
        .as_ref()
        .filter(|rule| rule.own.is_none() && errors.is_empty())
    {
        found.extend(Make::new(func, item, rule, errors).jvp());
    }
    once(found)
}

/// Both are told the same of literals: rustc is asked once.
fn once(mut found: Vec<Derived>) -> Vec<Derived> {
    found.iter_mut().skip(1).for_each(|derived| derived.literals.clear());
    found
}

/// Several as one, one as it is.
fn tuple(parts: &[TokenStream]) -> Option<TokenStream> {
    match parts {
        [] => None,
        [one] => Some(one.clone()),
        all => Some(quote!((#(#all),*))),
    }
}

/// The names that paths begin with, which no variable of ours may have.
fn paths(func: &Func, item: &syn::ItemFn) -> Vec<String> {
    struct Search(Vec<String>);
    impl Search {
        fn path(&mut self, path: &syn::Path) {
            self.0.extend(path.segments.first().map(|s| plain(&s.ident)));
        }
    }
    impl Visit for Search {
        fn expr(&mut self, e: &Expr) {
            match &e.kind {
                ExprKind::Call { path, .. } | ExprKind::Const(_, path) => self.path(&path.path),
                ExprKind::Struct { path, .. } => self.path(path),
                _ => {}
            }
            walk_expr(self, e);
        }
    }
    let mut search = Search(vec![plain(&func.name)]);
    search.block(&func.body);
    func.items
        .iter()
        .for_each(|item| collect(item.to_token_stream(), &mut search.0));
    collect(item.sig.generics.to_token_stream(), &mut search.0);
    search.0
}

/// All names in tokens.
fn collect(tokens: TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(plain(&ident)),
            TokenTree::Group(group) => collect(group.stream(), found),
            _ => {}
        }
    }
}
