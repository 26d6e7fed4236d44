//! What can go wrong.

use std::fmt;
use std::time::Duration;

/// A result with [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Which call of a collective: its number on this rank, what it does, and where the program calls it.
///
/// All ranks make the same calls in the same order. What they compare is this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// How many collective calls this rank made before.
    pub sequence: u64,
    /// What it does, with types and shapes.
    pub what: String,
    /// File of the call.
    pub file: String,
    /// Line of the call, from 1.
    pub line: u32,
    /// Column of the call, from 1.
    pub column: u32,
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Call {
            sequence,
            what,
            file,
            line,
            column,
        } = self;
        write!(f, "call {sequence}, {what}, at {file}:{line}:{column}")
    }
}

/// Why a call failed. After an error of a collective all later collectives of all ranks fail.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Ranks make different calls, or the same call with other types or shapes.
    #[error("ranks make different calls: rank {rank} makes {call}; rank {other} makes {others_call}")]
    Mismatch {
        /// The rank that saw it.
        rank: usize,
        /// Its call.
        call: Box<Call>,
        /// The rank whose message came.
        other: usize,
        /// That rank's call.
        others_call: Box<Call>,
    },
    /// Ranks wait for one another.
    #[error("ranks wait for one another: {}", waiting(calls))]
    Deadlock {
        /// Each of these ranks, and what it is in.
        calls: Vec<(usize, Call)>,
    },
    /// A rank's program ended, and this one still waits for it.
    #[error("rank {rank} ended its program before {call}")]
    Ended {
        /// The rank that ended.
        rank: usize,
        /// What waits for it.
        call: Box<Call>,
    },
    /// Another rank failed.
    #[error("rank {rank} failed: {reason}")]
    Failed {
        /// The rank.
        rank: usize,
        /// What it said.
        reason: String,
    },
    /// A rank panicked.
    #[error("rank {rank} panicked: {message}")]
    Panicked {
        /// The rank.
        rank: usize,
        /// The message of the panic.
        message: String,
    },
    /// No message came within the time limit.
    #[error("nothing came from rank {rank} within {limit:?}, for {call}")]
    TimedOut {
        /// The rank that was waited for.
        rank: usize,
        /// What waited for it.
        call: Box<Call>,
        /// How long.
        limit: Duration,
    },
    /// A message does not hold what the call needs.
    #[error("a message of rank {rank} for {call}: {reason}")]
    Message {
        /// The rank that sent it.
        rank: usize,
        /// What it is for.
        call: Box<Call>,
        /// What is wrong.
        reason: String,
    },
    /// There is no such rank.
    #[error("{what}: there is no rank {rank} among {size}")]
    Rank {
        /// What was attempted.
        what: String,
        /// The rank.
        rank: usize,
        /// How many there are.
        size: usize,
    },
    /// A grid cannot be divided among the ranks.
    #[error("a grid of shape {shape:?} for {size} ranks: {reason}")]
    Division {
        /// The grid's shape.
        shape: Vec<usize>,
        /// How many ranks there are.
        size: usize,
        /// Why.
        reason: String,
    },
    /// An argument that does not suit.
    #[error("{what}: expected {expected}, got {got}")]
    Argument {
        /// What was attempted, and on what.
        what: String,
        /// What suits.
        expected: String,
        /// What came.
        got: String,
    },
    /// The ranks cannot be started.
    #[error("starting the ranks: {0}")]
    Start(String),
    /// A file cannot be read or written.
    #[error("{path}: {reason}")]
    File {
        /// The file.
        path: String,
        /// Why.
        reason: String,
    },
    /// Of the library: of a kernel, a field or a device.
    #[error(transparent)]
    Swathe(#[from] swathe::Error),
    /// Of the program.
    #[error("{0}")]
    Program(String),
}

impl Error {
    /// An error of the program's own.
    ///
    /// ```
    /// use swathe_distributed::Error;
    ///
    /// assert_eq!(Error::program("it does not converge").to_string(), "it does not converge");
    /// ```
    pub fn program(message: impl fmt::Display) -> Error {
        Error::Program(message.to_string())
    }

    /// What the other ranks are told.
    pub(crate) fn of_rank(&self, rank: usize) -> Error {
        match self {
            // It says of itself which ranks it is about.
            Error::Mismatch { .. }
            | Error::Deadlock { .. }
            | Error::Ended { .. }
            | Error::Failed { .. }
            | Error::Panicked { .. }
            | Error::TimedOut { .. } => self.clone(),
            other => Error::Failed {
                rank,
                reason: other.to_string(),
            },
        }
    }
}

fn waiting(calls: &[(usize, Call)]) -> String {
    let each: Vec<String> = calls
        .iter()
        .map(|(rank, call)| format!("rank {rank} in {call}"))
        .collect();
    each.join("; ")
}
