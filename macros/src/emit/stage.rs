//! Straight loops in blocks, as Rust.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::field_name;
use crate::hir::{ExprKind, LocalId};
use crate::plan::stage::Stages;

impl Stages<'_> {
    /// Whether it pays, in code for a target, wherever results go.
    pub fn pays(&self, target: &TokenStream) -> TokenStream {
        if !self.whole {
            return quote!(false);
        }
        let (work, staged) = (self.work, self.staged());
        quote!((::swathe::__rt::core::cfg!(not(debug_assertions)) && ::swathe::__rt::stage::pays(#target, #work, [#(#staged),*])))
    }

    fn staged(&self) -> impl Iterator<Item = TokenStream> {
        let in_rows = self.in_rows;
        self.fields.keys().map(move |field| {
            let name = field_name(*field);
            quote!(#name.staged(#in_rows))
        })
    }

    /// Declares `__streaming`, in front of all rows.
    pub fn start(&self) -> TokenStream {
        if self.written_only().next().is_none() {
            return quote!();
        }
        let (staged, touched) = (
            self.staged(),
            self.touched.iter().map(|field| &self.func.local(*field).ident),
        );
        quote!(
            #[cfg(not(debug_assertions))]
            let __streaming = ::swathe::__rt::stage::Streaming(
                ::swathe::__rt::stage::streams(__target, [#(#staged),*], [#(#touched.bytes()),*])
            );
        )
    }

    /// A part of the loop from `__k` on: blocks, and iterations one by one (`rest`, up to `__until`) before the first whole cache line and behind
    /// the last block.
    pub fn part(
        &self,
        at: &BlockPosition<'_>,
        condition: Option<&TokenStream>,
        body: &TokenStream,
        rest: &TokenStream,
    ) -> TokenStream {
        let BlockPosition {
            vars,
            first,
            lane,
            last,
        } = at;
        let pays = self.pays(&quote!(__target));
        let limits = self.condition.iter().flat_map(|(_, limits)| limits);
        let limits = limits.filter_map(|limit| match &limit.kind {
            ExprKind::Local(_, ident) => {
                Some(quote!(&& ::swathe::__rt::core::option::Option::is_some(&::swathe::__rt::limit(#ident))))
            }
            _ => None,
        });
        let holds = condition.map(|condition| quote!(#(#limits)* && { #first #condition } && { #last #condition }));
        let (index, blocks) = (index(vars), self.blocks(vars, first, lane, body));
        let names: Vec<TokenStream> = self
            .fields
            .keys()
            .map(|field| field_name(*field).to_token_stream())
            .collect();
        let (streams, start) = match self.written_only().next() {
            Some(field) => {
                let name = &self.func.local(field).ident;
                (
                    quote!(__streaming.0),
                    quote!(if __streaming.0 { __k + { #first #name.head(#index) } } else { __k }),
                )
            }
            None => (quote!(false), quote!(__k)),
        };
        quote!(
            #[cfg(debug_assertions)]
            let mut __until = __range.end;
            #[cfg(not(debug_assertions))]
            let mut __until = if #(#names.fits_a_block() &&)* (#pays || #streams) && __k < __range.end #holds {
                ::swathe::__rt::core::cmp::min(__range.end, #start)
            } else {
                __range.end
            };
            loop {
                #rest
                __k = __until;
                if __k >= __range.end {
                    break;
                }
                #[cfg(not(debug_assertions))]
                if #(#names.fits_a_block())&&* {
                    #blocks
                }
                __until = __range.end;
            }
        )
    }

    fn blocks(&self, vars: &[TokenStream], first: &TokenStream, lane: &TokenStream, body: &TokenStream) -> TokenStream {
        let (index, number) = (index(vars), number(self.in_rows, vars));
        let stages: Vec<Ident> = self.fields.keys().map(stage).collect();
        let names: Vec<&Ident> = self.fields.keys().map(|id| &self.func.local(*id).ident).collect();
        let all = || self.fields.values().zip(&stages).zip(&names);
        let fill = all()
            .filter(|((own, _), _)| own.filled)
            .map(|((_, stage), name)| quote!(unsafe { ::swathe::__rt::Stage::fill(&mut #stage, #name, #index) };));
        let flush = all().filter(|((own, _), _)| own.written).map(|((own, stage), name)| {
            // What was read is in the caches.
            let streams = match own.filled {
                true => quote!(false),
                false => quote!(__streaming.0),
            };
            quote!(unsafe { ::swathe::__rt::Stage::flush(&#stage, #name, #index, #streams) };)
        });
        let block = block_at(&number, self.prints);
        quote!(
            while __range.end.saturating_sub(__k) >= ::swathe::__rt::stage::BLOCK {
                let __block = #block;
                #first
                #(let mut #stages = ::swathe::__rt::Stage::new();)*
                #(#fill)*
                {
                    #(let #names = unsafe { ::swathe::__rt::Stage::view(&mut #stages, #names, #index) };)*
                    for __l in 0..::swathe::__rt::stage::BLOCK {
                        #lane
                        #body
                    }
                }
                #(#flush)*
                ::swathe::__rt::core::mem::forget(__block);
                __k += ::swathe::__rt::stage::BLOCK;
            }
        )
    }
}

/// Tells whoever it unwinds to at which iteration a block begins.
pub fn block_at(number: &TokenStream, prints: bool) -> TokenStream {
    match prints {
        true => quote!(::swathe::__rt::BlockAt::printing(#number)),
        false => quote!(::swathe::__rt::BlockAt(#number)),
    }
}

/// How positions of blocks are found.
pub struct BlockPosition<'t> {
    pub vars: &'t [TokenStream],
    /// Declares that of `__k`.
    pub first: &'t TokenStream,
    /// That of lane `__l` behind it.
    pub lane: &'t TokenStream,
    /// That of the part's last iteration.
    pub last: &'t TokenStream,
}

/// The position of these variables.
fn index(vars: &[TokenStream]) -> TokenStream {
    match vars.len() {
        1 => quote!(#(#vars)*),
        _ => quote!([#(#vars),*]),
    }
}

/// The number of iteration `__k` of a row, if there are rows.
fn number(in_rows: bool, vars: &[TokenStream]) -> TokenStream {
    match (in_rows, vars) {
        (true, [heads @ .., _]) => quote!(::swathe::__rt::number_in_rows(&__shape, [#(#heads,)* 0], __k)),
        _ => quote!(__k),
    }
}

fn stage(field: &LocalId) -> Ident {
    format_ident!("__stage{}", field.0)
}
