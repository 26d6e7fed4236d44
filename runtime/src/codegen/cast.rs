//! `value as T`.

use swathe_ir::{Scalar, Span, Type};

use super::Result;
use super::body::Body;
use super::interval::Interval;
use super::literal;
use super::scalar;
use super::value::{Effect, Low, Value};
use super::variant::IndexWidth;

impl Body<'_> {
    pub(super) fn cast(&mut self, a: Value, to: &Type, span: Span) -> Result<Value> {
        let (Type::Scalar(from), Type::Scalar(to)) = (&a.ty, to) else {
            return if a.ty == *to {
                Ok(a)
            } else {
                self.unsupported(format!("`{}` as `{to}`", a.ty), span)
            };
        };
        let (from, to) = (*from, *to);
        if from == to {
            return Ok(a);
        }
        if let Some(v) = a.lit {
            if to.is_float() && v.abs() < 1 << 24 {
                return Ok(literal::float(v as f64, to));
            }
            let (least, most) = scalar::bounds(to);
            if to.is_int() && (least..=most).contains(&v) {
                return Ok(literal::int(v, to, false));
            }
        }
        if from.is_half() {
            let method = format!("as_{}", to.name());
            return self.built_in(&a.ty.clone(), &method, vec![a], span);
        }
        if from.is_float() && to.is_int() {
            return Ok(self.table_call(&swathe_ir::cast(from, to), &[a], Type::Scalar(to)));
        }
        let same_c = |s: Scalar| match s {
            Scalar::Usize => Scalar::U64,
            Scalar::Isize => Scalar::I64,
            other => other,
        };
        if same_c(from) == same_c(to) {
            return Ok(Value {
                ty: Type::Scalar(to),
                ..a
            });
        }
        if to.size() == 8 && from.size() <= 4 && self.module.variant.index == IndexWidth::Bits32 && !to.is_signed() {
            let bounds = Interval::of_bits(8 * from.size() as u32, from.is_signed());
            let a = Self::settled(a);
            let effect = a.effect;
            let last = if from == Scalar::U32 {
                a.clone()
            } else {
                Value::converted(Scalar::U32, &a, a.ty.clone())
            };
            if bounds.is_narrow() {
                let value = Value::narrow(last.text, last.prec, Type::Scalar(to), effect, bounds);
                return Ok(value.with_arithmetic(last.arithmetic));
            }
            let low = (effect == Effect::Stable).then_some(Low {
                text: last.text,
                prec: last.prec,
                bounds,
            });
            return Ok(Value {
                low,
                ..Value::converted(to, &a, Type::Scalar(to))
            });
        }
        // Conversion to as many bits or fewer is the same from either signedness.
        let a = if to.is_int() && to.size() <= from.size() {
            a
        } else {
            Self::settled(a)
        };
        Ok(Value::converted(to, &a, Type::Scalar(to)))
    }
}
