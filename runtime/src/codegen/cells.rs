//! Code that notes in cells what iterations do with the elements of a field, and reports those that collide.
//!
//! An access first enters itself into its slot of the cell, then looks at the slots of those that it collides with. Of two
//! iterations at one place the later one to look finds the other, in whatever order they run.

use std::collections::HashSet;

use swathe_ir::{Check, Expr, ExprKind, FieldAccess, Func, LocalId, ParFor, Span, Stmt, Type};

use super::body::{Body, FieldBinding};
use super::module::Module;
use super::planes::member_offset;
use super::source::{CellsLayout, SiteKind};
use super::text::Line;
use super::value::{Value, prec};
use crate::collision::AccessKind;
use crate::collision::places;
use crate::kernel::Instance;
use crate::kernel::walk;

/// Bits of an entry that hold the number of the access; those above hold the iteration's number plus 1.
const SITE_BITS: u32 = 20;

/// What a parallel loop notes.
#[derive(Debug)]
pub(super) struct Notes {
    /// Fields whose accesses are noted.
    vouched: Vec<LocalId>,
    /// Name of the iteration's number, and what it is.
    iteration: String,
    number: String,
    is_used: bool,
}

/// A place in an element whose accesses are noted.
#[derive(Clone, Debug)]
pub(super) struct Trail {
    field: FieldBinding,
    local: LocalId,
    span: Span,
    /// Number of the element in row-major order.
    element: String,
    /// Number of its first cell among those of the element, as texts to add.
    first: Vec<String>,
    ty: Type,
}

impl Trail {
    /// A member of a place.
    pub(super) fn member(trail: Option<Box<Trail>>, ty: &Type, name: &str) -> Option<Box<Trail>> {
        let mut trail = trail?;
        // A component is noted as its vector.
        if let Type::Struct(s) = ty {
            let member = s.members.iter().find(|m| m.name == name)?;
            let before = places::before(ty, member_offset(ty, name)?);
            trail.first.extend((before > 0).then(|| before.to_string()));
            trail.ty = member.ty.clone();
        }
        Some(trail)
    }

    /// An element of a place.
    pub(super) fn element(trail: Option<Box<Trail>>, ty: &Type, k: &Value) -> Option<Box<Trail>> {
        let mut trail = trail?;
        if let Type::Array(t, _) = ty {
            match (places::count(t), k.lit) {
                (0, _) | (_, Some(0)) => {}
                (1, _) => trail.first.push(k.at(prec::ADD).into_owned()),
                (n, _) => trail.first.push(format!("{} * {n}", k.at(prec::MUL))),
            }
            trail.ty = (**t).clone();
        }
        Some(trail)
    }
}

/// The cells that a kernel needs.
pub(super) fn layouts(instance: &Instance) -> Vec<CellsLayout> {
    let func = &instance.func;
    let mut layouts = Vec::new();
    for (param, p) in func.params.iter().enumerate() {
        let Some(Type::Field(element, _)) = instance.types.get(func.locals[p.local.0 as usize].ty.0 as usize) else {
            continue;
        };
        if loops(func).any(|l| l.vouched.contains(&p.local)) {
            layouts.push(CellsLayout {
                param,
                places: places::count(element),
                slots: slots(func, p.local),
            });
        }
    }
    layouts
}

/// Words of a field's cells.
fn slots(func: &Func, field: LocalId) -> usize {
    let mut atomic = false;
    walk::block(&func.body, &mut |e| {
        atomic |= matches!(&e.kind, ExprKind::Atomic(_, place, _) if element(place).is_some_and(|e| is_of(e, field)));
    });
    if atomic {
        AccessKind::SLOTS
    } else {
        AccessKind::PLAIN_SLOTS
    }
}

/// The element that a place of a field is in.
fn element(place: &Expr) -> Option<&Expr> {
    match &place.kind {
        ExprKind::Field(_) => Some(place),
        ExprKind::Member(base, _) | ExprKind::Index(base, _) => element(base),
        _ => None,
    }
}

fn is_of(element: &Expr, field: LocalId) -> bool {
    matches!(&element.kind, ExprKind::Field(access) if access.field == field)
}

fn loops(func: &Func) -> impl Iterator<Item = &ParFor> {
    func.body.stmts.iter().filter_map(|stmt| match stmt {
        Stmt::ParFor(p) => Some(p),
        _ => None,
    })
}

impl Module {
    /// Numbers the sites of all accesses that may be noted, in the order of the text: that in which collisions are reported.
    pub(super) fn noted_sites(&mut self, func: &Func) {
        let mut sites = Vec::new();
        for p in loops(func) {
            let mut atomic = HashSet::new();
            walk::par_for(p, &mut |e| {
                if let ExprKind::Atomic(_, place, _) = &e.kind {
                    atomic.extend(element(place).map(std::ptr::from_ref));
                }
                let ExprKind::Field(access) = &e.kind else { return };
                let kinds = match atomic.contains(&std::ptr::from_ref(e)) {
                    true => [AccessKind::AtomicChange, AccessKind::AtomicLoad],
                    false => [AccessKind::Write, AccessKind::Read],
                };
                if p.vouched.contains(&access.field) {
                    sites.extend(kinds.map(|kind| (e.span, kind, access.field)));
                }
            });
        }
        sites.sort_by_key(|(span, kind, field)| (span.line, span.column, *kind, field.0));
        for (span, kind, field) in sites {
            self.noted_site(func, field, span, kind);
        }
    }

    fn noted_site(&mut self, func: &Func, field: LocalId, span: Span, kind: AccessKind) -> usize {
        let param = func.params.iter().position(|p| p.local == field).unwrap_or_default();
        let name = func.locals[field.0 as usize].name.clone();
        self.site(SiteKind::Noted { name, param, kind }, func.file_of(span), span)
    }

    /// `note(errors, cell, count, slots, kind, element, iteration, site)`.
    fn note(&mut self) {
        self.collision();
        self.helper("note", || {
            let others = AccessKind::ALL.map(|kind| {
                let others = AccessKind::ALL.into_iter().filter(|other| kind.collides(*other));
                others.flat_map(AccessKind::slots).fold(0, |bits, slot| bits | 1 << slot)
            });
            let [first, second, third, fourth] = others;
            let others = format!("kind == 0 ? {first} : kind == 1 ? {second} : kind == 2 ? {third} : {fourth}");
            let held = AccessKind::HELD;
            let (shift, mask, base) = (SITE_BITS, (1 << SITE_BITS) - 1, SiteKind::COLLISION);
            format!(
                "static __device__ __noinline__ void note(Errors* errors, u64* cell, u32 count, u32 slots, u32 kind, u64 element, u64 iteration, u64 site) {{
    const u64 own = ((iteration + 1) << {shift}) | site;
    const u32 start = kind * {held};
    const u32 others = {others};
    for (u32 place = 0; place < count; ++place, cell += slots) {{
        for (u32 k = start; k < start + {held}; ++k) {{
            const u64 held = atomicCAS(cell + k, 0ull, own);
            if (held == 0 || held >> {shift} == own >> {shift}) break;
        }}
        __threadfence();
        for (u32 k = 0; k < slots; ++k) {{
            const u64 met = ((volatile u64*)cell)[k];
            if ((others >> k & 1) == 0 || met == 0 || met >> {shift} == own >> {shift}) continue;
            const u64 own_site = own & {mask};
            const u64 met_site = met & {mask};
            const bool first = own_site != met_site ? own_site < met_site : own < met;
            const u64 a = first ? own : met;
            const u64 b = first ? met : own;
            collision(errors, (a & {mask}) + {base}ull, b & {mask}, element, (a >> {shift}) - 1, (b >> {shift}) - 1);
        }}
    }}
}}
"
            )
        });
    }
}

impl Body<'_> {
    /// Starts a parallel loop.
    pub(super) fn start_notes(&mut self, p: &ParFor) {
        self.notes = (self.module.variant.checked && !p.vouched.is_empty()).then(|| Notes {
            vouched: p.vouched.clone(),
            iteration: self.declare("iteration"),
            number: String::new(),
            is_used: false,
        });
    }

    /// Says what the number of an iteration is, and whether it is asked for.
    pub(super) fn number_iterations(&mut self, number: &str) -> bool {
        number.clone_into(&mut self.iteration);
        match &mut self.notes {
            Some(notes) => {
                number.clone_into(&mut notes.number);
                true
            }
            None => false,
        }
    }

    /// Ends a parallel loop; the declaration that its body starts with.
    pub(super) fn finish_notes(&mut self) -> Option<Line> {
        let notes = self.notes.take().filter(|notes| notes.is_used)?;
        Some(Line::constant(0, "u64", &notes.iteration, &notes.number))
    }

    /// Whether the access is noted.
    pub(super) fn is_noted(&self, access: &FieldAccess) -> bool {
        self.notes
            .as_ref()
            .is_some_and(|notes| notes.vouched.contains(&access.field))
    }

    /// Whether an access is checked in place.
    pub(super) fn is_in_place(&self, check: Check) -> bool {
        check == Check::InKernel || (check == Check::Unchecked && self.module.variant.checked)
    }

    /// The element of that number in row-major order, as a place to note.
    pub(super) fn trail(
        &mut self,
        access: &FieldAccess,
        f: &FieldBinding,
        element: String,
        span: Span,
    ) -> Option<Box<Trail>> {
        self.is_noted(access).then(|| {
            Box::new(Trail {
                field: f.clone(),
                local: access.field,
                span,
                element,
                first: Vec::new(),
                ty: f.element.clone(),
            })
        })
    }

    /// The element at a position, as a place to note.
    pub(super) fn trail_at(
        &mut self,
        access: &FieldAccess,
        f: &FieldBinding,
        position: &[Value],
        span: Span,
    ) -> Option<Box<Trail>> {
        if !self.is_noted(access) {
            return None;
        }
        let mut element = position
            .first()
            .map_or("0".to_owned(), |p| p.at(prec::ADD).into_owned());
        for (k, p) in position.iter().enumerate().skip(1) {
            self.used.extents.insert((f.param, k));
            element = format!("({element}) * {} + {}", f.extents[k], p.at(prec::ADD));
        }
        self.trail(access, f, element, span)
    }

    /// Notes an access to a place in planes.
    pub(super) fn note_planar(&mut self, place: &super::planes::PlanarPlace, kind: AccessKind) {
        if let Some(trail) = place.trail.clone() {
            self.note(&trail, kind);
        }
    }

    /// Notes an access.
    pub(super) fn note(&mut self, trail: &Trail, kind: AccessKind) {
        let count = places::count(&trail.ty);
        let (Some(cells), Some(notes)) = (&trail.field.cells, &mut self.notes) else {
            return;
        };
        if count == 0 {
            return;
        }
        notes.is_used = true;
        let iteration = notes.iteration.clone();
        let instance = std::rc::Rc::clone(&self.instance);
        let slots = slots(&instance.func, trail.local);
        let site = self.module.noted_site(&instance.func, trail.local, trail.span, kind);
        self.module.note();
        self.used.cells.insert(trail.field.param);
        self.fails = true;
        let places = places::count(&trail.field.element);
        let element = &trail.element;
        // Fields of more than 2^32 elements have more cells.
        let mut place = match places {
            1 => format!("usize({element})"),
            _ => format!("usize({element}) * {places}"),
        };
        for term in &trail.first {
            place = format!("{place} + {term}");
        }
        let (errors, number) = (&self.errors, kind as usize);
        self.line(format!(
            "note({errors}, {cells} + ({place}) * {slots}, {count}, {slots}, {number}, {element}, {iteration}, {site});"
        ));
    }
}
