//! Operators of `num_complex::Complex`, as that crate defines them.

use swathe_ir::{BinOp, Scalar, Span, Type};

use super::Result;
use super::body::Body;
use super::operator::infix;
use super::scalar;
use super::value::{Value, prec};
use crate::element::KernelType;
use num_complex::Complex;

const INLINE: &str = "static __device__ __forceinline__";

/// The type of the parts.
pub(super) fn part(ty: &Type) -> Option<Scalar> {
    match ty {
        // Another crate may have the name and the type's.
        Type::Struct(s) if *ty == Complex::<f32>::ty() || *ty == Complex::<f64>::ty() => {
            s.members.first().and_then(|m| m.ty.scalar())
        }
        _ => None,
    }
}

impl Body<'_> {
    pub(super) fn complex_neg(&mut self, a: Value) -> Value {
        let t = self.module.ty(&a.ty);
        self.module.helper(&format!("-{t}"), || {
            format!("{INLINE} {t} operator-({t} a) {{ return {t}{{-a.re, -a.im}}; }}\n")
        });
        Value::new(
            format!("-{}", a.at(prec::UNARY + 1)),
            prec::UNARY,
            a.ty.clone(),
            a.effect,
        )
    }

    pub(super) fn complex_binary(&mut self, op: BinOp, a: Value, b: Value, span: Span) -> Result<Value> {
        let (a, b) = (Self::exact(a), Self::exact(b));
        let ty = if part(&a.ty).is_some() { &a.ty } else { &b.ty };
        let r = part(ty).map_or("", scalar::name);
        let (x, y, t) = (self.module.ty(&a.ty), self.module.ty(&b.ty), self.module.ty(ty));
        let body = match (part(&a.ty).is_some(), part(&b.ty).is_some(), op) {
            (true, true, BinOp::Eq) => "return a.re == b.re && a.im == b.im;".to_owned(),
            (true, true, BinOp::Ne) => "return a.re != b.re || a.im != b.im;".to_owned(),
            (true, true, BinOp::Add | BinOp::Sub) => {
                format!("return {t}{{a.re {0} b.re, a.im {0} b.im}};", op.symbol())
            }
            (true, true, BinOp::Mul) => {
                format!("return {t}{{a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}};")
            }
            (true, true, BinOp::Div) => format!(
                "const {r} n = b.re * b.re + b.im * b.im; return {t}{{(a.re * b.re + a.im * b.im) / n, (a.im * b.re - a.re * b.im) / n}};"
            ),
            (true, false, BinOp::Add | BinOp::Sub) => format!("return {t}{{a.re {} b, a.im}};", op.symbol()),
            (true, false, BinOp::Mul | BinOp::Div) => format!("return {t}{{a.re {0} b, a.im {0} b}};", op.symbol()),
            (false, true, BinOp::Add) => format!("return {t}{{a + b.re, b.im}};"),
            (false, true, BinOp::Sub) => format!("return {t}{{a - b.re, {r}(0) - b.im}};"),
            (false, true, BinOp::Mul) => format!("return {t}{{a * b.re, a * b.im}};"),
            (false, true, BinOp::Div) => {
                format!("const {r} n = b.re * b.re + b.im * b.im; return {t}{{a * b.re / n, {r}(0) - a * b.im / n}};")
            }
            _ => return self.unsupported(format!("`{}` between `{}` and `{}`", op.symbol(), a.ty, b.ty), span),
        };
        let (result, ty) = if op.is_comparison() {
            ("bool".to_owned(), Type::Scalar(Scalar::Bool))
        } else {
            (t, ty.clone())
        };
        self.module.helper(&format!("{x} {} {y}", op.symbol()), || {
            format!("{INLINE} {result} operator{}({x} a, {y} b) {{ {body} }}\n", op.symbol())
        });
        Ok(infix(op, &a, &b, ty))
    }

    /// Defines a compound assignment.
    pub(super) fn complex_assign(&mut self, op: BinOp, place: &Value, value: &Value, span: Span) -> Result<()> {
        self.complex_binary(op, place.clone(), value.clone(), span)?;
        let (l, r) = (self.module.ty(&place.ty), self.module.ty(&value.ty));
        let symbol = op.symbol();
        self.module.helper(&format!("{l} {symbol}= {r}"), || {
            format!("{INLINE} void operator{symbol}=({l}& a, {r} b) {{ a = a {symbol} b; }}\n")
        });
        Ok(())
    }
}
