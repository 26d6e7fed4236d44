//! How each parallel loop runs on the CPU: decided once, as data. Nothing in this folder names a token; `emit` prints what stands here.

pub mod accumulators;
mod apart;
mod captures;
mod cost;
pub mod describe;
pub mod eager;
pub mod given;
pub mod inspect;
pub mod lanes;
pub mod lent;
pub mod looked;
mod reduction;
pub mod rows;
pub mod scatter;
pub mod setting;
pub mod stage;
pub mod tables;
pub mod widest;
pub mod windows;

use std::collections::{BTreeSet, HashSet};

use self::accumulators::Accumulators;
use self::apart::Apart;
use self::eager::Eager;
use self::inspect::Inspection;
use self::lanes::{Lanes, Pays, Why};
use self::looked::Looked;
use self::rows::Bounds;
use self::scatter::Atomics;
use self::setting::plain;
use self::stage::Stages;
use self::tables::Tables;
use self::widest::Widest;
use crate::hir::types::rank;
use crate::hir::visit::any_in;
use crate::hir::{
    AccessId, AccessInfo, BinOp, Block, Check, Cover, Domain, Expr, ExprKind, Func, Inside, LocalId, ParFor, Param,
};

/// How one parallel loop runs: one copy of it, and the one that runs where what is compared in front of it does not hold.
pub struct LoopPlan<'h> {
    /// What is compared in front of the loop, where that is needed.
    pub covers: Vec<&'h Cover>,
    /// The copy for the case that it does not hold: it is about to fail, and runs one by one.
    pub uncovered: Option<Box<LoopPlan<'h>>>,
    /// What is compared, too, and may well not hold in a loop that does not fail.
    pub conditional: Vec<&'h Cover>,
    /// The copy for the case that `conditional` does not hold: sums have the same order. Where nothing unwinds, `uncovered` runs.
    pub unmet: Option<Box<LoopPlan<'h>>>,
    /// Which hoisted checks are known to hold.
    pub covered: Covered,
    /// Tables whose entries are looked at in front of the loop, which is there with these checks and without.
    pub tables: Option<Tables>,
    pub atomics: Atomics,
    /// Fields that are changed atomically in inner loops, or from lanes: the loop is there for one thread and for several.
    pub alone: BTreeSet<LocalId>,
    /// How several threads run it that change these fields themselves, if not as one does.
    pub together: Option<Box<LoopPlan<'h>>>,
    pub positions: Positions,
    /// In the order in which they take iterations; the last one takes the rest.
    pub forms: Vec<Form<'h>>,
    /// Whether products and sums stay apart.
    pub strict: bool,
    /// Whether the loop is there for several instruction sets.
    pub versions: bool,
    pub widest: Widest,
    /// Simple operations of an iteration, where the text tells.
    pub cost: Option<u32>,
    /// Why sequential loops in it do not run in lanes.
    pub not_in_lanes: Option<Why>,
    /// Rows are cut into strips, so that lines of the cache are used by rows along this axis.
    pub strips: Option<usize>,
    /// Variables that its closure copies.
    pub captured: BTreeSet<LocalId>,
    /// Fields that LLVM is told of.
    pub apart: Apart,
    /// Reductions whose parts add up what the user's text subtracts.
    pub subtracted: HashSet<LocalId>,
    /// Sequential loops that accumulate into parts of reductions.
    pub accumulators: Accumulators,
    /// Reads behind conditions that iterations begin with.
    pub eager: Vec<Eager>,
    /// The inside of rows, or of the loop where it has one axis.
    pub inside: Option<(&'h Inside, Box<LoopPlan<'h>>)>,
    /// The same without what functions give, for rows of which these leave little.
    pub otherwise: Option<(&'h Inside, Box<LoopPlan<'h>>)>,
}

/// Which hoisted checks are known to hold: they were compared in front of the loop, or there are none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Covered {
    Nothing,
    /// Those that need nothing of [`ParFor::conditional`].
    Certain,
    All,
}

impl Covered {
    /// Whether an access needs no check.
    pub fn in_bounds(self, access: &AccessInfo) -> bool {
        match (access.check, self) {
            (Check::Proven, _) | (Check::Hoisted, Covered::All) => true,
            (Check::Hoisted, Covered::Certain) => !access.conditional,
            (Check::Hoisted, Covered::Nothing) | (Check::InKernel | Check::Unchecked, _) => false,
        }
    }
}

/// How the positions of iterations are found.
pub enum Positions {
    /// From an iteration's number.
    Flat,
    /// Along rows of the last axis, each cut by these bounds. `whole`: one variable holds all axes.
    Rows { whole: bool, bounds: Bounds },
}

/// One way to run iterations.
pub enum Form<'h> {
    /// As many at once as a register has lanes.
    Lanes(Box<Lanes<'h>>),
    /// In blocks whose indices are looked at in advance.
    Inspected(Inspection<'h>),
    /// Each after a look at its own indices, adding to copies in turns.
    Scattered(Inspection<'h>),
    /// In blocks of own elements.
    Staged(Stages<'h>),
    /// In blocks that are passed over where nothing in them is taken.
    Looked(Looked<'h>),
    /// One after the other.
    Single,
}

/// The plans of all parallel loops of a kernel, by their numbers.
pub fn of_kernel(func: &Func) -> Vec<LoopPlan<'_>> {
    func.loops().map(|p| LoopPlan::of(func, p)).collect()
}

impl<'h> LoopPlan<'h> {
    /// The plan of a loop. Which form excludes which is decided here, and nowhere else.
    pub fn of(func: &'h Func, p: &'h ParFor) -> LoopPlan<'h> {
        let mut plan = LoopPlan::covered(func, p);
        // Hints may not hold, either, where nothing fails.
        let hints = p.likely.iter().filter(|_| !plain());
        let compared = !p.hoisted.is_empty() || !p.conditional.is_empty();
        let (certain, conditional) = match p.reductions.is_empty() {
            true => (p.hoisted.iter().chain(hints).collect(), Vec::new()),
            false => (p.hoisted.iter().collect(), p.conditional.iter().chain(hints).collect()),
        };
        if !compared {
            return plan;
        }
        let (atomics, subtracted) = (plan.atomics.clone(), plan.subtracted.clone());
        let mut uncovered = LoopPlan::one_by_one(func, p, atomics, subtracted);
        (uncovered.covered, uncovered.strict) = (Covered::Nothing, true);
        plan.uncovered = Some(Box::new(uncovered));
        plan.covers = certain;
        if !conditional.is_empty() {
            let mut unmet = LoopPlan::covered(func, p);
            unmet.weaken(func);
            unmet.covers.clone_from(&plan.covers);
            // Of what is not contracted all instruction sets give the same.
            unmet.versions &= may_contract(&p.body);
            plan.unmet = Some(Box::new(unmet));
            plan.conditional = conditional;
        }
        plan
    }

    /// The same of one that knows of fewer hoisted checks. The order in which it sums stays where lanes do.
    fn weaken(&mut self, func: &'h Func) {
        (self.covered, self.tables) = (Covered::Certain, None);
        let in_bounds = |e: &Expr| {
            let place = e.field_place();
            place.is_some_and(|place| Covered::Certain.in_bounds(func.access(place.access.id)))
        };
        self.eager.retain(|eager| in_bounds(&eager.read));
        for form in &mut self.forms {
            match form {
                // Whether a place is there is asked in front of a block, in which no iteration may come to it: an index that might have no value is not
                // computed there. A loop with such an access has no lanes anyhow, as long as that is checked in place.
                Form::Lanes(lanes) => {
                    let asked = |e: &Expr| in_bounds(e) || lanes::has_an_index(e);
                    if !lanes.restart.iter().flat_map(|restart| &restart.places).all(asked) {
                        *form = Form::Single;
                    }
                }
                // Nor is one looked at.
                Form::Inspected(_) | Form::Scattered(_) => *form = Form::Single,
                Form::Staged(_) | Form::Looked(_) | Form::Single => {}
            }
        }
        self.forms
            .dedup_by(|a, b| matches!((a, b), (Form::Single, Form::Single)));
        let insides = self
            .inside
            .iter_mut()
            .chain(&mut self.otherwise)
            .map(|(_, within)| within);
        insides.chain(&mut self.together).for_each(|plan| plan.weaken(func));
    }

    /// The same where what is compared in front of the loop holds.
    fn covered(func: &'h Func, p: &'h ParFor) -> LoopPlan<'h> {
        let (atomics, subtracted) = (Atomics::of(&p.body), reduction::only_subtracted(p));
        let mut plan = LoopPlan::one_by_one(func, p, atomics, subtracted);
        plan.versions = !plain();
        plan.tables = Tables::of(func, p);
        if !plain() {
            plan.alone.clone_from(&plan.atomics.looped);
        }
        plan.strips = plan.strips(p);
        plan.cascade(func, p);
        plan.split(func, p);
        plan.added_from_lanes(func, p);
        plan
    }

    /// What reduces keeps its order, and what prints its own. Private copies are claimed for each range of iterations.
    fn strips(&self, p: &ParFor) -> Option<usize> {
        let prints = any_in(&p.body, |e| matches!(e.kind, ExprKind::Print { .. }));
        let ordered = p.reduces() || !self.atomics.fields.is_empty() || prints;
        p.across.filter(|_| !plain() && !ordered)
    }

    /// Takes the inside of rows apart, where the loop is not in lanes or adds in turns as a whole. The rims then need no blocks.
    fn split(&mut self, func: &'h Func, p: &'h ParFor) {
        let Some(inside) = &p.inside else { return };
        // In lanes checks cost more than rims.
        let lanes = self
            .forms
            .iter()
            .any(|form| matches!(form, Form::Lanes(lanes) if !self.adds(lanes) && !lanes.gathers()));
        let whole = matches!(self.positions, Positions::Rows { whole: true, .. });
        if plain() || lanes || whole || self.in_turns() || self.tables.is_some() || !self.alone.is_empty() {
            return;
        }
        let within = self.within(func, inside);
        if let Some(other) = inside.otherwise.as_deref() {
            let other = (other, Box::new(self.within(func, other)));
            // Blocks have one place for all of a loop.
            let staged = |plan: &LoopPlan| plan.forms.iter().any(|form| matches!(form, Form::Staged(_)));
            self.otherwise = Some(other).filter(|(_, other)| !staged(&within) && !staged(other));
        }
        self.forms
            .retain(|form| !matches!(form, Form::Staged(_) | Form::Lanes(_) | Form::Looked(_) | Form::Single));
        self.forms.push(Form::Single);
        self.inside = Some((inside, Box::new(within)));
    }

    /// The plan of an inside. It shares private copies with the rims.
    fn within(&self, func: &'h Func, inside: &'h Inside) -> LoopPlan<'h> {
        let (atomics, subtracted) = (self.atomics.clone(), self.subtracted.clone());
        let mut plan = LoopPlan::one_by_one(func, &inside.body, atomics, subtracted);
        if let Positions::Rows { bounds, .. } = &mut plan.positions {
            *bounds = Bounds::default();
        }
        plan.versions = self.versions;
        plan.cascade(func, &inside.body);
        plan
    }

    /// Whether such lanes are there because of what they add to fields.
    fn adds(&self, lanes: &Lanes<'_>) -> bool {
        lanes.straight && lanes.reductions.is_empty() && !self.atomics.fields.is_empty()
    }

    /// Where lanes add to fields, that is plain for a thread of its own or with copies. Others add atomically, one by one; in lanes, too, where there are
    /// reductions, which then have the same bits.
    fn added_from_lanes(&mut self, func: &'h Func, p: &'h ParFor) {
        let lanes = self.all_forms().any(|form| matches!(form, Form::Lanes(_)));
        if !lanes || self.atomics.fields.is_empty() {
            return;
        }
        self.alone = self.atomics.fields.keys().copied().collect();
        if !p.reductions.is_empty() {
            return;
        }
        let (atomics, subtracted) = (self.atomics.clone(), self.subtracted.clone());
        let mut together = LoopPlan::one_by_one(func, p, atomics, subtracted);
        together.versions = self.versions;
        self.together = Some(Box::new(together));
    }

    /// In lanes what is in lanes, and the rest in blocks or one by one. What is not in lanes may have indices that are looked at, and is not staged then.
    fn cascade(&mut self, func: &'h Func, p: &'h ParFor) {
        self.forms.clear();
        let whole = matches!(self.positions, Positions::Rows { whole: true, .. });
        let in_rows = matches!(self.positions, Positions::Rows { .. });
        let stages = || (!whole).then(|| Stages::of(func, p, in_rows)).flatten();
        let inspection = match Lanes::of(func, p, &self.atomics, &self.accumulators) {
            Ok(lanes) => {
                if matches!(lanes.pays, Pays::Always) {
                    self.accumulators.clear();
                }
                self.forms.push(Form::Lanes(Box::new(lanes)));
                None
            }
            Err(why) => {
                let told = matches!(self.widest, Widest::Any) || !p.arg_reductions.is_empty();
                self.not_in_lanes = why.filter(|_| told);
                Inspection::of(func, p)
            }
        };
        match inspection {
            Some(inspection) => self.forms.push(match self.atomics.in_turns(func, p) {
                true => Form::Scattered(inspection),
                false => Form::Inspected(inspection),
            }),
            None => {
                if let Some(looked) = Looked::of(func, p) {
                    self.forms.push(Form::Looked(looked));
                    self.not_in_lanes = None;
                }
                self.forms.extend(stages().map(Form::Staged));
            }
        }
        // What is looked at in blocks is read there.
        if self.seen().is_empty() {
            self.eager = eager::of(func, p);
        }
        // Blocks take the rest themselves, iterations in front of them and behind.
        if !matches!(self.forms.last(), Some(Form::Staged(_) | Form::Looked(_))) {
            self.forms.push(Form::Single);
        }
    }

    /// A loop that one thread runs in order.
    pub fn in_order(func: &'h Func, p: &'h ParFor) -> LoopPlan<'h> {
        let mut atomics = Atomics::of(&p.body);
        // No copies.
        atomics
            .fields
            .values_mut()
            .for_each(|changes| changes.only_added = false);
        LoopPlan {
            covered: Covered::Nothing,
            accumulators: Accumulators::new(),
            ..LoopPlan::one_by_one(func, p, atomics, reduction::only_subtracted(p))
        }
    }

    fn one_by_one(func: &'h Func, p: &'h ParFor, atomics: Atomics, subtracted: HashSet<LocalId>) -> LoopPlan<'h> {
        LoopPlan {
            covers: Vec::new(),
            uncovered: None,
            conditional: Vec::new(),
            unmet: None,
            covered: Covered::All,
            tables: None,
            alone: BTreeSet::new(),
            together: None,
            positions: Positions::of(func, p),
            forms: vec![Form::Single],
            strict: false,
            versions: false,
            widest: Widest::of(p),
            cost: cost::cost(&p.body),
            not_in_lanes: None,
            strips: None,
            captured: captures::captured(func, p, &atomics),
            apart: Apart::of(func, p),
            accumulators: accumulators::of(func, p, &subtracted),
            subtracted,
            eager: Vec::new(),
            inside: None,
            otherwise: None,
            atomics,
        }
    }

    /// Its forms, and those of the inside.
    pub fn all_forms(&self) -> impl Iterator<Item = &Form<'h>> {
        let insides = self.inside.iter().chain(&self.otherwise);
        let within = insides.flat_map(|(_, within)| &within.forms);
        self.forms.iter().chain(within)
    }

    /// Rounds that an iteration makes at most behind a gather in lanes, but for those of functions, if there is one.
    pub fn rounds_behind_gathers(&self) -> Option<u64> {
        let rounds = self.all_forms().filter_map(|form| match form {
            Form::Lanes(lanes) => lanes.rounds,
            _ => None,
        });
        rounds.max()
    }

    /// The reductions into parts of which its sequential loops accumulate, and those of the inside.
    pub fn accumulated(&self) -> BTreeSet<LocalId> {
        let insides = self.inside.iter().chain(&self.otherwise);
        let within = insides.flat_map(|(_, within)| within.accumulators.values());
        let all = self.accumulators.values().chain(within);
        all.flat_map(|accumulated| &accumulated.reductions).copied().collect()
    }

    /// Accesses of which an index is looked at in front of the loop, or of a block, or that are gathers in lanes.
    fn seen(&self) -> HashSet<AccessId> {
        let tables = self.tables.iter().flat_map(|tables| &tables.accesses).copied();
        let mut seen: HashSet<AccessId> = tables.collect();
        for form in &self.forms {
            match form {
                Form::Inspected(inspection) | Form::Scattered(inspection) => seen.extend(inspection.accesses()),
                Form::Lanes(lanes) => seen.extend(lanes.body.gathers.keys()),
                Form::Staged(_) | Form::Looked(_) | Form::Single => {}
            }
        }
        seen
    }

    /// Whether iterations add to several copies in turns.
    pub fn in_turns(&self) -> bool {
        self.forms.iter().any(|form| matches!(form, Form::Scattered(_)))
    }
}

impl Positions {
    fn of(func: &Func, p: &ParFor) -> Positions {
        let whole = p.vars.len() == 1 && p.offsets.is_empty() && has_axes(func, &p.domain);
        match whole || in_rows(p) {
            true => Positions::Rows {
                whole,
                bounds: rows::bounds(func, p),
            },
            false => Positions::Flat,
        }
    }
}

/// Whether anything in a loop may be compiled to other arithmetic for some instruction sets.
fn may_contract(body: &Block) -> bool {
    any_in(body, |e| match &e.kind {
        ExprKind::Binary(op, ..) | ExprKind::AssignOp(op, ..) => matches!(op, BinOp::Mul | BinOp::Div),
        ExprKind::Method { .. } | ExprKind::Call { .. } => true,
        _ => false,
    })
}

/// Whether the text tells that a domain has several axes.
fn has_axes(func: &Func, domain: &Domain) -> bool {
    match domain {
        Domain::Range(_) => false,
        Domain::NdRange(extents) => extents.len() > 1,
        Domain::Indices(field, _) => {
            let mut params = func.params.iter();
            let several = |param: &Param| !param.is_offset() && rank(&param.ty).is_some_and(|rank| rank > 1);
            params.any(|param| param.local == *field && several(param))
        }
    }
}

/// Whether the positions on all axes have names.
fn in_rows(p: &ParFor) -> bool {
    match &p.domain {
        Domain::Range(_) => false,
        Domain::NdRange(extents) => extents.len() == p.vars.len(),
        Domain::Indices(..) => p.vars.len() > 1,
    }
}
