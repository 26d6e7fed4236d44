//! Names of variables: like the user's, and unlike all that a path could mean.

use std::collections::HashSet;

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

#[derive(Default)]
pub struct Names {
    /// What is given away, and what paths of the user's begin with.
    taken: HashSet<String>,
    /// All names in the user's text.
    texts: HashSet<String>,
}

impl Names {
    pub fn new(texts: HashSet<String>, paths: impl IntoIterator<Item = String>) -> Names {
        Names {
            taken: paths.into_iter().collect(),
            texts,
        }
    }

    /// A name for a variable that the user calls `like`.
    pub fn of_user(&mut self, like: &Ident) -> Ident {
        let text = plain(like);
        match syn::parse_str::<Ident>(&text).is_ok() && !self.taken.contains(&text) && !text.starts_with("__") {
            true => self.give(text, like.span()),
            false => self.fresh(text.trim_start_matches('_'), like.span()),
        }
    }

    /// A name for something that the user does not name.
    pub fn fresh(&mut self, like: &str, span: Span) -> Ident {
        let like = if like.is_empty() { "t" } else { like };
        let free = |text: &String| !self.taken.contains(text) && !self.texts.contains(text);
        let first = Some(like.to_owned()).filter(|text| free(text) && syn::parse_str::<Ident>(text).is_ok());
        let text = first
            .or_else(|| (1..).map(|n| format!("{like}_{n}")).find(free))
            .expect("there is a number");
        self.give(text, span)
    }

    fn give(&mut self, text: String, span: Span) -> Ident {
        let ident = Ident::new(&text, span.resolved_at(Span::call_site()));
        self.taken.insert(text);
        ident
    }
}

/// A name without `r#`.
pub fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}
