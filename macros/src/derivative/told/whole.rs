//! Whole numbers that are the same in all types that they can have.

use std::collections::HashMap;

use swathe_ir::{BinOp, LocalId, UnOp};

use super::Search;
use crate::hir::{Expr, ExprKind, Literals};

/// What no number that is counted reaches.
const FAR: i64 = 1 << 40;

/// From the least to the greatest value. Those that lie `FAR` off are not known, and grow by known steps.
#[derive(Clone, Copy, PartialEq)]
struct Span {
    least: i64,
    greatest: i64,
}

impl Span {
    fn of(least: i64, greatest: i64) -> Span {
        Span {
            least: least.max(-FAR),
            greatest: greatest.min(FAR),
        }
    }

    fn with(self, other: Span) -> Span {
        Span::of(self.least.min(other.least), self.greatest.max(other.greatest))
    }

    fn largest(self) -> i64 {
        self.greatest.max(-self.least)
    }

    /// What grows by something that grows is soon out of every type.
    fn plus(self, other: Span) -> Option<Span> {
        let grows = |a: Span| a.largest() >= FAR;
        (!(grows(self) && grows(other)))
            .then(|| Span::of(self.least + other.least, self.greatest + other.greatest).widened())
    }

    fn negative(self) -> Span {
        Span::of(-self.greatest, -self.least)
    }

    /// What is far off by less than a step is far off.
    fn widened(self) -> Span {
        let far = |x: i64| if x.abs() > FAR / 2 { x.signum() * FAR } else { x };
        Span::of(far(self.least), far(self.greatest))
    }
}

/// A variable that is given a value, or changed by one.
type Given<'f> = (LocalId, Option<BinOp>, &'f Expr);

struct Spans {
    of: HashMap<LocalId, Option<Span>>,
    /// Everything that is computed on the way.
    all: Span,
}

impl Spans {
    /// `None` is no whole number, and of `Some(None)` nothing is known yet.
    fn expr(&mut self, e: &Expr) -> Option<Option<Span>> {
        let of = match &e.kind {
            ExprKind::Lit(lit, _) => {
                let syn::Lit::Int(n) = lit else { return None };
                let n = n.base10_parse::<u8>().ok().filter(|n| *n < 128)?.into();
                Some(Span::of(n, n))
            }
            // Of others the derivative has the type.
            ExprKind::Local(local, _) => self.of.get(local).copied().unwrap_or(Some(Span::of(0, 127))),
            ExprKind::Unary(UnOp::Neg, a, _) => self.expr(a)?.map(Span::negative),
            ExprKind::Binary(op, _, a, b, _) => {
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                self.binary(*op, a, b)?
            }
            _ => return None,
        };
        self.all = of.map_or(self.all, |of| self.all.with(of));
        Some(of)
    }

    fn binary(&self, op: BinOp, a: Option<Span>, b: Option<Span>) -> Option<Option<Span>> {
        let (Some(a), Some(b)) = (a, b) else {
            return matches!(op, BinOp::Add | BinOp::Sub | BinOp::Div | BinOp::Rem).then_some(None);
        };
        Some(Some(match op {
            BinOp::Add => a.plus(b)?,
            BinOp::Sub => a.plus(b.negative())?,
            BinOp::Div | BinOp::Rem if a.least >= 0 && b.least >= 0 => Span::of(0, a.greatest),
            BinOp::Div | BinOp::Rem => Span::of(-a.largest(), a.largest()),
            _ => return None,
        }))
    }

    /// The values of a variable behind one more statement.
    fn given(&mut self, (local, op, value): &Given<'_>) -> Option<bool> {
        let before = self.of.get(local).copied().flatten();
        let value = self.expr(value)?;
        let value = match op {
            Some(op) => self.binary(*op, before, value)?,
            None => value,
        };
        let Some(value) = value else { return Some(false) };
        self.all = self.all.with(value);
        let after = before.map_or(value, |before| before.with(value));
        self.of.insert(*local, Some(after));
        Some(before != Some(after))
    }
}

impl Search<'_> {
    /// Whether expressions have the same values in all types that variables can have, under what rustc confirms of those.
    pub fn is_alike(&self, parts: &[&Expr], members: &[LocalId]) -> Option<Option<Literals>> {
        if members.iter().any(|local| self.computed.contains(local)) {
            return None;
        }
        let values = self
            .given
            .iter()
            .flat_map(|(local, values)| values.iter().map(move |value| (*local, None, *value)));
        let steps = self.steps.iter().map(|(local, op, value)| (*local, Some(*op), *value));
        let all = values.chain(steps).filter(|(local, ..)| members.contains(local));
        let all: Vec<Given<'_>> = all.collect();
        let mut spans = Spans {
            of: members.iter().map(|local| (*local, None)).collect(),
            all: Span::of(0, 0),
        };
        // What still grows then grows in a loop.
        for round in 0.. {
            let before = spans.of.clone();
            let mut changed = false;
            for given in &all {
                changed |= spans.given(given)?;
            }
            if !changed {
                break;
            }
            if round < 8 {
                continue;
            }
            for (local, after) in &mut spans.of {
                if let (Some(after), Some(Some(before))) = (after, before.get(local)) {
                    let least = if after.least < before.least { -FAR } else { after.least };
                    let greatest = if after.greatest > before.greatest {
                        FAR
                    } else {
                        after.greatest
                    };
                    *after = Span::of(least, greatest);
                }
            }
        }
        for part in parts {
            spans.expr(part)?;
        }
        Some(match spans.all {
            Span { least: 0, greatest } if greatest < 128 => None,
            Span { least: 0, .. } => Some(Literals::Counts),
            _ => Some(Literals::Signed),
        })
    }
}
