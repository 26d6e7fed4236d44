//! A place among tokens.

use crate::operand::number;
use crate::token::Token;

pub(super) struct Cursor<'a> {
    text: &'a str,
    tokens: &'a [Token<'a>],
    at: usize,
    /// What is not understood.
    pub fault: Option<Token<'a>>,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token<'a>]) -> Cursor<'a> {
        let (at, fault) = (0, None);
        Cursor {
            text,
            tokens,
            at,
            fault,
        }
    }

    pub fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    pub fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// The next token if it is this one.
    pub fn take(&mut self, text: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.text == text);
        self.at += usize::from(found);
        found
    }

    pub fn expect(&mut self, text: &str) -> Option<()> {
        self.take(text).then_some(())
    }

    /// The tokens up to the next semicolon.
    pub fn statement(&mut self) -> Option<&'a [Token<'a>]> {
        let rest = &self.tokens[self.at..];
        let end = rest.iter().position(|token| token.text == ";")?;
        self.at += end + 1;
        Some(&rest[..end])
    }

    /// A number without a sign.
    pub fn number(&mut self) -> Option<u64> {
        number(self.next()?.text)
    }

    /// The line of a token, as it is written.
    pub fn complaint(&self, token: Token<'_>) -> String {
        let line = self.text.lines().nth(token.line - 1).unwrap_or_default().trim();
        let word = token.text.trim_start_matches(['@', '{']);
        let instruction = word.starts_with(|c: char| c.is_ascii_lowercase()) && line.contains(';');
        match instruction || token.text == "@" {
            true => format!("line {}: unknown instruction `{line}`", token.line),
            false => format!("line {}: {line}", token.line),
        }
    }
}
