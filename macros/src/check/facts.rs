//! What conditions tell of indices that come from data: in `if k < x.len() { x[k] }` the condition is the check.
//!
//! A fact holds from the condition to the end of the block that it stands in front of. It is about an expression of an immutable variable, which has one
//! value wherever it stands: the variable itself, a sum of it and a number, and casts of these. Operators in it are those of numbers: an index is a
//! `usize`, and what else is added or compared comes from a cast to a type that rustc confirms to be one of integers.
//!
//! Conditions on the loop's positions are left to index-set splitting, which makes more of them.

use std::collections::{HashMap, HashSet};

use swathe_ir::{BinOp, LocalId, UnOp};

use crate::budget::{FACT_PARTS, MOST_CAST};
use crate::hir::affine::{literal, number};
use crate::hir::conditions::{ends_in_jump, jumps};
use crate::hir::types::{is_integer_type, is_usize};
use crate::hir::visit::{any, parts_of};
use crate::hir::{Expr, ExprKind, Extent, Func, Pat, Stmt, Value, bindings};

pub struct Facts<'f> {
    func: &'f Func,
    /// Variables of the parallel loop that data tells.
    data: HashSet<LocalId>,
    /// What immutable variables of the parallel loop are.
    values: HashMap<LocalId, Expr>,
    /// Those that are numbers, as the tokens tell.
    numbers: HashSet<LocalId>,
    known: Vec<Fact>,
}

/// What holds.
enum Fact {
    Below(Term, Extent),
    /// Below an extent that is cast to the term's own type.
    BelowCast(Moved, Extent),
    AtLeast(Moved, i64),
}

/// A variable and a number, of the variable's type.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Moved {
    local: LocalId,
    by: i64,
}

/// A number of the type of an index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Term {
    Itself(Moved),
    /// One that is cast to it, and a number.
    Cast(Moved, i64),
}

impl<'f> Facts<'f> {
    pub fn new(func: &'f Func) -> Facts<'f> {
        Facts {
            func,
            data: HashSet::new(),
            values: HashMap::new(),
            numbers: HashSet::new(),
            known: Vec::new(),
        }
    }

    /// How much is known, to go back to it.
    pub fn count(&self) -> usize {
        self.known.len()
    }

    pub fn forget(&mut self, count: usize) {
        self.known.truncate(count);
    }

    /// Notes what the variables of a pattern are.
    pub fn bind(&mut self, pat: &Pat, init: &Expr) {
        if let (Pat::Tuple(pats), ExprKind::Tuple(parts)) | (Pat::Array(pats), ExprKind::Array(parts, _)) =
            (pat, &init.kind)
            && pats.len() == parts.len()
        {
            return pats.iter().zip(parts).for_each(|(pat, part)| self.bind(pat, part));
        }
        if self.is_data(init) {
            self.data.extend(bindings(pat).map(|(id, _)| id));
        }
        if let Pat::Bind { local, .. } = pat
            && !self.func.local(*local).mutable
            && parts_of(init) <= FACT_PARTS
        {
            self.values.insert(*local, init.clone());
            if self.is_number(init) {
                self.numbers.insert(*local);
            }
        }
    }

    /// Notes that a loop counts from data, or to data.
    pub fn bind_counter(&mut self, pat: &Pat, ends: [&Expr; 2]) {
        if ends.into_iter().any(|end| self.is_data(end)) {
            self.data.extend(bindings(pat).map(|(id, _)| id));
        }
    }

    /// Whether an element of a field has a part in a value, or what changes.
    fn is_data(&self, e: &Expr) -> bool {
        any(e, |e| match &e.kind {
            ExprKind::Field(_) => true,
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                self.data.contains(id) || local.mutable && local.inside.is_some()
            }
            _ => false,
        })
    }

    /// From here on the condition has this value.
    pub fn assume(&mut self, condition: &Expr, holds: bool) {
        self.assume_once(condition, holds, &mut HashSet::new());
    }

    /// A variable of which the value is `assumed` already is not followed again.
    fn assume_once(&mut self, condition: &Expr, holds: bool, assumed: &mut HashSet<(LocalId, bool)>) {
        match &condition.kind {
            ExprKind::Binary(BinOp::And, _, a, b, _) if holds => {
                self.assume_once(a, true, assumed);
                self.assume_once(b, true, assumed);
            }
            ExprKind::Binary(BinOp::Or, _, a, b, _) if !holds => {
                self.assume_once(a, false, assumed);
                self.assume_once(b, false, assumed);
            }
            ExprKind::Unary(UnOp::Not, a, _) => self.assume_once(a, !holds, assumed),
            ExprKind::Local(id, _) => {
                if assumed.insert((*id, holds))
                    && let Some(value) = self.values.get(id).cloned()
                {
                    self.assume_once(&value, holds, assumed);
                }
            }
            ExprKind::Binary(op, _, a, b, _) => match (op, holds) {
                (BinOp::Lt, true) | (BinOp::Ge, false) => self.below(a, b),
                (BinOp::Gt, true) | (BinOp::Le, false) => self.below(b, a),
                (BinOp::Le, true) | (BinOp::Gt, false) => self.at_most(a, b),
                (BinOp::Ge, true) | (BinOp::Lt, false) => self.at_most(b, a),
                _ => {}
            },
            _ => {}
        }
    }

    /// What follows a statement is reached where a condition in it does not leave.
    pub fn pass(&mut self, statement: &Expr) {
        match &statement.kind {
            ExprKind::If(condition, then, otherwise) => match otherwise {
                Some(otherwise) if jumps(otherwise) => self.assume(condition, true),
                _ if ends_in_jump(then) => {
                    self.assume(condition, false);
                    otherwise.iter().for_each(|e| self.pass(e));
                }
                _ => {}
            },
            // Of an assertion.
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => {
                if let (None, Some(Stmt::Expr(last))) = (&block.tail, block.stmts.last()) {
                    self.pass(last);
                }
            }
            _ => {}
        }
    }

    /// `a < b`.
    fn below(&mut self, a: &Expr, b: &Expr) {
        if let Some(least) = integer(a) {
            self.least(b, least, 1);
            return;
        }
        if let (Some(term), Some(extent)) = (self.term(a), self.extent(b)) {
            // What is cast has the type of an index if the extent has it.
            let of_index = matches!(extent, Extent::Shape(..) | Extent::Len(_));
            if of_index || matches!(term, Term::Itself(_)) {
                self.known.push(Fact::Below(term, extent));
            }
        }
        if let (ExprKind::Cast(extent, ty, ..), Some(sum)) = (&b.kind, self.integers(a))
            && is_integer_type(ty)
            && let Some(extent @ (Extent::Shape(..) | Extent::Len(_))) = self.extent(extent)
        {
            self.known.push(Fact::BelowCast(sum, extent));
        }
    }

    /// `a <= b`.
    fn at_most(&mut self, a: &Expr, b: &Expr) {
        if let Some(least) = integer(a) {
            self.least(b, least, 0);
        }
    }

    /// At least a literal, which is the same number in all types of integers, and so much more.
    fn least(&mut self, e: &Expr, literal: i64, more: i64) {
        if literal.unsigned_abs() < MOST_CAST
            && let Some(sum) = self.integers(e)
        {
            self.known.push(Fact::AtLeast(sum, literal + more));
        }
    }

    /// What an index is below, by the conditions that it stands behind.
    pub fn limit(&self, index: &Expr) -> Option<Extent> {
        let term = self.term(index)?;
        if let Some(extent) = self.below_of(term) {
            return Some(extent);
        }
        match term {
            // Less of what is at least as much.
            Term::Itself(Moved { local, by }) if by < 0 => {
                let more = Moved { local, by: 0 };
                let left = self.least_of(more)?.checked_add(by)?;
                (left >= 0).then(|| self.below_of(Term::Itself(more)))?
            }
            // What is not negative, and below the extent in its own type, into which the extent may have been cut.
            Term::Cast(sum, 0) if self.least_of(sum).is_some_and(|least| least >= 0) => {
                self.known.iter().find_map(|fact| match fact {
                    Fact::BelowCast(other, extent) if *other == sum => Some(extent.clone()),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    fn below_of(&self, term: Term) -> Option<Extent> {
        self.known.iter().find_map(|fact| match fact {
            Fact::Below(other, extent) if *other == term => Some(extent.clone()),
            _ => None,
        })
    }

    fn least_of(&self, sum: Moved) -> Option<i64> {
        let all = self.known.iter().filter_map(|fact| match fact {
            Fact::AtLeast(other, least) if *other == sum => Some(*least),
            _ => None,
        });
        all.max()
    }

    fn term(&self, e: &Expr) -> Option<Term> {
        match &e.kind {
            ExprKind::Cast(a, ty, ..) if is_usize(ty) => Some(Term::Cast(self.sum(a)?, 0)),
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), _, a, b, _)
                if let Some(Term::Cast(sum, by)) = self.term(a) =>
            {
                Some(Term::Cast(sum, added(by, *op, b)?))
            }
            _ => self.sum(e).map(Term::Itself),
        }
    }

    /// A variable that data tells, and a number.
    fn sum(&self, e: &Expr) -> Option<Moved> {
        match &e.kind {
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                if local.mutable || local.inside.is_none() || !self.data.contains(id) {
                    return None;
                }
                match self.values.get(id) {
                    // Another name.
                    Some(value) if matches!(value.kind, ExprKind::Local(..)) => {
                        self.sum(value).or(Some(Moved { local: *id, by: 0 }))
                    }
                    _ => Some(Moved { local: *id, by: 0 }),
                }
            }
            // Of another type an operator may be anybody's.
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub), _, a, b, _) if self.is_number(a) => {
                let Moved { local, by } = self.sum(a)?;
                let by = added(by, *op, b)?;
                Some(Moved { local, by })
            }
            _ => None,
        }
    }

    /// A sum of integers, where it is compared with one that the text tells or to which an extent is cast.
    fn integers(&self, e: &Expr) -> Option<Moved> {
        self.sum(e).filter(|_| self.is_number(e))
    }

    /// Whether the tokens tell that a value is a number.
    fn is_number(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(_, ty, ..) => is_integer_type(ty),
            ExprKind::Local(id, _) => self.numbers.contains(id),
            ExprKind::Binary(BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, _, a, b, _) => {
                let is_literal = |e: &Expr| integer(e).is_some();
                self.is_number(a) && (self.is_number(b) || is_literal(b)) || is_literal(a) && self.is_number(b)
            }
            _ => false,
        }
    }

    /// A number that does not change during the loop.
    fn extent(&self, e: &Expr) -> Option<Extent> {
        extent_of(self.func, e).or_else(|| match &e.kind {
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                (!local.mutable && local.inside.is_none()).then_some(Extent::Local(*id))
            }
            _ => None,
        })
    }
}

/// The extent of a field that an expression is.
pub fn extent_of(func: &Func, e: &Expr) -> Option<Extent> {
    match &e.kind {
        ExprKind::FieldLen(field, _) => Some(Extent::Len(*field)),
        ExprKind::Index(shape, axis) => match shape.kind {
            ExprKind::FieldShape(field, _) => Some(Extent::Shape(field, usize::try_from(number(axis)?).ok()?)),
            _ => None,
        },
        ExprKind::Local(id, _) => extent_of_local(func, *id).cloned(),
        _ => None,
    }
}

/// That a variable is.
pub fn extent_of_local(func: &Func, id: LocalId) -> Option<&Extent> {
    let local = func.local(id);
    match &local.value {
        _ if local.mutable => None,
        Value::Alias(other) => extent_of_local(func, *other),
        Value::Extent(extent @ (Extent::Shape(..) | Extent::Len(_))) => Some(extent),
        _ => None,
    }
}

fn added(by: i64, op: BinOp, e: &Expr) -> Option<i64> {
    let number = integer(e)?;
    match op {
        BinOp::Add => by.checked_add(number),
        _ => by.checked_sub(number),
    }
}

/// The number that a literal of integers is. Some of floats have no point.
fn integer(e: &Expr) -> Option<i64> {
    match &e.kind {
        ExprKind::Lit(syn::Lit::Int(n), _) => literal(e).filter(|_| !n.suffix().starts_with('f')),
        ExprKind::Unary(UnOp::Neg, a, _) => integer(a)?.checked_neg(),
        _ => None,
    }
}
