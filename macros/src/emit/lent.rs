//! Calls of functions that are lent fields, where all that these read is in bounds; and what such a function tells of its reads.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use swathe_ir::{CalleeSlot, LocalId};
use syn::spanned::Spanned;

use super::at;
use super::lanes::{any, beside};
use super::print::{self, Printer, parens};
use super::probe;
use crate::budget::MOST_ASKED;
use crate::hir::{Called, Expr, ExprKind, Func, NEVER};
use crate::plan::lent::{At, Call, Index, Passed, Reads};

/// The parameters of a function that tell where it reads, as bits: a constant.
pub fn needs(path: &syn::ExprPath) -> TokenStream {
    let needs = beside(path, |callee| quote!(#callee::__NEEDS), false);
    quote!((#needs))
}

/// Keeps the positions at which what a function reads is in bounds. `args` are the shapes of its fields, and what its parameters are along the row.
pub fn within(called: &Called, args: &TokenStream) -> TokenStream {
    let open = Literal::u64_suffixed(called.open);
    beside(
        &called.path,
        |callee| quote!(#callee::__within::<#open>(&mut __inside, #args)),
        false,
    )
}

/// Whether native code of a function knows that what it reads of this field is in bounds.
pub fn inside_name(field: LocalId) -> Ident {
    format_ident!("__inside{}", field.0)
}

/// The argument itself.
pub fn given_name(field: LocalId) -> Ident {
    format_ident!("__given{}", field.0)
}

impl Printer<'_> {
    /// A field as an argument. Of what type it is rustc says the same in native code and in the typed copy, and so once.
    pub fn lent(&self, ident: &Ident, e: &Expr) -> TokenStream {
        lend(e, ident.to_token_stream())
    }

    /// Fields among the arguments of a call in a function, which are lent on with what is known of them.
    pub fn lent_on(&self, callee: CalleeSlot, args: &[Expr]) -> Vec<Option<TokenStream>> {
        let mut calls = self.reads.into_iter().flat_map(|reads| &reads.calls);
        let call = calls.find(|call| call.callee == callee);
        let lent = args.iter().map(|arg| match (&arg.kind, call) {
            (ExprKind::FieldArgument(field, _), Some(Call { path, open, .. })) => {
                let (needs, open, given) = (needs(path), Literal::u64_suffixed(*open), given_name(*field));
                let param = self.func.params.iter().find(|param| param.local == *field);
                let array = param.map(super::param::array);
                let lent = quote!(::swathe::__rt::lend_on::<{ #needs & #open == 0 }, #array, _>(&#given));
                Some(lend(arg, lent))
            }
            _ => None,
        });
        lent.collect()
    }

    /// The call of a function at a position for which [`within`] was asked.
    pub fn call_inside(&self, call: &Expr, called: &Called) -> TokenStream {
        let ExprKind::Call { path, args, .. } = &call.kind else {
            unreachable!("a call");
        };
        if self.probes() {
            return self.expr(call);
        }
        let (needs, open) = (needs(&called.path), Literal::u64_suffixed(called.open));
        let passed = args.iter().map(|arg| match &arg.kind {
            ExprKind::FieldArgument(_, ident) => {
                let lent = quote!(unsafe { ::swathe::__rt::lend_inside::<{ #needs & #open == 0 }, _, _, _>(#ident) });
                lend(arg, lent)
            }
            _ => self.expr(arg),
        });
        let passed = parens(call.end, quote!(#(#passed),*));
        print::through_struct(path, args.len(), &self.slot(), passed, false)
    }
}

/// Lends a field where the user names it.
fn lend(arg: &Expr, field: TokenStream) -> TokenStream {
    let (span, args) = (arg.span, parens(arg.end, field));
    quote_spanned!(span=> ::swathe::__rt::lend #args)
}

/// What the struct beside a function tells of its reads.
pub fn told(func: &Func, item: &syn::ItemFn, reads: &Reads) -> TokenStream {
    let (name, any, allow) = (&func.name, any(item), probe::allow());
    let own = Literal::u64_suffixed(reads.needs());
    let indices = reads.indices.iter().map(index);
    let (needs, calls): (Vec<_>, Vec<_>) = reads.calls.iter().map(|call| (needs_of(call), within_of(call))).unzip();
    let items = &func.items;
    // Functions that call one another ask for more with each of them.
    let [most, never] = [MOST_ASKED, NEVER].map(Literal::u64_suffixed);
    let asked = Literal::u64_suffixed(reads.indices.len() as u64);
    let asked = reads
        .calls
        .iter()
        .map(asked_of)
        .fold(quote!(#asked), |sum, asked| quote!(#sum.saturating_add(#asked)));
    quote! {
        impl #name #any {
            #[doc(hidden)]
            #allow
            pub const __ASKED: ::swathe::__rt::core::primitive::u64 = { #(#items)* #asked };

            #[doc(hidden)]
            #allow
            pub const __NEEDS: ::swathe::__rt::core::primitive::u64 = {
                #(#items)*
                if Self::__ASKED > #most { #never } else { #own #(| #needs)* }
            };

            #[doc(hidden)]
            #[inline]
            #allow
            pub fn __within<const __OPEN: ::swathe::__rt::core::primitive::u64>(
                __inside: &mut ::swathe::__rt::Inside,
                __shapes: &[&[::swathe::__rt::core::primitive::usize]],
                __lines: &[&[::swathe::__rt::Line]],
            ) {
                if const { Self::__NEEDS & __OPEN == 0 } {
                    #(#items)*
                    #(#indices)*
                    #(#calls)*
                }
            }
        }
    }
}

/// How much is asked for what it reads.
fn asked_of(call: &Call) -> TokenStream {
    let (needs, open) = (needs(&call.path), Literal::u64_suffixed(call.open));
    let asked = beside(&call.path, |callee| quote!(#callee::__ASKED), false);
    quote!(if #needs & #open == 0 { #asked } else { 0 })
}

/// The parameters that tell where a function reads to which fields are lent on, as bits.
fn needs_of(call: &Call) -> TokenStream {
    let (needs, open) = (needs(&call.path), Literal::u64_suffixed(call.open));
    let of_args = call.args.iter().enumerate().map(|(k, passed)| {
        let (bit, of_passed) = (Literal::u64_suffixed(1 << k), Literal::u64_suffixed(passed.needs()));
        quote!(if __needs & #bit != 0 { #of_passed } else { 0 })
    });
    quote!({
        let __needs = #needs;
        if __needs & #open == 0 { 0 #(| #of_args)* } else { 0 }
    })
}

/// Asks for what it reads.
fn within_of(call: &Call) -> TokenStream {
    let shapes = call.args.iter().filter_map(|passed| match passed {
        Passed::Field(field) => Some(quote!(__shapes.get(#field).copied().unwrap_or_default())),
        _ => None,
    });
    let lines = call.args.iter().map(|passed| match passed {
        Passed::At(parts) => {
            let parts = parts.iter().map(|at| {
                let (part, by) = (part(*at), at.by);
                quote!(::swathe::__rt::Inside::moved(__inside, __lines, #part, #by))
            });
            quote!(&[#(#parts),*])
        }
        Passed::Whole(param) => quote!(__lines.get(#param).copied().unwrap_or_default()),
        Passed::Field(_) | Passed::Other => quote!(&[]),
    });
    let open = Literal::u64_suffixed(call.open);
    let asked = beside(
        &call.path,
        |callee| quote!(#callee::__within::<#open>(__inside, __shapes, __lines);),
        false,
    );
    quote!({
        let (__shapes, __lines): (&[&[::swathe::__rt::core::primitive::usize]], &[&[::swathe::__rt::Line]]) = (&[#(#shapes),*], &[#(#lines),*]);
        #asked
    })
}

fn part(at: At) -> TokenStream {
    match at.param {
        Some((param, part)) => quote!(::swathe::__rt::core::option::Option::Some((#param, #part))),
        None => quote!(::swathe::__rt::core::option::Option::None),
    }
}

fn index(index: &Index) -> TokenStream {
    match index {
        Index::Axis { field, axis, at } => {
            let (part, by) = (part(*at), at.by);
            quote!({
                let __line = ::swathe::__rt::Inside::moved(__inside, __lines, #part, #by);
                ::swathe::__rt::Inside::reach(__inside, __line, __shapes, #field, #axis);
            })
        }
        Index::Whole { field, param } => {
            quote!(::swathe::__rt::Inside::reach_whole(__inside, __lines, #param, __shapes, #field);)
        }
    }
}

/// Has rustc confirm that the parameters that tell are what their types are called, a `usize` or an array of them.
pub fn confirmed(func: &Func, reads: &Reads) -> TokenStream {
    let of_calls = reads.calls.iter().flat_map(|call| &call.args);
    let needs = of_calls.fold(reads.needs(), |needs, passed| needs | passed.needs());
    let told = func.params.iter().enumerate().filter(|(k, _)| needs >> k & 1 == 1);
    let confirmed = told.map(|(_, param)| {
        let (name, function) = match &*param.ty {
            syn::Type::Array(array) => (array.elem.span(), "is_position"),
            ty => (ty.span(), "is_index"),
        };
        let (span, function) = (at(name), Ident::new(function, at(name)));
        let name = func.local(param.local).ident.to_token_stream();
        let name = parens(span, quote_spanned!(span=> &#name));
        quote_spanned!(span=> ::swathe::__rt::#function #name;)
    });
    quote!(#(#confirmed)*)
}
