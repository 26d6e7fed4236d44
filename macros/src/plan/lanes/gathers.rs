//! Gathers in lanes: reads that are checked in place. One that is out of bounds takes the first element instead, so that there is nothing to branch to, and a flag tells
//! behind the region that the block has to run again one by one.

use std::collections::{BTreeMap, HashMap, HashSet};

use swathe_ir::{BinOp, MOST_ROUNDS, UnOp};

use super::super::setting::overflow_checked;
use super::super::windows::Windows;
use super::part::Cut;
use super::search::{Gather, is_short};
use super::why::{CHECKED, GATHERED_BESIDE, GATHERED_FOR, Why};
use crate::budget::{CALL, ROUNDS, WORK_FOR_READ};
use crate::hir::affine::literal;
use crate::hir::visit::{Visit, any_in, walk_expr, walk_stmt};
use crate::hir::{AccessId, Block, Expr, ExprKind, Func, LocalId, ParFor, Pat, Stmt};

/// Why a body stays out of lanes for its reads.
pub fn refused(func: &Func, p: &ParFor, body: &Cut<'_>, has_loops: bool) -> Option<Why> {
    let first = body.gathers.values().next()?;
    // What is in `unsafe` is said of what an iteration comes to, which is not what follows from another element's value. Sums have the same order in all
    // builds, also in those that cannot unwind.
    let other = |e: &Expr| matches!(e.kind, ExprKind::Atomic(..) | ExprKind::Block { unsafety: true, .. });
    if !has_loops {
        return Some(Why::new(first.at, CHECKED));
    }
    let behind = Behind::of(func, &p.body);
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

/// How many rounds loops from number to number have together, which an iteration makes before its region ends.
pub fn rounds(func: &Func, body: &Block) -> u64 {
    Behind::of(func, body).rounds
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
#[derive(Default)]
struct Behind {
    /// Of all loops from number to number together.
    rounds: u64,
    /// Whether there are panics of rustc's own that no iteration may come to, and which a hook would be told of.
    panics: bool,
    /// What sequential loops count, and from where to where.
    counted: HashMap<LocalId, Option<[i64; 2]>>,
    /// Lengths of arrays, and of the arrays in them.
    lengths: HashMap<LocalId, Vec<u64>>,
    /// Whether data tells that an iteration comes here.
    conditional: bool,
}

impl Behind {
    fn of(func: &Func, body: &Block) -> Behind {
        let leaves = |e: &Expr| {
            matches!(
                e.kind,
                ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_)
            )
        };
        let mut behind = Behind {
            rounds: 1,
            conditional: any_in(body, leaves),
            ..Behind::default()
        };
        func.body.stmts.iter().for_each(|stmt| behind.declared(stmt));
        behind.block(body);
        behind
    }

    fn declared(&mut self, stmt: &Stmt) {
        if let Stmt::Let {
            pat: Pat::Bind { local, .. },
            init: Some(init),
            ..
        } = stmt
        {
            self.lengths.insert(*local, lengths(init));
        }
    }

    /// Whether all iterations meet the same index, in bounds or not, or one that is in bounds.
    fn is_told(&self, base: &Expr, index: &Expr) -> bool {
        let most = match &index.kind {
            ExprKind::Lit(..) => literal(index),
            ExprKind::Local(id, _) => match self.counted.get(id) {
                Some(ends) => ends.filter(|[start, _]| *start >= 0).map(|[_, end]| end - 1),
                None => return false,
            },
            _ => return false,
        };
        !self.conditional || most.zip(self.length(base)).is_some_and(|(most, length)| most < length)
    }

    fn length(&self, array: &Expr) -> Option<i64> {
        let (mut array, mut depth) = (array, 0);
        while let ExprKind::Index(base, _) = &array.kind {
            (array, depth) = (base, depth + 1);
        }
        let ExprKind::Local(id, _) = &array.kind else {
            return None;
        };
        i64::try_from(*self.lengths.get(id)?.get(depth)?).ok()
    }

    /// What stands in a part that some iterations do not come to.
    fn behind(&mut self, visit: impl FnOnce(&mut Behind)) {
        let before = std::mem::replace(&mut self.conditional, true);
        visit(self);
        self.conditional = before;
    }
}

/// Of an array that is written item by item.
fn lengths(e: &Expr) -> Vec<u64> {
    let (item, length) = match &e.kind {
        ExprKind::Array(items, _) => (items.first(), u64::try_from(items.len()).ok()),
        ExprKind::Repeat(item, length, _) => match &**length {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(length),
                ..
            }) => (Some(&**item), length.base10_parse().ok()),
            _ => return Vec::new(),
        },
        _ => return Vec::new(),
    };
    length.into_iter().chain(item.into_iter().flat_map(lengths)).collect()
}

impl Visit for Behind {
    fn stmt(&mut self, stmt: &Stmt) {
        walk_stmt(self, stmt);
        self.declared(stmt);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::For(_, pat, range, _) => {
                pat.bound(&mut |local| _ = self.counted.insert(local, range.literals()));
                if is_short(range) {
                    let rounds = range
                        .literals()
                        .map_or(1, |[start, end]| end.saturating_sub(start).max(1));
                    self.rounds = self.rounds.saturating_mul(rounds.unsigned_abs());
                }
            }
            ExprKind::Index(base, index) => self.panics |= !self.is_told(base, index),
            // Of limits in the wrong order.
            ExprKind::Method { name, args, .. } if name == "clamp" => {
                let limits: Vec<f64> = args.iter().filter_map(number).collect();
                self.panics |= !matches!(limits[..], [low, high] if low <= high);
            }
            ExprKind::Call { path, .. } => {
                self.panics |= path.path.segments.last().is_some_and(|last| last.ident == "clamp");
            }
            _ => {}
        }
        match &e.kind {
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.behind(|b| {
                    b.block(then);
                    otherwise.iter().for_each(|e| b.expr(e));
                });
            }
            ExprKind::Binary(BinOp::And | BinOp::Or, _, a, b, _) => {
                self.expr(a);
                self.behind(|behind| behind.expr(b));
            }
            ExprKind::Match(..) | ExprKind::While(..) | ExprKind::Loop(..) => self.behind(|b| walk_expr(b, e)),
            _ => walk_expr(self, e),
        }
    }
}

/// The number that a literal is.
fn number(e: &Expr) -> Option<f64> {
    match &e.kind {
        ExprKind::Lit(syn::Lit::Int(n), _) => n.base10_parse().ok(),
        ExprKind::Lit(syn::Lit::Float(x), _) => x.base10_parse().ok(),
        ExprKind::Unary(UnOp::Neg, a, _) => number(a).map(|x| -x),
        _ => None,
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
