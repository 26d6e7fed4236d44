//! Registers without a value: those that are not written, which may not be read, and values that the manual leaves undefined,
//! of which nothing may come that others see.

use std::cell::Cell;

use crate::error::Error;

/// What a register holds before it is written: digits of no meaning, which are nobody's data. No value of less than 64 bits is like this.
pub(crate) const UNWRITTEN: u64 = 0x6c1f_93d8_47ab_e25c;

/// What a register holds that the manual leaves undefined.
pub(crate) const UNDEFINED: u64 = UNWRITTEN | 1;

/// What registers are kept with (`^`): memory that is freed and used again, as padding of a field, must not hold what a register without a value holds.
pub(crate) const KEPT: u64 = 0xa538_0e97_d1c4_6b2f;

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
