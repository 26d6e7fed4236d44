//! Structs of CUDA C for vectors, matrices, arrays, tuples and the user's structs.

use std::collections::{HashMap, HashSet};
use std::fmt::Write;

use swathe_ir::{Scalar, Struct, Type};

use super::names;
use super::scalar;

/// Names and definitions of the types that the text uses so far.
#[derive(Debug, Default)]
pub(super) struct Types {
    names: HashMap<Type, String>,
    /// In an order in which each stands after what it needs.
    pub definitions: Vec<String>,
}

/// Names that a type, and what it is made of, would have where nothing else has them; of arrays and tuples see [`is_like_composed`].
pub(super) fn collect_names(ty: &Type, found: &mut HashSet<String>) {
    match ty {
        Type::Vector(s, n) => {
            found.insert(vector_name(*s, *n));
        }
        Type::Matrix(s, r, c) => {
            found.insert(matrix_name(*s, *r, *c));
        }
        Type::Array(inner, _) | Type::Field(inner, _) => collect_names(inner, found),
        Type::Tuple(parts) => parts.iter().for_each(|part| collect_names(part, found)),
        Type::Struct(s) => {
            found.insert(names::unique(&s.name, names::is_reserved_for_types));
            s.members.iter().for_each(|member| collect_names(&member.ty, found));
        }
        Type::Unit | Type::Scalar(_) | Type::Enum(_) => {}
    }
}

/// Whether a name may be that of an array or a tuple.
pub(super) fn is_like_composed(name: &str) -> bool {
    name.starts_with("Array") || name.starts_with("Tuple")
}

impl Types {
    /// Name of the type; defines it if needed.
    pub(super) fn name(&mut self, ty: &Type, globals: &mut HashSet<String>) -> String {
        match ty {
            Type::Unit => return "void".into(),
            Type::Scalar(s) => return scalar::name(*s).into(),
            Type::Enum(e) => return scalar::name(e.number).into(),
            Type::Field(t, _) => return format!("{}*", self.name(t, globals)),
            _ => {}
        }
        if let Some(name) = self.names.get(ty) {
            return name.clone();
        }
        let members = self.members(ty, globals);
        let wanted = self.wanted(ty, globals);
        let name = names::unique(&wanted, |name| {
            globals.contains(name) || names::is_reserved_for_types(name)
        });
        globals.insert(name.clone());
        self.definitions.push(match ty {
            Type::Struct(s) => define_user_struct(&name, s, &members),
            _ => format!("struct {name} {{ {members} }};\n"),
        });
        self.names.insert(ty.clone(), name.clone());
        name
    }

    fn wanted(&mut self, ty: &Type, globals: &mut HashSet<String>) -> String {
        match ty {
            Type::Vector(s, n) => vector_name(*s, *n),
            Type::Matrix(s, r, c) => matrix_name(*s, *r, *c),
            Type::Array(t, n) => format!("Array{n}{}", capitalised(&self.name(t, globals))),
            Type::Tuple(ts) => ts.iter().fold("Tuple".to_owned(), |name, t| {
                name + &capitalised(&self.name(t, globals))
            }),
            Type::Struct(s) => s.name.clone(),
            Type::Unit | Type::Scalar(_) | Type::Enum(_) | Type::Field(..) => String::new(),
        }
    }

    fn members(&mut self, ty: &Type, globals: &mut HashSet<String>) -> String {
        match ty {
            Type::Vector(s, n) if *n <= 4 => format!("{} {};", scalar::name(*s), ["x", "y", "z", "w"][..*n].join(", ")),
            Type::Vector(s, n) => format!("{} v[{n}];", scalar::name(*s)),
            Type::Matrix(s, r, c) => format!("{} m[{r}][{c}];", scalar::name(*s)),
            Type::Array(t, n) if *n > 0 && !is_empty(t) => format!("{} v[{n}];", self.name(t, globals)),
            Type::Array(..) => String::new(),
            Type::Tuple(ts) => {
                let members: Vec<_> = ts
                    .iter()
                    .enumerate()
                    .filter(|(_, t)| !is_empty(t))
                    .map(|(k, t)| format!("{} _{k};", self.name(t, globals)))
                    .collect();
                members.join(" ")
            }
            Type::Struct(s) => self.struct_members(s, globals),
            Type::Unit | Type::Scalar(_) | Type::Enum(_) | Type::Field(..) => String::new(),
        }
    }

    fn struct_members(&mut self, s: &Struct, globals: &mut HashSet<String>) -> String {
        let mut text = String::new();
        let mut offset = 0_usize;
        let members = member_names(s);
        let padding = |wanted: &str| names::unique(wanted, |name| members.iter().any(|m| m == name));
        for k in in_memory_order(s) {
            let m = &s.members[k];
            let name = self.name(&m.ty, globals);
            let next = offset.next_multiple_of(m.ty.align().max(1));
            if next < m.offset {
                let _ = writeln!(
                    text,
                    "    u8 {}[{}];",
                    padding(&format!("padding_{k}")),
                    m.offset - offset
                );
            }
            let _ = writeln!(text, "    {name} {};", members[k]);
            offset = m.offset + m.ty.size();
        }
        let natural = natural_align(s);
        if offset.next_multiple_of(natural) < s.size {
            let _ = writeln!(text, "    u8 {}[{}];", padding("padding"), s.size - offset);
        }
        text
    }
}

/// Names of a struct's members, which C++ must tell from each other, from the types of the members after them, and from the struct.
pub(super) fn member_names(s: &Struct) -> Vec<String> {
    let types: Vec<&Type> = s.members.iter().map(|m| &m.ty).collect();
    let mut taken: Vec<String> = Vec::with_capacity(s.members.len());
    for m in &s.members {
        let name = names::unique_member(&m.name, |name| {
            name == "u8"
                || taken.iter().any(|t| t == name)
                || names::is_made_of(name, &s.name)
                || types.iter().any(|ty| may_be_called(ty, name))
        });
        taken.push(name);
    }
    taken
}

/// Name of a member of a value of this type.
pub(super) fn member_name(ty: &Type, member: &str) -> String {
    if let Type::Struct(s) = ty
        && let Some(k) = s.members.iter().position(|m| m.name == member)
        && let Some(name) = member_names(s).into_iter().nth(k)
    {
        return name;
    }
    names::member(member)
}

/// Whether a type can have this name, by which a member would hide it. The types of a text have different ones: `Vec3_2` if need be.
pub(super) fn may_be_called(ty: &Type, name: &str) -> bool {
    match ty {
        Type::Scalar(s) => scalar::name(*s) == name,
        Type::Enum(e) => scalar::name(e.number) == name,
        Type::Vector(s, n) => names::is_made_of(name, &vector_name(*s, *n)),
        Type::Matrix(s, r, c) => names::is_made_of(name, &matrix_name(*s, *r, *c)),
        Type::Array(..) => name.starts_with("Array"),
        Type::Tuple(_) => name.starts_with("Tuple"),
        Type::Struct(s) => names::is_made_of(name, &s.name),
        Type::Field(t, _) => may_be_called(t, name),
        Type::Unit => false,
    }
}

fn vector_name(s: Scalar, n: usize) -> String {
    match glam_prefix(s) {
        Some(prefix) => format!("{prefix}Vec{n}"),
        None => format!("Vec{n}{}", s.name()),
    }
}

fn matrix_name(s: Scalar, r: usize, c: usize) -> String {
    let shape = if r == c { r.to_string() } else { format!("{r}x{c}") };
    match glam_prefix(s) {
        Some(prefix) => format!("{prefix}Mat{shape}"),
        None => format!("Mat{shape}{}", s.name()),
    }
}

/// Whether values of the type take no memory. C++ gives each member a byte at least, so that such members are left out.
pub(super) fn is_empty(ty: &Type) -> bool {
    !matches!(ty, Type::Field(..)) && ty.device_layout().0 == 0
}

/// Alignment that the members of a struct give it.
fn natural_align(s: &Struct) -> usize {
    let members = s.members.iter().filter(|m| !is_empty(&m.ty));
    members.map(|m| m.ty.align()).max().unwrap_or(1)
}

/// Members by offset, the order of their definition in CUDA C; rustc may order them otherwise than they are written. Those without
/// size are left out.
pub(super) fn in_memory_order(s: &Struct) -> Vec<usize> {
    let mut order: Vec<usize> = (0..s.members.len()).filter(|&k| !is_empty(&s.members[k].ty)).collect();
    order.sort_by_key(|&k| (s.members[k].offset, s.members[k].ty.size()));
    order
}

fn define_user_struct(name: &str, s: &Struct, members: &str) -> String {
    let align = if s.align > natural_align(s) {
        format!("alignas({}) ", s.align)
    } else {
        String::new()
    };
    let mut text = format!("struct {align}{name} {{\n{members}}};\n");
    if s.size == 0 {
        // Of C++ it takes a byte; it is no member of anything.
        return text;
    }
    let _ = writeln!(
        text,
        "static_assert(sizeof({name}) == {}, \"{name} as laid out by rustc\");",
        s.size
    );
    text
}

/// Initialiser of a struct whose members, in order of declaration, are `values`.
pub(super) fn struct_initialiser(name: &str, s: &Struct, values: &[String]) -> String {
    let mut items = Vec::new();
    let mut offset = 0_usize;
    for k in in_memory_order(s) {
        let m = &s.members[k];
        if offset.next_multiple_of(m.ty.align().max(1)) < m.offset {
            items.push("{}".to_owned());
        }
        items.push(values[k].clone());
        offset = m.offset + m.ty.size();
    }
    format!("{name}{{{}}}", items.join(", "))
}

fn glam_prefix(s: Scalar) -> Option<&'static str> {
    match s {
        Scalar::F32 => Some(""),
        Scalar::F64 => Some("D"),
        Scalar::I32 => Some("I"),
        Scalar::U32 => Some("U"),
        _ => None,
    }
}

fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}
