//! Rows of a domain, cut, as Rust.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use swathe_ir::BinOp;

use crate::hir::{Func, ParFor};
use crate::plan::rows::{self, Limit};

/// A row, and what holds at each of its positions.
pub struct Row {
    /// A range.
    pub range: TokenStream,
    /// Statements that tell LLVM.
    pub facts: TokenStream,
}

/// The range `row`, cut.
pub fn cut(func: &Func, p: &ParFor, bounds: &rows::Bounds, row: TokenStream) -> Row {
    let (Some(Some(position)), false) = (p.vars.last(), bounds.all.is_empty()) else {
        return Row {
            range: row,
            facts: quote!(),
        };
    };
    let position = &func.local(*position).ident;
    let asked = bounds.asked.iter().map(|local| limit(func, Limit::Variable(*local)));
    let known = quote!(true #(&& ::swathe::__rt::core::option::Option::is_some(&#asked))*);
    let mut bounds: Vec<Bound> = bounds.all.iter().map(|b| bound(func, position, b)).collect();
    bounds.extend(before(position, &bounds));
    let (cuts, facts): (Vec<_>, Vec<_>) = bounds.into_iter().map(|bound| (bound.cut, bound.fact)).unzip();
    Row {
        range: quote!({
            let (mut __first, mut __last) = (#row.start, #row.end);
            if #known {
                #(#cuts)*
            }
            __first..__last
        }),
        facts: quote!(if #known { #(#facts)* }),
    }
}

/// What a comparison makes known.
#[derive(Default)]
struct Bound {
    /// A statement that cuts the row.
    cut: TokenStream,
    /// A statement of what holds then.
    fact: TokenStream,
    /// The position is not below this.
    least: u64,
    /// The position is below this.
    limit: Option<TokenStream>,
}

/// The positions before: `j - 1` is below what `j` is below, unless `j` is 0.
fn before(position: &Ident, bounds: &[Bound]) -> Vec<Bound> {
    let least = bounds.iter().map(|bound| bound.least).max().unwrap_or(0);
    let limits = bounds.iter().filter_map(|bound| bound.limit.as_ref());
    let facts = limits.flat_map(|limit| {
        (1..=least.min(4)).map(move |k| {
            let k = Literal::u64_unsuffixed(k);
            Bound {
                fact: fact(limit, &quote!(#position.wrapping_sub(#k) < __limit)),
                ..Bound::default()
            }
        })
    });
    facts.collect()
}

/// What holds with the limit `__limit`.
fn fact(limit: &TokenStream, fact: &TokenStream) -> TokenStream {
    quote!(if let ::swathe::__rt::core::option::Option::Some(__limit) = #limit {
        unsafe { ::swathe::__rt::core::hint::assert_unchecked(#fact) };
    })
}

fn limit(func: &Func, limit: Limit) -> TokenStream {
    match limit {
        Limit::Variable(local) => {
            let ident = &func.local(local).ident;
            quote!(::swathe::__rt::limit(#ident))
        }
        Limit::Number(n) => {
            let n = Literal::u64_unsuffixed(n);
            quote!(::swathe::__rt::core::option::Option::Some::<::swathe::__rt::core::primitive::usize>(#n))
        }
    }
}

fn bound(func: &Func, position: &Ident, bound: &rows::Bound) -> Bound {
    let (limit, known) = match bound.limit {
        Limit::Number(n) => (limit(func, bound.limit), Some(n)),
        Limit::Variable(_) => (limit(func, bound.limit), None),
    };
    let offset = bound.offset;
    let added = Literal::u64_unsuffixed(offset);
    let limit = match bound.op {
        BinOp::Lt | BinOp::Le if offset > 0 => quote!(::swathe::__rt::limit_of_sums(#limit, &__shape, #added)),
        _ => limit,
    };
    let limit = &limit;
    let cut = |cut: TokenStream| quote!(if let ::swathe::__rt::core::option::Option::Some(__limit) = #limit { #cut });
    let below =
        |end: TokenStream| cut(quote!(__last = ::swathe::__rt::core::cmp::min(__last, #end.saturating_sub(#added));));
    let from = |start: TokenStream| {
        cut(quote!(__first = ::swathe::__rt::core::cmp::max(__first, #start.saturating_sub(#added));))
    };
    // Below a limit the sum does not wrap, as was asked; above one it could.
    let above = |symbol: TokenStream| match offset {
        0 => fact(limit, &quote!(#position #symbol __limit)),
        _ => quote!(),
    };
    let least = known.filter(|_| offset == 0).unwrap_or(0);
    match bound.op {
        BinOp::Lt => Bound {
            cut: below(quote!(__limit)),
            fact: fact(
                limit,
                &quote!(#position < __limit && #position.wrapping_add(#added) < __limit),
            ),
            limit: Some(limit.clone()),
            ..Bound::default()
        },
        BinOp::Le => Bound {
            cut: below(quote!(__limit.saturating_add(1))),
            fact: fact(
                limit,
                &quote!(#position <= __limit && #position.wrapping_add(#added) <= __limit),
            ),
            ..Bound::default()
        },
        BinOp::Gt => Bound {
            cut: from(quote!(__limit.saturating_add(1))),
            fact: above(quote!(>)),
            least: least.saturating_add(u64::from(known.is_some() && offset == 0)),
            ..Bound::default()
        },
        BinOp::Ge => Bound {
            cut: from(quote!(__limit)),
            fact: above(quote!(>=)),
            least,
            ..Bound::default()
        },
        _ => unreachable!("a bound is a comparison with what is less or greater"),
    }
}
