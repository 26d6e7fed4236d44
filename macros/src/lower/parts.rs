//! Parts of outer variables that a parallel loop accumulates into, `s.mass += x[i]`: each is a variable of its own during the loop (scalar replacement).

use proc_macro2::Ident;
use quote::format_ident;
use swathe_ir::{LocalId, TypeSlot};
use syn::ext::IdentExt;

use super::Lower;
use crate::hir::affine::number;
use crate::hir::visit::{Visit, VisitMut, any_of, walk_expr, walk_expr_mut};
use crate::hir::{Expr, ExprKind, ParFor, Pat, Stmt, Value};

/// A step from a variable to a part of it.
#[derive(Clone, PartialEq, Eq)]
enum Step {
    Member(String),
    Item(u64),
}

/// A component of a vector is an item of it.
fn step(member: &str) -> Step {
    match ["x", "y", "z", "w"].iter().position(|component| *component == member) {
        Some(k) => Step::Item(k as u64),
        None => Step::Member(member.to_owned()),
    }
}

/// The indices on the way to a part, and what each is one of.
fn indices(place: &Expr) -> Vec<(&Expr, &Expr)> {
    match &place.kind {
        ExprKind::Member(base, _) => indices(base),
        ExprKind::Index(base, index) => {
            let mut found = indices(base);
            found.push((base, index));
            found
        }
        _ => Vec::new(),
    }
}

/// A variable, and the way to a part of it: as far as numbers and names of members tell.
fn way(place: &Expr) -> Option<(LocalId, Vec<Step>, bool)> {
    let (base, step) = match &place.kind {
        ExprKind::Local(id, _) => return Some((*id, Vec::new(), true)),
        ExprKind::Member(base, syn::Member::Named(name)) => (base, Some(step(&name.unraw().to_string()))),
        ExprKind::Member(base, syn::Member::Unnamed(k)) => (base, Some(Step::Item(k.index.into()))),
        ExprKind::Index(base, index) => (base, number(index).map(Step::Item)),
        _ => return None,
    };
    let (root, mut steps, told) = way(base)?;
    match step.filter(|_| told) {
        Some(step) => {
            steps.push(step);
            Some((root, steps, true))
        }
        None => Some((root, steps, false)),
    }
}

struct Part {
    root: LocalId,
    way: Vec<Step>,
    /// As the user wrote it first.
    place: Expr,
    /// What stands for it.
    local: LocalId,
}

/// Collects the parts that are assigned to.
struct Assigned<'l> {
    lower: &'l Lower<'l>,
    number: usize,
    found: Vec<(LocalId, Vec<Step>, Expr)>,
}

impl Visit for Assigned<'_> {
    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Assign(place, _) | ExprKind::AssignOp(_, _, place, ..) = &e.kind
            && let Some((root, way, true)) = way(place)
            && !way.is_empty()
            && self.lower.locals[root.0 as usize].inside != Some(self.number)
            && !self.found.iter().any(|(r, w, _)| *r == root && *w == way)
        {
            self.found.push((root, way, (**place).clone()));
        }
        walk_expr(self, e);
    }
}

/// Writes the variables in the places of the parts.
struct Replace<'p> {
    parts: &'p [Part],
    names: &'p [Ident],
    /// Of the indices that are written no more.
    slots: Vec<TypeSlot>,
}

impl VisitMut for Replace<'_> {
    fn expr(&mut self, e: &mut Expr) {
        if let Some((root, way, true)) = way(e)
            && let Some(k) = self.parts.iter().position(|part| part.root == root && part.way == way)
        {
            self.slots
                .extend(indices(e).into_iter().filter_map(|(_, index)| match &index.kind {
                    ExprKind::Lit(_, slot) => Some(*slot),
                    _ => None,
                }));
            let mut ident = self.names[k].clone();
            ident.set_span(e.span);
            e.kind = ExprKind::Local(self.parts[k].local, ident);
            return;
        }
        walk_expr_mut(self, e);
    }
}

/// Finds what else of these variables the loop names, as far as it may be of their parts.
struct Others<'p> {
    parts: &'p [Part],
    found: Vec<Expr>,
}

impl Visit for Others<'_> {
    fn expr(&mut self, e: &Expr) {
        if let Some((root, way, _)) = way(e) {
            let of = |part: &&Part| part.root == root && part.way.starts_with(&way);
            if self.parts.iter().any(|part| of(&part)) {
                self.found.push(e.clone());
            }
        }
        match way(e) {
            // Below a part that is none of these is nothing of them.
            Some(_) => indices(e).into_iter().for_each(|(_, index)| self.expr(index)),
            None => walk_expr(self, e),
        }
    }
}

impl Lower<'_> {
    /// Makes a variable of each part of an outer variable that the loop assigns to. `before` the loop it is set, and behind it the part.
    pub(super) fn accumulated_parts(&mut self, p: &mut ParFor, before: &mut Vec<Stmt>) {
        let mut assigned = Assigned {
            lower: self,
            number: p.number,
            found: Vec::new(),
        };
        assigned.block(&p.body);
        let mut found = assigned.found;
        // A part of a part changes with it: neither is a variable of its own.
        let all: Vec<(LocalId, Vec<Step>)> = found.iter().map(|(root, way, _)| (*root, way.clone())).collect();
        found.retain(|(root, way, _)| {
            let beside =
                |(r, w): &&(LocalId, Vec<Step>)| r == root && w != way && (w.starts_with(way) || way.starts_with(w));
            !all.iter().any(|other| beside(&other))
        });
        if found.is_empty() {
            return;
        }
        let mut names = Vec::new();
        let mut parts = Vec::new();
        for (root, way, place) in found {
            let name = self.locals[root.0 as usize].name.clone();
            let ident = format_ident!("__part{}", self.locals.len(), span = place.span);
            let local = self.hidden(&ident, true, Value::Unknown);
            // In messages.
            self.locals[local.0 as usize].name = name;
            names.push(ident);
            parts.push(Part {
                root,
                way,
                place,
                local,
            });
        }
        let mut replace = Replace {
            parts: &parts,
            names: &names,
            slots: Vec::new(),
        };
        replace.block(&mut p.body);
        for slot in replace.slots {
            self.slots.types[slot.0 as usize] = Some(syn::parse_quote!(::swathe::__rt::core::primitive::usize));
        }
        let mut others = Others {
            parts: &parts,
            found: Vec::new(),
        };
        others.block(&p.body);
        for other in others.found {
            let name = other.root_local().map(|id| self.locals[id.0 as usize].name.to_string());
            let name = name.unwrap_or_default();
            self.errors.on(
                other.ends(),
                match way(&other) {
                    Some((.., false)) => format!(
                        "parts of `{name}` are accumulated by this parallel loop, and only literals tell its items apart there, `{name}[0]`: write a literal for this index, or use `{name}` after the loop"
                    ),
                    _ => format!(
                        "parts of `{name}` are accumulated by this parallel loop, so its value is known only after the loop: use it there"
                    ),
                },
            );
        }
        // It may change a part, which is read in front of the loop.
        let names_one =
            |e: &Expr| matches!(&e.kind, ExprKind::Local(id, _) if parts.iter().any(|part| part.root == *id));
        if any_of(&p.domain, names_one) {
            self.domain_in_front(&mut p.domain, before);
        }
        for (part, ident) in parts.into_iter().zip(names) {
            let Part { place, local, .. } = part;
            let (span, end) = (place.span, place.end);
            let items = indices(&place).into_iter();
            p.items
                .extend(items.filter_map(|(base, index)| Some((base.clone(), number(index)?))));
            before.push(Stmt::Let {
                pat: Pat::Bind {
                    local,
                    ident: ident.clone(),
                    mutable: true,
                },
                ty: None,
                init: Some(place.clone()),
                span,
                lints: Vec::new(),
            });
            let value = Expr::new(ExprKind::Local(local, ident), span, end);
            let back = ExprKind::Assign(Box::new(place), Box::new(value));
            self.after.push(Stmt::Expr(Expr::new(back, span, end)));
        }
    }
}
