//! Which names mean the same variable, and attributes that would make two bodies of one.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::visit::Visit;

use crate::error::Errors;

/// A variable's name as rustc tells names apart.
#[derive(PartialEq)]
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

/// The hygiene of a span, which only its debug output tells: `#3 bytes(7..9)`. Should that change, names are told apart
/// by their text alone, and [`as_declared`] still makes rustc see the variable that the checks have seen.
fn mark(span: Span) -> Option<String> {
    let text = format!("{span:?}");
    let (mark, _) = text.split_once(" bytes(")?;
    mark.starts_with('#').then(|| mark.to_owned())
}

/// A name at its place in the user's text, which means the variable that is declared as `declared`, whatever macros wrote
/// the two: the checks and rustc must never disagree about what a position is.
pub fn as_declared(declared: &Ident, used: &Ident) -> Ident {
    let mut ident = declared.clone();
    ident.set_span(declared.span().located_at(used.span()));
    ident
}

/// Refuses `#[cfg]`, which rustc would resolve only after the macro has seen the body.
pub fn refuse_cfg(sig: &syn::Signature, block: &syn::Block, errors: &mut Errors) {
    struct Search<'e>(&'e mut Errors);
    impl<'a> Visit<'a> for Search<'_> {
        fn visit_attribute(&mut self, attribute: &'a syn::Attribute) {
            if attribute.path().is_ident("cfg") || attribute.path().is_ident("cfg_attr") {
                self.0.on(
                    attribute,
                    "`#[cfg]` cannot stand inside a function that runs on the GPU: write it above the whole function, or \
                     branch on a constant, `const ON: bool = cfg!(..);`",
                );
            }
        }
    }
    let mut search = Search(errors);
    search.visit_signature(sig);
    search.visit_block(block);
}
