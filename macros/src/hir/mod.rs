//! A kernel between tokens and output: names resolved, field accesses recognised, user tokens and spans kept.
//!
//! The three emitters (native Rust, type probes, IR bytes) read this tree and nothing else.

pub mod affine;
pub mod types;
pub mod visit;

use std::cell::Cell;

use affine::literal;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use swathe_ir::message::StyleKind;
pub use swathe_ir::{AtomicOp, BinOp, CalleeSlot, Check, ConstSlot, FuncKind, LabelId, LocalId, ParamKind};
use swathe_ir::{Output, TypeSlot, UnOp};
use syn::ext::IdentExt;

pub struct Func {
    pub name: Ident,
    /// The file that its body stands in, as messages have it.
    pub file: String,
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
    pub reductions: Vec<swathe_ir::Reduction>,
    /// The operators and methods of these, which have to be those of numbers.
    pub accumulated: Vec<CalleeSlot>,
    /// Holds whenever all accesses marked [`Check::Hoisted`] are in bounds.
    pub hoisted: Vec<Cover>,
    /// What spares parts of checks in place where it holds. Native code alone asks, and nothing relies on it.
    pub likely: Vec<Cover>,
    /// Variables outside of the loop by which indices are told apart, if they are numbers of an index's type.
    pub fixed: Vec<LocalId>,
    /// Fields with an access in an `unsafe` block: that no two iterations collide there is the author's word.
    pub vouched: Vec<LocalId>,
    /// Items of outer variables that it accumulates into, whether an iteration comes there or not: in what each is, and which.
    pub items: Vec<(Expr, u64)>,
    /// How far accesses go from the loop's positions.
    pub reaches: Vec<Reach>,
    /// What is known of most positions of a row.
    pub inside: Option<Box<Inside>>,
    pub span: Span,
    /// The attributes above it.
    pub lints: Vec<syn::Attribute>,
}

/// The part of a row in which comparisons of its position have one value and indices are in bounds (index-set splitting).
#[derive(Clone)]
pub struct Inside {
    /// What makes it that part, in the order in which it is asked.
    pub asked: Vec<Asked>,
    /// The loop as it is there.
    pub body: ParFor,
    /// How many comparisons are decided, and how many accesses are in bounds.
    pub compared: usize,
    pub accesses: usize,
}

/// What holds at all positions of a part of a row.
#[derive(Clone, PartialEq)]
pub enum Asked {
    /// The comparison has this value.
    Compared {
        op: BinOp,
        left: Sum,
        right: Sum,
        holds: bool,
    },
    /// The index is below the extent of a field's axis.
    Below { index: Sum, field: LocalId, axis: usize },
    /// It is a number.
    Number(Sum),
    /// All that a function reads of the fields that it is lent is in bounds, as far as its parameters tell where that is.
    Called(Box<Called>),
    /// `into` is a multiple of the second that leaves the remainder when it is subtracted from the first.
    Multiple { of: Sum, by: Sum, into: LocalId },
}

/// What no argument tells, among the bits of arguments: functions need it that would ask for too much.
pub const NEVER: u64 = 1 << 63;

/// A call of a function that is lent fields.
#[derive(Clone, PartialEq)]
pub struct Called {
    pub path: syn::ExprPath,
    pub args: Vec<Passed>,
    /// Arguments that are no sums, as bits, and [`NEVER`]: what a function reads by these keeps its checks.
    pub open: u64,
}

impl Called {
    pub fn sums(&self) -> impl Iterator<Item = &Sum> {
        self.args.iter().flat_map(|passed| match passed {
            Passed::Sums(sums) => sums.as_slice(),
            _ => &[],
        })
    }
}

/// An argument of it.
#[derive(Clone, PartialEq)]
pub enum Passed {
    Field(LocalId),
    /// One, or those of an array.
    Sums(Vec<Sum>),
    Other,
}

/// A number that changes along a row by the same from position to position, as far as its parts are of the type of an index, or of the one that
/// they are cast to.
#[derive(Clone, PartialEq)]
pub enum Sum {
    /// The row's position.
    Position,
    /// A variable that does not change during a row.
    Local(LocalId),
    Const(syn::ExprPath),
    Number(u64),
    Len(LocalId),
    Extent(LocalId, usize),
    /// One of the items of a table.
    Item(Item),
    Add(Box<Sum>, Box<Sum>),
    Sub(Box<Sum>, Box<Sum>),
    Mul(Box<Sum>, Box<Sum>),
    /// The same number in another type of integers.
    Cast(Box<Sum>, Box<syn::Type>),
    /// The third where the comparison of the first two holds, which it does in all of a row or nowhere, else the fourth.
    If(BinOp, Box<[Sum; 4]>),
}

/// An item of an array of numbers that does not change during a row.
#[derive(Clone, PartialEq)]
pub struct Item {
    /// Each time that one is written it may be another one.
    pub number: usize,
    pub table: Table,
}

#[derive(Clone, PartialEq)]
pub enum Table {
    Named {
        /// A variable or a constant.
        table: Box<Sum>,
        /// At each of its axes a number, or all of them.
        axes: Vec<Option<usize>>,
        /// The least or the largest of these.
        end: Option<End>,
    },
    /// The least and the largest number, of an array of literals.
    Numbers([i64; 2]),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum End {
    Least,
    Most,
}

impl Item {
    /// The least and the largest that it may be.
    pub fn ends(&self) -> [Sum; 2] {
        match &self.table {
            Table::Named { table, axes, .. } => [End::Least, End::Most].map(|end| {
                let table = Table::Named {
                    table: table.clone(),
                    axes: axes.clone(),
                    end: Some(end),
                };
                Sum::Item(Item { number: 0, table })
            }),
            Table::Numbers(ends) => ends.map(Sum::number),
        }
    }
}

impl Sum {
    /// All that it is made of or chosen by.
    pub fn leaves(&self) -> Vec<&Sum> {
        let mut leaves = Vec::new();
        self.collect(0, &mut leaves);
        leaves
    }

    /// What it is made of: numbers of its own type. What it is chosen by and what is cast may be of another.
    pub fn values(&self) -> Vec<&Sum> {
        let mut leaves = Vec::new();
        self.collect(2, &mut leaves);
        leaves
    }

    /// The type of numbers that are added or compared, if casts among them tell it: else that of an index. `Err` if they tell several.
    pub fn told<'s>(sums: &[&'s Sum]) -> Result<Option<&'s syn::Type>, ()> {
        let values = sums.iter().flat_map(|sum| sum.values());
        let mut types = values.filter_map(|value| match value {
            Sum::Cast(_, ty) => Some(&**ty),
            _ => None,
        });
        let first = types.next();
        match types.all(|ty| Some(ty) == first) {
            true => Ok(first),
            false => Err(()),
        }
    }

    /// A number that may be below zero.
    pub fn number(number: i64) -> Sum {
        let amount = Sum::Number(number.unsigned_abs());
        match number < 0 {
            true => Sum::Sub(Box::new(Sum::Number(0)), Box::new(amount)),
            false => amount,
        }
    }

    /// The same, with another sum in the place of a leaf.
    #[must_use]
    pub fn with(&self, leaf: &Sum, instead: &Sum) -> Sum {
        let of = |a: &Sum| Box::new(a.with(leaf, instead));
        match self {
            _ if self == leaf => instead.clone(),
            Sum::Cast(a, ty) => Sum::Cast(of(a), ty.clone()),
            Sum::Add(a, b) => Sum::Add(of(a), of(b)),
            Sum::Sub(a, b) => Sum::Sub(of(a), of(b)),
            Sum::Mul(a, b) => Sum::Mul(of(a), of(b)),
            // Its parts do not have the leaf.
            other => other.clone(),
        }
    }

    fn collect<'s>(&'s self, of_choice: usize, leaves: &mut Vec<&'s Sum>) {
        match self {
            Sum::Add(a, b) | Sum::Sub(a, b) | Sum::Mul(a, b) => {
                a.collect(of_choice, leaves);
                b.collect(of_choice, leaves);
            }
            Sum::If(_, all) => all[of_choice..].iter().for_each(|sum| sum.collect(of_choice, leaves)),
            Sum::Cast(a, _) if of_choice == 0 => a.collect(of_choice, leaves),
            _ => leaves.push(self),
        }
    }
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

#[derive(Clone)]
pub enum Pat {
    Bind {
        local: LocalId,
        ident: Ident,
        mutable: bool,
    },
    Wild(Span),
    Tuple(Vec<Pat>),
    Array(Vec<Pat>),
    /// Of a variable, in a statement of its own.
    Struct {
        path: syn::Path,
        members: Vec<(syn::Member, Pat)>,
        /// `..`.
        rest: bool,
        /// Written as `P(a, b)`.
        tuple: bool,
        /// Its last token.
        end: Span,
    },
}

/// What an immutable variable of a pattern is.
pub enum Named<'e> {
    Value(&'e Expr),
    /// Of which array it is which item.
    Item(&'e Expr, usize),
}

impl Pat {
    /// What its immutable variables are, as far as the text of the value tells.
    pub fn names<'e>(&self, value: &'e Expr, found: &mut dyn FnMut(LocalId, Named<'e>)) {
        match (self, &value.kind) {
            (
                Pat::Bind {
                    local, mutable: false, ..
                },
                _,
            ) => found(*local, Named::Value(value)),
            (Pat::Tuple(pats), ExprKind::Tuple(parts)) | (Pat::Array(pats), ExprKind::Array(parts, _)) => {
                let pairs = pats.iter().zip(parts);
                pairs.for_each(|(pat, part)| pat.names(part, found));
            }
            (Pat::Array(pats), _) => {
                for (k, pat) in pats.iter().enumerate() {
                    if let Pat::Bind {
                        local, mutable: false, ..
                    } = pat
                    {
                        found(*local, Named::Item(value, k));
                    }
                }
            }
            _ => {}
        }
    }

    /// All of its variables.
    pub fn bound(&self, found: &mut dyn FnMut(LocalId)) {
        match self {
            Pat::Bind { local, .. } => found(*local),
            Pat::Wild(_) => {}
            Pat::Tuple(pats) | Pat::Array(pats) => pats.iter().for_each(|pat| pat.bound(found)),
            Pat::Struct { members, .. } => members.iter().for_each(|(_, pat)| pat.bound(found)),
        }
    }
}

#[derive(Clone)]
pub struct Expr {
    pub kind: ExprKind,
    /// Its first token.
    pub span: Span,
    /// Its last token.
    pub end: Span,
    /// Of a statement or a block's value: the attributes above it.
    pub lints: Vec<syn::Attribute>,
    /// Number of the kernel's accesses before it and in it. A copy of an expression has that of the expression. While a function is lowered, where the
    /// expression comes from, or 0.
    pub order: Cell<u32>,
}

/// Of a closure whose result has a type that is not written: one of [`Slots::closures`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClosureSlot(pub usize);

/// Index into [`Func::accesses`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AccessId(pub usize);

#[derive(Clone)]
pub struct AccessInfo {
    pub field: LocalId,
    /// Whether it is an atomic sum that may change two components by one operation.
    pub pairs: bool,
    pub check: Check,
    pub in_unsafe: bool,
    pub span: Span,
    /// By which it is told when it fails: itself, or in a closure that access in the first of its calls.
    pub site: AccessId,
    /// Whether it is an access of the user's again, in a part of a row.
    pub again: bool,
}

#[derive(Clone)]
pub struct Access {
    pub id: AccessId,
    pub field: LocalId,
    pub ident: Ident,
    /// One index an axis, or a single one that may be an array.
    pub index: Vec<Expr>,
    /// Written as `[i, j]`.
    pub bracketed: bool,
    pub span: Span,
    pub source: TokenStream,
    pub index_span: Span,
}

#[derive(Clone)]
pub enum ExprKind {
    Lit(syn::Lit, TypeSlot),
    Local(LocalId, Ident),
    Const(ConstSlot, syn::ExprPath),
    Unary(UnOp, Box<Expr>, Option<CalleeSlot>),
    Binary(BinOp, Span, Box<Expr>, Box<Expr>, Option<CalleeSlot>),
    Assign(Box<Expr>, Box<Expr>),
    AssignOp(BinOp, Span, Box<Expr>, Box<Expr>, Option<CalleeSlot>),
    Cast(Box<Expr>, Box<syn::Type>, TypeSlot, Casting),
    Member(Box<Expr>, syn::Member),
    Index(Box<Expr>, Box<Expr>),
    Field(Access),
    FieldLen(LocalId, Ident),
    FieldShape(LocalId, Ident),
    FieldOrigin(LocalId, Ident),
    /// A field that is lent to a function.
    FieldArgument(LocalId, Ident),
    /// Of a place in a field.
    Atomic(AtomicOp, Ident, Box<Expr>, Vec<Expr>),
    Call {
        callee: CalleeSlot,
        path: syn::ExprPath,
        on: Option<TypeSlot>,
        args: Vec<Expr>,
    },
    Method {
        receiver: Box<Expr>,
        name: Ident,
        callee: CalleeSlot,
        args: Vec<Expr>,
    },
    Ref {
        mutable: bool,
        place: Box<Expr>,
    },
    Tuple(Vec<Expr>),
    Array(Vec<Expr>, TypeSlot),
    Repeat(Box<Expr>, Box<syn::Expr>, TypeSlot),
    Struct {
        ty: TypeSlot,
        path: syn::Path,
        members: Vec<(syn::Member, Expr)>,
        base: Option<Box<Expr>>,
        /// Written as `P(a, b)`.
        tuple: bool,
    },
    Block {
        label: Option<LabelId>,
        unsafety: bool,
        block: Block,
    },
    If(Box<Expr>, Block, Option<Box<Expr>>),
    Match(Box<Expr>, Vec<Arm>),
    Loop(LabelId, Block),
    While(LabelId, Box<Expr>, Block),
    For(LabelId, Pat, Range, Block),
    Break(LabelId, Option<Box<Expr>>),
    Continue(LabelId),
    Return(Option<Box<Expr>>),
    /// In the inside of rows: a value, and what is written there beside it and has no part in it. That is never evaluated. It stands there for what
    /// it tells of types, so that all copies of a body have the same.
    Decided {
        unreached: Box<Expr>,
        value: Box<Expr>,
    },
    /// A position in a product, at most [`LIMIT`](affine::LIMIT): the call of `min`, which is of lowering's own making.
    Limited(Box<Expr>),
    /// A call of a closure: a block of its parameters and its body. The slot has its type, which is that of all calls.
    OfClosure(ClosureSlot, Box<Expr>),
    /// A call of a function that is lent fields, of which it was asked that all is in bounds.
    Inside(Box<Expr>, Box<Called>),
    /// In the inside of rows: what a remainder, or a method with one argument, is there for numbers of the type of an index.
    Within(Box<Expr>, Within),
    /// `println!` and its kind.
    Print {
        output: Output,
        /// The text, with numbers for all values.
        template: String,
        /// The values, and behind those of the text the position of the iteration, axis by axis.
        args: Vec<Expr>,
        /// In which ways each value of the text is written.
        styles: Vec<Vec<StyleKind>>,
    },
    /// Ends the iteration with a failure.
    Fail {
        /// The message, with numbers for all values.
        template: String,
        args: Vec<Expr>,
        /// In which ways each value is written.
        styles: Vec<Vec<StyleKind>>,
    },
}

/// How a cast is written.
#[derive(Clone, Copy, PartialEq)]
pub enum Casting {
    /// `value as f32`
    As,
    /// `f32::from(value)`, of types that have every value of the other.
    From,
}

/// What an operation is in the inside of rows.
#[derive(Clone, Copy)]
pub enum Within {
    /// The first operand, of as many as there are.
    First,
    Second,
    /// The first operand less the second one.
    Difference,
    /// The first operand and the second one, which has a sign.
    Moved,
    /// The first operand less this multiple of the second one.
    Less(LocalId),
}

#[derive(Clone)]
pub struct Arm {
    /// The attributes above it.
    pub lints: Vec<syn::Attribute>,
    pub pat: Pattern,
    pub guard: Option<Expr>,
    pub body: Expr,
}

#[derive(Clone)]
pub enum Pattern {
    Wild(Span),
    Bind {
        local: LocalId,
        ident: Ident,
        mutable: bool,
    },
    /// A literal, possibly negated, or a constant.
    Value(PatternValue),
    /// `name @ pattern`.
    Named {
        local: LocalId,
        ident: Ident,
        mutable: bool,
        pattern: Box<Pattern>,
    },
    Range {
        start: Option<PatternValue>,
        end: Option<PatternValue>,
        inclusive: bool,
    },
    Or(Vec<Pattern>),
    Tuple(Vec<Pattern>),
    Struct {
        path: syn::Path,
        members: Vec<(syn::Member, Pattern)>,
        /// `..`.
        rest: bool,
        /// Written as `P(a, b)`.
        tuple: bool,
        /// Its last token.
        end: Span,
    },
}

#[derive(Clone)]
pub enum PatternValue {
    Lit { lit: syn::Lit, negative: bool },
    Const(ConstSlot, syn::ExprPath),
}

impl Func {
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id.0 as usize]
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

/// A place reached from an element of a field, by members and indices.
pub struct Place<'a> {
    pub access: &'a Access,
    /// Outermost last.
    pub steps: Vec<Step<'a>>,
}

impl<'a> Place<'a> {
    /// What is computed to find it, in the order of evaluation.
    pub fn indices(&self) -> impl Iterator<Item = &'a Expr> {
        let steps = self.steps.iter().filter_map(|step| match step {
            Step::Index(index) => Some(*index),
            Step::Member(_) => None,
        });
        self.access.index.iter().chain(steps)
    }

    /// Members of structs from the element inwards, up to the first index or component: what is reached without a reference.
    pub fn members(&self) -> impl Iterator<Item = &'a syn::Member> {
        self.steps.iter().map_while(|step| match step {
            Step::Member(member) if !is_component(&member_name(member)) => Some(*member),
            _ => None,
        })
    }

    /// Members from the element inwards, up to the first index.
    pub fn path(&self) -> Vec<String> {
        let members = self.steps.iter().map_while(|step| match step {
            Step::Member(member) => Some(member_name(member)),
            Step::Index(_) => None,
        });
        members.collect()
    }
}

/// A member's name, without `r#`; the number of one of a tuple struct.
pub fn member_name(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(name) => name.unraw().to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// Whether a member may be a vector's component.
pub fn is_component(member: &str) -> bool {
    matches!(member, "x" | "y" | "z" | "w")
}

/// Whether two paths of members can name the same memory. Native code reaches a vector's component through a reference to
/// the whole vector, so that different components of one vector count as the same memory.
pub fn overlap(a: &[String], b: &[String]) -> bool {
    a.iter()
        .zip(b)
        .find(|(x, y)| x != y)
        .is_none_or(|(x, y)| is_component(x) && is_component(y))
}

pub enum Step<'a> {
    Member(&'a syn::Member),
    Index(&'a Expr),
}

impl Expr {
    pub fn new(kind: ExprKind, span: Span, end: Span) -> Expr {
        Expr {
            kind,
            span,
            end,
            lints: Vec::new(),
            order: Cell::default(),
        }
    }

    /// Two tokens that stand where the expression starts and ends.
    pub fn ends(&self) -> TokenStream {
        let (start, end) = (self.span, self.end);
        let mut tokens = quote_spanned!(start=> _);
        tokens.extend(quote_spanned!(end=> _));
        tokens
    }

    /// The place that this expression is, if an element of a field is its root.
    pub fn field_place(&self) -> Option<Place<'_>> {
        match &self.kind {
            ExprKind::Field(access) => Some(Place {
                access,
                steps: Vec::new(),
            }),
            ExprKind::Member(base, member) => {
                let mut place = base.field_place()?;
                place.steps.push(Step::Member(member));
                Some(place)
            }
            ExprKind::Index(base, index) => {
                let mut place = base.field_place()?;
                place.steps.push(Step::Index(index));
                Some(place)
            }
            _ => None,
        }
    }

    /// The access to a field that this expression itself is or makes, its operands left aside.
    pub fn accessed(&self) -> Option<&Access> {
        match &self.kind {
            ExprKind::Field(access) => Some(access),
            ExprKind::Atomic(_, _, place, _) => place.field_place().map(|place| place.access),
            _ => None,
        }
    }

    /// The variable at the root of a place.
    pub fn root_local(&self) -> Option<LocalId> {
        match &self.kind {
            ExprKind::Local(id, _) => Some(*id),
            ExprKind::Member(base, _) | ExprKind::Index(base, _) | ExprKind::Unary(UnOp::Deref, base, _) => {
                base.root_local()
            }
            _ => None,
        }
    }
}

/// The variables that a pattern binds.
pub fn bindings(pat: &Pat) -> impl Iterator<Item = (LocalId, &Ident)> {
    let mut found = Vec::new();
    collect_bindings(pat, &mut found);
    found.into_iter()
}

fn collect_bindings<'p>(pat: &'p Pat, found: &mut Vec<(LocalId, &'p Ident)>) {
    match pat {
        Pat::Bind { local, ident, .. } => found.push((*local, ident)),
        Pat::Wild(_) => {}
        Pat::Tuple(parts) | Pat::Array(parts) => parts.iter().for_each(|p| collect_bindings(p, found)),
        Pat::Struct { members, .. } => members.iter().for_each(|(_, p)| collect_bindings(p, found)),
    }
}
