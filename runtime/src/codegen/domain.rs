//! The loop over the domain of a parallel loop: threads stride over it.

use swathe_ir::{Domain, ExprKind, Lit, LocalId, ParFor, Range, Scalar, Type};

use super::Result;
use super::body::{Binding, Body};
use super::phase::{Bound, parts};
use super::scalar;
use super::source::DomainSize;
use super::value::{Effect, Value, prec};

const USIZE: Type = Type::Scalar(Scalar::Usize);

impl Body<'_> {
    /// Writes the loop; `hoisted` are the bounds that stand in the frame.
    pub(super) fn par_for(&mut self, index: usize, p: &ParFor, hoisted: &[Bound]) -> Result<DomainSize> {
        self.module.threads();
        self.hoisted = p.hoisted.clone();
        let mut bounds = Vec::new();
        for (part, e) in parts(&p.domain).into_iter().enumerate() {
            let bound = Bound { index, part };
            bounds.push(if hoisted.contains(&bound) {
                self.used.frame = true;
                let Some(ty) = self.type_of(e)? else {
                    return self.unsupported("this bound", e.span);
                };
                let value = Value::name(format!("frame->{}", bound_name(bound)), ty, false);
                self.store(value, ["start", "end", "step"].get(part).unwrap_or(&"extent"))
            } else {
                Self::settled(self.lower(e)?)
            });
        }
        match &p.domain {
            Domain::Indices(field) => {
                let mut extents = Vec::new();
                let rank = match self.local_type(*field) {
                    Type::Field(_, rank) => rank,
                    _ => 0,
                };
                for axis in 0..rank {
                    extents.push(self.extent(*field, axis, p.span)?);
                }
                self.grid(p, extents, Some(*field))?;
            }
            Domain::NdRange(_) => {
                let extents = bounds.into_iter().map(|b| self.simple(b, "extent")).collect();
                self.grid(p, extents, None)?;
            }
            Domain::Range(range) => self.line_of(p, range, &bounds)?,
        }
        Ok(self.domain_size(p))
    }

    fn domain_size(&self, p: &ParFor) -> DomainSize {
        let param = |local: &LocalId| match self.locals.get(local) {
            Some(Binding::Field(f)) => Some(f.param),
            _ => self.value_params.get(local).copied(),
        };
        match &p.domain {
            Domain::Indices(field) => param(field).map_or(DomainSize::Device, DomainSize::Elements),
            Domain::Range(r)
                if matches!(r.start.kind, ExprKind::Lit(Lit::Int(0), _)) && !r.inclusive && r.step.is_none() =>
            {
                match &r.end.kind {
                    ExprKind::FieldLen(field) => param(field).map_or(DomainSize::Device, DomainSize::Elements),
                    ExprKind::Local(local) if self.local_type(*local) == USIZE => {
                        param(local).map_or(DomainSize::Device, DomainSize::Value)
                    }
                    _ => DomainSize::Device,
                }
            }
            _ => DomainSize::Device,
        }
    }

    fn is_mutable(&self, local: LocalId) -> bool {
        self.instance.func.locals[local.0 as usize].mutable
    }

    /// A loop over all positions of a shape, the last axis fastest.
    fn grid(&mut self, p: &ParFor, extents: Vec<Value>, field: Option<LocalId>) -> Result<()> {
        let rank = extents.len();
        if let ([extent], [var]) = (extents.as_slice(), p.vars.as_slice())
            && var.is_none_or(|l| !self.is_mutable(l) && self.local_type(l) == USIZE)
        {
            let i = match var {
                Some(local) => self.declare_local(*local),
                None => self.declare("i"),
            };
            self.axes.extend(field.map(|_| i.clone()));
            self.own = field.zip(*var).map(|(f, v)| (f, vec![v], i.clone()));
            let end = extent.at(prec::RELATION + 1);
            return self.strided(
                p,
                &format!("for (usize {i} = thread_index(); {i} < {end}; {i} += thread_count())"),
                |_| Ok(Vec::new()),
            );
        }

        let flat = self.declare("flat");
        let count = extents
            .iter()
            .map(|e| e.at(prec::MUL + 1))
            .collect::<Vec<_>>()
            .join(" * ");
        let count = if rank == 0 { "1".to_owned() } else { count };
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
            self.locals
                .insert(local, Binding::Axes(axes.iter().map(|(_, n)| n.clone()).collect()));
        } else {
            for var in &p.vars {
                let name = match var {
                    Some(local) => self.declare_local(*local),
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
        let head = format!("for (usize {flat} = thread_index(); {flat} < {count}; {flat} += thread_count())");
        self.strided(p, &head, |body| {
            let used: Vec<bool> = axes
                .iter()
                .map(|(var, _)| match (var, whole) {
                    (_, Some(local)) => body.used_axes.contains(&local),
                    (Some(var), None) => body.used_axes.contains(var),
                    _ => false,
                })
                .collect();
            let mut lines = Vec::new();
            for (axis, (var, name)) in axes.iter().enumerate() {
                if !used[axis] {
                    continue;
                }
                let stride: Vec<_> = extents[axis + 1..].iter().map(|e| e.at(prec::MUL + 1)).collect();
                let text = match (axis, stride.as_slice()) {
                    (0, []) => flat.clone(),
                    (0, [one]) => format!("{flat} / {one}"),
                    (0, _) => format!("{flat} / ({})", stride.join(" * ")),
                    // One division serves both axes.
                    (1, []) if used[0] => format!("{flat} - {} * {}", axes[0].1, extents[1].at(prec::MUL + 1)),
                    (_, []) => format!("{flat} % {}", extents[axis].at(prec::MUL + 1)),
                    (_, [one]) => format!("{flat} / {one} % {}", extents[axis].at(prec::MUL + 1)),
                    _ => format!(
                        "{flat} / ({}) % {}",
                        stride.join(" * "),
                        extents[axis].at(prec::MUL + 1)
                    ),
                };
                let qualifier = if var.is_some_and(|v| body.is_mutable(v)) {
                    ""
                } else {
                    "const "
                };
                lines.push(format!("{qualifier}usize {name} = {text};"));
            }
            Ok(lines)
        })
    }

    /// A loop over a range.
    fn line_of(&mut self, p: &ParFor, range: &Range, bounds: &[Value]) -> Result<()> {
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
        if plain && matches!(s, Scalar::Usize | Scalar::U64) {
            let i = match var {
                Some(local) => self.declare_local(local),
                None => self.declare("i"),
            };
            let start = if a.lit == Some(0) {
                "thread_index()".into()
            } else {
                format!("{} + thread_index()", a.at(prec::ADD))
            };
            let t = scalar::name(s);
            let end = b.at(prec::RELATION + 1);
            return self.strided(
                p,
                &format!("for ({t} {i} = {start}; {i} < {end}; {i} += thread_count())"),
                |_| Ok(Vec::new()),
            );
        }

        let a = self.simple(a.clone(), "start");
        let u = scalar::name(scalar::unsigned(s));
        let (op, extra) = if range.inclusive { ("<=", " + 1") } else { ("<", "") };
        let (left, right) = (Self::exact(a.clone()), b.at(prec::RELATION + 1));
        let length = if a.lit == Some(0) {
            format!("usize({}){extra}", b.text)
        } else {
            format!("usize({u}({}) - {u}({})){extra}", b.text, a.text)
        };
        let count = self.declare("count");
        let always = range.inclusive && a.lit == Some(0) && !s.is_signed();
        let nonempty = format!("{} {op} {right}", left.at(prec::RELATION + 1));
        let mut factor = String::new();
        let mut total = if always {
            length
        } else {
            format!("{nonempty} ? {length} : 0")
        };
        if let Some(step) = bounds.get(2) {
            let step = if step.lit.is_some_and(|v| v > 0) {
                step.clone()
            } else {
                let step = self.simple(step.clone(), "step");
                self.zero_step_guard(&step, range);
                step
            };
            let all = self.declare("length");
            self.line(format!("const usize {all} = {total};"));
            total = format!("{all} / {0} + ({all} % {0} != 0)", step.at(prec::MUL + 1));
            factor = format!(" * {}", step.at(prec::MUL + 1));
        }
        self.line(format!("const usize {count} = {total};"));
        let k = self.declare("k");
        let t = scalar::name(s);
        let value = match (range.reverse, range.inclusive) {
            (false, _) if a.lit == Some(0) => format!("{k}{factor}"),
            (false, _) => format!("{} + {k}{factor}", a.at(prec::ADD)),
            (true, true) => format!("{} - {k}{factor}", b.at(prec::ADD)),
            (true, false) => format!("{} - 1 - {k}{factor}", b.at(prec::ADD)),
        };
        let value = if s.size() == 8 { value } else { format!("{t}({value})") };
        let name = var.map(|local| self.declare_local(local));
        let head = format!("for (usize {k} = thread_index(); {k} < {count}; {k} += thread_count())");
        self.strided(p, &head, |body| {
            let used = var.is_some_and(|v| body.used_axes.contains(&v));
            let qualifier = if mutable { "" } else { "const " };
            Ok(name
                .filter(|_| used)
                .map(|name| format!("{qualifier}{t} {name} = {value};"))
                .into_iter()
                .collect())
        })
    }

    fn zero_step_guard(&mut self, step: &Value, range: &Range) {
        let span = range.step.as_ref().map_or(range.start.span, |s| s.span);
        let file = self.instance.func.file.clone();
        let site = self.module.site(super::source::SiteKind::ZeroStep, &file, span);
        self.module.report("zero_step");
        self.fails = true;
        let zero = step.at(prec::RELATION).into_owned();
        // One report for the loop, not one for each thread.
        self.line(format!("if ({zero} == 0) {{"));
        self.depth += 1;
        self.line(format!("if (thread_index() == 0) zero_step({}, {site});", self.errors));
        self.line("return;");
        self.depth -= 1;
        self.line("}");
    }

    /// The loop itself; `first` gives lines for the start of its body, once the body is written.
    fn strided(&mut self, p: &ParFor, head: &str, first: impl FnOnce(&Self) -> Result<Vec<String>>) -> Result<()> {
        let at = self.lines.len();
        self.source = Some(p.span.line);
        self.loop_(head, p.label, &super::body::Dest::Discard, |body| {
            body.source = None;
            body.loop_body(&p.body)?;
            let lines = first(body)?;
            let depth = body.depth;
            body.lines.splice(
                0..0,
                lines.into_iter().map(|text| super::text::Line {
                    depth,
                    text,
                    source: None,
                    pure: true,
                }),
            );
            Ok(())
        })?;
        let depth = self.depth;
        let covers = std::mem::take(&mut self.prologue);
        self.lines.splice(
            at..at,
            covers.into_iter().map(|(name, condition)| super::text::Line {
                depth,
                text: format!("const bool {name} = {condition};"),
                source: None,
                pure: true,
            }),
        );
        Ok(())
    }
}

pub(super) fn bound_name(bound: Bound) -> String {
    format!("bound_{}_{}", bound.index, bound.part)
}

/// A place in memory, to be accumulated into.
pub(super) fn memory(text: &str, ty: Type) -> Value {
    Value::new(text, prec::POSTFIX, ty, Effect::Read)
}
