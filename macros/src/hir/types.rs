//! What tokens tell of a type, as far as anything does: rustc alone knows types.

use swathe_ir::BinOp;
use syn::ext::IdentExt;

use super::{Expr, ExprKind};

/// Whether the type is, by its name, one of those that a kernel indexes.
pub fn is_array(ty: &syn::Type) -> bool {
    last_name(ty).is_some_and(|name| {
        let kind = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'D');
        [
            "Field",
            "OffsetField",
            "Array",
            "ArrayView",
            "ArrayViewMut",
            "ArrayRef",
            "ArcArray",
            "CowArray",
        ]
        .contains(&kind)
    })
}

pub fn is_field(ty: &syn::Type) -> bool {
    last_name(ty).is_some_and(|name| name == "Field" || name == "OffsetField")
}

/// Whether the type is, by its name, one whose positions count from an origin.
pub fn is_offset(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(r) => is_offset(&r.elem),
        _ => last_name(ty).is_some_and(|name| name == "OffsetField"),
    }
}

pub fn last_name(ty: &syn::Type) -> Option<String> {
    match ty {
        syn::Type::Path(p) => Some(p.path.segments.last()?.ident.to_string()),
        _ => None,
    }
}

/// Whether a type is written as `usize`. That may name something else, also a position: who builds on it has rustc confirm it.
pub fn is_usize(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident("usize"))
}

/// An integer that no field holds, as it is written in the type of an array's elements.
pub fn host_integer_of(array: &mut syn::Type) -> Option<&mut syn::TypePath> {
    elements(array).and_then(host_integer)
}

/// The type of an array's elements, its first argument that is a type.
fn elements(array: &mut syn::Type) -> Option<&mut syn::Type> {
    let syn::Type::Path(path) = array else { return None };
    types_in(path.path.segments.last_mut()?).next()
}

/// Whether elements of an array may have less than 32 bits, by the name that is written for their type. This decides about speed alone.
pub fn may_be_small(array: &syn::Type) -> bool {
    let segment = match array {
        syn::Type::Reference(reference) => return may_be_small(&reference.elem),
        syn::Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    let Some(syn::PathArguments::AngleBracketed(args)) = segment.map(|segment| &segment.arguments) else {
        return false;
    };
    let element = args.args.iter().find_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    const WIDE: [&str; 8] = ["f32", "f64", "i32", "u32", "i64", "u64", "Complex", "Quat"];
    let is_wide = |name: &str| WIDE.contains(&name) || name.starts_with("Vec") || name.starts_with("Mat");
    element.and_then(last_name).is_some_and(|name| !is_wide(&name))
}

/// An integer that no field holds, as it is written in the type of an element.
pub fn host_integer(ty: &mut syn::Type) -> Option<&mut syn::TypePath> {
    let found = matches!(ty, syn::Type::Path(path) if is_host_integer(&path.path));
    match ty {
        // `Complex<usize>`.
        syn::Type::Path(path) => match found {
            true => Some(path),
            false => path.path.segments.iter_mut().flat_map(types_in).find_map(host_integer),
        },
        syn::Type::Array(array) => host_integer(&mut array.elem),
        syn::Type::Paren(inner) => host_integer(&mut inner.elem),
        syn::Type::Group(inner) => host_integer(&mut inner.elem),
        _ => None,
    }
}

fn is_host_integer(path: &syn::Path) -> bool {
    path.is_ident("usize") || path.is_ident("isize")
}

/// Why it is refused.
pub fn host_integer_text(ty: &syn::TypePath) -> String {
    let [name, short, long] = match ty.path.is_ident("isize") {
        true => ["isize", "i32", "i64"],
        false => ["usize", "u32", "u64"],
    };
    format!(
        "`{name}` cannot be an element of a field, or a part of one: its size is not that of all devices; \
         write `{short}` or `{long}`, and `as {name}` where it is an index"
    )
}

/// The types in the angle brackets of a segment.
fn types_in(segment: &mut syn::PathSegment) -> impl Iterator<Item = &mut syn::Type> {
    let args = match &mut segment.arguments {
        syn::PathArguments::AngleBracketed(args) => Some(&mut args.args),
        _ => None,
    };
    args.into_iter().flatten().filter_map(|arg| match arg {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    })
}

/// The parameter of a function that stands for the rank in the type of a field.
pub fn rank_parameter<'t>(ty: &'t syn::Type, generics: &syn::Generics) -> Option<&'t syn::Ident> {
    let path = match ty {
        syn::Type::Reference(reference) => return rank_parameter(&reference.elem, generics),
        syn::Type::Path(path) if is_field(ty) => path.path.segments.last()?,
        _ => return None,
    };
    let syn::PathArguments::AngleBracketed(args) = &path.arguments else {
        return None;
    };
    let mut arg = match args.args.get(1)? {
        syn::GenericArgument::Type(syn::Type::Path(ty)) => return parameter(&ty.path, generics),
        syn::GenericArgument::Const(arg) => arg,
        _ => return None,
    };
    while let syn::Expr::Block(block) = arg {
        match &block.block.stmts[..] {
            [syn::Stmt::Expr(inner, None)] => arg = inner,
            _ => return None,
        }
    }
    match arg {
        syn::Expr::Path(arg) => parameter(&arg.path, generics),
        _ => None,
    }
}

fn parameter<'t>(path: &'t syn::Path, generics: &syn::Generics) -> Option<&'t syn::Ident> {
    let name = path.get_ident()?;
    generics
        .const_params()
        .any(|param| param.ident == *name)
        .then_some(name)
}

/// The rank of an array where its type is written out. Rustc has to confirm it: the type may be another of that name.
pub fn rank(ty: &syn::Type) -> Option<usize> {
    let path = match ty {
        syn::Type::Reference(reference) => return rank(&reference.elem),
        syn::Type::Path(path) => path.path.segments.last()?,
        _ => return None,
    };
    let args: Vec<&syn::GenericArgument> = match &path.arguments {
        syn::PathArguments::AngleBracketed(args) => args.args.iter().collect(),
        _ => Vec::new(),
    };
    let name = path.ident.to_string();
    if name == "Field" || name == "OffsetField" {
        return match args.get(1) {
            None => Some(1),
            Some(syn::GenericArgument::Const(syn::Expr::Lit(lit))) => match &lit.lit {
                syn::Lit::Int(rank) => rank.base10_parse().ok(),
                _ => None,
            },
            Some(_) => None,
        };
    }
    // `Array2<T>`, or `Array<T, Ix2>`, of `ndarray`.
    let of_name = |name: &str| name.chars().last()?.to_digit(10).map(|rank| rank as usize);
    of_name(&name).or_else(|| match args.last() {
        Some(syn::GenericArgument::Type(dimension)) => {
            of_name(&last_name(dimension).filter(|name| name.starts_with("Ix"))?)
        }
        _ => None,
    })
}

pub fn is_integer_type(ty: &syn::Type) -> bool {
    const INTEGERS: [&str; 10] = ["usize", "isize", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64"];
    matches!(ty, syn::Type::Path(p) if INTEGERS.iter().any(|name| p.path.is_ident(name)))
}

/// Whether a division may have no result, as far as its tokens tell.
pub fn may_fail(op: BinOp, left: &Expr, right: &Expr) -> bool {
    matches!(op, BinOp::Div | BinOp::Rem) && !is_float(left) && !is_float(right) && !is_nonzero(right)
}

/// The same of a call that divides: `a.rem_euclid(b)`, `i32::div_ceil(a, b)`.
pub fn divides_and_may_fail(e: &Expr) -> bool {
    let (name, dividend, divisor) = match &e.kind {
        ExprKind::Method {
            receiver, name, args, ..
        } => match &args[..] {
            [divisor] => (name, &**receiver, divisor),
            _ => return false,
        },
        ExprKind::Call { path, args, .. } => match (path.path.segments.last(), &args[..]) {
            (Some(last), [dividend, divisor]) => (&last.ident, dividend, divisor),
            _ => return false,
        },
        _ => return false,
    };
    swathe_ir::division(&name.unraw().to_string()).is_some_and(|op| may_fail(op, dividend, divisor))
}

pub fn is_float(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Lit(lit, _) => matches!(lit, syn::Lit::Float(_)),
        ExprKind::Cast(_, ty, ..) => is_float_type(ty),
        _ => false,
    }
}

pub fn is_float_type(ty: &syn::Type) -> bool {
    matches!(ty, syn::Type::Path(p) if p.path.is_ident("f32") || p.path.is_ident("f64"))
}

/// Whether it is a literal that is neither zero nor -1, of whatever type of integers: one that is out of range wraps.
pub fn is_nonzero(e: &Expr) -> bool {
    let divides = |n: u128| {
        [8, 16, 32, 64]
            .into_iter()
            .all(|bits| (1..(1 << bits) - 1).contains(&(n % (1 << bits))))
    };
    matches!(&e.kind, ExprKind::Lit(syn::Lit::Int(n), _) if n.base10_parse().is_ok_and(divides))
}

#[cfg(test)]
mod tests {

    use proc_macro2::Span;
    use swathe_ir::TypeSlot;

    use super::*;

    #[test]
    fn literals_that_wrap_to_no_divisor() {
        let divides = |n: &str| {
            let lit = syn::Lit::Int(syn::LitInt::new(n, Span::call_site()));
            is_nonzero(&Expr::new(
                ExprKind::Lit(lit, TypeSlot(0)),
                Span::call_site(),
                Span::call_site(),
            ))
        };
        for n in ["1", "2", "10", "127", "254", "257", "1000000"] {
            assert!(divides(n), "{n}");
        }
        for n in [
            "0",
            "255",
            "256",
            "65535",
            "65536",
            "4294967295",
            "18446744073709551615",
        ] {
            assert!(!divides(n), "{n}");
        }
    }
}
