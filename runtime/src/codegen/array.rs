//! Tuples, arrays and structs made of their parts.

use swathe_ir::{Expr, Span, Type};

use super::Result;
use super::body::Body;
use super::types::{self, struct_initialiser};
use super::value::{Effect, Value, prec};

impl Body<'_> {
    pub(super) fn aggregate(&mut self, items: &[Expr], ty: &Type) -> Result<Value> {
        let operands: Vec<&Expr> = items.iter().collect();
        let values = self.sequence(&operands)?;
        let (nothing, values): (Vec<Value>, Vec<Value>) = values.into_iter().partition(|v| types::is_empty(&v.ty));
        nothing.into_iter().for_each(|v| self.evaluate(v));
        let effect = values.iter().map(|v| v.effect).max().unwrap_or(Effect::Stable);
        let texts: Vec<String> = values.into_iter().map(|v| Self::settled(v).text).collect();
        let name = self.module.ty(ty);
        let list = texts.join(", ");
        let text = if matches!(ty, Type::Array(..)) && !list.is_empty() {
            format!("{name}{{{{{list}}}}}")
        } else {
            format!("{name}{{{list}}}")
        };
        Ok(Value::new(text, prec::POSTFIX, ty.clone(), effect))
    }

    /// Evaluates a value that nothing holds.
    pub(super) fn evaluate(&mut self, value: Value) {
        if value.effect == Effect::Write {
            self.effect(format!("{};", value.text));
        }
    }

    pub(super) fn repeat(&mut self, value: &Expr, ty: &Type) -> Result<Value> {
        let value = Self::settled(self.lower(value)?);
        let name = self.module.ty(ty);
        let n = if let Type::Array(_, n) = ty { *n } else { 0 };
        if types::is_empty(ty) {
            self.evaluate(value);
            return Ok(Value::new(
                format!("{name}{{}}"),
                prec::POSTFIX,
                ty.clone(),
                Effect::Stable,
            ));
        }
        if matches!(value.text.as_str(), "0" | "0.0f" | "0.0" | "false") {
            return Ok(Value::new(
                format!("{name}{{}}"),
                prec::POSTFIX,
                ty.clone(),
                Effect::Stable,
            ));
        }
        let value = if value.lit.is_some() || value.text.len() < 8 && value.effect == Effect::Stable {
            value
        } else {
            self.store(value, "value")
        };
        if n <= 8 {
            let list = vec![value.text.clone(); n].join(", ");
            return Ok(Value::new(
                format!("{name}{{{{{list}}}}}"),
                prec::POSTFIX,
                ty.clone(),
                Effect::Stable,
            ));
        }
        let array = self.declare("array");
        let k = self.declare("k");
        self.line(format!("{name} {array};"));
        self.effect(format!(
            "for (int {k} = 0; {k} < {n}; ++{k}) {array}.v[{k}] = {};",
            value.text
        ));
        Ok(Value::name(array, ty.clone(), true))
    }

    pub(super) fn struct_literal(
        &mut self,
        ty: &Type,
        members: &[(String, Expr)],
        base: Option<&Expr>,
        span: Span,
    ) -> Result<Value> {
        let Type::Struct(s) = ty else {
            return self.unsupported(format!("a literal of `{ty}`"), span);
        };
        let operands: Vec<&Expr> = members.iter().map(|(_, e)| e).chain(base).collect();
        let mut values = self.sequence(&operands)?;
        let base = base.and_then(|_| values.pop()).map(|base| self.simple(base, "base"));
        for value in values.iter_mut().filter(|v| types::is_empty(&v.ty)) {
            self.evaluate(value.clone());
            value.effect = Effect::Stable;
        }
        let effect = values.iter().map(|v| v.effect).max().unwrap_or(Effect::Stable);
        let mut texts = Vec::new();
        for m in &s.members {
            let written = members.iter().position(|(name, _)| *name == m.name);
            texts.push(match (written, &base) {
                (Some(k), _) => Self::settled(values[k].clone()).text,
                (None, Some(base)) => format!("{}.{}", base.at(prec::POSTFIX), types::member_name(ty, &m.name)),
                (None, None) => return self.unsupported(format!("a literal without member `{}`", m.name), span),
            });
        }
        // Members may stand in memory in another order than they are written in; effects keep the written order.
        if effect == Effect::Write && !s.members.is_sorted_by_key(|m| m.offset) {
            for (k, (name, _)) in members.iter().enumerate() {
                if types::is_empty(&values[k].ty) {
                    continue;
                }
                let stored = self.store(Self::settled(values[k].clone()), name);
                if let Some(at) = s.members.iter().position(|m| m.name == *name) {
                    texts[at] = stored.text;
                }
            }
        }
        let name = self.module.ty(ty);
        Ok(Value::new(
            struct_initialiser(&name, s, &texts),
            prec::POSTFIX,
            ty.clone(),
            effect,
        ))
    }
}
