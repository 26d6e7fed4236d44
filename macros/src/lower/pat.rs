//! Patterns.

use proc_macro2::{Ident, Span};
use syn::spanned::Spanned;
use syn::visit::Visit;

use super::Lower;
use super::call::{NO_ENUMS, is_variant};
use super::expr::number;
use super::names::Name;
use super::stmt::part;
use crate::hir::{Axis, Pat, Pattern, PatternValue, Value};

const IRREFUTABLE: &str =
    "a pattern here is a name, `_`, a tuple `(a, b)`, an array `[a, b]` or a struct `P { a, b }` or `P(a, b)`";

/// A struct pattern: what it takes apart, member by member.
pub(super) struct Taken {
    pub path: syn::Path,
    pub members: Vec<(syn::Member, syn::Pat)>,
    /// `..`.
    pub rest: bool,
    /// Written as `P(a, b)`.
    pub tuple: bool,
    /// Its last token.
    pub end: Span,
}

impl Lower<'_> {
    /// An irrefutable pattern; declares its variables.
    pub(super) fn pat(&mut self, pat: &syn::Pat, value: &Value) -> Pat {
        match pat {
            // Its one value.
            _ if phantom(pat).is_some() => Pat::Wild(pat.span()),
            syn::Pat::Ident(p) if p.subpat.is_none() && p.by_ref.is_none() => {
                let mutable = p.mutability.is_some();
                let local = self.declare(&p.ident, mutable, value.clone());
                Pat::Bind {
                    local,
                    ident: self.emitted(local),
                    mutable,
                }
            }
            syn::Pat::Ident(p) if p.by_ref.is_some() => {
                self.errors.on(p, "`ref` cannot be used in a kernel: copy the value");
                Pat::Wild(pat.span())
            }
            syn::Pat::Wild(_) => Pat::Wild(pat.span()),
            syn::Pat::Paren(p) => self.pat(&p.pat, value),
            syn::Pat::Tuple(p) => Pat::Tuple(self.parts(p.elems.iter(), &Value::Unknown)),
            syn::Pat::Slice(p) => {
                let value = self.original(value).clone();
                Pat::Array(self.parts(p.elems.iter(), &value))
            }
            syn::Pat::Struct(_) | syn::Pat::TupleStruct(_) => match self.taken(pat) {
                Some(taken) => {
                    let ident = quote::format_ident!("__whole{}", self.locals.len(), span = taken.path.span());
                    let local = self.hidden(&ident, false, Value::Unknown);
                    self.structs.push((local, ident.clone(), taken));
                    Pat::Bind {
                        local,
                        ident,
                        mutable: false,
                    }
                }
                None => Pat::Wild(pat.span()),
            },
            syn::Pat::Reference(p) => {
                self.errors.on(
                    p,
                    "reference patterns cannot be used in a kernel: its values are copied",
                );
                Pat::Wild(pat.span())
            }
            _ => {
                self.errors.on(pat, IRREFUTABLE);
                Pat::Wild(pat.span())
            }
        }
    }

    /// What a struct pattern says.
    fn taken(&mut self, pat: &syn::Pat) -> Option<Taken> {
        let (qself, path) = match pat {
            syn::Pat::Struct(p) => (&p.qself, &p.path),
            syn::Pat::TupleStruct(p) => (&p.qself, &p.path),
            _ => return None,
        };
        if let Some(qself) = qself {
            self.errors.on(&qself.ty, "name the struct by its path");
            return None;
        }
        if is_variant(path) {
            self.errors.on(path, NO_ENUMS);
            return None;
        }
        Some(match pat {
            syn::Pat::TupleStruct(p) => {
                let rest = matches!(p.elems.last(), Some(syn::Pat::Rest(_)));
                let parts = p.elems.iter().take(p.elems.len() - usize::from(rest));
                if let Some(rest) = parts.clone().find(|part| matches!(part, syn::Pat::Rest(_))) {
                    self.errors.on(
                        rest,
                        "`..` stands at the end of a pattern in a kernel: write `_` for each part left out in front",
                    );
                    return None;
                }
                let members = parts.enumerate().map(|(k, part)| (syn::Member::from(k), part.clone()));
                Taken {
                    path: path.clone(),
                    members: members.collect(),
                    rest,
                    tuple: true,
                    end: p.paren_token.span.close(),
                }
            }
            syn::Pat::Struct(p) => Taken {
                path: path.clone(),
                members: p
                    .fields
                    .iter()
                    .map(|field| (field.member.clone(), (*field.pat).clone()))
                    .collect(),
                rest: p.rest.is_some(),
                tuple: false,
                end: p.brace_token.span.close(),
            },
            _ => return None,
        })
    }

    /// Refuses a pattern that binds a name twice, as rustc does: here each would be a variable of its own.
    pub(super) fn bind_once(&mut self, pat: &syn::Pat) {
        struct Bound<'a>(Vec<&'a Ident>);
        impl<'a> Visit<'a> for Bound<'a> {
            fn visit_pat_ident(&mut self, p: &'a syn::PatIdent) {
                if p.mutability.is_some() || p.subpat.is_some() || !is_constant(&p.ident) {
                    self.0.push(&p.ident);
                }
                syn::visit::visit_pat_ident(self, p);
            }
            // The names of alternatives are refused otherwise.
            fn visit_pat_or(&mut self, _: &'a syn::PatOr) {}
            fn visit_expr(&mut self, _: &'a syn::Expr) {}
        }
        let mut bound = Bound(Vec::new());
        bound.visit_pat(pat);
        let names: Vec<Name> = bound.0.iter().map(|ident| Name::of(ident)).collect();
        for (k, ident) in bound.0.iter().enumerate() {
            if names[..k].contains(&names[k]) {
                self.errors.on(
                    ident,
                    format!("`{ident}` is bound twice in this pattern: give it another name"),
                );
            }
        }
    }

    /// What is known of the variable that a value copies.
    pub(super) fn original<'v>(&'v self, value: &'v Value) -> &'v Value {
        match value {
            Value::Alias(id) if !self.locals[id.0 as usize].mutable => self.original(&self.locals[id.0 as usize].value),
            _ => value,
        }
    }

    fn parts<'p>(&mut self, pats: impl ExactSizeIterator<Item = &'p syn::Pat>, value: &Value) -> Vec<Pat> {
        let of = pats.len();
        pats.enumerate()
            .map(|(k, pat)| {
                if let syn::Pat::Rest(rest) = pat {
                    self.errors.on(
                        rest,
                        "`..` cannot stand in a pattern of a kernel: write `_` for each part left out",
                    );
                    return Pat::Wild(rest.span());
                }
                let mut value = part(value, k);
                if let Value::Parallel { axis, .. } = &mut value {
                    *axis = Axis::Part { k, of };
                }
                self.pat(pat, &value)
            })
            .collect()
    }

    /// A pattern of a `match` arm.
    pub(super) fn pattern(&mut self, pat: &syn::Pat) -> Pattern {
        match pat {
            _ if let Some(path) = phantom(pat) => Pattern::Struct {
                path,
                members: Vec::new(),
                rest: false,
                tuple: false,
                end: pat.span(),
            },
            syn::Pat::Wild(_) => Pattern::Wild(pat.span()),
            syn::Pat::Paren(p) => self.pattern(&p.pat),
            syn::Pat::Ident(p) if p.by_ref.is_none() && p.subpat.is_none() => {
                if p.mutability.is_none() && is_constant(&p.ident) {
                    let path = syn::ExprPath {
                        attrs: Vec::new(),
                        qself: None,
                        path: p.ident.clone().into(),
                    };
                    Pattern::Value(self.constant_pattern(path))
                } else {
                    let mutable = p.mutability.is_some();
                    let local = self.declare(&p.ident, mutable, Value::Unknown);
                    Pattern::Bind {
                        local,
                        ident: self.emitted(local),
                        mutable,
                    }
                }
            }
            syn::Pat::Ident(syn::PatIdent {
                ident,
                mutability,
                by_ref: None,
                subpat: Some((_, inner)),
                ..
            }) => {
                let pattern = Box::new(self.pattern(inner));
                if binds(&pattern) || matches!(*pattern, Pattern::Tuple(_) | Pattern::Struct { .. }) {
                    self.errors.on(
                        inner,
                        "behind `name @` stand literals, constants, ranges and alternatives of them: name the parts of a tuple or struct instead",
                    );
                }
                let (mutable, local) = (
                    mutability.is_some(),
                    self.declare(ident, mutability.is_some(), Value::Unknown),
                );
                Pattern::Named {
                    local,
                    ident: self.emitted(local),
                    mutable,
                    pattern,
                }
            }
            syn::Pat::Lit(p) => match self.pattern_literal(&p.lit, false) {
                Some(value) => Pattern::Value(value),
                None => Pattern::Wild(pat.span()),
            },
            syn::Pat::Path(p) => Pattern::Value(self.constant_pattern(p.clone())),
            syn::Pat::Range(p) => Pattern::Range {
                start: p.start.as_ref().and_then(|e| self.pattern_value(e)),
                end: p.end.as_ref().and_then(|e| self.pattern_value(e)),
                inclusive: matches!(p.limits, syn::RangeLimits::Closed(_)),
            },
            syn::Pat::Or(p) => {
                let cases: Vec<Pattern> = p.cases.iter().map(|case| self.pattern(case)).collect();
                if cases.iter().any(binds) {
                    self.errors.on(
                        p,
                        "a name cannot be bound in one of several alternatives in a kernel: write an arm for each",
                    );
                }
                Pattern::Or(cases)
            }
            syn::Pat::Tuple(p) => Pattern::Tuple(p.elems.iter().map(|e| self.pattern(e)).collect()),
            syn::Pat::Struct(_) | syn::Pat::TupleStruct(_) => match self.taken(pat) {
                Some(taken) => Pattern::Struct {
                    members: taken
                        .members
                        .iter()
                        .map(|(member, part)| (member.clone(), self.pattern(part)))
                        .collect(),
                    path: taken.path,
                    rest: taken.rest,
                    tuple: taken.tuple,
                    end: taken.end,
                },
                None => Pattern::Wild(pat.span()),
            },
            _ => match negative(pat) {
                Some(lit) => match self.pattern_literal(&lit, true) {
                    Some(value) => Pattern::Value(value),
                    None => Pattern::Wild(pat.span()),
                },
                None => {
                    self.errors.on(pat, "a `match` in a kernel compares with integers, booleans, constants, ranges, and tuples and structs of them; for the rest use `if`");
                    Pattern::Wild(pat.span())
                }
            },
        }
    }

    fn constant_pattern(&mut self, path: syn::ExprPath) -> PatternValue {
        PatternValue::Const(self.slots.constant(path.clone()), path)
    }

    fn pattern_value(&mut self, expr: &syn::Expr) -> Option<PatternValue> {
        match expr {
            syn::Expr::Lit(l) => self.pattern_literal(&l.lit, false),
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Neg(_),
                expr,
                ..
            }) => match &**expr {
                syn::Expr::Lit(l) => self.pattern_literal(&l.lit, true),
                _ => None,
            },
            syn::Expr::Path(p) => Some(self.constant_pattern(p.clone())),
            _ => {
                self.errors
                    .on(expr, "an end of a range pattern is a literal or a constant");
                None
            }
        }
    }

    fn pattern_literal(&mut self, lit: &syn::Lit, negative: bool) -> Option<PatternValue> {
        let lit = &*number(lit);
        match lit {
            // In patterns syn keeps the sign in the literal.
            syn::Lit::Int(i) if i.base10_digits().starts_with('-') => {
                let digits = format!("{}{}", &i.base10_digits()[1..], i.suffix());
                Some(PatternValue::Lit {
                    lit: syn::Lit::Int(syn::LitInt::new(&digits, i.span())),
                    negative: true,
                })
            }
            syn::Lit::Int(_) | syn::Lit::Bool(_) => Some(PatternValue::Lit {
                lit: lit.clone(),
                negative,
            }),
            syn::Lit::Float(_) => {
                self.errors
                    .on(lit, "a `match` in a kernel cannot compare floats: use `if`");
                None
            }
            _ => {
                self.errors
                    .on(lit, "a `match` in a kernel compares with integers and booleans");
                None
            }
        }
    }
}

/// `-1` in pattern position.
fn negative(pat: &syn::Pat) -> Option<syn::Lit> {
    let syn::Pat::Verbatim(tokens) = pat else { return None };
    let expr: syn::ExprUnary = syn::parse2(tokens.clone()).ok()?;
    match (&expr.op, &*expr.expr) {
        (syn::UnOp::Neg(_), syn::Expr::Lit(l)) => Some(l.lit.clone()),
        _ => None,
    }
}

/// Why a pattern cannot take a reference apart.
pub(super) fn reference_apart(ident: &Ident) -> String {
    format!("`{ident}` is a reference, whose parts would be references: write `*{ident}`")
}

/// The path of a struct pattern in a pattern.
pub(super) fn struct_in(pat: &syn::Pat) -> Option<&syn::Path> {
    struct Search<'a>(Option<&'a syn::Path>);
    impl<'a> Visit<'a> for Search<'a> {
        fn visit_pat_struct(&mut self, p: &'a syn::PatStruct) {
            self.0.get_or_insert(&p.path);
        }
        fn visit_pat_tuple_struct(&mut self, p: &'a syn::PatTupleStruct) {
            self.0.get_or_insert(&p.path);
        }
    }
    let mut search = Search(None);
    search.visit_pat(pat);
    search.0
}

/// Whether a path names `PhantomData`, whose type is open where constants stand. Rustc is given it as a struct without members, which it
/// has to be.
pub(super) fn is_phantom(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|last| last.ident == "PhantomData")
}

fn phantom(pat: &syn::Pat) -> Option<syn::Path> {
    match pat {
        syn::Pat::Ident(syn::PatIdent {
            ident,
            by_ref: None,
            mutability: None,
            subpat: None,
            ..
        }) => Some(ident.clone().into()),
        syn::Pat::Path(p) if p.qself.is_none() => Some(p.path.clone()),
        _ => None,
    }
    .filter(is_phantom)
}

/// Constants are told from variables by their first letter, as rustc's naming lint has it.
pub(super) fn is_constant(ident: &proc_macro2::Ident) -> bool {
    ident
        .to_string()
        .trim_start_matches('_')
        .chars()
        .next()
        .is_some_and(char::is_uppercase)
}

/// Whether a pattern binds a name.
fn binds(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Bind { .. } | Pattern::Named { .. } => true,
        Pattern::Or(parts) | Pattern::Tuple(parts) => parts.iter().any(binds),
        Pattern::Struct { members, .. } => members.iter().any(|(_, part)| binds(part)),
        Pattern::Wild(_) | Pattern::Value(_) | Pattern::Range { .. } => false,
    }
}
