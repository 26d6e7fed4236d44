//! A body cut at its sequential loops: what lies between them is straight, and can be run for many iterations at once.

use std::collections::{HashMap, HashSet};

use swathe_ir::UnOp;

use crate::check::visit::{Visit, walk_expr};
use crate::emit::pattern::bindings;
use crate::hir::{Block, Check, Expr, ExprKind, Func, LabelId, LocalId, ParFor, Pat, Range, Stmt};

/// Loops of no more rounds are unrolled by LLVM, which then vectorises the parallel loop itself.
const UNROLLED: u64 = 16;
/// Elements of the longest array that a lane may have.
const ARRAY: usize = 16;

pub enum Item<'h> {
    Stmt(&'h Stmt),
    Expr(&'h Expr),
}

pub enum Part<'h> {
    Region(Region<'h>),
    /// A variable with one value for all lanes.
    Uniform(&'h Stmt),
    Scope(Vec<Part<'h>>),
    Loop(Loop<'h>),
}

/// Straight code, run for each lane.
#[derive(Default)]
pub struct Region<'h> {
    /// A lane for which it is false leaves the loop.
    pub condition: Option<(&'h Expr, LabelId)>,
    pub items: Vec<Item<'h>>,
    /// The loop of which a round ends here.
    pub round: Option<LabelId>,
}

pub struct Loop<'h> {
    pub label: LabelId,
    /// The range has the same bounds in all lanes; without one, lanes leave by themselves.
    pub range: Option<(&'h Pat, &'h Range)>,
    pub parts: Vec<Part<'h>>,
    /// Targets of the `break` and `continue` in it, its own condition among them.
    pub exits: HashSet<LabelId>,
}

impl Loop<'_> {
    /// Whether lanes leave it, or its rounds, one by one.
    pub fn is_masked(&self) -> bool {
        self.range.is_none() || !self.exits.is_empty()
    }
}

/// Cuts the body of a loop; `None` if it must stay as it is.
pub fn split<'h>(func: &'h Func, p: &'h ParFor) -> Option<Vec<Part<'h>>> {
    let mut split = Split {
        func,
        reduced: p.reductions.iter().map(|r| r.local).collect(),
        uniform: HashSet::new(),
        loops: HashSet::from([p.label]),
        masked: false,
    };
    // The axes before the last stay the same in a row.
    if let Some((_, heads)) = p.vars.split_last() {
        split.uniform.extend(heads.iter().flatten());
    }
    split.block(&p.body)
}

struct Split<'h> {
    func: &'h Func,
    reduced: Vec<LocalId>,
    uniform: HashSet<LocalId>,
    /// Labels of loops that are cut.
    loops: HashSet<LabelId>,
    /// Whether what comes next may be reached by no lane at all.
    masked: bool,
}

impl<'h> Split<'h> {
    fn block(&mut self, block: &'h Block) -> Option<Vec<Part<'h>>> {
        let mut parts = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Expr(e) => self.statement(e, Item::Stmt(stmt), &mut parts)?,
                Stmt::Let { init: None, .. } | Stmt::ParFor(_) => return None,
                Stmt::Let {
                    pat: Pat::Bind {
                        local, mutable: false, ..
                    },
                    init: Some(init),
                    ..
                } if self.is_uniform(init) => {
                    self.uniform.insert(*local);
                    parts.push(Part::Uniform(stmt));
                }
                Stmt::Let { init: Some(init), .. } => {
                    if is_large(init) {
                        return None;
                    }
                    self.straight(init)?;
                    push(Item::Stmt(stmt), &mut parts);
                    self.masked |= self.exits(init);
                }
            }
        }
        if let Some(tail) = &block.tail {
            self.statement(tail, Item::Expr(tail), &mut parts)?;
        }
        Some(parts)
    }

    fn statement(&mut self, e: &'h Expr, item: Item<'h>, parts: &mut Vec<Part<'h>>) -> Option<()> {
        match &e.kind {
            ExprKind::For(label, pat, range, body) => {
                let bounds = [Some(&range.start), Some(&range.end), range.step.as_ref()];
                if !bounds.into_iter().flatten().all(|e| self.is_uniform(e)) || is_short(range) {
                    return None;
                }
                match pat {
                    Pat::Bind {
                        local, mutable: false, ..
                    } => {
                        self.uniform.insert(*local);
                    }
                    Pat::Wild(_) => {}
                    _ => return None,
                }
                parts.push(self.sequential(*label, Some((pat, range)), None, body)?);
            }
            ExprKind::While(label, condition, body) => {
                self.straight(condition)?;
                parts.push(self.sequential(*label, None, Some(condition), body)?);
            }
            ExprKind::Loop(label, body) => parts.push(self.sequential(*label, None, None, body)?),
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } if has_loop(block) => parts.push(Part::Scope(self.block(block)?)),
            _ => {
                self.straight(e)?;
                push(item, parts);
                self.masked |= self.exits(e);
            }
        }
        Some(())
    }

    fn sequential(
        &mut self,
        label: LabelId,
        range: Option<(&'h Pat, &'h Range)>,
        condition: Option<&'h Expr>,
        body: &'h Block,
    ) -> Option<Part<'h>> {
        let outer = self.loops.clone();
        self.loops.insert(label);
        self.masked |= range.is_none();
        let mut parts = self.block(body)?;
        self.loops = outer;
        self.loops.insert(label);
        let mut exits = Exits::default();
        exits.block(body);
        let mut exits: HashSet<LabelId> = exits.0.intersection(&self.loops).copied().collect();
        self.loops.remove(&label);
        if let Some(condition) = condition {
            exits.insert(label);
            let condition = Some((condition, label));
            match parts.first_mut() {
                Some(Part::Region(region)) => region.condition = condition,
                _ => parts.insert(
                    0,
                    Part::Region(Region {
                        condition,
                        ..Region::default()
                    }),
                ),
            }
        }
        if range.is_none() || !exits.is_empty() {
            match parts.last_mut() {
                Some(Part::Region(region)) => region.round = Some(label),
                _ => parts.push(Part::Region(Region {
                    round: Some(label),
                    ..Region::default()
                })),
            }
        }
        Some(Part::Loop(Loop {
            label,
            range,
            parts,
            exits,
        }))
    }

    /// The same for all lanes, and computed without effects.
    fn is_uniform(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => true,
            ExprKind::Local(id, _) => {
                self.uniform.contains(id) || (self.func.local(*id).inside.is_none() && !self.reduced.contains(id))
            }
            ExprKind::Unary(op, a, _) => *op != UnOp::Deref && !self.masked && self.is_uniform(a),
            ExprKind::Cast(a, ..) | ExprKind::Member(a, _) => self.is_uniform(a),
            // They may panic, which they must not where no lane comes.
            ExprKind::Binary(_, _, a, b, _) | ExprKind::Index(a, b) => {
                !self.masked && self.is_uniform(a) && self.is_uniform(b)
            }
            _ => false,
        }
    }

    /// Whether an expression leaves or continues a loop that is cut.
    fn exits(&self, e: &Expr) -> bool {
        let mut exits = Exits::default();
        exits.expr(e);
        !exits.0.is_disjoint(&self.loops)
    }

    /// Whether an expression may run for one lane after the other.
    fn straight(&self, e: &Expr) -> Option<()> {
        let mut search = Straight {
            func: self.func,
            straight: true,
        };
        search.expr(e);
        search.straight.then_some(())
    }
}

fn push<'h>(item: Item<'h>, parts: &mut Vec<Part<'h>>) {
    match parts.last_mut() {
        Some(Part::Region(region)) => region.items.push(item),
        _ => parts.push(Part::Region(Region {
            items: vec![item],
            ..Region::default()
        })),
    }
}

/// An array whose copies for all lanes do not belong on a stack.
fn is_large(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Array(parts, _) => parts.len() > ARRAY || parts.iter().any(is_large),
        ExprKind::Repeat(value, len, _) => {
            let len = match &**len {
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Int(len),
                    ..
                }) => len.base10_parse().ok(),
                _ => None,
            };
            len.is_none_or(|len: usize| len > ARRAY) || is_large(value)
        }
        _ => false,
    }
}

fn is_short(range: &Range) -> bool {
    let number = |e: &Expr| match &e.kind {
        ExprKind::Lit(syn::Lit::Int(lit), _) => lit.base10_parse::<u64>().ok(),
        _ => None,
    };
    match (number(&range.start), number(&range.end)) {
        (Some(start), Some(end)) => end.saturating_sub(start) <= UNROLLED,
        _ => false,
    }
}

fn has_loop(block: &Block) -> bool {
    struct Search(bool);
    impl Visit for Search {
        fn expr(&mut self, e: &Expr) {
            self.0 |= matches!(e.kind, ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..));
            walk_expr(self, e);
        }
    }
    let mut search = Search(false);
    search.block(block);
    search.0
}

/// Labels that are left or continued.
#[derive(Default)]
struct Exits(HashSet<LabelId>);

impl Visit for Exits {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Break(label, _) | ExprKind::Continue(label) = &e.kind {
            self.0.insert(*label);
        }
        walk_expr(self, e);
    }
}

/// Labels that the code of a region leaves or continues.
pub fn leaves(region: &Region<'_>, labels: &HashMap<LabelId, u32>) -> bool {
    let mut exits = Exits::default();
    each(region, |e| exits.expr(e));
    exits.0.iter().any(|label| labels.contains_key(label))
}

/// Calls `f` on the region's expressions.
pub fn each<'h>(region: &Region<'h>, mut f: impl FnMut(&'h Expr)) {
    if let Some((condition, _)) = region.condition {
        f(condition);
    }
    for item in &region.items {
        match item {
            Item::Stmt(Stmt::Let { init, .. }) => init.iter().for_each(&mut f),
            Item::Stmt(Stmt::Expr(e)) => f(e),
            Item::Expr(e) => f(e),
            Item::Stmt(Stmt::ParFor(_)) => {}
        }
    }
}

/// Variables that the region declares for what follows, the last of each name.
pub fn declared<'h>(region: &Region<'h>) -> Vec<(LocalId, &'h proc_macro2::Ident)> {
    let mut found: Vec<(LocalId, &proc_macro2::Ident)> = Vec::new();
    for item in &region.items {
        if let Item::Stmt(Stmt::Let { pat, .. }) = item {
            for (local, ident) in bindings(pat) {
                found.retain(|(_, other)| *other != ident);
                found.push((local, ident));
            }
        }
    }
    found
}

struct Straight<'h> {
    func: &'h Func,
    straight: bool,
}

impl Visit for Straight<'_> {
    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { init, .. } => init.iter().for_each(|e| self.expr(e)),
            Stmt::Expr(e) => self.expr(e),
            Stmt::ParFor(_) => self.straight = false,
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.straight &= match &e.kind {
            ExprKind::For(..)
            | ExprKind::While(..)
            | ExprKind::Loop(..)
            | ExprKind::Return(_)
            | ExprKind::Fail { .. }
            | ExprKind::Atomic(..)
            | ExprKind::Break(_, Some(_)) => false,
            // A failed check is a call, which keeps LLVM from vectorising.
            ExprKind::Field(access) => self.func.access(access.id).check != Check::InKernel,
            _ => true,
        };
        walk_expr(self, e);
    }
}
