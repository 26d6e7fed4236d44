//! Which indices of a parallel loop can be looked at before it runs.

use std::collections::{HashMap, HashSet};

use swathe_ir::{BinOp, UnOp};

use super::{Domain, Inspection, Step, variable};
use crate::check::visit::{Visit, walk_expr};
use crate::emit::pattern::bindings;
use crate::emit::print::Printer;
use crate::hir::{Access, AccessId, Block, Check as Covered, Expr, ExprKind, Func, LocalId, ParFor, Pat, Range, Stmt};

/// Parts of expressions in a loop's body, at most: in a longer one a check is not what costs, and the body is written twice.
const MOST_PARTS: usize = 150;

/// The parts of a body that decide about indices, in their order.
pub enum Node<'h> {
    /// A variable's declaration.
    Let {
        stmt: &'h Stmt,
        domain: Domain,
        step: Step,
    },
    Check(Check<'h>),
    /// What a sequential loop runs over.
    Bounds {
        range: &'h Range,
        /// The loop's number.
        inner: usize,
        domain: Domain,
        step: Step,
    },
    /// A sequential loop's body.
    Body {
        inner: usize,
        pat: &'h Pat,
        nodes: Vec<Node<'h>>,
    },
    Block(Vec<Node<'h>>),
}

/// An index that has to be in bounds.
pub struct Check<'h> {
    pub access: &'h Access,
    /// `None` where all axes are one expression.
    pub axis: Option<usize>,
    pub domain: Domain,
    pub step: Step,
    /// The position of the sequential loop that the domain is.
    pub position: Option<LocalId>,
}

pub fn find<'h>(func: &'h Func, p: &'h ParFor) -> Option<Inspection<'h>> {
    if !p.offsets.is_empty() || parts(&p.body) > MOST_PARTS {
        return None;
    }
    let mut find = Find {
        func,
        known: p.vars.iter().flatten().map(|id| (*id, (Some(0), 0))).collect(),
        reduced: p.reductions.iter().map(|r| r.local).collect(),
        positions: vec![None],
        covered: HashMap::new(),
        left: false,
        nodes: Vec::new(),
    };
    find.block_of(&p.body);
    (!find.covered.is_empty()).then(|| Inspection {
        nodes: find.nodes,
        covered: find.covered.into_keys().collect(),
    })
}

fn parts(block: &Block) -> usize {
    struct Parts(usize);
    impl Visit for Parts {
        fn expr(&mut self, e: &Expr) {
            self.0 += 1;
            walk_expr(self, e);
        }
    }
    let mut parts = Parts(0);
    parts.block(block);
    parts.0
}

struct Find<'h> {
    func: &'h Func,
    /// Variables whose values are functions of one loop's position.
    known: HashMap<LocalId, (Domain, Step)>,
    reduced: HashSet<LocalId>,
    /// Of each loop by number, its variable; of the parallel one none.
    positions: Vec<Option<LocalId>>,
    /// Accesses that are looked at, and when.
    covered: HashMap<AccessId, Step>,
    /// Whether an iteration may not come to what follows.
    left: bool,
    nodes: Vec<Node<'h>>,
}

/// A function of both.
fn both(a: (Domain, Step), b: (Domain, Step)) -> Option<(Domain, Step)> {
    let domain = match (a.0, b.0) {
        (Some(x), Some(y)) if x != y => return None,
        (x, y) => x.or(y),
    };
    Some((domain, a.1.max(b.1)))
}

impl<'h> Find<'h> {
    fn block_of(&mut self, block: &'h Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let {
                    pat, init: Some(init), ..
                } => {
                    self.visit(init);
                    if let (false, Some((domain, step))) = (self.left, self.value(init)) {
                        let unchanged = bindings(pat).filter(|(id, _)| !self.func.local(*id).mutable);
                        self.known.extend(unchanged.map(|(id, _)| (id, (domain, step))));
                        self.nodes.push(Node::Let { stmt, domain, step });
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
            ExprKind::Atomic(_, _, access, args) => {
                access.index.iter().for_each(|e| self.visit(e));
                self.access(access);
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
            ExprKind::For(_, pat, range, body) => {
                self.visit(&range.start);
                self.visit(&range.end);
                if !self.sequential(pat, range, body) {
                    self.perhaps(e);
                }
            }
            ExprKind::Lit(..)
            | ExprKind::Local(..)
            | ExprKind::Const(..)
            | ExprKind::FieldLen(..)
            | ExprKind::FieldShape(..)
            | ExprKind::FieldOrigin(..) => {}
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

    /// A loop whose bounds are known beforehand.
    fn sequential(&mut self, pat: &'h Pat, range: &'h Range, body: &'h Block) -> bool {
        if self.left || range.inclusive || range.step.is_some() {
            return false;
        }
        let bounds = self.value(&range.start).zip(self.value(&range.end));
        let (Some((domain, step)), Some(position)) = (bounds.and_then(|(a, b)| both(a, b)), variable(pat)) else {
            return false;
        };
        let inner = self.positions.len();
        self.positions.push(Some(position));
        self.known.insert(position, (Some(inner), step + 1));
        let nodes = self.nested(body);
        self.nodes.push(Node::Bounds {
            range,
            inner,
            domain,
            step,
        });
        self.nodes.push(Node::Body { inner, pat, nodes });
        true
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
        for (axis, (domain, step)) in values.into_iter().enumerate() {
            self.nodes.push(Node::Check(Check {
                access,
                axis: access.bracketed.then_some(axis),
                domain,
                step,
                position: domain.and_then(|inner| self.positions[inner]),
            }));
        }
    }

    /// Of what an expression is a function, if evaluating it twice is cheap and cannot fail.
    fn value(&self, e: &Expr) -> Option<(Domain, Step)> {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => {
                Some((None, 0))
            }
            ExprKind::Local(id, _) => {
                let local = self.func.local(*id);
                let outside = local.inside.is_none() && !local.mutable && !self.reduced.contains(id);
                self.known.get(id).copied().or(outside.then_some((None, 0)))
            }
            ExprKind::Unary(UnOp::Not, a, _) | ExprKind::Cast(a, ..) => self.value(a),
            ExprKind::Binary(BinOp::And | BinOp::Or, ..) => None,
            ExprKind::Binary(op, _, a, b, _) => {
                let found = both(self.value(a)?, self.value(b)?)?;
                // Where no iteration comes, a sum may overflow that is checked for it.
                let (certain, total) = (matches!(found.0, None | Some(0)), is_total(*op));
                ((certain || total) && !Printer::may_fail(*op, a, b)).then_some(found)
            }
            ExprKind::Field(access) => self.read(access),
            ExprKind::Member(base, _) => self.value(base),
            ExprKind::Index(base, index) => match (&base.kind, &index.kind) {
                (ExprKind::FieldShape(..), ExprKind::Lit(..)) => Some((None, 0)),
                _ => None,
            },
            ExprKind::Tuple(parts) | ExprKind::Array(parts, _) => {
                let parts: Option<Vec<_>> = parts.iter().map(|e| self.value(e)).collect();
                parts?.into_iter().try_fold((None, 0), both)
            }
            _ => None,
        }
    }

    /// The element of a field that nobody writes meanwhile.
    fn read(&self, access: &Access) -> Option<(Domain, Step)> {
        let info = self.func.access(access.id);
        if info.in_unsafe || self.func.field_mutable(access.field) || self.func.is_offset(access.field) {
            return None;
        }
        let after = match info.check {
            Covered::Proven | Covered::Hoisted => 0,
            Covered::InKernel => self.covered.get(&access.id)? + 1,
            Covered::Unchecked => return None,
        };
        let index: Option<Vec<_>> = access.index.iter().map(|e| self.value(e)).collect();
        let found = index?.into_iter().try_fold((None, 0), both)?;
        Some((found.0, found.1.max(after)))
    }
}

/// Whether there is always a result.
fn is_total(op: BinOp) -> bool {
    op.is_comparison() || matches!(op, BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor)
}
