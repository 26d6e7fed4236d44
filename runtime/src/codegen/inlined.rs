//! Straight functions that are lent fields, written into the code that calls them.
//!
//! What is known there, that a position is in bounds and fits into 32 bits, is known in the function's text, too. NVVM inlines a function as
//! well, but with its parameters of 64 bits and with all of its checks.

use std::collections::HashSet;
use std::rc::Rc;

use swathe_ir::{Block, Expr, ExprKind, ParamKind, Scalar, Span, Stmt, Type};

use super::Result;
use super::body::{Binding, Body};
use super::literal;
use super::phase::use_of;
use super::value::{Effect, Value};
use crate::kernel::walk;
use crate::kernel::{FuncRef, Instance};

/// What a parameter stands for.
enum Passed {
    /// A field, or the position of a loop over several axes.
    Binding(Binding),
    Value(Value),
    /// An array that is written in the call.
    Parts(Vec<Value>),
}

impl Body<'_> {
    /// The value of a call, if the function is such a one.
    pub(super) fn inlined(&mut self, func: &FuncRef, args: &[&Expr], span: Span) -> Result<Option<Value>> {
        let Some(instance) = self.module.callee(func) else {
            return Ok(None);
        };
        // A loop that looks ahead refuses what may leave it, by the call.
        if self.lookup.is_some() || !is_straight(&instance, args) {
            return Ok(None);
        }
        let params = &instance.func.params;
        let positions = |ty: &Type| matches!(ty, Type::Array(item, _) if **item == Type::Scalar(Scalar::Usize));
        let types = params
            .iter()
            .map(|p| &instance.types[instance.func.locals[p.local.0 as usize].ty.0 as usize]);
        let parts = |arg: &&Expr, ty: &Type| match &arg.kind {
            ExprKind::Array(items, _) if positions(ty) => Some(items.len()),
            _ => None,
        };
        let counts: Vec<Option<usize>> = args.iter().zip(types).map(|(arg, ty)| parts(arg, ty)).collect();
        let mut operands: Vec<&Expr> = Vec::new();
        for (arg, count) in args.iter().zip(&counts) {
            match &arg.kind {
                ExprKind::FieldArgument(_) => {}
                ExprKind::Local(_) if self.axes_of(arg).is_some() => {}
                ExprKind::Array(items, _) if count.is_some() => operands.extend(items),
                _ => operands.push(arg),
            }
        }
        let mut values = self.sequence(&operands)?.into_iter();
        let mut passed = Vec::new();
        for (((arg, param), count), kind) in args.iter().zip(params).zip(counts).zip(params.iter().map(|p| p.kind)) {
            let wanted = &instance.func.locals[param.local.0 as usize].name;
            passed.push(match (kind, count) {
                (ParamKind::Field { .. }, _) => match &arg.kind {
                    ExprKind::FieldArgument(field) => Passed::Binding(Binding::Field(self.field(*field, span)?)),
                    _ => return self.unsupported("an argument that is no field", span),
                },
                (_, Some(count)) => {
                    Passed::Parts((0..count).map(|_| self.passed_item(values.next(), wanted)).collect())
                }
                (_, None) => match self.axes_of(arg) {
                    Some(axes) => Passed::Binding(axes),
                    None => Passed::Value(self.fixed(values.next(), wanted)),
                },
            });
        }
        let source = self.source.take();
        let first = self.lines.len();
        let value = self.within(&instance, passed)?;
        // The lines are those of another file.
        for line in &mut self.lines[first..] {
            line.source = None;
        }
        match self.lines.get_mut(first) {
            Some(line) => line.source = source,
            None => self.source = source,
        }
        Ok(Some(value))
    }

    /// A value by a name.
    fn fixed(&mut self, value: Option<Value>, wanted: &str) -> Value {
        let value = Self::settled(value.unwrap_or_else(|| literal::bool(false)));
        let stays = is_name(&value.text) && value.effect == Effect::Stable;
        if stays || value.ty == Type::Unit {
            value
        } else {
            self.store(value, wanted)
        }
    }

    /// An item of an array of `usize`: a number stays what it is.
    fn passed_item(&mut self, value: Option<Value>, wanted: &str) -> Value {
        match value {
            Some(value) if value.lit.is_some() => value,
            value => self.fixed(value, wanted),
        }
    }

    /// The position of a loop, if the argument is one.
    fn axes_of(&mut self, arg: &Expr) -> Option<Binding> {
        let ExprKind::Local(local) = &arg.kind else { return None };
        let axes = self
            .locals
            .get(local)
            .filter(|binding| matches!(binding, Binding::Axes(_)))?;
        let axes = axes.clone();
        self.used_axes.insert(*local);
        Some(axes)
    }

    /// The body of a function, with what its parameters stand for.
    fn within(&mut self, instance: &Rc<Instance>, passed: Vec<Passed>) -> Result<Value> {
        let func = &instance.func;
        let mut live = HashSet::new();
        walk::block(&func.body, &mut |e| use_of(e, &mut live));
        let outer = std::mem::replace(&mut self.instance, Rc::clone(instance));
        let locals = std::mem::take(&mut self.locals);
        let (values, axes) = (
            std::mem::take(&mut self.value_params),
            std::mem::take(&mut self.used_axes),
        );
        let (live, own) = (self.live.replace(live), self.own.take());
        let (notes, matched) = (self.notes.take(), self.matched.take());
        for (param, passed) in func.params.iter().zip(passed) {
            match passed {
                Passed::Binding(binding) => _ = self.locals.insert(param.local, binding),
                Passed::Value(value) if value.ty == Type::Unit => {}
                Passed::Value(value) => self.bind_to(param.local, value.text.clone(), &value),
                Passed::Parts(parts) => _ = self.locals.insert(param.local, Binding::Axes(parts)),
            }
        }
        self.module.enter();
        let result = self.lower(&Expr {
            kind: ExprKind::Block(None, func.body.clone()),
            span: func.span,
        });
        self.module.leave();
        (self.instance, self.locals, self.value_params, self.used_axes) = (outer, locals, values, axes);
        (self.live, self.own, self.notes, self.matched) = (live, own, notes, matched);
        result
    }
}

fn is_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_') && text.starts_with(|c: char| !c.is_numeric())
}

/// Whether a function is lent a field, takes all else by value, and has neither loops nor anything that leaves it.
fn is_straight(instance: &Instance, args: &[&Expr]) -> bool {
    let func = &instance.func;
    let lent = args.iter().any(|arg| matches!(arg.kind, ExprKind::FieldArgument(_)));
    let plain = |kind: ParamKind| matches!(kind, ParamKind::Value | ParamKind::Field { .. });
    let fits = func.params.len() == args.len()
        && func
            .params
            .iter()
            .all(|p| plain(p.kind) && !func.locals[p.local.0 as usize].mutable);
    let mut straight = lent && fits && !func.body.stmts.iter().any(|stmt| matches!(stmt, Stmt::ParFor(_)));
    let mut look = |e: &Expr| {
        straight &= !matches!(
            e.kind,
            ExprKind::Loop(..)
                | ExprKind::While(..)
                | ExprKind::For(..)
                | ExprKind::Break(..)
                | ExprKind::Continue(_)
                | ExprKind::Return(_)
                | ExprKind::Fail { .. }
                | ExprKind::Print { .. }
                | ExprKind::Block(Some(_), _)
        );
    };
    let body: &Block = &func.body;
    walk::block(body, &mut look);
    straight
}
