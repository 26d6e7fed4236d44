//! Instructions.

use crate::operand::{Operand, Type};

/// An instruction, of a line of the text.
#[derive(Debug)]
pub(crate) struct Instruction {
    pub line: usize,
    /// Runs if the register is not 0, or if it is 0.
    pub guard: Option<(usize, bool)>,
    pub op: Op,
}

/// What it does.
#[derive(Debug)]
pub(crate) enum Op {
    Unary(Unary, Type, usize, Operand),
    Binary(Binary, Type, usize, Operand, Operand),
    /// `a * b + c`, the lower half.
    Mad(Type, usize, [Operand; 3]),
    /// From the second type to the first.
    Convert(Type, Type, usize, Operand),
    Compare(Comparison, Type, usize, Operand, Operand),
    Select(usize, Operand, Operand, usize),
    Permute(usize, [Operand; 3]),
    /// Bits from a place on, so many, without a sign.
    Extract(usize, [Operand; 3]),
    /// Of so many bits.
    HighHalf(u32, usize, Operand),
    /// Of parts with equally many bits, the lowest first.
    Pack(Type, usize, Vec<Operand>),
    Unpack(Type, Vec<usize>, Operand),
    LoadParam(Type, usize, usize),
    Load(Type, Vec<usize>, Address),
    Store(Type, Vec<Operand>, Address),
    /// The lesser or the greater one stays.
    Atomic(Extreme, Type, usize, Address, Operand),
    Branch(usize),
    Barrier,
    Return,
}

/// A register and a number of bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    pub base: Operand,
    pub offset: u64,
    /// Has it to be in shared memory, or out of it? Open for generic addresses.
    pub shared: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extreme {
    Min,
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Move,
    Not,
    Negate,
    Absolute,
    CountOnes,
    LeadingZeros,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    MultiplyHigh,
    /// Twice the bits of the type.
    MultiplyWide,
    Divide,
    Remainder,
    Min,
    Max,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
}

/// Of ordered values; `or_nan` is true of NaN too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub relation: Relation,
    pub or_nan: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// Both are numbers.
    Numbers,
    /// One is none.
    Nan,
}
