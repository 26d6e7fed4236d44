//! Whole numbers that are the same in all types that they can have.

use std::collections::{HashMap, HashSet};

use swathe_ir::{BinOp, LocalId, UnOp};
use syn::parse_quote_spanned;

use super::{Added, Search};
use crate::hir::{Expr, ExprKind, Literals, Range};

/// Numbers that lie so far off are not bounded by the text.
pub const FAR: i64 = 1 << 40;

/// How many rounds a loop has, at most.
pub fn rounds(range: &Range) -> i64 {
    let number = |e: &Expr| match &e.kind {
        ExprKind::Lit(syn::Lit::Int(n), _) => n.base10_parse::<i64>().ok(),
        _ => None,
    };
    match (number(&range.start), number(&range.end)) {
        (Some(start), Some(end)) => {
            let count = end.saturating_sub(start);
            count.saturating_add(i64::from(range.inclusive)).clamp(0, FAR)
        }
        _ => FAR,
    }
}

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

    /// The same where it is known.
    fn known(&mut self, e: &Expr) -> Option<Span> {
        self.expr(e).flatten()
    }
}

/// What a condition says of a variable: how it compares with something.
fn limits<'f>(condition: &'f Expr, local: LocalId, found: &mut Vec<(BinOp, &'f Expr)>) {
    let ExprKind::Binary(op, _, a, b, _) = &condition.kind else {
        return;
    };
    let is = |e: &Expr| matches!(&e.kind, ExprKind::Local(of, _) if *of == local);
    let turned = match op {
        BinOp::And => {
            limits(a, local, found);
            return limits(b, local, found);
        }
        BinOp::Lt => BinOp::Gt,
        BinOp::Le => BinOp::Ge,
        BinOp::Gt => BinOp::Lt,
        BinOp::Ge => BinOp::Le,
        BinOp::Eq | BinOp::Ne => *op,
        _ => return,
    };
    if is(a) {
        found.push((*op, b));
    }
    if is(b) {
        found.push((turned, a));
    }
}

/// What is added to a variable, and what the `while` loop around says of the variable.
struct Growth<'s, 'f> {
    added: &'s Added<'f>,
    /// What it is compared with that literals tell.
    limits: Vec<(BinOp, &'f Expr)>,
    /// Whether it is compared with what has a type without literals.
    typed: bool,
}

impl Search<'_> {
    /// Whether expressions have the same values in all types that variables can have, under what rustc confirms of those.
    ///
    /// A derivative takes the type that the rest of its text tells, which is the kernel's or `i32`.
    pub fn is_alike(&self, parts: &[&Expr], members: &[LocalId], open: &HashSet<LocalId>) -> Option<Option<Literals>> {
        if members.iter().any(|local| self.computed.contains(local)) {
            return None;
        }
        let growths: Vec<Growth<'_, '_>> = self
            .steps
            .iter()
            .filter(|added| members.contains(&added.local))
            .map(|added| {
                let mut all = Vec::new();
                if let Some(of) = added.frame {
                    limits(self.conditions[of], added.local, &mut all);
                }
                let (limits, others): (Vec<_>, Vec<_>) = all
                    .into_iter()
                    .partition(|(_, e)| self.is_literal(e, open, &mut HashSet::new()));
                let typed = !others.is_empty();
                Growth { added, limits, typed }
            })
            .collect();
        let mut spans = Spans {
            of: members.iter().map(|local| (*local, None)).collect(),
            all: Span::of(0, 0),
        };
        for round in 0.. {
            let before = spans.of.clone();
            for local in members {
                self.values(*local, &growths, &mut spans)?;
            }
            if spans.of == before {
                break;
            }
            if round < 8 {
                continue;
            }
            // What still grows then has no bound.
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
            // It could have too large numbers for the type that the derivative takes.
            all if all.largest() > i32::MAX.into() => {
                // With the user's span all of the question has one, so that rustc answers at the variable.
                let at = self.func.local(*members.first()?).name.span();
                Some(Literals::Type(Box::new(
                    parse_quote_spanned!(at=> ::core::primitive::i32),
                )))
            }
            Span { least: 0, .. } => Some(Literals::Counts),
            _ => Some(Literals::Signed),
        })
    }

    /// One more round of finding the values of a variable: what it is given, and what it is where a round of a `while` loop begins, with all that is
    /// added behind that.
    fn values(&self, local: LocalId, growths: &[Growth<'_, '_>], spans: &mut Spans) -> Option<()> {
        let before = spans.of.get(&local).copied().flatten();
        let mut first: Option<Span> = None;
        for (of, values) in &self.given {
            if *of == local {
                for value in values {
                    if let Some(value) = spans.expr(value)? {
                        first = Some(first.map_or(value, |first| first.with(value)));
                    }
                }
            }
        }
        let Some(mut from) = first else { return Some(()) };
        let (mut up, mut down) = (0_i64, 0_i64);
        for growth in growths.iter().filter(|growth| growth.added.local == local) {
            let step = spans.expr(growth.added.value)?;
            let Some(step) = step else { continue };
            let step = if growth.added.op == BinOp::Sub {
                step.negative()
            } else {
                step
            };
            // The derivative's loop compares it, too, so that it has that type there. Where it has not, in rounds that run again up to each round, it
            // would take longer than anyone waits to count beyond `i32` in steps of one.
            let times = growth.added.times;
            if growth.typed && step.largest() <= 1 && times == 1 {
                continue;
            }
            let (mut often_up, mut often_down) = (times, times);
            if growth.added.frame.is_some() {
                let mut top = None;
                let mut bottom = None;
                for (op, e) in &growth.limits {
                    let Some(limit) = spans.known(e) else { continue };
                    match op {
                        BinOp::Lt => top = Some(limit.greatest - 1),
                        BinOp::Le => top = Some(limit.greatest),
                        BinOp::Gt => bottom = Some(limit.least + 1),
                        BinOp::Ge => bottom = Some(limit.least),
                        _ => {}
                    }
                }
                match top {
                    Some(top) if step.greatest > 0 => from.greatest = from.greatest.max(top),
                    _ => often_up = FAR,
                }
                match bottom {
                    Some(bottom) if step.least < 0 => from.least = from.least.min(bottom),
                    _ => often_down = FAR,
                }
            }
            up = up
                .saturating_add(step.greatest.max(0).saturating_mul(often_up))
                .min(FAR);
            down = down
                .saturating_add((-step.least).max(0).saturating_mul(often_down))
                .min(FAR);
        }
        let after = Span::of(from.least - down, from.greatest + up);
        let after = before.map_or(after, |before| before.with(after));
        spans.all = spans.all.with(after);
        spans.of.insert(local, Some(after));
        Some(())
    }
}
