//! Addresses that are computed ahead of the checks of their statement.
//!
//! Behind a branch NVVM computes an address anew, since it selects instructions block by block: the conversion of an index to 64
//! bits stays where the index was loaded, and no longer joins with the multiplication. So all that a statement's addresses
//! are is stated before its first check. The address of an element that does not exist is a number which nothing reads:
//! loads and stores stay behind the checks, and arithmetic on a pointer never traps; LLVM takes it for poison at most, which
//! only an access through it turns into undefined behaviour.

use super::body::{Body, FieldBinding};
use super::sequence::Mark;
use super::text::{Kind, Line, names_in, word_ends};

/// So many addresses of a statement are held in registers while it is checked.
const MOST: usize = 8;

/// What the lines of a block have had put ahead of their checks.
#[derive(Debug, Default)]
pub(super) struct Ahead {
    /// The first check of the statement, if it has one on this level.
    first_check: Option<usize>,
    /// Addresses of the statement, and the constants that hold them.
    known: Vec<(String, String)>,
    /// Where lines were inserted, in order.
    inserted: Vec<usize>,
}

impl Ahead {
    pub(super) fn insertions(&self) -> usize {
        self.inserted.len()
    }

    pub(super) fn inserted_at(&mut self, at: usize) {
        self.inserted.push(at);
    }

    /// The place of a line now that was at `line` when there were so many insertions.
    pub(super) fn moved(&self, line: usize, insertions: usize) -> usize {
        let since = self.inserted.iter().skip(insertions);
        since.fold(line, |line, at| if *at < line { line + 1 } else { line })
    }
}

impl Body<'_> {
    /// A statement begins.
    pub(super) fn start_statement(&mut self) {
        self.ahead.first_check = None;
        self.ahead.known.clear();
    }

    /// A check is about to be written.
    pub(super) fn note_check(&mut self) {
        self.ahead.first_check.get_or_insert(self.lines.len());
    }

    /// Names an address whose index may be computed `early`, ahead of the statement's checks; `None` if no check stands between.
    pub(super) fn ahead(&mut self, f: &FieldBinding, address: &str, index: &str, early: bool) -> Option<String> {
        if !early || self.module.variant.checked || self.ahead.known.len() >= MOST {
            return None;
        }
        if let Some((_, name)) = self.ahead.known.iter().find(|(known, _)| known == address) {
            return Some(name.clone());
        }
        let first = self.ahead.first_check.filter(|at| *at < self.lines.len())?;
        let gives = |l: &Line| names_in(index).any(|name| gives_value(&l.text, name));
        let mut at = match self.lines[first..].iter().rposition(gives) {
            Some(k) => first + k + 1,
            None => first,
        };
        // Out of blocks, and past labels: a jump to one must not pass a declaration.
        let inside = |l: &Line| l.depth > self.depth || matches!(l.kind, Kind::Close | Kind::Label);
        while self.lines.get(at).is_some_and(inside) {
            at += 1;
        }
        // A name of an inner block would not be seen here.
        if !self.lines[at..]
            .iter()
            .any(|l| !l.check.is_empty() && l.depth == self.depth)
        {
            return None;
        }
        let name = self.declare(&format!("{}_at", f.name));
        let (t, qualifier) = (self.module.ty(&f.element), if f.mutable { "" } else { "const " });
        let text = format!("{qualifier}{t}* const {name} = {address};");
        let line = Line {
            source: self.lines[at].source.take(),
            ..Line::new(self.depth, text, Kind::Constant(name.clone()))
        };
        self.lines.insert(at, line);
        self.ahead.inserted.push(at);
        self.ahead.known.push((address.to_owned(), name.clone()));
        Some(name)
    }

    /// Where a mark is now.
    pub(super) fn line_of_mark(&self, mark: Mark) -> usize {
        self.ahead.moved(mark.lines, mark.insertions)
    }
}

/// Whether a line declares a variable or gives it a value.
fn gives_value(text: &str, name: &str) -> bool {
    word_ends(text, name).any(|end| {
        let rest = &text[end..];
        rest.starts_with(" = ") || rest == ";" || rest.starts_with("; ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_give_a_value() {
        for text in [
            "const u32 k = f(n);",
            "usize k;",
            "k = 3;",
            "if (c) { k = 3; }",
            "{ u32 k; }",
        ] {
            assert!(gives_value(text, "k"), "{text}");
        }
        for text in [
            "if (unlikely(k >= n)) {",
            "kk = 3;",
            "x[k] = 3;",
            "n = k + 1;",
            "if (k == 3) {",
            "f(k);",
        ] {
            assert!(!gives_value(text, "k"), "{text}");
        }
    }

    #[test]
    fn marks_follow_what_is_inserted_before_them() {
        let mut ahead = Ahead::default();
        ahead.inserted_at(2);
        let then = ahead.insertions();
        ahead.inserted_at(3);
        ahead.inserted_at(5);
        assert_eq!(ahead.moved(4, then), 5);
        assert_eq!(ahead.moved(3, then), 3);
        assert_eq!(ahead.moved(6, then), 8);
    }
}
