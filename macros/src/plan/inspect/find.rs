//! Which indices of a parallel loop can be looked at before it runs.

use std::collections::{HashMap, HashSet};

use swathe_ir::BinOp;

use super::{Inspection, Known, Step};
use crate::budget::{INSPECTED_PARTS, MOST_SLOPE};
use crate::hir::bindings;
use crate::hir::visit::{Visit, parts, walk_expr};
use crate::hir::{Access, AccessId, Block, Check as Covered, Domain, Expr, ExprKind, Func, LocalId, ParFor, Stmt};

/// The parts of a body that decide about indices, in their order.
pub enum Node<'h> {
    /// A variable's declaration.
    Let {
        stmt: &'h Stmt,
        step: Step,
    },
    Check(Check<'h>),
    Block(Vec<Node<'h>>),
}

/// An index that has to be in bounds.
pub struct Check<'h> {
    pub access: &'h Access,
    /// `None` where all axes are one expression.
    pub axis: Option<usize>,
    pub domain: Known,
    pub step: Step,
    /// Whether the first and the last iteration of a block have the least and the largest index.
    pub ends: bool,
}

pub fn find<'h>(func: &'h Func, p: &'h ParFor) -> Option<Inspection<'h>> {
    if !p.offsets.is_empty() || parts(&p.body) > INSPECTED_PARTS {
        return None;
    }
    let mut find = Find {
        func,
        known: p.vars.iter().flatten().map(|id| (*id, (Known::Position, 0))).collect(),
        moving: p.vars.last().copied().flatten().filter(|_| contiguous(p)),
        heads: heads(p),
        reduced: p.reduced().collect(),
        covered: HashMap::new(),
        left: false,
        nodes: Vec::new(),
    };
    find.block_of(&p.body);
    let mut needed = HashSet::new();
    let nodes = needed_nodes(find.nodes, &mut needed);
    (!find.covered.is_empty()).then_some(Inspection {
        nodes,
        covered: find.covered,
    })
}

/// The checks, and the variables that their indices are computed from.
fn needed_nodes<'h>(nodes: Vec<Node<'h>>, needed: &mut HashSet<LocalId>) -> Vec<Node<'h>> {
    let mut kept = Vec::new();
    for node in nodes.into_iter().rev() {
        let mut used = Uses(needed);
        match node {
            Node::Let {
                stmt: Stmt::Let { pat, init, .. },
                ..
            } => {
                if bindings(pat).any(|(id, _)| used.0.contains(&id)) {
                    init.iter().for_each(|e| used.expr(e));
                    kept.push(node);
                }
            }
            Node::Let { .. } => {}
            Node::Check(ref check) => {
                check.access.index.iter().for_each(|e| used.expr(e));
                kept.push(node);
            }
            Node::Block(nodes) => kept.push(Node::Block(needed_nodes(nodes, needed))),
        }
    }
    kept.reverse();
    kept
}

struct Uses<'n>(&'n mut HashSet<LocalId>);

impl Visit for Uses<'_> {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Local(id, _) = &e.kind {
            self.0.insert(*id);
        }
        walk_expr(self, e);
    }
}

/// Whether the positions of a block on its last axis follow one another.
fn contiguous(p: &ParFor) -> bool {
    match &p.domain {
        Domain::Range(range) => range.step.is_none(),
        Domain::Indices(..) | Domain::NdRange(_) => true,
    }
}

/// The positions along the axes before the last: a block lies in a row.
fn heads(p: &ParFor) -> HashSet<LocalId> {
    match p.vars.split_last() {
        Some((_, heads)) => heads.iter().flatten().copied().collect(),
        None => HashSet::new(),
    }
}

pub struct Find<'h> {
    pub func: &'h Func,
    /// Variables whose values are functions of the loop's position.
    pub known: HashMap<LocalId, (Known, Step)>,
    /// The position that grows by 1 from an iteration to the next.
    pub moving: Option<LocalId>,
    /// Those that are the same in all of a block.
    pub heads: HashSet<LocalId>,
    pub reduced: HashSet<LocalId>,
    /// Accesses that are looked at, and when.
    pub covered: HashMap<AccessId, Step>,
    /// Whether an iteration may not come to what follows.
    left: bool,
    nodes: Vec<Node<'h>>,
}

impl<'h> Find<'h> {
    fn block_of(&mut self, block: &'h Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let {
                    pat, init: Some(init), ..
                } => {
                    self.visit(init);
                    let usable = !self.left;
                    if let (true, Some((domain, step))) = (usable, self.value(init)) {
                        let unchanged = bindings(pat).filter(|(id, _)| !self.func.local(*id).mutable);
                        self.known.extend(unchanged.map(|(id, _)| (id, (domain, step))));
                        self.nodes.push(Node::Let { stmt, step });
                    }
                }
                Stmt::Let { .. } | Stmt::ParFor(_) => {}
                Stmt::Expr(e) => self.visit(e),
            }
        }
        block.tail.iter().for_each(|e| self.visit(e));
    }

    fn nested(&mut self, block: &'h Block) -> Vec<Node<'h>> {
        let outside = std::mem::take(&mut self.nodes);
        self.block_of(block);
        std::mem::replace(&mut self.nodes, outside)
    }

    /// Notes the accesses of an expression that every iteration evaluates.
    fn visit(&mut self, e: &'h Expr) {
        match &e.kind {
            ExprKind::Field(access) => {
                access.index.iter().for_each(|e| self.visit(e));
                self.access(access);
            }
            ExprKind::Atomic(_, _, place, args) => {
                self.visit(place);
                args.iter().for_each(|e| self.visit(e));
            }
            ExprKind::Assign(place, value) | ExprKind::AssignOp(_, _, place, value, _) => {
                self.visit(value);
                self.visit(place);
            }
            ExprKind::Unary(_, a, _)
            | ExprKind::Cast(a, ..)
            | ExprKind::Member(a, _)
            | ExprKind::Repeat(a, ..)
            | ExprKind::Decided { value: a, .. }
            | ExprKind::Within(a, _)
            | ExprKind::Inside(a, _)
            | ExprKind::Limited(a)
            | ExprKind::OfClosure(_, a)
            | ExprKind::Ref { place: a, .. } => self.visit(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => {
                self.visit(a);
                self.perhaps(b);
            }
            ExprKind::Binary(_, _, a, b, _) | ExprKind::Index(a, b) => {
                self.visit(a);
                self.visit(b);
            }
            ExprKind::Call { args, .. }
            | ExprKind::Fail { args, .. }
            | ExprKind::Print { args, .. }
            | ExprKind::Tuple(args)
            | ExprKind::Array(args, _) => args.iter().for_each(|e| self.visit(e)),
            ExprKind::Method { receiver, args, .. } => {
                self.visit(receiver);
                args.iter().for_each(|e| self.visit(e));
            }
            ExprKind::Struct { members, base, .. } => {
                members.iter().for_each(|(_, e)| self.visit(e));
                base.iter().for_each(|e| self.visit(e));
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } => {
                let nodes = self.nested(block);
                self.nodes.push(Node::Block(nodes));
            }
            ExprKind::If(condition, ..) => {
                self.visit(condition);
                self.perhaps(e);
            }
            ExprKind::Match(value, _) => {
                self.visit(value);
                self.perhaps(e);
            }
            ExprKind::For(_, _, range, _) => {
                self.visit(&range.start);
                self.visit(&range.end);
                self.perhaps(e);
            }
            ExprKind::Lit(..)
            | ExprKind::Local(..)
            | ExprKind::Const(..)
            | ExprKind::FieldLen(..)
            | ExprKind::FieldShape(..)
            | ExprKind::FieldOrigin(..)
            | ExprKind::FieldArgument(..) => {}
            ExprKind::Block { .. }
            | ExprKind::Loop(..)
            | ExprKind::While(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(_)
            | ExprKind::Return(_) => self.perhaps(e),
        }
    }

    /// What some iterations evaluate: whether they come back from there.
    fn perhaps(&mut self, e: &Expr) {
        struct Leaves(bool);
        impl Visit for Leaves {
            fn expr(&mut self, e: &Expr) {
                self.0 |= matches!(
                    e.kind,
                    ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) | ExprKind::Loop(..)
                );
                walk_expr(self, e);
            }
        }
        let mut leaves = Leaves(false);
        leaves.expr(e);
        self.left |= leaves.0;
    }

    /// An access that is checked in place, if its index is known beforehand.
    fn access(&mut self, access: &'h Access) {
        let info = self.func.access(access.id);
        if self.left || info.in_unsafe || info.check != Covered::InKernel || self.func.is_offset(access.field) {
            return;
        }
        let values: Option<Vec<_>> = access.index.iter().map(|e| self.value(e)).collect();
        let Some(values) = values else { return };
        let last = values.iter().map(|(_, step)| *step).max().unwrap_or(0);
        self.covered.insert(access.id, last);
        // What is neither a variable of any type nor an array is one number.
        let single = access.bracketed || matches!(&access.index[0].kind, ExprKind::Binary(..) | ExprKind::Cast(..));
        for (axis, (domain, step)) in values.into_iter().enumerate() {
            self.nodes.push(Node::Check(Check {
                access,
                axis: single.then_some(axis),
                domain,
                step,
                ends: single
                    && domain == Known::Position
                    && self
                        .slope(&access.index[axis])
                        .is_some_and(|slope| slope.abs() <= MOST_SLOPE),
            }));
        }
    }
}
