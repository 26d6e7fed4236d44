//! Offset fields: positions that count from an origin.

use swathe_ir::{BinOp, Cover, Expr, ExprKind, Extent, LocalId, Scalar, Span, Type};

use super::Result;
use super::body::{Binding, Body};
use super::value::{Effect, Value, prec};

const USIZE: Type = Type::Scalar(Scalar::Usize);
const ISIZE: Type = Type::Scalar(Scalar::Isize);

/// The type of a position of that form, of other scalars.
pub(super) fn of(ty: &Type, scalar: Scalar) -> Type {
    match ty {
        Type::Array(_, rank) => Type::Array(Box::new(Type::Scalar(scalar)), *rank),
        _ => Type::Scalar(scalar),
    }
}

impl Body<'_> {
    /// Position of a field's first element along an axis.
    pub(super) fn start(&mut self, field: LocalId, axis: usize, span: Span) -> Result<Value> {
        let f = self.field(field, span)?;
        match f.starts.get(axis) {
            Some(name) => {
                self.used.starts.insert((f.param, axis));
                Ok(Value::name(name.clone(), ISIZE, true))
            }
            None => self.unsupported(format!("axis {axis} of `{}`", f.name), span),
        }
    }

    pub(super) fn field_origin(&mut self, field: LocalId, span: Span) -> Result<Value> {
        let rank = self.field(field, span)?.starts.len();
        let starts = (0..rank).map(|axis| self.start(field, axis, span));
        let starts = starts.collect::<Result<Vec<_>>>()?;
        Ok(self.array(&starts, Scalar::Isize))
    }

    fn array(&mut self, parts: &[Value], scalar: Scalar) -> Value {
        let ty = Type::Array(Box::new(Type::Scalar(scalar)), parts.len());
        let spelled = self.module.ty(&ty);
        let effect = parts.iter().fold(Effect::Stable, |e, part| e.max(part.effect));
        let parts: Vec<String> = parts.iter().map(|part| Self::exact(part.clone()).text).collect();
        Value::new(
            format!("{spelled}{{{{{}}}}}", parts.join(", ")),
            prec::POSTFIX,
            ty,
            effect,
        )
    }

    /// From a distance to a position, `to` being `isize`; or from a position to a distance, `to` being `usize`.
    pub(super) fn across_origin(&mut self, field: LocalId, axis: u32, e: &Expr, to: Scalar) -> Result<Value> {
        let Some(Type::Array(_, rank)) = self.type_of(e)? else {
            let value = self.lower(e)?;
            return self.moved(field, axis as usize, value, to, e.span);
        };
        let parts = match &e.kind {
            ExprKind::Local(local) if matches!(self.locals.get(local), Some(Binding::Axes(_))) => {
                let Some(Binding::Axes(axes)) = self.locals.get(local).cloned() else {
                    return self.unsupported("this position", e.span);
                };
                self.used_axes.insert(*local);
                axes.iter().map(|axis| self.axis(axis)).collect()
            }
            _ => {
                let whole = self.lower(e)?;
                let whole = self.simple(whole, "position");
                let part = |k| {
                    Value::new(
                        format!("{}.v[{k}]", whole.at(prec::POSTFIX)),
                        prec::POSTFIX,
                        if to == Scalar::Isize { USIZE } else { ISIZE },
                        whole.effect,
                    )
                };
                (0..rank).map(part).collect::<Vec<_>>()
            }
        };
        let parts = parts.into_iter().enumerate();
        let parts = parts.map(|(k, part)| self.moved(field, k, part, to, e.span));
        let parts = parts.collect::<Result<Vec<_>>>()?;
        Ok(self.array(&parts, to))
    }

    fn moved(&mut self, field: LocalId, axis: usize, value: Value, to: Scalar, span: Span) -> Result<Value> {
        let start = self.start(field, axis, span)?;
        let to_type = Type::Scalar(to);
        let value = self.cast(value, &to_type, span)?;
        let start = self.cast(start, &to_type, span)?;
        let op = if to == Scalar::Isize { BinOp::Add } else { BinOp::Sub };
        self.binary(op, value, start, span)
    }

    /// The conditions that a cover of an offset field by another one is; `None` for others.
    pub(super) fn covered_ranges(&mut self, cover: &Cover, span: Span) -> Result<Option<Vec<String>>> {
        let (other, axes) = match cover.extent {
            Extent::Range(other, of, by) => (other, vec![(cover.axis as usize, of as usize, by.cast_signed())]),
            Extent::Ranges(other) => {
                let rank = self.field(cover.field, span)?.extents.len();
                (other, (0..rank).map(|axis| (axis, axis, 0)).collect())
            }
            _ => return Ok(None),
        };
        let usize = self.module.ty(&USIZE);
        let mut conditions = Vec::new();
        for (axis, of, by) in axes {
            let (inner, outer) = (
                self.start(other, of, span)?.text,
                self.start(cover.field, axis, span)?.text,
            );
            let (inside, extent) = (
                self.extent(other, of, span)?.text,
                self.extent(cover.field, axis, span)?.text,
            );
            // A start before the other one wraps to what no extent reaches.
            let mut before = format!("{usize}({inner}) - {usize}({outer})");
            match by {
                0 => {}
                1.. => before.push_str(&format!(" + {by}")),
                _ => before.push_str(&format!(" - {}", by.unsigned_abs())),
            }
            conditions.push(format!("{before} <= {extent}"));
            conditions.push(format!("{inside} <= {extent} - ({before})"));
        }
        Ok(Some(conditions))
    }
}
