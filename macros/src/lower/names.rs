//! Which names mean the same variable or label, and attributes that would make two bodies of one.
//!
//! Every variable has one name in emitted code, [`Local::ident`](crate::hir::Local::ident): that of its declaration, or a new one where another
//! variable of that text is visible there. What a name in the user's text means is decided here, once, and all emitted code
//! follows. Names that macros wrote are told apart by the mark of their expansion. That is a guess at rustc's rules, so wherever it decides, a
//! [`Witness`] has rustc say the same.

use std::collections::HashSet;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident};
use syn::ext::IdentExt;
use syn::visit_mut::VisitMut;

/// A name as rustc tells names apart.
#[derive(Clone, PartialEq)]
pub struct Name {
    /// Without `r#`: `r#i` and `i` are the same name.
    pub text: String,
    /// Which expansion of a macro wrote it; `None` where the compiler does not say.
    mark: Option<String>,
}

impl Name {
    pub fn of(ident: &Ident) -> Name {
        Name {
            text: ident.unraw().to_string(),
            mark: mark(ident.span()),
        }
    }
}

/// The hygiene of a span, which only its debug output tells: `#3 bytes(7..9)`.
fn mark(span: Span) -> Option<String> {
    let text = format!("{span:?}");
    let (mark, _) = text.split_once(" bytes(")?;
    mark.starts_with('#').then(|| mark.to_owned())
}

/// Names that are declared and visible, the innermost last, as seen by a use of `name`: which one it means, and whether rustc has to be asked.
pub fn resolve<'n>(visible: impl DoubleEndedIterator<Item = &'n Name>, name: &Name) -> Option<Resolved> {
    let mut same: Vec<(usize, &Name)> = visible
        .enumerate()
        .filter(|(_, other)| other.text == name.text)
        .collect();
    let exact = same.iter().rposition(|(_, other)| other.mark == name.mark);
    let chosen = exact.or(same.len().checked_sub(1))?;
    // Those before one of the same mark cannot be meant.
    let alike = same.iter().all(|(_, other)| other.mark == name.mark);
    let places = same.drain(..).map(|(place, _)| place).collect();
    Some(Resolved {
        places,
        chosen,
        certain: alike,
    })
}

/// What a name means.
pub struct Resolved {
    /// Of all that are visible, those of the same text.
    pub places: Vec<usize>,
    /// Which of those.
    pub chosen: usize,
    /// Whether one macro, or none, wrote them all.
    pub certain: bool,
}

/// A name at its place in the user's text, which means the variable that is declared as `declared`.
pub fn as_declared(declared: &Ident, used: &Ident) -> Ident {
    let mut ident = declared.clone();
    ident.set_span(declared.span().located_at(used.span()));
    ident
}

/// The texts of all names in a function.
pub fn texts(sig: &syn::Signature, block: &syn::Block) -> HashSet<String> {
    let mut texts = texts_of(sig);
    texts.extend(texts_of(block));
    texts
}

/// The texts of all names in a part of one.
pub fn texts_of(part: &impl ToTokens) -> HashSet<String> {
    fn collect(tokens: TokenStream, texts: &mut HashSet<String>) {
        for token in tokens {
            match token {
                TokenTree::Ident(ident) => {
                    texts.insert(ident.unraw().to_string());
                }
                TokenTree::Group(group) => collect(group.stream(), texts),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
    }
    let mut texts = HashSet::new();
    collect(part.to_token_stream(), &mut texts);
    texts
}

/// A name like `ident` that no other is, not even of an item of the user's: such names are refused.
pub fn fresh(ident: &Ident, texts: &mut HashSet<String>) -> Ident {
    let text = ident.unraw();
    let name = (2..)
        .map(|n| format_ident!("__{text}_{n}", span = ident.span()))
        .find(|name| !texts.contains(&name.to_string()));
    let name = name.unwrap_or(text);
    texts.insert(name.to_string());
    name
}

/// Gives parameters `_` names, by which generated code passes them on.
pub struct Unnamed;

impl VisitMut for Unnamed {
    fn visit_signature_mut(&mut self, sig: &mut syn::Signature) {
        for (k, input) in sig.inputs.iter_mut().enumerate() {
            if let syn::FnArg::Typed(input) = input
                && let syn::Pat::Wild(wild) = &*input.pat
            {
                let name = format_ident!("_unnamed{k}", span = wild.underscore_token.span);
                *input.pat = syn::parse_quote!(#name);
            }
        }
    }

    fn visit_block_mut(&mut self, _: &mut syn::Block) {}
}
