//! Patterns, and the types of what they bind.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

use super::print::{Printer, braces, brackets, parens};
use super::type_slot;
use crate::hir::{LocalId, Pat, Pattern, PatternValue, bindings};

impl Printer<'_> {
    pub fn pat(&self, pat: &Pat) -> TokenStream {
        match pat {
            Pat::Bind { ident, mutable, .. } => {
                let keyword = mutable.then(|| quote!(mut));
                quote!(#keyword #ident)
            }
            Pat::Wild(span) => quote_spanned!(*span=> _),
            Pat::Tuple(parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|p| self.pat(p)).collect();
                parens(start(&parts), quote!(#(#parts,)*))
            }
            Pat::Array(parts) => {
                let parts: Vec<TokenStream> = parts.iter().map(|p| self.pat(p)).collect();
                brackets(start(&parts), quote!(#(#parts),*))
            }
            Pat::Struct {
                path,
                members,
                rest,
                tuple: false,
                end,
            } => {
                let members = members.iter().map(|(member, part)| {
                    let pat = self.pat(part);
                    match (member, part) {
                        (syn::Member::Named(name), Pat::Bind { ident, .. }) if name == ident => pat,
                        _ => quote!(#member: #pat),
                    }
                });
                let rest = rest.then(|| quote!(..));
                let members = braces(*end, quote!(#(#members,)* #rest));
                quote!(#path #members)
            }
            Pat::Struct {
                path,
                members,
                rest,
                tuple: true,
                end,
            } => {
                let (members, rest) = (members.iter().map(|(_, part)| self.pat(part)), rest.then(|| quote!(..)));
                let members = parens(*end, quote!(#(#members,)* #rest));
                quote!(#path #members)
            }
        }
    }

    /// Tells rustc's types of what a pattern binds.
    pub fn place_probes(&self, pat: &Pat) -> TokenStream {
        if !self.probes() {
            return TokenStream::new();
        }
        bindings(pat)
            .map(|(local, ident)| self.place_probe(local, ident))
            .collect()
    }

    pub fn place_probe(&self, local: LocalId, ident: &Ident) -> TokenStream {
        let (slot, name) = (type_slot(self.func.local(local).ty), &self.func.local(local).name);
        // Under its own name, which rustc refuses for a variable if it is that of a constant.
        let named = (ident != name).then(|| quote_spanned!(name.span()=> if false { let #name = #ident; }));
        quote_spanned!(ident.span()=> ::swathe::__rt::place(&#slot, &#ident); #named)
    }

    pub fn pattern(&self, pat: &Pattern) -> TokenStream {
        match pat {
            Pattern::Wild(span) => quote_spanned!(*span=> _),
            // Not alone: the name of a constant would be compared with.
            Pattern::Bind { ident, mutable, .. } => {
                let (keyword, span) = (mutable.then(|| quote!(mut)), ident.span());
                quote_spanned!(span=> #keyword #ident @ _)
            }
            Pattern::Value(value) => pattern_value(value),
            Pattern::Named {
                ident,
                mutable,
                pattern,
                ..
            } => {
                let (keyword, span, pattern) = (mutable.then(|| quote!(mut)), ident.span(), self.pattern(pattern));
                quote_spanned!(span=> #keyword #ident @ #pattern)
            }
            Pattern::Range { start, end, inclusive } => {
                let start = start.as_ref().map(pattern_value);
                let end = end.as_ref().map(pattern_value);
                if *inclusive {
                    quote!(#start..=#end)
                } else {
                    quote!(#start..#end)
                }
            }
            Pattern::Or(cases) => {
                let cases = cases.iter().map(|p| self.pattern(p));
                quote!((#(#cases)|*))
            }
            Pattern::Tuple(parts) => {
                let parts = parts.iter().map(|p| self.pattern(p));
                quote!((#(#parts,)*))
            }
            Pattern::Struct {
                path,
                members,
                rest,
                tuple,
                end,
            } => {
                let rest = rest.then(|| quote!(..));
                let members = members.iter().map(|(member, part)| (member, self.pattern(part)));
                let members = match tuple {
                    true => {
                        let parts = members.map(|(_, part)| part);
                        parens(*end, quote!(#(#parts,)* #rest))
                    }
                    false => {
                        let members = members.map(|(member, part)| quote!(#member: #part));
                        braces(*end, quote!(#(#members,)* #rest))
                    }
                };
                quote!(#path #members)
            }
        }
    }

    pub fn pattern_probes(&self, pat: &Pattern) -> TokenStream {
        match pat {
            Pattern::Bind { local, ident, .. } | Pattern::Named { local, ident, .. } if self.probes() => {
                self.place_probe(*local, ident)
            }
            Pattern::Or(parts) | Pattern::Tuple(parts) => parts.iter().map(|p| self.pattern_probes(p)).collect(),
            Pattern::Struct { members, .. } => members.iter().map(|(_, p)| self.pattern_probes(p)).collect(),
            _ => TokenStream::new(),
        }
    }
}

/// Where rustc shall say that there is another number of parts: of the names, not of the macro.
fn start(parts: &[TokenStream]) -> Span {
    let first = parts.first().and_then(|part| part.clone().into_iter().next());
    first.map_or_else(Span::call_site, |token| token.span())
}

fn pattern_value(value: &PatternValue) -> TokenStream {
    match value {
        PatternValue::Lit { lit, negative: true } => quote!(-#lit),
        PatternValue::Lit { lit, .. } => lit.to_token_stream(),
        PatternValue::Const(_, path) => path.to_token_stream(),
    }
}
