//! Where an expression ends: on stable Rust spans cannot be joined, so that each construct needs both of its ends.

use proc_macro2::Span;
use quote::ToTokens;

pub fn end(expr: &syn::Expr) -> Span {
    use syn::Expr as E;
    match expr {
        E::Array(e) => e.bracket_token.span.join(),
        E::Assign(e) => end(&e.right),
        E::Binary(e) => end(&e.right),
        E::Block(e) => e.block.brace_token.span.join(),
        E::Call(e) => e.paren_token.span.join(),
        E::Field(e) => last(&e.member),
        E::Group(e) => end(&e.expr),
        E::Index(e) => e.bracket_token.span.join(),
        E::Lit(e) => e.lit.span(),
        E::MethodCall(e) => e.paren_token.span.join(),
        E::Paren(e) => e.paren_token.span.join(),
        E::Reference(e) => end(&e.expr),
        E::Repeat(e) => e.bracket_token.span.join(),
        E::Struct(e) => e.brace_token.span.join(),
        E::Tuple(e) => e.paren_token.span.join(),
        E::Unary(e) => end(&e.expr),
        E::Unsafe(e) => e.block.brace_token.span.join(),
        _ => last(expr),
    }
}

fn last(tokens: &impl ToTokens) -> Span {
    let last = tokens.to_token_stream().into_iter().last();
    last.map_or_else(Span::call_site, |token| token.span())
}
