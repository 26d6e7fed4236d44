//! Which variables live from one region to another.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::part::{Cut, Item, Lifted, Part, Region};
use super::search::Exits;
use crate::hir::bindings;
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, LabelId, LocalId, Stmt};

/// One of the two forms of a body: with regions that have calls as a whole, or cut.
pub struct Form {
    pub cut: bool,
    pub lifted: Lifted,
    result: Option<LocalId>,
    /// Variables with a value for each lane, that outlive a region.
    pub planes: BTreeSet<LocalId>,
    /// Variables that are arrays by their text.
    pub arrays: BTreeSet<LocalId>,
}

impl Form {
    pub fn of(body: &Cut<'_>, cut: bool) -> Form {
        let lifted = if cut { &body.lifted_calls } else { &body.lifted };
        let mut form = Form {
            cut,
            lifted: lifted.clone(),
            result: body.result,
            planes: BTreeSet::new(),
            arrays: body.arrays.clone(),
        };
        let mut uses = BTreeMap::new();
        form.count(&body.parts, &mut uses);
        form.collect(&body.parts, &uses);
        form.planes.extend(&body.params);
        form.planes.extend(body.result);
        form
    }

    /// Variables that a region uses.
    pub fn uses(&self, region: &Region<'_>) -> BTreeSet<LocalId> {
        let mut used = Used {
            form: self,
            found: BTreeSet::new(),
        };
        let own = self.own(region);
        each(region, |e| match own.contains(&std::ptr::from_ref(e)) {
            true => used.whole(e),
            false => used.expr(e),
        });
        for item in &region.items {
            match item {
                Item::Set(into, _) => _ = used.found.insert(*into),
                Item::Unreached(e, into) => {
                    used.found.extend(*into);
                    used.expr(e);
                }
                _ => {}
            }
        }
        used.found
    }

    /// What variables of ours are in a region that declares them: that is not the variable.
    pub fn own(&self, region: &Region<'_>) -> BTreeSet<*const Expr> {
        own(region, &self.lifted)
    }

    /// In how many regions each variable is used.
    fn count(&self, parts: &[Part<'_>], uses: &mut BTreeMap<LocalId, usize>) {
        let mut note = |id| *uses.entry(id).or_insert(0) += 1;
        for part in parts {
            match part {
                Part::Region(region) => self.uses(region).into_iter().for_each(&mut note),
                Part::Choice(choice) if !self.cut => self.uses(&choice.whole).into_iter().for_each(&mut note),
                Part::Call(call) => call.args.iter().map(|arg| arg.value).for_each(&mut note),
                _ => {}
            }
        }
        for part in parts {
            part.inner(self.cut)
                .into_iter()
                .for_each(|parts| self.count(parts, uses));
        }
    }

    /// Variables that other regions use than the one that declares them.
    fn collect(&mut self, parts: &[Part<'_>], uses: &BTreeMap<LocalId, usize>) {
        for part in parts {
            match part {
                Part::Region(region) => self.region(region, uses),
                Part::Choice(choice) if !self.cut => self.region(&choice.whole, uses),
                Part::Call(call) => {
                    self.planes.insert(call.result);
                }
                _ => {}
            }
            for parts in part.inner(self.cut) {
                self.collect(parts, uses);
            }
        }
    }

    fn region(&mut self, region: &Region<'_>, uses: &BTreeMap<LocalId, usize>) {
        let here = self.uses(region);
        for id in declared(region) {
            let all = uses.get(&id).copied().unwrap_or(0);
            if all > usize::from(here.contains(&id)) {
                self.planes.insert(id);
            }
        }
        for item in &region.items {
            if let Item::Set(into, _) | Item::Unreached(_, Some(into)) = item {
                self.planes.insert(*into);
            }
        }
    }
}

struct Used<'f> {
    form: &'f Form,
    found: BTreeSet<LocalId>,
}

impl Used<'_> {
    fn whole(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id, _) => {
                self.found.insert(*id);
            }
            ExprKind::Return(_) => self.found.extend(self.form.result),
            _ => {}
        }
        walk_expr(self, e);
    }
}

impl Visit for Used<'_> {
    fn expr(&mut self, e: &Expr) {
        if let Some(id) = self.form.lifted.get(&std::ptr::from_ref(e)) {
            self.found.insert(*id);
            return;
        }
        self.whole(e);
    }

    fn unreached(&mut self, e: &Expr) {
        self.expr(e);
    }
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
            Item::Expr(e) | Item::Let(_, e) | Item::Set(_, e) | Item::Condition(e, _) => f(e),
            Item::Stmt(Stmt::ParFor(_)) | Item::Unreached(..) => {}
        }
    }
}

fn own(region: &Region<'_>, lifted: &Lifted) -> BTreeSet<*const Expr> {
    let own = |item: &Item<'_>| match item {
        Item::Let(id, e) => (lifted.get(&std::ptr::from_ref(*e)) == Some(id)).then_some(std::ptr::from_ref(*e)),
        _ => None,
    };
    region.items.iter().filter_map(own).collect()
}

/// Whether the code of a region leaves or continues a loop that is cut.
pub fn leaves(region: &Region<'_>, lifted: &Lifted, labels: &HashMap<LabelId, u32>) -> bool {
    let mut exits = Exits::default();
    let own = own(region, lifted);
    each(region, |e| {
        let e_at = std::ptr::from_ref(e);
        if own.contains(&e_at) || !lifted.contains_key(&e_at) {
            exits.expr(e);
        }
    });
    exits.0.iter().any(|label| labels.contains_key(label))
}

/// Variables that the region declares for what follows.
pub fn declared(region: &Region<'_>) -> Vec<LocalId> {
    let mut found = Vec::new();
    for item in &region.items {
        match item {
            Item::Stmt(Stmt::Let { pat, .. }) => found.extend(bindings(pat).map(|(local, _)| local)),
            Item::Let(local, _) => found.push(*local),
            _ => {}
        }
    }
    found
}
