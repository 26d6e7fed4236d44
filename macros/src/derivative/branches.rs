//! HIR to a body in single assignment: branches, behind which variables have one of several values.

use proc_macro2::Span;
use quote::quote;

use super::body::{Atom, Branch, Choice, Inline, Op, Phi, Region, Stmt};
use super::build::{Build, End, Versions};
use crate::hir::{self, Block, Expr, ExprKind};

impl Build<'_> {
    #[allow(clippy::too_many_arguments)]
    pub fn without(
        &mut self,
        e: &Expr,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        rest: &[hir::Stmt],
        tail: Option<&Expr>,
        end: End,
    ) -> Option<Atom> {
        let condition = self.condition(condition);
        let arms = vec![
            self.arm(|b| b.seq(&then.stmts, then.tail.as_deref(), end)),
            self.arm(|b| {
                if let Some(otherwise) = otherwise {
                    b.statement(otherwise, End::None);
                }
                b.seq(rest, tail, end)
            }),
        ];
        self.join(Choice::If(condition), arms, e.span)
    }

    /// One of several ways: its statements, its variables at the end, and its value.
    pub fn arm(&mut self, build: impl FnOnce(&mut Self) -> Option<Atom>) -> (Region, Versions, Option<Atom>) {
        let before = self.versions.clone();
        let outer = std::mem::take(&mut self.stmts);
        let value = build(self);
        let stmts = std::mem::replace(&mut self.stmts, outer);
        let versions = std::mem::replace(&mut self.versions, before);
        (Region { stmts }, versions, value)
    }

    /// What is behind the ways.
    pub fn join(&mut self, choice: Choice, arms: Vec<(Region, Versions, Option<Atom>)>, span: Span) -> Option<Atom> {
        let mut phis = Vec::new();
        let mut changed = Vec::new();
        // Ways that do not come to their end have no values there.
        let ends = |arm: &(Region, Versions, Option<Atom>)| matches!(arm.0.stmts.last(), Some(Stmt::Fail));
        let Some(first) = arms.iter().find(|arm| !ends(arm)) else {
            let arms = arms.into_iter().map(|(region, ..)| region).collect();
            self.stmts.push(Stmt::Branch(Branch { choice, arms, phis }));
            self.stmts.push(Stmt::Fail);
            return None;
        };
        for (slot, first) in &first.1 {
            let mut missing = false;
            let all: Vec<Option<Atom>> = arms
                .iter()
                .map(|arm| {
                    if ends(arm) {
                        return None;
                    }
                    let atom = arm.1.get(slot).cloned();
                    missing |= atom.is_none();
                    atom
                })
                .collect();
            if missing {
                continue;
            }
            match all.iter().flatten().all(|atom| atom.same(first)) {
                true => changed.push((*slot, first.clone())),
                false => changed.push((*slot, {
                    let like = self.user_name(*slot);
                    let ident = self.names.of_user(&like);
                    let out = self.new_var(ident, span);
                    phis.push(Phi { out, arms: all });
                    Atom::Var(out)
                })),
            }
        }
        self.versions = changed.into_iter().collect();
        let has_value = arms.iter().all(|arm| ends(arm) || arm.2.is_some());
        let values: Vec<Option<Atom>> = arms.iter().map(|arm| arm.2.clone().filter(|_| !ends(arm))).collect();
        let value = has_value.then(|| {
            let arms = values;
            let ident = self.names.fresh("t", span);
            let out = self.new_var(ident, span);
            phis.push(Phi { out, arms });
            Atom::Var(out)
        });
        let arms = arms.into_iter().map(|(region, ..)| region).collect();
        self.stmts.push(Stmt::Branch(Branch { choice, arms, phis }));
        value
    }

    /// A condition by a name: it is asked again where the branch is reversed.
    pub fn condition(&mut self, e: &Expr) -> Inline {
        let whole = self.inline(e);
        let name = self.name(Op::Inline(whole), e.span);
        let mut condition = Inline::default();
        condition.tokens = self.use_of(&name, &mut condition);
        condition
    }

    pub fn branch(
        &mut self,
        e: &Expr,
        condition: &Expr,
        then: &Block,
        otherwise: Option<&Expr>,
        end: End,
    ) -> Option<Atom> {
        let condition = self.condition(condition);
        let arms = vec![
            self.arm(|b| b.seq(&then.stmts, then.tail.as_deref(), end)),
            self.arm(|b| otherwise.and_then(|e| b.value(e, end))),
        ];
        self.join(Choice::If(condition), arms, e.span)
    }

    pub fn matched(&mut self, e: &Expr, end: End) -> Option<Atom> {
        let ExprKind::Match(value, arms) = &e.kind else {
            return None;
        };
        let value = self.expr(value);
        let mut scrutinee = Inline::default();
        scrutinee.tokens = self.use_of(&value, &mut scrutinee);
        let mut heads = Vec::new();
        let mut built = Vec::new();
        for arm in arms {
            let head = self.pattern(&arm.pat, &value, e.span);
            let guard = arm.guard.as_ref().map(|guard| {
                let guard = self.inline(guard);
                scrutinee.join(&guard);
                let guard = guard.tokens;
                quote!(if #guard)
            });
            heads.push(quote!(#head #guard));
            built.push(self.arm(|b| b.value(&arm.body, end)));
        }
        self.join(Choice::Match(scrutinee, heads), built, e.span)
    }
}
