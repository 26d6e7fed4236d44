//! Elements of fields that an iteration reads and writes: nobody else touches them in the loop, so that they are variables of the iteration. And reads of
//! elements that no other access of the loop reads.

use std::collections::HashSet;

use proc_macro2::{Ident, TokenStream};
use quote::format_ident;
use swathe_ir::{BinOp, LocalId};

use crate::error::Errors;
use crate::hir::affine::limited;
use crate::hir::visit::{Visit, VisitMut, any_in, walk_expr, walk_expr_mut};
use crate::hir::{AccessId, Block, Domain, Expr, ExprKind, Func, ParFor, Pat, Pattern, Stmt, Value, overlap};

#[derive(Default)]
pub struct Owned {
    pub items: Vec<Item>,
    /// Accesses that read what no other iteration reads.
    own: HashSet<AccessId>,
    /// Accesses to the element at the position of the loop that are made once, where an iteration begins: of a loop over the field's own positions,
    /// where it is there in every iteration, and those in sequential loops, under no condition.
    whole: HashSet<AccessId>,
}

/// A part of an element that is a variable.
pub struct Item {
    pub field: LocalId,
    pub path: Vec<String>,
    /// In front of which statement its value is taken.
    pub before: *const (),
    /// One of its accesses.
    pub place: Expr,
    name: Ident,
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Read,
    Write,
    /// `+=`: needs no value.
    Add,
    /// Another operator with `=`.
    Change,
    Atomic,
}

impl Mode {
    fn reads(self) -> bool {
        matches!(self, Mode::Read | Mode::Change)
    }

    fn writes(self) -> bool {
        matches!(self, Mode::Write | Mode::Add | Mode::Change)
    }
}

struct Found {
    id: AccessId,
    field: LocalId,
    path: Vec<String>,
    mode: Mode,
    index: Option<String>,
    /// Whether it stands under a condition.
    conditional: bool,
    /// Blocks around it, the outermost first.
    chain: Vec<Level>,
    place: Expr,
    ends: TokenStream,
}

/// A block, and a statement in it.
#[derive(Clone, Copy)]
struct Level {
    block: *const Block,
    stmt: *const (),
    /// Whether a sequential loop repeats it.
    repeated: bool,
    /// How many variables are declared in front of the statement.
    declared: usize,
}

struct Search<'f> {
    func: &'f Func,
    found: Vec<Found>,
    chain: Vec<Level>,
    /// Variables in the order of their declarations.
    declared: Vec<LocalId>,
    repeated: bool,
    conditional: bool,
}

impl Owned {
    pub fn name(&self, k: usize) -> Ident {
        self.items[k].name.clone()
    }

    /// The variable that a place is, and how many of its members that covers.
    pub fn find(&self, field: LocalId, path: &[String]) -> Option<(usize, usize)> {
        let is = |item: &Item| item.field == field && path.starts_with(&item.path);
        let k = self.items.iter().position(is)?;
        Some((k, self.items[k].path.len()))
    }

    pub fn is_own(&self, access: AccessId) -> bool {
        self.own.contains(&access)
    }

    /// Whether an access is to the element at the position of the loop, and is made once for an iteration.
    pub fn is_whole(&self, access: AccessId) -> bool {
        self.whole.contains(&access)
    }

    pub fn of(func: &Func, p: &ParFor, errors: &mut Errors) -> Owned {
        let mut search = Search {
            func,
            found: Vec::new(),
            chain: Vec::new(),
            declared: Vec::new(),
            repeated: false,
            conditional: false,
        };
        search.block(&p.body);
        let (found, declared) = (search.found, search.declared);
        let leaves = any_in(&p.body, |e| {
            matches!(
                e.kind,
                ExprKind::Continue(_) | ExprKind::Break(..) | ExprKind::Return(_) | ExprKind::Fail { .. }
            )
        });
        let mut owned = Owned::default();
        if let (Domain::Indices(field, _), Some(position)) = (&p.domain, whole(func, p)) {
            let here = found
                .iter()
                .filter(|f| f.field == *field && f.index.as_ref() == Some(&position));
            owned.whole.extend(here.map(|f| f.id));
        }
        let meets = |a: &Found, b: &Found| a.field == b.field && overlap(&a.path, &b.path);
        // Classes of accesses that may be to the same memory.
        let mut class: Vec<usize> = (0..found.len()).collect();
        loop {
            let mut changed = false;
            for a in 0..found.len() {
                for b in 0..a {
                    if meets(&found[a], &found[b]) && class[a] != class[b] {
                        let (from, to) = (class[a].max(class[b]), class[a].min(class[b]));
                        class.iter_mut().filter(|c| **c == from).for_each(|c| *c = to);
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        for c in 0..found.len() {
            let members: Vec<&Found> = found
                .iter()
                .zip(&class)
                .filter(|(_, k)| **k == c)
                .map(|(f, _)| f)
                .collect();
            let Some(first) = members.first() else { continue };
            if members.iter().any(|m| m.mode == Mode::Atomic) {
                continue;
            }
            let same = first.index.is_some() && members.iter().all(|m| m.index == first.index);
            let (reads, writes) = (
                members.iter().any(|m| m.mode.reads()),
                members.iter().any(|m| m.mode.writes()),
            );
            match (reads, writes) {
                (true, true) if same => owned.items.extend(Item::of(func, &members, &declared, errors)),
                (true, true) => {
                    let name = &func.local(first.field).name;
                    let (one, other) = (
                        members.iter().find(|m| m.mode.reads()),
                        members.iter().find(|m| m.mode.writes()),
                    );
                    if let (Some(one), Some(other)) = (one, other) {
                        errors.pair(
                            &one.ends,
                            format!(
                                "a derivative needs the values of `{name}` from before this loop, which writes it by another index: read and write `{name}` by one index of positions, or write to a second field"
                            ),
                            &other.ends,
                            format!("here `{name}` is written"),
                        );
                    }
                }
                (true, false) if same && first.index == whole(func, p) => {
                    owned.own.extend(members.iter().map(|m| m.id));
                }
                // In each round anew it would be added to its gradient as often.
                (true, false) if !leaves => {
                    let position = whole(func, p);
                    let here = members.iter().filter(|m| m.index.is_some() && m.index == position);
                    let rounds = here.filter(|m| !m.conditional && m.chain.last().is_some_and(|level| level.repeated));
                    owned.whole.extend(rounds.map(|m| m.id));
                }
                _ => {}
            }
        }
        owned
    }
}

impl Item {
    fn of(func: &Func, members: &[&Found], declared: &[LocalId], errors: &mut Errors) -> Option<Item> {
        let first = members[0];
        let mut path = first.path.clone();
        for member in members {
            let common = path.iter().zip(&member.path).take_while(|(a, b)| a == b).count();
            path.truncate(common);
        }
        let mut level = 0;
        let mut k = 0;
        while members.iter().all(|m| {
            m.chain
                .get(k)
                .is_some_and(|level| level.block == first.chain[k].block && !level.repeated)
        }) {
            level = k;
            k += 1;
            if k >= first.chain.len() {
                break;
            }
        }
        let field = super::names::plain(&func.local(first.field).name);
        let name = match path.last() {
            Some(member) if member.parse::<u32>().is_err() => format_ident!("{field}_{member}"),
            _ => format_ident!("{field}_own"),
        };
        let level = first.chain[level];
        let mut place = first.place.clone();
        let mut outer = Outer {
            func,
            late: &declared[level.declared..],
            found: None,
        };
        outer.expr(&mut place);
        if let Some(late) = outer.found {
            let (field, late) = (&func.local(first.field).name, &func.local(late).name);
            errors.on(
                first.ends.clone(),
                format!(
                    "a derivative reads an element that an iteration reads and writes once, where `{late}` is not there yet: write `{field}` in a parallel loop over all its indices, as in `for [i, j] in ndrange([n, m])`, or sum up in a variable and write `{field}` behind the loop, or write to a second field"
                ),
            );
            return None;
        }
        Some(Item {
            field: first.field,
            path,
            before: level.stmt,
            place,
            name,
        })
    }
}

/// Writes what variables stand for, and finds one that is declared behind the place where an element is read.
struct Outer<'f> {
    func: &'f Func,
    late: &'f [LocalId],
    found: Option<LocalId>,
}

impl VisitMut for Outer<'_> {
    fn expr(&mut self, e: &mut Expr) {
        walk_expr_mut(self, e);
        if let ExprKind::Local(local, ident) = &mut e.kind {
            while let (Value::Alias(other), false) = (&self.func.local(*local).value, self.func.local(*local).mutable) {
                *local = *other;
                ident.clone_from(&self.func.local(*other).ident);
            }
            if self.late.contains(local) {
                self.found = self.found.or(Some(*local));
            }
        }
    }
}

/// The position of the loop as an index.
fn whole(func: &Func, p: &ParFor) -> Option<String> {
    let vars: Option<Vec<LocalId>> = p.vars.iter().copied().collect();
    let names: Vec<String> = vars?.into_iter().map(|v| local(func, v)).collect::<Option<_>>()?;
    Some(names.join(", "))
}

fn local(func: &Func, id: LocalId) -> Option<String> {
    let local = func.local(id);
    if local.mutable {
        return None;
    }
    match &local.value {
        Value::Alias(other) => self::local(func, *other),
        _ => Some(format!("#{}", id.0)),
    }
}

/// An index, in a form in which equal ones have equal values.
fn canonical(func: &Func, e: &Expr) -> Option<String> {
    Some(match &e.kind {
        ExprKind::Local(id, _) => local(func, *id)?,
        ExprKind::Limited(inner) => canonical(func, limited(e).unwrap_or(inner))?,
        ExprKind::Cast(inner, ty, ..) => format!("{} as {}", canonical(func, inner)?, quote::quote!(#ty)),
        ExprKind::Lit(lit, _) => quote::quote!(#lit).to_string(),
        ExprKind::Const(_, path) => quote::quote!(#path).to_string(),
        ExprKind::FieldLen(field, _) => format!("len #{}", field.0),
        ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), _, a, b, _) => {
            format!("({} {op:?} {})", canonical(func, a)?, canonical(func, b)?)
        }
        ExprKind::Array(parts, _) => {
            let parts: Option<Vec<String>> = parts.iter().map(|part| canonical(func, part)).collect();
            parts?.join(", ")
        }
        ExprKind::Index(base, index) => format!("{}[{}]", canonical(func, base)?, canonical(func, index)?),
        _ => return None,
    })
}

impl Search<'_> {
    fn place(&mut self, e: &Expr, mode: Mode) {
        if let Some(place) = e.field_place() {
            let access = place.access;
            let index: Option<Vec<String>> = access.index.iter().map(|e| canonical(self.func, e)).collect();
            self.found.push(Found {
                id: access.id,
                field: access.field,
                path: place.path(),
                mode,
                conditional: self.conditional,
                index: index.map(|index| index.join(", ")),
                chain: self.chain.clone(),
                place: e.clone(),
                ends: e.ends(),
            });
            place
                .indices()
                .collect::<Vec<_>>()
                .into_iter()
                .for_each(|e| self.expr(e));
        }
    }

    fn target(&mut self, place: &Expr, mode: Mode) {
        match place.field_place() {
            Some(_) => self.place(place, mode),
            None => self.expr(place),
        }
    }

    fn enter(&mut self, block: &Block, stmt: *const ()) {
        self.chain.push(Level {
            block: std::ptr::from_ref(block),
            stmt,
            repeated: self.repeated,
            declared: self.declared.len(),
        });
    }

    fn declare(&mut self, pat: &Pat) {
        pat.bound(&mut |local| self.declared.push(local));
    }

    fn declare_pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind { local, .. } => self.declared.push(*local),
            Pattern::Named { local, pattern, .. } => {
                self.declared.push(*local);
                self.declare_pattern(pattern);
            }
            Pattern::Or(all) | Pattern::Tuple(all) => all.iter().for_each(|pattern| self.declare_pattern(pattern)),
            Pattern::Struct { members, .. } => members.iter().for_each(|(_, pattern)| self.declare_pattern(pattern)),
            Pattern::Wild(_) | Pattern::Value(_) | Pattern::Range { .. } => {}
        }
    }

    fn under_condition(&mut self, walk: impl FnOnce(&mut Self)) {
        let outer = std::mem::replace(&mut self.conditional, true);
        walk(self);
        self.conditional = outer;
    }

    fn repeats(&mut self, e: &Expr) {
        let outer = std::mem::replace(&mut self.repeated, true);
        walk_expr(self, e);
        self.repeated = outer;
    }
}

impl Visit for Search<'_> {
    fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.enter(block, std::ptr::from_ref(stmt).cast());
            self.stmt(stmt);
            self.chain.pop();
        }
        if let Some(tail) = &block.tail {
            self.enter(block, std::ptr::from_ref(&**tail).cast());
            self.expr(tail);
            self.chain.pop();
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Let { pat, .. } = stmt {
            self.declare(pat);
        }
        crate::hir::visit::walk_stmt(self, stmt);
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.target(place, Mode::Write);
            }
            ExprKind::AssignOp(op, _, place, value, _) => {
                self.expr(value);
                let mode = if matches!(op, BinOp::Add | BinOp::Sub) {
                    Mode::Add
                } else {
                    Mode::Change
                };
                self.target(place, mode);
            }
            ExprKind::Atomic(_, _, place, args) => {
                self.target(place, Mode::Atomic);
                args.iter().for_each(|e| self.expr(e));
            }
            ExprKind::Field(_) | ExprKind::Member(..) | ExprKind::Index(..) if e.field_place().is_some() => {
                self.place(e, Mode::Read);
            }
            ExprKind::For(_, pat, ..) => {
                self.declare(pat);
                self.repeats(e);
            }
            // Their conditions are not asked where an iteration begins.
            ExprKind::While(..) | ExprKind::Loop(..) => self.under_condition(|s| s.repeats(e)),
            ExprKind::If(condition, then, otherwise) => {
                self.expr(condition);
                self.under_condition(|s| {
                    s.block(then);
                    otherwise.iter().for_each(|e| s.expr(e));
                });
            }
            ExprKind::Match(_, arms) => {
                arms.iter().for_each(|arm| self.declare_pattern(&arm.pat));
                self.under_condition(|s| walk_expr(s, e));
            }
            ExprKind::Binary(BinOp::And | BinOp::Or, ..) => {
                self.under_condition(|s| walk_expr(s, e));
            }
            _ => walk_expr(self, e),
        }
    }
}
