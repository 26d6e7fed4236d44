//! Index-set splitting: in most of a row, comparisons of its position have one value, remainders are differences, and indices that they
//! are made of are in bounds. What has to be asked of a part of a row for that, and the loop as it is there.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use quote::format_ident;
use swathe_ir::{BinOp, Check, LocalId, UnOp};

use crate::budget::{INSIDE_PARTS, MOST_COUNTED, SUM_PARTS, UNROLLED};
use crate::hir::affine::{limited, number};
use crate::hir::visit::{Loops, Visit, VisitMut, parts, walk_expr, walk_expr_mut};
use crate::hir::{
    Access, AccessId, Asked, Block, Domain, Expr, ExprKind, Extent, Func, Inside, LabelId, Local, ParFor, Pat, Range,
    Stmt, Sum, Value, Within,
};

pub fn find(func: &mut Func) {
    for k in 0..func.body.stmts.len() {
        let Stmt::ParFor(p) = &func.body.stmts[k] else { continue };
        let p = p.clone();
        let inside = of(func, p);
        if let Stmt::ParFor(p) = &mut func.body.stmts[k] {
            p.inside = inside.map(Box::new);
        }
    }
}

fn of(func: &mut Func, p: ParFor) -> Option<Inside> {
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
        func,
        number: p.number,
        label: p.label,
        position,
        counts_indices: false,
        heads: p.vars.iter().rev().skip(1).flatten().copied().collect(),
        bounds: bounds(&p.domain),
        defined: HashMap::new(),
        counted: HashMap::new(),
        counts: Cell::new(false),
        made: HashSet::new(),
        truths: HashMap::new(),
        asked: Vec::new(),
        compared: 0,
        accesses: 0,
        counting: 0,
    };
    split.bounds.extend(of_extents(split.func));
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
    let pays = compared > 0 || counting > 0 || accesses > 0 && !Loops::in_block(&body.body);
    pays.then_some(Inside {
        asked,
        body,
        compared,
        accesses,
    })
}

fn bounds(domain: &Domain) -> HashSet<LocalId> {
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

fn at_most(left: Sum, right: Sum) -> Asked {
    Asked::Compared {
        op: BinOp::Le,
        left,
        right,
        holds: true,
    }
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
    /// Variables that end the domain, and those that are made of extents.
    bounds: HashSet<LocalId>,
    /// What immutable variables of the body are.
    defined: HashMap<LocalId, Expr>,
    /// The first and the last value of what short sequential loops between literals count.
    counted: HashMap<LocalId, [i64; 2]>,
    /// Whether these may stand in a sum.
    counts: Cell<bool>,
    /// Multiples, which are fixed along the row.
    made: HashSet<LocalId>,
    /// What conditions are that variables stand for, by what the text around them lets expect.
    truths: HashMap<(LocalId, Option<bool>), Option<bool>>,
    asked: Vec<Asked>,
    compared: usize,
    accesses: usize,
    /// Accesses in short loops, by what these count.
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
            let likely = otherwise.is_none().then(|| !leaves(then));
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
            && let Some(values) = counted(range)
        {
            self.counted.insert(*local, values);
        }
        walk_expr_mut(self, e);
        match &e.kind {
            ExprKind::Binary(BinOp::Rem, ..) => self.remainder(e),
            ExprKind::Method { .. } => self.method(e),
            ExprKind::Field(access) => {
                if let Some(again) = self.access(access)
                    && let ExprKind::Field(access) = &mut e.kind
                {
                    access.id = again;
                }
            }
            _ => {}
        }
    }
}

impl Split<'_> {
    fn define(&mut self, pat: &Pat, init: &Expr) {
        match (pat, &init.kind) {
            (
                Pat::Bind {
                    local, mutable: false, ..
                },
                _,
            ) => {
                self.defined.insert(*local, init.clone());
            }
            (Pat::Tuple(pats), ExprKind::Tuple(parts)) | (Pat::Array(pats), ExprKind::Array(parts, _)) => {
                let pairs = pats.iter().zip(parts);
                pairs.for_each(|(pat, part)| self.define(pat, part));
            }
            _ => {}
        }
    }

    /// `a % b` is `a` less a multiple of `b`.
    fn remainder(&mut self, e: &mut Expr) {
        let ExprKind::Binary(_, _, a, b, _) = &e.kind else {
            return;
        };
        let (Some(of), Some(by)) = (self.sum(a), self.sum(b)) else {
            return;
        };
        // The multiple is a `usize`. A remainder by what is no extent, `i % 2`, may begin again every few positions.
        let fits = stride(&of).is_some() && stride(&by) == Some(0);
        match Sum::told(&[&of, &by]) {
            Ok(None) => {}
            // Of other types the text does not tell whether it may be below zero: it mostly is the number itself.
            Ok(Some(_)) if self.moves(&of) && fits && self.spans(&by) && !self.spans(&of) => {
                self.kept(e, Some(Sum::Number(0)), of, Some((BinOp::Lt, by)));
                return;
            }
            _ => return,
        }
        if !fits || !(self.is_index(&of) || self.is_index(&by)) || !self.spans(&by) {
            return;
        }
        let into = self.variable();
        self.asked.push(Asked::Multiple { of, by, into });
        within(e, Within::Less(into));
        self.compared += 1;
    }

    /// Whether the text tells that a sum is of the type of an index.
    fn is_index(&self, sum: &Sum) -> bool {
        sum.values().iter().any(|leaf| match leaf {
            Sum::Len(_) | Sum::Extent(..) => true,
            Sum::Position => self.counts_indices,
            Sum::Local(id) => self.heads.contains(id) || self.is_extent(*id),
            _ => false,
        })
    }

    /// Whether a sum changes from position to position, along a row or from row to row.
    fn moves(&self, sum: &Sum) -> bool {
        sum.leaves().iter().any(|leaf| match leaf {
            Sum::Position => true,
            Sum::Local(id) => self.heads.contains(id),
            _ => false,
        })
    }

    /// Whether a sum is made of extents, of a field or of the domain.
    fn spans(&self, sum: &Sum) -> bool {
        sum.values().iter().any(|leaf| match leaf {
            Sum::Cast(a, _) => self.spans(a),
            Sum::Len(_) | Sum::Extent(..) => true,
            Sum::Local(id) => self.is_extent(*id) || self.bounds.contains(id),
            _ => false,
        })
    }

    fn is_extent(&self, id: LocalId) -> bool {
        let value = &self.func.local(id).value;
        matches!(value, Value::Extent(Extent::Shape(..) | Extent::Len(_)))
    }

    /// A minimum or maximum is the operand that changes along the row.
    fn method(&mut self, e: &mut Expr) {
        let ExprKind::Method {
            receiver, name, args, ..
        } = &e.kind
        else {
            return;
        };
        let arg = match (name.to_string().as_str(), args.as_slice()) {
            (_, [arg]) => arg,
            ("abs", []) => {
                if let Some(a) = self.sum(receiver).filter(|a| self.moves(a) && stride(a).is_some()) {
                    self.kept(e, Some(Sum::Number(0)), a, None);
                }
                return;
            }
            ("clamp", [least, most]) => {
                let (Some(a), Some(least), Some(most)) = (self.sum(receiver), self.sum(least), self.sum(most)) else {
                    return;
                };
                let fixed = stride(&least) == Some(0) && stride(&most) == Some(0);
                if fixed && self.moves(&a) && stride(&a).is_some() && self.spans(&most) {
                    self.kept(e, Some(least), a, Some((BinOp::Le, most)));
                }
                return;
            }
            _ => return,
        };
        let (Some(a), Some(b)) = (self.sum(receiver), self.sum(arg)) else {
            return;
        };
        let told = Sum::told(&[&a, &b]);
        let (Some(stride_a), Some(stride_b)) = (stride(&a), stride(&b)) else {
            return;
        };
        if told.is_err() {
            return;
        }
        let index = told == Ok(None);
        if name == "rem_euclid" {
            if !index && stride_b == 0 && self.moves(&a) && self.spans(&b) && !self.spans(&a) {
                self.kept(e, Some(Sum::Number(0)), a, Some((BinOp::Lt, b)));
            }
            return;
        }
        // Where neither changes, the method stays.
        let (first, fixed) = match (stride_a, stride_b) {
            (0, 0) => return,
            (_, 0) => (true, &b),
            (0, _) => (false, &a),
            _ => return,
        };
        // The position mostly is below extents, and above numbers that the text tells.
        let below = match name.to_string().as_str() {
            "min" if self.spans(fixed) => true,
            "max" if is_number(fixed) => false,
            "saturating_sub" if index => {
                self.asked.push(at_most(b, a));
                within(e, Within::Difference);
                self.compared += 1;
                return;
            }
            _ => return,
        };
        self.asked.push(match below == first {
            true => at_most(a, b),
            false => at_most(b, a),
        });
        within(e, if first { Within::First } else { Within::Second });
        self.compared += 1;
    }

    /// Makes of an operation its first operand, which is `least` or more, and below the other one or at most that.
    fn kept(&mut self, e: &mut Expr, least: Option<Sum>, a: Sum, most: Option<(BinOp, Sum)>) {
        let told = |other: &Sum| Sum::told(&[other, &a]).is_ok();
        if !least.iter().chain(most.iter().map(|(_, most)| most)).all(told) {
            return;
        }
        if let Some((op, right)) = most {
            self.asked.push(Asked::Compared {
                op,
                left: a.clone(),
                right,
                holds: true,
            });
        }
        if let Some(least) = least {
            self.asked.push(at_most(least, a));
        }
        within(e, Within::First);
        self.compared += 1;
    }

    /// The access again, in bounds, if all of its indices are sums.
    fn access(&mut self, access: &Access) -> Option<AccessId> {
        let info = self.func.access(access.id);
        if info.check != Check::InKernel || info.in_unsafe || self.func.is_offset(access.field) {
            return None;
        }
        self.counts.set(true);
        let indices: Option<Vec<Sum>> = access.index.iter().map(|e| self.sum(e)).collect();
        self.counts.set(false);
        let indices = indices.filter(|indices| indices.iter().all(|index| stride(index).is_some()))?;
        let corners: Option<Vec<Vec<Sum>>> = indices.into_iter().map(|index| self.corners(index)).collect();
        let corners = corners?;
        self.counting += usize::from(corners.iter().any(|corners| corners.len() > 1));
        for (axis, corners) in corners.into_iter().enumerate() {
            for index in corners {
                let field = access.field;
                let asked = Asked::Below { index, field, axis };
                if !self.asked.contains(&asked) {
                    self.asked.push(asked);
                }
            }
        }
        let mut again = self.func.access(access.id).clone();
        (again.check, again.again) = (Check::Proven, true);
        self.func.accesses.push(again);
        self.accesses += 1;
        Some(AccessId(self.func.accesses.len() - 1))
    }

    /// An index at the first and the last value of all that loops count in it. It and all its parts are linear in each of these, so between
    /// the corners they are between what they are there.
    fn corners(&self, index: Sum) -> Option<Vec<Sum>> {
        let mut counted: Vec<LocalId> = Vec::new();
        for leaf in index.leaves() {
            if let Sum::Local(id) = leaf
                && self.counted.contains_key(id)
                && !counted.contains(id)
            {
                counted.push(*id);
            }
        }
        if counted.len() > MOST_COUNTED || !counted.iter().all(|id| is_linear(&index, *id)) {
            return None;
        }
        let mut corners = vec![index];
        for id in counted {
            let values = self.counted[&id];
            let at = |value| corners.iter().map(move |corner| corner.at(id, value));
            corners = values.into_iter().flat_map(at).collect();
        }
        Some(corners)
    }

    /// The value that a condition has in most of a row; where parts of it alone are known it is left with the others.
    /// `likely` is the value that the text around it lets expect.
    fn decide(&mut self, cond: &mut Expr, likely: Option<bool>) -> Option<bool> {
        let (all, a, b) = match &mut cond.kind {
            ExprKind::Binary(BinOp::And, _, a, b, _) => (true, a, b),
            ExprKind::Binary(BinOp::Or, _, a, b, _) => (false, a, b),
            _ => return self.truth(cond, likely),
        };
        let likely = likely.filter(|likely| *likely == all);
        let left = self.decide(a, likely);
        if left == Some(!all) {
            return left;
        }
        let rest = match (left, self.decide(b, likely)) {
            (Some(_), Some(right)) => return Some(right),
            (Some(_), None) => b.clone(),
            (None, Some(right)) if right == all => a.clone(),
            (None, Some(right)) => return self.is_pure(a).then_some(right),
            (None, None) => return None,
        };
        *cond = *rest;
        None
    }

    /// Whether an expression is made of comparisons of sums, which is asked, too: it can be left out.
    fn is_pure(&mut self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary(UnOp::Not, a, _) => self.is_pure(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => self.is_pure(a) && self.is_pure(b),
            ExprKind::Binary(op, _, a, b, _) if op.is_comparison() => match (self.sum(a), self.sum(b)) {
                (Some(a), Some(b)) if (is_typed(&a) || is_typed(&b)) && Sum::told(&[&a, &b]).is_ok() => {
                    self.asked.extend([Asked::Number(a), Asked::Number(b)]);
                    true
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// The value that a condition has in most of a row, if it depends on the position alone.
    fn truth(&mut self, cond: &Expr, likely: Option<bool>) -> Option<bool> {
        match &cond.kind {
            ExprKind::Binary(BinOp::And | BinOp::Or, ..) => self.decide(&mut cond.clone(), likely),
            ExprKind::Unary(UnOp::Not, a, _) => self.truth(a, likely.map(|likely| !likely)).map(|holds| !holds),
            ExprKind::Decided { value, .. } => self.truth(value, likely),
            ExprKind::Local(id, _) => {
                if let Some(known) = self.truths.get(&(*id, likely)) {
                    return *known;
                }
                let init = self.defined.get(id)?.clone();
                let truth = self.truth(&init, likely);
                self.truths.insert((*id, likely), truth);
                truth
            }
            ExprKind::Binary(op, _, a, b, _) if op.is_comparison() => {
                let (left, right) = (self.sum(a)?, self.sum(b)?);
                Sum::told(&[&left, &right]).ok()?;
                let holds = self.likely(*op, &left, &right, likely)?;
                self.asked.push(Asked::Compared {
                    op: *op,
                    left,
                    right,
                    holds,
                });
                self.compared += 1;
                Some(holds)
            }
            _ => None,
        }
    }

    /// A position seldom equals a number. It mostly is above numbers that the text tells, and below extents. Of other variables the text around
    /// it tells, or nothing.
    fn likely(&self, op: BinOp, left: &Sum, right: &Sum, likely: Option<bool>) -> Option<bool> {
        let along = stride(left)?.checked_sub(stride(right)?)?;
        if along == 0 {
            return None;
        }
        let below = match op {
            BinOp::Eq => return Some(false),
            BinOp::Ne => return Some(true),
            BinOp::Lt | BinOp::Le => along > 0,
            BinOp::Gt | BinOp::Ge => along < 0,
            _ => return None,
        };
        if self.spans(left) || self.spans(right) {
            return Some(below);
        }
        match is_number(left) && is_number(right) {
            true => Some(!below),
            false => likely,
        }
    }

    /// An expression as a sum, as far as its text tells.
    fn sum(&self, e: &Expr) -> Option<Sum> {
        self.sum_of(e).filter(|sum| size(sum) <= SUM_PARTS)
    }

    fn sum_of(&self, e: &Expr) -> Option<Sum> {
        let pair = |a: &Expr, b: &Expr| {
            let (a, b) = (self.sum(a)?, self.sum(b)?);
            Sum::told(&[&a, &b]).ok()?;
            Some((Box::new(a), Box::new(b)))
        };
        if let Some(position) = limited(e) {
            return self.sum(position);
        }
        Some(match &e.kind {
            ExprKind::Local(id, _) if *id == self.position => Sum::Position,
            ExprKind::Local(id, _) => {
                if let Some(init) = self.defined.get(id) {
                    return self.sum(init);
                }
                if self.counted.contains_key(id) {
                    return self.counts.get().then_some(Sum::Local(*id));
                }
                let local = self.func.local(*id);
                let along = local.inside.is_none() || self.heads.contains(id) || self.made.contains(id);
                let fixed = !local.mutable && along;
                fixed.then_some(Sum::Local(*id))?
            }
            ExprKind::Const(_, path) => Sum::Const(path.clone()),
            ExprKind::FieldLen(field, _) if !self.func.is_offset(*field) => Sum::Len(*field),
            ExprKind::Index(shape, axis) => match &shape.kind {
                ExprKind::FieldShape(field, _) if !self.func.is_offset(*field) => {
                    Sum::Extent(*field, usize::try_from(number(axis)?).ok()?)
                }
                _ => return None,
            },
            ExprKind::Binary(BinOp::Add, _, a, b, _) => {
                let (a, b) = pair(a, b)?;
                Sum::Add(a, b)
            }
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => {
                let (a, b) = pair(a, b)?;
                Sum::Sub(a, b)
            }
            ExprKind::Binary(BinOp::Mul, _, a, b, _) => {
                let (a, b) = pair(a, b)?;
                Sum::Mul(a, b)
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => self.sum(only(block)?)?,
            ExprKind::Decided { value, .. } => self.sum(value)?,
            ExprKind::Cast(a, ty, _) if is_integer(ty) => {
                let a = self.sum(a).filter(|a| self.has_type(a))?;
                Sum::Cast(Box::new(a), ty.clone())
            }
            ExprKind::Unary(UnOp::Neg, a, _) => Sum::Sub(Box::new(Sum::Number(0)), Box::new(self.sum(a)?)),
            ExprKind::Lit(syn::Lit::Int(n), _) => Sum::Number(n.base10_parse().ok()?),
            ExprKind::Within(operation, within) => {
                let (a, b) = operands(operation)?;
                match within {
                    Within::First => self.sum(a)?,
                    Within::Second => self.sum(b?)?,
                    Within::Difference => {
                        let (a, b) = pair(a, b?)?;
                        Sum::Sub(a, b)
                    }
                    Within::Less(multiple) => Sum::Sub(Box::new(self.sum(a)?), Box::new(Sum::Local(*multiple))),
                }
            }
            ExprKind::If(cond, then, Some(otherwise)) => {
                let ExprKind::Binary(op, _, a, b, _) = &cond.kind else {
                    return None;
                };
                let all = [self.sum(a)?, self.sum(b)?, self.sum(only(then)?)?, self.sum(otherwise)?];
                Sum::told(&[&all[0], &all[1]]).ok()?;
                Sum::told(&[&all[2], &all[3]]).ok()?;
                let strides = [stride(&all[0])?, stride(&all[1])?, stride(&all[2])?, stride(&all[3])?];
                let fixed = op.is_comparison() && strides[0] == strides[1] && strides[2] == strides[3];
                let typed = is_typed(&all[0]) || is_typed(&all[1]);
                (fixed && typed).then(|| Sum::If(*op, Box::new(all)))?
            }
            ExprKind::Method {
                receiver, name, args, ..
            } => {
                let [arg] = args.as_slice() else { return None };
                let (a, b) = (self.sum(receiver)?, self.sum(arg)?);
                if stride(&a)? != 0 || stride(&b)? != 0 {
                    return None;
                }
                let index = Sum::told(&[&a, &b]).ok()?.is_none();
                let (below, otherwise) = match name.to_string().as_str() {
                    "min" => (a.clone(), b.clone()),
                    "max" => (b.clone(), a.clone()),
                    "saturating_sub" if index => (Sum::Number(0), Sum::Sub(Box::new(a.clone()), Box::new(b.clone()))),
                    _ => return None,
                };
                Sum::If(BinOp::Lt, Box::new([a, b, below, otherwise]))
            }
            _ => Sum::Number(number(e)?),
        })
    }

    /// Whether a part of what is cast is asked for its type: numbers alone, and what loops between numbers count, may be of any type, and wrap there.
    fn has_type(&self, sum: &Sum) -> bool {
        sum.values().iter().any(|leaf| match leaf {
            Sum::Number(_) => false,
            Sum::Local(id) => !self.counted.contains_key(id),
            _ => true,
        })
    }

    /// A block that has no value of any type.
    fn nothing(&self, at: &Expr) -> Block {
        Block {
            stmts: Vec::new(),
            tail: Some(Box::new(with(at, ExprKind::Continue(self.label)))),
        }
    }

    /// A variable of ours, of the type of positions.
    fn variable(&mut self) -> LocalId {
        let id = LocalId(u32::try_from(self.func.locals.len()).expect("fewer than 2^32 variables"));
        let ident = format_ident!("__multiple{}", id.0);
        self.func.locals.push(Local {
            name: ident.clone(),
            ident,
            ty: self.func.local(self.position).ty,
            mutable: false,
            inside: Some(self.number),
            value: Value::Unknown,
        });
        self.made.insert(id);
        id
    }
}

/// The first and the last value of a range between literals that LLVM writes out.
fn counted(range: &Range) -> Option<[i64; 2]> {
    let number = |e: &Expr| match &e.kind {
        ExprKind::Lit(syn::Lit::Int(n), _) => n.base10_parse::<i64>().ok(),
        ExprKind::Unary(UnOp::Neg, a, _) => i64::try_from(number(a)?).ok().map(|n| -n),
        _ => None,
    };
    let (start, end) = (number(&range.start)?, number(&range.end)?);
    let last = if range.inclusive { end } else { end.checked_sub(1)? };
    let short = start <= last && last.checked_sub(start)? < i64::try_from(UNROLLED).ok()?;
    (short && range.step.is_none()).then_some([start, last])
}

/// Whether the text says an integer's type: rustc tells whether it is one.
fn is_integer(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    let names = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    names.into_iter().any(|name| path.path.is_ident(name))
}

/// Variables in front of the loops that are made of extents, by what the text tells.
fn of_extents(func: &Func) -> Vec<LocalId> {
    #[derive(Default)]
    struct Extents<'f>(Option<&'f Func>, HashSet<LocalId>, bool);
    impl Visit for Extents<'_> {
        fn expr(&mut self, e: &Expr) {
            self.2 |= match &e.kind {
                ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => true,
                ExprKind::Local(id, _) => {
                    let value = self.0.map(|func| &func.local(*id).value);
                    self.1.contains(id) || matches!(value, Some(Value::Extent(_)))
                }
                _ => false,
            };
            walk_expr(self, e);
        }
    }
    let mut found = Extents(Some(func), HashSet::new(), false);
    for stmt in &func.body.stmts {
        if let Stmt::Let {
            pat: Pat::Bind {
                local, mutable: false, ..
            },
            init: Some(init),
            ..
        } = stmt
        {
            found.2 = false;
            found.expr(init);
            if found.2 {
                found.1.insert(*local);
            }
        }
    }
    found.1.into_iter().collect()
}

/// Whether a sum is linear in a variable, and is not chosen by it.
fn is_linear(sum: &Sum, id: LocalId) -> bool {
    let has = |sum: &Sum| sum.leaves().contains(&&Sum::Local(id));
    match sum {
        Sum::Add(a, b) | Sum::Sub(a, b) => is_linear(a, id) && is_linear(b, id),
        Sum::Mul(a, b) => is_linear(a, id) && is_linear(b, id) && !(has(a) && has(b)),
        Sum::Cast(a, _) => is_linear(a, id),
        Sum::If(..) => !has(sum),
        _ => true,
    }
}

/// Whether a sum is made of positions and numbers that the text tells.
fn is_number(sum: &Sum) -> bool {
    sum.leaves()
        .iter()
        .all(|leaf| matches!(leaf, Sum::Position | Sum::Number(_)))
}

/// Whether a block ends the iteration.
fn leaves(block: &Block) -> bool {
    let last = match (&block.tail, block.stmts.last()) {
        (Some(tail), _) => &**tail,
        (None, Some(Stmt::Expr(last))) => last,
        _ => return false,
    };
    matches!(last.kind, ExprKind::Continue(_))
}

/// Whether a part of a sum is asked for its type. Literals are not: one may be of any type, and wrap there.
fn is_typed(sum: &Sum) -> bool {
    sum.values().iter().any(|leaf| !matches!(leaf, Sum::Number(_)))
}

/// Of how many parts a sum is.
fn size(sum: &Sum) -> usize {
    match sum {
        Sum::Add(a, b) | Sum::Sub(a, b) | Sum::Mul(a, b) => 1 + size(a) + size(b),
        Sum::If(_, all) => all.iter().map(size).sum(),
        Sum::Cast(a, _) => 1 + size(a),
        _ => 1,
    }
}

/// By how much a sum grows from position to position, if the text tells.
fn stride(sum: &Sum) -> Option<i64> {
    Some(match sum {
        Sum::Position => 1,
        Sum::Local(_) | Sum::Const(_) | Sum::Number(_) | Sum::Len(_) | Sum::Extent(..) => 0,
        Sum::Add(a, b) => stride(a)?.checked_add(stride(b)?)?,
        Sum::Sub(a, b) => stride(a)?.checked_sub(stride(b)?)?,
        Sum::Mul(a, b) => match (&**a, &**b) {
            (Sum::Number(n), other) | (other, Sum::Number(n)) => stride(other)?.checked_mul(i64::try_from(*n).ok()?)?,
            (a, b) => (stride(a)? == 0 && stride(b)? == 0).then_some(0)?,
        },
        Sum::If(_, all) => stride(&all[2])?,
        Sum::Cast(a, _) => stride(a)?,
    })
}

/// What a block is that does nothing else.
fn only(block: &Block) -> Option<&Expr> {
    block.tail.as_deref().filter(|_| block.stmts.is_empty())
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

/// The operands of a binary operator, or of a method, of which there may be more.
fn operands(e: &Expr) -> Option<(&Expr, Option<&Expr>)> {
    match &e.kind {
        ExprKind::Binary(_, _, a, b, _) => Some((a, Some(b))),
        ExprKind::Method { receiver, args, .. } => Some((receiver, args.first())),
        _ => None,
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
