//! Lines of CUDA C, and the `#line` directives between them.

use std::fmt::Write;

use swathe_ir::{Func, Span};

use super::condition::Below;

/// One line of a function's body.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Blocks around it.
    pub depth: usize,
    /// Without indentation.
    pub text: String,
    /// Place in the Rust source that it starts to express.
    pub source: Option<Span>,
    pub kind: Kind,
    /// It leaves the body unless all of these are in bounds.
    pub check: Vec<Below>,
    /// Of a check that the parallel loop's cover answers: the text where a flag tells whether the cover holds.
    pub flagged: Option<String>,
}

/// What matters of a line to the lines around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Statement,
    /// Declares this constant and does nothing else: it can be left out if nothing names that.
    Constant(String),
    /// Declares a variable.
    Declaration,
    /// Starts an `if` with a block.
    If,
    /// Ends a block, and may start the next one.
    Close,
    /// What a `goto` leads to.
    Label,
    /// What follows it in its block is never reached.
    Jump,
}

impl Line {
    pub(super) fn new(depth: usize, text: String, kind: Kind) -> Line {
        Line {
            depth,
            text,
            source: None,
            kind,
            check: Vec::new(),
            flagged: None,
        }
    }

    /// The label that it is.
    pub(super) fn label(&self) -> Option<&str> {
        self.text.strip_suffix(":;").filter(|_| self.kind == Kind::Label)
    }

    /// The declaration of a constant that has no effects.
    pub(super) fn constant(depth: usize, ty: &str, name: &str, value: &str) -> Line {
        let text = format!("const {ty} {name} = {value};");
        Line::new(depth, text, Kind::Constant(name.to_owned()))
    }

    /// The constant that it declares, if no more happens in it.
    pub(super) fn constant_name(&self) -> Option<&str> {
        match &self.kind {
            Kind::Constant(name) => Some(name),
            _ => None,
        }
    }
}

/// Leaves out constants that nothing names.
pub(super) fn without_unused(mut lines: Vec<Line>) -> Vec<Line> {
    loop {
        let unused = lines.iter().position(|line| {
            line.constant_name()
                .is_some_and(|name| lines.iter().filter(|l| has_word(&l.text, name)).count() == 1)
        });
        let Some(at) = unused else { return lines };
        let removed = lines.remove(at);
        if let Some(next) = lines.get_mut(at)
            && next.source.is_none()
        {
            next.source = removed.source;
        }
    }
}

/// Whether `lines` are one `if` statement, which can follow an `else` without a block of its own.
pub(super) fn is_single_if(lines: &[Line], depth: usize) -> bool {
    let [first, rest @ ..] = lines else { return false };
    first.kind == Kind::If && rest.iter().all(|line| line.depth > depth || line.kind == Kind::Close)
}

/// Writes a function: its head, which stands at a place of `func`, body and closing brace, with `#line` wherever the lines of
/// the Rust source do not follow each other as the lines of the text do.
pub(super) fn function(head: &str, lines: &[Line], func: &Func, at: Span) -> String {
    let file_of = |span: Span| escape(func.file_of(span));
    let mut text = format!("#line {} \"{}\"\n{head} {{\n", at.line, file_of(at));
    let lines = &without_unused(lines.to_vec());
    let mut current = (at.file, at.line + 1 + head.matches('\n').count() as u32);
    let mut last = (at.file, at.line);
    for l in lines {
        if let Some(source) = l.source
            && let place = (source.file, source.line)
            && place != current
            && std::mem::replace(&mut last, place) != place
        {
            let _ = match source.file == current.0 {
                true => writeln!(text, "#line {}", source.line),
                false => writeln!(text, "#line {} \"{}\"", source.line, file_of(source)),
            };
            current = place;
        }
        for _ in 0..l.depth {
            text.push_str("    ");
        }
        text.push_str(&l.text);
        text.push('\n');
        current.1 += 1;
    }
    text.push_str("}\n");
    text
}

fn escape(file: &str) -> String {
    file.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Joins items so that no line is longer than 110 characters; `indent` stands before each continuation.
pub(super) fn wrapped(prefix: &str, items: &[String], separator: &str, suffix: &str, indent: &str) -> String {
    let mut text = prefix.to_owned();
    let mut width = prefix.len();
    for (k, item) in items.iter().enumerate() {
        if k > 0 {
            text.push_str(separator);
            if width + item.len() > 106 {
                text.push('\n');
                text.push_str(indent);
                width = indent.len();
            } else {
                text.push(' ');
                width += separator.len() + 1;
            }
        }
        text.push_str(item);
        width += item.len();
    }
    text.push_str(suffix);
    text
}

/// The names and numbers in a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The names in a text.
pub(super) fn names_in(text: &str) -> impl Iterator<Item = &str> {
    words(text).filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether `word` occurs in `text` as a whole word.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    word_ends(text, word).next().is_some()
}

/// How many arguments each call of a function has.
pub(super) fn calls(text: &str, name: &str) -> Vec<usize> {
    let arguments = |at: usize| {
        let mut depth = 0;
        let mut count = 1;
        for c in text[at..].chars() {
            match c {
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 1 => count += 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        count
    };
    let ends = word_ends(text, name).filter(|at| text[*at..].starts_with('('));
    ends.map(arguments).collect()
}

/// Where `word` ends, wherever it occurs in `text` as a whole word.
pub(super) fn word_ends<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let whole = move |(at, _): &(usize, &str)| {
        !text[..*at].chars().next_back().is_some_and(part) && !text[at + word.len()..].chars().next().is_some_and(part)
    };
    text.match_indices(word).filter(whole).map(|(at, _)| at + word.len())
}
