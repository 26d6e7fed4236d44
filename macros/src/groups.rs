//! What a fragment of a macro stands for, `$e` in `a - $e * 2`, comes as tokens between delimiters that cannot be seen. rustc drops those when
//! a procedural macro hands them back, and with them the precedence: so they become parentheses, once, where an item comes in.

use proc_macro2::{Delimiter, Group, Punct, Spacing, Span, TokenStream, TokenTree};
use syn::visit_mut::{self, VisitMut};
use syn::{Expr, Pat, Type, token};

/// An expression without the parentheses around it.
pub fn bare(e: &Expr) -> &Expr {
    match e {
        Expr::Paren(inner) => bare(&inner.expr),
        Expr::Group(inner) => bare(&inner.expr),
        _ => e,
    }
}

/// Takes blocks out of the delimiters of a fragment `$b:block`, where no operator follows: as a statement one needs no semicolon, which is said of
/// it before it is parsed. Takes `let` statements out of those of a fragment `$s:stmt`, which comes without its semicolon.
pub fn blocks(tokens: TokenStream) -> TokenStream {
    without(&tokens).unwrap_or(tokens)
}

/// The tokens without these delimiters, if there are any.
fn without(tokens: &TokenStream) -> Option<TokenStream> {
    let mut changed = false;
    let mut all = Vec::new();
    let mut rest = tokens.clone().into_iter().peekable();
    while let Some(token) = rest.next() {
        let TokenTree::Group(group) = token else {
            all.push(token);
            continue;
        };
        let fragment = group.delimiter() == Delimiter::None;
        let again = without(&group.stream());
        let within = again.clone().unwrap_or_else(|| group.stream());
        let block = only_block(&within).filter(|_| fragment);
        let operator = matches!(rest.peek(), Some(TokenTree::Punct(next)) if next.as_char() != ';');
        let before = changed;
        changed = true;
        match block {
            _ if fragment && is_let(&within) => {
                all.extend(within);
                if !matches!(rest.peek(), Some(TokenTree::Punct(next)) if next.as_char() == ';') {
                    all.push(TokenTree::Punct(Punct::new(';', Spacing::Alone)));
                }
            }
            // As the end of a range it would be taken for the body of the loop.
            Some(_) if ends_range(&all) => all.push(in_place_of(&group, Delimiter::Parenthesis, within)),
            Some(block) if !operator => all.push(block),
            _ if again.is_some() => all.push(in_place_of(&group, group.delimiter(), within)),
            // As it was, with the places of both its ends.
            _ => {
                changed = before;
                all.push(TokenTree::Group(group));
            }
        }
    }
    changed.then(|| all.into_iter().collect())
}

fn in_place_of(group: &Group, delimiter: Delimiter, tokens: TokenStream) -> TokenTree {
    let mut again = Group::new(delimiter, tokens);
    again.set_span(group.span());
    TokenTree::Group(again)
}

/// Whether these end in `..` or `..=`.
fn ends_range(tokens: &[TokenTree]) -> bool {
    let is = |token: &TokenTree, c| matches!(token, TokenTree::Punct(p) if p.as_char() == c);
    match tokens {
        [.., a, b, c] if is(c, '=') => is(a, '.') && is(b, '.'),
        [.., a, b] => is(a, '.') && is(b, '.'),
        _ => false,
    }
}

/// Where delimiters, operators in front of one operand or branches behind `else` stand deeper in one another than `levels`: parsers and visitors
/// call themselves for each.
pub fn deeper_than(levels: usize, tokens: TokenStream) -> Option<Span> {
    let (mut branches, mut operators, mut behind_block) = (0, 0, false);
    for token in tokens {
        let is_else = matches!(&token, TokenTree::Ident(word) if word == "else");
        branches = match behind_block && !is_else {
            true => 0,
            false => branches + usize::from(is_else),
        };
        operators = match &token {
            TokenTree::Punct(p) if p.as_char() != ';' => operators + 1,
            _ => 0,
        };
        behind_block = matches!(&token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
        let within = branches + operators + usize::from(matches!(token, TokenTree::Group(_)));
        if within > levels {
            return Some(token.span());
        }
        if let TokenTree::Group(group) = &token
            && let Some(deep) = deeper_than(levels - within, group.stream())
        {
            return Some(deep);
        }
    }
    None
}

/// Whether these are a `let` statement: no expression begins with that word.
fn is_let(tokens: &TokenStream) -> bool {
    matches!(tokens.clone().into_iter().next(), Some(TokenTree::Ident(word)) if word == "let")
}

fn only_block(tokens: &TokenStream) -> Option<TokenTree> {
    let mut tokens = tokens.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Brace => Some(TokenTree::Group(group)),
        _ => None,
    }
}

/// Gives operators and types of fragments their parentheses, and drops delimiters around what is one operand anyway.
pub struct Parenthesize;

impl VisitMut for Parenthesize {
    fn visit_expr_mut(&mut self, e: &mut Expr) {
        visit_mut::visit_expr_mut(self, e);
        if let Expr::Group(group) = e
            && group.attrs.is_empty()
        {
            let inner = std::mem::replace(&mut *group.expr, Expr::PLACEHOLDER);
            *e = match is_operand(&inner) {
                true => inner,
                false => Expr::Paren(syn::ExprParen {
                    attrs: Vec::new(),
                    paren_token: token::Paren(group.group_token.span),
                    expr: Box::new(inner),
                }),
            };
        }
    }

    fn visit_type_mut(&mut self, ty: &mut Type) {
        visit_mut::visit_type_mut(self, ty);
        if let Type::Group(group) = ty
            && group.attrs.is_empty()
        {
            *ty = match &*group.elem {
                Type::TraitObject(_) | Type::ImplTrait(_) => Type::Paren(syn::TypeParen {
                    attrs: Vec::new(),
                    paren_token: token::Paren(group.group_token.span),
                    elem: group.elem.clone(),
                }),
                inner => inner.clone(),
            };
        }
    }

    /// The ends of a range in a pattern stand without parentheses.
    fn visit_pat_mut(&mut self, pat: &mut Pat) {
        if !matches!(pat, Pat::Range(_)) {
            visit_mut::visit_pat_mut(self, pat);
        }
    }
}

/// Whether it is one operand wherever it stands.
fn is_operand(e: &Expr) -> bool {
    matches!(
        e,
        Expr::Array(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Lit(_)
            | Expr::Macro(_)
            | Expr::MethodCall(_)
            | Expr::Paren(_)
            | Expr::Path(_)
            | Expr::Repeat(_)
            | Expr::Tuple(_)
    )
}
