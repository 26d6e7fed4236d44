//! Sequential loops whose bounds move along with the position: `for l in j - r..j + r + 1`.
//!
//! At all positions of a row they have as many rounds. So in the inside the rounds are counted, and what the loop counts is its start and
//! that number.

use std::cell::RefCell;
use std::collections::HashSet;

use quote::format_ident;
use swathe_ir::{BinOp, LocalId};

use super::indices::indices;
use super::{Split, with, within};
use crate::hir::visit::any;
use crate::hir::{Asked, Expr, ExprKind, Local, Pat, Range, Stmt, Sum, Value, Within};

impl Split<'_> {
    /// Makes of a loop one that counts its rounds, if its bounds move along with the position.
    pub(super) fn count_rounds(&mut self, e: &mut Expr) {
        let ExprKind::For(_, Pat::Bind { mutable: false, .. }, range, _) = &mut e.kind else {
            return;
        };
        let Some((start, rounds, asked)) = self.rounds(range) else {
            return;
        };
        if !self.ask(vec![asked]) {
            return;
        }
        let (zero, round) = (self.zero(&start), self.variable("__round"));
        let ident = self.func.local(round).ident.clone();
        let number = with(&start, ExprKind::Local(round, ident.clone()));
        let sum = indices(&start, (BinOp::Add, start.span), start.clone(), number);
        // It has the type of the bounds, whose text stays there for that.
        let written = [
            std::mem::replace(&mut range.start, Box::new(zero)),
            std::mem::replace(&mut range.end, Box::new(rounds)),
        ];
        let [from, to] = written;
        let bounds = with(&start, ExprKind::Binary(BinOp::Add, start.span, from, to, None));
        let typed = ExprKind::Binary(BinOp::Add, start.span, Box::new(bounds), Box::new(sum), None);
        let mut counted = with(&start, typed);
        within(&mut counted, Within::Like);
        let ExprKind::For(_, pat, _, body) = &mut e.kind else {
            return;
        };
        let bound = Pat::Bind {
            local: round,
            ident,
            mutable: false,
        };
        body.stmts.insert(
            0,
            Stmt::Let {
                pat: std::mem::replace(pat, bound),
                ty: None,
                init: Some(counted),
                span: start.span,
                lints: Vec::new(),
            },
        );
    }

    /// Where they start, how many rounds there are, and what has to be asked for that.
    fn rounds(&self, range: &Range) -> Option<(Expr, Expr, Asked)> {
        let bounds = [&range.start, &range.end];
        if range.reverse || range.turned || range.inclusive || range.step.is_some() {
            return None;
        }
        // They stand in a closure, too.
        if bounds.iter().any(|bound| jumps(bound)) {
            return None;
        }
        let (left, right) = (self.sum(&range.start)?, self.sum(&range.end)?);
        if left.is_given() || right.is_given() {
            return None;
        }
        let stride = self.stride(&left)?;
        let of_index_type = Sum::told(&[&left, &right]) == Ok(None) && (self.is_index(&left) || self.is_index(&right));
        if !of_index_type || stride == 0 || self.stride(&right)? != stride {
            return None;
        }
        // They differ by the same at all positions, so by what they do at the first one.
        let start = self.as_index(&range.start)?;
        let (mut first, mut last) = (start.clone(), self.as_index(&range.end)?);
        for bound in [&mut first, &mut last] {
            self.at_first(bound);
            if self.has_position(bound, &RefCell::default()) {
                return None;
            }
        }
        let at = range.end.span;
        let rounds = indices(&range.end, (BinOp::Sub, at), last, first);
        let asked = Asked::Compared {
            op: BinOp::Le,
            left,
            right,
            holds: true,
        };
        Some((start, rounds, asked))
    }

    /// Puts 0 in the place of the position, where it stands in sums.
    fn at_first(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Within(a, Within::Index) => {
                if let ExprKind::Local(id, _) = a.kind
                    && id == self.position
                {
                    *e = self.zero(a);
                }
            }
            ExprKind::Within(sum, Within::Indices) => {
                if let ExprKind::Binary(_, _, a, b, _) = &mut sum.kind {
                    self.at_first(a);
                    self.at_first(b);
                }
            }
            _ => {}
        }
    }

    /// Whether the position is in it, or a variable that is made of it; `seen` are variables that are not.
    fn has_position(&self, e: &Expr, seen: &RefCell<HashSet<LocalId>>) -> bool {
        any(e, |e| {
            let ExprKind::Local(id, _) = &e.kind else { return false };
            let made_of = [self.defined.get(id), self.parts.get(id).map(|(array, _)| array)];
            let first = seen.borrow_mut().insert(*id);
            *id == self.position || first && made_of.into_iter().flatten().any(|e| self.has_position(e, seen))
        })
    }

    /// A variable of ours, of the type of positions.
    pub(super) fn variable(&mut self, name: &str) -> LocalId {
        let id = LocalId(u32::try_from(self.func.locals.len()).expect("fewer than 2^32 variables"));
        let ident = format_ident!("{}{}", name, id.0);
        self.func.locals.push(Local {
            name: ident.clone(),
            ident,
            ty: self.func.local(self.position).ty,
            mutable: false,
            inside: Some(self.number),
            value: Value::Unknown,
        });
        id
    }
}

/// Whether an expression leaves a loop, also in what is only there for its types.
fn jumps(e: &Expr) -> bool {
    any(e, |e| match &e.kind {
        ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => true,
        ExprKind::Decided { unreached, .. } => jumps(unreached),
        _ => false,
    })
}
