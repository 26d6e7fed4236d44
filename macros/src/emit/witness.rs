//! Code that never runs, with the user's own names, in which rustc says that they mean what lowering took them for.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::hir::{Witness, Witnesses};

pub fn all(witnesses: &Witnesses) -> TokenStream {
    let Witnesses {
        variables,
        labels,
        domains,
        claims,
    } = witnesses;
    if variables.is_empty() && labels.is_empty() && domains.is_empty() && claims.is_empty() {
        return TokenStream::new();
    }
    let variables = variables.iter().map(variable);
    let labels = labels.iter().map(label);
    let domains = domains.iter().map(domain);
    let claims = claims.iter().map(claim);
    quote!(let _ = || { #(#variables)* #({ #labels })* #(#domains)* #({ #claims })* };)
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

/// The function that the user's own name means.
fn domain(path: &syn::ExprPath) -> TokenStream {
    let mut bare = path.clone();
    let Some(last) = bare.path.segments.last_mut() else {
        return TokenStream::new();
    };
    last.arguments = syn::PathArguments::None;
    let span = super::at(last.ident.span());
    let name = Ident::new(&last.ident.to_string(), span);
    let asked = format_ident!("is_{name}", span = span);
    quote_spanned!(span=> {
        use ::swathe::__rt::CalledOther as _;
        ::swathe::__rt::#asked(::swathe::__rt::Called(#bare).#name());
    })
}

/// The path in a block that sees the names of the kernel's module, and macros and crates of std: if they differ rustc says so.
fn claim(path: &syn::Path) -> TokenStream {
    let name = path
        .segments
        .last()
        .map(|last| last.ident.to_string())
        .unwrap_or_default();
    let args = match name.trim_start_matches("debug_") {
        "assert" => quote!(true),
        "assert_eq" => quote!(0, 0),
        "assert_ne" => quote!(0, 1),
        "print" | "eprint" => quote!(""),
        "matches" => quote!((), _),
        _ => quote!(),
    };
    quote!(use self::*; use ::swathe::__rt::claims::*; if ::swathe::__rt::core::hint::black_box(true) { #path!(#args); })
}

/// Blocks in one another, each of a type of its own, and what leaves the one that is named.
fn label(witness: &Witness<syn::Lifetime>) -> TokenStream {
    let Witness { declared, chosen, used } = witness;
    let leave = quote_spanned!(used.span()=> break #used ::swathe::__rt::Declared::<#chosen>);
    let innermost = quote!(if ::swathe::__rt::core::hint::black_box(true) { #leave });
    declared.iter().enumerate().rev().fold(innermost, |inner, (k, name)| {
        let found = Ident::new("__found", Span::call_site());
        quote!(
            let #found = #name: { #inner ::swathe::__rt::Declared::<#k> };
            let _: ::swathe::__rt::Declared::<#k> = #found;
        )
    })
}
