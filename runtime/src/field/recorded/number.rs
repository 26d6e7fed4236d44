//! The numbers of an element that have derivatives.

use swathe_ir::{Scalar, Type};

/// Offset and type of each float of an element, in order.
pub(in crate::field) fn floats(ty: &Type) -> Vec<(usize, Scalar)> {
    let mut found = Vec::new();
    collect(ty, 0, &mut found);
    found.retain(|(_, scalar)| is_float(*scalar));
    found
}

fn is_float(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
}

/// Whether an element has no other scalars than floats.
pub(in crate::field) fn is_of_floats(ty: &Type) -> bool {
    let mut found = Vec::new();
    collect(ty, 0, &mut found);
    found.iter().all(|(_, scalar)| is_float(*scalar))
}

fn collect(ty: &Type, offset: usize, found: &mut Vec<(usize, Scalar)>) {
    let mut list = |scalar: Scalar, count: usize| {
        found.extend((0..count).map(|k| (offset + k * scalar.size(), scalar)));
    };
    match ty {
        Type::Scalar(scalar) => list(*scalar, 1),
        Type::Enum(e) => list(e.number, 1),
        Type::Vector(scalar, n) => list(*scalar, *n),
        Type::Matrix(scalar, rows, columns) => list(*scalar, rows * columns),
        Type::Array(item, n) => {
            let size = item.size();
            for k in 0..*n {
                collect(item, offset + k * size, found);
            }
        }
        Type::Struct(fields) => {
            for member in &fields.members {
                collect(&member.ty, offset + member.offset, found);
            }
        }
        // Never in a field, so that the offsets do not matter.
        Type::Tuple(items) => items.iter().for_each(|item| collect(item, offset, found)),
        Type::Unit | Type::Field(..) => {}
    }
}

/// Whether all of an element is floats of one type, without gaps.
pub(in crate::field) fn uniform(floats: &[(usize, Scalar)], size: usize) -> Option<Scalar> {
    let (_, first) = *floats.first()?;
    let one = floats.iter().all(|(_, scalar)| *scalar == first);
    (one && floats.len() * first.size() == size).then_some(first)
}
