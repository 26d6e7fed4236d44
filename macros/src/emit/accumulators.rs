//! Sequential loops that accumulate into parts of reductions, as Rust.

use std::collections::BTreeSet;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use super::print::Printer;
use super::reduction::{combine, in_lane};
use super::{at, label};
use crate::budget::{NARROW, WIDE};
use crate::hir::{Block, Func, LabelId, LocalId, ParFor, Pat, Range};

/// What stands before all iterations of a chunk: the parts, and how many of them rounds take at once, which LLVM is not told, as in lanes.
pub fn start(func: &Func, reductions: &BTreeSet<LocalId>) -> TokenStream {
    if reductions.is_empty() {
        return quote!();
    }
    let (parts, names) = (
        reductions.iter().map(parts),
        reductions.iter().map(|id| &func.local(*id).ident),
    );
    let width = width();
    quote!(
        let __parts: ::swathe::__rt::core::primitive::usize = ::swathe::__rt::core::hint::black_box(#width) & !(#width - 1);
        #(let mut #parts = ::swathe::__rt::Lanes::<_, #width>::filled(#names);)*
    )
}

/// What stands after them.
pub fn end(func: &Func, p: &ParFor, reductions: &BTreeSet<LocalId>) -> TokenStream {
    let all = p.reductions.iter().filter(|r| reductions.contains(&r.local)).map(|r| {
        let (parts, name) = (parts(&r.local), &func.local(r.local).ident);
        let both = combine(r, &quote!(__a), &quote!(__b));
        let all = combine(r, &quote!(#parts.fold(|__a, __b| #both)), &quote!(#name));
        quote!(#name = #all;)
    });
    quote!(#(#all)*)
}

impl Printer<'_> {
    /// A sequential loop whose rounds take turns at the parts of reductions, if it does: round `k` at part `k % WIDE`. `spanned`: its range is `__span`.
    pub fn accumulating(
        &self,
        (id, pat, range, block): (LabelId, &Pat, &Range, &Block),
        spanned: bool,
        span: Span,
    ) -> Option<TokenStream> {
        let accumulated = self.accumulators.get(&id)?;
        let (start, end) = match spanned {
            true => (quote!(__span.start), quote!(__span.end)),
            false => (self.expr(&range.start), self.expr(&range.end)),
        };
        let inclusive = range.inclusive;
        let unchecked = accumulated.checked.is_subset(&self.inspected);
        let printer = Printer {
            round: Some(id),
            ..self.again()
        };
        let (id, pat, body) = (label(id), self.pat(pat), printer.stmts(block));
        let around = self.func.loops().find(|p| Some(p.label) == self.iteration)?;
        let reductions = around.reductions.iter();
        let reductions = reductions.filter(|r| accumulated.reductions.contains(&r.local));
        let of = reductions.map(|r| {
            let (name, own) = (&self.func.local(r.local).ident, accumulated.own.contains(&r.local));
            in_lane(r, name, &parts(&r.local), &quote!(__part), own)
        });
        let (begins, ends): (TokenStream, TokenStream) = of.unzip();
        let round = quote!(
            let #pat = ::swathe::__rt::LoopInt::nth(__first, __round, 1usize);
            #begins
            #id: { #body }
            #ends
        );
        let (width, least) = (width(), NARROW);
        let blocks = unchecked.then(|| {
            quote!(
                while __rounds - __begun >= #least {
                    // LLVM knows that vectors fit.
                    let __width = ::swathe::__rt::core::cmp::min(__rounds - __begun, __parts) & !(#least - 1);
                    for __part in 0..__width {
                        let __round = __begun + __part;
                        #round
                    }
                    __begun += __width;
                }
            )
        });
        Some(quote_spanned!(at(span)=> {
            let (__first, __end) = (#start, #end);
            let __rounds = ::swathe::__rt::LoopInt::count(__first, __end, #inclusive, 1usize);
            let mut __begun = 0usize;
            #blocks
            for __round in __begun..__rounds {
                let __part = __round % #width;
                #round
            }
        }))
    }
}

fn parts(id: &LocalId) -> Ident {
    format_ident!("__parts{}", id.0)
}

fn width() -> Literal {
    Literal::usize_unsuffixed(WIDE)
}
