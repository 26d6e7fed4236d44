//! Sequential loops that accumulate into reductions of the parallel loop around them. These have no order, so the rounds of such a loop take turns at
//! several parts of each: in one variable LLVM would keep the order of a sum of floats, and not vectorise.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use swathe_ir::BinOp;

use super::lanes::{is_short, is_written_out};
use super::setting::plain;
use super::windows::Windows;
use crate::budget::ACCUMULATED_PARTS;
use crate::hir::conditions::Conditions;
use crate::hir::visit::{Visit, any, any_in, is_loop, parts, walk_expr};
use crate::hir::{AccessId, Block, Check, Expr, ExprKind, Func, LabelId, LocalId, ParFor, Pat, Range};

/// The loops that take turns. The text alone tells them, so that sums have one order in all copies of a loop.
pub type Accumulators = HashMap<LabelId, Accumulated>;

/// How a sequential loop takes turns.
#[derive(Clone)]
pub struct Accumulated {
    /// The reductions into parts of which it accumulates.
    pub reductions: BTreeSet<LocalId>,
    /// Those of which each round begins a part of its own.
    pub own: BTreeSet<LocalId>,
    /// Accesses that copies of it may check. LLVM does not vectorise what a check may leave.
    pub checked: HashSet<AccessId>,
}

/// Those of a parallel loop. `subtracted`: reductions whose parts add up what the text subtracts.
pub fn of(func: &Func, p: &ParFor, subtracted: &HashSet<LocalId>) -> Accumulators {
    let mut loops = Loops {
        func,
        reductions: in_parts(p, subtracted),
        subtracted,
        known: HashSet::new(),
        found: HashMap::new(),
    };
    if !plain() && !loops.reductions.is_empty() {
        loops.block(&p.body);
    }
    loops.found
}

/// The accesses that are checked where they stand, in copies that do not know better.
pub fn checked(func: &Func, body: &Block) -> HashSet<AccessId> {
    struct Checked<'f> {
        func: &'f Func,
        found: HashSet<AccessId>,
    }
    impl Visit for Checked<'_> {
        fn expr(&mut self, e: &Expr) {
            let access = e.accessed().map(|access| access.id);
            self.found
                .extend(access.filter(|id| self.func.access(*id).check == Check::InKernel));
            walk_expr(self, e);
        }
    }
    let mut checked = Checked {
        func,
        found: HashSet::new(),
    };
    checked.block(body);
    checked.found
}

/// The reductions that are accumulated into behind conditions alone. Each iteration then begins a part of its own, which is added to the lane's
/// whatever it is: a store that waits for a condition is slow, and LLVM makes one of what stores the same again. `conditional`: all is.
pub fn behind_conditions(
    reductions: &BTreeSet<LocalId>,
    subtracted: &HashSet<LocalId>,
    conditional: bool,
    visit: impl FnOnce(&mut dyn Visit),
) -> BTreeSet<LocalId> {
    let mut places: BTreeMap<LocalId, bool> = BTreeMap::new();
    let mut walk = Conditions::new(conditional, |e, conditional| {
        if let Some(id) = changed(e).filter(|id| reductions.contains(id)) {
            *places.entry(id).or_insert(true) &=
                conditional && !waits(e) && (subtracted.contains(&id) || !subtracts(e));
        }
        true
    });
    visit(&mut walk);
    places.iter().filter(|(_, alone)| **alone).map(|(id, _)| *id).collect()
}

/// The reductions of which a part may begin anew at any place.
fn in_parts(p: &ParFor, subtracted: &HashSet<LocalId>) -> BTreeSet<LocalId> {
    let mut reductions: BTreeSet<LocalId> = p.reductions.iter().map(|r| r.local).collect();
    let mut others = HashSet::new();
    let mut walk = Conditions::new(false, |e, _| {
        others.extend(changed(e).filter(|id| waits(e) || subtracts(e) && !subtracted.contains(id)));
        true
    });
    walk.block(&p.body);
    reductions.retain(|id| !others.contains(id));
    reductions
}

/// The variable that an expression changes as a whole.
fn changed(e: &Expr) -> Option<LocalId> {
    let (ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..)) = &e.kind else {
        return None;
    };
    match &place.kind {
        ExprKind::Local(id, _) => Some(*id),
        _ => None,
    }
}

/// By `-=`: a part that begins with nothing might be below zero.
fn subtracts(e: &Expr) -> bool {
    matches!(e.kind, ExprKind::AssignOp(BinOp::Sub, ..))
}

/// By `&&` or `||`: what comes behind is evaluated where the variable does not decide.
fn waits(e: &Expr) -> bool {
    let logic = |e: &Expr| matches!(e.kind, ExprKind::Binary(BinOp::And | BinOp::Or, ..));
    matches!(&e.kind, ExprKind::Assign(_, value) if any(value, logic))
}

struct Loops<'f> {
    func: &'f Func,
    reductions: BTreeSet<LocalId>,
    subtracted: &'f HashSet<LocalId>,
    known: HashSet<AccessId>,
    found: Accumulators,
}

impl Loops<'_> {
    fn takes_turns(&self, id: LabelId, pat: &Pat, range: &Range, body: &Block) -> bool {
        let counts = !range.reverse && range.step.is_none() && !is_short(range);
        let named = matches!(pat, Pat::Bind { mutable: false, .. } | Pat::Wild(_));
        // What leaves the loop, or is for one round after the other, LLVM does not vectorise.
        let in_order = |e: &Expr| match &e.kind {
            ExprKind::Continue(label) => *label != id,
            ExprKind::Break(..)
            | ExprKind::Return(_)
            | ExprKind::Print { .. }
            | ExprKind::Fail { .. }
            | ExprKind::Atomic(..)
            | ExprKind::FieldArgument(..) => true,
            _ => is_loop(e) && !is_written_out(e),
        };
        counts
            && named
            && parts(body) <= ACCUMULATED_PARTS
            && !any_in(body, in_order)
            && checked(self.func, body).is_subset(&self.known)
    }
}

impl Visit for Loops<'_> {
    fn expr(&mut self, e: &Expr) {
        let ExprKind::For(id, pat, range, body) = &e.kind else {
            return walk_expr(self, e);
        };
        let before = self.known.clone();
        if let Some(windows) = Windows::of(self.func, &self.known, pat, range, body) {
            self.known.extend(windows.accesses);
        }
        if self.takes_turns(*id, pat, range, body) {
            let mut accumulated = BTreeSet::new();
            let mut walk = Conditions::new(false, |e, _| {
                accumulated.extend(changed(e).filter(|id| self.reductions.contains(id)));
                true
            });
            walk.block(body);
            if !accumulated.is_empty() {
                let own = behind_conditions(&accumulated, self.subtracted, false, |visit| visit.block(body));
                let found = Accumulated {
                    reductions: accumulated,
                    own,
                    checked: checked(self.func, body),
                };
                self.found.insert(*id, found);
            }
        }
        walk_expr(self, e);
        self.known = before;
    }
}
