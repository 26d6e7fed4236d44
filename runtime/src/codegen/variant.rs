//! What a kernel's code takes for granted of its arguments.

use swathe_ir::{Scalar, Type};

/// One of the codes of a kernel; the launcher chooses it from the actual arguments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Variant {
    /// In how many bits positions are computed.
    pub index: IndexWidth,
    /// The parameters that are parts of fields.
    pub strided: Params,
    /// The parameters that are structures of arrays.
    pub planar: Params,
    /// The parameters that loops change in copies, one for each block, where they do nothing else with them.
    pub copied: Params,
    /// It verifies what `unsafe` blocks claim; positions have 64 bits then.
    pub checked: bool,
}

/// A set of a kernel's parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Params(u128);

impl Params {
    /// Adds a parameter; `None` if there are too many of them.
    #[must_use]
    pub fn with(self, param: usize) -> Option<Params> {
        let bit = 1_u128.checked_shl(u32::try_from(param).ok()?)?;
        Some(Params(self.0 | bit))
    }

    /// Whether the parameter is one of them.
    #[must_use]
    pub fn contains(self, param: usize) -> bool {
        u32::try_from(param).is_ok_and(|param| self.0.checked_shr(param).is_some_and(|rest| rest & 1 == 1))
    }
}

/// In how many bits positions and addresses are computed. Values of the user keep their 64 bits: only what provably
/// fits is narrowed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IndexWidth {
    /// Every extent and number of elements, and every `usize` that is a parameter, is below 2^31.
    #[default]
    Bits32,
    /// There is no limit.
    Bits64,
}

impl IndexWidth {
    /// Whether a number of elements, an extent or a parameter suits code of this width.
    #[inline]
    #[must_use]
    pub const fn holds(self, n: usize) -> bool {
        match self {
            IndexWidth::Bits32 => n < 1 << 31,
            IndexWidth::Bits64 => true,
        }
    }

    /// The C++ type of extents and loop variables.
    pub(super) const fn name(self) -> &'static str {
        match self {
            IndexWidth::Bits32 => "u32",
            IndexWidth::Bits64 => "usize",
        }
    }
}

impl Variant {
    /// The one that verifies what `unsafe` blocks claim.
    #[must_use]
    pub fn with_checks(self) -> Variant {
        Variant {
            index: IndexWidth::Bits64,
            checked: true,
            ..self
        }
    }

    /// Whether a parameter passed by value has to be below 2^31.
    pub(super) fn narrows(self, ty: &Type) -> bool {
        self.index == IndexWidth::Bits32 && *ty == Type::Scalar(Scalar::Usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn narrow_code_is_for_less_than_2_to_the_31() {
        assert!(IndexWidth::Bits32.holds((1 << 31) - 1));
        assert!(!IndexWidth::Bits32.holds(1 << 31));
        assert!(IndexWidth::Bits64.holds(usize::MAX));
    }
}
