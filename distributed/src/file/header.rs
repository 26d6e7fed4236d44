//! Headers of NumPy's `.npy` files, for any element: a struct is a *structured array*, without gaps.
//!
//! The format: <https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>.

use std::io::Read;

use py_literal::Value;
use swathe::{Complex, Element, KernelType};
use swathe_ir::{Scalar, Type};

const MAGIC: &[u8] = b"\x93NUMPY";
/// Longest header that is read, in bytes.
const LONGEST: usize = 1 << 20;

/// How NumPy names a type, and the axes that it adds to an array's.
struct Named {
    descr: Value,
    axes: Vec<usize>,
}

fn named(ty: &Type) -> Named {
    let scalar = |name: &str, axes: Vec<usize>| Named {
        descr: Value::String(name.to_owned()),
        axes,
    };
    if *ty == Complex::<f32>::ty() {
        return scalar("<c8", Vec::new());
    }
    if *ty == Complex::<f64>::ty() {
        return scalar("<c16", Vec::new());
    }
    match ty {
        Type::Scalar(of) => scalar(name(*of), Vec::new()),
        Type::Enum(of) => scalar(name(of.number), Vec::new()),
        Type::Vector(of, n) => scalar(name(*of), vec![*n]),
        Type::Matrix(of, rows, columns) => scalar(name(*of), vec![*rows, *columns]),
        Type::Array(inner, n) => {
            let Named { descr, axes } = named(inner);
            Named {
                descr,
                axes: [vec![*n], axes].concat(),
            }
        }
        Type::Struct(structure) => {
            let members = structure.members.iter().map(|member| {
                let Named { descr, axes } = named(&member.ty);
                let mut parts = vec![Value::String(member.name.clone()), descr];
                if !axes.is_empty() {
                    parts.push(tuple(&axes));
                }
                Value::Tuple(parts)
            });
            Named {
                descr: Value::List(members.collect()),
                axes: Vec::new(),
            }
        }
        Type::Unit | Type::Tuple(_) | Type::Field(..) => Named {
            descr: Value::List(Vec::new()),
            axes: Vec::new(),
        },
    }
}

/// Messages and files hold the bytes of the processor: all that the library runs on are little-endian.
const _: () = assert!(
    cfg!(target_endian = "little"),
    "files are written in little-endian order"
);

fn name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "|b1",
        Scalar::I8 => "|i1",
        Scalar::I16 => "<i2",
        Scalar::I32 => "<i4",
        Scalar::I64 | Scalar::Isize => "<i8",
        Scalar::U8 => "|u1",
        Scalar::U16 => "<u2",
        Scalar::U32 => "<u4",
        Scalar::U64 | Scalar::Usize => "<u8",
        Scalar::F16 => "<f2",
        // NumPy has none: two bytes.
        Scalar::Bf16 => "|V2",
        Scalar::F32 => "<f4",
        Scalar::F64 => "<f8",
    }
}

fn tuple(numbers: &[usize]) -> Value {
    Value::Tuple(numbers.iter().map(|n| Value::Integer((*n).into())).collect())
}

/// The text of a header.
fn text<T: Element>(shape: &[usize]) -> Result<String, String> {
    let Named { descr, axes } = named(&T::ty());
    let shape = tuple(&[shape, &axes].concat());
    let key = |key: &str| Value::String(key.to_owned());
    let all = Value::Dict(vec![
        (key("descr"), descr),
        (key("fortran_order"), Value::Boolean(false)),
        (key("shape"), shape),
    ]);
    all.format_ascii().map_err(|error| error.to_string())
}

/// How deep brackets lie in one another, wherever they stand.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for c in text.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = depth.max(deepest);
    }
    deepest
}

/// The header of a file with an array of this shape.
///
/// # Errors
/// What of the type's names a header cannot hold.
pub(crate) fn header<T: Element>(shape: &[usize]) -> Result<Vec<u8>, String> {
    let mut text = text::<T>(shape)?;
    // Version 2, whose length has four bytes. What follows begins at a multiple of 64.
    let start = MAGIC.len() + 2 + 4;
    let padded = (start + text.len() + 1).next_multiple_of(64);
    text.extend(std::iter::repeat_n(' ', padded - start - text.len() - 1));
    text.push('\n');
    Ok([MAGIC, &[2, 0], &(text.len() as u32).to_le_bytes(), text.as_bytes()].concat())
}

/// Reads a header, and compares it with that of an array of this shape. Gives its length in bytes.
///
/// # Errors
/// What is wrong with it, or other.
pub(crate) fn check<T: Element>(mut from: impl Read, shape: &[usize]) -> Result<u64, String> {
    let mut start = [0; 8];
    fill(&mut from, &mut start)?;
    let [magic @ .., major, minor] = start;
    if magic != MAGIC {
        return Err("it is no `.npy` file".to_owned());
    }
    let mut length = [0; 4];
    let bytes = match (major, minor) {
        (1, 0) => 2,
        (2 | 3, 0) => 4,
        _ => return Err(format!("version {major}.{minor} of the format is not known")),
    };
    fill(&mut from, &mut length[..bytes])?;
    let length = u32::from_le_bytes(length) as usize;
    if length > LONGEST {
        return Err(format!(
            "a header of {length} bytes; those of more than {LONGEST} are not read"
        ));
    }
    let mut text = vec![0; length];
    fill(&mut from, &mut text)?;
    let text = String::from_utf8(text).map_err(|error| error.to_string())?;
    // The parser takes time that doubles with each bracket within others. A header with more of them than that of the array is not its.
    if depth(&text) > depth(&self::text::<T>(shape)?) {
        return Err(format!("its header has more members in one another than `{}`", T::ty()));
    }
    let all: Value = text.trim().parse().map_err(|error| format!("its header: {error}"))?;
    let all = all.as_dict().ok_or("its header is no dictionary")?;
    let entry = |name: &str| {
        let mut entries = all
            .iter()
            .filter(|(key, _)| key.as_string().is_some_and(|key| key == name));
        entries
            .next()
            .map(|(_, value)| value)
            .ok_or_else(|| format!("its header has no `{name}`"))
    };
    let Named { descr, axes } = named(&T::ty());
    let expected = tuple(&[shape, &axes].concat());
    if *entry("descr")? != descr {
        return Err(format!(
            "it holds {}, expected {descr} for `{}`",
            entry("descr")?,
            T::ty()
        ));
    }
    if *entry("shape")? != expected {
        return Err(format!("it has the shape {}, expected {expected}", entry("shape")?));
    }
    // Of one axis both orders are the same.
    if *entry("fortran_order")? != Value::Boolean(false) && shape.len() + axes.len() > 1 {
        return Err("it is in Fortran's order: save `numpy.ascontiguousarray` of it".to_owned());
    }
    Ok((start.len() + bytes + length) as u64)
}

fn fill(from: &mut impl Read, bytes: &mut [u8]) -> Result<(), String> {
    from.read_exact(bytes).map_err(|error| format!("its header: {error}"))
}
