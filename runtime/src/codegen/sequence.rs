//! Rust's order of evaluation, left to right, in a language that has none.

use swathe_ir::{Expr, Type};

use super::Result;
use super::body::Body;
use super::text::{Kind, Line};
use super::value::{Effect, Value};

/// A point of the text in the making.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    pub lines: usize,
    pub insertions: usize,
    writes: u32,
}

impl Body<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            lines: self.lines.len(),
            insertions: self.ahead.insertions(),
            writes: self.writes,
        }
    }

    /// Lowers operands in order.
    pub(super) fn sequence(&mut self, exprs: &[&Expr]) -> Result<Vec<Value>> {
        let mut values = Vec::with_capacity(exprs.len());
        for e in exprs {
            let value = self.lower(e)?;
            values.push((value, self.mark()));
        }
        let mut later = Effect::Stable;
        for k in (0..values.len()).rev() {
            let (value, mark) = values[k].clone();
            let value = self.before(value, mark, later);
            later = later.max(values[k].0.effect);
            values[k].0 = value;
        }
        Ok(values.into_iter().map(|(value, _)| value).collect())
    }

    /// A value that was lowered at `mark`, stored there if the lines since then, or values with effects `later`, would
    /// otherwise be evaluated in the wrong order.
    pub(super) fn before(&mut self, value: Value, mark: Mark, later: Effect) -> Value {
        let at = self.line_of_mark(mark);
        let wrong = match value.effect {
            Effect::Stable => false,
            Effect::Read => self.writes != mark.writes || later == Effect::Write,
            Effect::Write => self.lines.len() != at || later > Effect::Stable,
        };
        if !wrong {
            return value;
        }
        self.writes += 1;
        let (line, value) = if value.ty == Type::Unit {
            let statement = Line::new(self.depth, format!("{};", value.text), Kind::Statement);
            (statement, self.nothing(&Type::Unit, false))
        } else {
            let name = self.declare("value");
            let ty = self.spelled(&value);
            let mut line = Line::constant(self.depth, &ty, &name, &value.text);
            if value.effect == Effect::Write {
                line.kind = Kind::Declaration;
            }
            (line, value.named(name))
        };
        self.lines.insert(at, line);
        self.ahead.inserted_at(at);
        value
    }

    /// The value, in a variable unless it can stand several times as it is.
    pub(super) fn simple(&mut self, value: Value, wanted: &str) -> Value {
        if value.is_simple() {
            value
        } else {
            self.store(value, wanted)
        }
    }
}
