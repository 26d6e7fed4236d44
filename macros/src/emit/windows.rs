//! Sequential loops whose indices are compared in front of them, as Rust.

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote};

use super::print::{Mode, Printer};
use crate::hir::{Block, LabelId, LocalId, Pat, Range};
use crate::plan::windows::{Condition, Fixed, Part, Windows};

impl Printer<'_> {
    /// A sequential loop, twice, if there is something to compare in front of it.
    pub fn copies(&self, id: LabelId, pat: &Pat, range: &Range, body: &Block, span: Span) -> Option<TokenStream> {
        let possible = self.mode == Mode::Native && self.iteration.is_some() && self.looks_ahead;
        let windows = possible.then(|| Windows::of(self.func, &self.inspected, pat, range, body));
        let Windows {
            accesses,
            conditions,
            spanned,
            filled,
        } = windows.flatten()?;
        let conditions = conditions.iter().map(|condition| self.inside(condition));
        let condition = quote!(#(#conditions)&&*);
        let (mut without, mut with) = (self.again(), self.again());
        without.inspected.extend(accesses);
        with.looks_ahead = false;
        let [without, with] = [without, with].map(|printer| printer.sequential(id, pat, range, spanned, body, span));
        let (span, condition) = if spanned {
            let range = self.range(range);
            let empty = filled.then(|| quote!(::swathe::__rt::core::ops::Range::is_empty(&__span) ||));
            let condition = quote!(
                ::swathe::__rt::UNCHECKED
                    || #empty (::swathe::__rt::counts_positions(&__span) && (#condition))
            );
            (quote!(let __span = #range;), condition)
        } else {
            (quote!(), condition)
        };
        // Without a trace in a debug build, which would not take it: it is as much to compile as the rest.
        let done = syn::Lifetime::new(&format!("'__ahead{}", id.0), Span::mixed_site());
        Some(quote!(#done: {
            #span
            #[cfg(not(debug_assertions))]
            {
                if #condition {
                    #without
                    break #done;
                }
                ::swathe::__rt::core::hint::cold_path();
            }
            #with
        }))
    }

    /// Whether an index is in bounds throughout a loop.
    fn inside(&self, condition: &Condition) -> TokenStream {
        let (field, axis) = (&self.func.local(condition.field).ident, condition.axis);
        if condition.sum.counter() {
            return quote!(
                ::swathe::__rt::span_inside(__span.start as ::swathe::__rt::core::primitive::usize, __span.end as ::swathe::__rt::core::primitive::usize, &#field.shape(), #axis)
            );
        }
        let calls = condition.sum.parts.iter().map(|part| match part {
            Part::Number(number) => {
                let number = number_literal(*number);
                quote!(.number(#number))
            }
            Part::Less(number) => {
                let number = number_literal(*number);
                quote!(.less(#number))
            }
            Part::Along(start, end) => {
                let [start, end] = [start, end].map(|n| number_literal(*n));
                quote!(.along(#start, #end))
            }
            // Below zero it is above all extents.
            Part::Span => {
                quote!(.along((__span.start as ::swathe::__rt::core::primitive::usize), (__span.end as ::swathe::__rt::core::primitive::usize)))
            }
            Part::Value(value) => {
                let value = self.fixed(value);
                quote!(.value(#value))
            }
            Part::Element(array, k) => {
                let (k, name) = (number_literal(*k), &self.func.local(*array).ident);
                quote!(.element(&#name, #k, || #name[#k]))
            }
        });
        quote!(::swathe::__rt::Corner::ZERO #(#calls)* .inside(&#field.shape(), #axis))
    }
    fn fixed(&self, value: &Fixed) -> TokenStream {
        let name = |id: &LocalId| self.name(&self.func.local(*id).ident);
        match value {
            Fixed::Variable(id) => name(id).into_token_stream(),
            Fixed::Member(id, member) => {
                let name = name(id);
                quote!(#name.#member)
            }
            Fixed::Cast(inner, ty) => {
                let inner = self.fixed(inner);
                quote!((#inner as #ty))
            }
        }
    }
}

fn number_literal(number: u64) -> Literal {
    Literal::u64_unsuffixed(number)
}
