//! Code that never runs, with the user's own names, in which rustc says that they mean what lowering took them for.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use crate::hir::Witnesses;
use crate::lower::Witness;

pub fn all(witnesses: &Witnesses) -> TokenStream {
    if witnesses.variables.is_empty() && witnesses.labels.is_empty() {
        return TokenStream::new();
    }
    let variables = witnesses.variables.iter().map(variable);
    let labels = witnesses.labels.iter().map(label);
    quote!(let _ = || { #(#variables)* #({ #labels })* };)
}

/// The declarations in their order, each of a type of its own, and the type of the name.
fn variable(witness: &Witness<Ident>) -> TokenStream {
    let Witness { declared, chosen, used } = witness;
    let declared = declared.iter().enumerate().map(|(k, name)| {
        let span = name.span();
        quote_spanned!(span=> let #name = ::swathe::__rt::Declared::<#k>;)
    });
    let check = quote_spanned!(super::at(used.span())=> ::swathe::__rt::declared::<#chosen, _>);
    quote!({ #(#declared)* #check(#used); })
}

/// Blocks in one another, each of a type of its own, and what leaves the one that is named.
fn label(witness: &Witness<syn::Lifetime>) -> TokenStream {
    let Witness { declared, chosen, used } = witness;
    let leave = quote_spanned!(used.span()=> break #used ::swathe::__rt::Declared::<#chosen>);
    let innermost = quote!(if ::core::hint::black_box(true) { #leave });
    declared.iter().enumerate().rev().fold(innermost, |inner, (k, name)| {
        let found = Ident::new("__found", Span::call_site());
        quote!(
            let #found = #name: { #inner ::swathe::__rt::Declared::<#k> };
            let _: ::swathe::__rt::Declared::<#k> = #found;
        )
    })
}
