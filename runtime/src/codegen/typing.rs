//! Types of expressions, from the leaves up.

use swathe_ir::{AtomicOp, BinOp, Block, Expr, ExprKind, LabelId, Lit, Scalar, Type, UnOp};

use super::Result;
use super::body::{Binding, Body};
use super::offset;
use crate::kernel::{never, walk};

impl Body<'_> {
    /// Type of an expression; `None` if it never has a value.
    pub(super) fn type_of(&self, e: &Expr) -> Result<Option<Type>> {
        Ok(Some(match &e.kind {
            ExprKind::Lit(Lit::Bool(_), _) => Type::Scalar(Scalar::Bool),
            ExprKind::Lit(_, slot) | ExprKind::Cast(_, slot) => self.slot(*slot),
            ExprKind::Array(_, slot) | ExprKind::Repeat(_, slot) | ExprKind::Struct { ty: slot, .. } => {
                self.slot(*slot)
            }
            ExprKind::Local(local) => self.local_type(*local),
            ExprKind::Const(slot) => self
                .instance
                .consts
                .get(slot.0 as usize)
                .map_or(Type::Unit, |c| c.ty.clone()),
            ExprKind::Unary(op, a, callee) => match self.user_function(*callee) {
                Some(func) if *op != UnOp::Deref => self.return_type(&func),
                _ => return self.type_of(a),
            },
            ExprKind::Binary(op, a, b, callee) => {
                if op.is_comparison() || matches!(op, BinOp::And | BinOp::Or) {
                    Type::Scalar(Scalar::Bool)
                } else if let Some(func) = self.user_function(*callee) {
                    self.return_type(&func)
                } else {
                    let (Some(a), Some(b)) = (self.type_of(a)?, self.type_of(b)?) else {
                        return Ok(None);
                    };
                    binary_type(*op, &a, &b)
                }
            }
            ExprKind::Assign(..)
            | ExprKind::AssignOp(..)
            | ExprKind::While(..)
            | ExprKind::For(..)
            | ExprKind::Print { .. } => Type::Unit,
            ExprKind::Member(a, name) => match self.type_of(a)? {
                Some(ty) => match member_type(&ty, name) {
                    Some(ty) => ty,
                    None => return self.unsupported(format!("member `{name}` of `{ty}`"), e.span),
                },
                None => return Ok(None),
            },
            ExprKind::Index(a, _) => match self.type_of(a)? {
                Some(Type::Array(element, _)) => *element,
                Some(ty) => ty.scalar().map_or(Type::Unit, Type::Scalar),
                None => return Ok(None),
            },
            ExprKind::Field(access) => self.element_type(access.field),
            ExprKind::Atomic(AtomicOp::Store, ..) => Type::Unit,
            ExprKind::Atomic(_, place, _) => return self.type_of(place),
            ExprKind::FieldLen(_) => Type::Scalar(Scalar::Usize),
            ExprKind::FieldArgument(field) => self.local_type(*field),
            ExprKind::FieldShape(field) => self.axes_type(*field, Scalar::Usize),
            ExprKind::FieldOrigin(field) => self.axes_type(*field, Scalar::Isize),
            ExprKind::Position(_, _, a) => return Ok(self.type_of(a)?.map(|ty| offset::of(&ty, Scalar::Isize))),
            ExprKind::Offset(_, _, a) => return Ok(self.type_of(a)?.map(|ty| offset::of(&ty, Scalar::Usize))),
            ExprKind::Call { callee, name, on, .. } => match self.user_function(Some(*callee)) {
                Some(func) => self.return_type(&func),
                None => return self.built_in_call_type(name, *on, e.span).map(Some),
            },
            ExprKind::Method {
                receiver, name, callee, ..
            } => match self.user_function(Some(*callee)) {
                Some(func) => self.return_type(&func),
                None => match self.type_of(receiver)? {
                    Some(ty) => self.built_in_method_type(&ty, name, e.span)?,
                    None => return Ok(None),
                },
            },
            ExprKind::Ref { place, .. } => return self.type_of(place),
            ExprKind::Tuple(items) => {
                let mut types = Vec::new();
                for item in items {
                    let Some(ty) = self.type_of(item)? else { return Ok(None) };
                    types.push(ty);
                }
                Type::Tuple(types)
            }
            ExprKind::Block(label, block) => {
                if let Some(label) = label
                    && let Some(ty) = self.break_type(*label, block)?
                {
                    return Ok(Some(ty));
                }
                return self.block_type(block);
            }
            ExprKind::If(_, _, None) => Type::Unit,
            ExprKind::If(_, then, Some(other)) => match self.block_type(then)? {
                Some(ty) => ty,
                None => return self.type_of(other),
            },
            ExprKind::Match(_, arms) => {
                for arm in arms {
                    if let Some(ty) = self.type_of(&arm.body)? {
                        return Ok(Some(ty));
                    }
                }
                return Ok(None);
            }
            ExprKind::Loop(label, block) => return self.break_type(*label, block),
            ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) | ExprKind::Fail { .. } => {
                return Ok(None);
            }
        }))
    }

    pub(super) fn block_type(&self, block: &Block) -> Result<Option<Type>> {
        if let Some(tail) = &block.tail {
            return self.type_of(tail);
        }
        Ok((!never::ends(block)).then_some(Type::Unit))
    }

    fn break_type(&self, label: LabelId, block: &Block) -> Result<Option<Type>> {
        let mut found: Option<Result<Option<Type>>> = None;
        walk::block(block, &mut |e| {
            if let ExprKind::Break(l, value) = &e.kind
                && *l == label
                && !matches!(found, Some(Ok(Some(_))))
            {
                found = Some(value.as_ref().map_or(Ok(Some(Type::Unit)), |value| self.type_of(value)));
            }
        });
        found.unwrap_or(Ok(None))
    }

    /// Type of one number for each axis of a field.
    fn axes_type(&self, field: swathe_ir::LocalId, scalar: Scalar) -> Type {
        let rank = match self.local_type(field) {
            Type::Field(_, rank) => rank,
            _ => 0,
        };
        Type::Array(Box::new(Type::Scalar(scalar)), rank)
    }

    fn element_type(&self, field: swathe_ir::LocalId) -> Type {
        match (self.locals.get(&field), self.local_type(field)) {
            (Some(Binding::Field(f)), _) => f.element.clone(),
            (_, Type::Field(element, _)) => *element,
            (_, ty) => ty,
        }
    }

    pub(super) fn return_type(&self, func: &crate::kernel::FuncRef) -> Type {
        let Some(instance) = self.module.callee(func) else {
            return Type::Unit;
        };
        instance
            .func
            .ret
            .and_then(|slot| instance.types.get(slot.0 as usize).cloned())
            .unwrap_or(Type::Unit)
    }
}

/// Type of a built-in operator's result.
pub(super) fn binary_type(op: BinOp, a: &Type, b: &Type) -> Type {
    match (a, b) {
        (Type::Matrix(s, r, _), Type::Vector(..)) if op == BinOp::Mul => Type::Vector(*s, *r),
        (Type::Matrix(s, r, _), Type::Matrix(_, _, c)) if op == BinOp::Mul => Type::Matrix(*s, *r, *c),
        (Type::Vector(s, _), Type::Matrix(_, _, c)) if op == BinOp::Mul => Type::Vector(*s, *c),
        (Type::Scalar(_), Type::Vector(..) | Type::Matrix(..) | Type::Struct(_)) => b.clone(),
        _ => a.clone(),
    }
}

pub(super) fn member_type(ty: &Type, name: &str) -> Option<Type> {
    match ty {
        Type::Vector(s, n) => ["x", "y", "z", "w"]
            .iter()
            .position(|c| *c == name)
            .filter(|k| k < n)
            .map(|_| Type::Scalar(*s)),
        Type::Tuple(types) => types.get(name.parse::<usize>().ok()?).cloned(),
        Type::Struct(s) => s.members.iter().find(|m| m.name == name).map(|m| m.ty.clone()),
        _ => None,
    }
}
