//! Copies that a parallel loop adds to, as Rust.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::print::Printer;
use super::{offset, shared_name};
use crate::hir::LocalId;
use crate::plan::scatter::Atomics;

impl Printer<'_> {
    /// Declares the copies of the fields that the loop only adds to.
    pub fn private(&self, atomics: &Atomics, parted: bool) -> TokenStream {
        let private = atomics.added_only().map(|(field, changes)| {
            let (private, ident) = (private_name(field), &self.func.local(field).ident);
            let whole = offset::whole(self.func, field, ident);
            let parts = changes.parts.values();
            let parts = parts.map(|path| quote!(::swathe::__rt::extent(__base, &raw mut (*__base)#(.#path)*)));
            quote!(let #private = unsafe { ::swathe::__rt::Private::new(#whole, __n, #parted, |__base| ::swathe::__rt::std::vec![#(#parts),*]) };)
        });
        quote!(#(#private)*)
    }

    /// Declares what a part of the loop adds to, and whether others may at the same time.
    pub fn claims(&self, atomics: &Atomics) -> TokenStream {
        let claims = atomics.fields.iter().map(|(&field, changes)| {
            let shared = shared_name(field);
            if changes.only_added {
                let (private, claim, ident) = (private_name(field), claim_name(field), &self.func.local(field).ident);
                let again = offset::again(self.func, field, ident);
                quote!(
                    let #claim = ::swathe::__rt::Private::claim(&#private);
                    let (#ident, #shared) = (::swathe::__rt::Claim::copy(&#claim, 0), ::swathe::__rt::Claim::shared(&#claim));
                    #again
                )
            } else {
                quote!(let #shared = ::swathe::__rt::in_parallel();)
            }
        });
        quote!(#(#claims)*)
    }

    /// Gives an iteration the copies with the number `__copy`.
    pub fn copies_of(&self, atomics: &Atomics) -> TokenStream {
        let fields = atomics.added_only().map(|(field, _)| {
            let (claim, ident) = (claim_name(field), &self.func.local(field).ident);
            quote!(let #ident = ::swathe::__rt::Claim::copy(&#claim, __copy);)
        });
        quote!(#(#fields)*)
    }
}

fn private_name(field: LocalId) -> Ident {
    format_ident!("__private{}", field.0)
}

fn claim_name(field: LocalId) -> Ident {
    format_ident!("__claim{}", field.0)
}
