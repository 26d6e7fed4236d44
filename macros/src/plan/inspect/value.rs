//! Whether an index is a function of the loop's position.

use swathe_ir::{BinOp, UnOp};

use super::find::Find;
use super::{Known, Step};
use crate::budget::MOST_SLOPE;
use crate::hir::affine;
use crate::hir::types::{is_usize, may_fail};
use crate::hir::{Access, Check, Expr, ExprKind};

/// By how much an index grows from an iteration to the next.
#[derive(Clone, Copy)]
struct Slope {
    all: i64,
    /// The same where positions are limited.
    beyond: i64,
}

/// A function of both.
fn both(a: (Known, Step), b: (Known, Step)) -> (Known, Step) {
    (a.0.max(b.0), a.1.max(b.1))
}

impl Find<'_> {
    /// How much an index grows from an iteration to the next, modulo 2^64, if that is the same in all of a block. What lies between two
    /// indices in bounds that are so near one another is in bounds, too.
    pub fn slope(&self, e: &Expr) -> Option<i64> {
        let Slope { all, beyond } = self.slopes(e)?;
        // An index must not turn where positions are limited, nor come back there by a multiple of 2^64.
        let turns = all.signum() * beyond.signum() < 0;
        (!turns && beyond.abs() <= MOST_SLOPE).then_some(all)
    }

    fn slopes(&self, e: &Expr) -> Option<Slope> {
        if let Some((Known::Fixed, _)) = self.value(e) {
            return Some(Slope { all: 0, beyond: 0 });
        }
        let both = |f: fn(i64, i64) -> Option<i64>, a: Slope, b: Slope| {
            Some(Slope {
                all: f(a.all, b.all)?,
                beyond: f(a.beyond, b.beyond)?,
            })
        };
        let times = |a: Slope, n: u64| {
            let n = i64::try_from(n).ok()?;
            both(i64::checked_mul, a, Slope { all: n, beyond: n })
        };
        match &e.kind {
            ExprKind::Local(id, _) if self.heads.contains(id) => Some(Slope { all: 0, beyond: 0 }),
            ExprKind::Local(id, _) => (self.moving == Some(*id)).then_some(Slope { all: 1, beyond: 1 }),
            // Of any type: its numbers follow one another as indices do.
            ExprKind::Cast(inner, ty, ..) if matches!(inner.kind, ExprKind::Local(..)) => {
                is_usize(ty).then(|| self.slopes(inner)).flatten()
            }
            ExprKind::Limited(_) => {
                let Slope { all, .. } = self.slopes(affine::limited(e)?)?;
                Some(Slope { all, beyond: 0 })
            }
            ExprKind::Binary(BinOp::Add, _, a, b, _) => both(i64::checked_add, self.slopes(a)?, self.slopes(b)?),
            ExprKind::Binary(BinOp::Sub, _, a, b, _) => both(i64::checked_sub, self.slopes(a)?, self.slopes(b)?),
            ExprKind::Binary(BinOp::Mul, _, a, b, _) => match (affine::number(a), affine::number(b)) {
                (Some(n), _) => times(self.slopes(b)?, n),
                (_, Some(n)) => times(self.slopes(a)?, n),
                _ => None,
            },
            _ => None,
        }
    }

    /// Of what an expression is a function, if evaluating it twice is cheap and cannot fail.
    pub fn value(&self, e: &Expr) -> Option<(Known, Step)> {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => {
                Some((Known::Fixed, 0))
            }
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                let outside = local.inside.is_none() && !local.mutable && !self.reduced.contains(id);
                self.known.get(id).copied().or(outside.then_some((Known::Fixed, 0)))
            }
            ExprKind::Unary(UnOp::Not, a, _) | ExprKind::Cast(a, ..) => self.value(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, ..) => None,
            ExprKind::Binary(op, _, a, b, _) => {
                let found = both(self.value(a)?, self.value(b)?);
                (!may_fail(*op, a, b)).then_some(found)
            }
            ExprKind::Limited(_) => self.value(affine::limited(e)?),
            ExprKind::Field(access) => self.read(access),
            ExprKind::Member(base, _) => self.value(base),
            ExprKind::Index(base, index) => match (&base.kind, &index.kind) {
                (ExprKind::FieldShape(..), ExprKind::Lit(..)) => Some((Known::Fixed, 0)),
                _ => None,
            },
            ExprKind::Tuple(parts) | ExprKind::Array(parts, _) => {
                let parts: Option<Vec<_>> = parts.iter().map(|e| self.value(e)).collect();
                Some(parts?.into_iter().fold((Known::Fixed, 0), both))
            }
            _ => None,
        }
    }

    /// The element of a field that nobody writes meanwhile.
    fn read(&self, access: &Access) -> Option<(Known, Step)> {
        let info = self.func.access(access.id);
        // Behind a condition alone it is in bounds, in front of which the value is asked for.
        if info.behind_condition
            || info.in_unsafe
            || self.func.field_mutable(access.field)
            || self.func.is_offset(access.field)
        {
            return None;
        }
        let after = match info.check {
            Check::Proven | Check::Hoisted => 0,
            Check::InKernel => self.covered.get(&access.id)? + 1,
            Check::Unchecked => return None,
        };
        let index: Option<Vec<_>> = access.index.iter().map(|e| self.value(e)).collect();
        let found = index?.into_iter().fold((Known::Fixed, 0), both);
        Some((found.0, found.1.max(after)))
    }
}
