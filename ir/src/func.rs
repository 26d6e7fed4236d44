//! Functions: kernels and the functions that they call.

use crate::expr::Block;
use crate::op::{BinOp, ReduceOp};

/// Index into [`Func::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// Index into the table of types that rustc fills for each instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeSlot(pub u32);

impl TypeSlot {
    /// In a pattern's literal: the type of the matched value.
    pub const OF_MATCHED: TypeSlot = TypeSlot(u32::MAX);
}

/// Index into the table of functions that the body calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CalleeSlot(pub u32);

/// Index into the table of constants (items, associated constants, const parameters) that the body names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstSlot(pub u32);

/// Place in the user's source: line and column both count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// Line in its [file](Func::file_of).
    pub line: u32,
    /// Column in that line.
    pub column: u32,
    /// 0 for [`Func::file`], else one more than its place in [`Func::files`].
    pub file: u32,
}

/// A kernel or a function callable from kernels, with slots instead of types.
#[derive(Clone, Debug, PartialEq)]
pub struct Func {
    /// Name as written, without path.
    pub name: String,
    /// Source file as rustc names it.
    pub file: String,
    /// Other files that parts of its text come from, which macros passed on.
    pub files: Vec<String>,
    /// Where the name stands.
    pub span: Span,
    /// Kernel or function.
    pub kind: FuncKind,
    /// Parameters in order; a method's `self` is the first.
    pub params: Vec<Param>,
    /// Type of the result; `None` for `()`.
    pub ret: Option<TypeSlot>,
    /// All variables, parameters included, in order of declaration.
    pub locals: Vec<Local>,
    /// The body.
    pub body: Block,
    /// Number of type slots.
    pub types: u32,
    /// Number of callee slots.
    pub callees: u32,
    /// Number of constant slots.
    pub consts: u32,
}

impl Func {
    /// The file that a place of its text is in.
    #[must_use]
    pub fn file_of(&self, span: Span) -> &str {
        let other = (span.file as usize).checked_sub(1).and_then(|k| self.files.get(k));
        other.unwrap_or(&self.file)
    }
}

/// What a [`Func`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FuncKind {
    /// Launched from the host; its outermost loops are parallel.
    Kernel,
    /// Called by kernels.
    Func,
}

/// One parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// The variable that it binds; its type slot holds a [`crate::Type::Field`] for a field, the pointee for a reference.
    pub local: LocalId,
    /// How it is passed.
    pub kind: ParamKind,
}

/// How a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamKind {
    /// By value.
    Value,
    /// By reference to a value (functions only).
    Ref {
        /// `&mut`.
        mutable: bool,
    },
    /// A field (kernels only).
    Field {
        /// `&mut`.
        mutable: bool,
    },
}

/// One variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Name as written (`self` for a receiver).
    pub name: String,
    /// Its type.
    pub ty: TypeSlot,
    /// Declared `mut`, or assigned after its declaration.
    pub mutable: bool,
    /// Where it is declared.
    pub span: Span,
}

/// An outer variable that a parallel loop accumulates into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The variable.
    pub local: LocalId,
    /// How two partial results combine.
    pub op: ReduceOp,
}

/// Outer variables that take new values together where a comparison holds, `if x < best { best = x; at = i; }`: a reduction to an extreme value and
/// what belongs to it (arg min, arg max). They have the values of the iteration that the loop takes last where it runs in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArgReduction {
    /// What is compared; a number.
    pub best: LocalId,
    /// What a new value, on the left, has to be beside it: [`BinOp::Lt`], [`BinOp::Le`], [`BinOp::Gt`] or [`BinOp::Ge`].
    pub op: BinOp,
    /// The other variables.
    pub taken: Vec<LocalId>,
}

impl ArgReduction {
    /// All of its variables.
    pub fn locals(&self) -> impl Iterator<Item = LocalId> {
        std::iter::once(self.best).chain(self.taken.iter().copied())
    }
}
