//! `Default` where a kernel cannot call it: by its trait, and of type parameters.

use std::collections::HashSet;

use proc_macro2::Ident;
use syn::punctuated::Punctuated;

use super::Lower;

impl Lower<'_> {
    /// Why a path names no `default` that a kernel can call.
    pub(super) fn refused_default(&self, path: &syn::ExprPath) -> Option<&'static str> {
        let [owner @ .., of, last] = &*path.path.segments.iter().collect::<Vec<_>>() else {
            return None;
        };
        if last.ident != "default" {
            return None;
        }
        if of.ident == "Default" {
            return Some(
                "`Default` is a trait, which a kernel calls by a type: write `u32::default()`, `<[f32; 3]>::default()`",
            );
        }
        (owner.is_empty() && self.defaults.contains(&of.ident)).then_some(
            "a kernel does not know the `Default` of a type parameter: write `T::ZERO` for a `T: Scalar`, or call a trait of your own with `#[func]`",
        )
    }
}

/// Type parameters that have a `Default`.
pub(super) fn with_default(generics: &syn::Generics) -> HashSet<Ident> {
    let named = |bounds: &Punctuated<syn::TypeParamBound, syn::Token![+]>| {
        bounds.iter().any(|bound| match bound {
            syn::TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == "Default"),
            _ => false,
        })
    };
    let inline = generics.type_params().filter(|param| named(&param.bounds));
    let below = generics.where_clause.iter().flat_map(|clause| &clause.predicates);
    let below = below.filter_map(|predicate| match predicate {
        syn::WherePredicate::Type(predicate) if named(&predicate.bounds) => match &predicate.bounded_ty {
            syn::Type::Path(ty) => ty.path.get_ident().cloned(),
            _ => None,
        },
        _ => None,
    });
    inline.map(|param| param.ident.clone()).chain(below).collect()
}
