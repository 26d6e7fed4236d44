//! Regions cut at their calls, since a function may have loops: the macro cannot see it, so both forms of a region are
//! there, and the functions' constants choose.

use swathe_ir::{BinOp, ParamKind};

use super::branch::Branch;
use super::search::{any_exit, is_large};
use super::split::{Item, Loop, Part, Region, Split, push};
use crate::check::visit::{Visit, walk_expr};
use crate::hir::{Block, Expr, ExprKind, Func, LocalId, Stmt};

/// A function called for all lanes.
pub struct Call<'h> {
    pub path: &'h syn::ExprPath,
    pub args: Vec<LocalId>,
    pub result: LocalId,
}

/// A region, and the same cut at its calls, for the case that one of the functions has loops.
pub struct Choice<'h> {
    pub callees: Vec<&'h syn::ExprPath>,
    pub whole: Region<'h>,
    pub cut: Vec<Part<'h>>,
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
        let (mut cut, mut callees) = (Vec::new(), Vec::new());
        let lifted = self.lifted.clone();
        let whole = self.cut(&region, &mut cut);
        collect(&cut, &mut callees);
        if whole.is_none() || callees.is_empty() {
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

    /// Whether calls stand in a branch or in a block, which are then cut.
    fn has_parts(&self, e: &Expr) -> bool {
        let mut search = Calls {
            func: self.func(),
            found: false,
        };
        match &e.kind {
            ExprKind::If(_, then, otherwise) => {
                search.block(then);
                otherwise.iter().for_each(|e| search.expr(e));
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => search.block(block),
            _ => {}
        }
        search.found
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

/// Goes through an expression in the order in which it is evaluated.
struct Lift<'s, 'h> {
    split: &'s mut Split<'h>,
    parts: &'s mut Vec<Part<'h>>,
    /// Whether a variable or a field may have been read.
    seen: bool,
    /// Whether one may have been changed.
    changed: bool,
}

impl<'h> Lift<'_, 'h> {
    fn expr(&mut self, e: &'h Expr) {
        if self.split.lifted.contains_key(&std::ptr::from_ref(e)) {
            return;
        }
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) => {}
            ExprKind::Unary(_, a, _) | ExprKind::Cast(a, ..) | ExprKind::Member(a, _) => self.expr(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => {
                self.expr(a);
                self.opaque(b);
            }
            ExprKind::Binary(_, _, a, b, _) | ExprKind::Index(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, _, place, value, _) => {
                self.expr(value);
                self.opaque(place);
                self.changed = true;
            }
            ExprKind::Field(access) => {
                access.index.iter().for_each(|e| self.expr(e));
                self.seen = true;
            }
            ExprKind::Tuple(all) | ExprKind::Array(all, _) => all.iter().for_each(|e| self.expr(e)),
            ExprKind::Struct { members, base, .. } => {
                members.iter().for_each(|(_, e)| self.expr(e));
                base.iter().for_each(|e| self.expr(e));
            }
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                then.stmts.iter().for_each(|s| self.stmt(s));
                then.tail.iter().for_each(|e| self.opaque(e));
                otherwise.iter().for_each(|e| self.opaque(e));
            }
            ExprKind::Return(Some(value)) => self.expr(value),
            ExprKind::Method { receiver, args, .. } => {
                self.expr(receiver);
                args.iter().for_each(|e| self.expr(e));
                self.changed |= changes(self.split.func(), e);
            }
            ExprKind::Call { args, path, .. } => self.call(e, path, args),
            _ => self.opaque(e),
        }
    }

    fn call(&mut self, e: &'h Expr, path: &'h syn::ExprPath, args: &'h [Expr]) {
        let func = self.split.func();
        let (seen, changed) = (self.seen, self.changed);
        args.iter().for_each(|e| self.expr(e));
        let moves = seen && args.iter().any(|e| changes(func, e));
        if !is_candidate(func, e) || changed || moves {
            self.seen = true;
            self.changed |= changes(func, e);
            return;
        }
        // The arguments are evaluated here, in their order.
        (self.seen, self.changed) = (seen, changed);
        let mut values = Vec::new();
        for arg in args {
            if let Some(id) = self.split.lifted.get(&std::ptr::from_ref(arg)) {
                values.push(*id);
                continue;
            }
            let id = self.split.variable();
            push(Item::Let(id, arg), self.parts);
            values.push(id);
        }
        let result = self.split.variable();
        self.parts.push(Part::Call(Call {
            path,
            args: values,
            result,
        }));
        self.split.lifted.insert(e, result);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.opaque(e)),
            Stmt::Expr(e) => self.opaque(e),
            Stmt::ParFor(_) => {}
        }
    }

    /// What stays as it is.
    fn opaque(&mut self, e: &Expr) {
        self.seen = true;
        self.changed |= changes(self.split.func(), e);
    }
}

/// Whether a call of a function may be made for all lanes: it is given values, not places.
fn is_candidate(func: &Func, e: &Expr) -> bool {
    let is_place = |e: &Expr| match &e.kind {
        ExprKind::Ref { .. } => true,
        ExprKind::Local(id, _) => {
            let mut params = func.params.iter();
            params.any(|p| p.local == *id && matches!(p.kind, ParamKind::Ref { .. }))
        }
        _ => false,
    };
    match &e.kind {
        ExprKind::Call { on: None, args, .. } => !args.iter().any(|e| is_place(e) || is_large(e)),
        _ => false,
    }
}

struct Calls<'f> {
    func: &'f Func,
    found: bool,
}

impl Visit for Calls<'_> {
    fn expr(&mut self, e: &Expr) {
        self.found |= is_candidate(self.func, e);
        walk_expr(self, e);
    }
}

/// Whether an expression may change a variable or a field, or not come to its end.
fn changes(func: &Func, e: &Expr) -> bool {
    struct Search<'f>(&'f Func, bool);
    impl Visit for Search<'_> {
        fn expr(&mut self, e: &Expr) {
            self.1 |= match &e.kind {
                ExprKind::Method { receiver, .. } => receiver.root_local().is_some_and(|id| self.0.local(id).mutable),
                ExprKind::Ref { mutable, .. } => *mutable,
                ExprKind::Assign(..)
                | ExprKind::AssignOp(..)
                | ExprKind::Atomic(..)
                | ExprKind::Break(..)
                | ExprKind::Continue(_)
                | ExprKind::Return(_)
                | ExprKind::Fail { .. } => true,
                _ => false,
            };
            walk_expr(self, e);
        }
    }
    let mut search = Search(func, false);
    search.expr(e);
    search.1
}

fn collect<'h>(parts: &[Part<'h>], callees: &mut Vec<&'h syn::ExprPath>) {
    for part in parts {
        match part {
            Part::Call(call) if !callees.contains(&call.path) => callees.push(call.path),
            Part::Scope(parts) => collect(parts, callees),
            Part::Branch(branch) => {
                collect(&branch.then, callees);
                collect(&branch.otherwise, callees);
            }
            _ => {}
        }
    }
}
