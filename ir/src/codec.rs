//! [`Func`] to bytes and back.

use crate::Func;

/// The bytes are not an encoded function of this version of swathe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// Offset at which reading failed.
    pub offset: usize,
}

/// Encodes a function.
#[must_use]
pub fn encode(func: &Func) -> Vec<u8> {
    let _ = func;
    Vec::new()
}

/// Decodes a function.
///
/// # Errors
/// If the bytes are truncated or hold an unknown tag.
pub fn decode(bytes: &[u8]) -> Result<Func, DecodeError> {
    let _ = bytes;
    Err(DecodeError { offset: 0 })
}
