//! Gathers in lanes: reads that are checked in place. One that is out of bounds takes the first element instead, so that there is nothing to branch to, and a flag tells
//! behind the region that the block has to run again one by one.

use std::collections::{BTreeMap, HashSet};

use swathe_ir::MOST_ROUNDS;

use super::super::setting::overflow_checked;
use super::super::windows::Windows;
use super::part::Cut;
use super::search::{Gather, is_short};
use super::why::{CHECKED, GATHERED_BESIDE, GATHERED_FOR, Why};
use crate::budget::{CALL, ROUNDS, WORK_FOR_READ};
use crate::hir::visit::{Visit, any_in, walk_expr};
use crate::hir::{AccessId, Block, Expr, ExprKind, Func, LocalId, ParFor};

/// Why a body stays out of lanes for its reads.
pub fn refused(func: &Func, p: &ParFor, body: &Cut<'_>, has_loops: bool) -> Option<Why> {
    let first = body.gathers.values().next()?;
    // What is in `unsafe` is said of what an iteration comes to, which is not what follows from another element's value. Sums have the same order in all
    // builds, also in those that cannot unwind.
    let other = |e: &Expr| matches!(e.kind, ExprKind::Atomic(..) | ExprKind::Block { unsafety: true, .. });
    if !has_loops {
        return Some(Why::new(first.at, CHECKED));
    }
    let mut behind = Behind::default();
    behind.block(&p.body);
    if !p.reductions.is_empty() || any_in(&p.body, other) {
        return Some(Why::new(first.at, GATHERED_BESIDE));
    }
    if behind.rounds > MOST_ROUNDS || behind.panics || overflow_checked() {
        return Some(Why::new(first.at, GATHERED_FOR));
    }
    // Along rows LLVM vectorises the inner loop, once indices are compared in front of it.
    let mut looped = Looped {
        func,
        inner: false,
        reads: HashSet::new(),
        windowed: HashSet::new(),
    };
    looped.block(&p.body);
    let Looped { reads, windowed, .. } = looped;
    let mut in_rounds = body.gathers.keys().filter(|id| reads.contains(id)).peekable();
    let along_rows = in_rounds.peek().is_some() && in_rounds.all(|id| windowed.contains(id));
    along_rows.then(|| Why::new(first.at, CHECKED))
}

/// Whether other work outweighs gathers: without registers of 512 bits LLVM makes each of them one by one.
pub fn outweighed(body: &Block, gathers: &BTreeMap<AccessId, Gather>) -> bool {
    let mut weighed = Weighed {
        gathers,
        weight: 1,
        reads: 0,
        work: 0,
    };
    weighed.block(body);
    weighed.work >= WORK_FOR_READ.saturating_mul(weighed.reads)
}

/// What an iteration does, weighed by the sequential loops around it.
struct Weighed<'c> {
    gathers: &'c BTreeMap<AccessId, Gather>,
    weight: u64,
    reads: u64,
    work: u64,
}

impl Visit for Weighed<'_> {
    fn expr(&mut self, e: &Expr) {
        let before = self.weight;
        match &e.kind {
            ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) => {
                self.weight = self.weight.saturating_mul(ROUNDS);
            }
            ExprKind::Field(access) if self.gathers.contains_key(&access.id) => {
                self.reads = self.reads.saturating_add(self.weight);
            }
            ExprKind::Binary(..) | ExprKind::AssignOp(..) | ExprKind::Unary(..) => {
                self.work = self.work.saturating_add(self.weight);
            }
            ExprKind::Method { .. } | ExprKind::Call { .. } => {
                self.work = self.work.saturating_add(self.weight.saturating_mul(CALL));
            }
            _ => {}
        }
        walk_expr(self, e);
        self.weight = before;
    }
}

/// What may be behind a read in its region, and meets the value of another element.
struct Behind {
    /// Of all loops from number to number together.
    rounds: u64,
    /// Whether there are panics of rustc's own, which a hook would be told of.
    panics: bool,
    /// What sequential loops count.
    counted: HashSet<LocalId>,
}

impl Default for Behind {
    fn default() -> Self {
        Behind {
            rounds: 1,
            panics: false,
            counted: HashSet::new(),
        }
    }
}

impl Behind {
    /// Whether an index or a bound is told by the text and what loops count.
    fn is_told(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) => true,
            ExprKind::Local(id, _) => self.counted.contains(id),
            _ => false,
        }
    }
}

impl Visit for Behind {
    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(_, pat, range, _) => {
                pat.bound(&mut |local| _ = self.counted.insert(local));
                if is_short(range) {
                    let rounds = range
                        .literals()
                        .map_or(1, |[start, end]| end.saturating_sub(start).max(1));
                    self.rounds = self.rounds.saturating_mul(rounds.unsigned_abs());
                }
            }
            ExprKind::Index(_, index) => self.panics |= !self.is_told(index),
            ExprKind::Method { name, args, .. } if name == "clamp" => {
                self.panics |= !args.iter().all(|arg| self.is_told(arg));
            }
            ExprKind::Call { path, .. } => {
                self.panics |= path.path.segments.last().is_some_and(|last| last.ident == "clamp");
            }
            _ => {}
        }
        walk_expr(self, e);
    }
}

/// Accesses in sequential loops.
struct Looped<'f> {
    func: &'f Func,
    inner: bool,
    reads: HashSet<AccessId>,
    /// Those that are compared in front of one.
    windowed: HashSet<AccessId>,
}

impl Visit for Looped<'_> {
    fn expr(&mut self, e: &Expr) {
        let before = self.inner;
        match &e.kind {
            ExprKind::For(_, pat, range, body) => {
                self.inner = true;
                let windows = Windows::of(self.func, &self.windowed, pat, range, body);
                self.windowed
                    .extend(windows.into_iter().flat_map(|windows| windows.accesses));
            }
            ExprKind::While(..) | ExprKind::Loop(..) => self.inner = true,
            ExprKind::Field(access) if self.inner => _ = self.reads.insert(access.id),
            _ => {}
        }
        walk_expr(self, e);
        self.inner = before;
    }
}
