//! Instructions, ready to run.

use crate::compute::approximate::Approximation;
use crate::compute::convert::Conversion;
use crate::operand::{Place, Slot, Type};

/// An instruction, of a line of the text.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub line: usize,
    /// Runs if the register is not 0, or if it is 0.
    pub guard: Option<(Slot, bool)>,
    pub op: Op,
    /// For tests: what is written, and whether a thread came here.
    #[cfg(test)]
    pub opcode: String,
    #[cfg(test)]
    pub ran: std::sync::atomic::AtomicBool,
}

pub(crate) type F1 = fn(u64) -> u64;
pub(crate) type F2 = fn(u64, u64) -> u64;
pub(crate) type F3 = fn(u64, u64, u64) -> u64;
pub(crate) type F4 = fn(u64, u64, u64, u64) -> u64;
/// A value that does not exist for all operands.
pub(crate) type Partial = fn(u64, u64) -> Option<u64>;
/// A value and the carry, from three operands and the carry.
pub(crate) type Carry = fn(u64, u64, u64, u64) -> (u64, u64);

/// What it does.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    /// Of so many bits.
    Move(u32, Slot, Slot),
    One(F1, Slot, Slot),
    Two(F2, Slot, [Slot; 2]),
    NearOne(F1, Approximation, Slot, Slot),
    NearTwo(F2, Approximation, Slot, [Slot; 2]),
    Three(F3, Slot, [Slot; 3]),
    Four(F4, Slot, [Slot; 4]),
    Partial(Partial, Slot, [Slot; 2]),
    Convert(Box<Conversion>, Slot, Slot),
    /// The first if the third holds, else the second.
    Select(Slot, [Slot; 3]),
    /// A comparison of the first two, joined with the third, which may be negated.
    Joined(F2, F2, Slot, [Slot; 3], bool),
    Carry {
        compute: Carry,
        to: Slot,
        from: [Slot; 3],
        keep: bool,
    },
    /// Of parts with so many bits, the lowest first.
    Pack(u32, Slot, Vec<Slot>),
    Unpack(u32, Vec<Option<Slot>>, Slot),
    Load(Access, Vec<Option<Slot>>),
    Store(Access, Vec<Slot>),
    LoadParameter(Type, Vec<Option<Slot>>, usize),
    /// Of a kernel, at an address in the space of its parameters.
    LoadParameterAt {
        ty: Type,
        to: Vec<Option<Slot>>,
        base: Slot,
        offset: u64,
    },
    StoreParameter(Type, Vec<Slot>, usize),
    Atomic {
        access: Access,
        modify: Modify,
        to: Option<Slot>,
        from: [Slot; 2],
    },
    Shuffle {
        mode: Shuffle,
        to: Slot,
        valid: Option<Slot>,
        from: [Slot; 4],
    },
    /// To generic addresses, or back.
    Generic(Space, Slot, Slot),
    Specific(Space, Slot, Slot),
    Branch(usize),
    /// With this number.
    Barrier(Slot),
    /// The lanes that are here at the same time.
    Active(Slot),
    /// The lanes of this mask wait for each other.
    Converge(Slot),
    Call {
        function: usize,
        /// Where each argument and the result start in the caller.
        arguments: Vec<usize>,
        result: Option<usize>,
    },
    Fence,
    Return,
    Exit,
}

impl Op {
    /// The registers that computations write.
    pub fn results(&self, mut of: impl FnMut(Slot)) {
        match self {
            Op::Move(_, d, _)
            | Op::One(_, d, _)
            | Op::Two(_, d, _)
            | Op::NearOne(_, _, d, _)
            | Op::NearTwo(_, _, d, _)
            | Op::Three(_, d, _)
            | Op::Four(_, d, _)
            | Op::Partial(_, d, _)
            | Op::Convert(_, d, _)
            | Op::Select(d, _)
            | Op::Joined(_, _, d, ..)
            | Op::Carry { to: d, .. }
            | Op::Generic(_, d, _)
            | Op::Specific(_, d, _)
            | Op::Pack(_, d, _) => of(*d),
            Op::Unpack(_, parts, _) => parts.iter().flatten().for_each(|d| of(*d)),
            Op::Load(..)
            | Op::Store(..)
            | Op::LoadParameter(..)
            | Op::LoadParameterAt { .. }
            | Op::StoreParameter(..)
            | Op::Atomic { .. }
            | Op::Shuffle { .. }
            | Op::Branch(_)
            | Op::Barrier(_)
            | Op::Active(_)
            | Op::Converge(_)
            | Op::Call { .. }
            | Op::Fence
            | Op::Return
            | Op::Exit => {}
        }
    }
}

/// An access to memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub ty: Type,
    pub base: Slot,
    pub offset: u64,
    pub space: Space,
    pub path: Path,
}

/// How an access goes about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    Plain,
    /// Through the cache that is not coherent.
    Constant,
    /// As it is written, for others to see.
    Volatile,
}

/// State spaces (5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Space {
    Generic,
    Global,
    Constant,
    Shared,
    Local,
}

/// The new value of old one and operands.
pub(crate) type Modify = fn(u64, u64, u64) -> u64;

/// Whose value a lane takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shuffle {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What an address starts from, as a slot.
pub(crate) fn base(place: Place) -> Option<Slot> {
    match place {
        Place::Slot(slot) => Some(slot),
        Place::Parameter { .. } => None,
    }
}
