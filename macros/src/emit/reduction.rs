//! What reductions start with, and how their parts are combined.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::quote;
use swathe_ir::{BinOp, ReduceOp, Reduction};

use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, LocalId, ParFor};

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

/// Reductions by `-=` alone. Their parts add up what is subtracted in the end: 0 minus something would overflow in an
/// unsigned type, in a build with checks.
pub fn only_subtracted(p: &ParFor) -> HashSet<LocalId> {
    struct Others(HashSet<LocalId>);
    impl Visit for Others {
        fn expr(&mut self, e: &Expr) {
            if let ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) = &e.kind
                && let ExprKind::Local(id, _) = &place.kind
                && !matches!(e.kind, ExprKind::AssignOp(BinOp::Sub, ..))
            {
                self.0.insert(*id);
            }
            walk_expr(self, e);
        }
    }
    let mut others = Others(HashSet::new());
    others.block(&p.body);
    let sums = p.reductions.iter().filter(|r| r.op == ReduceOp::Add);
    sums.map(|r| r.local).filter(|id| !others.0.contains(id)).collect()
}
