//! Expressions: one arm for each kind.

use swathe_ir::{BinOp, Expr, ExprKind, Lit, Scalar, Type, TypeSlot, UnOp};

use super::Result;
use super::body::{Binding, Body, Dest};
use super::literal;
use super::value::{Effect, Value, prec};
use crate::kernel::Callee;

impl Body<'_> {
    /// Lowers an expression to one of C++, after lines of what does not fit into one.
    pub(super) fn lower(&mut self, e: &Expr) -> Result<Value> {
        if let Some(value) = self.lower_flat(e)? {
            return Ok(value);
        }
        let Some(ty) = self.type_of(e)? else {
            // It never has a value.
            self.lower_to(e, &Dest::Discard)?;
            return Ok(literal::number(0, Scalar::I32));
        };
        if ty == Type::Unit {
            self.lower_to(e, &Dest::Discard)?;
            return Ok(Value::new("", prec::ATOM, Type::Unit, Effect::Stable));
        }
        let name = self.declare("value");
        let spelled = self.module.ty(&ty);
        self.declaration(format!("{spelled} {name};"));
        self.lower_to(e, &Dest::Var(name.clone()))?;
        Ok(Value::name(name, ty, true))
    }

    /// Lowers an expression unless it needs statements with a destination.
    pub(super) fn lower_flat(&mut self, e: &Expr) -> Result<Option<Value>> {
        Ok(Some(match &e.kind {
            ExprKind::Block(None, block) if block.stmts.is_empty() && block.tail.is_some() => {
                let Some(tail) = &block.tail else { return Ok(None) };
                return self.lower_flat(tail);
            }
            ExprKind::If(cond, then, Some(other)) => return self.ternary(cond, then, other),
            ExprKind::Block(..)
            | ExprKind::If(..)
            | ExprKind::Match(..)
            | ExprKind::Loop(..)
            | ExprKind::While(..)
            | ExprKind::For(..)
            | ExprKind::Break(..)
            | ExprKind::Continue(..)
            | ExprKind::Return(..)
            | ExprKind::Fail { .. }
            | ExprKind::Print { .. }
            | ExprKind::Assign(..)
            | ExprKind::AssignOp(..) => return Ok(None),
            ExprKind::Lit(lit, slot) => self.literal(*lit, self.slot(*slot)),
            ExprKind::Member(..) | ExprKind::Index(..) if let Some((ty, bytes)) = self.constant_part(e) => {
                self.constant(&ty, &bytes)
            }
            ExprKind::Local(_) | ExprKind::Member(..) | ExprKind::Index(..) | ExprKind::Field(_) => self.read(e)?,
            ExprKind::Const(slot) => match self.instance.consts.get(slot.0 as usize) {
                Some(value) => {
                    let value = value.clone();
                    self.constant(&value.ty, &value.bytes)
                }
                None => return self.unsupported("a constant without a value", e.span),
            },
            ExprKind::Unary(UnOp::Deref, a, _) => self.lower(a)?,
            ExprKind::Unary(op, a, callee) => match self.user_function(*callee) {
                Some(func) => self.call_function(&func, &[a], e.span)?,
                None => match (op, &a.kind) {
                    (UnOp::Neg, ExprKind::Lit(Lit::Int(v), slot)) if self.literal_int(0, *slot).is_some() => {
                        self.literal(Lit::Int((-v.cast_signed()).cast_unsigned()), self.slot(*slot))
                    }
                    _ => {
                        let a = self.lower(a)?;
                        self.unary(*op, a, e.span)?
                    }
                },
            },
            ExprKind::Binary(op @ (BinOp::And | BinOp::Or), a, b, _) => self.short_circuit(*op, a, b)?,
            ExprKind::Binary(op, a, b, callee) => match self.user_function(*callee) {
                Some(func) => self.call_function(&func, &[a, b], e.span)?,
                None => {
                    let [a, b] = self.pair(a, b)?;
                    self.binary(*op, a, b, e.span)?
                }
            },
            ExprKind::Cast(a, slot) => {
                let a = self.lower(a)?;
                let to = self.slot(*slot);
                self.cast(a, &to, e.span)?
            }
            ExprKind::FieldLen(field) => self.field_len(*field, e.span)?,
            ExprKind::FieldShape(field) => self.field_shape(*field, e.span)?,
            ExprKind::FieldArgument(_) => return self.unsupported("a field that is no argument of a function", e.span),
            ExprKind::FieldOrigin(field) => self.field_origin(*field, e.span)?,
            ExprKind::Position(field, axis, a) => self.across_origin(*field, *axis, a, Scalar::Isize)?,
            ExprKind::Offset(field, axis, a) => self.across_origin(*field, *axis, a, Scalar::Usize)?,
            ExprKind::Atomic(op, place, args) => self.atomic(*op, place, args, e.span)?,
            ExprKind::Call { callee, name, on, args } => self.call(*callee, name, *on, args, e.span)?,
            ExprKind::Method {
                receiver,
                name,
                callee,
                args,
            } => self.method(receiver, name, *callee, args, e.span)?,
            ExprKind::Ref { mutable: false, place } => self.lower(place)?,
            ExprKind::Ref { place, .. } => self.place(place)?,
            ExprKind::Tuple(items) => {
                let Some(ty) = self.type_of(e)? else { return Ok(None) };
                self.aggregate(items, &ty)?
            }
            ExprKind::Array(items, slot) => {
                let ty = self.slot(*slot);
                self.aggregate(items, &ty)?
            }
            ExprKind::Repeat(value, slot) => {
                let ty = self.slot(*slot);
                self.repeat(value, &ty)?
            }
            ExprKind::Struct { ty, members, base } => {
                let ty = self.slot(*ty);
                self.struct_literal(&ty, members, base.as_deref(), e.span)?
            }
        }))
    }

    pub(super) fn pair(&mut self, a: &Expr, b: &Expr) -> Result<[Value; 2]> {
        let mut values = self.sequence(&[a, b])?.into_iter();
        match (values.next(), values.next()) {
            (Some(a), Some(b)) => Ok([a, b]),
            _ => self.unsupported("an operator without operands", a.span),
        }
    }

    /// The function of the user that stands behind an operator.
    pub(super) fn user_function(&self, callee: Option<swathe_ir::CalleeSlot>) -> Option<crate::kernel::FuncRef> {
        match self.instance.callees.get(callee?.0 as usize) {
            Some(Callee::Func(func)) => Some(*func),
            _ => None,
        }
    }

    fn literal(&self, lit: Lit, ty: Type) -> Value {
        let scalar = ty.scalar();
        match (lit, scalar) {
            (Lit::Bool(v), _) => literal::bool(v),
            (Lit::Int(v), Some(s)) => literal::number(literal::wrapped(v.cast_signed(), s), s),
            (Lit::Int(v), None) => literal::int(v.cast_signed(), Scalar::I32, false),
            (Lit::Float(_, v), Some(Scalar::F32)) => literal::float(f64::from(v), Scalar::F32),
            (Lit::Float(v, _), s) => literal::float(v, s.unwrap_or(Scalar::F64)),
        }
    }

    /// A literal, which Rust wraps where it lets one be out of range.
    fn literal_int(&self, v: i128, slot: TypeSlot) -> Option<i128> {
        match self.slot(slot) {
            Type::Scalar(s) if s.is_int() => Some(literal::wrapped(v, s)),
            _ => None,
        }
    }

    /// Value of an integer expression that the compiler of the user's program knows.
    pub(super) fn constant_int(&self, e: &Expr) -> Option<i128> {
        match &e.kind {
            ExprKind::Lit(Lit::Int(v), slot) => self.literal_int(v.cast_signed(), *slot),
            ExprKind::Const(slot) => {
                let value = self.instance.consts.get(slot.0 as usize)?;
                let Type::Scalar(s) = value.ty else { return None };
                literal::from_bytes(&value.bytes, s).lit
            }
            ExprKind::Local(local) => match self.locals.get(local)? {
                Binding::Literal(v) => Some(*v),
                _ => None,
            },
            ExprKind::Unary(UnOp::Neg, a, _) => match a.kind {
                ExprKind::Lit(Lit::Int(v), slot) => self.literal_int(-v.cast_signed(), slot),
                _ => Some(-self.constant_int(a)?),
            },
            ExprKind::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b, _) => {
                let (a, b) = (self.constant_int(a)?, self.constant_int(b)?);
                let v = match op {
                    BinOp::Add => a.checked_add(b)?,
                    BinOp::Sub => a.checked_sub(b)?,
                    _ => a.checked_mul(b)?,
                };
                (0..1 << 31).contains(&v).then_some(v)
            }
            ExprKind::Block(None, block) if block.stmts.is_empty() => self.constant_int(block.tail.as_ref()?),
            _ => None,
        }
    }
}
