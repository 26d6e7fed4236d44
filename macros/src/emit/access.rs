//! Accesses to elements of fields in native code, and in the copy that is only typed.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::AtomicOp;

use super::print::{Mode, Printer, brackets, parens};
use super::{label, rank_name};
use crate::hir::{Access, Check, Expr, Place, Step};

impl Printer<'_> {
    fn position(&self, access: &Access) -> TokenStream {
        let parts = access.index.iter().map(|e| self.expr(e));
        let index = if access.bracketed {
            brackets(access.index_span, quote!(#(#parts),*))
        } else {
            quote!(#(#parts)*)
        };
        let rank = rank_name(access.field);
        quote_spanned!(access.index_span=> ::swathe::__rt::axes(#rank, #index))
    }

    pub fn typed_access(&self, access: &Access, end: Span) -> TokenStream {
        let (ident, position) = (&access.ident, self.position(access));
        match self.func.access(access.id).check {
            Check::Unchecked => {
                let position = parens(end, position);
                quote_spanned!(access.span=> (*#ident.get_unchecked #position))
            }
            _ => {
                let position = brackets(end, position);
                quote_spanned!(access.span=> #ident #position)
            }
        }
    }

    /// A raw pointer to the element; leaves the iteration (outside of parallel loops: the kernel) if the position is
    /// out of bounds.
    fn pointer(&self, access: &Access) -> TokenStream {
        let (ident, position) = (&access.ident, self.position(access));
        let trusted = match self.func.access(access.id).check {
            Check::Proven | Check::Unchecked => true,
            Check::Hoisted => self.covered,
            Check::InKernel => false,
        };
        if trusted {
            return quote!({
                let __i = #position;
                unsafe { #ident.unchecked(__i) }
            });
        }
        let site = u32::try_from(access.id.0).expect("fewer than 2^32 accesses");
        let leave = match self.iteration {
            Some(id) => {
                let id = label(id);
                quote!(continue #id)
            }
            None => quote!(return ::core::result::Result::Err(::swathe::__rt::Failed)),
        };
        quote!({
            let __i = #position;
            match #ident.checked(__i) {
                ::core::option::Option::Some(__p) => __p,
                ::core::option::Option::None => {
                    #ident.fail(__launch, #site, __i);
                    #leave
                }
            }
        })
    }

    /// Statements that evaluate the pointer `__p` and the index steps of a place, and the place itself.
    fn place(&self, place: &Place<'_>) -> (TokenStream, TokenStream) {
        let pointer = self.pointer(place.access);
        let mut setup = quote!(let __p = #pointer;);
        let mut tokens = quote!((*__p));
        for (k, step) in place.steps.iter().enumerate() {
            match step {
                Step::Member(member) => tokens = quote!(#tokens.#member),
                Step::Index(index) => {
                    let name = format_ident!("__k{}", k);
                    let index = self.expr(index);
                    setup = quote!(#setup let #name = #index;);
                    tokens = quote!(#tokens[#name]);
                }
            }
        }
        (setup, tokens)
    }

    /// The value of a place. It stands behind a shared reference, so that a method that takes `&mut self` is rustc's
    /// error instead of a change to a copy.
    pub fn read(&self, e: &Expr) -> TokenStream {
        let (setup, place) = self.place(&e.field_place().expect("a place in a field"));
        let place = parens(e.end, quote!(&{ #setup unsafe { #place } }));
        quote_spanned!(e.span=> (*::swathe::__rt::peek #place))
    }

    /// `place = value` or `place op= value`.
    pub fn write(&self, place: &Expr, value: &Expr, symbol: &TokenStream) -> TokenStream {
        let value = self.expr(value);
        let (setup, target) = self.place(&place.field_place().expect("a place in a field"));
        quote_spanned!(place.span=> {
            let __v = #value;
            #setup
            unsafe { #target #symbol __v; }
        })
    }

    pub fn atomic(&self, op: AtomicOp, name: &Ident, access: &Access, args: &[Expr], e: &Expr) -> TokenStream {
        let args: Vec<TokenStream> = args.iter().map(|a| self.expr(a)).collect();
        if self.mode == Mode::Probe {
            let (ident, position) = (&access.ident, self.position(access));
            let args = parens(e.end, quote!(#position, #(#args),*));
            return quote_spanned!(e.span=> #ident.#name #args);
        }
        let pointer = self.pointer(access);
        let function = match op {
            AtomicOp::Add => quote!(AtomicAdd::fetch_add),
            AtomicOp::Sub => quote!(AtomicAdd::fetch_sub),
            AtomicOp::Min => quote!(AtomicOrd::fetch_min),
            AtomicOp::Max => quote!(AtomicOrd::fetch_max),
            AtomicOp::And => quote!(AtomicBits::fetch_and),
            AtomicOp::Or => quote!(AtomicBits::fetch_or),
            AtomicOp::Xor => quote!(AtomicBits::fetch_xor),
            AtomicOp::Exchange => quote!(AtomicSwap::exchange),
            AtomicOp::CompareExchange => quote!(AtomicSwap::compare_exchange),
            AtomicOp::Load => quote!(AtomicSwap::load),
            AtomicOp::Store => quote!(AtomicSwap::store),
        };
        let names: Vec<Ident> = (0..args.len()).map(|k| format_ident!("__a{}", k)).collect();
        quote_spanned!(e.span=> {
            let __p = #pointer;
            #(let #names = #args;)*
            unsafe { ::swathe::__rt::#function(__p #(, #names)*, __shared) }
        })
    }
}
