//! Expressions.

use swathe_ir::{AtomicOp, BinOp, Expr, ExprKind, Lit, Scalar, Type, UnOp};

use super::flow::{Flow, Run, bind};
use super::operator::{binary, cast, method, unary};
use super::{Frame, Machine};
use crate::value::{Value, wrap};

impl Machine {
    pub(super) fn expr(&mut self, frame: &mut Frame, e: &Expr) -> Run<Value> {
        self.step();
        Ok(match &e.kind {
            ExprKind::Lit(lit, slot) => match lit {
                Lit::Bool(b) => Value::Bool(*b),
                Lit::Int(n) => literal(frame.ty(*slot), *n as i128, *n as f64),
                Lit::Float(x, single) => match frame.ty(*slot) {
                    Type::Scalar(Scalar::F32) => Value::F32(*single),
                    ty => literal(ty, 0, *x),
                },
            },
            ExprKind::Local(local) => frame.get(*local).clone(),
            ExprKind::Const(slot) => {
                let constant = &frame.instance.consts[slot.0 as usize];
                Value::from_bytes(&constant.ty, &constant.bytes)
            }
            ExprKind::Unary(UnOp::Deref, inner, _) => self.expr(frame, inner)?,
            ExprKind::Unary(op, a, callee) => match self.function(frame, *callee) {
                Some(function) => self.call(frame, &function, &[a])?,
                None => unary(*op, &self.expr(frame, a)?),
            },
            ExprKind::Binary(BinOp::And, a, b, _) => {
                Value::Bool(self.expr(frame, a)?.truth() && self.expr(frame, b)?.truth())
            }
            ExprKind::Binary(BinOp::Or, a, b, _) => {
                Value::Bool(self.expr(frame, a)?.truth() || self.expr(frame, b)?.truth())
            }
            ExprKind::Binary(op, a, b, callee) => match self.function(frame, *callee) {
                Some(function) => self.call(frame, &function, &[a, b])?,
                None => {
                    let (a, b) = (self.expr(frame, a)?, self.expr(frame, b)?);
                    self.operate(frame, *op, &a, &b, e)?
                }
            },
            ExprKind::Assign(place, value) => {
                let value = self.expr(frame, value)?;
                let place = self.place(frame, place)?;
                self.store(frame, &place, value);
                Value::Unit
            }
            ExprKind::AssignOp(op, place, value, callee) => match self.function(frame, *callee) {
                Some(function) => self.call(frame, &function, &[place, value])?,
                None => {
                    let value = self.expr(frame, value)?;
                    let place = self.place(frame, place)?;
                    let old = self.load(frame, &place);
                    let new = self.operate(frame, *op, &old, &value, e)?;
                    self.store(frame, &place, new);
                    Value::Unit
                }
            },
            ExprKind::Cast(a, slot) => {
                let value = self.expr(frame, a)?;
                match frame.ty(*slot) {
                    Type::Scalar(to) => cast(&value, *to),
                    _ => value,
                }
            }
            ExprKind::Member(base, _) | ExprKind::Index(base, _) => {
                if is_place(base) {
                    let place = self.place(frame, e)?;
                    self.load(frame, &place)
                } else {
                    self.part(frame, e)?
                }
            }
            ExprKind::Field(access) => {
                let (field, at) = self.element(frame, access, e.span)?;
                self.fields[field].elements[at].clone()
            }
            ExprKind::FieldLen(field) => Value::size(self.fields[frame.field(*field)].elements.len()),
            ExprKind::FieldShape(field) => {
                let shape = &self.fields[frame.field(*field)].shape;
                Value::Array(shape.iter().map(|n| Value::size(*n)).collect())
            }
            ExprKind::FieldArgument(_) => panic!("a field is passed on by a call"),
            ExprKind::FieldOrigin(field) => {
                let field = &self.fields[frame.field(*field)];
                Value::Array((0..field.shape.len()).map(|axis| isize(field.start(axis))).collect())
            }
            ExprKind::Position(field, axis, a) => {
                let (field, a) = (frame.field(*field), self.expr(frame, a)?);
                let field = &self.fields[field];
                each_axis(&a, *axis as usize, |axis, offset| {
                    isize(field.start(axis).wrapping_add_unsigned(offset.index()))
                })
            }
            ExprKind::Offset(field, axis, a) => {
                let (field, a) = (frame.field(*field), self.expr(frame, a)?);
                let field = &self.fields[field];
                each_axis(&a, *axis as usize, |axis, position| {
                    let position = cast(position, Scalar::Usize).index().cast_signed();
                    Value::size(position.wrapping_sub(field.start(axis)).cast_unsigned())
                })
            }
            ExprKind::Atomic(op, place, args) => {
                let place = self.place(frame, place)?;
                let mut values = Vec::new();
                for arg in args {
                    values.push(self.expr(frame, arg)?);
                }
                let old = self.load(frame, &place);
                if let Some(new) = atomic(*op, &old, &values) {
                    self.store(frame, &place, new);
                }
                if *op == AtomicOp::Store { Value::Unit } else { old }
            }
            ExprKind::Call { callee, name, on, args } => match self.function(frame, Some(*callee)) {
                Some(function) => self.call(frame, &function, &args.iter().collect::<Vec<_>>())?,
                None => {
                    let on = on.map(|slot| frame.ty(slot).clone());
                    let mut values = Vec::new();
                    for arg in args {
                        values.push(self.expr(frame, arg)?);
                    }
                    construct(on.as_ref(), name, values)
                }
            },
            ExprKind::Method {
                receiver,
                name,
                callee,
                args,
            } => match self.function(frame, Some(*callee)) {
                Some(function) => {
                    let all: Vec<&Expr> = std::iter::once(&**receiver).chain(args).collect();
                    self.call(frame, &function, &all)?
                }
                None => {
                    let on = self.expr(frame, receiver)?;
                    let mut values = Vec::new();
                    for arg in args {
                        values.push(self.expr(frame, arg)?);
                    }
                    let divides = match name.as_str() {
                        "div_euclid" => Some(BinOp::Div),
                        "rem_euclid" => Some(BinOp::Rem),
                        _ => None,
                    };
                    if let (Some(op), [divisor]) = (divides, &values[..]) {
                        self.divide(frame, op, &on, divisor, e)?;
                    }
                    method(name, &on, &values)
                }
            },
            ExprKind::Ref { place, .. } => self.expr(frame, place)?,
            ExprKind::Tuple(parts) => Value::Tuple(self.all(frame, parts)?),
            ExprKind::Array(parts, _) => Value::Array(self.all(frame, parts)?),
            ExprKind::Repeat(value, slot) => {
                let value = self.expr(frame, value)?;
                match frame.ty(*slot) {
                    Type::Array(_, n) => Value::Array(vec![value; *n]),
                    other => panic!("an array, not `{other}`"),
                }
            }
            ExprKind::Struct { ty, members, base } => {
                let mut written = Vec::new();
                for (name, e) in members {
                    written.push((name.clone(), self.expr(frame, e)?));
                }
                let base = match base {
                    Some(base) => self.expr(frame, base)?,
                    None => Value::Unit,
                };
                let Type::Struct(ty) = frame.ty(*ty) else {
                    panic!("a struct")
                };
                let value = |name: &str| {
                    let of = |all: &[(String, Value)]| all.iter().find(|(n, _)| n == name).map(|(_, v)| v.clone());
                    let rest = match &base {
                        Value::Struct(all) => of(all),
                        _ => None,
                    };
                    of(&written).or(rest).expect("every member")
                };
                Value::Struct(ty.members.iter().map(|m| (m.name.clone(), value(&m.name))).collect())
            }
            ExprKind::Block(label, block) => match self.block(frame, block) {
                Err(Flow::Break(l, value)) if Some(l) == *label => value,
                other => other?,
            },
            ExprKind::If(cond, then, other) => {
                if self.expr(frame, cond)?.truth() {
                    self.block(frame, then)?
                } else if let Some(other) = other {
                    self.expr(frame, other)?
                } else {
                    Value::Unit
                }
            }
            ExprKind::Match(value, arms) => {
                let value = self.expr(frame, value)?;
                for arm in arms {
                    if !self.matches(frame, &arm.pat, &value) {
                        continue;
                    }
                    if let Some(guard) = &arm.guard
                        && !self.expr(frame, guard)?.truth()
                    {
                        continue;
                    }
                    return self.expr(frame, &arm.body);
                }
                panic!("rustc has seen that an arm matches")
            }
            ExprKind::Loop(label, body) => loop {
                if let Some(value) = self.round(frame, *label, body)? {
                    break value;
                }
            },
            ExprKind::While(label, cond, body) => {
                while self.expr(frame, cond)?.truth() {
                    if self.round(frame, *label, body)?.is_some() {
                        break;
                    }
                }
                Value::Unit
            }
            ExprKind::For(label, pat, range, body) => {
                for value in self.range(frame, range)? {
                    bind(frame, pat, value);
                    if self.round(frame, *label, body)?.is_some() {
                        break;
                    }
                }
                Value::Unit
            }
            ExprKind::Break(label, value) => {
                let value = match value {
                    Some(value) => self.expr(frame, value)?,
                    None => Value::Unit,
                };
                return Err(Flow::Break(*label, value));
            }
            ExprKind::Continue(label) => return Err(Flow::Continue(*label)),
            ExprKind::Print { output, message, args } => self.print(frame, *output, message, args, e)?,
            ExprKind::Fail { message, args } => self.stop(frame, message, args, e)?,
            ExprKind::Return(value) => {
                let value = match value {
                    Some(value) => self.expr(frame, value)?,
                    None => Value::Unit,
                };
                return Err(Flow::Return(value));
            }
        })
    }

    fn all(&mut self, frame: &mut Frame, parts: &[Expr]) -> Run<Vec<Value>> {
        parts.iter().map(|e| self.expr(frame, e)).collect()
    }

    /// A part of a value that lies in no place.
    fn part(&mut self, frame: &mut Frame, e: &Expr) -> Run<Value> {
        let (base, name, index) = match &e.kind {
            ExprKind::Member(base, name) => (base, Some(name), None),
            ExprKind::Index(base, index) => (base, None, Some(index)),
            _ => unreachable!("a part"),
        };
        let value = self.expr(frame, base)?;
        let at = match (name, index, &value) {
            (_, Some(index), _) => self.expr(frame, index)?.index(),
            (Some(name), _, Value::Struct(members)) => members.iter().position(|(n, _)| n == name).expect("a member"),
            (Some(name), _, Value::Vector(_)) => ["x", "y", "z", "w"].iter().position(|c| c == name).expect("one"),
            (Some(name), ..) => name.parse().expect("a number"),
            _ => unreachable!("a part"),
        };
        Ok(match value {
            Value::Struct(members) => members[at].1.clone(),
            Value::Vector(items) | Value::Array(items) | Value::Tuple(items) => items[at].clone(),
            other => panic!("a part of {other:?}"),
        })
    }
}

fn is_place(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Local(_) | ExprKind::Field(_) => true,
        ExprKind::Member(base, _) | ExprKind::Index(base, _) | ExprKind::Unary(UnOp::Deref, base, _) => is_place(base),
        _ => false,
    }
}

fn literal(ty: &Type, n: i128, x: f64) -> Value {
    match ty {
        Type::Scalar(Scalar::F32) => Value::F32(x as f32),
        Type::Scalar(Scalar::F64) => Value::F64(x),
        Type::Scalar(s) => Value::Int(*s, wrap(*s, n)),
        other => panic!("a literal of type `{other}`"),
    }
}

fn isize(n: isize) -> Value {
    Value::Int(Scalar::Isize, n as i128)
}

/// A number on an axis, or one for each, converted.
fn each_axis(value: &Value, axis: usize, convert: impl Fn(usize, &Value) -> Value) -> Value {
    match value {
        Value::Array(parts) => Value::Array(parts.iter().enumerate().map(|(k, part)| convert(k, part)).collect()),
        part => convert(axis, part),
    }
}

/// The new value of an element, if it changes.
fn atomic(op: AtomicOp, old: &Value, args: &[Value]) -> Option<Value> {
    Some(match op {
        AtomicOp::Add => binary(BinOp::Add, old, &args[0]),
        AtomicOp::Sub => binary(BinOp::Sub, old, &args[0]),
        AtomicOp::And => binary(BinOp::BitAnd, old, &args[0]),
        AtomicOp::Or => binary(BinOp::BitOr, old, &args[0]),
        AtomicOp::Xor => binary(BinOp::BitXor, old, &args[0]),
        AtomicOp::Min => method("min", old, &args[..1]),
        AtomicOp::Max => method("max", old, &args[..1]),
        AtomicOp::Exchange | AtomicOp::Store => args[0].clone(),
        AtomicOp::CompareExchange => {
            if !old.same(&args[0]) {
                return None;
            }
            args[1].clone()
        }
        AtomicOp::Load => return None,
    })
}

fn construct(on: Option<&Type>, name: &str, mut values: Vec<Value>) -> Value {
    match (on, name) {
        (Some(Type::Vector(..)), "new") => Value::Vector(values),
        (Some(Type::Vector(_, n)), "splat") => Value::Vector(vec![values.remove(0); *n]),
        (Some(Type::Vector(..)), "from_array") => match values.remove(0) {
            Value::Array(items) => Value::Vector(items),
            other => panic!("an array, not {other:?}"),
        },
        (Some(Type::Scalar(to)), _) if name.starts_with("from_") => cast(&values[0], *to),
        (Some(_), _) => {
            let on = values.remove(0);
            method(name, &on, &values)
        }
        _ => panic!("no built-in function `{name}`"),
    }
}
