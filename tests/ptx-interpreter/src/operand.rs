//! Types and operands of instructions.

/// What a type says of the bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Bits,
    Unsigned,
    Signed,
    Float,
    /// `bf16`, which only conversions take.
    Brain,
    Predicate,
}

/// A fundamental type (5.2.1): its kind and its bits.
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
        if text == "bf16" {
            return Some(Type {
                kind: Kind::Brain,
                bits: 16,
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
        (kind != Kind::Float || bits >= 16).then_some(Type { kind, bits })
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

/// Where a value lies among those of a call of a function: its registers, then its constants.
pub(crate) type Slot = u32;

/// An operand as it is written, with names resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    Slot(Slot),
    /// A predicate in the negative.
    Not(Slot),
    /// `{a, b}`; none is `_`, which drops a value.
    List(Vec<Option<Slot>>),
    /// `a|b`.
    Pair(Slot, Slot),
    /// `[a+8]`.
    Address(Place, u64),
}

/// What an address starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Slot(Slot),
    /// A parameter, which is no memory: where it starts among those of the call.
    Parameter {
        offset: usize,
        size: usize,
    },
}

/// A constant of a function, which differs from thread to thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Special {
    Thread(usize),
    Threads(usize),
    Block(usize),
    Blocks(usize),
    Lane,
}

impl Special {
    /// Of section 10, without those that differ from run to run.
    pub fn parse(text: &str) -> Option<Special> {
        if text == "%laneid" {
            return Some(Special::Lane);
        }
        let (name, axis) = text.split_once('.')?;
        let axis = ["x", "y", "z"].iter().position(|name| *name == axis)?;
        Some(match name {
            "%tid" => Special::Thread(axis),
            "%ntid" => Special::Threads(axis),
            "%ctaid" => Special::Block(axis),
            "%nctaid" => Special::Blocks(axis),
            _ => return None,
        })
    }
}

/// A number (4.5): `12`, `0x10U`, `0f3F800000`, `0d3FF0000000000000`.
pub(crate) fn number(text: &str) -> Option<u64> {
    let radix = |digits, radix| u64::from_str_radix(digits, radix).ok();
    if let Some(digits) = text.strip_prefix("0f").or_else(|| text.strip_prefix("0F")) {
        return u32::from_str_radix(digits, 16).ok().map(u64::from);
    }
    if let Some(digits) = text.strip_prefix("0d").or_else(|| text.strip_prefix("0D")) {
        return radix(digits, 16);
    }
    let text = text.strip_suffix('U').unwrap_or(text);
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => radix(digits, 16),
        None => text.parse().ok(),
    }
}
