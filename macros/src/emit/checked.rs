//! Native code that verifies what `unsafe` blocks claim. It is the native code of a kernel with three changes: `get_unchecked` is
//! checked, accesses that an `unsafe` block vouches for are noted in shadow cells, and one thread runs all iterations.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::{AtomicOp, LocalId};

use super::domain::{combine, cost, identity, only_subtracted};
use super::print::{Mode, Printer};
use super::{at, field_name, label};
use crate::check::visit::{Visit, walk_expr};
use crate::hir::{Access, Domain, Expr, ExprKind, Func, ParFor, Stmt};

/// Holds what is noted of a field.
fn cells_name(field: LocalId) -> Ident {
    format_ident!("__cells{}", field.0)
}

/// Whether there is anything to verify.
pub fn is_needed(func: &Func) -> bool {
    func.accesses.iter().any(|access| access.in_unsafe)
}

/// Statements that make the cells of all fields that have some.
pub fn cells(func: &Func) -> TokenStream {
    let fields = func.params.iter().map(|p| p.local).filter(|field| {
        let mut loops = func.body.stmts.iter();
        loops.any(|stmt| matches!(stmt, Stmt::ParFor(p) if p.vouched.contains(field)))
    });
    let made = fields.map(|field| {
        let (cells, access, atomic) = (cells_name(field), field_name(field), is_atomic(func, field));
        quote!(let #cells = ::swathe::__rt::Cells::new(#access, #atomic)?;)
    });
    quote!(#(#made)*)
}

fn is_atomic(func: &Func, field: LocalId) -> bool {
    struct Search(LocalId, bool);
    impl Visit for Search {
        fn expr(&mut self, e: &Expr) {
            self.1 |= matches!(&e.kind, ExprKind::Atomic(_, _, access, _) if access.field == self.0);
            walk_expr(self, e);
        }
    }
    let mut search = Search(field, false);
    search.block(&func.body);
    search.1
}

impl Printer<'_> {
    fn notes(&self, access: &Access) -> bool {
        self.mode == Mode::Checked && self.noted.contains(&access.field)
    }

    /// The pointer to the element at `__i`, made to note what is done with it.
    pub fn noted(&self, access: &Access, site: u32, pointer: TokenStream) -> TokenStream {
        if !self.notes(access) {
            return pointer;
        }
        let cells = cells_name(access.field);
        quote!(#cells.noted(#pointer, __launch, #site, __i, __k))
    }

    /// The same pointer without notes: what a write changes is read first, which is no access of the user's.
    pub fn unnoted(&self, access: &Access, pointer: TokenStream) -> TokenStream {
        if self.notes(access) {
            quote!(#pointer.unnoted())
        } else {
            pointer
        }
    }

    /// The pointer of an atomic operation.
    pub fn atomic_pointer(&self, op: AtomicOp, access: &Access) -> TokenStream {
        let pointer = self.pointer(access);
        if !self.notes(access) {
            return pointer;
        }
        let changes = op != AtomicOp::Load;
        quote!(#pointer.atomic(#changes))
    }

    /// A parallel loop on one thread. Its cells start clean.
    pub fn checked_loop(&self, p: &ParFor) -> TokenStream {
        let domain = self.domain(&p.domain);
        let cells = p.vouched.iter().map(|field| cells_name(*field));
        let clean = quote!(#(#cells.clear();)*);
        let subtracted = only_subtracted(p);
        let inner = Printer {
            iteration: Some(p.label),
            subtracted: subtracted.clone(),
            noted: p.vouched.clone(),
            ..Printer::new(self.func, Mode::Checked)
        };
        let vars: Vec<TokenStream> = p.vars.iter().map(|var| self.var(*var)).collect();
        let (id, position, body) = (label(p.label), position(&p.domain, &vars), inner.stmts(&p.body));
        let iterations = quote!(
            #id: for __k in __range {
                #position
                let __iteration = ::swathe::__rt::Iteration(__k);
                #body
                ::core::mem::forget(__iteration);
            }
        );
        if p.reductions.is_empty() {
            return quote_spanned!(at(p.span)=> {
                #domain
                #clean
                ::swathe::__rt::for_each_in_order(__n, |__range: ::core::ops::Range<usize>| { #iterations });
            });
        }
        let names: Vec<&Ident> = p.reductions.iter().map(|r| &self.func.local(r.local).ident).collect();
        let starts = p.reductions.iter().zip(&names).map(|(r, name)| identity(r, name));
        let index: Vec<_> = (0..names.len()).map(syn::Index::from).collect();
        let parts = p.reductions.iter().zip(&index);
        let combined = parts.map(|(r, k)| combine(r.op, &quote!(__a.#k), &quote!(__b.#k)));
        let results = p.reductions.iter().zip(&names).zip(&index).map(|((r, name), k)| {
            if subtracted.contains(&r.local) {
                return quote!(#name -= __total.#k;);
            }
            let value = combine(r.op, &quote!(#name), &quote!(__total.#k));
            quote!(#name = #value;)
        });
        let cost = match cost(&p.body) {
            Some(cost) => quote!(::core::option::Option::Some(#cost)),
            None => quote!(::core::option::Option::None),
        };
        quote_spanned!(at(p.span)=> {
            #domain
            #clean
            let __total = ::swathe::__rt::reduce_in_order(
                __n,
                #cost,
                || (#(#starts,)*),
                |__range: ::core::ops::Range<usize>, __partial| {
                    #(let mut #names = __partial.#index;)*
                    #iterations
                    (#(#names,)*)
                },
                |__a, __b| (#(#combined,)*),
            );
            #(#results)*
        })
    }
}

/// Declares the positions of iteration `__k`.
fn position(domain: &Domain, vars: &[TokenStream]) -> TokenStream {
    match (domain, vars) {
        (Domain::Range(_), _) => {
            let var = &vars[0];
            quote!(let #var = ::swathe::__rt::LoopInt::nth(__start, __k, __step);)
        }
        (_, [var]) => quote!(let #var = ::swathe::__rt::position(__shape, __k);),
        _ => {
            let axes = (0..vars.len()).map(syn::Index::from);
            quote!(
                let __at = ::swathe::__rt::position(__shape, __k);
                #(let #vars = __at[#axes];)*
            )
        }
    }
}
