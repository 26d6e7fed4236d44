//! Atomic operations on elements of fields.

use swathe_ir::{AtomicOp, Expr, Scalar, Span, Type};

use super::Result;
use super::body::Body;
use super::complex;
use super::helper::{braced, written};
use super::operator::components;
use super::scalar;
use super::value::{Value, prec};
use crate::collision::AccessKind;

impl Body<'_> {
    pub(super) fn atomic(&mut self, op: AtomicOp, place: &Expr, args: &[Expr], span: Span) -> Result<Value> {
        let kind = match op {
            AtomicOp::Load => AccessKind::AtomicLoad,
            _ => AccessKind::AtomicChange,
        };
        let (ty, target) = match self.planar(place)? {
            Some(found) if matches!(found.ty, Type::Scalar(_)) => {
                self.note_planar(&found, kind);
                let value = self.planar_value(&found);
                (found.ty, Target::Pointer(pointer_to(&value)))
            }
            Some(found) => {
                self.note_planar(&found, kind);
                (found.ty.clone(), Target::Planes(found.arguments()))
            }
            None => {
                let mut found = self.part(place, true)?;
                if let Some(trail) = found.trail.take() {
                    self.note(&trail, kind);
                }
                let pointer = pointer_to(&found);
                (found.ty, Target::Pointer(pointer))
            }
        };
        let operands: Vec<&Expr> = args.iter().collect();
        let values = self.sequence(&operands)?.into_iter().map(Self::exact);
        let texts: Vec<String> = values.map(|v| v.text).collect();
        let text = self.atomic_call(op, &target, &ty, &texts, span)?;
        Ok(written(text, if op == AtomicOp::Store { Type::Unit } else { ty }))
    }

    fn atomic_call(&mut self, op: AtomicOp, target: &Target, ty: &Type, args: &[String], span: Span) -> Result<String> {
        let part = match ty {
            Type::Vector(s, _) | Type::Matrix(s, ..) => Some(*s),
            _ => complex::part(ty),
        };
        match (ty, part, target) {
            (Type::Scalar(s), _, Target::Pointer(pointer)) => self.atomic_scalar(op, pointer, *s, args, span),
            (_, Some(s), Target::Pointer(list) | Target::Planes(list)) if op != AtomicOp::CompareExchange => {
                let helper = self.atomic_components(op, ty, s, matches!(target, Target::Planes(_)), span)?;
                let list: Vec<&str> = std::iter::once(list.as_str())
                    .chain(args.iter().map(String::as_str))
                    .collect();
                Ok(format!("{helper}({})", list.join(", ")))
            }
            _ => self.unsupported(format!("an atomic operation on `{ty}`"), span),
        }
    }

    fn atomic_scalar(&mut self, op: AtomicOp, p: &str, s: Scalar, args: &[String], span: Span) -> Result<String> {
        let t = scalar::name(s);
        let bits = match s {
            Scalar::I32 | Scalar::U32 | Scalar::F32 => "u32",
            Scalar::I64 | Scalar::U64 | Scalar::Isize | Scalar::Usize | Scalar::F64 => "u64",
            Scalar::F16 | Scalar::Bf16 => "u16",
            _ => return self.unsupported(format!("an atomic operation on `{}`", s.name()), span),
        };
        let value = args.first().map_or("", String::as_str);
        let native = match op {
            AtomicOp::Add => "atomicAdd",
            AtomicOp::Sub if bits == "u32" && !s.is_float() => "atomicSub",
            AtomicOp::Min => "atomicMin",
            AtomicOp::Max => "atomicMax",
            AtomicOp::And => "atomicAnd",
            AtomicOp::Or => "atomicOr",
            AtomicOp::Xor => "atomicXor",
            AtomicOp::Exchange => "atomicExch",
            AtomicOp::CompareExchange => "atomicCAS",
            AtomicOp::Sub => "",
            AtomicOp::Load if s.is_half() => return Ok(format!("{t}_of(((volatile {t}*)({p}))->bits)")),
            AtomicOp::Store if s.is_half() => return Ok(format!("((volatile {t}*)({p}))->bits = ({value}).bits")),
            AtomicOp::Load | AtomicOp::Store => {
                let place = format!("*(volatile {t}*)({p})");
                return Ok(if op == AtomicOp::Load {
                    place
                } else {
                    format!("{place} = {value}")
                });
            }
        };
        let signed_long = matches!(s, Scalar::I64 | Scalar::Isize);
        let direct = match op {
            AtomicOp::Add => !signed_long && !s.is_half(),
            AtomicOp::Sub => false,
            AtomicOp::Min | AtomicOp::Max => !s.is_float(),
            AtomicOp::Exchange => !signed_long && s != Scalar::F64 && !s.is_half(),
            _ => !signed_long && !s.is_float(),
        };
        if direct || native == "atomicSub" {
            return Ok(format!("{native}({p}, {})", args.join(", ")));
        }
        let verb = match op {
            AtomicOp::Add => "add",
            AtomicOp::Sub => "sub",
            AtomicOp::Min => "min",
            AtomicOp::Max => "max",
            AtomicOp::And => "and",
            AtomicOp::Or => "or",
            AtomicOp::Xor => "xor",
            AtomicOp::Exchange => "exchange",
            _ => "compare_exchange",
        };
        let name = format!("atomic_{verb}_{}", s.name());
        if s.is_half() {
            return Ok(self.half_atomic(op, &name, s, p, args));
        }
        let (from, to) = match s {
            Scalar::F32 => ("__uint_as_float", "__float_as_uint"),
            Scalar::F64 => ("__longlong_as_double", "__double_as_longlong"),
            _ => (t, bits),
        };
        let cell = format!("({bits}*)p");
        let body = match op {
            AtomicOp::Sub if s.is_float() => "return atomicAdd(p, -value);".to_owned(),
            AtomicOp::Sub => format!("return {from}(atomicAdd({cell}, -{to}(value)));"),
            AtomicOp::CompareExchange => {
                format!("return {from}(atomicCAS({cell}, {bits}({to}(current)), {bits}({to}(value))));")
            }
            AtomicOp::Min | AtomicOp::Max => {
                let f = if s == Scalar::F32 { "f" } else { "" };
                let pick = if op == AtomicOp::Min { "fmin" } else { "fmax" };
                format!(
                    "{bits} seen = *(volatile {bits}*)p;\n    while (true) {{\n        {t} next = {pick}{f}({from}(seen), value);\n        {bits} old = atomicCAS({cell}, seen, {bits}({to}(next)));\n        if (old == seen) return {from}(old);\n        seen = old;\n    }}"
                )
            }
            _ => format!("return {from}({native}({cell}, {bits}({to}(value))));"),
        };
        let list = if op == AtomicOp::CompareExchange {
            format!("{t} current, {t} value")
        } else {
            format!("{t} value")
        };
        self.module.helper(&name, || {
            format!("static __device__ __forceinline__ {t} {name}({t}* p, {list}) {{\n    {body}\n}}\n")
        });
        Ok(format!("{name}({p}, {})", args.join(", ")))
    }

    /// There are no such operations on 16 bits: the bits are exchanged until no other thread came between.
    fn half_atomic(&mut self, op: AtomicOp, name: &str, s: Scalar, p: &str, args: &[String]) -> String {
        let t = scalar::name(s);
        if op == AtomicOp::CompareExchange {
            self.module.helper(name, || {
                format!(
                    "static __device__ __forceinline__ {t} {name}({t}* p, {t} current, {t} value) {{\n    return {t}_of(atomicCAS(&p->bits, current.bits, value.bits));\n}}\n"
                )
            });
            return format!("{name}({p}, {})", args.join(", "));
        }
        let next = match op {
            AtomicOp::Add => "old + value",
            AtomicOp::Sub => "old - value",
            AtomicOp::Min => "old != old || value < old ? value : old",
            AtomicOp::Max => "old != old || value > old ? value : old",
            _ => "value",
        };
        self.module.helper(name, || {
            format!(
                "static __device__ __forceinline__ {t} {name}({t}* p, {t} value) {{
    u16 seen = ((volatile {t}*)p)->bits;
    while (true) {{
        const {t} old = {t}_of(seen);
        const {t} next = {next};
        const u16 found = atomicCAS(&p->bits, seen, next.bits);
        if (found == seen) return old;
        seen = found;
    }}
}}
"
            )
        });
        format!("{name}({p}, {})", args.join(", "))
    }

    /// Component by component; the components change independently of each other.
    fn atomic_components(&mut self, op: AtomicOp, ty: &Type, s: Scalar, planar: bool, span: Span) -> Result<String> {
        let t = self.module.ty(ty);
        let verb = format!("{op:?}").to_lowercase();
        let (name, target, pointers) = if planar {
            let usize = self.module.ty(&Type::Scalar(Scalar::Usize));
            (
                format!("atomic_{verb}_planes_{t}"),
                format!("char* at, {usize} pitch, {usize} i"),
                self.module.plane_addresses(ty),
            )
        } else {
            let target = Value::name("(*p)", ty.clone(), true);
            let pointers = components(&target);
            (
                format!("atomic_{verb}_{t}"),
                format!("{t}* p"),
                pointers
                    .iter()
                    .map(|p| format!("&{}", p.replace("(*p).", "p->")))
                    .collect(),
            )
        };
        let value = Value::name("value", ty.clone(), true);
        let mut items = Vec::new();
        for (p, v) in pointers.iter().zip(components(&value)) {
            let args = if op == AtomicOp::Load { vec![] } else { vec![v] };
            items.push(self.atomic_scalar(op, p, s, &args, span)?);
        }
        let (result, body) = match op {
            AtomicOp::Store => ("void".to_owned(), format!("{};", items.join("; "))),
            _ => (t.clone(), format!("return {};", braced(ty, &t, &items))),
        };
        let list = if op == AtomicOp::Load {
            String::new()
        } else {
            format!(", {t} value")
        };
        self.module.helper(&name, || {
            format!("static __device__ __forceinline__ {result} {name}({target}{list}) {{ {body} }}\n")
        });
        Ok(name)
    }
}

/// What an atomic operation is about, as the first arguments of a function.
enum Target {
    Pointer(String),
    Planes(String),
}

fn pointer_to(place: &Value) -> String {
    format!("&{}", place.at(prec::UNARY))
}
