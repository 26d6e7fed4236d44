//! The instruction set for loops of straight code.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::quote;

use super::field_name;
use super::stage::Stages;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, LocalId, ParFor};

/// The widest version of a parallel loop. What has no loops of its own is not run in lanes: there it matters how many scalars
/// the elements have, which only their types know.
pub fn most(staged: Option<&Stages<'_>>, p: &ParFor) -> TokenStream {
    let mut fields = Fields::default();
    fields.block(&p.body);
    if fields.loops {
        return quote!(::swathe::__rt::Version::Avx512);
    }
    let names = fields.accessed.iter().map(|field| field_name(*field));
    let staged = match staged {
        Some(stages) => stages.pays(&quote!(::swathe::__rt::Target::Fused)),
        None => quote!(false),
    };
    quote!(::swathe::__rt::Version::for_elements(#staged, [#(#names.scalars()),*]))
}

#[derive(Default)]
struct Fields {
    accessed: BTreeSet<LocalId>,
    loops: bool,
}

impl Visit for Fields {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) => self.loops = true,
            ExprKind::Field(access) => {
                self.accessed.insert(access.field);
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}
