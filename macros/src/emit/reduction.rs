//! What reductions start with, and how their parts are combined.

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use swathe_ir::{ReduceOp, Reduction};

pub fn identity(reduction: &Reduction, name: &Ident) -> TokenStream {
    let function = match reduction.op {
        ReduceOp::Add => quote!(zero_like),
        ReduceOp::Mul => quote!(one_like),
        ReduceOp::Min => quote!(largest_like),
        ReduceOp::Max => quote!(smallest_like),
        ReduceOp::And => quote!(ones_like),
        ReduceOp::Or | ReduceOp::Xor => quote!(zeros_like),
    };
    quote!(::swathe::__rt::#function(&#name))
}

pub fn combine(op: ReduceOp, a: &TokenStream, b: &TokenStream) -> TokenStream {
    let function = match op {
        ReduceOp::Add => quote!(ReduceAdd::reduce_add),
        ReduceOp::Mul => quote!(ReduceMul::reduce_mul),
        ReduceOp::Min => quote!(ReduceMin::reduce_min),
        ReduceOp::Max => quote!(ReduceMax::reduce_max),
        ReduceOp::And => quote!(ReduceBits::reduce_and),
        ReduceOp::Or => quote!(ReduceBits::reduce_or),
        ReduceOp::Xor => quote!(ReduceBits::reduce_xor),
    };
    quote!(::swathe::__rt::#function(#a, #b))
}
