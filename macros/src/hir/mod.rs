//! A kernel between tokens and output: names resolved, field accesses recognised, user tokens and spans kept.
//!
//! The three emitters (native Rust, type probes, IR bytes) read this tree and nothing else.

pub mod affine;
pub mod conditions;
mod confirm;
mod expr;
mod inside;
mod pattern;
pub mod printing;
pub mod types;
pub mod visit;

use std::cell::RefCell;
use std::collections::BTreeSet;

use affine::literal;
pub use confirm::Typed;
pub use expr::{
    Access, AccessId, AccessInfo, Casting, ClosureSlot, Expr, ExprKind, Place, Step, Within, member_name, overlap,
};
pub use inside::{Amount, Asked, Called, End, Given, Inside, Item, NEVER, Passed, Sum, Table};
pub use pattern::{Arm, Named, Pat, Pattern, PatternValue, bindings};
use proc_macro2::{Ident, Span};
use swathe_ir::TypeSlot;
pub use swathe_ir::{BinOp, CalleeSlot, Check, ConstSlot, FuncKind, LabelId, LocalId, ParamKind};

pub struct Func {
    pub name: Ident,
    /// The file that its body stands in, as messages have it.
    pub file: String,
    /// Other files that parts of its text come from, which macros passed on, as far as they have been [asked for](Func::file_of).
    pub files: RefCell<Vec<String>>,
    /// Its name, or where that comes from another file, the beginning of its body.
    pub at: Span,
    pub kind: FuncKind,
    pub params: Vec<Param>,
    pub ret: Option<(Box<syn::Type>, TypeSlot)>,
    pub locals: Vec<Local>,
    pub body: Block,
    pub slots: Slots,
    /// `const` and `use` items of the body.
    pub items: Vec<syn::Item>,
    /// Field accesses, by [`AccessId`].
    pub accesses: Vec<AccessInfo>,
    pub witnesses: Witnesses,
    /// What derivatives take the types of literals for.
    pub literals: Vec<(LocalId, Literals)>,
    /// Whether derivatives are made of it.
    pub differentiated: bool,
    /// Whether it is a derivative.
    pub is_derivative: bool,
}

/// What the numbers of a variable are taken for, which rustc has to confirm.
#[derive(Clone)]
pub enum Literals {
    /// Of this type.
    Type(Box<syn::Type>),
    /// Integers that have all values up to those of `i32`, from zero.
    Counts,
    /// Integers that have all values of `i32`.
    Signed,
}

/// Whether the last name of a path means a derivative of the function in front of it: `f::__pullback`, `f::__jvp`.
pub fn is_derivative(name: &Ident) -> bool {
    name == "__pullback" || name == "__jvp"
}

/// How exact the float arithmetic of a kernel is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Arithmetic {
    /// `#[kernel(strict)]`: every operation is rounded.
    Strict,
    /// Products and sums may be one operation.
    Contracted,
    /// `#[kernel(fast_math)]`: divisions and roots may be approximate, too.
    Fast,
}

/// Names of which rustc has to confirm what they mean.
#[derive(Default)]
pub struct Witnesses {
    pub variables: Vec<Witness<Ident>>,
    pub labels: Vec<Witness<syn::Lifetime>>,
    /// Paths of `serial` and `ndrange`.
    pub domains: Vec<syn::ExprPath>,
    /// Paths of macros that swathe takes for those of std.
    pub claims: Vec<syn::Path>,
}

/// A use of a name that several macros may have declared, for rustc to resolve with the user's own tokens.
pub struct Witness<T> {
    /// Its declarations that are visible there, the innermost last.
    pub declared: Vec<T>,
    /// Which of them the use means.
    pub chosen: usize,
    pub used: T,
}

pub struct Param {
    pub local: LocalId,
    pub kind: ParamKind,
    /// As written; the type of a receiver is `Self` under its reference.
    pub ty: Box<syn::Type>,
}

impl Param {
    pub fn is_offset(&self) -> bool {
        matches!(self.kind, ParamKind::Field { .. }) && types::is_offset(&self.ty)
    }
}

pub struct Local {
    /// In emitted code.
    pub ident: Ident,
    /// As the user declared it.
    pub name: Ident,
    pub ty: TypeSlot,
    pub mutable: bool,
    /// Number of the parallel loop whose body declares it.
    pub inside: Option<usize>,
    /// What is known of its value; only for variables that never change.
    pub value: Value,
}

/// What the checks know of an immutable variable.
#[derive(Clone, PartialEq)]
pub enum Value {
    Unknown,
    /// Another variable.
    Alias(LocalId),
    /// An extent.
    Extent(Extent),
    /// Those of an array's or a tuple's parts.
    Parts(Vec<Value>),
    /// A position of the parallel loop: axis `axis` of `0..extent`, or all axes at once.
    Parallel {
        axis: Axis,
        extent: Option<Extent>,
    },
    /// A sequential loop's variable, below the extent.
    Below(Extent),
    /// The same, if the method `min` is that of numbers.
    Within(Extent),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Axis {
    One(usize),
    All,
    /// One of the parts that all axes at once were taken apart into.
    Part {
        k: usize,
        of: usize,
    },
}

/// A number of elements that does not change during a launch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extent {
    /// One axis of a field.
    Shape(LocalId, usize),
    /// A field's length.
    Len(LocalId),
    /// All axes of a field.
    All(LocalId),
    /// An immutable variable declared outside the parallel loops.
    Local(LocalId),
    Literal(u64),
    /// Not a number: the positions of an offset field along one axis.
    Range(LocalId, usize),
    /// The positions of an offset field along all axes.
    Ranges(LocalId),
}

/// Questions to rustc, with what it needs to see of the user's tokens.
#[derive(Default)]
pub struct Slots {
    /// `None`: to be inferred.
    pub types: Vec<Option<syn::Type>>,
    /// How many of them the signature has.
    pub of_signature: usize,
    pub callees: Vec<CalleeQuery>,
    pub consts: Vec<syn::ExprPath>,
    /// How many closures have results whose types are not written.
    pub closures: usize,
}

pub enum CalleeQuery {
    /// A free function.
    Path,
    /// A method of a type that is inferred.
    Method(Ident),
    /// An operator, by the method of `std::ops` or `std::cmp` that it calls.
    Operator(String),
    /// A function of a type that is written.
    On(Ident, Box<syn::Type>, Span),
}

impl Slots {
    pub fn closure(&mut self) -> ClosureSlot {
        self.closures += 1;
        ClosureSlot(self.closures - 1)
    }

    pub fn ty(&mut self, written: Option<syn::Type>) -> TypeSlot {
        self.types.push(written);
        TypeSlot(index(self.types.len()))
    }

    pub fn callee(&mut self, query: CalleeQuery) -> CalleeSlot {
        self.callees.push(query);
        CalleeSlot(index(self.callees.len()))
    }

    pub fn constant(&mut self, path: syn::ExprPath) -> ConstSlot {
        self.consts.push(path);
        ConstSlot(index(self.consts.len()))
    }
}

/// The index of the last of `len` entries.
fn index(len: usize) -> u32 {
    u32::try_from(len - 1).expect("fewer than 2^32 slots")
}

#[derive(Clone)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    pub tail: Option<Box<Expr>>,
}

#[derive(Clone)]
pub enum Stmt {
    Let {
        pat: Pat,
        ty: Option<Box<syn::Type>>,
        init: Option<Expr>,
        span: Span,
        /// The attributes above it.
        lints: Vec<syn::Attribute>,
    },
    Expr(Expr),
    ParFor(ParFor),
}

/// An outer variable that a parallel loop accumulates into.
#[derive(Clone, Copy)]
pub struct Reduction {
    pub local: LocalId,
    pub op: swathe_ir::ReduceOp,
    /// Of the first statement that does.
    pub span: Span,
}

/// Outer variables that take new values together where a comparison holds: `if x < best { best = x; at = i; }`.
#[derive(Clone)]
pub struct ArgReduction {
    pub best: LocalId,
    /// What a new value, on the left, has to be beside it.
    pub op: BinOp,
    pub taken: Vec<LocalId>,
    /// Of these one of ours where equal values are taken, too: that there was one.
    pub found: Option<LocalId>,
    /// Of the first such comparison.
    pub span: Span,
}

impl ArgReduction {
    pub fn locals(&self) -> impl Iterator<Item = LocalId> {
        std::iter::once(self.best).chain(self.taken.iter().copied())
    }
}

impl ParFor {
    /// Whether it accumulates into outer variables.
    pub fn reduces(&self) -> bool {
        !self.reductions.is_empty() || !self.arg_reductions.is_empty()
    }

    /// The outer variables that it changes.
    pub fn reduced(&self) -> impl Iterator<Item = LocalId> {
        let args = self.arg_reductions.iter().flat_map(ArgReduction::locals);
        self.reductions.iter().map(|r| r.local).chain(args)
    }
}

#[derive(Clone)]
pub struct ParFor {
    /// Position among the kernel's parallel loops.
    pub number: usize,
    pub domain: Domain,
    pub vars: Vec<Option<LocalId>>,
    /// Over an offset field: for each variable, one for its distance from the origin. Only IR has them.
    pub offsets: Vec<Option<LocalId>>,
    pub label: LabelId,
    pub body: Block,
    pub reductions: Vec<Reduction>,
    pub arg_reductions: Vec<ArgReduction>,
    /// The operators and methods of these, which have to be those of numbers.
    pub accumulated: Vec<CalleeSlot>,
    /// With `conditional`: holds whenever all accesses marked [`Check::Hoisted`] are in bounds.
    pub hoisted: Vec<Cover>,
    /// In a loop with reductions: those of accesses that iterations may not come to, or of which no iteration may come to the limit. Where one does not hold, the
    /// loop may run to its end, and sums are to have the same bits.
    pub conditional: Vec<Cover>,
    /// What spares parts of checks in place where it holds. Native code alone asks, and nothing relies on it.
    pub likely: Vec<Cover>,
    /// Variables outside of the loop by which indices are told apart, if they are numbers of an index's type.
    pub fixed: Vec<LocalId>,
    /// Fields that it writes, or changes atomically. Nothing else writes to the others while it runs.
    pub written: BTreeSet<LocalId>,
    /// Fields with an access in an `unsafe` block: that no two iterations collide there is the author's word.
    pub vouched: Vec<LocalId>,
    /// Items of outer variables that it accumulates into, whether an iteration comes there or not: in what each is, and which.
    pub items: Vec<(Expr, u64)>,
    /// How far accesses go from the loop's positions.
    pub reaches: Vec<Reach>,
    /// Whether its axes are in another order than the user wrote them.
    pub interchanged: bool,
    /// The axis along which elements lie beside each other that accesses find across rows.
    pub across: Option<usize>,
    /// What is known of most positions of a row.
    pub inside: Option<Box<Inside>>,
    pub span: Span,
    /// The attributes above it.
    pub lints: Vec<syn::Attribute>,
}

/// How far all reads of a field, or all writes to it, go from the positions of a parallel loop.
#[derive(Clone)]
pub struct Reach {
    pub field: LocalId,
    pub written: bool,
    pub distance: Distance,
}

#[derive(Clone)]
pub enum Distance {
    /// They are at the position as a whole.
    Own,
    /// For each axis the least and the largest distance from the loop's position along that axis; `None` if it may be any. An axis that is
    /// not there may be any.
    Axes(Vec<Option<(i64, i64)>>),
}

/// A condition: the extent is at most the field's on that axis.
#[derive(Clone, PartialEq)]
pub struct Cover {
    pub extent: Extent,
    pub field: LocalId,
    pub axis: Axis,
    /// What is added to each position of an [`Extent::Range`].
    pub by: i64,
}

#[derive(Clone)]
pub enum Domain {
    Indices(LocalId, Ident),
    Range(Range),
    NdRange(Vec<Expr>),
}

#[derive(Clone)]
pub struct Range {
    pub start: Box<Expr>,
    pub end: Box<Expr>,
    pub inclusive: bool,
    /// `.rev()` in front of the step.
    pub reverse: bool,
    pub step: Option<Box<Expr>>,
    /// `.rev()` behind the step: the same values from the last one.
    pub turned: bool,
}

impl Range {
    /// Whether to begin it may fail though its parts do not: a step of zero does.
    pub fn may_fail(&self) -> bool {
        let literal = |step: &Expr| matches!(&step.kind, ExprKind::Lit(syn::Lit::Int(n), _) if n.base10_parse::<u128>().is_ok_and(|n| n > 0));
        self.step.as_ref().is_some_and(|step| !literal(step))
    }

    /// The start and the end, which is not reached, where both are literals.
    pub fn literals(&self) -> Option<[i64; 2]> {
        let end = literal(&self.end)?.checked_add(i64::from(self.inclusive))?;
        Some([literal(&self.start)?, end])
    }
}

impl Func {
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
    }

    /// Which of its files this is: 0 for [`Func::file`], else one more than its place in [`Func::files`].
    pub fn file_of(&self, file: &str) -> usize {
        if file == self.file {
            return 0;
        }
        let mut files = self.files.borrow_mut();
        let known = files.iter().position(|other| other == file);
        1 + known.unwrap_or_else(|| {
            files.push(file.to_owned());
            files.len() - 1
        })
    }

    pub fn access(&self, id: AccessId) -> &AccessInfo {
        &self.accesses[id.0]
    }

    /// The parallel loops, in their order.
    pub fn loops(&self) -> impl Iterator<Item = &ParFor> {
        self.body.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::ParFor(p) => Some(p),
            Stmt::Let { .. } | Stmt::Expr(_) => None,
        })
    }

    /// Whether the positions of a field count from an origin.
    pub fn is_offset(&self, field: LocalId) -> bool {
        self.params.iter().any(|p| p.local == field && p.is_offset())
    }

    pub fn field_mutable(&self, id: LocalId) -> bool {
        self.params
            .iter()
            .any(|p| p.local == id && p.kind == (ParamKind::Field { mutable: true }))
    }
}
