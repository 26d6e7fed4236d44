//! Indices looked at in advance, as Rust.

use std::collections::HashMap;

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::print::Printer;
use super::probe;
use crate::hir::{Expr, Stmt};
use crate::plan::inspect::{Check, Inspection, Known, Node, Step, before_cast};

/// What an iteration is made of, that of `__k`.
pub struct Iteration<'e> {
    pub id: &'e syn::Lifetime,
    /// Declares its position.
    pub position: &'e TokenStream,
    /// Notes where the loop goes on if a function fails.
    pub noted: &'e TokenStream,
    pub body: &'e TokenStream,
}

impl Inspection<'_> {
    /// Where the body finds what the closures have computed: the variable of the last step holds all.
    pub fn defined(&self) -> HashMap<*const Expr, TokenStream> {
        self.defined_before(self.last() + 1)
    }

    /// What the steps before one have computed, of which the variable of the last one holds all.
    fn defined_before(&self, step: Step) -> HashMap<*const Expr, TokenStream> {
        let mut defined = HashMap::new();
        for earlier in 0..step {
            let mut place = seen_name(step - 1).into_token_stream();
            for _ in earlier + 1..step {
                place = quote!(#place.0);
            }
            for (k, value) in self.values(earlier).into_iter().enumerate() {
                let k = syn::Index::from(k);
                let number = quote!(#place.1.#k);
                let whole = match value.cast {
                    Some(ty) => quote!((#number as #ty)),
                    None => number,
                };
                defined.insert(std::ptr::from_ref(value.whole), whole);
            }
        }
        defined
    }

    /// Declares the closures: that of a step gives what the one before gives, and its own values; nothing where an operator is the user's.
    pub fn closures(&self, printer: &Printer<'_>, position: &TokenStream) -> TokenStream {
        let closures = (0..=self.last()).map(|step| {
            let name = look_name(step);
            let (bind, first) = match step.checked_sub(1) {
                None => (TokenStream::new(), quote!(())),
                Some(before) => {
                    let (look, seen) = (look_name(before), seen_name(before));
                    (quote!(let #seen = #look(__k)?;), quote!(#seen))
                }
            };
            let inner = Printer {
                inspected: self.before(step).chain(printer.inspected.iter().copied()).collect(),
                defined: self.defined_before(step),
                proves: true,
                ..printer.again()
            };
            let mut own = Vec::new();
            let stmts = statements(&inner, &self.nodes, step, &mut own);
            let allow = probe::allow();
            quote!(
                #allow
                let #name = ::swathe::__rt::iteration(#[inline(always)] |__k: ::swathe::__rt::core::primitive::usize| {
                    #position
                    #bind
                    #stmts
                    ::swathe::__rt::core::option::Option::Some((#first, (#(#own,)*)))
                });
            )
        });
        quote!(#(#closures)*)
    }

    /// Runs blocks without checks, up to the first that has an index out of bounds.
    pub fn blocks(&self, printer: &Printer<'_>, iteration: &Iteration<'_>) -> TokenStream {
        let Iteration {
            id,
            position,
            noted,
            body,
        } = iteration;
        let (closures, condition) = (self.closures(printer, position), self.condition());
        let (seen, look) = (seen_name(self.last()), look_name(self.last()));
        quote!(
            #[cfg(not(debug_assertions))]
            {
                #closures
                while __k < __range.end {
                    let __stop = __k + ::swathe::__rt::core::cmp::min(__range.end - __k, ::swathe::__rt::BLOCK);
                    let __inside = ::swathe::__rt::UNCHECKED || #condition;
                    if !__inside {
                        break;
                    }
                    // The variables of indices that are computed above.
                    #[allow(unused_variables)]
                    #id: for __k in __k..__stop {
                        #position
                        let #seen = ::swathe::__rt::looked_at(#look(__k));
                        #noted
                        #body
                        ::swathe::__rt::core::mem::forget(__iteration);
                    }
                    __k = __stop;
                }
            }
        )
    }

    /// Runs iterations without checks up to the first that has an index out of bounds, each after a look at its own: what only adds to places anywhere
    /// is not vectorised, and needs no second loop. Those that follow one another add to different copies.
    pub fn one_by_one(
        &self,
        printer: &Printer<'_>,
        iteration: &Iteration<'_>,
        shared: &[Ident],
        copies: &TokenStream,
    ) -> TokenStream {
        let Iteration {
            id,
            position,
            noted,
            body,
        } = iteration;
        let all = syn::Lifetime::new("'__parted", Span::mixed_site());
        let closures = self.closures(printer, position);
        let looks = (0..=self.last()).map(|step| {
            let (look, seen) = (look_name(step), seen_name(step));
            let inside = self.checks(step).map(|(check, k)| {
                let k = syn::Index::from(k);
                let number = quote!(#seen.1.#k);
                let Seen { new, take, inside } = seen_at(check, &number, &format_ident!("__most"));
                quote!({ #new #take #inside })
            });
            quote!(
                let #seen = match #look(__k) {
                    ::swathe::__rt::core::option::Option::Some(#seen) if ::swathe::__rt::UNCHECKED || (true #(&& #inside)*) => #seen,
                    _ => {
                        __first = __k;
                        break #all;
                    }
                };
            )
        });
        quote!(
            #[cfg(not(debug_assertions))]
            if !(#(#shared)||*) {
                #(let #shared = false;)*
                #closures
                let mut __first = __k;
                #all: while __range.end - __first >= ::swathe::__rt::COPIES {
                    // As above.
                    #[allow(unused_variables)]
                    #id: for __copy in 0..::swathe::__rt::COPIES {
                        let __k = __first + __copy;
                        #position
                        #(#looks)*
                        #copies
                        #noted
                        #body
                        ::swathe::__rt::core::mem::forget(__iteration);
                    }
                    __first += ::swathe::__rt::COPIES;
                }
                __k = __first;
            }
        )
    }

    /// An expression that is true if all is in bounds.
    fn condition(&self) -> TokenStream {
        let label = syn::Lifetime::new("'__inspection", Span::mixed_site());
        let passes = (0..=self.last()).map(|step| {
            let (look, seen) = (look_name(step), seen_name(step));
            let pass = |domain: Known, ends: bool| {
                let checks = self
                    .checks(step)
                    .filter(|(check, _)| (check.domain, check.ends) == (domain, ends));
                let (mut before, mut takes, mut after) = (TokenStream::new(), TokenStream::new(), TokenStream::new());
                for (check, k) in checks {
                    let most = format_ident!("__m{}_{}", check.access.id.0, check.axis.unwrap_or(0));
                    let k = syn::Index::from(k);
                    let Seen { new, take, inside } = seen_at(check, &quote!(#seen.1.#k), &most);
                    before.extend(new);
                    takes.extend(take);
                    after.extend(quote!(if !#inside { break #label false; }));
                }
                if takes.is_empty() {
                    return TokenStream::new();
                }
                let all = match (domain, ends) {
                    (Known::Fixed, _) => quote!([__k]),
                    (Known::Position, true) => quote!([__k, __stop - 1]),
                    (Known::Position, false) => quote!(__k..__stop),
                };
                quote!(
                    #before
                    for __k in #all {
                        let ::swathe::__rt::core::option::Option::Some(#seen) = #look(__k) else { break #label false };
                        #takes
                    }
                    #after
                )
            };
            let passes = [
                pass(Known::Fixed, false),
                pass(Known::Position, false),
                pass(Known::Position, true),
            ];
            quote!(#(#passes)*)
        });
        quote!(#label: { #(#passes)* true })
    }
}

/// The statements of a step's closure: in their order the variables of earlier steps, and its own values, whose names it collects.
fn statements(printer: &Printer<'_>, nodes: &[Node<'_>], step: Step, own: &mut Vec<Ident>) -> TokenStream {
    let mut stmts = TokenStream::new();
    for node in nodes {
        match node {
            Node::Let { stmt, step: at, .. } if *at == step => {
                if let Stmt::Let {
                    init: Some(init),
                    pat,
                    ty,
                    ..
                } = stmt
                {
                    let name = format_ident!("__value{}", own.len());
                    let (value, pat) = (printer.expr(init), printer.pat(pat));
                    let ty = ty.as_ref().map(|ty| quote!(: #ty));
                    stmts.extend(quote!(let #name = #value; let #pat #ty = #name;));
                    own.push(name);
                }
            }
            Node::Let { stmt, step: at, .. } if *at < step => stmts.extend(printer.stmt(stmt)),
            Node::Check(check) if check.step == step => {
                let name = format_ident!("__value{}", own.len());
                let value = match check.axis {
                    Some(axis) => {
                        let index = &check.access.index[axis];
                        printer.expr(before_cast(index).map_or(index, |(inner, _)| inner))
                    }
                    None => printer.position(check.access),
                };
                stmts.extend(quote!(let #name = #value;));
                own.push(name);
            }
            // The variables of all blocks have names of their own.
            Node::Block(nodes) => stmts.extend(statements(printer, nodes, step, own)),
            Node::Let { .. } | Node::Check(_) => {}
        }
    }
    stmts
}

/// The closure of a step.
fn look_name(step: Step) -> Ident {
    format_ident!("__look{step}")
}

/// What it gives.
fn seen_name(step: Step) -> Ident {
    format_ident!("__seen{step}")
}

/// How the largest index on an axis, or on all, is found.
struct Seen {
    /// Declares that there is none yet.
    new: TokenStream,
    /// Takes that of an iteration.
    take: TokenStream,
    /// Whether it is in bounds.
    inside: TokenStream,
}

fn seen_at(check: &Check<'_>, number: &TokenStream, most: &Ident) -> Seen {
    let field = &check.access.ident;
    match check.axis {
        None => Seen {
            new: quote!(let mut #most = ::swathe::__rt::MostOf::new();),
            take: quote!(::swathe::__rt::MostOf::take(&mut #most, #number);),
            inside: quote!(::swathe::__rt::MostOf::inside(&#most, #field.shape())),
        },
        Some(axis) => Seen {
            new: quote!(let mut #most = ::swathe::__rt::Most::new();),
            take: quote!(::swathe::__rt::Most::take(&mut #most, #number);),
            inside: quote!(::swathe::__rt::Most::below(&#most, #field.shape()[#axis])),
        },
    }
}
