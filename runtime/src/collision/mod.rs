//! Iterations of a parallel loop that meet at one place.

pub(crate) mod met;
pub(crate) mod places;

use std::fmt;

/// Two iterations of one parallel loop that access the same place, one of them writing: what an `unsafe` block said would not
/// happen. Found where [`Device::checked`](crate::Device::checked) or `SWATHE_CHECK=1` asks for it.
///
/// The accesses stand in the order of their places in the source, then of their iterations. Of several collisions in one launch this is the
/// first by the places of its accesses, then by index. Where more than two iterations meet, it depends on their order which are named.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{}: kernel `{kernel}`: iteration {} of a parallel loop {} `{field}` at {index:?}, which iteration {} {} at {}; an `unsafe` \
     block says that they never meet",
    first.place(), first.iteration, first.kind, second.iteration, second.kind, second.place()
)]
pub struct Collision {
    /// The kernel.
    pub kernel: &'static str,
    /// The parameter that holds the field.
    pub field: &'static str,
    /// The position of the element; of an offset field, how far it is from the origin.
    pub index: Box<[usize]>,
    /// One of the two.
    pub first: CollidingAccess,
    /// The other.
    pub second: CollidingAccess,
}

/// One of two accesses that collide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CollidingAccess {
    /// Source file.
    pub file: &'static str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What it does.
    pub kind: AccessKind,
    /// Number of the iteration, from 0, in the order in which one thread would run the loop.
    pub iteration: usize,
}

/// What an access does with a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AccessKind {
    /// Writes it; also `+=` and the like.
    Write,
    /// Reads it.
    Read,
    /// Changes it atomically.
    AtomicChange,
    /// Reads it atomically.
    AtomicLoad,
}

impl CollidingAccess {
    fn place(&self) -> String {
        format!("{}:{}:{}", self.file, self.line, self.column)
    }
}

impl fmt::Display for AccessKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AccessKind::Write => "writes",
            AccessKind::Read => "reads",
            AccessKind::AtomicChange => "changes atomically",
            AccessKind::AtomicLoad => "reads atomically",
        })
    }
}

impl AccessKind {
    /// In the order of their numbers; those of plain accesses come first.
    pub(crate) const ALL: [AccessKind; 4] = [
        AccessKind::Write,
        AccessKind::Read,
        AccessKind::AtomicChange,
        AccessKind::AtomicLoad,
    ];

    /// The words of a cell: for each kind two iterations, the first that came and the first other one. Whoever collides with a kind
    /// finds an iteration there that is not its own, in whatever order all of them come.
    pub(crate) const SLOTS: usize = 8;
    /// Where there are no atomic operations.
    pub(crate) const PLAIN_SLOTS: usize = 4;
    /// Words of a kind.
    pub(crate) const HELD: usize = 2;

    /// The words of this kind.
    pub(crate) const fn slots(self) -> std::ops::Range<usize> {
        let start = self as usize * Self::HELD;
        start..start + Self::HELD
    }

    /// Whether two accesses of different iterations collide.
    pub(crate) const fn collides(self, other: AccessKind) -> bool {
        use AccessKind::{AtomicChange, AtomicLoad, Read, Write};
        match (self, other) {
            (Write, _) | (_, Write) | (Read, AtomicChange) | (AtomicChange, Read) => true,
            (Read | AtomicChange | AtomicLoad, Read | AtomicChange | AtomicLoad) => false,
        }
    }
}
