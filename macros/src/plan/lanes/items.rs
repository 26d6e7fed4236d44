//! Arrays of which a region uses items alone: those are taken from the array's plane and put there, where the array would be copied as a whole for
//! each lane. Items in planes lie next to one another as those of vectors do, so that one item of all lanes is a vector.

use std::collections::BTreeSet;

use super::part::{Item, Region};
use super::uses::{Form, declared, each};
use crate::hir::visit::{Visit, walk_expr};
use crate::hir::{Expr, ExprKind, Func, LocalId};
use crate::order;

impl Form {
    /// The arrays of which a region uses items alone.
    pub fn by_item(&self, func: &Func, region: &Region<'_>) -> BTreeSet<LocalId> {
        let mut items = Items {
            form: self,
            func,
            found: BTreeSet::new(),
            whole: declared(region).into_iter().collect(),
        };
        let own = self.own(region);
        each(region, |e| match own.contains(&std::ptr::from_ref(e)) {
            true => items.within(e),
            false => items.expr(e),
        });
        for item in &region.items {
            match item {
                Item::Set(into, _) => _ = items.whole.insert(*into),
                Item::Unreached(e, _) => items.expr(e),
                _ => {}
            }
        }
        &items.found - &items.whole
    }
}

struct Items<'f> {
    form: &'f Form,
    func: &'f Func,
    found: BTreeSet<LocalId>,
    /// Those that are used otherwise.
    whole: BTreeSet<LocalId>,
}

impl Items<'_> {
    /// A place that is changed, or may be, while `others` are evaluated.
    fn changed(&mut self, place: &Expr, others: &[&Expr]) {
        let Some(item) = root_item(place) else {
            // The place itself is no value; what stands in it is.
            return self.expr(place);
        };
        let mut inner = Vec::new();
        indices_behind(place, item, &mut inner);
        let array = item.root_local().expect("an item of a variable");
        let stays = order::stays(self.func, item, others.iter().copied().chain(inner));
        if !self.func.local(array).mutable || !stays {
            self.whole.insert(array);
        }
        self.expr(place);
    }
}

impl Items<'_> {
    fn within(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Local(id, _) => _ = self.whole.insert(*id),
            ExprKind::Index(base, index) if let ExprKind::Local(id, _) = &base.kind => {
                match self.form.arrays.contains(id) {
                    true => self.found.insert(*id),
                    false => self.whole.insert(*id),
                };
                self.expr(index);
            }
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.changed(place, &[]);
            }
            ExprKind::AssignOp(_, _, place, value, _) => {
                if !order::commutes(self.func, place, value) {
                    self.whole.extend(place.root_local());
                }
                self.expr(value);
                self.changed(place, &[value]);
            }
            ExprKind::Method { receiver, args, .. } => {
                args.iter().for_each(|arg| self.expr(arg));
                match receiver.root_local() {
                    Some(id) if self.func.local(id).mutable => self.changed(receiver, &args.iter().collect::<Vec<_>>()),
                    _ => self.expr(receiver),
                }
            }
            ExprKind::Ref { place, .. } => {
                self.whole.extend(place.root_local());
                self.expr(place);
            }
            _ => walk_expr(self, e),
        }
    }
}

impl Visit for Items<'_> {
    fn expr(&mut self, e: &Expr) {
        if !self.form.lifted.contains_key(&std::ptr::from_ref(e)) {
            self.within(e);
        }
    }

    fn unreached(&mut self, e: &Expr) {
        self.expr(e);
    }
}

/// The item of a variable that a place is, or is in.
pub fn root_item(place: &Expr) -> Option<&Expr> {
    match &place.kind {
        ExprKind::Index(base, _) if matches!(base.kind, ExprKind::Local(..)) => Some(place),
        ExprKind::Index(base, _) | ExprKind::Member(base, _) => root_item(base),
        _ => None,
    }
}

/// The indices of a place that stand behind an item that it is in.
fn indices_behind<'e>(place: &'e Expr, item: &Expr, found: &mut Vec<&'e Expr>) {
    if std::ptr::eq(place, item) {
        return;
    }
    match &place.kind {
        ExprKind::Index(base, index) => {
            found.push(index);
            indices_behind(base, item, found);
        }
        ExprKind::Member(base, _) => indices_behind(base, item, found),
        _ => {}
    }
}
