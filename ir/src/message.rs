//! Texts of failures with numbers in them: what Rust's format strings say, as far as kernels have it.

use std::fmt;
use std::ops::Range;

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// As it stands.
    Text(String),
    /// A value.
    Value(Named, Style),
}

/// Which value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Named {
    /// The one after that of the last `{}`.
    Next,
    /// By its number.
    Number(usize),
    /// By its name.
    Name(String),
}

/// How a value is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Which of Rust's traits writes it.
    pub kind: StyleKind,
    /// `*<`: where it stands in its width, and what stands beside it.
    pub align: Option<(char, Align)>,
    /// `+`.
    pub plus: bool,
    /// `#`.
    pub alternate: bool,
    /// `0`.
    pub zero: bool,
    /// Least number of characters.
    pub width: usize,
    /// `.3`.
    pub precision: Option<usize>,
}

/// Where a text stands in its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Align {
    Left,
    Center,
    Right,
}

impl Align {
    const ALL: [(char, Align); 3] = [('<', Align::Left), ('^', Align::Center), ('>', Align::Right)];

    fn of(c: char) -> Option<Align> {
        Align::ALL.iter().find(|(sign, _)| *sign == c).map(|(_, align)| *align)
    }

    fn sign(self) -> char {
        Align::ALL
            .iter()
            .find(|(_, align)| *align == self)
            .map_or('<', |(sign, _)| *sign)
    }
}

/// Rust's traits of formatting.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum StyleKind {
    #[default]
    Display,
    Debug,
    LowerHex,
    UpperHex,
    Binary,
    Octal,
    LowerExp,
}

/// Why a text is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageError {
    /// The bytes that are at fault.
    pub at: Range<usize>,
    /// What is wrong.
    pub what: &'static str,
}

impl StyleKind {
    const ALL: [(&'static str, StyleKind); 7] = [
        ("", StyleKind::Display),
        ("?", StyleKind::Debug),
        ("x", StyleKind::LowerHex),
        ("X", StyleKind::UpperHex),
        ("b", StyleKind::Binary),
        ("o", StyleKind::Octal),
        ("e", StyleKind::LowerExp),
    ];

    fn of(text: &str) -> Option<StyleKind> {
        StyleKind::ALL
            .iter()
            .find(|(name, _)| *name == text)
            .map(|(_, kind)| *kind)
    }

    fn name(self) -> &'static str {
        StyleKind::ALL
            .iter()
            .find(|(_, kind)| *kind == self)
            .map_or("", |(name, _)| name)
    }
}

/// Takes a format string apart.
///
/// # Errors
/// If a brace is alone, or asks for what messages of kernels do not have: a width or a precision that is an argument,
/// `{:#?}`, `{:x?}`, `{:E}`, `{:p}`.
pub fn pieces(template: &str) -> Result<Vec<Piece>, MessageError> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = template.char_indices().peekable();
    while let Some((at, c)) = rest.next() {
        match c {
            '{' | '}' if rest.peek().is_some_and(|(_, next)| *next == c) => {
                rest.next();
                text.push(c);
            }
            '{' => {
                let Some(length) = template[at + 1..]
                    .find(['{', '}'])
                    .filter(|n| template[at + 1 + n..].starts_with('}'))
                else {
                    return Err(MessageError {
                        at: at..template.len(),
                        what: "a `{` without its `}`: write `{{` for a brace",
                    });
                };
                let (start, end) = (at + 1, at + 1 + length);
                let (named, style) =
                    placeholder(&template[start..end]).map_err(|what| MessageError { at: at..end + 1, what })?;
                if !text.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut text)));
                }
                pieces.push(Piece::Value(named, style));
                while rest.next_if(|(at, _)| *at <= end).is_some() {}
            }
            '}' => {
                return Err(MessageError {
                    at: at..at + 1,
                    what: "a `}` without its `{`: write `}}` for a brace",
                });
            }
            c => text.push(c),
        }
    }
    if !text.is_empty() {
        pieces.push(Piece::Text(text));
    }
    Ok(pieces)
}

fn placeholder(text: &str) -> Result<(Named, Style), &'static str> {
    let (name, style) = text.split_once(':').unwrap_or((text, ""));
    let name = name.trim();
    let named = if name.is_empty() {
        Named::Next
    } else if name.starts_with(|c: char| c.is_ascii_digit()) {
        Named::Number(name.parse().map_err(|_| "this is no number of an argument")?)
    } else if name.chars().all(|c| c.is_alphanumeric() || c == '_') {
        Named::Name(name.to_owned())
    } else {
        return Err("braces hold a number or a name: pass the value as an argument");
    };
    Ok((named, Style::parse(style.trim_end())?))
}

impl Style {
    /// Whether it writes digits of a power of two.
    #[must_use]
    pub fn is_bits(&self) -> bool {
        use StyleKind as K;
        matches!(self.kind, K::LowerHex | K::UpperHex | K::Binary | K::Octal)
    }

    fn parse(text: &str) -> Result<Style, &'static str> {
        let mut style = Style::default();
        let mut rest = text;
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (Some(fill), Some(sign)) if let Some(align) = Align::of(sign) => {
                style.align = Some((fill, align));
                rest = chars.as_str();
            }
            (Some(sign), _) if let Some(align) = Align::of(sign) => {
                style.align = Some((' ', align));
                rest = &text[sign.len_utf8()..];
            }
            _ => {}
        }
        let mut flag = |c: char| match rest.strip_prefix(c) {
            Some(after) => {
                rest = after;
                true
            }
            None => false,
        };
        style.plus = flag('+');
        style.alternate = flag('#');
        style.zero = flag('0');
        let digits = |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (width, after) = rest.split_at(digits(rest));
        rest = after;
        if !width.is_empty() {
            style.width = number(width)?;
        }
        if let Some(after) = rest.strip_prefix('.') {
            let (precision, after) = after.split_at(digits(after));
            style.precision = Some(number(precision)?);
            rest = after;
        }
        style.kind = StyleKind::of(rest).ok_or("this is no way in which a kernel's message can write a value: there are `{}`, `{:?}`, `{:x}`, `{:X}`, `{:b}`, `{:o}` and `{:e}`, with an alignment, `+`, `#`, `0`, a width and a precision")?;
        if style.alternate && !style.is_bits() {
            return Err("`#` stands before `x`, `X`, `b` and `o` alone in a kernel's message");
        }
        Ok(style)
    }
}

fn number(text: &str) -> Result<usize, &'static str> {
    match text.parse() {
        Ok(n) if n <= 1000 => Ok(n),
        _ => Err("widths and precisions in a kernel's message are numbers up to 1000"),
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((fill, align)) = self.align {
            write!(f, "{fill}{}", align.sign())?;
        }
        for (on, text) in [(self.plus, "+"), (self.alternate, "#"), (self.zero, "0")] {
            f.write_str(if on { text } else { "" })?;
        }
        if self.width > 0 {
            write!(f, "{}", self.width)?;
        }
        if let Some(precision) = self.precision {
            write!(f, ".{precision}")?;
        }
        f.write_str(self.kind.name())
    }
}

/// The template that [`pieces`] takes apart, with numbers for all values.
#[must_use]
pub fn template(pieces: &[Piece]) -> String {
    let mut text = String::new();
    for piece in pieces {
        match piece {
            Piece::Text(plain) => text.push_str(&plain.replace('{', "{{").replace('}', "}}")),
            Piece::Value(named, style) => {
                let name = match named {
                    Named::Next => String::new(),
                    Named::Number(n) => n.to_string(),
                    Named::Name(name) => name.clone(),
                };
                text.push_str(&format!("{{{name}:{style}}}"));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_taken_apart_and_put_together() {
        let got = pieces("a{{{}}} {x:.3} {1:+08.2e}é{name:#06x}").unwrap();
        let style = Style::default();
        let expected = vec![
            Piece::Text("a{".into()),
            Piece::Value(Named::Next, style),
            Piece::Text("} ".into()),
            Piece::Value(
                Named::Name("x".into()),
                Style {
                    precision: Some(3),
                    ..style
                },
            ),
            Piece::Text(" ".into()),
            Piece::Value(
                Named::Number(1),
                Style {
                    kind: StyleKind::LowerExp,
                    plus: true,
                    zero: true,
                    width: 8,
                    precision: Some(2),
                    ..style
                },
            ),
            Piece::Text("é".into()),
            Piece::Value(
                Named::Name("name".into()),
                Style {
                    kind: StyleKind::LowerHex,
                    alternate: true,
                    zero: true,
                    width: 6,
                    ..style
                },
            ),
        ];
        assert_eq!(got, expected);
        for (text, fill, align, width) in [
            ("{:>5}", ' ', Align::Right, 5),
            ("{:é^3}", 'é', Align::Center, 3),
            ("{::<}", ':', Align::Left, 0),
            ("{:<<1}", '<', Align::Left, 1),
            ("{: >12}", ' ', Align::Right, 12),
        ] {
            let aligned = Style {
                align: Some((fill, align)),
                width,
                ..style
            };
            let got = pieces(text).unwrap();
            assert_eq!(got, [Piece::Value(Named::Next, aligned)], "{text}");
            assert_eq!(pieces(&template(&got)).unwrap(), got, "{text}");
        }
        assert_eq!(pieces(&template(&got)).unwrap(), expected);
        assert_eq!(pieces("").unwrap(), []);
    }

    #[test]
    fn what_messages_do_not_have_is_refused_where_it_stands() {
        for (text, at) in [
            ("ab {", 3..4),
            ("a } b", 2..3),
            ("é{:>5$}", 2..8),
            ("{:#?}", 0..5),
            ("{:1$}", 0..5),
            ("{:.*}", 0..5),
            ("{a.b}", 0..5),
            ("{:E}", 0..4),
            ("{:1001}", 0..7),
            ("{{{", 2..3),
            ("{ {x}", 0..5),
        ] {
            assert_eq!(pieces(text).unwrap_err().at, at, "{text}");
        }
    }
}
