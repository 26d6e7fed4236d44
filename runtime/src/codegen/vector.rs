//! Elements in wide accesses: of 16 or 8 bytes, where their size is a multiple of that.
//!
//! The types themselves are no more aligned in CUDA C than in Rust, since they are also members of other types. Fields
//! are: so an element of 16 bytes lies at a multiple of 16.

use swathe_ir::Type;

use super::module::Module;
use super::types::{is_empty, member_name, struct_initialiser};

/// More scalars are left to the compiler.
const MOST: usize = 16;

/// Bytes of an access to such an element, if it is more than its alignment says.
fn access(ty: &Type) -> Option<usize> {
    if matches!(
        ty,
        Type::Scalar(_) | Type::Enum(_) | Type::Unit | Type::Tuple(_) | Type::Field(..)
    ) || scalars(ty).is_none_or(|n| n > MOST)
    {
        return None;
    }
    let bytes = [16, 8]
        .into_iter()
        .find(|bytes| ty.size() > 0 && ty.size().is_multiple_of(*bytes))?;
    (bytes > ty.align()).then_some(bytes)
}

/// Number of scalars in a type, all of 4 or 8 bytes.
fn scalars(ty: &Type) -> Option<usize> {
    match ty {
        Type::Scalar(s) | Type::Vector(s, _) | Type::Matrix(s, ..) if s.size() < 4 => None,
        Type::Scalar(_) => Some(1),
        Type::Vector(_, n) => Some(*n),
        Type::Matrix(_, r, c) => Some(r * c),
        Type::Array(t, n) => Some(scalars(t)? * n),
        Type::Struct(s) => s.members.iter().map(|m| scalars(&m.ty)).sum(),
        Type::Enum(_) | Type::Unit | Type::Tuple(_) | Type::Field(..) => None,
    }
}

impl Module {
    /// Name of the function through which elements of a field are accessed, if they need one.
    pub(super) fn vector_access(&mut self, ty: &Type, mutable: bool) -> Option<&'static str> {
        let bytes = access(ty)?;
        let t = self.ty(ty);
        if mutable {
            self.helper(&format!("at/{t}/mut"), || {
                format!(
                    "static __device__ __forceinline__ {t}& at({t}* p) {{ return *({t}*)__builtin_assume_aligned(p, {bytes}); }}\n"
                )
            });
        } else {
            // Member by member, which the compiler makes one access of, through the read-only path.
            let value = self.copied(ty, "p->value");
            self.helper(&format!("at/{t}"), || {
                format!(
                    "struct alignas({bytes}) Aligned{t} {{ {t} value; }};\nstatic __device__ __forceinline__ {t} at(const {t}* element) {{\n    const Aligned{t}* p = (const Aligned{t}*)element;\n    return {value};\n}}\n"
                )
            });
        }
        Some("at")
    }

    /// A copy of a place, written as the copies of its scalars.
    fn copied(&mut self, ty: &Type, place: &str) -> String {
        let name = self.ty(ty);
        match ty {
            Type::Vector(_, n) if *n <= 4 => {
                let items = ["x", "y", "z", "w"][..*n].iter().map(|c| format!("{place}.{c}"));
                format!("{name}{{{}}}", items.collect::<Vec<_>>().join(", "))
            }
            Type::Vector(_, n) => {
                let items = (0..*n).map(|k| format!("{place}.v[{k}]"));
                format!("{name}{{{{{}}}}}", items.collect::<Vec<_>>().join(", "))
            }
            Type::Matrix(_, r, c) => {
                let row = |k: usize| {
                    let items = (0..*c).map(|l| format!("{place}.m[{k}][{l}]"));
                    format!("{{{}}}", items.collect::<Vec<_>>().join(", "))
                };
                format!("{name}{{{{{}}}}}", (0..*r).map(row).collect::<Vec<_>>().join(", "))
            }
            Type::Array(..) if is_empty(ty) => format!("{name}{{}}"),
            Type::Array(t, n) => {
                let items: Vec<String> = (0..*n).map(|k| self.copied(t, &format!("{place}.v[{k}]"))).collect();
                format!("{name}{{{{{}}}}}", items.join(", "))
            }
            Type::Struct(s) => {
                let items: Vec<String> = s
                    .members
                    .iter()
                    .map(|m| self.copied(&m.ty, &format!("{place}.{}", member_name(ty, &m.name))))
                    .collect();
                struct_initialiser(&name, s, &items)
            }
            _ => place.to_owned(),
        }
    }
}
