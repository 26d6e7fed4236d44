//! What bodies are cut into.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::Span;

use super::branch::{Branch, Fork};
use super::call::{Call, Choice};
use super::search::Gather;
use super::why::Why;
use crate::hir::visit::Visit;
use crate::hir::{AccessId, Expr, LabelId, LocalId, Pat, Range, Stmt};

/// What a `return` leaves.
pub const RETURN: LabelId = LabelId(u32::MAX);

pub enum Item<'h> {
    Stmt(&'h Stmt),
    Expr(&'h Expr),
    /// Declares a variable of ours.
    Let(LocalId, &'h Expr),
    /// Gives a value to one.
    Set(LocalId, &'h Expr),
    /// What is there for its types alone: that of a variable of ours, if one is given the value beside it.
    Unreached(&'h Expr, Option<LocalId>),
    /// A lane for which it is false waits with this bit. The last item of a region.
    Condition(&'h Expr, u32),
}

pub enum Part<'h> {
    Region(Region<'h>),
    /// A variable with one value for all lanes.
    Uniform(&'h Stmt),
    Scope(Vec<Part<'h>>),
    Loop(Loop<'h>),
    Branch(Branch<'h>),
    Fork(Fork<'h>),
    Call(Call<'h>),
    Choice(Choice<'h>),
}

/// Straight code, run for each lane.
#[derive(Default)]
pub struct Region<'h> {
    /// A lane for which it is false leaves the loop.
    pub condition: Option<(&'h Expr, LabelId)>,
    pub items: Vec<Item<'h>>,
    /// The loop of which a round ends here.
    pub round: Option<LabelId>,
    /// Whether it adds to fields, and nothing else belongs in it: LLVM would not see in one loop that elements are apart.
    pub adds: bool,
    /// The variable of what all lanes add to one place.
    pub together: Option<LocalId>,
}

impl Region<'_> {
    /// Visits what it evaluates.
    pub fn visit(&self, visit: &mut dyn Visit) {
        self.condition.iter().for_each(|(condition, _)| visit.expr(condition));
        for item in &self.items {
            match item {
                Item::Stmt(stmt) => visit.stmt(stmt),
                Item::Expr(e) | Item::Let(_, e) | Item::Set(_, e) | Item::Condition(e, _) => visit.expr(e),
                Item::Unreached(..) => {}
            }
        }
    }
}

pub struct Loop<'h> {
    pub label: LabelId,
    /// The range has the same bounds in all lanes; without one, lanes leave by themselves.
    pub range: Option<(&'h Pat, &'h Range)>,
    pub parts: Vec<Part<'h>>,
    /// Targets of the `break` and `continue` in it, its own condition among them.
    pub exits: HashSet<LabelId>,
    /// Whether perhaps no lane comes to it, for which all of its rounds would be run.
    pub unreached: bool,
}

impl Loop<'_> {
    /// Whether lanes leave it, or its rounds, one by one.
    pub fn is_masked(&self) -> bool {
        self.range.is_none() || !self.exits.is_empty()
    }
}

/// A body, cut.
pub struct Cut<'h> {
    pub parts: Vec<Part<'h>>,
    /// Lanes' exits are bits: that of a loop says that the lane left it, the next one that it waits for the next round.
    pub exits: HashMap<LabelId, u32>,
    /// Expressions whose values are in variables of ours.
    pub lifted: Lifted,
    /// The same, where regions are cut at calls.
    pub lifted_calls: Lifted,
    /// Variables of ours that regions give values to.
    pub assigned: BTreeSet<LocalId>,
    /// The variable of a function's result.
    pub result: Option<LocalId>,
    /// A function's parameters.
    pub params: Vec<LocalId>,
    /// Variables that are arrays by their text.
    pub arrays: BTreeSet<LocalId>,
    /// Those that are not copied for each lane.
    pub large: Vec<Large>,
    /// The first loop that LLVM writes out.
    pub short: Option<Why>,
    /// Reads that are checked in place.
    pub gathers: BTreeMap<AccessId, Gather>,
}

/// An array that is in lanes where all regions but the one that declares it use its items alone.
pub struct Large {
    pub local: LocalId,
    pub at: Span,
    /// Whether it is one, if its length is no literal, is for rustc to say.
    pub perhaps: bool,
}

pub type Lifted = HashMap<*const Expr, LocalId>;

impl<'h> Part<'h> {
    /// The parts in it.
    pub fn inner(&self, cut: bool) -> Vec<&[Part<'h>]> {
        match self {
            Part::Scope(parts) => vec![parts],
            Part::Loop(inner) => vec![&inner.parts],
            Part::Branch(branch) => vec![&branch.then, &branch.otherwise],
            Part::Fork(fork) => vec![&fork.then, &fork.otherwise],
            Part::Choice(choice) if cut => vec![&choice.cut],
            Part::Choice(_) | Part::Region(_) | Part::Uniform(_) | Part::Call(_) => Vec::new(),
        }
    }
}

pub fn push<'h>(item: Item<'h>, parts: &mut Vec<Part<'h>>) {
    match parts.last_mut() {
        Some(Part::Region(region)) if !region.adds => region.items.push(item),
        _ => parts.push(Part::Region(Region {
            items: vec![item],
            ..Region::default()
        })),
    }
}
