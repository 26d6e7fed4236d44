//! Indices of sequential loops whose numbers are known ahead, as `grid[[base[0] + i, base[1] + j]]` with `i` and `j` in `0..3`: the least and
//! the largest one are compared once, in front of the loop, which then runs without these checks; or with them if one is out of bounds, so that
//! failures are the same. A loop that may be left at each access has a jump for each, and computes addresses behind them. So are those of a loop
//! that holds no other, whatever it runs over: of `for k in start[i]..start[i + 1]` with `value[k]` and `x[column[k]]` the last one alone is
//! checked in place.

use std::collections::{HashMap, HashSet};

use swathe_ir::BinOp;
use syn::ext::IdentExt;

use super::setting::plain;
use crate::budget::{MOST_CAST, SUM_PARTS, WINDOW_PARTS};
use crate::hir::affine;
use crate::hir::types::is_usize;
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Access, AccessId, Block, Check, Expr, ExprKind, Func, LocalId, Pat, Pattern, Range, Stmt, bindings};

/// What is compared in front of a sequential loop.
pub struct Windows {
    /// All of these accesses are in bounds if all conditions hold.
    pub accesses: HashSet<AccessId>,
    pub conditions: Vec<Condition>,
    /// Whether the loop's range is in the variable `__span`.
    pub spanned: bool,
    /// Whether the conditions mean nothing for a range without numbers.
    pub filled: bool,
}

impl Windows {
    /// What can be compared in front of a sequential loop, in which these accesses are known to be in bounds.
    pub fn of(func: &Func, known: &HashSet<AccessId>, pat: &Pat, range: &Range, body: &Block) -> Option<Windows> {
        if plain() || parts(body) > WINDOW_PARTS {
            return None;
        }
        let mut nest = Nest::default();
        nest.looped(pat, range);
        nest.block(body);
        if let Pat::Bind {
            local, mutable: false, ..
        } = pat
            && !(nest.loops || range.inclusive || range.reverse || range.step.is_some())
        {
            nest.ranges.entry(*local).or_insert(Numbers::Span);
        }
        let spanned = nest.ranges.values().any(|numbers| matches!(numbers, Numbers::Span));
        let mut find = Find {
            func,
            known,
            nest,
            declared: HashMap::new(),
            conditions: Vec::new(),
            accesses: HashSet::new(),
        };
        find.block(body);
        let filled = find.conditions.iter().any(|c| c.sum.spans() && !c.sum.counter());
        (!find.accesses.is_empty()).then_some(Windows {
            accesses: find.accesses,
            conditions: find.conditions,
            spanned,
            filled,
        })
    }
}

/// What a loop's variable runs over.
#[derive(Clone, Copy)]
enum Numbers {
    /// From a number to before another.
    Known(u64, u64),
    /// The variable `__span`.
    Span,
}

/// What is added up to an index.
#[derive(Clone, PartialEq)]
pub enum Part {
    Number(u64),
    /// A number that is subtracted.
    Less(u64),
    /// From a number to before another.
    Along(u64, u64),
    /// What the loop counts from the variable `__span`.
    Span,
    /// A value that is fixed during the loop.
    Value(Fixed),
    /// Element `k` of a local array that is.
    Element(LocalId, u64),
}

/// A value that is the same during a loop. To evaluate it once more is cheap, and cannot fail.
#[derive(Clone)]
pub enum Fixed {
    Variable(LocalId),
    Member(LocalId, syn::Member),
    Cast(Box<Fixed>, Box<syn::Type>),
}

impl Fixed {
    /// Where it is a variable, or a named member of one. Others are the same as no other.
    fn place(&self) -> Option<(LocalId, Option<String>)> {
        match self {
            Fixed::Variable(id) => Some((*id, None)),
            Fixed::Member(id, syn::Member::Named(member)) => Some((*id, Some(member.unraw().to_string()))),
            Fixed::Member(..) | Fixed::Cast(..) => None,
        }
    }
}

impl PartialEq for Fixed {
    fn eq(&self, other: &Self) -> bool {
        self.place().is_some_and(|place| Some(place) == other.place())
    }
}

/// An index: a number that is fixed during the loop, and ranges of numbers that are added to it.
#[derive(Clone, Default, PartialEq)]
pub struct Sum {
    pub parts: Vec<Part>,
}

impl Sum {
    fn of(part: Part) -> Option<Sum> {
        Some(Sum { parts: vec![part] })
    }

    /// Whether any part changes during the loop.
    fn varies(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Along(..) | Part::Span))
    }

    /// Whether what the loop counts from a span is a part.
    pub fn spans(&self) -> bool {
        self.parts.contains(&Part::Span)
    }

    /// Whether it is what the loop counts from a span of any numbers, and nothing more.
    pub fn counter(&self) -> bool {
        self.parts == [Part::Span]
    }
}

/// What changes while a loop runs.
#[derive(Default)]
struct Nest {
    /// Variables that are declared or written in it.
    changed: HashSet<LocalId>,
    /// Of those that loops count, what they run over.
    ranges: HashMap<LocalId, Numbers>,
    /// Whether there are loops in it.
    loops: bool,
}

impl Nest {
    fn looped(&mut self, pat: &Pat, range: &Range) {
        self.changed.extend(bindings(pat).map(|(id, _)| id));
        if let Pat::Bind {
            local, mutable: false, ..
        } = pat
            && let Some((start, end)) = numbers(range)
        {
            self.ranges.insert(*local, Numbers::Known(start, end));
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind { local, .. } | Pattern::Named { local, .. } => {
                self.changed.insert(*local);
            }
            Pattern::Or(parts) | Pattern::Tuple(parts) => parts.iter().for_each(|part| self.pattern(part)),
            Pattern::Struct { members, .. } => members.iter().for_each(|(_, part)| self.pattern(part)),
            Pattern::Wild(_) | Pattern::Value(_) | Pattern::Range { .. } => {}
        }
    }
}

impl Visit for Nest {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { pat, init, .. } => {
                self.changed.extend(bindings(pat).map(|(id, _)| id));
                init.iter().for_each(|e| self.expr(e));
            }
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(p) => self.parallel(p),
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(_, pat, range, _) => {
                self.loops = true;
                self.looped(pat, range);
            }
            ExprKind::While(..) | ExprKind::Loop(..) => self.loops = true,
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.pattern(&arm.pat)),
            ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) => self.changed.extend(place.root_local()),
            _ => {}
        }
        walk_expr(self, e);
    }
}

/// The first number of a range of literals, and its end.
fn numbers(range: &Range) -> Option<(u64, u64)> {
    let (start, end) = (affine::number(&range.start)?, affine::number(&range.end)?);
    let end = if range.inclusive { end.checked_add(1)? } else { end };
    (start < end && end <= 1 << 32).then_some((start, end))
}

/// An index that has to be in bounds on an axis.
#[derive(PartialEq)]
pub struct Condition {
    pub field: LocalId,
    pub axis: usize,
    pub sum: Sum,
}

struct Find<'e> {
    func: &'e Func,
    /// Accesses that are known to be in bounds.
    known: &'e HashSet<AccessId>,
    nest: Nest,
    /// Variables of the loop's body that are indices, with one sum for each axis.
    declared: HashMap<LocalId, Vec<Sum>>,
    conditions: Vec<Condition>,
    accesses: HashSet<AccessId>,
}

impl Find<'_> {
    fn access(&mut self, access: &Access) {
        let known = self.known.contains(&access.id) || self.accesses.contains(&access.id);
        if self.func.access(access.id).check != Check::InKernel || self.func.is_offset(access.field) || known {
            return;
        }
        let sums = match (access.bracketed, access.index.as_slice()) {
            (false, [index]) => self.axes(index),
            (_, index) => index.iter().map(|e| self.sum(e)).collect(),
        };
        let Some(sums) = sums else { return };
        if !sums.iter().any(Sum::varies) {
            return;
        }
        for (axis, sum) in sums.into_iter().enumerate() {
            let condition = Condition {
                field: access.field,
                axis,
                sum,
            };
            if !self.conditions.contains(&condition) {
                self.conditions.push(condition);
            }
        }
        self.accesses.insert(access.id);
    }

    /// What an expression is on each axis.
    fn axes(&self, e: &Expr) -> Option<Vec<Sum>> {
        match &e.kind {
            ExprKind::Array(parts, _) => parts.iter().map(|e| self.sum(e)).collect(),
            ExprKind::Local(id, _) if self.declared.contains_key(id) => self.declared.get(id).cloned(),
            // An array that is fixed during the loop: how many axes it has is for the types to say.
            ExprKind::Local(id, _) if !self.nest.ranges.contains_key(id) => None,
            _ => Some(vec![self.sum(e)?]),
        }
    }

    fn sum(&self, e: &Expr) -> Option<Sum> {
        if let Some(number) = affine::number(e) {
            return Sum::of(Part::Number(number));
        }
        match &e.kind {
            ExprKind::Binary(BinOp::Add, _, a, b, _) => {
                let (mut sum, more) = (self.sum(a)?, self.sum(b)?);
                sum.parts.extend(more.parts);
                (sum.parts.len() <= SUM_PARTS).then_some(sum)
            }
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => {
                let mut sum = self.sum(a)?;
                sum.parts.push(Part::Less(affine::number(b)?));
                (sum.parts.len() <= SUM_PARTS).then_some(sum)
            }
            ExprKind::Cast(inner, ty, ..) => match &inner.kind {
                ExprKind::Local(id, _) if is_usize(ty) => match self.nest.ranges.get(id) {
                    Some(Numbers::Known(_, end)) if *end >= MOST_CAST => self.fixed(e),
                    Some(_) => self.sum(inner),
                    None => self.fixed(e),
                },
                _ => self.fixed(e),
            },
            ExprKind::Local(id, _) => match (self.nest.ranges.get(id), self.declared.get(id).map(Vec::as_slice)) {
                (Some(Numbers::Known(start, end)), _) => Sum::of(Part::Along(*start, *end)),
                (Some(Numbers::Span), _) => Sum::of(Part::Span),
                (None, Some([sum])) => Some(sum.clone()),
                _ => self.fixed(e),
            },
            _ => self.fixed(e),
        }
    }

    fn fixed(&self, e: &Expr) -> Option<Sum> {
        match &e.kind {
            // As long as the array has such an element.
            ExprKind::Index(base, index) => match &base.kind {
                ExprKind::Local(id, _) if self.is_fixed(*id) => Sum::of(Part::Element(*id, affine::number(index)?)),
                _ => None,
            },
            _ => Sum::of(Part::Value(self.value(e)?)),
        }
    }

    fn value(&self, e: &Expr) -> Option<Fixed> {
        match &e.kind {
            ExprKind::Local(id, _) => self.is_fixed(*id).then_some(Fixed::Variable(*id)),
            ExprKind::Member(base, member) => match self.value(base)? {
                Fixed::Variable(id) => Some(Fixed::Member(id, member.clone())),
                _ => None,
            },
            ExprKind::Cast(inner, ty, ..) => Some(Fixed::Cast(Box::new(self.value(inner)?), ty.clone())),
            _ => None,
        }
    }

    fn is_fixed(&self, id: LocalId) -> bool {
        !self.func.local(id).mutable && !self.nest.changed.contains(&id)
    }
}

impl Visit for Find<'_> {
    fn named(&mut self, local: LocalId, value: &Expr) {
        if let Some(sums) = self.axes(value) {
            self.declared.insert(local, sums);
        }
    }

    fn expr(&mut self, e: &Expr) {
        walk_expr(self, e);
        if let Some(access) = e.accessed() {
            self.access(access);
        }
    }
}
