//! What names mean inside of a function: registers, parameters, variables; and its constants.

use super::super::Symbol;
use super::{Body, Constant, Name};
use crate::lack::{KEPT, UNWRITTEN};
use crate::module::Parameter;
use crate::operand::{Operand, Place, Slot, Special, Type};
use crate::token::Token;

impl<'a> Body<'a, '_> {
    pub(super) fn declare(&mut self, name: &'a str, meaning: Name) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.0.insert(name, meaning);
        }
    }

    pub(super) fn find(&self, name: &str) -> Option<Name> {
        self.scopes.iter().rev().find_map(|scope| scope.0.get(name).copied())
    }

    /// `.b32 a, b` or `.b32 %r<27>`.
    pub(super) fn registers(&mut self, tokens: &[Token<'a>]) -> Option<()> {
        let (ty, mut rest) = tokens.split_first()?;
        Type::parse(ty.text.strip_prefix('.')?)?;
        loop {
            let (name, after) = rest.split_first()?;
            rest = match after {
                [open, count, close, after @ ..] if open.text == "<" && close.text == ">" => {
                    let count: u32 = count.text.parse().ok()?;
                    (count <= 1 << 20).then_some(())?;
                    self.families.push((name.text, count));
                    after
                }
                _ => {
                    let slot = self.slot(UNWRITTEN);
                    self.declare(name.text, Name::Register(slot));
                    after
                }
            };
            match rest.split_first() {
                None => return Some(()),
                Some((comma, after)) if comma.text == "," => rest = after,
                Some(_) => return None,
            }
        }
    }

    pub(super) fn slot(&mut self, value: u64) -> Slot {
        self.function.slots.push(value ^ KEPT);
        (self.function.slots.len() - 1) as Slot
    }

    pub fn constant(&mut self, value: u64) -> Slot {
        self.kept(Constant::Number(value), value)
    }

    fn kept(&mut self, constant: Constant, value: u64) -> Slot {
        if let Some(slot) = self.constants.get(&constant) {
            return *slot;
        }
        let slot = self.slot(value);
        if constant == Constant::Dynamic {
            self.function.dynamic.push(slot);
        }
        self.constants.insert(constant, slot);
        slot
    }

    pub fn special(&mut self, special: Special) -> Slot {
        let known = self.function.specials.iter().find(|(_, known)| *known == special);
        if let Some((slot, _)) = known {
            return *slot;
        }
        let slot = self.slot(UNWRITTEN);
        self.function.specials.push((slot, special));
        slot
    }

    /// A register, or an address in its space: of a variable, or of a kernel's parameter (5.1.6.1).
    pub fn value(&mut self, name: &'a str) -> Option<Slot> {
        match self.find(name) {
            Some(Name::Register(slot)) => return Some(slot),
            Some(Name::Variable(at)) => return Some(self.constant(at as u64)),
            Some(Name::Parameter { offset, size }) => {
                let of_kernel = self.function.is_entry && self.function.params.contains(&Parameter { offset, size });
                return of_kernel.then(|| self.constant(offset as u64));
            }
            None => {}
        }
        match self.symbols.get(name) {
            Some(Symbol::Shared(at)) => Some(self.constant(*at as u64)),
            Some(Symbol::Global(address)) => Some(self.constant(*address)),
            Some(Symbol::Dynamic) => Some(self.kept(Constant::Dynamic, 0)),
            None => self.member(name),
        }
    }

    /// A register of a family such as `%r<27>`.
    fn member(&mut self, name: &'a str) -> Option<Slot> {
        if let Some(slot) = self.members.get(name) {
            return Some(*slot);
        }
        let digits = name.trim_start_matches(|c: char| !c.is_ascii_digit());
        let family = &name[..name.len() - digits.len()];
        let number: u32 = digits.parse().ok()?;
        let declared = |known: &(&str, u32)| known.0 == family && number < known.1;
        self.families.iter().any(declared).then_some(())?;
        let slot = self.slot(UNWRITTEN);
        self.members.insert(name, slot);
        Some(slot)
    }

    pub fn parameter(&self, name: &str) -> Option<Place> {
        match self.find(name)? {
            Name::Parameter { offset, size } => Some(Place::Parameter { offset, size }),
            _ => None,
        }
    }
}

/// A parameter's bytes, of an address.
pub(crate) fn parameter(operand: &Operand, bytes: usize) -> Option<usize> {
    match operand {
        Operand::Address(Place::Parameter { offset, size }, from) => {
            let from = usize::try_from(*from).ok()?;
            let end = from.checked_add(bytes)?;
            (end <= *size).then(|| offset + from)
        }
        _ => None,
    }
}
