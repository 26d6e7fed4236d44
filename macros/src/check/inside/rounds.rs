//! Sequential loops whose bounds move along with the position: `for l in j - r..j + r + 1`.
//!
//! At all positions of a row they have as many rounds. So in the inside the rounds are counted, and what the loop counts is its start and
//! that number.

use proc_macro2::Span;
use quote::format_ident;
use swathe_ir::{BinOp, LocalId};

use super::{Split, with, within};
use crate::hir::visit::any;
use crate::hir::{Asked, Expr, ExprKind, Local, Pat, Range, Stmt, Sum, Value, Within};

impl Split<'_> {
    /// Makes of a loop one that counts its rounds, if its bounds move along with the position.
    pub(super) fn count_rounds(&mut self, e: &mut Expr) {
        let ExprKind::For(_, Pat::Bind { mutable: false, .. }, range, _) = &e.kind else {
            return;
        };
        let Some((rounds, asked)) = self.rounds(range) else {
            return;
        };
        let start = self.as_index(&range.start);
        let round = self.variable("__round");
        let number = ExprKind::Local(round, self.func.local(round).ident.clone());
        let mut counted = with(
            &start,
            ExprKind::Binary(
                BinOp::Add,
                start.span,
                Box::new(start.clone()),
                Box::new(with(&start, number)),
                None,
            ),
        );
        within(&mut counted, Within::Indices);
        // It has the type of the bounds.
        let typed = ExprKind::Binary(BinOp::Add, start.span, range.start.clone(), Box::new(counted), None);
        let mut counted = with(&start, typed);
        within(&mut counted, Within::Like);
        if !self.asked.contains(&asked) {
            self.asked.push(asked);
        }
        let ident = self.func.local(round).ident.clone();
        let ExprKind::For(_, pat, range, body) = &mut e.kind else {
            return;
        };
        *range.start = self.zero(&start);
        *range.end = rounds;
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

    /// How many rounds there are, and what has to be asked for that.
    fn rounds(&self, range: &Range) -> Option<(Expr, Asked)> {
        if range.reverse || range.turned || range.inclusive || range.step.is_some() {
            return None;
        }
        let (left, right) = (self.sum(&range.start)?, self.sum(&range.end)?);
        let stride = self.stride(&left)?;
        // Of the type of an index.
        let indices = Sum::told(&[&left, &right]) == Ok(None) && (self.is_index(&left) || self.is_index(&right));
        if !indices || stride == 0 || self.stride(&right)? != stride {
            return None;
        }
        // They differ by the same at all positions, so by what they do at the first one.
        let [start, end] = [&range.start, &range.end].map(|bound| {
            let mut bound = self.as_index(bound);
            self.at_first(&mut bound);
            bound
        });
        if [&start, &end].iter().any(|bound| any(bound, |e| self.is_position(e))) {
            return None;
        }
        let mut rounds = with(
            &end,
            ExprKind::Binary(BinOp::Sub, end.span, Box::new(end.clone()), Box::new(start), None),
        );
        within(&mut rounds, Within::Indices);
        let asked = Asked::Compared {
            op: BinOp::Le,
            left,
            right,
            holds: true,
        };
        Some((rounds, asked))
    }

    /// Puts 0 in the place of the position, where it stands in sums.
    fn at_first(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Within(a, Within::Index) if self.is_position(a) => *e = self.zero(a),
            ExprKind::Within(sum, Within::Indices) => {
                if let ExprKind::Binary(_, _, a, b, _) = &mut sum.kind {
                    self.at_first(a);
                    self.at_first(b);
                }
            }
            _ => {}
        }
    }

    fn is_position(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Local(id, _) => {
                *id == self.position
                    || self
                        .defined
                        .get(id)
                        .is_some_and(|value| any(value, |e| self.is_position(e)))
            }
            _ => false,
        }
    }

    fn zero(&self, at: &Expr) -> Expr {
        let zero = syn::Lit::Int(syn::LitInt::new("0", Span::call_site()));
        let mut zero = with(at, ExprKind::Lit(zero, self.func.local(self.position).ty));
        within(&mut zero, Within::Index);
        zero
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
