//! Places: variables, members, components and elements.

use swathe_ir::{Expr, ExprKind, Scalar, Type, UnOp};

use super::Result;
use super::body::{Binding, Body, Bounds, Form};
use super::cells::Trail;
use super::condition::Term;
use super::literal;
use super::source::SiteKind;
use super::types;
use super::typing::member_type;
use super::value::{Effect, Low, Value, prec};
use crate::collision::AccessKind;

impl Body<'_> {
    /// The value of a place, or of a member or element of a value.
    pub(super) fn read(&mut self, e: &Expr) -> Result<Value> {
        let mut value = self.part(e, false)?;
        if let Some(trail) = value.trail.take() {
            self.note(&trail, AccessKind::Read);
        }
        Ok(value)
    }

    /// The same, as a place to write to if `write`.
    pub(super) fn part(&mut self, e: &Expr, write: bool) -> Result<Value> {
        if let ExprKind::Local(local) = &e.kind
            && let ty = self.local_type(*local)
            && types::is_empty(&ty)
        {
            return Ok(self.nothing(&ty, write));
        }
        let part = self.part_with_size(e, write)?;
        Ok(match types::is_empty(&part.ty) {
            true => Value {
                trail: part.trail,
                ..self.nothing(&part.ty, write)
            },
            false => part,
        })
    }

    /// A value without size, which is not in the memory of what it is a part of.
    pub(super) fn nothing(&mut self, ty: &Type, write: bool) -> Value {
        if *ty == Type::Unit {
            return Value::new("", prec::ATOM, Type::Unit, Effect::Stable);
        }
        let t = self.module.ty(ty);
        if write {
            let name = self.declare("nothing");
            self.line(format!("{t} {name} = {t}{{}};"));
            return Value::name(name, ty.clone(), false);
        }
        Value::new(format!("{t}{{}}"), prec::POSTFIX, ty.clone(), Effect::Stable)
    }

    fn part_with_size(&mut self, e: &Expr, write: bool) -> Result<Value> {
        if let Some(place) = self.planar(e)? {
            let value = self.planar_value(&place);
            return Ok(Value {
                trail: place.trail,
                ..value
            });
        }
        match &e.kind {
            ExprKind::Local(local) => match self.locals.get(local).cloned() {
                Some(Binding::Name {
                    text,
                    stable,
                    bounds,
                    form,
                }) => {
                    if let Some(param) = self.value_params.get(local) {
                        self.used.values.insert(*param);
                    }
                    self.used_axes.insert(*local);
                    self.use_frame_of(*local);
                    let arithmetic = form != Form::Value { arithmetic: false };
                    let value = Value::name(text, self.local_type(*local), stable).with_arithmetic(arithmetic);
                    Ok(match bounds {
                        Bounds::Unknown => value,
                        Bounds::Narrow(bounds) => Value {
                            narrow: Some(self.tightened(&value.text, bounds)),
                            ..value
                        },
                        Bounds::Low(bounds) => Value {
                            low: Some(Low::of_constant(&value.text, bounds)),
                            ..value
                        },
                    })
                }
                Some(Binding::Literal(v)) => Ok(literal::int(
                    v,
                    self.local_type(*local).scalar().unwrap_or(Scalar::Usize),
                    false,
                )),
                Some(Binding::Axes(axes)) => {
                    let ty = self.local_type(*local);
                    let spelled = self.module.ty(&ty);
                    self.used_axes.insert(*local);
                    let axes: Vec<&str> = axes.iter().map(|axis| axis.text.as_str()).collect();
                    Ok(Value::new(
                        format!("{spelled}{{{{{}}}}}", axes.join(", ")),
                        prec::POSTFIX,
                        ty,
                        Effect::Stable,
                    ))
                }
                Some(Binding::Field(_)) | None => self.unsupported("a field that is not indexed", e.span),
            },
            ExprKind::Member(a, name) => {
                let a = self.base(a, write)?;
                let Some(ty) = member_type(&a.ty, name) else {
                    return self.unsupported(format!("member `{name}` of `{}`", a.ty), e.span);
                };
                if types::is_empty(&ty) {
                    self.evaluate(a);
                    return Ok(Value::new("", prec::ATOM, ty, Effect::Stable));
                }
                let text = format!("{}.{}", a.at(prec::POSTFIX), types::member_name(&a.ty, name));
                let trail = Trail::member(a.trail, &a.ty, name);
                Ok(Value {
                    trail,
                    arithmetic: a.arithmetic,
                    ..Value::new(text, prec::POSTFIX, ty, a.effect)
                })
            }
            ExprKind::Index(a, index) => self.index(a, index, write),
            ExprKind::Field(access) => self.element(access, e.span),
            _ => self.lower(e),
        }
    }

    fn base(&mut self, e: &Expr, write: bool) -> Result<Value> {
        match &e.kind {
            ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Field(_) => self.part(e, write),
            _ if write => self.place(e),
            _ => self.lower(e),
        }
    }

    /// A place to assign to or to pass by reference; a value that is no place gets a variable.
    pub(super) fn place(&mut self, e: &Expr) -> Result<Value> {
        match &e.kind {
            ExprKind::Local(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Field(_) => {
                let mut place = self.part(e, true)?;
                if let Some(trail) = place.trail.take() {
                    self.note(&trail, AccessKind::Write);
                }
                Ok(place)
            }
            ExprKind::Unary(UnOp::Deref, a, _) => self.place(a),
            ExprKind::Ref { place, .. } => self.place(place),
            // A block is no place, and be there nothing but a place in it.
            _ => {
                let value = self.lower(e)?;
                let name = self.declare("value");
                let spelled = self.module.ty(&value.ty);
                self.effect(format!("{spelled} {name} = {};", value.text));
                Ok(Value::name(name, value.ty, false))
            }
        }
    }

    fn index(&mut self, a: &Expr, index: &Expr, write: bool) -> Result<Value> {
        if let (ExprKind::Local(local), Some(k)) = (&a.kind, self.constant_int(index))
            && let Some(Binding::Axes(axes)) = self.locals.get(local)
            && let Some(axis) = usize::try_from(k).ok().and_then(|k| axes.get(k))
        {
            let axis = self.axis(axis);
            self.used_axes.insert(*local);
            return Ok(axis);
        }
        if let (ExprKind::FieldShape(field), Some(axis)) = (&a.kind, self.constant_int(index))
            && let Ok(axis) = usize::try_from(axis)
            && axis < self.field(*field, index.span)?.extents.len()
        {
            return self.extent(*field, axis, index.span);
        }
        if let (ExprKind::FieldOrigin(field), Some(axis)) = (&a.kind, self.constant_int(index))
            && let Ok(axis) = usize::try_from(axis)
            && axis < self.field(*field, index.span)?.starts.len()
        {
            return self.start(*field, axis, index.span);
        }
        if let ExprKind::Array(position, _) = &index.kind {
            let [r, c] = position.as_slice() else {
                return self.unsupported("this index of a matrix", index.span);
            };
            let mut a = self.base(a, write)?;
            let trail = a.trail.take();
            let mark = self.mark();
            let [r, c] = self.pair(r, c)?;
            let a = if write {
                a
            } else {
                self.before(a, mark, r.effect.max(c.effect))
            };
            let Type::Matrix(s, rows, columns) = a.ty else {
                return self.unsupported(format!("a pair as the index of `{}`", a.ty), index.span);
            };
            let mut position = vec![r, c];
            self.check_index(&mut position, &[rows, columns], index.span)?;
            let a = if write { a } else { self.before(a, mark, Effect::Stable) };
            let text = format!("{}.m[{}][{}]", a.at(prec::POSTFIX), position[0].text, position[1].text);
            let effect = position.iter().fold(a.effect, |e, p| e.max(p.effect));
            return Ok(Value {
                trail,
                ..Value::new(text, prec::POSTFIX, Type::Scalar(s), effect)
            });
        }
        let mut a = self.base(a, write)?;
        let trail = a.trail.take();
        let mark = self.mark();
        let k = self.lower(index)?;
        let a = if write { a } else { self.before(a, mark, k.effect) };
        let (ty, n) = match &a.ty {
            Type::Array(t, n) => ((**t).clone(), *n),
            Type::Vector(s, n) => (Type::Scalar(*s), *n),
            _ => return self.unsupported(format!("an index of `{}`", a.ty), index.span),
        };
        let mut position = vec![k];
        self.check_index(&mut position, &[n], index.span)?;
        // What it does is done when the index is out of bounds.
        let a = if write { a } else { self.before(a, mark, Effect::Stable) };
        if n == 0 && !types::is_empty(&ty) {
            // Not reached.
            let (t, name) = (self.module.ty(&ty), self.declare("nothing"));
            self.line(format!("{t} {name};"));
            return Ok(Value::name(name, ty, false));
        }
        let k = &position[0];
        let base = a.at(prec::POSTFIX);
        // Of a component of a variable.
        let arithmetic = a.arithmetic && matches!(a.ty, Type::Vector(_, ..=4)) && k.lit.is_some();
        let text = match (&a.ty, k.lit) {
            (Type::Vector(_, n), Some(k)) if *n <= 4 => {
                // One that it does not have is not reached.
                let components = &["x", "y", "z", "w"][..*n];
                let component = usize::try_from(k).ok().and_then(|k| components.get(k)).unwrap_or(&"x");
                format!("{base}.{component}")
            }
            (Type::Vector(s, n), None) if *n <= 4 => {
                let spelled = self.module.ty(&a.ty);
                let component = self.module.component(&spelled, *s, write);
                format!("{component}({}, {})", a.text, k.text)
            }
            _ => format!("{base}.v[{}]", k.text),
        };
        Ok(Value {
            trail: Trail::element(trail, &a.ty, k),
            arithmetic,
            ..Value::new(text, prec::POSTFIX, ty, a.effect.max(k.effect))
        })
    }

    /// Checks the index of an array, vector or matrix, whose extents are known, unless it is a literal.
    pub(super) fn check_index(&mut self, position: &mut [Value], shape: &[usize], span: swathe_ir::Span) -> Result<()> {
        let inside = |(p, n): (&Value, &usize)| p.lit.is_some_and(|k| (0..*n as i128).contains(&k));
        if position.iter().zip(shape).all(inside) || self.bounded(position, shape) {
            self.settle_position(position);
            return Ok(());
        }
        let extents: Vec<Term> = shape.iter().map(|n| Term::Number(*n as i128)).collect();
        self.check(position, &extents, SiteKind::Array { shape: shape.to_vec() }, span);
        Ok(())
    }

    /// Whether every index is the counter of a loop that ends within the extent.
    fn bounded(&self, position: &[Value], shape: &[usize]) -> bool {
        position.iter().zip(shape).all(|(p, n)| {
            p.lit.is_some_and(|k| (0..*n as i128).contains(&k))
                || self
                    .bounds
                    .iter()
                    .any(|(name, end)| *name == p.text && *end <= *n as i128)
        })
    }
}
