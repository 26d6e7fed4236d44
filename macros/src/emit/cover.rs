//! What is compared in front of a parallel loop: the conditions under which hoisted checks hold, and what LLVM is told of them.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::print::Printer;
use crate::hir::{Axis, Cover, Extent, LocalId};
use crate::plan::LoopPlan;

impl Printer<'_> {
    /// Tells LLVM what was compared in front of the loop: where `density` is as long as `pos`, `density[q]` needs no check after one of
    /// `pos[q]`.
    pub fn facts(&self, plan: &LoopPlan<'_>) -> TokenStream {
        let captured = &plan.captured;
        let facts = plan.covers.iter().chain(&plan.conditional).filter_map(|cover| {
            let other = match &cover.extent {
                Extent::All(other) | Extent::Shape(other, _) | Extent::Len(other) => other,
                Extent::Local(_) | Extent::Literal(_) | Extent::Range(..) | Extent::Ranges(_) => return None,
            };
            let known = captured.contains(other) && captured.contains(&cover.field);
            // The closure's own copies, whose extents are those that checks compare with.
            let fact = known.then(|| self.cover(cover, &|field| self.func.local(field).ident.clone()))?;
            Some(quote!(unsafe { ::swathe::__rt::core::hint::assert_unchecked(#fact) };))
        });
        quote!(#(#facts)*)
    }

    /// A condition, of fields by these names.
    pub fn cover(&self, cover: &Cover, name: &dyn Fn(LocalId) -> Ident) -> TokenStream {
        let field = name(cover.field);
        match (&cover.extent, cover.axis) {
            (Extent::All(other), _) => {
                let other = name(*other);
                quote!(::swathe::__rt::covers(#field.shape(), #other.shape()))
            }
            (Extent::Ranges(other), _) => {
                let other = name(*other);
                quote!(#field.covers_all(#other))
            }
            (Extent::Range(other, of), Axis::One(axis)) => {
                let other = name(*other);
                let by = proc_macro2::Literal::i64_unsuffixed(cover.by);
                quote!(#field.covers(#axis, #other, #of, #by))
            }
            (extent, axis) => {
                let extent = self.extent(extent, name);
                let axis = match axis {
                    Axis::One(k) => k,
                    Axis::All | Axis::Part { .. } => 0,
                };
                match cover.extent {
                    // A number of another type ends positions of that type, which are refused where they are an index.
                    Extent::Local(_) => quote!((match ::swathe::__rt::limit(#extent) {
                        ::swathe::__rt::core::option::Option::Some(__end) => __end <= #field.shape()[#axis],
                        ::swathe::__rt::core::option::Option::None => false,
                    })),
                    _ => quote!((#extent <= #field.shape()[#axis])),
                }
            }
        }
    }

    fn extent(&self, extent: &Extent, name: &dyn Fn(LocalId) -> Ident) -> TokenStream {
        match extent {
            Extent::Shape(field, axis) => {
                let field = name(*field);
                quote!(#field.shape()[#axis])
            }
            Extent::Len(field) | Extent::All(field) => {
                let field = name(*field);
                quote!(#field.len())
            }
            Extent::Local(local) => {
                let ident = &self.func.local(*local).ident;
                quote!(#ident)
            }
            Extent::Literal(value) => {
                let value = proc_macro2::Literal::u64_unsuffixed(*value);
                quote!(#value)
            }
            Extent::Range(..) | Extent::Ranges(_) => {
                unreachable!("positions are covered by a range, on one axis or all")
            }
        }
    }
}
