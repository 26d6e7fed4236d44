//! A body cut at its sequential loops: what lies between them is straight, and can be run for many iterations at once.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use proc_macro2::Span;
use swathe_ir::{FuncKind, UnOp};

use super::part::{Cut, Item, Large, Lifted, Loop, Part, RETURN, Region, push};
use super::search::{Exits, Gather, Straight, has_loop, is_large, is_short, is_written_out, length};
use super::why::{LARGE, LATE, LEAVES, NESTED, OWN_RANGE, PATTERN, SHORT, TOO_MANY, Why};
use crate::hir::visit::{Visit, any};
use crate::hir::{AccessId, Block, Expr, ExprKind, Func, LabelId, LocalId, ParFor, Pat, Range, Step, Stmt, Within};

/// Cuts the body of a loop, or says why it must stay as it is. `added`: fields that it does nothing with but add to, whose old values nobody uses.
pub fn body<'h>(func: &'h Func, p: &'h ParFor, added: BTreeSet<LocalId>) -> Result<Cut<'h>, Why> {
    let mut split = Split::new(func);
    split.reduced = p.reductions.iter().map(|r| r.local).collect();
    split.added = added;
    // The axes before the last stay the same in a row.
    if let Some((_, heads)) = p.vars.split_last() {
        split.uniform.extend(heads.iter().flatten());
    }
    split.label(p.label, p.span)?;
    let parts = split.block(&p.body, None)?;
    Ok(split.choose(parts, None))
}

/// Cuts the body of a function.
pub fn function(func: &Func) -> Option<Cut<'_>> {
    let mut split = Split::new(func);
    split.label(RETURN, func.name.span()).ok()?;
    let result = split.variable();
    let parts = split.block(&func.body, Some(result)).ok()?;
    Some(split.choose(parts, Some(result)))
}

pub struct Split<'h> {
    func: &'h Func,
    reduced: Vec<LocalId>,
    added: BTreeSet<LocalId>,
    uniform: HashSet<LocalId>,
    /// Labels of loops around that are cut.
    loops: HashSet<LabelId>,
    /// Whether what comes next may be reached by no lane at all.
    pub masked: bool,
    /// In how many loops.
    depth: usize,
    pub exits: HashMap<LabelId, u32>,
    /// How many bits there are.
    bits: u32,
    /// How many variables there are, the function's own and ours.
    variables: usize,
    pub lifted: Lifted,
    assigned: BTreeSet<LocalId>,
    arrays: BTreeSet<LocalId>,
    large: Vec<Large>,
    /// The first loop that LLVM writes out.
    short: Option<Why>,
    gathers: RefCell<BTreeMap<AccessId, Gather>>,
}

impl<'h> Split<'h> {
    fn new(func: &'h Func) -> Self {
        Split {
            func,
            reduced: Vec::new(),
            added: BTreeSet::new(),
            uniform: HashSet::new(),
            loops: HashSet::new(),
            masked: false,
            depth: 0,
            exits: HashMap::new(),
            bits: 0,
            variables: func.locals.len(),
            lifted: Lifted::new(),
            assigned: BTreeSet::new(),
            arrays: BTreeSet::new(),
            large: Vec::new(),
            short: None,
            gathers: RefCell::default(),
        }
    }

    fn choose(mut self, parts: Vec<Part<'h>>, result: Option<LocalId>) -> Cut<'h> {
        let lifted = self.lifted.clone();
        let parts = self.choices(parts);
        self.assigned.extend(result);
        let params: &[_] = if result.is_some() { &self.func.params } else { &[] };
        let arrays = params.iter().filter(|p| matches!(*p.ty, syn::Type::Array(_)));
        self.arrays.extend(arrays.map(|p| p.local));
        let params = params.iter().map(|p| p.local).collect();
        Cut {
            params,
            parts,
            exits: self.exits,
            lifted,
            lifted_calls: self.lifted,
            assigned: self.assigned,
            result,
            arrays: self.arrays,
            large: self.large,
            short: self.short,
            gathers: self.gathers.into_inner(),
        }
    }

    /// The first of some bits that no loop and no branch has; `None` if there are too few.
    pub fn bits(&mut self, count: u32) -> Option<u32> {
        let first = self.bits;
        self.bits += count;
        (self.bits <= u32::BITS).then(|| 1 << first)
    }

    fn label(&mut self, label: LabelId, at: Span) -> Result<(), Why> {
        let bit = self.bits(2).ok_or(Why::new(at, TOO_MANY))?;
        self.exits.insert(label, bit);
        self.loops.insert(label);
        Ok(())
    }

    /// A variable of ours.
    pub fn variable(&mut self) -> LocalId {
        self.variables += 1;
        LocalId(u32::try_from(self.variables - 1).expect("fewer than 2^32 variables"))
    }

    /// Gives a variable of ours a value.
    pub fn set(&mut self, into: LocalId, e: &'h Expr, parts: &mut Vec<Part<'h>>) {
        self.assigned.insert(into);
        push(Item::Set(into, e), parts);
    }

    pub fn func(&self) -> &'h Func {
        self.func
    }

    /// `into` is given the value of the block.
    pub fn block(&mut self, block: &'h Block, into: Option<LocalId>) -> Result<Vec<Part<'h>>, Why> {
        let mut parts = Vec::new();
        for stmt in &block.stmts {
            match stmt {
                Stmt::Expr(e) => self.statement(e, Item::Stmt(stmt), &mut parts)?,
                Stmt::Let { init: None, span, .. } => return Err(Why::new(*span, LATE)),
                Stmt::ParFor(p) => return Err(Why::new(p.span, NESTED)),
                Stmt::Let {
                    pat, init: Some(init), ..
                } if self.is_uniform(init)
                    && let Some(names) = constants(pat) =>
                {
                    self.uniform.extend(names);
                    parts.push(Part::Uniform(stmt));
                }
                Stmt::Let {
                    pat,
                    ty,
                    init: Some(init),
                    ..
                } => {
                    let large = self.array(pat, ty.as_deref(), init);
                    if has_loop(init) {
                        let value = self.variable();
                        self.value(init, value, &mut parts)?;
                        self.lifted.insert(init, value);
                    } else if large {
                        self.straight(init)?;
                        self.masked |= self.leaves(init);
                    } else {
                        self.straight_value(init)?;
                    }
                    push(Item::Stmt(stmt), &mut parts);
                }
            }
        }
        if let Some(tail) = &block.tail {
            match into {
                Some(into) => self.value(tail, into, &mut parts)?,
                None => self.statement(tail, Item::Expr(tail), &mut parts)?,
            }
        }
        Ok(parts)
    }

    /// Notes a variable that is an array. Whether it is one that is too large to be copied for each lane.
    fn array(&mut self, pat: &Pat, ty: Option<&syn::Type>, init: &Expr) -> bool {
        let (length, written) = (length(init), matches!(ty, Some(syn::Type::Array(_))));
        let Pat::Bind { local, .. } = pat else { return false };
        if length.is_none() && !written {
            return false;
        }
        self.arrays.insert(*local);
        // What is in it is copied as a whole.
        let parts = match &init.kind {
            ExprKind::Array(parts, _) => parts.iter().any(is_large),
            ExprKind::Repeat(value, ..) => is_large(value),
            _ => true,
        };
        if parts || has_loop(init) || !is_large(init) {
            return false;
        }
        self.large.push(Large {
            local: *local,
            at: init.span,
            perhaps: length == Some(None),
        });
        true
    }

    fn straight_value(&mut self, e: &Expr) -> Result<(), Why> {
        if is_large(e) {
            return Err(Why::new(e.span, LARGE));
        }
        self.straight(e)?;
        self.masked |= self.leaves(e);
        Ok(())
    }

    /// What gives `into` a value.
    pub fn value(&mut self, e: &'h Expr, into: LocalId, parts: &mut Vec<Part<'h>>) -> Result<(), Why> {
        match &e.kind {
            ExprKind::If(condition, then, Some(otherwise)) if has_loop(e) => {
                self.branch(condition, then, Some(otherwise), Some(into), parts)
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } if has_loop(e) => {
                parts.push(Part::Scope(self.block(block, Some(into))?));
                Ok(())
            }
            ExprKind::Decided { unreached, value } if has_loop(e) => {
                push(Item::Unreached(unreached, Some(into)), parts);
                self.value(value, into, parts)
            }
            _ => {
                self.straight_value(e)?;
                self.set(into, e, parts);
                Ok(())
            }
        }
    }

    pub fn statement(&mut self, e: &'h Expr, item: Item<'h>, parts: &mut Vec<Part<'h>>) -> Result<(), Why> {
        match &e.kind {
            ExprKind::For(..) if is_written_out(e) && self.straight(e).is_ok() => {
                self.short.get_or_insert(Why::new(e.span, SHORT));
                push(item, parts);
            }
            ExprKind::For(label, pat, range, body) => {
                let bounds = [Some(&range.start), Some(&range.end), range.step.as_ref()];
                if let Some(bound) = bounds.into_iter().flatten().find(|e| !self.is_uniform(e)) {
                    return Err(Why::new(bound.span, OWN_RANGE));
                }
                if is_short(range) {
                    return Err(Why::new(e.span, SHORT));
                }
                match pat {
                    Pat::Bind {
                        local, mutable: false, ..
                    } => {
                        self.uniform.insert(*local);
                    }
                    Pat::Wild(_) => {}
                    _ => return Err(Why::new(e.span, PATTERN)),
                }
                parts.push(self.sequential((*label, e.span), Some((pat, range)), None, body)?);
            }
            ExprKind::While(label, condition, body) => {
                self.depth += 1;
                self.straight(condition)?;
                self.depth -= 1;
                if self.leaves(condition) {
                    return Err(Why::new(condition.span, LEAVES));
                }
                parts.push(self.sequential((*label, e.span), None, Some(condition), body)?);
            }
            ExprKind::Loop(label, body) => parts.push(self.sequential((*label, e.span), None, None, body)?),
            ExprKind::If(condition, then, otherwise) if has_loop(e) => {
                self.branch(condition, then, otherwise.as_deref(), None, parts)?;
            }
            ExprKind::Block {
                label: None,
                unsafety: false,
                block,
            } if has_loop(e) => parts.push(Part::Scope(self.block(block, None)?)),
            ExprKind::Decided { unreached, value } if has_loop(e) => {
                push(Item::Unreached(unreached, None), parts);
                self.statement(value, Item::Expr(value), parts)?;
            }
            _ => {
                self.straight(e)?;
                match any(e, |e| matches!(e.kind, ExprKind::Atomic(..))) {
                    true => self.adds(e, item, parts),
                    false => push(item, parts),
                }
                self.masked |= self.leaves(e);
            }
        }
        Ok(())
    }

    /// A statement that adds to fields: what lanes add to one place is added up before, if to find the place cannot fail.
    fn adds(&mut self, e: &'h Expr, item: Item<'h>, parts: &mut Vec<Part<'h>>) {
        let mut together = None;
        if let (Item::Stmt(_), ExprKind::Atomic(_, _, place, args)) = (&item, &e.kind)
            && let Some(place) = place.field_place()
            && place.steps.iter().all(|step| matches!(step, Step::Member(_)))
            && place.indices().all(|index| self.is_uniform(index) && is_atom(index))
            && let [value] = &args[..]
        {
            let id = self.variable();
            push(Item::Let(id, value), parts);
            self.lifted.insert(value, id);
            together = Some(id);
        }
        parts.push(Part::Region(Region {
            items: vec![item],
            adds: true,
            together,
            ..Region::default()
        }));
    }

    fn sequential(
        &mut self,
        (label, at): (LabelId, Span),
        range: Option<(&'h Pat, &'h Range)>,
        condition: Option<&'h Expr>,
        body: &'h Block,
    ) -> Result<Part<'h>, Why> {
        self.label(label, at)?;
        let unreached = self.masked;
        self.masked |= range.is_none();
        self.depth += 1;
        let mut parts = self.block(body, None)?;
        self.depth -= 1;
        let mut exits = Exits::default();
        exits.block(body);
        let mut exits: HashSet<LabelId> = exits.0.intersection(&self.loops).copied().collect();
        self.loops.remove(&label);
        if let Some(condition) = condition {
            exits.insert(label);
            let condition = Some((condition, label));
            match parts.first_mut() {
                Some(Part::Region(region)) => region.condition = condition,
                _ => parts.insert(
                    0,
                    Part::Region(Region {
                        condition,
                        ..Region::default()
                    }),
                ),
            }
        }
        if range.is_none() || !exits.is_empty() {
            match parts.last_mut() {
                Some(Part::Region(region)) => region.round = Some(label),
                _ => parts.push(Part::Region(Region {
                    round: Some(label),
                    ..Region::default()
                })),
            }
        }
        Ok(Part::Loop(Loop {
            label,
            range,
            parts,
            exits,
            unreached,
        }))
    }

    /// The same for all lanes, and computed without effects.
    pub fn is_uniform(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Lit(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) | ExprKind::FieldShape(..) => true,
            ExprKind::Local(id, _) => {
                let outer = self.func.kind == FuncKind::Kernel && self.func.local(*id).inside.is_none();
                self.uniform.contains(id) || (outer && !self.reduced.contains(id))
            }
            ExprKind::Unary(op, a, _) => *op != UnOp::Deref && !self.masked && self.is_uniform(a),
            ExprKind::Cast(a, ..) | ExprKind::Member(a, _) => self.is_uniform(a),
            // Numbers of the type of an index, modulo its range.
            ExprKind::Within(a, Within::Index) => self.is_uniform(a),
            ExprKind::Within(a, Within::Indices) => match &a.kind {
                ExprKind::Binary(_, _, a, b, _) => self.is_uniform(a) && self.is_uniform(b),
                _ => false,
            },
            // They may panic, which they must not where no lane comes.
            ExprKind::Binary(_, _, a, b, _) | ExprKind::Index(a, b) => {
                !self.masked && self.is_uniform(a) && self.is_uniform(b)
            }
            _ => false,
        }
    }

    /// Whether an expression leaves or continues a loop that is cut.
    pub fn leaves(&self, e: &Expr) -> bool {
        let mut exits = Exits::default();
        exits.expr(e);
        !exits.0.is_disjoint(&self.loops)
    }

    /// Whether an expression may run for one lane after the other.
    pub fn straight(&self, e: &Expr) -> Result<(), Why> {
        let mut search = Straight {
            func: self.func,
            inner: self.depth > 0,
            added: &self.added,
            gathers: Vec::new(),
            bent: None,
        };
        search.expr(e);
        let gathers = search.gathers.into_iter().map(|gather| (gather.id, gather));
        self.gathers.borrow_mut().extend(gathers);
        search.bent.map_or(Ok(()), Err)
    }
}

/// Whether to evaluate an expression does nothing.
fn is_atom(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(..) | ExprKind::Local(..) | ExprKind::Const(..) | ExprKind::FieldLen(..) => true,
        ExprKind::Array(parts, _) => parts.iter().all(is_atom),
        _ => false,
    }
}

/// The variables of a pattern, if none of them changes.
fn constants(pat: &Pat) -> Option<Vec<LocalId>> {
    match pat {
        Pat::Bind { mutable: true, .. } => None,
        Pat::Bind { local, .. } => Some(vec![*local]),
        Pat::Wild(_) => Some(Vec::new()),
        Pat::Tuple(parts, ..) | Pat::Array(parts, ..) => {
            let parts: Option<Vec<_>> = parts.iter().map(constants).collect();
            parts.map(|parts| parts.concat())
        }
        Pat::Struct { members, .. } => {
            let parts: Option<Vec<_>> = members.iter().map(|(_, part)| constants(part)).collect();
            parts.map(|parts| parts.concat())
        }
    }
}
