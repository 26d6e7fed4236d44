//! Constants: a value in memory as an initialiser.

use swathe_ir::{Expr, ExprKind, Type};

use super::body::Body;
use super::helper::braced;
use super::literal;
use super::types::{is_empty, struct_initialiser};
use super::value::{Effect, Value, prec};

/// Bytes of the largest constant that stands where it is used.
const INLINE: usize = 256;

impl Body<'_> {
    /// The part of a constant that an expression names.
    pub(super) fn constant_part(&self, e: &Expr) -> Option<(Type, Vec<u8>)> {
        let part = |ty: &Type, bytes: &[u8], at: usize| {
            let (size, _) = ty.device_layout();
            Some((ty.clone(), bytes.get(at..at + size)?.to_vec()))
        };
        match &e.kind {
            ExprKind::Const(slot) => {
                let value = self.instance.consts.get(slot.0 as usize)?;
                Some((value.ty.clone(), value.bytes.clone()))
            }
            ExprKind::Member(base, name) => match self.constant_part(base)? {
                (Type::Tuple(types), bytes) => {
                    let k = name.parse::<usize>().ok()?;
                    part(types.get(k)?, &bytes, *Type::tuple_offsets(&types).get(k)?)
                }
                (Type::Struct(s), bytes) => {
                    let member = s.members.iter().find(|m| m.name == *name)?;
                    part(&member.ty, &bytes, member.offset)
                }
                _ => None,
            },
            ExprKind::Index(base, index) => match (self.constant_part(base)?, self.constant_int(index)?) {
                ((Type::Array(element, n), bytes), k) => {
                    let k = usize::try_from(k).ok().filter(|k| *k < n)?;
                    part(&element, &bytes, k * element.device_layout().0)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// A constant where it is used: a large one in a table of the module, by its bytes. The time that a compiler takes for an initialiser in a
    /// function grows with the square of its length.
    pub(super) fn constant(&mut self, ty: &Type, bytes: &[u8]) -> Value {
        let together = matches!(ty, Type::Array(..) | Type::Struct(_) | Type::Tuple(_));
        if !together || bytes.len() <= INLINE {
            return self.initialiser(ty, bytes);
        }
        let name = self.module.table(bytes);
        let text = format!("(*(const {}*){name})", self.module.ty(ty));
        Value::new(text, prec::POSTFIX, ty.clone(), Effect::Stable)
    }

    fn initialiser(&mut self, ty: &Type, bytes: &[u8]) -> Value {
        if let Type::Scalar(s) = ty {
            return literal::from_bytes(bytes, *s);
        }
        let name = self.module.ty(ty);
        let text = match ty {
            _ if is_empty(ty) => format!("{name}{{}}"),
            Type::Vector(s, _) | Type::Matrix(s, ..) => {
                let items: Vec<String> = bytes
                    .chunks(s.size())
                    .take(ty.size() / s.size())
                    .map(|chunk| literal::from_bytes(chunk, *s).text)
                    .collect();
                braced(ty, &name, &items)
            }
            Type::Array(element, n) => {
                let size = element.device_layout().0.max(1);
                let items: Vec<String> = (0..*n)
                    .map(|k| {
                        self.initialiser(element, bytes.get(k * size..).unwrap_or_default())
                            .text
                    })
                    .collect();
                format!("{name}{{{{{}}}}}", items.join(", "))
            }
            Type::Tuple(types) => {
                let members = types
                    .iter()
                    .zip(Type::tuple_offsets(types))
                    .filter(|(t, _)| !is_empty(t));
                let values: Vec<String> = members
                    .map(|(t, at)| self.initialiser(t, bytes.get(at..).unwrap_or_default()).text)
                    .collect();
                format!("{name}{{{}}}", values.join(", "))
            }
            Type::Struct(s) => {
                let values: Vec<String> = s
                    .members
                    .iter()
                    .map(|m| {
                        let end = (m.offset + m.ty.size()).min(bytes.len());
                        self.initialiser(&m.ty, bytes.get(m.offset..end).unwrap_or_default())
                            .text
                    })
                    .collect();
                struct_initialiser(&name, s, &values)
            }
            _ => format!("{name}{{}}"),
        };
        Value::new(text, prec::POSTFIX, ty.clone(), Effect::Stable)
    }
}
