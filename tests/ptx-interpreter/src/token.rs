//! The text of a module as tokens.

/// A token, and the line that it stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub line: usize,
    pub text: &'a str,
}

/// Directives that reach to the end of their line.
const LINES: [&str; 5] = [".version", ".target", ".address_size", ".file", ".loc"];

/// All tokens: words, numbers and strings, and signs of one character. A directive that ends with its line is one token.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut out = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let length = if c.is_whitespace() {
            c.len_utf8()
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else {
            let length = length(rest, c);
            let length = match LINES.contains(&&rest[..length]) {
                true => rest.find('\n').unwrap_or(rest.len()),
                false => length,
            };
            out.push(Token {
                line,
                text: rest[..length].trim_end(),
            });
            length
        };
        line += rest[..length].matches('\n').count();
        at += length;
    }
    out
}

/// Of the token that starts here.
fn length(rest: &str, first: char) -> usize {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    if first == '"' {
        return rest[1..].find('"').map_or(rest.len(), |end| end + 2);
    }
    match rest.find(|c| !word(c)) {
        Some(0) => first.len_utf8(),
        Some(end) => end,
        None => rest.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_signs_and_lines() {
        let text = ".loc 1 2 3, x\n@!%p1 bra $L_1; // why\n/* a\nb */ ld.v2 {%r1, %r2}, [%rd1+-8];\n.file 1 \"a b\"";
        let found: Vec<(usize, &str)> = tokens(text).iter().map(|t| (t.line, t.text)).collect();
        let second = ["@", "!", "%p1", "bra", "$L_1", ";"].map(|t| (2, t));
        let fourth = [
            "ld.v2", "{", "%r1", ",", "%r2", "}", ",", "[", "%rd1", "+", "-", "8", "]", ";",
        ]
        .map(|t| (4, t));
        let mut expected = vec![(1, ".loc 1 2 3, x")];
        expected.extend(second);
        expected.extend(fourth);
        expected.push((5, ".file 1 \"a b\""));
        assert_eq!(found, expected);
    }
}
