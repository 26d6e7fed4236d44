//! The attributes of swathe; documented in the crate `swathe`, which re-exports them.

mod error;
#[allow(dead_code)]
mod hir;
#[allow(dead_code)]
mod lower;

use proc_macro::TokenStream;

/// Makes a function callable from kernels.
#[proc_macro_attribute]
pub fn func(_args: TokenStream, item: TokenStream) -> TokenStream {
    item
}
