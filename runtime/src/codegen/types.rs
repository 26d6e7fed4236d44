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

impl Types {
    /// Name of the type; defines it if needed.
    pub(super) fn name(&mut self, ty: &Type, globals: &mut HashSet<String>) -> String {
        match ty {
            Type::Unit => return "void".into(),
            Type::Scalar(s) => return scalar::name(*s).into(),
            Type::Field(t, _) => return format!("{}*", self.name(t, globals)),
            _ => {}
        }
        if let Some(name) = self.names.get(ty) {
            return name.clone();
        }
        let members = self.members(ty, globals);
        let wanted = self.wanted(ty, globals);
        let name = names::unique(&wanted, |name| globals.contains(name));
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
            Type::Vector(s, n) => match glam_prefix(*s) {
                Some(prefix) => format!("{prefix}Vec{n}"),
                None => format!("Vec{n}{}", s.name()),
            },
            Type::Matrix(s, r, c) => {
                let shape = if r == c { r.to_string() } else { format!("{r}x{c}") };
                match glam_prefix(*s) {
                    Some(prefix) => format!("{prefix}Mat{shape}"),
                    None => format!("Mat{shape}{}", s.name()),
                }
            }
            Type::Array(t, n) => format!("Array{n}{}", capitalised(&self.name(t, globals))),
            Type::Tuple(ts) => ts.iter().fold("Tuple".to_owned(), |name, t| {
                name + &capitalised(&self.name(t, globals))
            }),
            Type::Struct(s) => s.name.clone(),
            Type::Unit | Type::Scalar(_) | Type::Field(..) => String::new(),
        }
    }

    fn members(&mut self, ty: &Type, globals: &mut HashSet<String>) -> String {
        match ty {
            Type::Vector(s, n) if *n <= 4 => format!("{} {};", scalar::name(*s), ["x", "y", "z", "w"][..*n].join(", ")),
            Type::Vector(s, n) => format!("{} v[{n}];", scalar::name(*s)),
            Type::Matrix(s, r, c) => format!("{} m[{r}][{c}];", scalar::name(*s)),
            Type::Array(t, n) => format!("{} v[{}];", self.name(t, globals), (*n).max(1)),
            Type::Tuple(ts) => {
                let members: Vec<_> = ts
                    .iter()
                    .enumerate()
                    .map(|(k, t)| format!("{} _{k};", self.name(t, globals)))
                    .collect();
                members.join(" ")
            }
            Type::Struct(s) => self.struct_members(s, globals),
            Type::Unit | Type::Scalar(_) | Type::Field(..) => String::new(),
        }
    }

    fn struct_members(&mut self, s: &Struct, globals: &mut HashSet<String>) -> String {
        let mut text = String::new();
        let mut offset = 0_usize;
        for k in in_memory_order(s) {
            let m = &s.members[k];
            let name = self.name(&m.ty, globals);
            let next = offset.next_multiple_of(m.ty.align().max(1));
            if next < m.offset {
                let _ = writeln!(text, "    u8 padding_{k}[{}];", m.offset - offset);
            }
            let _ = writeln!(text, "    {name} {};", names::member(&m.name));
            offset = m.offset + m.ty.size();
        }
        let natural = s.members.iter().map(|m| m.ty.align()).max().unwrap_or(1);
        if offset.next_multiple_of(natural) < s.size {
            let _ = writeln!(text, "    u8 padding[{}];", s.size - offset);
        }
        text
    }
}

/// Members by offset, the order of their definition in CUDA C; rustc may order them otherwise than they are written.
pub(super) fn in_memory_order(s: &Struct) -> Vec<usize> {
    let mut order: Vec<usize> = (0..s.members.len()).collect();
    order.sort_by_key(|&k| (s.members[k].offset, s.members[k].ty.size()));
    order
}

fn define_user_struct(name: &str, s: &Struct, members: &str) -> String {
    let natural = s.members.iter().map(|m| m.ty.align()).max().unwrap_or(1);
    let align = if s.align > natural {
        format!("alignas({}) ", s.align)
    } else {
        String::new()
    };
    let mut text = format!("struct {align}{name} {{\n{members}}};\n");
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

/// Size and alignment in CUDA C, tuples included.
pub(super) fn layout(ty: &Type) -> (usize, usize) {
    match ty {
        Type::Tuple(ts) => {
            let (mut size, mut align) = (0_usize, 1);
            for t in ts {
                let (s, a) = layout(t);
                size = size.next_multiple_of(a) + s;
                align = align.max(a);
            }
            (size.next_multiple_of(align), align)
        }
        Type::Array(t, n) => {
            let (size, align) = layout(t);
            (size * n, align)
        }
        _ => (ty.size(), ty.align().max(1)),
    }
}
