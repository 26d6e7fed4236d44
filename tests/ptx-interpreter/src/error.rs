//! What goes wrong in a kernel.

use std::fmt;

/// Why a kernel stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What a device would call it.
    pub cause: Cause,
    /// In words, with the line of the PTX.
    pub text: String,
}

/// Kinds of errors, with the address of a wrong access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Outside of the regions, or a write to one that is read only.
    Outside(u64),
    /// Not at a multiple of its size.
    Misaligned(u64),
    /// All else, much of which a device does not see.
    Other,
}

impl From<String> for Error {
    fn from(text: String) -> Error {
        let cause = Cause::Other;
        Error { cause, text }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Error {}
