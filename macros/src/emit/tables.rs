//! What is known of tables, as Rust.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::field_name;
use crate::hir::ParFor;
use crate::plan::tables::Tables;

impl Tables {
    /// Declares whether all entries are positions.
    pub fn look(&self, name: &Ident) -> TokenStream {
        let all = self.tables.iter().map(|(table, fields)| {
            let (table, fields) = (field_name(*table), fields.iter().map(|field| field_name(*field)));
            quote!(::swathe::__rt::largest(#table, __n)
                .is_some_and(|__most| #(::swathe::__rt::Most::below(&__most, #fields.shape()[0]))&&*))
        });
        quote!(
            #[cfg(not(debug_assertions))]
            let #name = ::swathe::__rt::UNCHECKED || (#(#all)&&*);
        )
    }

    pub fn name(p: &ParFor) -> Ident {
        format_ident!("__looked{}", p.number)
    }
}
