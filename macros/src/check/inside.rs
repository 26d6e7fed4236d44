//! Index-set splitting: in most of a row, comparisons of its position have one value, remainders are differences, and indices that they
//! are made of are in bounds. What has to be asked of a part of a row for that, and the loop as it is there.

use std::cell::Cell;
use std::collections::{HashMap, HashSet};

use quote::format_ident;
use swathe_ir::{BinOp, Check, LocalId, UnOp};

use crate::budget::{INSIDE_PARTS, LENT_PARAMS, MOST_COUNTED, SUM_PARTS, UNROLLED};
use crate::hir::affine::{limited, literal, number};
use crate::hir::types::is_integer_type;
use crate::hir::visit::{VisitMut, any, any_in, is_loop, parts, walk_expr_mut};
use crate::hir::{
    Access, AccessId, Asked, Block, Called, Domain, Expr, ExprKind, Extent, Func, Inside, Item, LabelId, Local, NEVER,
    Named, ParFor, Passed, Pat, Range, Stmt, Sum, Table, Value, Within,
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
        made: HashSet::new(),
        truths: HashMap::new(),
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
    let pays = compared > 0 || counting > 0 || accesses > 0 && !any_in(&body.body, is_loop);
    pays.then_some(Inside {
        asked,
        body,
        compared,
        accesses,
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
    /// The first and the last value of what short sequential loops between literals count.
    counted: HashMap<LocalId, [i64; 2]>,
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
            ExprKind::Call { .. } => self.called(e),
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
        pat.names(init, &mut |local, named| match named {
            Named::Value(init) => {
                self.defined.insert(local, init.clone());
            }
            Named::Item(array, k) => {
                self.parts.insert(local, (array.clone(), k));
            }
        });
    }

    /// `a % b` is `a` less a multiple of `b`.
    fn remainder(&mut self, e: &mut Expr) {
        let ExprKind::Binary(_, _, a, b, _) = &e.kind else {
            return;
        };
        let (Some(of), Some(by)) = (self.index(a), self.index(b)) else {
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
        let whole = !self.varies(&of) && !self.varies(&by);
        if !whole || !fits || !(self.is_index(&of) || self.is_index(&by)) || !self.spans(&by) {
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
            Sum::Local(id) => self.is_extent(*id) || self.ends.contains(id) || self.of_extents.contains(id),
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
                // A distance from elsewhere is below zero in half of the rows.
                if let Some(a) = self
                    .index(receiver)
                    .filter(|a| stride(a).is_some_and(|by| by != 0) && is_number(a))
                {
                    self.kept(e, Some(Sum::Number(0)), a, None);
                }
                return;
            }
            ("clamp", [least, most]) => {
                let (Some(a), Some(least), Some(most)) = (self.index(receiver), self.sum(least), self.sum(most)) else {
                    return;
                };
                let fixed = stride(&least) == Some(0) && stride(&most) == Some(0);
                if fixed && self.moves(&a) && stride(&a).is_some() && self.spans(&most) {
                    self.kept(e, Some(least), a, Some((BinOp::Le, most)));
                }
                return;
            }
            ("clamped" | "periodic" | "reflected" | "symmetric", [offset, extent]) => {
                let (Some(a), Some(by), Some(extent)) = (self.index(receiver), self.index(offset), self.sum(extent))
                else {
                    return;
                };
                let told = Sum::told(&[&a, &extent]) == Ok(None) && Sum::told(&[&by]).is_ok();
                if told && self.moves(&a) && stride(&a).is_some() && stride(&by) == Some(0) && self.spans(&extent) {
                    self.bounded(e, a, by, extent);
                }
                return;
            }
            _ => return,
        };
        let (Some(a), Some(b)) = (self.index(receiver), self.index(arg)) else {
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
            (0, 0) if self.varies(&a) && self.moves(&a) && !self.moves(&b) && !self.varies(&b) => (true, &b),
            (0, 0) if self.varies(&b) && self.moves(&b) && !self.moves(&a) && !self.varies(&a) => (false, &a),
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
                if self.ask_all([at_most(b, a)]) {
                    within(e, Within::Difference);
                }
                return;
            }
            _ => return,
        };
        let asked = match below == first {
            true => at_most(a, b),
            false => at_most(b, a),
        };
        if self.ask_all([asked]) {
            within(e, if first { Within::First } else { Within::Second });
        }
    }

    /// Asks for comparisons at the ends of all that loops count and tables hold; `false` if there are too many.
    fn ask_all(&mut self, comparisons: impl IntoIterator<Item = Asked>) -> bool {
        let mut all = Vec::new();
        for asked in comparisons {
            let Asked::Compared { op, left, right, holds } = asked else {
                unreachable!("a comparison");
            };
            let Some(corners) = self.corners(vec![left, right]) else {
                return false;
            };
            for pair in corners {
                let [left, right] = pair.try_into().ok().expect("two sums");
                all.push(Asked::Compared { op, left, right, holds });
            }
        }
        self.asked.extend(all);
        self.compared += 1;
        true
    }

    /// Makes of an operation its first operand, which is `least` or more, and below the other one or at most that.
    fn kept(&mut self, e: &mut Expr, least: Option<Sum>, a: Sum, most: Option<(BinOp, Sum)>) {
        let told = |other: &Sum| Sum::told(&[other, &a]).is_ok();
        if !least.iter().chain(most.iter().map(|(_, most)| most)).all(told) {
            return;
        }
        let above = least.map(|least| at_most(least, a.clone()));
        let below = most.map(|(op, right)| Asked::Compared {
            op,
            left: a,
            right,
            holds: true,
        });
        if self.ask_all(below.into_iter().chain(above)) {
            within(e, Within::First);
        }
    }

    /// Makes of a neighbour by a rule of boundaries the position and the offset, where their sum is on the axis.
    fn bounded(&mut self, e: &mut Expr, a: Sum, by: Sum, extent: Sum) {
        let at = moved(a.clone(), by);
        let above = at_most(Sum::Number(0), at.clone());
        let below = Asked::Compared {
            op: BinOp::Lt,
            left: at,
            right: cast(extent, signed()),
            holds: true,
        };
        // At each end of what short loops count, of its type.
        let Some(ends) = self.corners(vec![a]) else { return };
        if self.ask_all([above, below]) {
            self.asked.extend(ends.into_iter().flatten().map(Asked::Number));
            within(e, Within::Moved);
        }
    }

    /// The access again, in bounds, if all of its indices are sums.
    fn access(&mut self, access: &Access) -> Option<AccessId> {
        let info = self.func.access(access.id);
        if info.check != Check::InKernel || info.in_unsafe || self.func.is_offset(access.field) {
            return None;
        }
        let index = match &access.index[..] {
            [whole] => self.array(whole).unwrap_or(&access.index),
            index => index,
        };
        let indices: Option<Vec<Sum>> = index.iter().map(|e| self.index(e)).collect();
        let indices = indices.filter(|indices| indices.iter().all(|index| stride(index).is_some()))?;
        let corners: Option<Vec<Vec<Vec<Sum>>>> = indices.into_iter().map(|index| self.corners(vec![index])).collect();
        let corners = corners?;
        self.counting += usize::from(corners.iter().any(|corners| corners.len() > 1));
        for (axis, corners) in corners.into_iter().enumerate() {
            for index in corners.into_iter().flatten() {
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

    /// A function that is lent fields, which reads without checks what its arguments tell to be in bounds.
    fn called(&mut self, e: &mut Expr) {
        let ExprKind::Call {
            path, on: None, args, ..
        } = &e.kind
        else {
            return;
        };
        if args.len() > LENT_PARAMS || !args.iter().any(|arg| matches!(arg.kind, ExprKind::FieldArgument(..))) {
            return;
        }
        let passed: Vec<Passed> = args.iter().map(|arg| self.passed(arg)).collect();
        let open = passed.iter().enumerate().fold(NEVER, |open, (k, passed)| match passed {
            Passed::Other => open | 1 << k,
            _ => open,
        });
        let sums = passed.iter().flat_map(|passed| match passed {
            Passed::Sums(sums) => sums.clone(),
            _ => Vec::new(),
        });
        let Some(corners) = self.corners(sums.collect()) else {
            return;
        };
        for corner in corners {
            let mut corner = corner.into_iter();
            let at = |passed: &Passed| match passed {
                Passed::Sums(sums) => Passed::Sums(corner.by_ref().take(sums.len()).collect()),
                other => other.clone(),
            };
            let asked = Asked::Called(Box::new(Called {
                path: path.clone(),
                args: passed.iter().map(at).collect(),
                open,
            }));
            if !self.asked.contains(&asked) {
                self.asked.push(asked);
            }
        }
        self.accesses += 1;
        let called = Called {
            path: path.clone(),
            args: passed,
            open,
        };
        e.kind = ExprKind::Inside(Box::new(with(e, e.kind.clone())), Box::new(called));
    }

    fn passed(&self, arg: &Expr) -> Passed {
        if let ExprKind::FieldArgument(field, _) = arg.kind {
            return Passed::Field(field);
        }
        let parts = self.array(arg).unwrap_or(std::slice::from_ref(arg));
        let sums: Option<Vec<Sum>> = parts
            .iter()
            .map(|e| {
                self.index(e)
                    .filter(|sum| stride(sum).is_some() && Sum::told(&[sum]).is_ok())
            })
            .collect();
        sums.map_or(Passed::Other, Passed::Sums)
    }

    /// The parts of an array that a variable stands for.
    fn array<'e>(&'e self, e: &'e Expr) -> Option<&'e [Expr]> {
        match &e.kind {
            ExprKind::Array(parts, _) => Some(parts),
            ExprKind::Local(id, _) => self.array(self.defined.get(id)?),
            _ => None,
        }
    }

    /// Sums at the ends of all that short loops count, and tables hold, in them. They and all their parts are linear in each of these, so between
    /// the corners they are between what they are there.
    fn corners(&self, sums: Vec<Sum>) -> Option<Vec<Vec<Sum>>> {
        let mut counted: Vec<Sum> = Vec::new();
        for leaf in sums.iter().flat_map(Sum::leaves) {
            if self.is_counted(leaf) && !counted.contains(leaf) {
                counted.push(leaf.clone());
            }
        }
        let linear = |leaf: &Sum| sums.iter().all(|sum| is_linear(sum, leaf));
        if counted.len() > MOST_COUNTED || !counted.iter().all(linear) {
            return None;
        }
        let mut corners = vec![sums];
        for leaf in counted {
            let ends = match &leaf {
                Sum::Local(id) => self.counted[id].map(Sum::number),
                Sum::Item(item) => item.ends(),
                _ => unreachable!("a variable of a loop, or an item"),
            };
            let at = |end: Sum| {
                let sums = corners.iter().map(move |sums| (sums, end.clone()));
                sums.map(|(sums, end)| sums.iter().map(|sum| sum.with(&leaf, &end)).collect())
            };
            corners = ends.into_iter().flat_map(at).collect();
        }
        Some(corners)
    }

    /// Whether a leaf has several values at a position.
    fn is_counted(&self, leaf: &Sum) -> bool {
        match leaf {
            Sum::Local(id) => self.counted.contains_key(id),
            Sum::Item(_) => true,
            _ => false,
        }
    }

    fn varies(&self, sum: &Sum) -> bool {
        sum.leaves().iter().any(|leaf| self.is_counted(leaf))
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
            // It is left out, but not what might fail in it.
            ExprKind::Binary(op, _, a, b, _)
                if op.is_comparison() && !any(a, is_looked_up) && !any(b, is_looked_up) =>
            {
                let (left, right) = (self.index(a)?, self.index(b)?);
                Sum::told(&[&left, &right]).ok()?;
                let holds = self.likely(*op, &left, &right, likely)?;
                let asked = Asked::Compared {
                    op: *op,
                    left,
                    right,
                    holds,
                };
                self.ask_all([asked]).then_some(holds)
            }
            _ => None,
        }
    }

    /// A position seldom equals a number. It mostly is above numbers that the text tells, and below extents. Of other variables the text around
    /// it tells, or nothing.
    fn likely(&self, op: BinOp, left: &Sum, right: &Sum, likely: Option<bool>) -> Option<bool> {
        let mut along = stride(left)?.checked_sub(stride(right)?)?;
        if self.varies(left) || self.varies(right) {
            // Between its ends a number may be equal to another one. What does not change along the row LLVM does not take out of the loop.
            let head = |leaf: &Sum| matches!(leaf, Sum::Local(id) if self.heads.contains(id));
            let growth = |sum| growth(sum, &|leaf| i64::from(head(leaf)) + i64::from(*leaf == Sum::Position));
            along = growth(left)?.checked_sub(growth(right)?)?;
            if matches!(op, BinOp::Eq | BinOp::Ne) {
                return None;
            }
        }
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

    /// An expression as a sum that has one value at a position, as far as its text tells.
    fn sum(&self, e: &Expr) -> Option<Sum> {
        self.index(e).filter(|sum| !self.varies(sum))
    }

    /// The same with what short loops count, and items of tables.
    fn index(&self, e: &Expr) -> Option<Sum> {
        self.index_of(e).filter(|sum| size(sum) <= SUM_PARTS)
    }

    fn index_of(&self, e: &Expr) -> Option<Sum> {
        let pair = |a: &Expr, b: &Expr| {
            let (a, b) = (self.index(a)?, self.index(b)?);
            Sum::told(&[&a, &b]).ok()?;
            Some((Box::new(a), Box::new(b)))
        };
        if let Some(position) = limited(e) {
            return self.index(position);
        }
        Some(match &e.kind {
            ExprKind::Local(id, _) if *id == self.position => Sum::Position,
            ExprKind::Local(id, _) => {
                if let Some(init) = self.defined.get(id) {
                    return self.index(init);
                }
                if self.parts.contains_key(id) {
                    return self.item(e);
                }
                let local = self.func.local(*id);
                let ours = self.heads.contains(id) || self.made.contains(id) || self.counted.contains_key(id);
                let fixed = !local.mutable && (local.inside.is_none() || ours);
                fixed.then_some(Sum::Local(*id))?
            }
            ExprKind::Const(_, path) => Sum::Const(path.clone()),
            ExprKind::FieldLen(field, _) if !self.func.is_offset(*field) => Sum::Len(*field),
            ExprKind::Index(shape, axis) => match &shape.kind {
                ExprKind::FieldShape(field, _) if !self.func.is_offset(*field) => {
                    Sum::Extent(*field, usize::try_from(number(axis)?).ok()?)
                }
                _ => {
                    // Other parts of an array that stands here are evaluated, too.
                    let named = Some(&**shape).filter(|e| matches!(e.kind, ExprKind::Local(..)));
                    let part = |k: u64| self.array(named?)?.get(usize::try_from(k).ok()?);
                    match number(axis).and_then(part) {
                        Some(part) => self.index(part)?,
                        None => self.item(e)?,
                    }
                }
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
            } => self.index(only(block)?)?,
            ExprKind::Decided { value, .. } => self.index(value)?,
            ExprKind::Cast(a, ty, ..) if is_integer_type(ty) => {
                let a = self.index(a).filter(|a| self.is_known(a))?;
                Sum::Cast(Box::new(a), ty.clone())
            }
            ExprKind::Unary(UnOp::Neg, a, _) => Sum::Sub(Box::new(Sum::Number(0)), Box::new(self.index(a)?)),
            ExprKind::Lit(syn::Lit::Int(n), _) => Sum::Number(n.base10_parse().ok()?),
            ExprKind::Within(operation, within) => {
                let (a, b) = operands(operation)?;
                match within {
                    Within::Moved => as_index(moved(self.index(a)?, self.index(b?)?)),
                    Within::First => self.index(a)?,
                    Within::Second => self.index(b?)?,
                    Within::Difference => {
                        let (a, b) = pair(a, b?)?;
                        Sum::Sub(a, b)
                    }
                    Within::Less(multiple) => Sum::Sub(Box::new(self.index(a)?), Box::new(Sum::Local(*multiple))),
                }
            }
            ExprKind::If(cond, then, Some(otherwise)) => {
                let ExprKind::Binary(op, _, a, b, _) = &cond.kind else {
                    return None;
                };
                let all = [
                    self.index(a)?,
                    self.index(b)?,
                    self.index(only(then)?)?,
                    self.index(otherwise)?,
                ];
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
                let (a, b) = (self.index(receiver)?, self.index(arg)?);
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

    /// An item of a table that does not change.
    fn item(&self, e: &Expr) -> Option<Sum> {
        let (mut e, mut axes) = (e, Vec::new());
        let named = loop {
            match &e.kind {
                ExprKind::Index(table, index) => {
                    axes.push(number(index).and_then(|k| usize::try_from(k).ok()));
                    e = table;
                }
                ExprKind::Local(id, _) if let Some((array, k)) = self.parts.get(id) => {
                    axes.push(Some(*k));
                    e = array;
                }
                ExprKind::Local(id, _) if let Some(init) = self.defined.get(id) => e = init,
                ExprKind::Local(id, _) => {
                    let local = self.func.local(*id);
                    break (!local.mutable && local.inside.is_none()).then_some(Some(Sum::Local(*id)))?;
                }
                ExprKind::Const(_, path) => break Some(Sum::Const(path.clone())),
                ExprKind::Array(..) => break None,
                _ => return None,
            }
        };
        axes.reverse();
        let table = match named {
            Some(named) => Table::Named {
                table: Box::new(named),
                axes,
                end: None,
            },
            None => Table::Numbers(literals(e, &axes)?),
        };
        let number = self.items.get();
        self.items.set(number + 1);
        Some(Sum::Item(Item { number, table }))
    }

    /// Whether the text tells what type a sum is of, or one variable is cast, which may be of any. Numbers alone, and what loops between numbers
    /// count, wrap in a type that it does not tell.
    fn is_known(&self, sum: &Sum) -> bool {
        match sum {
            Sum::Const(_)
            | Sum::Item(Item {
                table: Table::Named { .. },
                ..
            }) => true,
            Sum::Local(id) => !self.counted.contains_key(id),
            _ => sum.values().iter().any(|leaf| match leaf {
                Sum::Position | Sum::Len(_) | Sum::Extent(..) | Sum::Cast(..) => true,
                Sum::Local(id) => self.heads.contains(id) || self.ends.contains(id) || self.is_extent(*id),
                _ => false,
            }),
        }
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
    let [start, end] = range.literals().filter(|_| range.step.is_none())?;
    (start < end && end.saturating_sub(start) <= UNROLLED).then_some([start, end - 1])
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

/// Whether an item is taken of an array, by a number that need not be that of one.
fn is_looked_up(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Index(array, k) => !matches!(array.kind, ExprKind::FieldShape(..)) && number(k).is_none(),
        _ => false,
    }
}

/// The least and the largest of an array's literals; `axes` tell which of them.
fn literals(e: &Expr, axes: &[Option<usize>]) -> Option<[i64; 2]> {
    let (Some((axis, axes)), ExprKind::Array(parts, _)) = (axes.split_first(), &e.kind) else {
        return literal(e).filter(|_| axes.is_empty()).map(|n| [n, n]);
    };
    let parts = match axis {
        Some(k) => std::slice::from_ref(parts.get(*k)?),
        None => parts,
    };
    let ends: Option<Vec<[i64; 2]>> = parts.iter().map(|part| literals(part, axes)).collect();
    let ends = ends?;
    let least = ends.iter().map(|[least, _]| *least).min()?;
    Some([least, ends.iter().map(|[_, most]| *most).max()?])
}

/// Whether a sum is linear in a leaf, and is not chosen by it.
fn is_linear(sum: &Sum, leaf: &Sum) -> bool {
    let has = |sum: &Sum| sum.leaves().contains(&leaf);
    match sum {
        Sum::Add(a, b) | Sum::Sub(a, b) => is_linear(a, leaf) && is_linear(b, leaf),
        Sum::Mul(a, b) => is_linear(a, leaf) && is_linear(b, leaf) && !(has(a) && has(b)),
        Sum::Cast(a, _) => is_linear(a, leaf),
        Sum::If(..) => !has(sum),
        _ => true,
    }
}

/// Whether a sum is made of positions and numbers that the text tells.
fn is_number(sum: &Sum) -> bool {
    sum.leaves()
        .iter()
        .all(|leaf| matches!(leaf, Sum::Position | Sum::Number(_) | Sum::Item(_)))
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
    growth(sum, &|leaf| i64::from(*leaf == Sum::Position))
}

/// By how much a sum grows, where `of` tells it of its leaves.
fn growth(sum: &Sum, of: &dyn Fn(&Sum) -> i64) -> Option<i64> {
    Some(match sum {
        Sum::Add(a, b) => growth(a, of)?.checked_add(growth(b, of)?)?,
        Sum::Sub(a, b) => growth(a, of)?.checked_sub(growth(b, of)?)?,
        Sum::Mul(a, b) => match (&**a, &**b) {
            (Sum::Number(n), other) | (other, Sum::Number(n)) => {
                growth(other, of)?.checked_mul(i64::try_from(*n).ok()?)?
            }
            (a, b) => (growth(a, of)? == 0 && growth(b, of)? == 0).then_some(0)?,
        },
        Sum::If(_, all) => growth(&all[2], of)?,
        Sum::Cast(a, _) => growth(a, of)?,
        leaf => of(leaf),
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

/// The signed type of positions.
fn signed() -> syn::Type {
    syn::parse_quote!(::swathe::__rt::core::primitive::isize)
}

/// The sum of a position and an offset, which is of the type `i32`.
fn moved(a: Sum, by: Sum) -> Sum {
    let by = match Sum::told(&[&by]) {
        Ok(None) => {
            let of_type = cast(Sum::Number(0), syn::parse_quote!(::swathe::__rt::core::primitive::i32));
            Sum::Add(Box::new(by), Box::new(of_type))
        }
        _ => by,
    };
    Sum::Add(Box::new(cast(a, signed())), Box::new(cast(by, signed())))
}

fn as_index(sum: Sum) -> Sum {
    cast(sum, syn::parse_quote!(::swathe::__rt::core::primitive::usize))
}

fn cast(sum: Sum, ty: syn::Type) -> Sum {
    Sum::Cast(Box::new(sum), Box::new(ty))
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
