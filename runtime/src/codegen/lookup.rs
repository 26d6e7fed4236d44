//! Sequential loops that look elements up at indices from data and change nothing but local variables, as a sparse product's rows do.
//!
//! A check in place is a branch out of the loop: NVVM unrolls no such loop, and threads of a warp have to meet again behind the branch. So
//! the loop first runs as if all were in bounds: each index is cut to the last one of its field, and the largest is kept, two
//! instructions. If the largest is out of bounds, or the range is not all inside of a field that the counter indexes, the local
//! variables are set back, and the loop runs again with its checks, which then does what it would have done. What it computed
//! meanwhile nobody has seen: it has stored nothing, left nothing, and it ends, since its range does not depend on what it read.

use std::collections::BTreeSet;

use swathe_ir::{Block, CalleeSlot, Check, Expr, ExprKind, LabelId, Lit, LocalId, ParamKind, Pat, Pattern, Stmt, Type};

use super::Result;
use super::body::{Binding, Body, Dest, Form};
use super::condition::Term;
use super::inside::Rising;
use super::interval::Interval;
use super::literal;
use super::module::Module;
use super::source::SiteKind;
use super::text::{Line, has_word, words};
use super::value::{Effect, Value, prec};
use crate::kernel::walk;
use crate::kernel::{Callee, Instance};

/// Expressions in a loop, at most: it is there twice.
const MOST_PARTS: usize = 120;
/// Variables that are set back, and fields whose indices are cut, at most: each takes a register.
const MOST_CHANGED: usize = 8;
const MOST_LOOKED_UP: usize = 4;
/// Iterations of a range that no field ends, at most: one that fails at once must not take as long as its range is.
const MOST_ENDLESS: usize = 1 << 20;

/// C++ type that it counts in: of a sum in 32 bits NVVM does not know that it does not wrap, and computes each address anew.
const WIDE: &str = "usize";

/// What the loop that is being written assumes.
#[derive(Debug)]
pub(super) struct Lookup {
    counter: String,
    /// The counter in 64 bits.
    at: String,
    /// Names from here on are those of the loop's body.
    mark: usize,
    /// Extents that the counter has to be below.
    ends: Vec<String>,
    /// Conditions, fixed during the loop, under which it must not run like this.
    unless: Vec<String>,
    fields: Vec<Largest>,
    /// Whether there is something that cannot be undone.
    refused: bool,
}

/// The indices that are compared with an extent.
#[derive(Debug)]
struct Largest {
    extent: Term,
    /// C++ type of the indices.
    t: String,
    /// Names of the largest one so far, and of the last in bounds.
    largest: String,
    last: String,
}

/// The loop as it runs first, and the variables that it changes.
struct Fast {
    lines: Vec<Line>,
    lookup: Lookup,
    changed: BTreeSet<LocalId>,
}

impl Body<'_> {
    /// Writes the loop without checks, and opens the blocks in which the one with checks has to follow; whether it did.
    pub(super) fn first_without_checks(&mut self, label: LabelId, block: &Block, r: &Rising<'_>) -> Result<bool> {
        let source = self.source;
        let written = self.without_checks(label, block, r)?;
        self.source = source;
        let Some(Fast {
            mut lines,
            lookup,
            changed,
        }) = written
        else {
            return Ok(false);
        };
        let Rising { t, counter, start, end } = r;
        self.effect("{");
        self.depth += 1;
        let mut saved = Vec::new();
        for local in changed {
            let (Some(Binding::Name { text, .. }), ty) = (self.locals.get(&local).cloned(), self.local_type(local))
            else {
                continue;
            };
            let (spelled, before) = (self.module.ty(&ty), self.declare(&format!("{text}_before")));
            self.declare_constant(&spelled, &before, &text);
            saved.push(format!("{text} = {before};"));
        }
        let (mut nowhere, mut outside) = (Vec::new(), Vec::new());
        for Largest {
            extent,
            t,
            largest,
            last,
        } in lookup.fields
        {
            self.declare_constant(&t, &last, &format!("{extent} - 1"));
            self.line(format!("{t} {largest} = 0;"));
            // An empty field has no last element. `0 - extent` is above all ends, but then 0: a condition would have NVVM write the loop around
            // this one twice.
            if let Some(extent) = extent.name() {
                nowhere.push(format!("0 - {extent}"));
            }
            outside.push(format!("{largest} >= {extent}"));
        }
        let at = lookup.at;
        let mut stop = (*end).to_owned();
        for extent in lookup.ends.iter().chain(&nowhere) {
            let last = self.extent_as(WIDE, extent);
            stop = self.inside(&format!("{stop} < {extent} ? {stop} : {last}"));
        }
        if lookup.ends.is_empty() {
            stop = self.inside(&format!("{stop} - {start} > {MOST_ENDLESS} ? {start} : {stop}"));
        }
        if !lookup.unless.is_empty() {
            stop = self.inside(&format!("{} ? 0 : {stop}", joined(&lookup.unless)));
        }
        let counted = lines.iter().skip(1).any(|line| has_word(&line.text, counter));
        if at != *counter && counted {
            let line = Line::constant(self.depth + 1, t, counter, &format!("{t}({at})"));
            lines.insert(1, line);
        }
        if let Some(head) = lines.first_mut() {
            head.text = format!("for ({WIDE} {at} = {start}; {at} < {stop}; ++{at}) {{");
        }
        self.lines.append(&mut lines);
        if stop != *end {
            outside.push(format!("{stop} < {end}"));
        }
        self.open_if(&format!("unlikely({})", outside.join(" || ")));
        self.depth += 1;
        saved.into_iter().for_each(|line| self.effect(line));
        Ok(true)
    }

    /// Closes the blocks that [`Body::first_without_checks`] opened.
    pub(super) fn close_checked(&mut self) {
        for _ in 0..2 {
            self.depth -= 1;
            self.close();
        }
    }

    fn inside(&mut self, value: &str) -> String {
        let name = self.declare("inside");
        self.declare_constant(WIDE, &name, value);
        name
    }

    /// An extent in the type of a counter.
    pub(super) fn extent_as(&self, t: &str, extent: &str) -> String {
        if self.module.variant.index.name() == t {
            extent.to_owned()
        } else {
            format!("{t}({extent})")
        }
    }

    fn without_checks(&mut self, label: LabelId, block: &Block, r: &Rising<'_>) -> Result<Option<Fast>> {
        if self.module.variant.checked || self.lookup.is_some() {
            return Ok(None);
        }
        let mut search = Search {
            body: self,
            label,
            parts: 0,
            declared: BTreeSet::new(),
            changed: BTreeSet::new(),
            refused: false,
        };
        search.block(block);
        let Search {
            parts,
            declared,
            mut changed,
            refused,
            ..
        } = search;
        changed.retain(|local| !declared.contains(local));
        let restorable = |local: &LocalId| {
            let named = matches!(self.locals.get(local), Some(Binding::Name { form, .. }) if *form != Form::Framed);
            named && matches!(self.local_type(*local), Type::Scalar(_) | Type::Vector(..))
        };
        if refused || parts > MOST_PARTS || changed.len() > MOST_CHANGED || !changed.iter().all(restorable) {
            return Ok(None);
        }
        let at = if r.t == WIDE {
            r.counter.to_owned()
        } else {
            self.declare("at")
        };
        self.lookup = Some(Lookup {
            counter: r.counter.to_owned(),
            at,
            mark: self.names.mark(),
            ends: Vec::new(),
            unless: Vec::new(),
            fields: Vec::new(),
            refused: false,
        });
        let (exits, outside) = (self.exits, std::mem::take(&mut self.lines));
        self.depth += 1;
        let result = self.loop_("", label, &Dest::Discard, |body| body.loop_body(block));
        self.depth -= 1;
        let lines = std::mem::replace(&mut self.lines, outside);
        result?;
        let useful = |lookup: &Lookup| !lookup.refused && (1..=MOST_LOOKED_UP).contains(&lookup.fields.len());
        let lookup = self.lookup.take().filter(useful);
        // What else fails would have to fail after what comes before it.
        Ok(lookup
            .filter(|_| exits == self.exits)
            .map(|lookup| Fast { lines, lookup, changed }))
    }

    /// In place of a check, in a loop that runs as if all were in bounds.
    pub(super) fn look_up(&mut self, covered: Option<&str>, position: &mut [Value], extents: &[Term], kind: &SiteKind) {
        for (p, extent) in position.iter_mut().zip(extents) {
            let Some(outside) = self.outside(p, extent) else {
                continue;
            };
            let mark = self.lookup.as_ref().map_or(0, |lookup| lookup.mark);
            let text = self.told(p, extent).map_or_else(|| p.text.clone(), |low| low.text);
            let counted = |word: &str| self.lookup.as_ref().is_some_and(|l| word == l.counter || word == l.at);
            let varies = |word: &str| counted(word) || self.names.is_since(mark, word);
            let fixed = p.effect == Effect::Stable && !words(&text).any(varies);
            let mutable = match kind {
                SiteKind::Field { param, .. } => {
                    let is_it = |b: &Binding| matches!(b, Binding::Field(f) if f.param == *param && f.mutable);
                    self.locals.values().any(is_it)
                }
                _ => false,
            };
            let Some(lookup) = &mut self.lookup else { continue };
            let add = |list: &mut Vec<String>, text: String| {
                if !list.contains(&text) {
                    list.push(text);
                }
            };
            if let Some(covered) = covered {
                add(&mut lookup.unless, format!("!{covered}"));
            } else if outside.inside.position == Term::of(&lookup.counter) {
                add(&mut lookup.ends, extent.to_string());
                *p = Value::narrow(
                    lookup.at.clone(),
                    prec::POSTFIX,
                    p.ty.clone(),
                    Effect::Stable,
                    Interval::POSITION,
                )
                .with_arithmetic(true);
            } else if fixed {
                add(&mut lookup.unless, outside.to_string());
            } else if mutable || *extent == Term::Number(0) {
                // Another iteration may write the element that the index is cut to.
                lookup.refused = true;
            } else {
                self.cut(p, extent);
            }
        }
    }

    fn cut(&mut self, p: &mut Value, extent: &Term) {
        // The last position has the width of extents.
        let low = p.low().filter(|_| self.narrows());
        let (text, bounds) = match low {
            Some(low) => (low.at(prec::RELATION + 1).into_owned(), Some(Interval::POSITION)),
            None => (p.clone().widened().at(prec::RELATION + 1).into_owned(), None),
        };
        let t = if bounds.is_some() {
            "u32".to_owned()
        } else {
            self.module.ty(&p.ty)
        };
        let known = |lookup: &Lookup| {
            let mut fields = lookup.fields.iter();
            let known = fields.find(|field| field.extent == *extent && field.t == t)?;
            Some((known.largest.clone(), known.last.clone()))
        };
        let (largest, last) = match self.lookup.as_ref().and_then(known) {
            Some(names) => names,
            None => {
                // In front of the loop, where the names of its body are none yet.
                let names = ["largest", "last"].map(|name| self.names.declare_outer(name, self.module));
                let [largest, last] = names.clone();
                if let Some(lookup) = &mut self.lookup {
                    let extent = extent.clone();
                    lookup.fields.push(Largest {
                        extent,
                        t: t.clone(),
                        largest,
                        last,
                    });
                }
                names.into()
            }
        };
        self.line(format!("{largest} = {text} > {largest} ? {text} : {largest};"));
        let name = self.declare("index");
        self.declare_constant(&t, &name, &format!("{text} < {last} ? {text} : {last}"));
        *p = match bounds {
            Some(bounds) => {
                Value::narrow(name, prec::POSTFIX, p.ty.clone(), Effect::Stable, bounds).with_arithmetic(true)
            }
            None => Value::name(name, p.ty.clone(), true),
        };
    }
}

/// Conditions of which one is enough.
fn joined(conditions: &[String]) -> String {
    match conditions {
        [one] => one.clone(),
        several => format!("({})", several.join(" || ")),
    }
}

/// What a loop does besides computing values.
struct Search<'b, 'm> {
    body: &'b Body<'m>,
    label: LabelId,
    parts: usize,
    declared: BTreeSet<LocalId>,
    changed: BTreeSet<LocalId>,
    refused: bool,
}

impl Search<'_, '_> {
    fn block(&mut self, block: &Block) {
        walk::block(block, &mut |e| self.expr(e));
        self.lets(block);
    }

    fn expr(&mut self, e: &Expr) {
        self.parts += 1;
        match &e.kind {
            ExprKind::Assign(place, _) => self.change(place),
            ExprKind::AssignOp(_, place, _, callee) => {
                self.change(place);
                self.call(*callee, true);
            }
            ExprKind::Unary(_, _, callee) | ExprKind::Binary(_, _, _, callee) => self.call(*callee, false),
            ExprKind::Call { callee, .. } | ExprKind::Method { callee, .. } => self.call(Some(*callee), false),
            ExprKind::Block(_, block) => self.lets(block),
            ExprKind::If(_, then, _) => self.lets(then),
            ExprKind::Match(_, arms) => arms.iter().for_each(|arm| self.pattern(&arm.pat)),
            ExprKind::Continue(label) => self.refused |= *label != self.label,
            ExprKind::Field(access) => self.refused |= access.check == Check::Unchecked,
            ExprKind::Ref { mutable, .. } => self.refused |= mutable,
            ExprKind::Atomic(..)
            | ExprKind::Position(..)
            | ExprKind::Offset(..)
            | ExprKind::Loop(..)
            | ExprKind::While(..)
            | ExprKind::For(..)
            | ExprKind::Break(..)
            | ExprKind::Return(_)
            | ExprKind::Print { .. }
            | ExprKind::Fail { .. } => self.refused = true,
            _ => {}
        }
    }

    /// A function of the user's changes nothing, but the left side of an assigning operator, and ends whatever it is given.
    fn call(&mut self, callee: Option<CalleeSlot>, assigns: bool) {
        let Some(func) = self.body.user_function(callee) else {
            return;
        };
        let changes = |instance: &Instance| {
            let mut params = instance.func.params.iter().skip(usize::from(assigns));
            params.any(|p| p.kind == ParamKind::Ref { mutable: true })
        };
        let called = self.body.module.callee(&func);
        self.refused |= called.is_none_or(|called| changes(&called) || !ends(self.body.module, &called));
    }

    fn change(&mut self, place: &Expr) {
        match root(place) {
            Some(local) => {
                self.changed.insert(local);
            }
            None => self.refused = true,
        }
    }

    fn lets(&mut self, block: &Block) {
        for stmt in &block.stmts {
            match stmt {
                Stmt::Let { pat, .. } => self.pat(pat),
                Stmt::Expr(_) => {}
                Stmt::ParFor(_) => self.refused = true,
            }
        }
    }

    fn pat(&mut self, pat: &Pat) {
        match pat {
            Pat::Bind(local) => {
                self.declared.insert(*local);
            }
            Pat::Wild => {}
            Pat::Tuple(pats) | Pat::Array(pats) => pats.iter().for_each(|pat| self.pat(pat)),
        }
    }

    fn pattern(&mut self, pattern: &Pattern) {
        match pattern {
            Pattern::Bind(local) | Pattern::Named(local, _) => {
                self.declared.insert(*local);
            }
            Pattern::Or(parts) | Pattern::Tuple(parts) => parts.iter().for_each(|part| self.pattern(part)),
            Pattern::Struct(parts) => parts.iter().for_each(|(_, part)| self.pattern(part)),
            Pattern::Wild | Pattern::Value(_) | Pattern::Range { .. } => {}
        }
    }
}

/// Rounds of the loops in a function, at most, that is called for elements which the loop may not have meant.
const MOST_ROUNDS: i128 = 1 << 16;

/// Whether a function ends soon, whatever it is given, and so do those that it calls.
fn ends(module: &Module, instance: &Instance) -> bool {
    rounds(module, instance).is_some_and(|rounds| rounds <= MOST_ROUNDS)
}

/// At most so many rounds do the loops of a function make, with those that it calls, if that is known: as if each stood in all others.
fn rounds(module: &Module, instance: &Instance) -> Option<i128> {
    let mut rounds = Some(1_i128);
    walk::block(&instance.func.body, &mut |e| {
        let factor = match &e.kind {
            ExprKind::Loop(..) | ExprKind::While(..) | ExprKind::Print { .. } => None,
            ExprKind::For(_, _, range, _) => match [&range.start, &range.end].map(|end| constant(instance, end)) {
                // One more, as where the end is included.
                [Some(start), Some(end)] => Some((end - start).max(0) + 1),
                _ => None,
            },
            _ => Some(1),
        };
        rounds = rounds.zip(factor).map(|(rounds, factor)| rounds.saturating_mul(factor));
    });
    let called = instance.callees.iter().filter_map(|callee| match callee {
        Callee::Func(func) => Some(func),
        _ => None,
    });
    for func in called {
        let inner = module.callee(func).and_then(|called| self::rounds(module, &called))?;
        rounds = rounds.map(|rounds| rounds.saturating_mul(inner));
    }
    rounds
}

/// The value of an integer that is written, or a constant of the function.
fn constant(instance: &Instance, e: &Expr) -> Option<i128> {
    match &e.kind {
        ExprKind::Lit(Lit::Int(v), _) => Some(v.cast_signed()),
        ExprKind::Const(slot) => {
            let value = instance.consts.get(slot.0 as usize)?;
            let s = value.ty.scalar().filter(|s| s.is_int())?;
            literal::from_bytes(&value.bytes, s).lit
        }
        _ => None,
    }
}

/// The variable of a place.
fn root(place: &Expr) -> Option<LocalId> {
    match &place.kind {
        ExprKind::Local(local) => Some(*local),
        ExprKind::Member(base, _) | ExprKind::Index(base, _) => root(base),
        _ => None,
    }
}
