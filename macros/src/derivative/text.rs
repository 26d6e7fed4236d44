//! Tokens as text that a person can read.

use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};

pub fn readable(tokens: &TokenStream) -> String {
    let mut writer = Writer::default();
    writer.stream(&without_claims(tokens), true);
    let text = writer
        .text
        .replace("::swathe::derivative::", "")
        .replace("::__pullback(", "::pullback(")
        .replace("::__jvp(", "::jvp(");
    let mut out = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// The same without what is said to rustc alone: `::swathe::derivative::numbers(..);`.
fn without_claims(tokens: &TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let mut kept = Vec::new();
    let mut k = 0;
    while k < all.len() {
        // Three times `::` and a name, the arguments, and `;`.
        if let Some(TokenTree::Ident(name)) = all.get(k + 8)
            && name == "numbers"
            && matches!(&all[k + 5], TokenTree::Ident(module) if module == "derivative")
            && matches!(&all[k], TokenTree::Punct(p) if p.as_char() == ':')
        {
            k += 11;
            continue;
        }
        kept.push(match &all[k] {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), without_claims(&group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            token => token.clone(),
        });
        k += 1;
    }
    kept.into_iter().collect()
}

#[derive(Default)]
struct Writer {
    text: String,
    depth: usize,
    /// Whether the next token is joined with the one before.
    joined: bool,
    /// Angle brackets that are open.
    angles: usize,
    /// Whether `::` stands in front.
    path: bool,
}

impl Writer {
    fn line(&mut self) {
        self.text.push('\n');
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.joined = true;
    }

    fn put(&mut self, token: &str, before: bool) {
        if before && !self.joined && !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(token);
        self.joined = false;
    }

    fn stream(&mut self, tokens: &TokenStream, statements: bool) {
        let all: Vec<TokenTree> = tokens.clone().into_iter().collect();
        for (k, token) in all.iter().enumerate() {
            match token {
                TokenTree::Group(group) => self.group(group, all.get(k + 1), k > 0, &all, k),
                TokenTree::Punct(p) => {
                    let c = p.as_char();
                    let previous = k.checked_sub(1).map(|k| &all[k]);
                    let glued = matches!(previous, Some(TokenTree::Punct(q)) if q.spacing() == Spacing::Joint);
                    let unary = matches!(c, '-' | '&' | '!' | '*')
                        && match previous {
                            None => true,
                            Some(TokenTree::Punct(q)) => q.as_char() != '>' || glued,
                            _ => false,
                        };
                    // Of types, whose names begin with capitals, and of paths.
                    let of_type = matches!(previous, Some(TokenTree::Ident(name)) if name.to_string().starts_with(char::is_uppercase));
                    let opens = c == '<' && (of_type || self.path);
                    let closes = c == '>' && self.angles > 0 && !glued;
                    self.angles = self.angles + usize::from(opens) - usize::from(closes);
                    let path = c == ':' && (glued || p.spacing() == Spacing::Joint);
                    let behind_name = matches!(previous, Some(TokenTree::Ident(_)));
                    let tight = matches!(c, ',' | ';' | '.' | '?')
                        || (c == ':' && (p.spacing() == Spacing::Alone || behind_name))
                        || opens
                        || closes;
                    self.put(&c.to_string(), !(tight || glued));
                    self.path = path && glued;
                    self.joined = p.spacing() == Spacing::Joint || c == '.' || unary || c == '#' || self.path || opens;
                    if c == ';' && statements {
                        self.line();
                    }
                }
                TokenTree::Ident(ident) => {
                    let ident = ident.to_string();
                    self.put(&ident, true);
                }
                TokenTree::Literal(literal) => {
                    let literal = literal.to_string();
                    self.put(&literal, true);
                }
            }
        }
    }

    fn group(
        &mut self,
        group: &proc_macro2::Group,
        next: Option<&TokenTree>,
        behind: bool,
        all: &[TokenTree],
        k: usize,
    ) {
        match group.delimiter() {
            Delimiter::Brace => {
                self.put("{", true);
                if group.stream().is_empty() {
                    self.put("}", false);
                } else {
                    self.depth += 1;
                    self.line();
                    self.stream(&group.stream(), true);
                    self.depth -= 1;
                    while self.text.ends_with(' ') || self.text.ends_with('\n') {
                        self.text.pop();
                    }
                    self.line();
                    self.put("}", false);
                }
                let goes_on = match next {
                    Some(TokenTree::Ident(word)) => word == "else",
                    Some(TokenTree::Punct(_)) => true,
                    _ => false,
                };
                if !goes_on {
                    self.line();
                }
            }
            Delimiter::None => self.stream(&group.stream(), false),
            Delimiter::Parenthesis | Delimiter::Bracket => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    _ => ("[", "]"),
                };
                let called = behind
                    && match &all[k - 1] {
                        TokenTree::Ident(word) => !["in", "let", "if", "while", "match", "return", "for"]
                            .iter()
                            .any(|w| word == w),
                        TokenTree::Group(before) => before.delimiter() != Delimiter::Brace,
                        TokenTree::Punct(p) => matches!(p.as_char(), '!' | '#' | '>') && p.spacing() == Spacing::Alone,
                        TokenTree::Literal(_) => true,
                    };
                self.put(open, !called);
                self.joined = true;
                self.stream(&group.stream(), false);
                self.joined = true;
                self.put(close, false);
            }
        }
    }
}
