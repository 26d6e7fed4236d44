//! Reverse mode: operations.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::body::{Atom, Op, Step};
use super::reverse::{NO_OPERATOR, Reverse, no_rule, rule};
use super::{print, rules};

impl Reverse<'_> {
    /// Gradients of the operands of an operation from that of its value.
    pub fn pull(&mut self, op: &Op, d: &TokenStream, span: Span) {
        match op {
            Op::Copy(a) | Op::Like(a, _) => self.contribute(a, d),
            Op::Binary(op, a, b) | Op::Changed(op, a, b) => match rules::operator(*op) {
                Some(name) => self.by_rule(name, &[a, b], d, span),
                None => self.errors.at(span, NO_OPERATOR),
            },
            Op::Neg(a) => self.by_rule("neg", &[a], d, span),
            Op::Not(_) => self.errors.at(span, NO_OPERATOR),
            Op::Rule { name, args, .. } => {
                let args: Vec<&Atom> = args.iter().collect();
                match rules::exists(name, args.len()) {
                    true => self.by_rule(name, &args, d, span),
                    false => self.errors.at(span, no_rule(name)),
                }
            }
            Op::Call { path, args } => {
                let args: Vec<&Atom> = args.iter().collect();
                let mut path = (**path).clone();
                let mut last = path.path.segments.last().expect("a path").clone();
                last.ident = Ident::new("__pullback", last.ident.span());
                last.arguments = syn::PathArguments::None;
                path.path.segments.push(last);
                args.iter().for_each(|a| self.need(a, true));
                self.by_call(&quote!(#path), &args, d, span);
            }
            Op::Detach(_) | Op::Inline(_) => {}
            Op::Member(a, member) => self.part_of(a, &quote!(.#member), d),
            Op::Index(a, index) => {
                let mut needs = std::mem::take(&mut self.top().needs);
                self.needed_inline(index, &mut needs);
                self.top().needs = needs;
                let index = &index.tokens;
                self.part_of(a, &quote!([#index]), d);
            }
            Op::Tuple(parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let k = syn::Index::from(k);
                    self.contribute(part, &quote!(#d.#k));
                }
            }
            Op::Array(parts) | Op::Components(_, parts) => {
                for (k, part) in parts.iter().enumerate() {
                    let k = syn::Index::from(k);
                    self.contribute(part, &quote!(#d[#k]));
                }
            }
            Op::Splat(_, a) => {
                self.contribute(a, &quote!(#d.sum()));
            }
            Op::Repeat(a, count) => {
                if self.varied(a) {
                    let (sum, k) = (self.names.fresh("c", span), self.names.fresh("k", span));
                    let (zero, accumulate) = (rule("zero", span), rule("accumulate", span));
                    self.need(a, false);
                    let text = self.atom(a);
                    self.say(quote! {
                        let mut #sum = #zero(#text);
                        for #k in 0..#count {
                            #sum = #accumulate(#sum, #d[#k]);
                        }
                    });
                    self.contribute(a, &quote!(#sum));
                }
            }
            Op::Struct { members, base, .. } => {
                for (member, part) in members {
                    self.contribute(part, &quote!(#d.#member));
                }
                if let Some(base) = base.as_ref().filter(|base| self.varied(base)) {
                    let (rest, zero) = (self.names.fresh("c", span), rule("zero", span));
                    let parts = members
                        .iter()
                        .map(|(member, _)| quote!(#rest.#member = #zero(#rest.#member);));
                    self.say(quote!(let mut #rest = #d; #(#parts)*));
                    self.contribute(base, &quote!(#rest));
                }
            }
            Op::Cast(a, ..) => {
                if self.varied(a) {
                    let back = rule("cast_back", span);
                    self.need(a, false);
                    let text = self.atom(a);
                    self.contribute(a, &quote!(#back(#text, #d)));
                }
            }
            Op::Read(place) => {
                if self.gradients.contains_key(&place.field) {
                    let text = self.place(place);
                    self.say(match place.own {
                        true => {
                            let accumulate = rule("accumulate", span);
                            quote!(#text = #accumulate(#text, #d);)
                        }
                        // Where a type has no atomic sum, rustc says so at the read.
                        false => quote_spanned!(span.resolved_at(Span::call_site())=> #text.atomic_add(#d);),
                    });
                }
            }
            Op::With(base, steps, value) => {
                for step in steps {
                    if let Step::Index(index) = step {
                        let mut needs = std::mem::take(&mut self.top().needs);
                        self.needed_inline(index, &mut needs);
                        self.top().needs = needs;
                    }
                }
                let (rest, part, zero) = (
                    self.names.fresh("c", span),
                    self.names.fresh("c", span),
                    rule("zero", span),
                );
                let steps = print::steps(steps);
                self.say(quote! {
                    let mut #rest = #d;
                    let #part = #rest #steps;
                    #rest #steps = #zero(#part);
                });
                self.contribute(value, &quote!(#part));
                self.contribute(base, &quote!(#rest));
            }
        }
    }

    /// Adds to the gradient of a part of a value.
    pub fn part_of(&mut self, whole: &Atom, part: &TokenStream, d: &TokenStream) {
        let Some(var) = whole.var().filter(|_| self.varied(whole)) else {
            return;
        };
        self.enclose(BTreeSet::from([var]));
        let (name, accumulate) = (self.d(var), rule("accumulate", self.body.vars[var].span));
        self.say(match self.crosses(var) {
            true => quote!(#name #part += #d;),
            false => quote!(#name #part = #accumulate(#name #part, #d);),
        });
    }

    pub fn by_rule(&mut self, name: &str, args: &[&Atom], d: &TokenStream, span: Span) {
        let varied: Vec<bool> = args.iter().map(|a| self.varied(a)).collect();
        for (arg, value) in args.iter().zip(rules::needed(name, &varied)) {
            self.need(arg, value);
        }
        let back = rule(&format!("{name}_back"), span);
        self.by_call(&back, args, d, span);
    }

    /// A call that gives the gradients of all arguments.
    pub fn by_call(&mut self, function: &TokenStream, args: &[&Atom], d: &TokenStream, span: Span) {
        let texts: Vec<TokenStream> = args.iter().map(|a| self.atom(a)).collect();
        let call = quote_spanned!(span.resolved_at(Span::call_site())=> #function(#(#texts,)* #d));
        if let [one] = args {
            return self.contribute(one, &call);
        }
        let (mut pats, mut parts) = (Vec::new(), Vec::new());
        for arg in args {
            if let Some(d) = self.first_of(arg) {
                pats.push(quote!(#d));
                parts.push(None);
            } else if self.varied(arg) {
                let part = self.names.fresh("c", span);
                pats.push(quote!(#part));
                parts.push(Some(part));
            } else {
                pats.push(quote!(_));
                parts.push(None);
            }
        }
        self.say(quote!(let (#(#pats),*) = #call;));
        for (arg, part) in args.iter().zip(&parts) {
            if let Some(part) = part {
                self.contribute(arg, &quote!(#part));
            }
        }
    }
}
