//! How ranks reach one another.

use crate::error::{Call, Error, Result};

/// One rank's end of what carries messages: bytes, from one rank to another, in order.
///
/// This is all that a [`World`](crate::World) needs. [`Local`](crate::Local) implements it for threads of one process.
pub trait Transport {
    /// Number of this rank, from 0. A [`World`](crate::World) asks once, when it is made.
    fn rank(&self) -> usize;

    /// How many ranks there are, always the same: this one at least. A [`World`](crate::World) asks once, too.
    fn size(&self) -> usize;

    /// Number of this rank among those of the same machine.
    fn local_rank(&self) -> usize {
        self.rank()
    }

    /// Sends a message to another rank, and does not wait for it. Messages to one rank arrive in the order in which they were sent.
    ///
    /// # Errors
    /// Those of ranks that failed.
    fn send(&self, to: usize, message: Vec<u8>) -> Result<()>;

    /// Waits for the next message of another rank, for the sake of `call`.
    ///
    /// # Errors
    /// [`Error::Failed`], [`Error::Panicked`] and [`Error::Ended`] if a rank does not go on, [`Error::Deadlock`] or
    /// [`Error::TimedOut`] if nothing can come: it never waits for ever.
    fn receive(&self, from: usize, call: &Call) -> Result<Vec<u8>>;

    /// Tells all ranks that they cannot go on. Of several such the first one counts.
    fn fail(&self, error: Error);
}

/// The only rank of a world.
pub(crate) struct Alone;

impl Transport for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn send(&self, to: usize, _: Vec<u8>) -> Result<()> {
        Err(no_rank("sending", to))
    }

    fn receive(&self, from: usize, _: &Call) -> Result<Vec<u8>> {
        Err(no_rank("receiving", from))
    }

    fn fail(&self, _: Error) {}
}

fn no_rank(what: &str, rank: usize) -> Error {
    Error::Rank {
        what: what.to_owned(),
        rank,
        size: 1,
    }
}
