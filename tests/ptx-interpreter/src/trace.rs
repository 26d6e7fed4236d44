//! What the threads of a launch do to each other in global memory. What it reads through the cache that is not coherent, and what it writes: `ld.global.nc` takes for granted that the
//! memory does not change while the kernel runs.

use std::collections::HashMap;

use crate::error::Error;
use crate::race::Races;

/// Bytes of one entry: a bit for each.
const GRAIN: u64 = 64;

/// Of a launch, or of a part of its blocks.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    grains: HashMap<u64, Grain>,
    pub(crate) races: Races,
}

/// Bytes, from a multiple of the grain on.
#[derive(Clone, Copy, Debug, Default)]
struct Grain {
    constant: u64,
    written: u64,
}

impl Trace {
    /// Notes an aligned access of up to 16 bytes, which lie in one grain.
    pub(crate) fn note(&mut self, address: u64, size: u64, written: bool) -> Result<(), Error> {
        let bits = (u64::MAX >> (GRAIN - size)) << (address % GRAIN);
        let grain = self.grains.entry(address / GRAIN).or_default();
        match written {
            true => grain.written |= bits,
            false => grain.constant |= bits,
        }
        grain.check(address / GRAIN)
    }

    /// Adds what other blocks of the launch did.
    ///
    /// # Errors
    /// One part wrote what another read as constant, or accessed without an order.
    pub fn join(&mut self, other: &Trace) -> Result<(), Error> {
        for (&at, more) in &other.grains {
            let grain = self.grains.entry(at).or_default();
            grain.constant |= more.constant;
            grain.written |= more.written;
            grain.check(at)?;
        }
        self.races.join(&other.races)
    }
}

impl Grain {
    fn check(self, at: u64) -> Result<(), Error> {
        match self.constant & self.written {
            0 => Ok(()),
            both => {
                let address = at * GRAIN + u64::from(both.trailing_zeros());
                Err(Error::from(format!(
                    "the launch writes {address:#x}, which it reads by ld.global.nc"
                )))
            }
        }
    }
}
