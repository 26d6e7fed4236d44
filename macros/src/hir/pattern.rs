//! Patterns: of variables, and of `match`.

use proc_macro2::{Ident, Span};
use swathe_ir::LocalId;

use super::{ConstSlot, Expr, ExprKind};

#[derive(Clone)]
pub enum Pat {
    Bind {
        local: LocalId,
        ident: Ident,
        mutable: bool,
    },
    Wild(Span),
    Tuple(Vec<Pat>),
    Array(Vec<Pat>),
    /// Of a variable, in a statement of its own.
    Struct {
        path: syn::Path,
        members: Vec<(syn::Member, Pat)>,
        /// `..`.
        rest: bool,
        /// Written as `P(a, b)`.
        tuple: bool,
        /// Its last token.
        end: Span,
    },
}

/// What an immutable variable of a pattern is.
pub enum Named<'e> {
    Value(&'e Expr),
    /// Of which array it is which item.
    Item(&'e Expr, usize),
}

impl Pat {
    /// What its immutable variables are, as far as the text of the value tells.
    pub fn names<'e>(&self, value: &'e Expr, found: &mut dyn FnMut(LocalId, Named<'e>)) {
        match (self, &value.kind) {
            (
                Pat::Bind {
                    local, mutable: false, ..
                },
                _,
            ) => found(*local, Named::Value(value)),
            (Pat::Tuple(pats), ExprKind::Tuple(parts)) | (Pat::Array(pats), ExprKind::Array(parts, _)) => {
                let pairs = pats.iter().zip(parts);
                pairs.for_each(|(pat, part)| pat.names(part, found));
            }
            (Pat::Array(pats), _) => {
                for (k, pat) in pats.iter().enumerate() {
                    if let Pat::Bind {
                        local, mutable: false, ..
                    } = pat
                    {
                        found(*local, Named::Item(value, k));
                    }
                }
            }
            _ => {}
        }
    }

    /// All of its variables.
    pub fn bound(&self, found: &mut dyn FnMut(LocalId)) {
        match self {
            Pat::Bind { local, .. } => found(*local),
            Pat::Wild(_) => {}
            Pat::Tuple(pats) | Pat::Array(pats) => pats.iter().for_each(|pat| pat.bound(found)),
            Pat::Struct { members, .. } => members.iter().for_each(|(_, pat)| pat.bound(found)),
        }
    }
}

#[derive(Clone)]
pub struct Arm {
    /// The attributes above it.
    pub lints: Vec<syn::Attribute>,
    pub pat: Pattern,
    pub guard: Option<Expr>,
    pub body: Expr,
}

#[derive(Clone)]
pub enum Pattern {
    Wild(Span),
    Bind {
        local: LocalId,
        ident: Ident,
        mutable: bool,
    },
    /// A literal, possibly negated, or a constant.
    Value(PatternValue),
    /// `name @ pattern`.
    Named {
        local: LocalId,
        ident: Ident,
        mutable: bool,
        pattern: Box<Pattern>,
    },
    Range {
        start: Option<PatternValue>,
        end: Option<PatternValue>,
        inclusive: bool,
    },
    Or(Vec<Pattern>),
    Tuple(Vec<Pattern>),
    Struct {
        path: syn::Path,
        members: Vec<(syn::Member, Pattern)>,
        /// `..`.
        rest: bool,
        /// Written as `P(a, b)`.
        tuple: bool,
        /// Its last token.
        end: Span,
    },
}

#[derive(Clone)]
pub enum PatternValue {
    Lit { lit: syn::Lit, negative: bool },
    Const(ConstSlot, syn::ExprPath),
}

/// The variables that a pattern binds.
pub fn bindings(pat: &Pat) -> impl Iterator<Item = (LocalId, &Ident)> {
    let mut found = Vec::new();
    collect_bindings(pat, &mut found);
    found.into_iter()
}

fn collect_bindings<'p>(pat: &'p Pat, found: &mut Vec<(LocalId, &'p Ident)>) {
    match pat {
        Pat::Bind { local, ident, .. } => found.push((*local, ident)),
        Pat::Wild(_) => {}
        Pat::Tuple(parts) | Pat::Array(parts) => parts.iter().for_each(|p| collect_bindings(p, found)),
        Pat::Struct { members, .. } => members.iter().for_each(|(_, p)| collect_bindings(p, found)),
    }
}
