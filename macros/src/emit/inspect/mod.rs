//! Indices that come from data, `x[columns[k] as usize]`, looked at before a block of iterations runs. A check in place is a comparison
//! and a jump, and LLVM vectorises no loop that it stands in. Where an index is a function of a loop's position and of fields that are not written, a
//! loop of its own finds the largest one of the block, and the block then runs without checks. If one is out of bounds the block runs with
//! checks, as it would have, so that failures are the same.
//!
//! Loops in the loop are left as they are. LLVM vectorises none that adds up floats, and to look at the indices of a sparse matrix's rows takes longer than to
//! check them in place, where no mispredicted end of an unrolled loop comes with them.

mod find;
mod typed;
mod value;

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};

use self::find::{Check, Node};
use super::plain;
use super::print::Printer;
use crate::hir::{AccessId, Expr, ExprKind, Func, ParFor};

/// What is looked at before a block of a loop.
pub struct Inspection<'h> {
    nodes: Vec<Node<'h>>,
    /// Accesses whose indices are looked at.
    pub covered: HashSet<AccessId>,
}

/// What an expression depends on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Known {
    /// Nothing that changes during the loop.
    Fixed,
    /// The position.
    Position,
}

/// When an expression can be evaluated: once all accesses of earlier steps are known to be in bounds.
type Step = usize;

impl<'h> Inspection<'h> {
    /// What is to be looked at, if anything.
    pub fn of(func: &'h Func, p: &'h ParFor) -> Option<Inspection<'h>> {
        if plain() { None } else { find::find(func, p) }
    }

    /// Runs blocks without checks, up to the first that has an index out of bounds.
    pub fn blocks(
        &self,
        printer: &Printer<'_>,
        id: &syn::Lifetime,
        position: &TokenStream,
        noted: &TokenStream,
        body: &TokenStream,
    ) -> TokenStream {
        let condition = self.condition(printer, position);
        quote!(
            #[cfg(not(debug_assertions))]
            {
                while __k < __range.end {
                    let __stop = __k + ::core::cmp::min(__range.end - __k, ::swathe::__rt::BLOCK);
                    // What rustc says of the body it need not say twice.
                    #[allow(warnings, clippy::all, clippy::pedantic)]
                    let __inside = ::swathe::__rt::UNCHECKED || #condition;
                    if !__inside {
                        break;
                    }
                    #id: for __k in __k..__stop {
                        #position
                        #noted
                        #body
                        ::core::mem::forget(__iteration);
                    }
                    __k = __stop;
                }
            }
        )
    }

    /// An expression that is true if all is in bounds. `position` declares the position of the iteration `__k`.
    fn condition(&self, printer: &Printer<'_>, position: &TokenStream) -> TokenStream {
        let mut passes = Vec::new();
        collect(&self.nodes, &mut passes);
        passes.sort_by_key(|(domain, step, ends)| (*step, *domain, *ends));
        passes.dedup();
        let label = syn::Lifetime::new("'__inspection", Span::mixed_site());
        let passes = passes.into_iter().map(|(domain, step, ends)| {
            let mut pass = Pass {
                printer,
                label: &label,
                domain,
                step,
                ends,
                looped: false,
                before: TokenStream::new(),
                after: TokenStream::new(),
            };
            let body = pass.nodes(&self.nodes);
            let (looped, before, after) = (pass.looped, pass.before, pass.after);
            let run = match domain {
                _ if !looped => quote!(),
                Known::Fixed => body,
                Known::Position if ends => quote!(for __k in [__k, __stop - 1] { #position #body }),
                Known::Position => quote!(for __k in __k..__stop { #position #body }),
            };
            quote!(#before #run #after)
        });
        quote!(#label: { #(#passes)* true })
    }
}

/// In which loops, and when, there is something to look at.
fn collect(nodes: &[Node<'_>], passes: &mut Vec<(Known, Step, bool)>) {
    for node in nodes {
        match node {
            Node::Let { .. } => {}
            Node::Check(check) => passes.push((check.domain, check.step, check.ends)),
            Node::Block(nodes) => collect(nodes, passes),
        }
    }
}

/// One loop over positions.
struct Pass<'e, 'p> {
    printer: &'e Printer<'p>,
    label: &'e syn::Lifetime,
    domain: Known,
    step: Step,
    /// Whether only the first and the last position are looked at.
    ends: bool,
    /// Whether each position has to be looked at.
    looped: bool,
    before: TokenStream,
    after: TokenStream,
}

impl Pass<'_, '_> {
    /// The names of the user's variables are declared in the order and the blocks of the kernel itself, so that each is found.
    fn nodes(&mut self, nodes: &[Node<'_>]) -> TokenStream {
        let parts: Vec<TokenStream> = nodes.iter().map(|node| self.node(node)).collect();
        quote!(#(#parts)*)
    }

    fn node(&mut self, node: &Node<'_>) -> TokenStream {
        match node {
            Node::Let { stmt, domain, step } => {
                let known = *domain <= self.domain;
                if known && *step <= self.step {
                    self.printer.stmt(stmt)
                } else {
                    quote!()
                }
            }
            Node::Check(check) if (check.domain, check.step, check.ends) == (self.domain, self.step, self.ends) => {
                self.check(check)
            }
            Node::Check(_) => quote!(),
            Node::Block(nodes) => {
                let nodes = self.nodes(nodes);
                quote!({ #nodes })
            }
        }
    }

    fn check(&mut self, check: &Check<'_>) -> TokenStream {
        let (access, label) = (check.access, self.label);
        let most = format_ident!("__m{}_{}", access.id.0, check.axis.unwrap_or(0));
        let field = &access.ident;
        let Some(axis) = check.axis else {
            self.before
                .extend(quote!(let mut #most = ::swathe::__rt::MostOf::new();));
            self.after
                .extend(quote!(if !#most.inside(#field.shape()) { break #label false; }));
            self.looped = true;
            let position = self.printer.position(access);
            return quote!(#most.take(#position););
        };
        let e = &access.index[axis];
        let number = before_cast(e).unwrap_or(e);
        self.before.extend(quote!(let mut #most = ::swathe::__rt::Most::new();));
        let below = quote!(if !#most.below(#field.shape()[#axis]) { break #label false; });
        self.after.extend(below);
        self.looped = true;
        let number = self.printer.expr(number);
        quote!(#most.take(#number);)
    }
}

/// What is cast to an index: the numbers before are narrower.
fn before_cast(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Cast(inner, ty, _) if !matches!(inner.kind, ExprKind::Lit(..)) => {
            is_named(ty, "usize").then_some(inner)
        }
        _ => None,
    }
}

fn is_named(ty: &syn::Type, name: &str) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident(name))
}
