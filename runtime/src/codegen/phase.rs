//! Divides a kernel's body into phases: what runs in parallel, what runs once, and what is computed anew in each.

use std::collections::HashSet;
use std::rc::Rc;

use swathe_ir::{
    ArgReduction, BinOp, Domain, Expr, ExprKind, Extent, LocalId, ParFor, ParamKind, Pat, Scalar, Stmt, Type, UnOp,
    division,
};

use super::Result;
use super::body::{Body, Leave};
use super::module::Module;
use crate::kernel::walk;
use crate::kernel::{Callee, Instance};

/// What runs once, in order.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item<'a> {
    Stmt(&'a Stmt),
    /// The last expression, whose value is the kernel's result.
    Result(&'a Expr),
    /// A bound of the loop after it that the loop's threads cannot compute themselves.
    Bound(Bound, &'a Expr),
}

/// The `part`-th expression of the domain of the `index`-th loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bound {
    pub index: usize,
    pub part: usize,
}

/// What one launch does.
#[derive(Clone, Debug)]
pub(super) enum Phase<'a> {
    Serial(Vec<Item<'a>>),
    Loop(usize, &'a ParFor),
    Partial(usize, &'a ParFor),
    /// Combines the partial results of the loop before, between items that run once.
    Finish(&'a ParFor, Vec<Item<'a>>, Vec<Item<'a>>),
}

#[derive(Debug, Default)]
pub(super) struct Plan<'a> {
    pub phases: Vec<Phase<'a>>,
    /// `let`s whose value every thread can compute, in order.
    pub uniform: Vec<&'a Stmt>,
    /// Variables that live in the frame.
    pub frame: Vec<LocalId>,
    pub bounds: Vec<(Bound, &'a Expr)>,
}

/// The expressions of a domain.
pub(super) fn parts(domain: &Domain) -> Vec<&Expr> {
    match domain {
        Domain::Indices(_) => Vec::new(),
        Domain::Range(r) => [Some(&*r.start), Some(&*r.end), r.step.as_deref()]
            .into_iter()
            .flatten()
            .collect(),
        Domain::NdRange(extents) => extents.iter().collect(),
    }
}

pub(super) fn locals_of(pat: &Pat) -> Vec<LocalId> {
    match pat {
        Pat::Bind(local) => vec![*local],
        Pat::Wild => Vec::new(),
        Pat::Tuple(pats) | Pat::Array(pats) => pats.iter().flat_map(locals_of).collect(),
    }
}

/// Variables that an expression names.
pub(super) fn uses(e: &Expr, into: &mut HashSet<LocalId>) {
    walk::expr(e, &mut |e| use_of(e, into));
}

pub(super) fn use_of(e: &Expr, into: &mut HashSet<LocalId>) {
    if let ExprKind::Local(local) = e.kind {
        into.insert(local);
    }
}

/// Variables that a parallel loop names.
pub(super) fn uses_of_loop(p: &ParFor, into: &mut HashSet<LocalId>) {
    walk::par_for(p, &mut |e| use_of(e, into));
    for cover in &p.hoisted {
        if let Extent::Local(local) = cover.extent {
            into.insert(local);
        }
    }
}

impl Item<'_> {
    /// Variables that it names or declares.
    pub(super) fn touches(&self, into: &mut HashSet<LocalId>) {
        self.uses(into);
        if let Item::Stmt(Stmt::Let { pat, .. }) = self {
            into.extend(locals_of(pat));
        }
    }

    pub(super) fn uses(&self, into: &mut HashSet<LocalId>) {
        match self {
            Item::Stmt(stmt) => walk::stmt(stmt, &mut |e| use_of(e, into)),
            Item::Result(e) | Item::Bound(_, e) => uses(e, into),
        }
    }
}

impl Phase<'_> {
    pub(super) fn touches(&self) -> HashSet<LocalId> {
        let mut set = HashSet::new();
        match self {
            Phase::Serial(items) => items.iter().for_each(|i| i.touches(&mut set)),
            Phase::Loop(_, p) | Phase::Partial(_, p) => {
                uses_of_loop(p, &mut set);
                // Of others a thread begins with the value that they have.
                for r in &p.reductions {
                    set.remove(&r.local);
                }
                set.extend(p.arg_reductions.iter().flat_map(ArgReduction::locals));
            }
            Phase::Finish(p, before, after) => {
                before.iter().chain(after).for_each(|i| i.touches(&mut set));
                set.extend(p.reduced());
            }
        }
        set
    }
}

/// Makes the plan.
pub(super) fn plan<'a>(module: &mut Module, instance: &'a Rc<Instance>) -> Result<Plan<'a>> {
    let func = &instance.func;
    let values = func
        .params
        .iter()
        .filter(|p| matches!(p.kind, ParamKind::Value))
        .map(|p| p.local);
    let mut planner = Planner {
        module,
        instance,
        known: values.collect(),
    };
    let mut plan = Plan::default();
    let mut pending: Vec<Item<'a>> = Vec::new();
    let mut loops = 0;
    for stmt in &func.body.stmts {
        match stmt {
            Stmt::Let {
                pat, init: Some(init), ..
            } if planner.is_uniform(pat, init)? => {
                planner.known.extend(locals_of(pat));
                plan.uniform.push(stmt);
            }
            Stmt::Let { init: None, .. } => pending.push(Item::Stmt(stmt)),
            Stmt::ParFor(p) => {
                planner.bounds(loops, p, &mut plan, &mut pending)?;
                let before = planner.split(p, &mut pending)?;
                flush(&mut plan.phases, &mut pending);
                if !p.reduces() {
                    plan.phases.push(Phase::Loop(loops, p));
                } else {
                    plan.phases.push(Phase::Partial(loops, p));
                    plan.phases.push(Phase::Finish(p, before, Vec::new()));
                }
                loops += 1;
            }
            _ => pending.push(Item::Stmt(stmt)),
        }
    }
    // Without a result it is a statement in all but syntax.
    pending.extend(func.body.tail.as_deref().map(Item::Result));
    flush(&mut plan.phases, &mut pending);
    plan.frame = frame(&plan, &planner.known);
    Ok(plan)
}

/// Puts what is pending into a phase of its own, or into the end of a reduction.
fn flush<'a>(phases: &mut Vec<Phase<'a>>, pending: &mut Vec<Item<'a>>) {
    if pending.is_empty() {
        return;
    }
    let items = std::mem::take(pending);
    match phases.last_mut() {
        Some(Phase::Finish(_, _, after)) => after.extend(items),
        _ => phases.push(Phase::Serial(items)),
    }
}

/// Variables that more than one phase touches, in order of declaration.
fn frame(plan: &Plan<'_>, known: &HashSet<LocalId>) -> Vec<LocalId> {
    let mut declared = Vec::new();
    let mut count = |items: &[Item<'_>]| {
        for item in items {
            if let Item::Stmt(Stmt::Let { pat, .. }) = item {
                declared.extend(locals_of(pat));
            }
        }
    };
    for phase in &plan.phases {
        match phase {
            Phase::Serial(items) => count(items),
            Phase::Finish(_, before, after) => {
                count(before);
                count(after);
            }
            Phase::Loop(..) | Phase::Partial(..) => {}
        }
    }
    let touched: Vec<HashSet<LocalId>> = plan.phases.iter().map(Phase::touches).collect();
    declared.retain(|local| !known.contains(local) && touched.iter().filter(|set| set.contains(local)).count() > 1);
    declared
}

struct Planner<'p, 'a> {
    module: &'p mut Module,
    instance: &'a Rc<Instance>,
    /// Variables whose value every thread can compute.
    known: HashSet<LocalId>,
}

impl<'a> Planner<'_, 'a> {
    fn is_uniform(&mut self, pat: &Pat, init: &Expr) -> Result<bool> {
        let fixed = locals_of(pat)
            .iter()
            .all(|l| !self.instance.func.locals[l.0 as usize].mutable);
        Ok(fixed && self.is_known(init, false)?)
    }

    /// Bounds that the loop's threads cannot compute move into the serial part before; with one of these also those that read what it may
    /// change, and those that read what the loop accumulates into.
    fn bounds(&mut self, index: usize, p: &'a ParFor, plan: &mut Plan<'a>, pending: &mut Vec<Item<'a>>) -> Result<()> {
        let parts = parts(&p.domain);
        let known: Result<Vec<bool>> = parts.iter().map(|e| self.is_known(e, true)).collect();
        let serial = known?.contains(&false);
        for (part, e) in parts.into_iter().enumerate() {
            let mut used = HashSet::new();
            uses(e, &mut used);
            let accumulated = p.reduced().any(|local| used.contains(&local));
            if accumulated || !self.is_known(e, !serial)? {
                let bound = Bound { index, part };
                plan.bounds.push((bound, e));
                pending.push(Item::Bound(bound, e));
            }
        }
        Ok(())
    }

    /// Takes from what is pending the declarations of the loop's accumulators, if there is nothing else: they can wait
    /// until the loop is done, and the kernel needs one launch less.
    fn split(&mut self, p: &ParFor, pending: &mut Vec<Item<'a>>) -> Result<Vec<Item<'a>>> {
        let mut used = HashSet::new();
        for e in parts(&p.domain) {
            uses(e, &mut used);
        }
        for item in pending.iter() {
            let Item::Stmt(Stmt::Let {
                pat: Pat::Bind(local),
                init: Some(init),
                ..
            }) = item
            else {
                return Ok(Vec::new());
            };
            if used.contains(local) || !p.reductions.iter().any(|r| r.local == *local) || !self.is_known(init, false)? {
                return Ok(Vec::new());
            }
        }
        Ok(std::mem::take(pending))
    }

    /// Whether every thread can compute the expression itself, from parameters and extents, without failing, and comes to its end.
    fn is_known(&mut self, e: &Expr, frame: bool) -> Result<bool> {
        let mut all = true;
        let mut functions = Vec::new();
        let mut divisors = Vec::new();
        let mut indices = Vec::new();
        let (instance, known) = (self.instance, &self.known);
        walk::expr(e, &mut |e| {
            let callee = match &e.kind {
                ExprKind::Lit(..)
                | ExprKind::Const(_)
                | ExprKind::Cast(..)
                | ExprKind::Member(..)
                | ExprKind::FieldLen(_)
                | ExprKind::FieldShape(_)
                | ExprKind::FieldOrigin(_)
                | ExprKind::Position(..)
                | ExprKind::Offset(..)
                | ExprKind::Tuple(_)
                | ExprKind::Array(..)
                | ExprKind::Repeat(..)
                | ExprKind::Struct { .. } => None,
                ExprKind::Local(local) => {
                    all &= frame || known.contains(local);
                    None
                }
                ExprKind::Ref { mutable, .. } => {
                    all &= !mutable;
                    None
                }
                ExprKind::Index(base, k) => {
                    indices.push(((**base).clone(), (**k).clone()));
                    None
                }
                ExprKind::Unary(op, _, callee) => callee.filter(|_| *op != UnOp::Deref),
                ExprKind::Binary(op, _, b, callee) => {
                    if matches!(op, BinOp::Div | BinOp::Rem) && !is_nonzero(b) {
                        divisors.push((**b).clone());
                    }
                    *callee
                }
                ExprKind::Call { callee, name, args, .. } | ExprKind::Method { callee, name, args, .. } => {
                    if let (Some(_), Some(divisor)) = (division(name), args.last()) {
                        divisors.extend((!is_nonzero(divisor)).then(|| divisor.clone()));
                    }
                    Some(*callee)
                }
                ExprKind::Block(None, block) => {
                    all &= block.stmts.is_empty();
                    None
                }
                ExprKind::If(_, then, other) => {
                    all &= then.stmts.is_empty() && other.is_some();
                    None
                }
                _ => {
                    all = false;
                    None
                }
            };
            if let Some(callee) = callee
                && let Some(Callee::Func(func)) = instance.callees.get(callee.0 as usize)
            {
                functions.push(*func);
            }
        });
        if !all {
            return Ok(false);
        }
        let body = Body::new(self.module, Rc::clone(self.instance), Leave::Phase { stop: false });
        for divisor in &divisors {
            if body
                .type_of(divisor)?
                .and_then(|ty| ty.scalar())
                .is_none_or(Scalar::is_int)
            {
                return Ok(false);
            }
        }
        for (base, k) in &indices {
            let len = match body.type_of(base)? {
                Some(Type::Array(_, n) | Type::Vector(_, n)) => n as i128,
                _ => return Ok(false),
            };
            if body.constant_int(k).is_none_or(|k| !(0..len).contains(&k)) {
                return Ok(false);
            }
        }
        for func in functions {
            let function = self.module.function(&func, &[])?;
            if function.fails
                || function.endless
                || function
                    .params
                    .iter()
                    .any(|(kind, _)| *kind == (ParamKind::Ref { mutable: true }))
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn is_nonzero(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(swathe_ir::Lit::Int(v), _) => v % 256 != 0,
        _ => false,
    }
}
