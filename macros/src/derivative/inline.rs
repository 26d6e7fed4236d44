//! Expressions that have no derivative, and patterns, as they were written, in the names of here.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use swathe_ir::UnOp;

use super::body::{Atom, FieldRead, Inline, Op, Step, Var};
use super::build::{Build, Slot};
use crate::hir::affine::limited;
use crate::hir::types::is_integer_type;
use crate::hir::{self, Block, Casting, Expr, ExprKind, Pat, Pattern, PatternValue};

impl Build<'_> {
    /// An expression that has no derivative, as it was written.
    pub fn inline(&mut self, e: &Expr) -> Inline {
        let mut inline = Inline::default();
        inline.tokens = self.written(e, &mut inline);
        inline
    }

    pub fn use_of(&mut self, atom: &Atom, into: &mut Inline) -> TokenStream {
        match atom {
            Atom::Given(tokens) => tokens.clone(),
            Atom::Var(v) => {
                into.uses.insert(*v);
                let ident = &self.vars[*v].ident;
                quote!(#ident)
            }
        }
    }

    #[allow(clippy::too_many_lines)]
    pub fn written(&mut self, e: &Expr, into: &mut Inline) -> TokenStream {
        let span = e.span.resolved_at(Span::call_site());
        match &e.kind {
            ExprKind::Lit(lit, _) => quote!(#lit),
            ExprKind::Const(_, path) => quote!(#path),
            ExprKind::Local(local, _) => {
                let atom = self.version(*local, e);
                self.use_of(&atom, into)
            }
            ExprKind::Unary(op, a, _) => {
                let a = self.written(a, into);
                match op {
                    UnOp::Neg => quote_spanned!(span=> (-#a)),
                    UnOp::Not => quote_spanned!(span=> (!#a)),
                    UnOp::Deref => quote_spanned!(span=> (*#a)),
                }
            }
            ExprKind::Binary(op, at, a, b, _) => {
                let (a, b) = (self.written(a, into), self.written(b, into));
                let op = super::print::operator(*op, *at);
                quote_spanned!(span=> (#a #op #b))
            }
            ExprKind::Cast(a, ty, _, how) => {
                let a = self.written(a, into);
                if is_integer_type(ty) {
                    self.integers.push((**ty).clone());
                }
                match how {
                    Casting::As => quote_spanned!(span=> (#a as #ty)),
                    Casting::From => quote_spanned!(span=> #ty::from(#a)),
                }
            }
            ExprKind::Field(_) | ExprKind::Member(..) | ExprKind::Index(..) if e.field_place().is_some() => {
                let Some(place) = self.place(e) else {
                    return TokenStream::new();
                };
                if let Some((slot, steps)) = self.owned_part(&place)
                    && let Some(value) = self.versions.get(&slot).cloned()
                {
                    let value = self.use_of(&value, into);
                    steps.iter().for_each(|step| {
                        if let Step::Index(index) = step {
                            into.join(index);
                        }
                    });
                    let steps = super::print::steps(&steps);
                    return quote!(#value #steps);
                }
                place.inlines().for_each(|inline| into.join(inline));
                into.reads.push(FieldRead {
                    field: place.field,
                    path: place.path.clone(),
                    span: place.span,
                });
                let field = &self.params[&place.field];
                super::print::place(field, &place)
            }
            ExprKind::Member(base, member) => {
                let base = self.written(base, into);
                quote!(#base.#member)
            }
            ExprKind::Index(base, index) => {
                let (base, index) = (self.written(base, into), self.written(index, into));
                quote!(#base[#index])
            }
            ExprKind::FieldLen(field, _) => {
                let field = &self.params[field];
                quote!(#field.len())
            }
            ExprKind::FieldShape(field, _) => {
                let field = &self.params[field];
                quote!(#field.shape())
            }
            ExprKind::FieldOrigin(field, _) => {
                let field = &self.params[field];
                quote!(#field.origin())
            }
            ExprKind::FieldArgument(field, _) => {
                into.reads.push(FieldRead {
                    field: *field,
                    path: Vec::new(),
                    span: e.span,
                });
                let field = &self.params[field];
                quote!(&#field)
            }
            ExprKind::Call { path, args, .. } => {
                let args: Vec<TokenStream> = args.iter().map(|a| self.written(a, into)).collect();
                quote!(#path(#(#args),*))
            }
            ExprKind::Method {
                receiver, name, args, ..
            } => {
                let receiver = self.written(receiver, into);
                let args: Vec<TokenStream> = args.iter().map(|a| self.written(a, into)).collect();
                let name = Self::method_name(name);
                quote!(#receiver.#name(#(#args),*))
            }
            ExprKind::Ref { mutable: false, place } => {
                let place = self.written(place, into);
                quote!(&#place)
            }
            ExprKind::Tuple(parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|a| self.written(a, into)).collect();
                quote!((#(#parts,)*))
            }
            ExprKind::Array(parts, _) => {
                let parts: Vec<TokenStream> = parts.iter().map(|a| self.written(a, into)).collect();
                quote!([#(#parts),*])
            }
            ExprKind::Repeat(part, count, _) => {
                let part = self.written(part, into);
                quote!([#part; #count])
            }
            ExprKind::Struct {
                path,
                members,
                base,
                tuple,
                ..
            } => {
                let members: Vec<_> = members
                    .iter()
                    .map(|(m, e)| (m.clone(), self.written(e, into)))
                    .collect();
                let base = base.as_ref().map(|e| self.written(e, into));
                super::print::structure(path, &members, base.as_ref(), *tuple)
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => self.written_block(block, into),
            ExprKind::If(condition, then, otherwise) => {
                let (condition, then) = (self.written(condition, into), self.written_block(then, into));
                let otherwise = otherwise.as_ref().map(|e| {
                    let e = self.written(e, into);
                    quote!(else { #e })
                });
                quote!(if #condition #then #otherwise)
            }
            // Lowering of what is printed takes the minimum again.
            ExprKind::Limited(inner) => self.written(limited(e).unwrap_or(inner), into),
            ExprKind::OfClosure(_, inner) => self.written(inner, into),
            _ => {
                self.refuse(
                    e,
                    "in an index, a condition, or around what has no derivative this cannot stand in a kernel with one: name its value in front, `let x = ..;`",
                );
                TokenStream::new()
            }
        }
    }

    /// What lowering calls by a name of its own.
    pub fn method_name(name: &proc_macro2::Ident) -> proc_macro2::Ident {
        match name == "__len" {
            true => proc_macro2::Ident::new("len", name.span()),
            false => name.clone(),
        }
    }

    pub fn written_block(&mut self, block: &Block, into: &mut Inline) -> TokenStream {
        let mut declared: Vec<Var> = Vec::new();
        let mut stmts = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                hir::Stmt::Let {
                    pat,
                    ty,
                    init: Some(init),
                    ..
                } => {
                    let init = self.written(init, into);
                    let pat = self.written_pat(pat, &mut declared);
                    let ty = ty.as_ref().map(|ty| quote!(: #ty));
                    stmts.push(quote!(let #pat #ty = #init;));
                }
                hir::Stmt::Expr(e) => {
                    let e = self.written(e, into);
                    stmts.push(quote!(#e;));
                }
                _ => {
                    self.errors.at(
                        Span::call_site(),
                        "a block in an index or a condition has values alone in a kernel with a derivative",
                    );
                }
            }
        }
        let tail = block.tail.as_ref().map(|e| self.written(e, into));
        declared.iter().for_each(|v| {
            into.uses.remove(v);
        });
        quote!({ #(#stmts)* #tail })
    }

    pub fn written_pat(&mut self, pat: &Pat, declared: &mut Vec<Var>) -> TokenStream {
        match pat {
            Pat::Bind { local, .. } => {
                let name = self.func.local(*local).name.clone();
                let ident = self.names.of_user(&name);
                let var = self.new_var(ident.clone(), name.span());
                self.versions.insert(Slot::Local(*local), Atom::Var(var));
                declared.push(var);
                quote!(#ident)
            }
            Pat::Wild(_) => quote!(_),
            Pat::Tuple(pats) => {
                let pats: Vec<TokenStream> = pats.iter().map(|p| self.written_pat(p, declared)).collect();
                quote!((#(#pats,)*))
            }
            Pat::Array(pats) => {
                let pats: Vec<TokenStream> = pats.iter().map(|p| self.written_pat(p, declared)).collect();
                quote!([#(#pats),*])
            }
            Pat::Struct {
                path,
                members,
                rest,
                tuple,
                ..
            } => {
                let members: Vec<(syn::Member, TokenStream)> = members
                    .iter()
                    .map(|(m, p)| (m.clone(), self.written_pat(p, declared)))
                    .collect();
                let rest = rest.then(|| quote!(..));
                match tuple {
                    true => {
                        let parts = members.iter().map(|(_, p)| p);
                        quote!(#path(#(#parts,)* #rest))
                    }
                    false => {
                        let parts = members.iter().map(|(m, p)| quote!(#m: #p));
                        quote!(#path { #(#parts,)* #rest })
                    }
                }
            }
        }
    }

    /// A pattern of `match`, without variables: those are what they stand for in the value.
    pub fn pattern(&mut self, pattern: &Pattern, value: &Atom, span: Span) -> TokenStream {
        match pattern {
            Pattern::Wild(_) => quote!(_),
            Pattern::Value(value) => pattern_value(value),
            Pattern::Range { start, end, inclusive } => {
                let (start, end) = (start.as_ref().map(pattern_value), end.as_ref().map(pattern_value));
                match inclusive {
                    true => quote!(#start..=#end),
                    false => quote!(#start..#end),
                }
            }
            Pattern::Or(patterns) => {
                let patterns: Vec<TokenStream> = patterns.iter().map(|p| self.pattern(p, value, span)).collect();
                quote!(#(#patterns)|*)
            }
            Pattern::Bind { local, .. } => {
                self.versions.insert(Slot::Local(*local), value.clone());
                quote!(_)
            }
            Pattern::Named { local, pattern, .. } => {
                self.versions.insert(Slot::Local(*local), value.clone());
                self.pattern(pattern, value, span)
            }
            Pattern::Tuple(patterns) => {
                let patterns: Vec<TokenStream> = patterns
                    .iter()
                    .enumerate()
                    .map(|(k, p)| self.part_pattern(p, value, &syn::Member::from(k), span))
                    .collect();
                quote!((#(#patterns,)*))
            }
            Pattern::Struct {
                path,
                members,
                rest,
                tuple,
                ..
            } => {
                let parts: Vec<(syn::Member, TokenStream)> = members
                    .iter()
                    .map(|(member, p)| (member.clone(), self.part_pattern(p, value, member, span)))
                    .collect();
                let rest = rest.then(|| quote!(..));
                match tuple {
                    true => {
                        let parts = parts.iter().map(|(_, p)| p);
                        quote!(#path(#(#parts,)* #rest))
                    }
                    false => {
                        let parts = parts.iter().map(|(m, p)| quote!(#m: #p));
                        quote!(#path { #(#parts,)* #rest })
                    }
                }
            }
        }
    }

    /// The pattern of a part.
    pub fn part_pattern(&mut self, pattern: &Pattern, value: &Atom, member: &syn::Member, span: Span) -> TokenStream {
        if !names_any(pattern) {
            return self.pattern(pattern, value, span);
        }
        let part = self.name(Op::Member(value.clone(), member.clone()), span);
        self.pattern(pattern, &part, span)
    }
}

/// Whether a pattern has variables.
fn names_any(pattern: &Pattern) -> bool {
    match pattern {
        Pattern::Bind { .. } | Pattern::Named { .. } => true,
        Pattern::Wild(_) | Pattern::Value(_) | Pattern::Range { .. } => false,
        Pattern::Or(all) | Pattern::Tuple(all) => all.iter().any(names_any),
        Pattern::Struct { members, .. } => members.iter().any(|(_, p)| names_any(p)),
    }
}

fn pattern_value(value: &PatternValue) -> TokenStream {
    match value {
        PatternValue::Lit { lit, negative: false } => quote!(#lit),
        PatternValue::Lit { lit, negative: true } => quote!(-#lit),
        PatternValue::Const(_, path) => quote!(#path),
    }
}
