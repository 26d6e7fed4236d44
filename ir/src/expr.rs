//! Expressions, statements and patterns.

use crate::func::{ArgReduction, CalleeSlot, ConstSlot, LocalId, Reduction, Span, TypeSlot};
use crate::op::{BinOp, UnOp};

/// A loop or block that `break` and `continue` can name; unique within a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LabelId(pub u32);

/// A sequence of statements with an optional value.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// The statements.
    pub stmts: Vec<Stmt>,
    /// The value; `None` for `()` or a block that diverges.
    pub tail: Option<Box<Expr>>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `let pat = init;`, or `let x;` with a later first assignment.
    Let {
        /// What it binds.
        pat: Pat,
        /// Its value.
        init: Option<Expr>,
        /// Where it stands.
        span: Span,
    },
    /// An expression whose value is not used.
    Expr(Expr),
    /// A parallel loop; only at the top level of a kernel's body.
    ParFor(ParFor),
}

/// A parallel loop.
#[derive(Clone, Debug, PartialEq)]
pub struct ParFor {
    /// What it runs over.
    pub domain: Domain,
    /// One variable for each axis, slowest first; `None` for `_`. A single variable over a domain of several axes is
    /// an array of all positions.
    pub vars: Vec<Option<LocalId>>,
    /// What one iteration does. `continue` of the loop itself uses this label; `break` never occurs.
    pub label: LabelId,
    /// The body; it has no value.
    pub body: Block,
    /// Outer variables that it accumulates into; the body changes them in place and otherwise does not read them.
    pub reductions: Vec<Reduction>,
    /// Others that it compares with and gives new values together, in one way each.
    pub arg_reductions: Vec<ArgReduction>,
    /// If all of these hold when the loop starts, every access marked [`Check::Hoisted`] in it is in bounds.
    pub hoisted: Vec<Cover>,
    /// Fields with an access in an `unsafe` block: that no two iterations collide there is the author's word.
    pub vouched: Vec<LocalId>,
    /// Where it stands.
    pub span: Span,
}

impl ParFor {
    /// Whether it has results.
    #[must_use]
    pub fn reduces(&self) -> bool {
        !self.reductions.is_empty() || !self.arg_reductions.is_empty()
    }

    /// The outer variables that it changes.
    pub fn reduced(&self) -> impl Iterator<Item = LocalId> {
        let args = self.arg_reductions.iter().flat_map(ArgReduction::locals);
        self.reductions.iter().map(|r| r.local).chain(args)
    }
}

/// A condition on a field: `extent <= field.shape()[axis]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// What has to fit.
    pub extent: Extent,
    /// The field.
    pub field: LocalId,
    /// Its axis; meaningless for [`Extent::All`], which compares every axis.
    pub axis: u32,
}

/// A number of elements that does not change during a launch.
#[derive(Clone, Debug, PartialEq)]
pub enum Extent {
    /// `field.shape()[axis]`.
    Shape(LocalId, u32),
    /// `field.len()`.
    Len(LocalId),
    /// Every extent of a field of the same rank.
    All(LocalId),
    /// A `usize` variable, set before the loop and never changed.
    Local(LocalId),
    /// A number.
    Literal(u64),
    /// The positions of an offset field along an axis, with a number added, which wraps: the condition is that both ends are in the
    /// other field's range.
    Range(LocalId, u32, u64),
    /// The positions of an offset field along every axis, of another one of the same rank.
    Ranges(LocalId),
}

/// What a parallel loop runs over.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// `field.indices()`: all positions, in row-major order; the number of axes is the field's rank.
    Indices(LocalId),
    /// `start..end`, one axis.
    Range(Range),
    /// `ndrange([n, m, ..])`: from 0 to each extent, of type `usize`.
    NdRange(Vec<Expr>),
}

/// `start..end` or `start..=end`, possibly reversed and with a step.
#[derive(Clone, Debug, PartialEq)]
pub struct Range {
    /// First value.
    pub start: Box<Expr>,
    /// End.
    pub end: Box<Expr>,
    /// `..=`.
    pub inclusive: bool,
    /// `.rev()`, applied before `step`.
    pub reverse: bool,
    /// `.step_by(n)`, of type `usize`.
    pub step: Option<Box<Expr>>,
    /// `.rev()` behind `step`: the same values, from the last one.
    pub turned: bool,
}

/// An irrefutable pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum Pat {
    /// A variable.
    Bind(LocalId),
    /// `_`.
    Wild,
    /// `(a, b)`.
    Tuple(Vec<Pat>),
    /// `[a, b]`, over an array.
    Array(Vec<Pat>),
}

/// An expression and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its first character.
    pub span: Span,
}

/// Literals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lit {
    /// `true`, `false`; carries no type slot.
    Bool(bool),
    /// An integer literal, also in a float's place never (`1` is never a float in Rust).
    Int(u128),
    /// A float literal.
    /// Rounded to `f64`, and to `f32`: the one of the other would be rounded twice.
    Float(f64, f32),
}

/// What covers an access to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// Always in bounds, by the domains of the loops around it.
    Proven,
    /// In bounds if all of [`ParFor::hoisted`] holds, else checked in place.
    Hoisted,
    /// Checked in place.
    InKernel,
    /// `unsafe { f.get_unchecked(..) }`: the author's word.
    Unchecked,
}

/// One access to an element of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct FieldAccess {
    /// The field.
    pub field: LocalId,
    /// One index for each axis, slowest first. A single index that is itself an array (`f[ij]` with `ij` an array
    /// variable) stands alone and has an array type.
    pub index: Vec<Expr>,
    /// What covers it.
    pub check: Check,
}

/// Atomic operations on a field's element; each returns the old value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Add,
    Sub,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exchange,
    /// Arguments: current, new.
    CompareExchange,
    Load,
    Store,
}

/// Where a text for the user goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Output {
    /// The standard output.
    Out,
    /// The standard error.
    Err,
    /// The standard error, behind the place in the text: `dbg!`.
    Debug,
}

/// The kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal with its inferred type (the slot of a boolean is unused).
    Lit(Lit, TypeSlot),
    /// A variable; a field stands here only as an operand of the field kinds below.
    Local(LocalId),
    /// A constant by path.
    Const(ConstSlot),
    /// A unary operator; the slot says whether it is built in or a function of the user.
    Unary(UnOp, Box<Expr>, Option<CalleeSlot>),
    /// A binary operator; the slot (of the left operand) says whether it is built in or a function of the user.
    Binary(BinOp, Box<Expr>, Box<Expr>, Option<CalleeSlot>),
    /// `place = value`.
    Assign(Box<Expr>, Box<Expr>),
    /// `place op= value`. A user's function (`add_assign`) takes the place by mutable reference.
    AssignOp(BinOp, Box<Expr>, Box<Expr>, Option<CalleeSlot>),
    /// `value as T`.
    Cast(Box<Expr>, TypeSlot),
    /// `value.name`: a struct's member, a tuple's (`0`), a vector's component (`x`).
    Member(Box<Expr>, String),
    /// `value[index]` of an array, vector (`v[k]`) or matrix (`m[[r, c]]`, the index an [`ExprKind::Array`]).
    Index(Box<Expr>, Box<Expr>),
    /// An element of a field, as a place.
    Field(FieldAccess),
    /// `field.len()`, of type `usize`.
    FieldLen(LocalId),
    /// `field.shape()`, of type `[usize; D]`.
    FieldShape(LocalId),
    /// A field that is lent to a function, as an argument of a call.
    FieldArgument(LocalId),
    /// `field.origin()`, of type `[isize; D]`; zeros for a field that is not offset.
    FieldOrigin(LocalId),
    /// The position, an `isize`, that is so many elements, a `usize`, behind the field's origin on the axis. Of an array: of each
    /// axis.
    Position(LocalId, u32, Box<Expr>),
    /// The reverse: how many elements a position, an `isize`, is behind the origin on the axis, as a `usize`, which wraps. One comparison
    /// with the extent then tells whether the position is the field's.
    Offset(LocalId, u32, Box<Expr>),
    /// An atomic operation on an element of a field or a place in one.
    Atomic(AtomicOp, Box<Expr>, Vec<Expr>),
    /// A call of a function by path; for a method by path (`f32::max(a, b)`) the receiver is the first argument, and
    /// the name that was written serves built-in ones (`Vec3::new`, `f32::max`).
    Call {
        /// Which function.
        callee: CalleeSlot,
        /// Last segment of the path.
        name: String,
        /// For `Type::name(..)`, the type.
        on: Option<TypeSlot>,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `receiver.name(args)`.
    Method {
        /// The receiver; taken by reference if the callee's first parameter is one.
        receiver: Box<Expr>,
        /// The name.
        name: String,
        /// Which function.
        callee: CalleeSlot,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `&place` or `&mut place`, only as an argument of a call.
    Ref {
        /// `&mut`.
        mutable: bool,
        /// What is borrowed.
        place: Box<Expr>,
    },
    /// `(a, b)`; never empty.
    Tuple(Vec<Expr>),
    /// `[a, b]`, with its type.
    Array(Vec<Expr>, TypeSlot),
    /// `[value; N]`, with its type.
    Repeat(Box<Expr>, TypeSlot),
    /// `Name { a: x, ..base }`, with its type.
    Struct {
        /// The type.
        ty: TypeSlot,
        /// Members in the order written.
        members: Vec<(String, Expr)>,
        /// Where the rest comes from.
        base: Option<Box<Expr>>,
    },
    /// `{ .. }`, also `unsafe { .. }`.
    Block(Option<LabelId>, Block),
    /// `if cond { .. } else { .. }`.
    If(Box<Expr>, Block, Option<Box<Expr>>),
    /// `match value { .. }`.
    Match(Box<Expr>, Vec<Arm>),
    /// `loop { .. }`; its value is that of its `break`s.
    Loop(LabelId, Block),
    /// `while cond { .. }`.
    While(LabelId, Box<Expr>, Block),
    /// A sequential `for` over a range.
    For(LabelId, Pat, Range, Block),
    /// `break 'label value`.
    Break(LabelId, Option<Box<Expr>>),
    /// `continue 'label`.
    Continue(LabelId),
    /// `return value`.
    Return(Option<Box<Expr>>),
    /// Writes a text for the user: `println!` and its kind.
    Print {
        /// Where to.
        output: Output,
        /// The text, by [`message::pieces`](crate::message::pieces), with numbers for all values.
        message: String,
        /// The values, and behind those of the text the position of the iteration, axis by axis.
        args: Vec<Expr>,
    },
    /// Ends the iteration with a failure that the launch reports; a failed `assert!`, or `panic!`.
    Fail {
        /// Its text, by [`message::pieces`](crate::message::pieces), with numbers for all values.
        message: String,
        /// The values.
        args: Vec<Expr>,
    },
}

/// One arm of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// What it matches.
    pub pat: Pattern,
    /// `if guard`.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A refutable pattern of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// Matches all: `_`.
    Wild,
    /// Matches all and names the value.
    Bind(LocalId),
    /// A literal (possibly under [`UnOp::Neg`]) or a constant.
    Value(Expr),
    /// `a..=b`, `a..b`, `a..`, `..=b`.
    Range {
        /// Smallest value.
        start: Option<Expr>,
        /// Largest value.
        end: Option<Expr>,
        /// `..=`.
        inclusive: bool,
    },
    /// `a | b`.
    Or(Vec<Pattern>),
    /// `(a, b)` of a tuple.
    Tuple(Vec<Pattern>),
    /// `name @ pattern`; the pattern binds nothing.
    Named(LocalId, Box<Pattern>),
    /// `P { a: pattern, .. }`, and `P(pattern)` of a tuple struct; by the names of the members.
    Struct(Vec<(String, Pattern)>),
}
