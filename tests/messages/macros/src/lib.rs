//! A procedural macro that writes names as if its user had written them.

use proc_macro::{Delimiter, Group, TokenStream, TokenTree};

/// Begins the body of each `for` loop with a variable `i` that is 0.
#[proc_macro_attribute]
pub fn shadows(_: TokenStream, item: TokenStream) -> TokenStream {
    inside(item, false)
}

fn inside(tokens: TokenStream, body: bool) -> TokenStream {
    let mut looped = false;
    let all = tokens.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let mut inner = TokenStream::new();
            if looped {
                // Parsed names are those of the place where the macro stands.
                inner.extend("let i = 0usize;".parse::<TokenStream>().expect("a statement"));
            }
            looped = false;
            inner.extend(inside(group.stream(), true));
            let mut group = Group::new(Delimiter::Brace, inner);
            group.set_span(group.span());
            TokenTree::Group(group)
        }
        other => {
            looped |= body && matches!(&other, TokenTree::Ident(ident) if ident.to_string() == "for");
            other
        }
    });
    all.collect()
}

/// Begins the body of the function below with the statements in its parentheses.
#[proc_macro_attribute]
pub fn begins(statements: TokenStream, item: TokenStream) -> TokenStream {
    let all = item.into_iter().map(|token| match token {
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            let text = statements.to_string();
            let mut inner: TokenStream = text.parse().expect("statements");
            inner.extend(group.stream());
            TokenTree::Group(Group::new(Delimiter::Brace, inner))
        }
        other => other,
    });
    all.collect()
}

/// Packs the struct below, after the derives have seen it.
#[proc_macro_attribute]
pub fn packs(_: TokenStream, item: TokenStream) -> TokenStream {
    let mut packed: TokenStream = "#[repr(packed)]".parse().expect("an attribute");
    packed.extend(item);
    packed
}

/// Writes what stands in its parentheses in the place of the struct below, after the derives have seen it.
#[proc_macro_attribute]
pub fn replaced(by: TokenStream, _: TokenStream) -> TokenStream {
    by
}
