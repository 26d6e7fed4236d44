//! Operands and their types.

/// A type of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits,
    Unsigned,
    Signed,
    Float,
    Predicate,
}

/// A type: its kind and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Type {
    pub kind: Kind,
    pub bits: u32,
}

impl Type {
    /// Of a suffix: `u32`.
    pub fn parse(text: &str) -> Option<Type> {
        if text == "pred" {
            return Some(Type {
                kind: Kind::Predicate,
                bits: 1,
            });
        }
        let kind = match text.get(..1)? {
            "b" => Kind::Bits,
            "u" => Kind::Unsigned,
            "s" => Kind::Signed,
            "f" => Kind::Float,
            _ => return None,
        };
        let bits = text[1..].parse().ok().filter(|bits| [8, 16, 32, 64].contains(bits))?;
        (kind != Kind::Float || bits >= 32).then_some(Type { kind, bits })
    }

    pub fn bytes(self) -> usize {
        self.bits as usize / 8
    }

    /// The lowest bits.
    pub fn mask(self, value: u64) -> u64 {
        value & (u64::MAX >> (64 - self.bits))
    }

    /// With the sign, if it has one.
    pub fn extend(self, value: u64) -> u64 {
        if self.kind == Kind::Signed {
            let shift = 64 - self.bits;
            ((value << shift) as i64 >> shift) as u64
        } else {
            self.mask(value)
        }
    }
}

/// What an instruction reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Register(usize),
    Value(u64),
    Special(Special),
}

/// What is of a thread, or of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Thread,
    Threads,
    Block,
    Blocks,
    Shared,
}

impl Special {
    pub fn parse(text: &str) -> Option<Special> {
        Some(match text {
            "%tid.x" => Special::Thread,
            "%ntid.x" => Special::Threads,
            "%ctaid.x" => Special::Block,
            "%nctaid.x" => Special::Blocks,
            "swathe_shared" => Special::Shared,
            _ => return None,
        })
    }
}

/// A number: `-12`, `0x10U`, `0f3F800000`, `0d3FF0000000000000`.
pub(crate) fn number(text: &str) -> Option<u64> {
    if let Some(digits) = text.strip_prefix("0f") {
        return u32::from_str_radix(digits, 16).ok().map(u64::from);
    }
    if let Some(digits) = text.strip_prefix("0d") {
        return u64::from_str_radix(digits, 16).ok();
    }
    let text = text.strip_suffix('U').unwrap_or(text);
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok();
    }
    match text.strip_prefix('-') {
        Some(digits) => digits.parse::<u64>().ok().map(u64::wrapping_neg),
        None => text.parse().ok(),
    }
}
