//! Expressions, and places that they name.

use std::cell::Cell;

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
use swathe_ir::message::StyleKind;
use swathe_ir::{AtomicOp, BinOp, CalleeSlot, Check, ConstSlot, LabelId, LocalId, Output, TypeSlot, UnOp};
use syn::ext::IdentExt;

use super::{Arm, Block, Called, Pat, Range};

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
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct AccessId(pub usize);

#[derive(Clone)]
pub struct AccessInfo {
    pub field: LocalId,
    /// Whether it is an atomic sum that may change two components by one operation.
    pub pairs: bool,
    pub check: Check,
    /// Whether a condition around it is what keeps it in bounds, so that it must not be made in front of that.
    pub behind_condition: bool,
    /// Whether it is hoisted by a cover of [`ParFor::conditional`](super::ParFor::conditional).
    pub conditional: bool,
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
    /// A value, and what is written there beside it and has no part in it. That is never evaluated. It stands there for what it tells of types, so that
    /// all copies of a body have the same. In the inside of rows, and where one value is written twice.
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
    /// In the inside of rows: what an operation is there, for numbers of the type of an index.
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
    /// The neighbour by a rule of boundaries, of which the method has the name, not farther than one turn away.
    Around(&'static str),
    /// The first operand less the second one, once or twice, as often as there is room.
    Rest,
    /// The first operand less this multiple of the second one.
    Less(LocalId),
    /// The sum, the difference or the product of two numbers of the type of an index, modulo its range.
    Indices,
    /// An integer of any type as one of an index.
    Index,
    /// The second operand, for the types of the type of the first one, which is not evaluated.
    Like,
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
