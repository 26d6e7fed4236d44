//! Index-set splitting: in most of a row, comparisons of its position have one value, remainders are differences, and indices that they
//! are made of are in bounds. What has to be asked of a part of a row for that, and the loop as it is there.

mod accesses;
mod conditions;
mod functions;
mod indices;
mod operations;
mod rounds;
mod sums;

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use swathe_ir::{BinOp, CalleeSlot, LocalId};

use self::sums::cast;
use crate::budget::{INSIDE_PARTS, ROW, ROW_OF_LOOPS};
use crate::hir::conditions::ends_in_jump;
use crate::hir::visit::{VisitMut, any, any_in, is_loop, parts, walk_expr_mut};
use crate::hir::{
    Amount, Asked, Block, Domain, Expr, ExprKind, Func, Inside, LabelId, Named, ParFor, Pat, Range, Stmt, Sum, Value,
    Within,
};

pub fn find(func: &mut Func) {
    for k in 0..func.body.stmts.len() {
        let Stmt::ParFor(p) = &func.body.stmts[k] else { continue };
        let p = p.clone();
        let inside = of(func, p, true).map(|inside| with_otherwise(func, inside, k));
        if let Stmt::ParFor(p) = &mut func.body.stmts[k] {
            p.inside = inside.map(Box::new);
        }
    }
}

/// A function may tell nothing, or little of a row: then there is the inside without it. Loops with reductions have one inside: it keeps their parts.
fn with_otherwise(func: &mut Func, mut inside: Inside, k: usize) -> Inside {
    if let Stmt::ParFor(p) = &func.body.stmts[k]
        && !p.reduces()
        && inside.asked.iter().any(|asked| matches!(asked, Asked::Given { .. }))
    {
        let p = p.clone();
        inside.otherwise = of(func, p, false).map(Box::new);
    }
    inside
}

/// `functions`: whether functions are asked what they give.
fn of(func: &mut Func, p: ParFor, functions: bool) -> Option<Inside> {
    let counted = match &p.domain {
        Domain::Range(range) => !range.reverse && !range.inclusive && range.step.is_none(),
        Domain::Indices(..) | Domain::NdRange(_) => true,
    };
    let position = (*p.vars.last()?)?;
    if func.local(position).mutable
        || !counted
        || !p.offsets.is_empty()
        || !p.vouched.is_empty()
        || parts(&p.body) > INSIDE_PARTS
    {
        return None;
    }
    let mut split = Split {
        number: p.number,
        label: p.label,
        position,
        counts_indices: false,
        heads: p.vars.iter().rev().skip(1).flatten().copied().collect(),
        ends: ends(&p.domain),
        of_extents: of_extents(func),
        defined: HashMap::new(),
        parts: HashMap::new(),
        counted: HashMap::new(),
        items: Cell::new(0),
        depth: Cell::new(0),
        work: Cell::new(0),
        made: HashSet::new(),
        truths: HashMap::new(),
        functions,
        given: Vec::new(),
        asked: Vec::new(),
        compared: 0,
        accesses: 0,
        counting: 0,
        func,
    };
    split.counts_indices = match &p.domain {
        Domain::Range(range) => {
            let ends = [&range.start, &range.end];
            ends.into_iter()
                .any(|e| split.sum(e).is_some_and(|sum| split.is_index(&sum)))
        }
        Domain::Indices(..) | Domain::NdRange(_) => true,
    };
    let mut body = p;
    split.block(&mut body.body);
    let (asked, compared, accesses, counting) = (split.asked, split.compared, split.accesses, split.counting);
    // Beside sequential loops single checks do not count, unless they stand in loops that LLVM writes out.
    let loops = any_in(&body.body, is_loop);
    let pays = compared > 0 || counting > 0 || accesses > 0 && !loops;
    pays.then_some(Inside {
        asked,
        body,
        least: if loops { ROW_OF_LOOPS } else { ROW },
        compared,
        accesses,
        otherwise: None,
    })
}

fn ends(domain: &Domain) -> HashSet<LocalId> {
    let ends = match domain {
        Domain::Indices(..) => &[],
        Domain::Range(range) => std::slice::from_ref(&*range.end),
        Domain::NdRange(extents) => extents.as_slice(),
    };
    let names = ends.iter().filter_map(|e| match e.kind {
        ExprKind::Local(id, _) => Some(id),
        _ => None,
    });
    names.collect()
}

struct Split<'f> {
    func: &'f mut Func,
    /// Of the loop.
    number: usize,
    label: LabelId,
    position: LocalId,
    /// Whether the domain tells that positions are of the type of an index.
    counts_indices: bool,
    /// Positions on the other axes.
    heads: Vec<LocalId>,
    /// Variables that end the domain.
    ends: HashSet<LocalId>,
    /// Variables that are made of extents.
    of_extents: HashSet<LocalId>,
    /// What immutable variables of the body are.
    defined: HashMap<LocalId, Expr>,
    /// Of which array they are which item.
    parts: HashMap<LocalId, (Expr, usize)>,
    /// How many items of tables there are.
    items: Cell<usize>,
    /// How many expressions are looked into at this moment, each for the one before.
    depth: Cell<usize>,
    /// How many have been for the first of these.
    work: Cell<usize>,
    /// What sequential loops count is between these.
    counted: HashMap<LocalId, [Sum; 2]>,
    /// Multiples, which are fixed along the row.
    made: HashSet<LocalId>,
    /// What conditions are that variables stand for, by what the text around them lets expect.
    truths: HashMap<(LocalId, Option<bool>), Option<bool>>,
    functions: bool,
    /// What calls of functions give, by their arguments.
    given: Vec<(CalleeSlot, Vec<Amount>, Sum)>,
    asked: Vec<Asked>,
    compared: usize,
    accesses: usize,
    /// Accesses in sequential loops, by what these count.
    counting: usize,
}

impl VisitMut for Split<'_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match stmt {
            Stmt::Let {
                pat, init: Some(init), ..
            } => {
                self.expr(init);
                self.define(pat, init);
            }
            Stmt::Let { .. } | Stmt::ParFor(_) => {}
            Stmt::Expr(e) => self.expr(e),
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        if let ExprKind::If(cond, then, otherwise) = &mut e.kind {
            let written = cond.clone();
            self.expr(cond);
            // What leaves the iteration or does nothing does so at few positions.
            let likely = otherwise.is_none().then(|| !ends_in_jump(then));
            let before = self.compared;
            let Some(holds) = self.decide(cond, likely) else {
                if self.compared > before {
                    let left = std::mem::replace(&mut cond.kind, written.kind);
                    decided(cond, cond.kind.clone(), left);
                }
                self.block(then);
                otherwise.iter_mut().for_each(|e| self.expr(e));
                return;
            };
            let then = std::mem::replace(then, empty());
            // The condition is there once more, with the branch that is not taken.
            let (taken, then, otherwise) = match (holds, otherwise.take()) {
                (true, otherwise) => {
                    let instead = otherwise.as_ref().map_or_else(empty, |_| self.nothing(e));
                    (block(then), instead, otherwise)
                }
                (false, None) => (block(empty()), then, None),
                (false, Some(other)) => {
                    let instead = block(self.nothing(e));
                    (other.kind, then, Some(Box::new(with(e, instead))))
                }
            };
            let unreached = ExprKind::If(written, then, otherwise);
            decided(e, unreached, taken);
            if let ExprKind::Decided { value, .. } = &mut e.kind {
                self.expr(value);
            }
            return;
        }
        if let ExprKind::For(_, pat, range, _) = &e.kind
            && let Pat::Bind {
                local, mutable: false, ..
            } = pat
            && let Some(ends) = self.ends_of(range)
        {
            self.counted.insert(*local, ends);
        }
        walk_expr_mut(self, e);
        match &e.kind {
            ExprKind::Binary(BinOp::Rem, ..) => self.remainder(e),
            ExprKind::Method { .. } => self.method(e),
            ExprKind::Call { .. } => self.called(e),
            ExprKind::For(..) => self.count_rounds(e),
            ExprKind::Field(access) => {
                if let Some(again) = self.access(access)
                    && let ExprKind::Field(access) = &mut e.kind
                {
                    access.id = again;
                    access.index.iter_mut().for_each(|index| self.uncast(index));
                }
            }
            _ => {}
        }
    }
}

impl Split<'_> {
    /// Asks for all of these, or for none where a type in them is told nowhere.
    fn ask(&mut self, all: Vec<Asked>) -> bool {
        if all.iter().any(|asked| asked.types().is_none()) {
            return false;
        }
        for asked in all {
            if !self.asked.contains(&asked) {
                self.asked.push(asked);
            }
        }
        true
    }

    fn define(&mut self, pat: &Pat, init: &Expr) {
        pat.names(init, &mut |local, named| match named {
            Named::Value(init) => {
                self.defined.insert(local, init.clone());
            }
            Named::Item(array, k) => {
                self.parts.insert(local, (array.clone(), k));
            }
        });
    }

    /// A block that has no value of any type.
    fn nothing(&self, at: &Expr) -> Block {
        Block {
            stmts: Vec::new(),
            tail: Some(Box::new(with(at, ExprKind::Continue(self.label)))),
        }
    }

    /// What a range is between, if that does not change while its loop runs. Of a range in steps the last value may be less. Where a range is
    /// empty nothing in its loop is run.
    fn ends_of(&self, range: &Range) -> Option<[Sum; 2]> {
        if let Some([start, end]) = range.literals() {
            return (start < end).then(|| [start, end - 1].map(Sum::Number));
        }
        let (start, end) = (self.sum(&range.start)?, self.sum(&range.end)?);
        // The loop runs from what a call gives.
        if start.is_given() || end.is_given() {
            return None;
        }
        if !Sum::are_confirmed(&[&start, &end]) {
            return None;
        }
        let told = Sum::told(&[&start, &end]).ok()?.cloned();
        let last = match range.inclusive {
            true => end,
            false => Sum::Sub(Box::new(end), Box::new(Sum::Number(1))),
        };
        // Apart from the other one, too, an end has the type that a cast in one of them tells.
        Some([start, last].map(|end| match &told {
            Some(ty) => Sum::Add(Box::new(end), Box::new(cast(Sum::Number(0), ty.clone()))),
            None => end,
        }))
    }
}

/// Variables in front of the loops that are made of extents, by what the text tells.
fn of_extents(func: &Func) -> HashSet<LocalId> {
    let mut found: HashSet<LocalId> = HashSet::new();
    for stmt in &func.body.stmts {
        if let Stmt::Let {
            pat: Pat::Bind {
                local, mutable: false, ..
            },
            init: Some(init),
            ..
        } = stmt
            && any(init, |e| match &e.kind {
                ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => true,
                ExprKind::Local(id, _) => found.contains(id) || matches!(func.local(*id).value, Value::Extent(_)),
                _ => false,
            })
        {
            found.insert(*local);
        }
    }
    found
}

fn empty() -> Block {
    Block {
        stmts: Vec::new(),
        tail: None,
    }
}

fn block(block: Block) -> ExprKind {
    ExprKind::Block {
        label: None,
        unsafety: false,
        block,
    }
}

/// Another expression at the place of one.
fn with(at: &Expr, kind: ExprKind) -> Expr {
    Expr {
        kind,
        lints: Vec::new(),
        span: at.span,
        end: at.end,
        order: at.order.clone(),
    }
}

/// Makes of an operation what it is in the inside.
fn within(e: &mut Expr, within: Within) {
    e.kind = ExprKind::Within(Box::new(with(e, e.kind.clone())), within);
}

/// Makes of an expression the value that it has, beside what tells of its types.
fn decided(e: &mut Expr, unreached: ExprKind, value: ExprKind) {
    e.kind = ExprKind::Decided {
        unreached: Box::new(with(e, unreached)),
        value: Box::new(with(e, value)),
    };
}
