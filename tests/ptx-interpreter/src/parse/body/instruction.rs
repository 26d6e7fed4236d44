//! An instruction of a body.

use super::super::operands::operands;
use super::{Body, Name};
use crate::build::build;
use crate::instruction::{Instruction, Op};
use crate::table::{Form, form};
use crate::token::Token;

impl<'a> Body<'a, '_> {
    pub(super) fn instruction(&mut self, first: Token<'a>, mut rest: &'a [Token<'a>]) -> Option<()> {
        let (mut opcode, mut guard) = (first, None);
        if first.text == "@" {
            let wanted = rest.first().is_none_or(|token| token.text != "!");
            let skipped = if wanted { rest } else { &rest[1..] };
            let [register, name, after @ ..] = skipped else {
                return None;
            };
            guard = Some((self.value(register.text)?, wanted));
            (opcode, rest) = (*name, after);
        }
        let op = match form(opcode.text)? {
            Form::Branch => {
                let [label] = rest else { return None };
                self.jumps.push((self.function.code.len(), *label));
                Op::Branch(usize::MAX)
            }
            Form::Call => self.call(rest)?,
            form => {
                let operands = operands(self, rest)?;
                build(form, operands)?
            }
        };
        let line = opcode.line;
        if is_joinable(opcode.text) {
            self.joinable.get_or_insert(line);
        }
        self.function.code.push(Instruction {
            line,
            guard,
            op,
            #[cfg(test)]
            opcode: opcode.text.to_owned(),
            #[cfg(test)]
            ran: false.into(),
        });
        Some(())
    }

    /// `(result), name, (argument, argument)`.
    fn call(&mut self, tokens: &'a [Token<'a>]) -> Option<Op> {
        let words: Vec<&str> = tokens
            .iter()
            .map(|token| token.text)
            .filter(|text| *text != ",")
            .collect();
        let (result, rest) = match words[..] {
            ["(", result, ")", ..] => (Some(result), &words[3..]),
            _ => (None, &words[..]),
        };
        let (name, arguments) = rest.split_first()?;
        let arguments = match arguments {
            [] => arguments,
            ["(", inner @ .., ")"] => inner,
            _ => return None,
        };
        let place = |this: &Self, name: &str| match this.find(name)? {
            Name::Parameter { offset, size } => Some((offset, size)),
            _ => None,
        };
        let places: Vec<(usize, usize)> = arguments.iter().map(|name| place(self, name)).collect::<Option<_>>()?;
        let result = match result {
            Some(name) => Some(place(self, name)?),
            None => None,
        };
        let sizes = places.iter().map(|place| place.1).collect();
        let tokens = tokens.iter().find(|token| token.text == *name)?;
        self.calls.push((self.function.code.len(), tokens.text, sizes));
        Some(Op::Call {
            function: usize::MAX,
            arguments: places.iter().map(|place| place.0).collect(),
            result: result.map(|place| place.0),
        })
    }
}

/// `mul.f32`, not `mul.rn.f32`.
fn is_joinable(opcode: &str) -> bool {
    let mut parts = opcode.split('.').filter(|part| *part != "ftz");
    let named = matches!(parts.next(), Some("add" | "sub" | "mul"));
    named && matches!(parts.next(), Some("f16" | "f32" | "f64"))
}
