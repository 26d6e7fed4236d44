//! Accesses that are in bounds in most of a row, in the loop itself and in functions that are lent fields.

use swathe_ir::Check;

use super::Split;
use super::with;
use crate::budget::{LENT_PARAMS, MOST_COUNTED};
use crate::hir::{Access, AccessId, Asked, Called, Expr, ExprKind, NEVER, Passed, Sum};

impl Split<'_> {
    /// The access again, in bounds, if all of its indices are sums.
    pub(super) fn access(&mut self, access: &Access) -> Option<AccessId> {
        let info = self.func.access(access.id);
        if info.check != Check::InKernel || info.in_unsafe || self.func.is_offset(access.field) {
            return None;
        }
        let before = (self.asked.len(), self.given.len());
        access.index.iter().for_each(|index| self.ask_functions(index));
        let found = self.in_bounds(access);
        if found.is_none() {
            self.asked.truncate(before.0);
            self.given.truncate(before.1);
        }
        found
    }

    fn in_bounds(&mut self, access: &Access) -> Option<AccessId> {
        let index = match &access.index[..] {
            [whole] => self.array(whole).unwrap_or(&access.index),
            index => index,
        };
        let indices: Option<Vec<Sum>> = index.iter().map(|e| self.index(e)).collect();
        // What a function gives is the number that was asked for, and not what a call of it gives.
        let given = indices.iter().flatten().any(Sum::is_given);
        let is_number = |e: &Expr| self.is_number_given(e) && self.as_index(e).is_some();
        if given && !(std::ptr::eq(index, &access.index[..]) && index.iter().all(is_number)) {
            return None;
        }
        let corners: Option<Vec<Vec<Vec<Sum>>>> = indices?.into_iter().map(|index| self.corners(vec![index])).collect();
        let corners = corners.filter(|corners| {
            corners
                .iter()
                .flatten()
                .flatten()
                .all(|index| self.stride(index).is_some())
        })?;
        let counting = corners.iter().any(|corners| corners.len() > 1);
        let field = access.field;
        let below = corners.into_iter().enumerate().flat_map(|(axis, corners)| {
            let indices = corners.into_iter().flatten();
            indices.map(move |index| Asked::Below { index, field, axis })
        });
        if !self.ask(below.collect()) {
            return None;
        }
        self.counting += usize::from(counting);
        let mut again = self.func.access(access.id).clone();
        (again.check, again.again) = (Check::Proven, true);
        self.func.accesses.push(again);
        self.accesses += 1;
        Some(AccessId(self.func.accesses.len() - 1))
    }

    /// A function that is lent fields, which reads without checks what its arguments tell to be in bounds.
    pub(super) fn called(&mut self, e: &mut Expr) {
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
        let mut all = Vec::new();
        for corner in corners {
            let mut corner = corner.into_iter();
            let at = |passed: &Passed| match passed {
                Passed::Sums(sums) => Passed::Sums(corner.by_ref().take(sums.len()).collect()),
                other => other.clone(),
            };
            all.push(Asked::Called(Box::new(Called {
                path: path.clone(),
                args: passed.iter().map(at).collect(),
                open,
            })));
        }
        let called = Called {
            path: path.clone(),
            args: passed,
            open,
        };
        if !self.ask(all) {
            return;
        }
        self.accesses += 1;
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
                    .filter(|sum| self.stride(sum).is_some() && Sum::told(&[sum]).is_ok() && !sum.is_given())
            })
            .collect();
        sums.map_or(Passed::Other, Passed::Sums)
    }

    /// The parts of an array that a variable stands for.
    pub(super) fn array<'e>(&'e self, e: &'e Expr) -> Option<&'e [Expr]> {
        match &e.kind {
            ExprKind::Array(parts, _) => Some(parts),
            ExprKind::Local(id, _) => self.array(self.defined.get(id)?),
            _ => None,
        }
    }

    /// Sums at the ends of all that short loops count, and tables hold, in them. They and all their parts are linear in each of these, so between
    /// the corners they are between what they are there.
    pub(super) fn corners(&self, sums: Vec<Sum>) -> Option<Vec<Vec<Sum>>> {
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
                Sum::Local(id) => self.counted[id].clone(),
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

    pub(super) fn varies(&self, sum: &Sum) -> bool {
        sum.leaves().iter().any(|leaf| self.is_counted(leaf))
    }
}

/// Whether a sum is linear in a leaf, and is not chosen by it.
fn is_linear(sum: &Sum, leaf: &Sum) -> bool {
    let has = |sum: &Sum| sum.leaves().contains(&leaf);
    match sum {
        Sum::Add(a, b) | Sum::Sub(a, b) => is_linear(a, leaf) && is_linear(b, leaf),
        Sum::Mul(a, b) => is_linear(a, leaf) && is_linear(b, leaf) && !(has(a) && has(b)),
        Sum::Cast(a, _) => is_linear(a, leaf),
        Sum::If(..) | Sum::Div(..) | Sum::Saturating(..) => !has(sum),
        _ => true,
    }
}
