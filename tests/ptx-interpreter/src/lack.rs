//! Registers without a value: those that are not written, which may not be read, and values that the manual leaves undefined,
//! of which nothing may come that others see.

use std::cell::Cell;

use crate::error::Error;

/// What a register holds before it is written. No value of less than 64 bits is like this, nor one that a test has chosen.
pub(crate) const UNWRITTEN: u64 = 0x0bad_0bad_0bad_0bac;

/// What a register holds that the manual leaves undefined.
pub(crate) const UNDEFINED: u64 = UNWRITTEN | 1;

/// Is it the value of a register that has none?
pub(crate) fn is_lacking(value: u64) -> bool {
    value | 1 == UNDEFINED
}

/// What the registers lacked that an instruction has read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lack {
    unwritten: Cell<bool>,
    undefined: Cell<bool>,
}

impl Lack {
    /// Notes what was read.
    #[inline]
    pub fn note(&self, value: u64) {
        if is_lacking(value) {
            self.unwritten.set(self.unwritten.get() | (value == UNWRITTEN));
            self.undefined.set(true);
        }
    }

    /// Forgets it.
    pub fn forget(&mut self) {
        *self = Lack::default();
    }

    /// Forgets it. True if something was undefined.
    #[inline]
    pub fn take(&mut self, thread: u32) -> Result<bool, Error> {
        if !self.undefined.get() {
            return Ok(false);
        }
        self.undefined.set(false);
        match self.unwritten.replace(false) {
            false => Ok(true),
            true => Err(Error::from(format!(
                "thread {thread} reads a register that is not written"
            ))),
        }
    }
}
