//! Tokens as the user wrote them, on one line.

use proc_macro2::{LineColumn, Span, TokenStream, TokenTree};

pub fn text(tokens: &TokenStream) -> String {
    let mut writer = Writer::default();
    writer.tokens(tokens.clone());
    writer.text
}

#[derive(Default)]
struct Writer {
    text: String,
    end: Option<LineColumn>,
}

impl Writer {
    fn tokens(&mut self, tokens: TokenStream) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    let (open, close) = match group.delimiter() {
                        proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                        proc_macro2::Delimiter::Bracket => ("[", "]"),
                        proc_macro2::Delimiter::Brace => ("{", "}"),
                        proc_macro2::Delimiter::None => ("", ""),
                    };
                    if !open.is_empty() {
                        self.push(open, group.span_open());
                    }
                    self.tokens(group.stream());
                    if !close.is_empty() {
                        self.push(close, group.span_close());
                    }
                }
                token => self.push(&token.to_string(), token.span()),
            }
        }
    }

    /// Adds a token, after a space if one stood before it.
    fn push(&mut self, text: &str, span: Span) {
        let start = span.start();
        if self
            .end
            .is_some_and(|end| start.line != end.line || start.column > end.column)
        {
            self.text.push(' ');
        }
        self.text.push_str(text);
        self.end = Some(span.end());
    }
}
