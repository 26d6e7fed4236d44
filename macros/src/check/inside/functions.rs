//! Calls of functions of integers in indices, `u[[next(i, h), j]]`: what such a function gives along a row it is asked for itself.

use std::collections::HashSet;

use swathe_ir::{CalleeSlot, LocalId};

use super::Split;
use super::sums::only;
use crate::budget::LENT_PARAMS;
use crate::hir::affine::literal;
use crate::hir::{Amount, Asked, Expr, ExprKind, Given, Sum};

impl Split<'_> {
    /// What a call gives, if the function was asked.
    pub(super) fn given(&self, e: &Expr) -> Option<Sum> {
        let (callee, _, args) = called(e)?;
        let args = self.amounts(args)?;
        let mut given = self.given.iter();
        let (.., sum) = given.find(|(other, of, _)| *other == callee && *of == args)?;
        Some(sum.clone())
    }

    /// Asks all functions that an index is made of.
    pub(super) fn ask_functions(&mut self, index: &Expr) {
        if !self.functions {
            return;
        }
        let mut calls = Vec::new();
        self.calls(index, &mut HashSet::new(), &mut calls);
        calls.iter().for_each(|call| self.ask_function(call));
    }

    /// The calls in a sum, those among the arguments of others in front of them.
    fn calls(&self, e: &Expr, seen: &mut HashSet<LocalId>, found: &mut Vec<Expr>) {
        match &e.kind {
            ExprKind::Local(id, _) => {
                if let Some(value) = self.defined.get(id)
                    && seen.insert(*id)
                {
                    self.calls(value, seen, found);
                }
            }
            ExprKind::Binary(_, _, a, b, _) => {
                self.calls(a, seen, found);
                self.calls(b, seen, found);
            }
            ExprKind::Unary(_, a, _) | ExprKind::Cast(a, ..) | ExprKind::Decided { value: a, .. } => {
                self.calls(a, seen, found);
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => only(block).into_iter().for_each(|e| self.calls(e, seen, found)),
            _ => {
                if let Some((_, _, args)) = called(e) {
                    args.iter().for_each(|arg| self.calls(arg, seen, found));
                    found.push(e.clone());
                }
            }
        }
    }

    fn ask_function(&mut self, e: &Expr) {
        let Some((callee, path, args)) = called(e).filter(|_| self.given(e).is_none()) else {
            return;
        };
        let Some(args) = self.amounts(args) else { return };
        let sums = || args.iter().filter_map(Amount::sum);
        // What it gives is expected to grow as its arguments do.
        let mut by = 0;
        for sum in sums() {
            match self.stride(sum) {
                Some(stride) if by == 0 || stride == 0 || stride == by => by += if by == 0 { stride } else { 0 },
                _ => return,
            }
        }
        let moves = sums().any(|sum| self.moves(sum));
        let into = self.variable("__given");
        let of = Box::new(Given {
            path: path.clone(),
            args: args.clone(),
        });
        if !self.ask(vec![Asked::Given { of, by, into }]) {
            return;
        }
        self.made.insert(into);
        self.given.push((callee, args, Sum::Given { into, by, moves }));
    }

    /// Arguments, if all are numbers that have one value at a position.
    fn amounts(&self, args: &[Expr]) -> Option<Vec<Amount>> {
        let amount = |arg: &Expr| {
            if let Some(number) = literal(arg) {
                return Some(Amount::Number(number));
            }
            let sum = self.sum(arg)?;
            Some(match sum {
                Sum::Local(_) | Sum::Const(_) | Sum::Given { .. } => Amount::Named(sum),
                sum => {
                    Sum::told(&[&sum]).ok()?;
                    Amount::Sum(sum)
                }
            })
        };
        args.iter().map(amount).collect()
    }
}

/// A call of a free function.
fn called(e: &Expr) -> Option<(CalleeSlot, &syn::ExprPath, &[Expr])> {
    match &e.kind {
        ExprKind::Call {
            callee,
            path,
            on: None,
            args,
        } if (1..=LENT_PARAMS).contains(&args.len()) => Some((*callee, path, args)),
        _ => None,
    }
}
