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

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use self::find::{Check, Node};
use super::print::Printer;
use super::{is_usize, plain};
use crate::hir::{Access, AccessId, Expr, ExprKind, Func, ParFor};

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

/// What an iteration is made of, that of `__k`.
pub struct Iteration<'e> {
    pub id: &'e syn::Lifetime,
    /// Declares its position.
    pub position: &'e TokenStream,
    /// Notes where the loop goes on if a function fails.
    pub noted: &'e TokenStream,
    pub body: &'e TokenStream,
}

impl<'h> Inspection<'h> {
    /// What is to be looked at, if anything.
    pub fn of(func: &'h Func, p: &'h ParFor) -> Option<Inspection<'h>> {
        if plain() { None } else { find::find(func, p) }
    }

    /// Runs blocks without checks, up to the first that has an index out of bounds.
    pub fn blocks(&self, printer: &Printer<'_>, iteration: &Iteration<'_>) -> TokenStream {
        let Iteration {
            id,
            position,
            noted,
            body,
        } = iteration;
        let condition = self.condition(printer, position);
        quote!(
            #[cfg(not(debug_assertions))]
            {
                while __k < __range.end {
                    let __stop = __k + ::core::cmp::min(__range.end - __k, ::swathe::__rt::BLOCK);
                    // What rustc says of the body it need not say twice.
                    #[allow(warnings, unused, clippy::all, clippy::pedantic)]
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
        let label = syn::Lifetime::new("'__inspection", Span::mixed_site());
        let all = syn::Lifetime::new("'__parted", Span::mixed_site());
        let looks = look(printer, &label, &self.nodes);
        quote!(
            #[cfg(not(debug_assertions))]
            if !(#(#shared)||*) {
                #(let #shared = false;)*
                let mut __first = __k;
                #all: while __range.end - __first >= ::swathe::__rt::COPIES {
                    #id: for __copy in 0..::swathe::__rt::COPIES {
                        let __k = __first + __copy;
                        #position
                        // What rustc says of the body it need not say twice.
                        #[allow(warnings, unused, clippy::all, clippy::pedantic)]
                        let __inside = ::swathe::__rt::UNCHECKED || #label: { #looks true };
                        if !__inside {
                            __first = __k;
                            break #all;
                        }
                        #copies
                        #noted
                        #body
                        ::core::mem::forget(__iteration);
                    }
                    __first += ::swathe::__rt::COPIES;
                }
                __k = __first;
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

/// Leaves the block `label` with `false` where an index of the iteration is out of bounds.
fn look(printer: &Printer<'_>, label: &syn::Lifetime, nodes: &[Node<'_>]) -> TokenStream {
    let parts = nodes.iter().map(|node| match node {
        Node::Let { stmt, .. } => printer.stmt(stmt),
        Node::Block(nodes) => {
            let nodes = look(printer, label, nodes);
            quote!({ #nodes })
        }
        Node::Check(Check { access, axis, .. }) => {
            let Seen { new, take, inside } = seen(printer, access, *axis, &format_ident!("__most"));
            quote!({
                #new
                #take
                if !#inside { break #label false; }
            })
        }
    });
    parts.collect()
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

fn seen(printer: &Printer<'_>, access: &Access, axis: Option<usize>, most: &Ident) -> Seen {
    let field = &access.ident;
    let Some(axis) = axis else {
        let position = printer.position(access);
        return Seen {
            new: quote!(let mut #most = ::swathe::__rt::MostOf::new();),
            take: quote!(#most.take(#position);),
            inside: quote!(#most.inside(#field.shape())),
        };
    };
    let e = &access.index[axis];
    let number = printer.expr(before_cast(e).unwrap_or(e));
    Seen {
        new: quote!(let mut #most = ::swathe::__rt::Most::new();),
        take: quote!(#most.take(#number);),
        inside: quote!(#most.below(#field.shape()[#axis])),
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
        let Seen { new, take, inside } = seen(self.printer, access, check.axis, &most);
        self.before.extend(new);
        self.after.extend(quote!(if !#inside { break #label false; }));
        self.looped = true;
        take
    }
}

/// What is cast to an index: the numbers before are narrower.
fn before_cast(e: &Expr) -> Option<&Expr> {
    match &e.kind {
        ExprKind::Cast(inner, ty, _) if !matches!(inner.kind, ExprKind::Lit(..)) => is_usize(ty).then_some(inner),
        _ => None,
    }
}
