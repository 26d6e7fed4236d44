//! Operations that are simpler in most of a row: remainders, minima and maxima, neighbours by a rule of boundaries.

use swathe_ir::BinOp;

use super::Split;
use super::sums::{cast, moved, offset, signed};
use super::within;
use crate::hir::{Asked, Expr, ExprKind, Sum, Within};

impl Split<'_> {
    /// An operand as a sum. What a function gives is none: here it is what its call gives, not the number that was asked for.
    fn operand(&self, e: &Expr) -> Option<Sum> {
        self.index(e).filter(|sum| !sum.is_given())
    }

    fn fixed_operand(&self, e: &Expr) -> Option<Sum> {
        self.sum(e).filter(|sum| !sum.is_given())
    }

    /// `a % b` is `a` less a multiple of `b`.
    pub(super) fn remainder(&mut self, e: &mut Expr) {
        let ExprKind::Binary(_, _, a, b, _) = &e.kind else {
            return;
        };
        let (Some(of), Some(by)) = (self.operand(a), self.operand(b)) else {
            return;
        };
        // The multiple is a `usize`. A remainder by what is no extent, `i % 2`, may begin again every few positions.
        let fits = self.stride(&of).is_some() && self.stride(&by) == Some(0);
        match Sum::told(&[&of, &by]) {
            Ok(None) => {}
            // Of other types the text does not tell whether it may be below zero: it mostly is the number itself.
            Ok(Some(_)) if self.moves(&of) && fits && self.spans(&by) && !self.spans(&of) => {
                self.kept(e, Some(Sum::Number(0)), of, Some((BinOp::Lt, by)));
                return;
            }
            _ => return,
        }
        if self.varies(&by) || !fits || !(self.is_index(&of) || self.is_index(&by)) || !self.spans(&by) {
            return;
        }
        if self.varies(&of) && self.stride(&of) == Some(0) {
            if self.moves(&of) {
                self.rest(e, of, by);
            }
            return;
        }
        // Of all that loops count and tables hold the multiple is the same.
        let Some(corners) = self.corners(vec![of]) else { return };
        let mut corners = corners.into_iter().flatten();
        let Some(of) = corners.next() else { return };
        let others: Vec<Sum> = corners.collect();
        let into = self.variable("__multiple");
        let multiple = Asked::Multiple {
            of,
            by: by.clone(),
            into,
        };
        let rests = others.into_iter().flat_map(|other| {
            let multiple = Sum::Local(into);
            let rest = Sum::Sub(Box::new(other.clone()), Box::new(multiple.clone()));
            [at_most(multiple, other), holds(rest, BinOp::Lt, by.clone())]
        });
        if !self.ask([multiple].into_iter().chain(rests).collect()) {
            return;
        }
        self.made.insert(into);
        within(e, Within::Less(into));
        self.compared += 1;
    }

    /// Makes of a remainder on another axis one that goes around at most twice, as `(i + n + step - 1) % n` does. It is a position of the axis.
    fn rest(&mut self, e: &mut Expr, of: Sum, by: Sum) {
        let thrice = Sum::Mul(Box::new(by.clone()), Box::new(Sum::Number(3)));
        let below = holds(of, BinOp::Lt, thrice);
        if self.ask_all([at_most(Sum::Number(1), by), below]) {
            within(e, Within::Rest);
        }
    }

    /// A minimum or maximum is the operand that changes along the row.
    pub(super) fn method(&mut self, e: &mut Expr) {
        let ExprKind::Method {
            receiver, name, args, ..
        } = &e.kind
        else {
            return;
        };
        let arg = match (name.to_string().as_str(), args.as_slice()) {
            (_, [arg]) => arg,
            ("abs", []) => {
                // A distance from elsewhere is below zero in half of the rows, one from an end to a position seldom is.
                let mostly = |by: i64, a: &Sum| by != 0 && is_number(a) || by < 0 && self.is_of_ends(a);
                if let Some(a) = self
                    .index(receiver)
                    .filter(|a| self.stride(a).is_some_and(|by| mostly(by, a)))
                {
                    self.kept(e, Some(Sum::Number(0)), a, None);
                }
                return;
            }
            ("clamp", [least, most]) => {
                let (Some(a), Some(least), Some(most)) = (
                    self.operand(receiver),
                    self.fixed_operand(least),
                    self.fixed_operand(most),
                ) else {
                    return;
                };
                let fixed = self.stride(&least) == Some(0) && self.stride(&most) == Some(0);
                if fixed && self.moves(&a) && self.stride(&a).is_some() && self.spans(&most) {
                    self.kept(e, Some(least), a, Some((BinOp::Le, most)));
                }
                return;
            }
            ("clamped" | "periodic" | "reflected" | "symmetric", [offset, extent]) => {
                let (Some(a), Some(by), Some(extent)) =
                    (self.operand(receiver), self.operand(offset), self.fixed_operand(extent))
                else {
                    return;
                };
                let told = Sum::told(&[&a, &extent]) == Ok(None) && Sum::told(&[&by]).is_ok();
                if told && self.moves(&a) && self.stride(&by) == Some(0) && self.spans(&extent) {
                    match self.stride(&a) {
                        // On another axis, LLVM takes a neighbour out of the row, but not those of all that loops count or tables hold.
                        Some(0) if self.varies(&by) && !self.varies(&a) => self.around(e, a, by, extent),
                        Some(_) => self.bounded(e, a, by, extent),
                        None => {}
                    }
                }
                return;
            }
            _ => return,
        };
        let (Some(a), Some(b)) = (self.operand(receiver), self.operand(arg)) else {
            return;
        };
        let told = Sum::told(&[&a, &b]);
        let (Some(stride_a), Some(stride_b)) = (self.stride(&a), self.stride(&b)) else {
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
    pub(super) fn ask_all(&mut self, comparisons: impl IntoIterator<Item = Asked>) -> bool {
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
        let told = self.ask(all);
        self.compared += usize::from(told);
        told
    }

    /// Makes of an operation its first operand, which is `least` or more, and below the other one or at most that.
    fn kept(&mut self, e: &mut Expr, least: Option<Sum>, a: Sum, most: Option<(BinOp, Sum)>) {
        let told = |other: &Sum| Sum::told(&[other, &a]).is_ok();
        if !least.iter().chain(most.iter().map(|(_, most)| most)).all(told) {
            return;
        }
        let above = least.map(|least| at_most(least, a.clone()));
        let below = most.map(|(op, most)| holds(a, op, most));
        if self.ask_all(below.into_iter().chain(above)) {
            within(e, Within::First);
        }
    }

    /// Makes of a neighbour by a rule of boundaries the position and the offset, where their sum is on the axis.
    fn bounded(&mut self, e: &mut Expr, a: Sum, by: Sum, extent: Sum) {
        let at = moved(a.clone(), by);
        let above = at_most(Sum::Number(0), at.clone());
        let below = holds(at, BinOp::Lt, cast(extent, signed()));
        // At each end of what short loops count, of its type.
        let Some(ends) = self.corners(vec![a]) else { return };
        let numbers = ends.into_iter().flatten().map(Asked::Number).collect();
        if self.ask_all([above, below]) && self.ask(numbers) {
            within(e, Within::Moved);
        }
    }

    /// Makes of a neighbour on another axis by a rule of boundaries one that goes around at most once, where no offset is longer than that. It is a position of
    /// the axis, at the rims, too.
    fn around(&mut self, e: &mut Expr, a: Sum, by: Sum, extent: Sum) {
        let ExprKind::Method { name, .. } = &e.kind else { return };
        let rules = ["clamped", "periodic", "reflected", "symmetric"];
        let Some(rule) = rules.into_iter().find(|rule| name == rule) else {
            return;
        };
        let on_axis = holds(a, BinOp::Lt, extent.clone());
        let (by, longest) = (offset(by), cast(extent, signed()));
        let back = Sum::Sub(Box::new(Sum::Number(0)), Box::new(by.clone()));
        let op = match rule {
            "reflected" => BinOp::Lt,
            _ => BinOp::Le,
        };
        let within_one = |offset: Sum| holds(offset, op, longest.clone());
        if self.ask_all([on_axis, within_one(by), within_one(back)]) {
            within(e, Within::Around(rule));
        }
    }
}

impl Split<'_> {
    /// Whether a sum is made of positions, extents and numbers that the text tells.
    fn is_of_ends(&self, sum: &Sum) -> bool {
        let leaves = sum.leaves();
        let mut leaves = leaves.into_iter();
        leaves.all(|leaf| matches!(leaf, Sum::Position | Sum::Number(_)) || self.spans(leaf))
    }
}

fn at_most(left: Sum, right: Sum) -> Asked {
    holds(left, BinOp::Le, right)
}

fn holds(left: Sum, op: BinOp, right: Sum) -> Asked {
    Asked::Compared {
        op,
        left,
        right,
        holds: true,
    }
}

/// Whether a sum is made of positions and numbers that the text tells.
pub(super) fn is_number(sum: &Sum) -> bool {
    sum.leaves()
        .iter()
        .all(|leaf| matches!(leaf, Sum::Position | Sum::Number(_) | Sum::Item(_) | Sum::Entry(..)))
}
