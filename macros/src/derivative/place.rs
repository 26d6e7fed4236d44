//! HIR to a body in single assignment: places of fields, and parts of variables.

use proc_macro2::Span;
use quote::quote;
use swathe_ir::BinOp;

use super::body::{Atom, Inline, Let, Op, Place, Step, Stmt};
use super::build::{Build, Slot};
use crate::hir::{self, Expr, ExprKind};

impl Build<'_> {
    /// The members and indices from a variable to a part of it.
    pub fn steps(&mut self, place: &Expr) -> Option<Vec<Step>> {
        match &place.kind {
            ExprKind::Local(..) => Some(Vec::new()),
            ExprKind::Member(base, member) => {
                let mut steps = self.steps(base)?;
                steps.push(Step::Member(member.clone()));
                Some(steps)
            }
            ExprKind::Index(base, index) => {
                let mut steps = self.steps(base)?;
                steps.push(Step::Index(self.inline(index)));
                Some(steps)
            }
            _ => {
                self.refuse(
                    place,
                    "this place has no derivative: assign to a variable, or to a part of one",
                );
                None
            }
        }
    }

    /// The part of a value at the end of these steps.
    pub fn part(&mut self, value: Atom, steps: &[Step], span: Span) -> Atom {
        steps.iter().fold(value, |value, step| {
            let op = match step {
                Step::Member(member) => Op::Member(value, member.clone()),
                Step::Index(index) => Op::Index(value, index.clone()),
            };
            self.name(op, span)
        })
    }

    /// A place of a field.
    pub fn place(&mut self, e: &Expr) -> Option<Place> {
        let place = e.field_place()?;
        let access = place.access;
        if self.func.access(access.id).in_unsafe {
            self.refuse(
                e,
                "an access in an `unsafe` block has no derivative: its claim holds for the kernel itself",
            );
        }
        let index = self.index(access);
        let mut steps = Vec::new();
        for step in &place.steps {
            steps.push(match step {
                hir::Step::Member(member) => Step::Member((*member).clone()),
                hir::Step::Index(index) => Step::Index(self.inline(index)),
            });
        }
        Some(Place {
            field: access.field,
            index,
            steps,
            path: place.path(),
            own: self.owned.is_own(access.id),
            span: e.span,
        })
    }

    pub fn index(&mut self, access: &hir::Access) -> Inline {
        let all: Vec<Inline> = access.index.iter().map(|e| self.inline(e)).collect();
        let mut index = Inline::default();
        all.iter().for_each(|one| index.join(one));
        let tokens = all.iter().map(|one| &one.tokens);
        index.tokens = match access.bracketed {
            true => quote!([#(#tokens),*]),
            false => quote!(#(#tokens),*),
        };
        index
    }

    /// The variable that a place is, and the steps behind that.
    pub fn owned_part(&mut self, place: &Place) -> Option<(Slot, Vec<Step>)> {
        let (k, members) = self.owned.find(place.field, &place.path)?;
        Some((Slot::Owned(k), place.steps[members..].to_vec()))
    }

    pub fn read(&mut self, e: &Expr) -> Op {
        let Some(place) = self.place(e) else {
            return Op::Copy(Atom::Given(quote!(0)));
        };
        let Some((slot, steps)) = self.owned_part(&place) else {
            return self.first_read(e, place);
        };
        let Some(value) = self.versions.get(&slot).cloned() else {
            self.refuse(e, "a derivative cannot follow this element, which the loop reads and writes: copy it into a variable, and write that back");
            return Op::Copy(Atom::Given(quote!(0)));
        };
        Op::Copy(self.part(value, &steps, e.span))
    }

    /// A read of what the loop does not write. That of the element at the loop's position is done once, where an iteration begins, so that its
    /// gradient is added once.
    fn first_read(&mut self, e: &Expr, place: Place) -> Op {
        let whole = e
            .field_place()
            .is_some_and(|found| self.owned.is_whole(found.access.id));
        let members = place.steps.iter().all(|step| matches!(step, Step::Member(_)));
        if !whole || !members {
            return Op::Read(place);
        }
        let key = (place.field, place.path.clone());
        if let Some(atom) = self.begun.get(&key) {
            return Op::Copy(atom.clone());
        }
        let like = match place.path.last() {
            Some(member) if member.parse::<u32>().is_err() => member.clone(),
            _ => super::names::plain(&self.func.local(place.field).name),
        };
        let ident = self.names.fresh(&format!("{like}_i"), place.span);
        let var = self.new_var(ident, place.span);
        let op = Op::Read(place);
        self.first.push(Stmt::Let(Let { var, ty: None, op }));
        self.begun.insert(key, Atom::Var(var));
        Op::Copy(Atom::Var(var))
    }

    pub fn write(&mut self, e: &Expr, place: &Expr, value: Atom) {
        self.in_a_loop(e);
        let Some(found) = self.place(place) else { return };
        match self.owned_part(&found) {
            None => self.stmts.push(Stmt::Write(found, value)),
            Some((slot, steps)) if steps.is_empty() => self.set(slot, Op::Copy(value), e.span),
            Some((slot, steps)) => {
                if let Some(base) = self.versions.get(&slot).cloned() {
                    self.set(slot, Op::With(base, steps, value), e.span);
                }
            }
        }
    }

    /// An operator with `=` on a place of a field.
    pub fn change(&mut self, e: &Expr, op: BinOp, place: &Expr, value: Atom) {
        self.in_a_loop(e);
        let Some(found) = self.place(place) else { return };
        match self.owned_part(&found) {
            None if matches!(op, BinOp::Add | BinOp::Sub) => {
                self.stmts.push(Stmt::Add(found, op == BinOp::Sub, value));
            }
            None => self.refuse(
                e,
                "this change of an element has no derivative: write `f[i] = f[i] * x`",
            ),
            Some((slot, steps)) => {
                let Some(base) = self.versions.get(&slot).cloned() else {
                    return;
                };
                let before = self.part(base.clone(), &steps, e.span);
                let op = Op::Changed(op, before, value);
                match steps.is_empty() {
                    true => self.set(slot, op, e.span),
                    false => {
                        let after = self.name(op, e.span);
                        self.set(slot, Op::With(base, steps, after), e.span);
                    }
                }
            }
        }
    }

    /// Takes the values of elements that are variables from here on.
    pub fn open(&mut self, stmt: *const (), opened: &mut Vec<usize>) {
        let here: Vec<usize> = (0..self.owned.items.len())
            .filter(|k| self.owned.items[*k].before == stmt)
            .collect();
        for k in here {
            let place = self.owned_place(k);
            if let Some(place) = place {
                let span = place.span;
                self.set(Slot::Owned(k), Op::Read(place), span);
                opened.push(k);
            }
        }
    }

    pub fn owned_place(&mut self, k: usize) -> Option<Place> {
        let (e, members) = (self.owned.items[k].place.clone(), self.owned.items[k].path.len());
        let mut place = self.place(&e)?;
        place.steps.truncate(members);
        place.path.truncate(members);
        place.own = true;
        Some(place)
    }

    /// Writes such an element back.
    pub fn close(&mut self, k: usize) {
        let slot = Slot::Owned(k);
        let value = self.versions.remove(&slot);
        // What fails does not come here.
        if matches!(self.stmts.last(), Some(Stmt::Fail)) {
            return;
        }
        if let (Some(value), Some(place)) = (value, self.owned_place(k)) {
            self.stmts.push(Stmt::Write(place, value));
        }
    }
}
