//! The attributes of swathe; documented in the crate `swathe`, which re-exports them.

mod budget;
mod check;
mod claim;
mod derivative;
mod derive;
mod emit;
mod error;
mod groups;
mod hir;
mod kernel;
mod lints;
mod lower;
mod meaning;
mod order;
mod plan;
mod source;
#[cfg(test)]
mod tests;

use proc_macro::TokenStream;

/// Makes a function a kernel: data-parallel over its outermost loops, launched by calling it.
#[proc_macro_attribute]
pub fn kernel(args: TokenStream, item: TokenStream) -> TokenStream {
    kernel::kernel(&args.into(), item.into()).into()
}

/// Makes a function, or the methods of an `impl` block, callable from kernels.
#[proc_macro_attribute]
pub fn func(args: TokenStream, item: TokenStream) -> TokenStream {
    kernel::func(&args.into(), item.into()).into()
}

/// Renames the methods of a trait of swathe's own, or of an implementation of it, to what kernels call.
#[doc(hidden)]
#[proc_macro_attribute]
pub fn renamed(_: TokenStream, item: TokenStream) -> TokenStream {
    emit::renamed(syn::parse_macro_input!(item)).into()
}

/// Whether rustc was asked for overflow checks, where the crate is compiled that says this.
#[doc(hidden)]
#[proc_macro]
pub fn overflow_checked(_: TokenStream) -> TokenStream {
    let asked = plan::setting::overflow_checked();
    quote::quote!(#asked).into()
}

/// Makes a struct, or an enum without data, usable in kernels and as an element of fields.
#[proc_macro_derive(Element, attributes(element))]
pub fn element(item: TokenStream) -> TokenStream {
    derive::element(item.into()).into()
}
