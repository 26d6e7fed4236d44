//! What reductions start with, and how their parts are combined.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use swathe_ir::ReduceOp;

use super::at;
use crate::hir::Reduction;

pub fn identity(reduction: &Reduction, name: &Ident) -> TokenStream {
    // At the statement, where rustc then says that the type has none.
    let span = at(reduction.span);
    let function = match reduction.op {
        ReduceOp::Add => quote_spanned!(span=> zero_like),
        ReduceOp::Mul => quote_spanned!(span=> one_like),
        ReduceOp::Min => quote_spanned!(span=> largest_like),
        ReduceOp::Max => quote_spanned!(span=> smallest_like),
        ReduceOp::And => quote_spanned!(span=> ones_like),
        ReduceOp::Or | ReduceOp::Xor => quote_spanned!(span=> zeros_like),
    };
    quote_spanned!(span=> ::swathe::__rt::#function(&#name))
}

pub fn combine(reduction: &Reduction, a: &TokenStream, b: &TokenStream) -> TokenStream {
    // At the statement, where rustc then says that the type has none.
    let span = at(reduction.span);
    let function = match reduction.op {
        ReduceOp::Add => quote_spanned!(span=> ReduceAdd::reduce_add),
        ReduceOp::Mul => quote_spanned!(span=> ReduceMul::reduce_mul),
        ReduceOp::Min => quote_spanned!(span=> ReduceMin::reduce_min),
        ReduceOp::Max => quote_spanned!(span=> ReduceMax::reduce_max),
        ReduceOp::And => quote_spanned!(span=> ReduceBits::reduce_and),
        ReduceOp::Or => quote_spanned!(span=> ReduceBits::reduce_or),
        ReduceOp::Xor => quote_spanned!(span=> ReduceBits::reduce_xor),
    };
    quote_spanned!(span=> ::swathe::__rt::#function(#a, #b))
}

/// What takes the part of a reduction in a lane, or one of the iteration's own, and puts it back. `parts` are those of all lanes.
pub fn in_lane(
    reduction: &Reduction,
    name: &Ident,
    parts: &Ident,
    lane: &TokenStream,
    own: bool,
) -> (TokenStream, TokenStream) {
    let part = quote!(unsafe { ::swathe::__rt::Lanes::get(&#parts, #lane) });
    let back = quote!(unsafe { ::swathe::__rt::Lanes::set(&mut #parts, #lane, #name) };);
    if !own {
        return (quote!(let mut #name = #part;), back);
    }
    let like = format_ident!("__like");
    let (identity, all) = (identity(reduction, &like), combine(reduction, &part, &quote!(#name)));
    (
        quote!(let mut #name = { let #like = #part; #identity };),
        quote!(let #name = #all; #back),
    )
}
