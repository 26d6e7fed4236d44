//! Regions cut at their calls, since a function may have loops: the macro cannot see it, so both forms of a region are
//! there, and the functions' constants choose.

use super::branch::{Branch, Fork};
use super::lift::{Lift, is_candidate};
use super::part::{Item, Loop, Part, Region, push};
use super::search::{any_exit, is_large};
use super::split::Split;
use crate::hir::visit::{any, any_in};
use crate::hir::{Block, Expr, ExprKind, LocalId, Stmt};

/// A function called for all lanes.
pub struct Call<'h> {
    pub path: &'h syn::ExprPath,
    pub args: Vec<Arg<'h>>,
    pub result: LocalId,
    /// As the user wrote it.
    pub written: &'h Expr,
}

/// What is passed for a parameter.
pub struct Arg<'h> {
    pub value: LocalId,
    pub written: &'h Expr,
}

/// A region, and the same cut at its calls, for the case that one of the functions has loops.
pub struct Choice<'h> {
    pub callees: Vec<&'h syn::ExprPath>,
    pub whole: Region<'h>,
    pub cut: Vec<Part<'h>>,
}

impl Choice<'_> {
    /// The variables that functions are given and give.
    pub fn passed(&self, found: &mut Vec<LocalId>) {
        calls(&self.cut, &mut |call| {
            found.extend(call.args.iter().map(|arg| arg.value));
            found.push(call.result);
        });
    }
}

impl<'h> Split<'h> {
    pub fn choices(&mut self, parts: Vec<Part<'h>>) -> Vec<Part<'h>> {
        let choose = |part| match part {
            Part::Region(region) => self.choice(region),
            Part::Scope(parts) => Part::Scope(self.choices(parts)),
            Part::Loop(inner) => Part::Loop(Loop {
                parts: self.choices(inner.parts),
                ..inner
            }),
            Part::Fork(fork) => Part::Fork(Fork {
                then: self.choices(fork.then),
                otherwise: self.choices(fork.otherwise),
                ..fork
            }),
            Part::Branch(branch) => Part::Branch(Branch {
                then: self.choices(branch.then),
                otherwise: self.choices(branch.otherwise),
                ..branch
            }),
            other => other,
        };
        parts.into_iter().map(choose).collect()
    }

    fn choice(&mut self, region: Region<'h>) -> Part<'h> {
        let (mut cut, mut callees): (Vec<Part<'h>>, Vec<&'h syn::ExprPath>) = (Vec::new(), Vec::new());
        let lifted = self.lifted.clone();
        let done = self.cut(&region, &mut cut);
        calls(&cut, &mut |call| callees.push(call.path));
        // One question for each function.
        let mut asked: Vec<&'h syn::ExprPath> = Vec::new();
        for path in callees {
            if !asked.contains(&path) {
                asked.push(path);
            }
        }
        let callees = asked;
        if done.is_none() || callees.is_empty() {
            self.lifted = lifted;
            return Part::Region(region);
        }
        Part::Choice(Choice {
            callees,
            whole: region,
            cut,
        })
    }

    fn cut(&mut self, region: &Region<'h>, parts: &mut Vec<Part<'h>>) -> Option<()> {
        if let Some((condition, label)) = region.condition {
            self.lift(condition, parts);
            parts.push(Part::Region(Region {
                condition: Some((condition, label)),
                ..Region::default()
            }));
        }
        for item in &region.items {
            match *item {
                Item::Stmt(stmt) => self.cut_stmt(stmt, parts)?,
                Item::Expr(e) => self.cut_statement(e, Item::Expr(e), parts)?,
                Item::Let(id, e) => {
                    self.lift(e, parts);
                    push(Item::Let(id, e), parts);
                }
                Item::Set(into, e) => self.cut_value(e, into, parts)?,
                Item::Unreached(e, into) => push(Item::Unreached(e, into), parts),
                Item::Condition(e, bit) => {
                    self.lift(e, parts);
                    push(Item::Condition(e, bit), parts);
                }
            }
        }
        if region.round.is_some() {
            match parts.last_mut() {
                Some(Part::Region(last)) => last.round = region.round,
                _ => parts.push(Part::Region(Region {
                    round: region.round,
                    ..Region::default()
                })),
            }
        }
        Some(())
    }

    fn cut_block(&mut self, block: &'h Block, into: Option<LocalId>) -> Option<Vec<Part<'h>>> {
        let mut parts = Vec::new();
        for stmt in &block.stmts {
            self.cut_stmt(stmt, &mut parts)?;
        }
        if let Some(tail) = &block.tail {
            match into {
                Some(into) => self.cut_value(tail, into, &mut parts)?,
                None => self.cut_statement(tail, Item::Expr(tail), &mut parts)?,
            }
        }
        Some(parts)
    }

    fn cut_stmt(&mut self, stmt: &'h Stmt, parts: &mut Vec<Part<'h>>) -> Option<()> {
        match stmt {
            Stmt::Expr(e) => self.cut_statement(e, Item::Stmt(stmt), parts),
            Stmt::Let { init: None, .. } | Stmt::ParFor(_) => None,
            Stmt::Let { init: Some(init), .. } => {
                if is_large(init) {
                    return None;
                }
                if self.has_parts(init) {
                    let value = self.variable();
                    self.cut_value(init, value, parts)?;
                    self.lifted.insert(init, value);
                } else {
                    self.lift(init, parts);
                }
                push(Item::Stmt(stmt), parts);
                Some(())
            }
        }
    }

    fn cut_statement(&mut self, e: &'h Expr, item: Item<'h>, parts: &mut Vec<Part<'h>>) -> Option<()> {
        match &e.kind {
            ExprKind::If(condition, then, otherwise) if self.has_parts(e) => {
                self.cut_branch(condition, then, otherwise.as_deref(), None, parts)?;
            }
            ExprKind::Block { block, .. } if self.has_parts(e) => {
                let inner = self.cut_block(block, None)?;
                parts.push(Part::Scope(inner));
            }
            ExprKind::Decided { unreached, value } if self.has_parts(value) => {
                push(Item::Unreached(unreached, None), parts);
                self.cut_statement(value, Item::Expr(value), parts)?;
            }
            _ => {
                self.lift(e, parts);
                push(item, parts);
            }
        }
        Some(())
    }

    fn cut_value(&mut self, e: &'h Expr, into: LocalId, parts: &mut Vec<Part<'h>>) -> Option<()> {
        match &e.kind {
            ExprKind::If(condition, then, Some(otherwise)) if self.has_parts(e) => {
                self.cut_branch(condition, then, Some(otherwise), Some(into), parts)?;
            }
            ExprKind::Block { block, .. } if self.has_parts(e) => {
                let inner = self.cut_block(block, Some(into))?;
                parts.push(Part::Scope(inner));
            }
            ExprKind::Decided { unreached, value } if self.has_parts(value) => {
                push(Item::Unreached(unreached, Some(into)), parts);
                self.cut_value(value, into, parts)?;
            }
            _ => {
                self.lift(e, parts);
                self.set(into, e, parts);
            }
        }
        Some(())
    }

    fn cut_branch(
        &mut self,
        condition: &'h Expr,
        then: &'h Block,
        otherwise: Option<&'h Expr>,
        into: Option<LocalId>,
        parts: &mut Vec<Part<'h>>,
    ) -> Option<()> {
        self.lift(condition, parts);
        let bit = self.bits(2)?;
        push(Item::Condition(condition, bit), parts);
        let then_parts = self.cut_block(then, into)?;
        let mut else_parts = Vec::new();
        match (otherwise, into) {
            (Some(e), Some(into)) => self.cut_value(e, into, &mut else_parts)?,
            (Some(e), None) => self.cut_statement(e, Item::Expr(e), &mut else_parts)?,
            (None, _) => {}
        }
        let leaves = any_exit(then, otherwise, &self.exits);
        parts.push(Part::Branch(Branch {
            bit,
            then: then_parts,
            otherwise: else_parts,
            leaves,
        }));
        Some(())
    }

    /// Whether calls stand in a branch or in a block, which are then cut; not if it has been cut at its loops.
    fn has_parts(&self, e: &Expr) -> bool {
        if self.lifted.contains_key(&std::ptr::from_ref(e)) {
            return false;
        }
        let call = |e: &Expr| is_candidate(self.func(), e);
        match &e.kind {
            ExprKind::If(_, then, otherwise) => any_in(then, call) || otherwise.as_ref().is_some_and(|e| any(e, call)),
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => any_in(block, call),
            ExprKind::Decided { value, .. } => self.has_parts(value),
            _ => false,
        }
    }

    /// Cuts at the calls in an expression that are made whatever its parts are, and before anything that they or their
    /// arguments could tell from.
    fn lift(&mut self, e: &'h Expr, parts: &mut Vec<Part<'h>>) {
        let mut lift = Lift {
            split: self,
            parts,
            seen: false,
            changed: false,
        };
        lift.expr(e);
    }
}

fn calls<'p, 'h>(parts: &'p [Part<'h>], f: &mut impl FnMut(&'p Call<'h>)) {
    for part in parts {
        if let Part::Call(call) = part {
            f(call);
        }
        part.inner(true).into_iter().for_each(|parts| calls(parts, f));
    }
}
