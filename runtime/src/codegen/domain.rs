//! The loop over the domain of a parallel loop: threads stride over it.

use swathe_ir::{self as ir, Expr, ExprKind, Lit, LocalId, ParFor, Range, Scalar, Type};

use super::Result;
use super::body::{Binding, Body};
use super::guards::MOST;
use super::interval::Interval;
use super::phase::{Bound, parts};
use super::positions::{Heads, Positions};
use super::scalar;
use super::source::{Domain, Length};
use super::text::{Kind, Line};
use super::value::{Effect, Value, prec};
use super::variant::IndexWidth;
use crate::kernel::walk;

pub(super) const USIZE: Type = Type::Scalar(Scalar::Usize);
/// From below it no loop gets to the end of a 64-bit type, however many threads it has.
pub(super) const FAR_FROM_THE_END: i128 = 1 << 62;

/// Iterations of a reduction that are unrolled.
const LOADED_AT_ONCE: u32 = 4;
/// Expressions of the longest body that is unrolled.
const SHORT: usize = 64;

/// Whether a body is small and has no loop, so that iterations are mostly the wait for what they load.
pub(super) fn is_short(body: &ir::Block) -> bool {
    let mut size = 0_usize;
    walk::block(body, &mut |e| {
        size += match e.kind {
            ExprKind::For(..) | ExprKind::While(..) | ExprKind::Loop(..) => SHORT,
            // Of a function that may be long.
            ExprKind::Call { .. } | ExprKind::Method { .. } => 8,
            _ => 1,
        };
    });
    size < SHORT
}

impl Body<'_> {
    /// Writes the loop; `hoisted` are the bounds that stand in the frame.
    pub(super) fn par_for(&mut self, index: usize, p: &ParFor, hoisted: &[Bound]) -> Result<Domain> {
        self.hoisted = p.hoisted.clone();
        self.start_notes(p);
        let mut bounds = Vec::new();
        for (part, e) in parts(&p.domain).into_iter().enumerate() {
            let bound = Bound { index, part };
            bounds.push(if hoisted.contains(&bound) {
                self.used.frame = true;
                let Some(ty) = self.type_of(e)? else {
                    return self.unsupported("this bound", e.span);
                };
                let value = Value::name(self.framed(&bound_name(bound)), ty, false);
                self.store(value, ["start", "end", "step"].get(part).unwrap_or(&"extent"))
            } else {
                Self::settled(self.lower(e)?)
            });
        }
        match &p.domain {
            ir::Domain::Indices(field) => {
                let mut extents = Vec::new();
                let rank = match self.local_type(*field) {
                    Type::Field(_, rank) => rank,
                    _ => 0,
                };
                for axis in 0..rank {
                    extents.push(self.extent(*field, axis, p.span)?);
                }
                self.grid(p, extents, Some(*field))
            }
            ir::Domain::NdRange(_) => {
                let extents: Vec<Value> = bounds.into_iter().map(|b| self.simple(b, "extent")).collect();
                self.volume_guard(&extents, p);
                self.grid(p, extents, None)
            }
            ir::Domain::Range(range) => self.line_of(p, range, &bounds),
        }
    }

    fn param(&self, local: LocalId) -> Option<usize> {
        match self.locals.get(&local) {
            Some(Binding::Field(f)) => Some(f.param),
            _ => self.value_params.get(&local).copied(),
        }
    }

    fn range_length(&self, r: &Range) -> Length {
        let from_zero = matches!(r.start.kind, ExprKind::Lit(Lit::Int(0), _));
        if !from_zero || r.inclusive || r.step.is_some() {
            return Length::Device;
        }
        self.length(&r.end)
    }

    /// What the host knows of a number of iterations.
    fn length(&self, e: &Expr) -> Length {
        match &e.kind {
            ExprKind::FieldLen(field) => self.param(*field).map_or(Length::Device, Length::Elements),
            ExprKind::Local(local) if self.local_type(*local) == USIZE => {
                let extent = match self.locals.get(local) {
                    Some(Binding::Name { text, .. }) => self.extents.iter().find(|(name, _)| name == text),
                    _ => None,
                };
                match extent {
                    Some((_, extent)) => self.extent_named(extent),
                    None => self
                        .value_params
                        .get(local)
                        .map_or(Length::Device, |k| Length::Value(*k)),
                }
            }
            ExprKind::Index(shape, axis) => match (&shape.kind, self.constant_int(axis)) {
                (ExprKind::FieldShape(field), Some(axis)) => match (self.param(*field), usize::try_from(axis)) {
                    (Some(k), Ok(axis)) => Length::Extent(k, axis),
                    _ => Length::Device,
                },
                _ => Length::Device,
            },
            _ => Length::Device,
        }
    }

    fn extent_named(&self, extent: &str) -> Length {
        let fields = self.locals.values().filter_map(|binding| match binding {
            Binding::Field(f) => Some(f),
            _ => None,
        });
        let mut found = fields.filter_map(|f| {
            let axis = f.extents.iter().position(|name| name == extent)?;
            Some(Length::Extent(f.param, axis))
        });
        found.next().unwrap_or(Length::Device)
    }

    fn is_mutable(&self, local: LocalId) -> bool {
        self.instance.func.locals[local.0 as usize].mutable
    }

    /// A loop over all positions of a shape, the last axis fastest.
    fn grid(&mut self, p: &ParFor, extents: Vec<Value>, field: Option<LocalId>) -> Result<Domain> {
        let rank = extents.len();
        let whole_length = field
            .and_then(|f| self.param(f))
            .map_or(Length::Device, Length::Elements);
        // A counter in 32 bits must not pass their end where its thread steps over the last position.
        let small = |e: &Value| {
            e.narrow_operand()
                .is_some_and(|bounds| bounds.most <= Interval::EXTENT.most)
        };
        let narrow = extents.iter().all(small);
        let t = if narrow {
            self.module.variant.index.name()
        } else {
            "usize"
        };
        // Within the loop no extent is zero.
        self.at_least_one(&extents);
        if let ([extent], [var]) = (extents.as_slice(), p.vars.as_slice())
            && var.is_none_or(|l| !self.is_mutable(l) && self.local_type(l) == USIZE)
        {
            let i = match var {
                Some(local) => self.declare_position(*local, narrow),
                None => self.declare("i"),
            };
            self.axes.extend(field.map(|_| i.clone()));
            self.own = field.zip(*var).map(|(f, v)| (f, vec![v], i.clone()));
            let head = self.line_head(p, t, &i, "thread_x()", &extent.at(prec::RELATION + 1));
            self.number_iterations(&i);
            let length = match &p.domain {
                ir::Domain::NdRange(lengths) => lengths.first().map_or(Length::Device, |e| self.length(e)),
                _ => whole_length,
            };
            return self.strided(p, |_| (vec![head], Vec::new(), Domain::line(length)));
        }

        let flat = self.declare("flat");
        if self.number_iterations(&flat) {
            self.flat_used = true;
        }
        let mut axes: Vec<(Option<LocalId>, String)> = Vec::new();
        let whole = match p.vars.as_slice() {
            [Some(local)] if matches!(self.local_type(*local), Type::Array(..)) => Some(*local),
            _ => None,
        };
        if let Some(local) = whole {
            let name = self.instance.func.locals[local.0 as usize].name.clone();
            for axis in 0..rank {
                let name = self.declare(&format!("{name}_{axis}"));
                axes.push((None, name));
            }
            let position = |(_, name): &(Option<LocalId>, String)| match narrow && self.narrows() {
                true => Value {
                    narrow: Some(Interval::POSITION),
                    ..Value::name(name.clone(), USIZE, true)
                },
                false => Value::name(name.clone(), USIZE, true),
            };
            let positions = axes.iter().map(position).collect();
            self.locals.insert(local, Binding::Axes(positions));
        } else {
            for var in &p.vars {
                let name = match var {
                    Some(local) => self.declare_position(*local, narrow),
                    None => self.declare("axis"),
                };
                axes.push((*var, name));
            }
        }
        if field.is_some() {
            self.axes.extend(axes.iter().map(|(_, name)| name.clone()));
        }
        let vars: Vec<LocalId> = axes.iter().filter_map(|(v, _)| *v).collect();
        if vars.len() == rank && !vars.iter().any(|v| self.is_mutable(*v)) {
            self.own = field.map(|f| (f, vars, flat.clone()));
        }
        let lengths: Vec<Length> = match (&p.domain, field.and_then(|f| self.param(f))) {
            (ir::Domain::NdRange(lengths), _) => lengths.iter().map(|e| self.length(e)).collect(),
            (_, Some(k)) => (0..rank).map(|axis| Length::Extent(k, axis)).collect(),
            _ => vec![Length::Device; rank],
        };
        let positions = Positions {
            flat,
            axes,
            whole,
            extents,
            field: field.is_some(),
            lengths,
            skipped: !p.reduces(),
        };
        self.strided(p, |body| positions.heads(body, t, whole_length))
    }

    fn at_least_one(&mut self, extents: &[Value]) {
        for extent in extents {
            let name = &extent.text;
            let origin = self.extents.iter().find(|(alias, _)| alias == name);
            let origin = origin.map_or(name, |(_, origin)| origin).clone();
            let aliases = self.extents.iter().filter(|(_, e)| *e == origin);
            let aliases: Vec<(String, i128)> = aliases.map(|(alias, _)| (alias.clone(), 1)).collect();
            self.least.extend(aliases);
            self.least.extend([(origin, 1), (name.clone(), 1)]);
        }
    }

    /// Declares the variable of a position of the loop.
    fn declare_position(&mut self, local: LocalId, narrow: bool) -> String {
        let name = self.declare_local(local);
        if narrow && self.module.variant.index == IndexWidth::Bits32 && !self.is_mutable(local) {
            self.bind_narrow(local, name.clone(), Some(Interval::POSITION));
        }
        name
    }

    /// Head of a loop in which the threads along an axis of the grid take turns.
    pub(super) fn head(&mut self, axis: char, t: &str, i: &str, end: &str) -> String {
        self.module.threads(axis);
        format!("for ({t} {i} = thread_{axis}(); {i} < {end}; {i} += threads_{axis}())")
    }

    /// Head of a loop along one axis. Each thread of a reduction has many iterations: their number is computed before, so that the compiler can unroll
    /// the loop and load for several iterations at once.
    fn line_head(&mut self, p: &ParFor, t: &str, i: &str, start: &str, end: &str) -> String {
        self.module.threads('x');
        if !p.reduces() || !is_short(&p.body) {
            return format!("for ({t} {i} = {start}; {i} < {end}; {i} += threads_x())");
        }
        let rounds = self.declare("rounds");
        self.module.rounds(t);
        format!(
            "_Pragma(\"unroll {LOADED_AT_ONCE}\") for ({t} {i} = {start}, {rounds} = rounds_{t}({i}, {end}, threads_x()); {rounds} > 0; --{rounds}, {i} += threads_x())"
        )
    }

    /// A loop over a range.
    fn line_of(&mut self, p: &ParFor, range: &Range, bounds: &[Value]) -> Result<Domain> {
        let domain = Domain::line(self.range_length(range));
        let var = p.vars.first().copied().flatten();
        let (Some(a), Some(b)) = (bounds.first(), bounds.get(1)) else {
            return self.unsupported("this range", p.span);
        };
        let Type::Scalar(s) = var.map_or_else(|| a.ty.clone(), |l| self.local_type(l)) else {
            return self.unsupported("this range", p.span);
        };
        let mutable = var.is_some_and(|l| self.is_mutable(l));
        let plain = !range.inclusive && !range.reverse && range.step.is_none() && !mutable;
        let b = self.simple(b.clone(), "end");
        let narrow = self.narrow_range(a, &b).is_some();
        // A counter that starts near the type's end would stride past it.
        let from_known = a.lit.is_some_and(|v| v < FAR_FROM_THE_END);
        if plain && matches!(s, Scalar::Usize | Scalar::U64) && (narrow || from_known) {
            let i = match var {
                Some(local) => self.declare_position(local, narrow),
                None => self.declare("i"),
            };
            if b.narrow.is_some() && a.lit == Some(0) {
                // Within the loop its end is not zero.
                self.at_least_one(std::slice::from_ref(&b));
            }
            let t = if narrow {
                self.module.variant.index.name()
            } else {
                scalar::name(s)
            };
            let a = if narrow { a.clone() } else { a.clone().widened() };
            if !narrow && let Some(from) = a.lit {
                let most = from + MOST;
                if b.lit.is_none_or(|v| v > most) {
                    let many = format!("{} > {most}ull", b.at(prec::RELATION));
                    self.range_guard(&many, p, range, [&a, &b]);
                }
            }
            self.module.threads('x');
            let start = if a.lit == Some(0) {
                "thread_x()".into()
            } else {
                format!("{} + thread_x()", a.at(prec::ADD))
            };
            let end = b.at(prec::RELATION + 1);
            if a.lit == Some(0) {
                self.number_iterations(&i);
            } else {
                self.number_iterations(&format!("{i} - {}", a.at(prec::ADD + 1)));
            }
            let head = self.line_head(p, t, &i, &start, &end);
            return self.strided(p, |_| (vec![head], Vec::new(), domain));
        }

        let a = match a.lit {
            Some(_) => a.clone(),
            None => self.simple(a.clone(), "start"),
        };
        let u = scalar::name(scalar::unsigned(s));
        let op = if range.inclusive { "<=" } else { "<" };
        let (left, right) = (Self::exact(a.clone()), b.at(prec::RELATION + 1));
        let distance = if a.lit == Some(0) {
            format!("usize({})", b.text)
        } else if s.is_signed() && s.size() < 4 {
            // C++ subtracts them as `int`.
            format!("usize({u}({u}({}) - {u}({})))", b.text, a.text)
        } else {
            format!("usize({u}({}) - {u}({}))", b.text, a.text)
        };
        let count = self.declare("count");
        let counted = match s.size() {
            8 => self.narrow_range(&a, &b),
            // Less than 2^31 iterations.
            4 if s.is_signed() && a.lit.is_some_and(|v| v >= 0) && !range.inclusive => Some(Interval::EXTENT),
            4 => None,
            _ => Some(Interval::EXTENT),
        };
        let c = match counted {
            Some(_) => self.module.variant.index.name(),
            None => "usize",
        };
        let step = bounds.get(2).map(|step| {
            if step.lit.is_some_and(|v| v > 0) {
                return step.clone();
            }
            let step = self.simple(step.clone(), "step");
            self.zero_step_guard(&step, range);
            step
        });
        let factor = match &step {
            Some(step) => format!(" * {}", step.at(prec::MUL + 1)),
            None => String::new(),
        };
        let nonempty = format!("{} {op} {right}", left.at(prec::RELATION + 1));
        let total = match (&step, range.inclusive) {
            (None, false) => format!("{nonempty} ? {distance} : 0"),
            (Some(step), false) => {
                let all = self.declare("length");
                self.declare_constant(c, &all, &format!("{nonempty} ? {distance} : 0"));
                format!("{all} / {0} + ({all} % {0} != 0)", step.at(prec::MUL + 1))
            }
            (_, true) => {
                let after_first = match &step {
                    Some(step) => {
                        let all = self.declare("length");
                        self.declare_constant(c, &all, &distance);
                        format!("{all} / {}", step.at(prec::MUL + 1))
                    }
                    None => distance,
                };
                // No number counts all values of 64 bits; all but one never end either.
                let may_wrap = s.size() == 8
                    && counted.is_none()
                    && b.lit.is_none_or(|v| v == scalar::bounds(s).1)
                    && step.as_ref().is_none_or(|step| step.lit.is_none_or(|v| v < 2));
                let total = if may_wrap {
                    let last = self.declare("last");
                    self.declare_constant(c, &last, &after_first);
                    format!("{last} + ({last} != ~usize(0))")
                } else {
                    format!("{after_first} + 1")
                };
                if a.lit == Some(0) && !s.is_signed() {
                    total
                } else {
                    format!("{nonempty} ? {total} : 0")
                }
            }
        };
        self.declare_constant(c, &count, &total);
        let few = match (a.lit, b.lit) {
            (Some(a), Some(b)) => (b - a) / step.as_ref().and_then(|s| s.lit).unwrap_or(1).max(1) < MOST,
            (None, Some(b)) => b <= MOST && !s.is_signed(),
            _ => false,
        };
        if s.size() == 8 && counted.is_none() && !few {
            self.range_guard(&format!("{count} > {MOST}ull"), p, range, [&a, &b]);
        }
        let k = self.declare("k");
        let position = counted.filter(|_| s.size() == 8 && !mutable && !s.is_signed());
        let t = if position.is_some() { c } else { scalar::name(s) };
        let value = match (range.reverse, range.inclusive) {
            (false, _) if a.lit == Some(0) => format!("{k}{factor}"),
            // Said to be unsigned: a negative number, also that of a variable which the compiler knows, would be a sign that changes.
            (false, _) if s.is_signed() && a.lit.is_none_or(|v| v < 0) => format!("{u}({}) + {k}{factor}", a.text),
            (false, _) => format!("{} + {k}{factor}", a.at(prec::ADD)),
            (true, true) => format!("{} - {k}{factor}", b.at(prec::ADD)),
            (true, false) => format!("{} - 1 - {k}{factor}", b.at(prec::ADD)),
        };
        let value = if s.size() == 8 { value } else { format!("{t}({value})") };
        let name = var.map(|local| {
            let name = self.declare_local(local);
            if position.is_some() && self.module.variant.index == IndexWidth::Bits32 {
                self.bind_narrow(local, name.clone(), position);
            }
            name
        });
        let head = self.head('x', c, &k, &count);
        self.number_iterations(&k);
        self.strided(p, |body| {
            let used = var.is_some_and(|v| body.used_axes.contains(&v));
            let lines = name.filter(|_| used).map(|name| match mutable {
                true => Line::new(0, format!("{t} {name} = {value};"), Kind::Declaration),
                false => Line::constant(0, t, &name, &value),
            });
            (vec![head], lines.into_iter().collect(), domain)
        })
    }

    /// Bounds of the positions of a range, if a counter in 32 bits can stride beyond its end.
    fn narrow_range(&self, a: &Value, b: &Value) -> Option<Interval> {
        let (from, to) = (a.narrow_operand()?, b.narrow_operand()?);
        (from.most.max(to.most) <= Interval::EXTENT.most).then(|| Interval::new(from.least, to.most))
    }

    /// The loops themselves; `heads` gives them once the body is written.
    fn strided(&mut self, p: &ParFor, heads: impl FnOnce(&mut Self) -> Heads) -> Result<Domain> {
        let at = self.lines.len();
        self.source = Some(p.span);
        let mut made = None;
        self.loop_("", p.label, &super::body::Dest::Discard, |body| {
            body.source = None;
            body.loop_body(&p.body)?;
            let (heads, mut lines, domain) = heads(body);
            lines.extend(body.finish_notes());
            let depth = body.depth;
            body.lines
                .splice(0..0, lines.into_iter().map(|line| Line { depth, ..line }));
            made = Some((heads, domain));
            Ok(())
        })?;
        let Some((heads, domain)) = made else {
            return self.unsupported("this loop", p.span);
        };
        let depth = self.depth;
        if let Some((innermost, outer)) = heads.split_last() {
            for line in &mut self.lines[at..] {
                line.depth += outer.len();
            }
            self.lines[at].text = format!("{innermost} {{");
            let source = self.lines[at].source.take();
            let opened = outer
                .iter()
                .enumerate()
                .map(|(k, head)| Line::new(depth + k, format!("{head} {{"), Kind::Statement));
            self.lines.splice(at..at, opened);
            self.lines[at].source = source;
            for k in (0..outer.len()).rev() {
                self.lines.push(Line::new(depth + k, "}".to_owned(), Kind::Close));
            }
        }
        if let Some(many) = self.left_out.take() {
            for line in &mut self.lines[at..] {
                line.depth += 1;
            }
            let open = Line::new(depth, format!("if (!{many}) {{"), Kind::Statement);
            self.lines.insert(at, open);
            self.lines.push(Line::new(depth, "}".to_owned(), Kind::Close));
        }
        if let Some((covered, condition)) = self.cover.take() {
            self.in_versions(at, &covered, &condition);
        }
        Ok(domain)
    }
}

pub(super) fn bound_name(bound: Bound) -> String {
    format!("bound_{}_{}", bound.index, bound.part)
}

/// A place in memory, to be accumulated into.
pub(super) fn memory(text: &str, ty: Type) -> Value {
    Value::new(text, prec::POSTFIX, ty, Effect::Read)
}
