//! Accesses to fields, and the checks before them.

use swathe_ir::{Check, Expr, ExprKind, Extent, FieldAccess, LocalId, Scalar, Span, Type};

use super::Result;
use super::body::{Binding, Body, FieldBinding, FrameKind, Leave, PlanesBinding, STOPPED};
use super::cells::Trail;
use super::condition::{Below, Outside, Term};
use super::interval::Interval;
use super::literal;
use super::source::SiteKind;
use super::value::{Effect, Low, Value, prec};
use super::variant::IndexWidth;

const USIZE: Type = Type::Scalar(Scalar::Usize);

/// An element whose scalars lie in planes.
pub(super) struct PlanarElement {
    pub field: FieldBinding,
    pub planes: PlanesBinding,
    /// Its number in the planes.
    pub number: String,
    pub effect: Effect,
    pub trail: Option<Box<Trail>>,
}

impl Body<'_> {
    pub(super) fn field(&self, field: LocalId, span: Span) -> Result<FieldBinding> {
        match self.locals.get(&field) {
            Some(Binding::Field(f)) => Ok(f.clone()),
            _ => self.unsupported("a field outside a kernel's parameters", span),
        }
    }

    pub(super) fn extent(&mut self, field: LocalId, axis: usize, span: Span) -> Result<Value> {
        let f = self.field(field, span)?;
        match f.extents.get(axis) {
            Some(name) => {
                self.used.extents.insert((f.param, axis));
                Ok(self.of_extent(name.clone()))
            }
            None => self.unsupported(format!("axis {axis} of `{}`", f.name), span),
        }
    }

    /// An extent by its name.
    fn of_extent(&self, name: String) -> Value {
        match self.module.variant.index {
            IndexWidth::Bits32 => {
                let bounds = self.tightened(&name, Interval::EXTENT);
                Value::narrow(name, prec::POSTFIX, USIZE, Effect::Stable, bounds).with_arithmetic(true)
            }
            IndexWidth::Bits64 => Value::name(name, USIZE, true),
        }
    }

    /// An axis of a position, with the bounds that hold here.
    pub(super) fn axis(&self, axis: &Value) -> Value {
        Value {
            narrow: axis.narrow.map(|bounds| self.tightened(&axis.text, bounds)),
            ..axis.clone()
        }
    }

    pub(super) fn field_len(&mut self, field: LocalId, span: Span) -> Result<Value> {
        let rank = self.field(field, span)?.extents.len();
        let mut factors = Vec::new();
        for axis in 0..rank {
            factors.push(self.extent(field, axis, span)?.text);
        }
        Ok(match factors.as_slice() {
            [] => literal::int(1, Scalar::Usize, false),
            [one] => self.of_extent(one.clone()),
            // A number of elements is as small as extents are.
            _ => Value {
                narrow: self.narrows().then_some(Interval::EXTENT),
                arithmetic: true,
                ..Value::new(factors.join(" * "), prec::MUL, USIZE, Effect::Stable)
            },
        })
    }

    pub(super) fn field_shape(&mut self, field: LocalId, span: Span) -> Result<Value> {
        let rank = self.field(field, span)?.extents.len();
        let mut extents = Vec::new();
        for axis in 0..rank {
            extents.push(self.extent(field, axis, span)?.text);
        }
        let ty = Type::Array(Box::new(USIZE), rank);
        let spelled = self.module.ty(&ty);
        Ok(Value::new(
            format!("{spelled}{{{{{}}}}}", extents.join(", ")),
            prec::POSTFIX,
            ty,
            Effect::Stable,
        ))
    }

    /// An element, as a place.
    pub(super) fn element(&mut self, access: &FieldAccess, span: Span) -> Result<Value> {
        let f = self.field(access.field, span)?;
        self.used.fields.insert(f.param);
        if f.strides.is_empty()
            && let Some(flat) = self.own_position(access)
        {
            let effect = if f.mutable { Effect::Read } else { Effect::Stable };
            self.flat_used = true;
            let text = self.element_at(&f, &flat, 0, true);
            let trail = self.trail(access, &f, flat, span);
            return Ok(Value {
                trail,
                ..Value::new(text, prec::POSTFIX, f.element, effect)
            });
        }
        let (position, effect) = self.checked_position(access, &f, span)?;
        let early = can_be_early(&position);
        let text = if f.strides.is_empty() {
            let (address, offset) = self.address(&f, &position);
            self.element_at(&f, &address, offset, early)
        } else {
            self.part_element(&f, &position, early)
        };
        Ok(Value {
            trail: self.trail_at(access, &f, &position, span),
            ..Value::new(text, prec::POSTFIX, f.element, effect)
        })
    }

    /// The element of an access if its scalars lie in planes.
    pub(super) fn planar_element(&mut self, access: &FieldAccess, span: Span) -> Result<Option<PlanarElement>> {
        let f = self.field(access.field, span)?;
        let Some(planes) = f.planes.clone() else {
            return Ok(None);
        };
        self.used.fields.insert(f.param);
        if f.strides.is_empty()
            && planes.origin.is_none()
            && let Some(flat) = self.own_position(access)
        {
            self.flat_used = true;
            let effect = if f.mutable { Effect::Read } else { Effect::Stable };
            let trail = self.trail(access, &f, flat.clone(), span);
            return Ok(Some(PlanarElement {
                field: f,
                planes,
                number: flat,
                effect,
                trail,
            }));
        }
        let (position, effect) = self.checked_position(access, &f, span)?;
        let trail = self.trail_at(access, &f, &position, span);
        let usize = self.module.ty(&USIZE);
        let number = match &planes.origin {
            Some(origin) => {
                let terms = self.strided_terms(&f, &position);
                std::iter::once(origin.clone())
                    .chain(terms)
                    .collect::<Vec<_>>()
                    .join(" + ")
            }
            None => match self.address(&f, &position) {
                (address, 0) => address,
                (address, offset) if offset < 0 => format!("{usize}({address}) - {}", -offset),
                (address, offset) => format!("{usize}({address}) + {offset}"),
            },
        };
        Ok(Some(PlanarElement {
            field: f,
            planes,
            number,
            effect,
            trail,
        }))
    }

    /// The index of an access, checked.
    fn checked_position(&mut self, access: &FieldAccess, f: &FieldBinding, span: Span) -> Result<(Vec<Value>, Effect)> {
        let effect = if f.mutable { Effect::Read } else { Effect::Stable };
        let mut position = self.position(access, f.extents.len())?;
        let covered = self.covered(access, span)?;
        match access.check {
            Check::Proven => {}
            Check::Unchecked if !self.module.variant.checked => {}
            Check::Hoisted | Check::InKernel | Check::Unchecked => {
                for axis in 0..f.extents.len() {
                    self.used.extents.insert((f.param, axis));
                }
                let kind = SiteKind::Field {
                    // As the user calls it: in CUDA C it may have another name.
                    name: self.instance.func.locals[access.field.0 as usize].name.clone(),
                    param: f.param,
                };
                let extents: Vec<Term> = f.extents.iter().map(Term::of).collect();
                self.check_unless(covered, &mut position, &extents, kind, span);
            }
        }
        self.settle_position(&mut position);
        if self.is_noted(access) {
            for p in position.iter_mut().filter(|p| p.lit.is_none() && !p.is_simple()) {
                *p = self.store(p.clone(), "index");
            }
        }
        let effect = position.iter().fold(effect, |e, p| e.max(p.effect));
        Ok((position, effect))
    }

    /// Gives constants to indices that read variables or fields. A place is named now and used later, and what is evaluated in between, an
    /// argument or an index further in, may change these.
    pub(super) fn settle_position(&mut self, position: &mut [Value]) {
        for p in position
            .iter_mut()
            .filter(|p| p.lit.is_none() && p.effect != Effect::Stable)
        {
            *p = self.store(p.clone(), "index");
        }
    }

    /// An element of a part of a field. A member of structs may be less aligned than it is wide.
    fn part_element(&mut self, f: &FieldBinding, position: &[Value], early: bool) -> String {
        let offset = self.strided_terms(f, position).join(" + ");
        if offset.is_empty() {
            return format!("{}[0]", f.name);
        }
        let qualifier = if f.mutable { "" } else { "const " };
        let signed = self.module.ty(&Type::Scalar(Scalar::Isize));
        let (t, name) = (self.module.ty(&f.element), &f.name);
        let address = format!("({qualifier}{t}*)(({qualifier}char*){name} + {signed}({offset}))");
        match self.ahead(f, &address, &offset, early) {
            Some(name) => format!("{name}[0]"),
            None => format!("({address})[0]"),
        }
    }

    /// Positions times strides, as unsigned numbers, which may wrap: strides may be negative.
    fn strided_terms(&mut self, f: &FieldBinding, position: &[Value]) -> Vec<String> {
        self.used
            .strides
            .extend((0..f.strides.len()).map(|axis| (f.param, axis)));
        let terms = position.iter().zip(&f.strides).map(|(p, stride)| {
            let low = p.low().filter(|_| self.narrows());
            match low {
                Some(low) => format!("{} * {stride}", low.at(prec::MUL)),
                None => format!("{} * {stride}", p.at(prec::MUL)),
            }
        });
        terms.collect()
    }

    /// The element so many after the one at an address, which may be computed early.
    fn element_at(&mut self, f: &FieldBinding, address: &str, offset: i128, early: bool) -> String {
        let name = &f.name;
        let place = match (self.ahead(f, &format!("&{name}[{address}]"), address, early), offset) {
            (Some(name), _) => format!("{name}[{offset}]"),
            (None, 0) => format!("{name}[{address}]"),
            (None, _) => format!("(&{name}[{address}])[{offset}]"),
        };
        match self.module.vector_access(&f.element, f.mutable) {
            Some(at) => format!("{at}(&{place})"),
            None => place,
        }
    }

    /// The index, one value for each axis.
    fn position(&mut self, access: &FieldAccess, rank: usize) -> Result<Vec<Value>> {
        if let [whole] = access.index.as_slice()
            && let Some(Type::Array(_, n)) = self.type_of(whole)?
        {
            if let ExprKind::Local(local) = &whole.kind
                && let Some(Binding::Axes(axes)) = self.locals.get(local)
            {
                let position = axes.iter().map(|axis| self.axis(axis)).collect();
                self.used_axes.insert(*local);
                return Ok(position);
            }
            let whole_value = self.lower(whole)?;
            let array = if n > 1 {
                self.simple(whole_value, "position")
            } else {
                whole_value
            };
            return Ok((0..n.min(rank))
                .map(|k| {
                    let text = format!("{}.v[{k}]", array.at(prec::POSTFIX));
                    Value::new(text, prec::POSTFIX, USIZE, array.effect)
                })
                .collect());
        }
        let operands: Vec<&Expr> = access.index.iter().collect();
        self.sequence(&operands)
    }

    /// The flat position of the parallel loop, if the access is to the loop's own element of the field that it runs
    /// over.
    fn own_position(&self, access: &FieldAccess) -> Option<String> {
        let (field, vars, flat) = self.own.as_ref()?;
        let exact = access.index.len() == vars.len()
            && access
                .index
                .iter()
                .zip(vars)
                .all(|(e, v)| matches!(&e.kind, ExprKind::Local(l) if l == v));
        (access.field == *field && exact && !self.is_in_place(access.check)).then(|| flat.clone())
    }

    /// Where an element in bounds lies, in elements from the first one, and a number to add to that. In 32 bits the
    /// compiler must not add it itself, since that could wrap.
    fn address(&mut self, f: &FieldBinding, position: &[Value]) -> (String, i128) {
        let mut position = position.to_vec();
        let mut offset = 0;
        if let Some(last) = position.last_mut()
            && let Some((text, number)) = last.shifted.take()
            && self.narrows()
        {
            *last = Value::narrow(text, prec::ADD, USIZE, last.effect, Interval::POSITION);
            offset = number;
        }
        let axis = |p: &Value| match self.module.variant.index {
            IndexWidth::Bits64 => (p.text.clone(), p.prec),
            IndexWidth::Bits32 => match p.low() {
                Some(low) => (low.text, low.prec),
                None => (format!("u32({})", p.text), prec::POSTFIX),
            },
        };
        let at = |(text, level): &(String, u8), wanted: u8| {
            if *level < wanted {
                format!("({text})")
            } else {
                text.clone()
            }
        };
        let mut axes = position.iter().map(axis);
        let mut address = match axes.next() {
            Some(first) => first,
            None => return ("0".into(), 0),
        };
        for (k, p) in axes.enumerate() {
            let extent = &f.extents[k + 1];
            let text = format!("{} * {extent} + {}", at(&address, prec::MUL), at(&p, prec::ADD));
            address = (text, prec::ADD);
        }
        for k in 1..position.len() {
            self.used.extents.insert((f.param, k));
        }
        (address.0, offset)
    }

    /// Name of the variable that tells whether all hoisted conditions of the parallel loop hold.
    fn covered(&mut self, access: &FieldAccess, span: Span) -> Result<Option<String>> {
        if access.check != Check::Hoisted || self.hoisted.is_empty() {
            return Ok(None);
        }
        if let Some((name, _)) = &self.cover {
            return Ok(Some(name.clone()));
        }
        let mut conditions = Vec::new();
        for cover in self.hoisted.clone() {
            if let Some(ranges) = self.covered_ranges(&cover, span)? {
                conditions.extend(
                    ranges
                        .into_iter()
                        .filter(|range| !conditions.contains(range))
                        .collect::<Vec<_>>(),
                );
                continue;
            }
            let (first, last) = match cover.extent {
                Extent::All(_) => (0, self.field(cover.field, span)?.extents.len()),
                _ => (cover.axis as usize, cover.axis as usize + 1),
            };
            for axis in first..last {
                let outer = self.extent(cover.field, axis, span)?.text;
                let inner = match cover.extent {
                    Extent::Shape(field, axis) => self.extent(field, axis as usize, span)?,
                    Extent::All(field) => self.extent(field, axis, span)?,
                    Extent::Len(field) => self.field_len(field, span)?,
                    Extent::Literal(n) => literal::int(i128::from(n), Scalar::Usize, false),
                    Extent::Range(..) | Extent::Ranges(_) => return self.unsupported("a range of positions", span),
                    Extent::Local(local) => self.read(&Expr {
                        kind: ExprKind::Local(local),
                        span,
                    })?,
                };
                // Of another type it is no number of elements, as `limit` says on the host.
                let condition = match inner.ty {
                    Type::Scalar(Scalar::Usize) => format!("{} <= {outer}", inner.at(prec::RELATION + 1)),
                    _ => "false".to_owned(),
                };
                if !conditions.contains(&condition) {
                    conditions.push(condition);
                }
            }
        }
        let name = self.names.declare_outer("covered", self.module);
        self.cover = Some((name.clone(), conditions.join(" && ")));
        Ok(Some(name))
    }

    pub(super) fn check(&mut self, position: &mut [Value], extents: &[Term], kind: SiteKind, span: Span) {
        self.check_unless(None, position, extents, kind, span);
    }

    /// Leaves the body if a position is out of bounds.
    fn check_unless(
        &mut self,
        covered: Option<String>,
        position: &mut [Value],
        extents: &[Term],
        kind: SiteKind,
        span: Span,
    ) {
        let rank = position.len();
        for (k, (p, extent)) in position.iter_mut().zip(extents).enumerate() {
            // What is loaded here must not be loaded ahead of other checks, by an address that it is part of.
            let simple = !p.text.contains('[')
                && match p.low.as_ref().and_then(|_| self.told(p, extent)) {
                    // In 32 bits it can stand several times; in 64 it stands in the report alone.
                    Some(low) => p.effect == Effect::Stable && low.is_simple(),
                    None => p.is_simple(),
                };
            if p.lit.is_none() && !simple {
                *p = self.store(
                    p.clone(),
                    &if rank == 1 {
                        "index".to_owned()
                    } else {
                        format!("index_{k}")
                    },
                );
            }
        }
        let outside: Vec<Outside> = position
            .iter()
            .zip(extents)
            .filter_map(|(p, n)| self.outside(p, n))
            .collect();
        if outside.is_empty() {
            return;
        }
        if self.lookup.is_some() {
            // Places in the text are in its order.
            let file = self.instance.func.file_of(span).to_owned();
            self.module.site(kind.clone(), &file, span);
            self.look_up(covered.as_deref(), position, extents, &kind);
            return;
        }
        let inside: Vec<Below> = outside.iter().map(|o| o.inside.clone()).collect();
        self.checked.extend(inside.iter().cloned());
        let outside: Vec<String> = outside.iter().map(Outside::to_string).collect();
        let condition = outside.join(" || ");
        let file = self.instance.func.file_of(span).to_owned();
        let site = self.module.site(kind, &file, span);
        let narrow = position.iter().all(|p| p.narrow_operand().is_some());
        let name = self.module.out_of_bounds(rank, narrow);
        let index: Vec<&str> = position.iter().map(|p| p.text.as_str()).collect();
        let report = format!("{name}({}, {site}, {});", self.errors, index.join(", "));
        if let Some(covered) = covered {
            let flagged = match outside.len() {
                1 => format!("!{covered} && {condition}"),
                _ => format!("!{covered} && ({condition})"),
            };
            let flagged = self.failing(&flagged, &report);
            self.fail_if(&condition, &report);
            if let Some(line) = self.lines.last_mut() {
                line.flagged = Some(flagged);
            }
            return;
        }
        self.note_check();
        self.fail_if(&format!("unlikely({condition})"), &report);
        if let Some(line) = self.lines.last_mut() {
            line.check = inside;
        }
    }

    /// The last 32 bits of a position, if they tell whether it is below the extent: a position that wraps below zero looks large in them, but not
    /// larger than every extent of 64 bits.
    pub(super) fn told(&self, p: &Value, extent: &Term) -> Option<Low> {
        let small = match extent {
            Term::Number(n) => *n <= Interval::EXTENT.most,
            Term::Sum(..) => self.narrows(),
        };
        p.low().filter(|low| small || low.bounds.is_narrow())
    }

    /// The condition that a position is out of bounds, unless it is known not to be.
    pub(super) fn outside(&self, p: &Value, extent: &Term) -> Option<Outside> {
        if matches!((p.lit, extent), (Some(k), Term::Number(n)) if (0..*n).contains(&k)) {
            return None;
        }
        let inside = Below {
            position: p.term(),
            extent: extent.clone(),
        };
        if self.checked.contains(&inside) {
            return None;
        }
        let position = match self.told(p, extent) {
            Some(low) => low.at(prec::RELATION + 1).into_owned(),
            None => p.at(prec::RELATION + 1).into_owned(),
        };
        Some(Outside { inside, position })
    }

    /// Reports and leaves the body if the condition holds.
    pub(super) fn fail_if(&mut self, condition: &str, report: &str) {
        let text = self.failing(condition, report);
        self.line(text);
    }

    fn failing(&mut self, condition: &str, report: &str) -> String {
        self.fails = true;
        let leave = self.leave_text(true);
        format!("if ({condition}) {{ {report} {leave} }}")
    }

    /// Statements that end the function, iteration or phase.
    pub(super) fn leave_text(&mut self, failed: bool) -> String {
        self.exits += 1;
        match self.leave.clone() {
            Leave::Function(Type::Unit) if failed => format!("{} = true; return;", self.failed),
            Leave::Function(_) if failed => format!("{} = true; return {{}};", self.failed),
            Leave::Function(_) => "return;".into(),
            Leave::Phase { stop: true } => {
                self.module.stops = true;
                self.used.frame = true;
                format!("{} = true; return;", self.framed(STOPPED))
            }
            Leave::Phase { stop: false } => "return;".into(),
            Leave::Iteration(label) => {
                let innermost = self.frames.iter().rposition(|f| f.kind == FrameKind::Loop);
                let at = self.frames.iter().position(|f| f.label == Some(label));
                match at {
                    Some(at) if innermost.is_none_or(|k| k <= at) => "continue;".into(),
                    Some(at) => {
                        let next = self.next_label(at);
                        format!("goto {next};")
                    }
                    None => "return;".into(),
                }
            }
        }
    }
}

/// Whether an address can be computed ahead of checks from these positions.
fn can_be_early(position: &[Value]) -> bool {
    position.iter().all(|p| p.arithmetic && p.effect == Effect::Stable)
}
