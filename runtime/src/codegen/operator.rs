//! Built-in operators on scalars, vectors and matrices.

use swathe_ir::{BinOp, Scalar, Span, Type, UnOp};

use super::Result;
use super::body::Body;
use super::complex;
use super::condition::{Condition, Term};
use super::interval::Interval;
use super::literal;
use super::scalar;
use super::types;
use super::typing::binary_type;
use super::value::{Effect, Low, Value, prec};
use crate::kernel::shown::numbers;

const fn level(op: BinOp) -> u8 {
    match op {
        BinOp::Mul | BinOp::Div | BinOp::Rem => prec::MUL,
        BinOp::Add | BinOp::Sub => prec::ADD,
        BinOp::Shl | BinOp::Shr => prec::SHIFT,
        BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge => prec::RELATION,
        BinOp::Eq | BinOp::Ne => prec::EQUALITY,
        BinOp::BitAnd => prec::BIT_AND,
        BinOp::BitXor => prec::BIT_XOR,
        BinOp::BitOr => prec::BIT_OR,
        BinOp::And => prec::AND,
        BinOp::Or => prec::OR,
    }
}

const BOOL: Type = Type::Scalar(Scalar::Bool);

impl Body<'_> {
    /// The value with the C++ type that belongs to its Rust type.
    pub(super) fn settled(value: Value) -> Value {
        let Some(s) = value.ty.scalar().filter(|_| value.wide) else {
            return value;
        };
        Value {
            wide: false,
            ..Value::converted(s, &value, value.ty.clone())
        }
    }

    /// The same, where literals must have their type, too.
    pub(super) fn exact(value: Value) -> Value {
        match (value.lit, &value.ty) {
            (Some(v), Type::Scalar(s)) => literal::int(v, *s, true),
            _ => Self::settled(value).widened(),
        }
    }

    pub(super) fn unary(&mut self, op: UnOp, a: Value, span: Span) -> Result<Value> {
        let ty = a.ty.clone();
        match (&ty, op) {
            (Type::Scalar(s), UnOp::Neg) if s.is_int() => {
                if let Some(negated) = a.lit.and_then(|v| negated(v, *s)) {
                    return Ok(negated);
                }
                if s.size() < 4 {
                    let a = Self::settled(a);
                    let text = format!("-{}", a.at(prec::UNARY + 1));
                    return Ok(Value {
                        wide: true,
                        arithmetic: a.arithmetic,
                        ..Value::new(text, prec::UNARY, ty, a.effect)
                    });
                }
                let operand = if a.wide {
                    a.at(prec::UNARY + 1).into_owned()
                } else {
                    format!("{}({})", scalar::name(scalar::unsigned(*s)), a.text)
                };
                Ok(Value {
                    wide: true,
                    arithmetic: a.arithmetic,
                    ..Value::new(format!("-{operand}"), prec::UNARY, ty, a.effect)
                })
            }
            (Type::Scalar(Scalar::Bool), UnOp::Not) => {
                let condition = Condition::not(&a);
                let not = Value::new(format!("!{}", a.at(prec::UNARY)), prec::UNARY, ty, a.effect);
                Ok(Value { condition, ..not })
            }
            (Type::Scalar(s), UnOp::Not) => {
                let a = Self::exact(a);
                let wide = s.size() < 4;
                Ok(Value {
                    wide,
                    ..Value::new(format!("~{}", a.at(prec::UNARY)), prec::UNARY, ty, a.effect)
                })
            }
            (Type::Scalar(_), _) => Ok(Value::new(
                format!("-{}", a.at(prec::UNARY + 1)),
                prec::UNARY,
                ty,
                a.effect,
            )),
            (Type::Vector(..) | Type::Matrix(..), _) => {
                let symbol = if op == UnOp::Neg { "-" } else { "!" };
                self.unary_helper(op, &ty, span)?;
                let symbol = if op == UnOp::Not { "~" } else { symbol };
                Ok(Value::new(
                    format!("{symbol}{}", a.at(prec::UNARY + 1)),
                    prec::UNARY,
                    ty,
                    a.effect,
                ))
            }
            _ if op == UnOp::Neg && complex::part(&ty).is_some() => Ok(self.complex_neg(a)),
            _ => self.unsupported(format!("this operator on `{ty}`"), span),
        }
    }

    pub(super) fn binary(&mut self, op: BinOp, a: Value, b: Value, span: Span) -> Result<Value> {
        match (&a.ty, &b.ty) {
            (Type::Scalar(s), Type::Scalar(_)) => {
                let s = *s;
                self.scalar_binary(op, s, a, b, span)
            }
            (Type::Vector(..) | Type::Matrix(..), _) | (Type::Scalar(_), Type::Vector(..) | Type::Matrix(..)) => {
                self.vector_binary(op, a, b, span)
            }
            // Of `PhantomData`: there is one value.
            (x, _) if matches!(op, BinOp::Eq | BinOp::Ne) && types::is_empty(x) => {
                self.evaluate(a);
                self.evaluate(b);
                Ok(literal::bool(op == BinOp::Eq))
            }
            (Type::Tuple(_) | Type::Array(..) | Type::Unit, _) if op.is_comparison() => {
                self.unsupported(format!("comparing values of type `{}`", a.ty), span)
            }
            (x, y) if complex::part(x).or(complex::part(y)).is_some() => self.complex_binary(op, a, b, span),
            _ => self.unsupported(format!("`{}` between `{}` and `{}`", op.symbol(), a.ty, b.ty), span),
        }
    }

    fn scalar_binary(&mut self, op: BinOp, s: Scalar, a: Value, b: Value, span: Span) -> Result<Value> {
        if s.is_float() && op == BinOp::Rem {
            let name = if s == Scalar::F32 { "fmodf" } else { "fmod" };
            let effect = a.effect.max(b.effect);
            let text = if s.is_half() {
                format!("{}(fmodf(float({}), float({})))", scalar::name(s), a.text, b.text)
            } else {
                format!("{name}({}, {})", a.text, b.text)
            };
            return Ok(Value::new(text, prec::POSTFIX, Type::Scalar(s), effect));
        }
        if s.is_float() || s == Scalar::Bool || op.is_comparison() {
            let ty = if op.is_comparison() { BOOL } else { Type::Scalar(s) };
            // Two literals would be compared as `int`.
            let a = if a.lit.is_some() && b.lit.is_some() {
                Self::exact(a)
            } else {
                Self::settled(a)
            };
            // In C++ `bool & bool` is an `int`.
            let wide = s == Scalar::Bool && !op.is_comparison();
            return Ok(Value {
                wide,
                ..infix(op, &a, &Self::settled(b), ty)
            });
        }
        match op {
            BinOp::Div | BinOp::Rem => self.divide(op, s, a, b, span),
            BinOp::Shl | BinOp::Shr => Ok(shift(op, s, a, b)),
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => {
                let a = if a.lit.is_some() && b.lit.is_some() {
                    Self::exact(a)
                } else {
                    a
                };
                let wide = s.size() < 4 || a.wide || b.wide;
                let narrow = match (a.narrow_operand(), b.narrow_operand()) {
                    (Some(x), Some(_)) if op == BinOp::BitAnd && b.narrow.is_none() => {
                        a.narrow.map(|_| Interval::new(0, x.most.min(b.lit.unwrap_or(x.most))))
                    }
                    (Some(x), Some(y)) if a.narrow.is_some() || b.narrow.is_some() => Some(x.union(y).bits_of_most()),
                    _ => None,
                };
                let (a, b) = if s.size() < 4 {
                    (Self::settled(a), Self::settled(b))
                } else {
                    (a, b)
                };
                Ok(Value {
                    wide,
                    narrow,
                    ..infix(op, &a, &b, Type::Scalar(s))
                })
            }
            _ => Ok(wrapping(op, s, a, b)),
        }
    }

    fn divide(&mut self, op: BinOp, s: Scalar, a: Value, b: Value, span: Span) -> Result<Value> {
        let [a, b] = self.divisible(op, Self::settled(a), Self::settled(b), span);
        let a = if a.lit.is_some() && b.lit.is_some() {
            Self::exact(a)
        } else {
            a
        };
        let ty = Type::Scalar(s);
        let narrow = match (a.narrow_operand(), b.narrow_operand()) {
            (Some(x), Some(y)) if a.narrow.is_some() || b.narrow.is_some() => Some(match op {
                BinOp::Div => Interval::new(0, x.most / y.least.max(1)),
                _ => Interval::new(0, x.most.min(y.most - 1).max(0)),
            }),
            // The remainder fits where the divisor does.
            (None, Some(y)) if op == BinOp::Rem && s.size() == 8 && !s.is_signed() && self.narrows() => {
                let remainder = infix(op, &a, &b, ty.clone());
                let narrow = Some(Interval::new(0, (y.most - 1).max(0)));
                return Ok(Value {
                    narrow,
                    ..Value::converted(Scalar::U32, &remainder, ty)
                });
            }
            _ => None,
        };
        Ok(Value {
            wide: s.size() < 4,
            narrow,
            ..infix(op, &a, &b, ty)
        })
    }

    /// Settled operands of a division, which then has a result.
    pub(super) fn divisible(&mut self, op: BinOp, a: Value, b: Value, span: Span) -> [Value; 2] {
        if b.lit.is_some_and(|v| v != 0 && v != -1) {
            return [a, b];
        }
        let mark = self.mark();
        let b = if b.lit.is_some() { b } else { self.simple(b, "divisor") };
        let mut a = self.before(a, mark, Effect::Stable);
        if numbers(&b.ty).0.is_signed() && a.lit.is_none() {
            a = self.simple(a, "dividend");
        }
        self.check_division(op, &a, &b, span);
        // What it does is done when the division fails.
        let a = self.before(a, mark, Effect::Stable);
        // Never reached, and warned of.
        let b = match b.lit {
            Some(0) => literal::number(1, numbers(&b.ty).0),
            _ => b,
        };
        [a, b]
    }

    fn vector_binary(&mut self, op: BinOp, a: Value, b: Value, span: Span) -> Result<Value> {
        let (mut a, mut b) = (Self::settled(a), Self::settled(b));
        let element = a.ty.scalar().or(b.ty.scalar()).unwrap_or(Scalar::F32);
        if matches!(op, BinOp::Div | BinOp::Rem) && element.is_int() {
            [a, b] = self.divisible(op, a, b, span);
        }
        self.vector_infix(op, a, b, span)
    }

    fn vector_infix(&mut self, op: BinOp, a: Value, b: Value, span: Span) -> Result<Value> {
        self.binary_helper(op, &a.ty, &b.ty, span)?;
        let ty = if op.is_comparison() {
            BOOL
        } else {
            binary_type(op, &a.ty, &b.ty)
        };
        Ok(infix(op, &a, &b, ty))
    }

    /// `place op= value`, as one statement.
    pub(super) fn assign_op(&mut self, op: BinOp, place: Value, value: Value, span: Span) -> Result<()> {
        let plain = match (&place.ty, op) {
            (Type::Scalar(s), _) if s.is_float() => op != BinOp::Rem,
            (Type::Scalar(Scalar::Bool), _) => true,
            (Type::Scalar(s), BinOp::Add | BinOp::Sub | BinOp::Mul) => {
                let text = match (s.is_signed() || s.size() < 4, value.lit) {
                    (true, Some(v)) if v >= 0 => literal::int(v, scalar::unsigned(*s), true).text,
                    (true, _) if !value.wide => format!("{}({})", scalar::name(scalar::unsigned(*s)), value.text),
                    _ => value.text.clone(),
                };
                self.effect(format!("{} {}= {text};", place.text, op.symbol()));
                return Ok(());
            }
            (Type::Scalar(_), BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor) => true,
            (Type::Scalar(s), BinOp::Div | BinOp::Rem) => !s.is_signed() && value.lit.is_some_and(|v| v != 0),
            (Type::Scalar(s), BinOp::Shl | BinOp::Shr) => !s.is_signed() && s.size() >= 4 && value.lit.is_some(),
            (Type::Vector(s, _) | Type::Matrix(s, ..), BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div)
                if !(s.is_int() && op == BinOp::Div) =>
            {
                self.assign_helper(op, &place.ty, &value.ty, span)?;
                true
            }
            (ty, _) if complex::part(ty).is_some() => {
                self.complex_assign(op, &place, &value, span)?;
                true
            }
            _ => false,
        };
        if plain {
            let value = match (value.lit, &place.ty, op) {
                (Some(v), Type::Scalar(s), BinOp::Shl | BinOp::Shr) => {
                    literal::int(v & (8 * s.size() as i128 - 1), Scalar::I32, false)
                }
                _ => Self::settled(value),
            };
            self.effect(format!("{} {}= {};", place.text, op.symbol(), value.text));
        } else {
            let text = place.text.clone();
            let value = self.binary(op, place, value, span)?;
            self.effect(format!("{text} = {};", value.text));
        }
        Ok(())
    }
}

pub(super) fn infix(op: BinOp, a: &Value, b: &Value, ty: Type) -> Value {
    let level = level(op);
    let text = format!("{} {} {}", a.at(level), op.symbol(), b.at(level + 1));
    Value {
        arithmetic: matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul) && a.arithmetic && b.arithmetic,
        condition: Condition::of(op, a, b),
        ..Value::new(text, level, ty, a.effect.max(b.effect))
    }
}

/// `+ - *` of integers modulo 2^bits: signed operands meet an unsigned one, which makes C++ compute unsigned.
fn wrapping(op: BinOp, s: Scalar, a: Value, b: Value) -> Value {
    let ty = Type::Scalar(s);
    let unsigned = scalar::unsigned(s);
    let convert = |v: Value| match v.lit {
        Some(k) if k >= 0 => literal::int(k, unsigned, true),
        _ => Value::converted(unsigned, &v, v.ty.clone()),
    };
    if let (Some(x), Some(y)) = (a.lit, b.lit) {
        let exact = match op {
            BinOp::Add => x.checked_add(y),
            BinOp::Sub => x.checked_sub(y),
            _ => x.checked_mul(y),
        };
        let (least, most) = scalar::bounds(s);
        if let Some(v) = exact {
            return literal::int((v - least).rem_euclid(most - least + 1) + least, s, false);
        }
    }
    // `x + -3` would convert a negative number to unsigned.
    let (op, b) = match (op, b.lit) {
        // Its negative is no number of the type.
        (_, Some(v)) if v == scalar::bounds(s).0 => (op, b),
        (BinOp::Add, Some(v)) if v < 0 => (BinOp::Sub, literal::int(-v, s, false)),
        (BinOp::Sub, Some(v)) if v < 0 => (BinOp::Add, literal::int(-v, s, false)),
        _ => (op, b),
    };
    if s.size() < 4 {
        let (a, b) = (Body::settled(a), Body::settled(b));
        let a = if op == BinOp::Mul { convert(a) } else { a };
        return Value {
            wide: true,
            ..infix(op, &a, &b, ty)
        };
    }
    if !s.is_signed() {
        let low = if s.size() == 8 { low(op, &a, &b) } else { None };
        let shifted = low.as_ref().and_then(|_| shifted(op, &a, &b));
        let term = if s.size() == 8 { sum(op, &a, &b) } else { None };
        if let Some(low) = &low
            && low.bounds.is_narrow()
        {
            return Value {
                shifted,
                term,
                arithmetic: a.arithmetic && b.arithmetic,
                ..Value::narrow(low.text.clone(), low.prec, ty, a.effect.max(b.effect), low.bounds)
            };
        }
        // One operand of 64 bits is enough, and brings the other along.
        let both = a.narrow_operand().is_some() && b.narrow_operand().is_some();
        let (a, b) = match (both, a.lit, b.lit) {
            (true, Some(_), Some(_)) => (Body::exact(a), b),
            (true, Some(_), None) => (a, b.widened()),
            (true, ..) => (a.widened(), b),
            _ => (a, b),
        };
        return Value {
            low,
            shifted,
            term,
            ..infix(op, &a, &b, ty)
        };
    }
    let negative = |v: &Value| v.lit.is_some_and(|k| k < 0);
    let (a, b) = match (a.wide || b.wide, b.lit) {
        _ if negative(&a) || negative(&b) => (convert(a), convert(b)),
        (true, _) => (a, b),
        (false, Some(k)) if k >= 0 => (a, convert(b)),
        _ => (convert(a), b),
    };
    Value {
        wide: true,
        ..infix(op, &a, &b, ty)
    }
}

/// The last 32 bits of a sum, difference or product, if they tell all of it.
fn low(op: BinOp, a: &Value, b: &Value) -> Option<Low> {
    if a.effect.max(b.effect) != Effect::Stable && (a.narrow_operand().is_none() || b.narrow_operand().is_none()) {
        return None;
    }
    let (x, y) = (a.low()?, b.low()?);
    let bounds = match op {
        BinOp::Add => x.bounds.add(y.bounds),
        BinOp::Sub => x.bounds.sub(y.bounds),
        _ => x.bounds.mul(y.bounds),
    };
    if !bounds.is_tellable() || (a.effect.max(b.effect) != Effect::Stable && !bounds.is_narrow()) {
        return None;
    }
    let level = level(op);
    let text = format!("{} {} {}", x.at(level), op.symbol(), y.at(level + 1));
    Some(Low {
        text,
        prec: level,
        bounds,
    })
}

/// A sum or difference of 64 bits as a term, if one side is a number.
fn sum(op: BinOp, a: &Value, b: &Value) -> Option<Term> {
    match (op, a.lit, b.lit) {
        (BinOp::Add, None, Some(v)) => Some(a.term().plus(v)),
        (BinOp::Sub, None, Some(v)) => Some(a.term().plus(-v)),
        (BinOp::Add, Some(v), None) => Some(b.term().plus(v)),
        _ => None,
    }
}

/// A sum or difference as a value that is not negative, and a small number.
fn shifted(op: BinOp, a: &Value, b: &Value) -> Option<(String, i128)> {
    let (base, number) = match (op, a.lit, b.lit) {
        (BinOp::Add, None, Some(v)) => (a, v),
        (BinOp::Sub, None, Some(v)) => (a, -v),
        (BinOp::Add, Some(v), None) => (b, v),
        _ => return None,
    };
    let (text, before) = match &base.shifted {
        Some((text, before)) => (text.clone(), *before),
        None if base.narrow.is_some() => (base.at(prec::ADD).into_owned(), 0),
        None => return None,
    };
    let sum = before + number;
    (sum.abs() < 1 << 16).then_some((text, sum))
}

fn shift(op: BinOp, s: Scalar, a: Value, b: Value) -> Value {
    let bits = 8 * s.size() as i128;
    let count = match b.lit {
        Some(v) => literal::int(v & (bits - 1), Scalar::I32, false),
        None => {
            let text = format!("{} & {}", b.at(prec::BIT_AND), bits - 1);
            Value::new(text, prec::BIT_AND, b.ty.clone(), b.effect)
        }
    };
    let ty = Type::Scalar(s);
    if op == BinOp::Shr {
        if let (Some(bounds), Some(by)) = (a.narrow, count.lit.filter(|by| *by < 32)) {
            let bounds = Interval::new(bounds.least >> by, bounds.most >> by);
            let narrow = Some(bounds);
            return Value {
                narrow,
                ..infix(op, &a, &count, ty)
            };
        }
        let a = Body::exact(a);
        return Value {
            wide: s.size() < 4,
            ..infix(op, &a, &count, ty)
        };
    }
    let left = if (s.is_signed() || s.size() < 4) && !a.wide {
        let unsigned = scalar::unsigned(s);
        match a.lit {
            Some(v) if v >= 0 => literal::int(v, unsigned, true),
            _ => Value::converted(unsigned, &a, ty.clone()),
        }
    } else {
        if a.lit.is_some() { Body::exact(a) } else { a.widened() }
    };
    Value {
        wide: s.is_signed() || s.size() < 4,
        ..infix(op, &left, &count, ty)
    }
}

/// Texts of the components of a scalar, vector, matrix or complex number.
pub(super) fn components(value: &Value) -> Vec<String> {
    let base = value.at(prec::POSTFIX);
    match &value.ty {
        Type::Vector(_, n) if *n <= 4 => ["x", "y", "z", "w"][..*n]
            .iter()
            .map(|c| format!("{base}.{c}"))
            .collect(),
        Type::Vector(_, n) => (0..*n).map(|k| format!("{base}.v[{k}]")).collect(),
        Type::Matrix(_, r, c) => (0..r * c).map(|k| format!("{base}.m[{}][{}]", k / c, k % c)).collect(),
        ty if complex::part(ty).is_some() => vec![format!("{base}.re"), format!("{base}.im")],
        _ => vec![value.text.clone()],
    }
}

/// The literal `-v`, unless the type does not hold it.
fn negated(v: i128, s: Scalar) -> Option<Value> {
    let (least, most) = scalar::bounds(s);
    (least..=most).contains(&-v).then(|| literal::int(-v, s, false))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_divisions_and_calls_are_no_arithmetic() {
        let usize = Type::Scalar(Scalar::Usize);
        let i = Value::name("i", usize.clone(), true);
        let one = literal::int(1, Scalar::Usize, false);
        let on = |op, a: &Value, b: &Value| infix(op, a, b, usize.clone()).arithmetic;
        for op in [BinOp::Add, BinOp::Sub, BinOp::Mul] {
            assert!(on(op, &i, &one) && on(op, &Value::converted(Scalar::Usize, &i, usize.clone()), &i));
        }
        for op in [BinOp::Div, BinOp::Rem, BinOp::Shr, BinOp::BitAnd, BinOp::Lt] {
            assert!(!on(op, &i, &one));
        }
        for text in ["at[i]", "min(i, j)", "p.v[0]"] {
            let value = Value::new(text, prec::POSTFIX, usize.clone(), Effect::Stable);
            assert!(!value.arithmetic && !on(BinOp::Add, &value, &one));
        }
    }

    #[test]
    fn the_least_number_has_no_negative_literal() {
        let text = |v, s| negated(v, s).map(|value| value.text);
        assert_eq!(text(5, Scalar::I32).as_deref(), Some("-5"));
        assert_eq!(text(128, Scalar::I8).as_deref(), Some("-128"));
        assert_eq!(text(i128::from(i32::MAX), Scalar::I32).as_deref(), Some("-2147483647"));
        assert_eq!(text(i128::from(i32::MIN), Scalar::I32), None);
        assert_eq!(text(i128::from(i64::MIN), Scalar::I64), None);
        assert_eq!(text(i128::from(i8::MIN), Scalar::I8), None);
    }
}
