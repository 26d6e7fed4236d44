//! The places of an element that iterations can own apart from one another: its scalars, enums, vectors and matrices. Components of one vector
//! are one place, since native code reaches them through a reference to the vector.

use swathe_ir::Type;

/// Where the places of a type start, in bytes, ascending. A part of it has those that follow its offset.
pub(crate) fn starts(ty: &Type) -> Vec<usize> {
    let mut starts = Vec::new();
    collect(ty, 0, &mut starts);
    starts.sort_unstable();
    starts
}

fn collect(ty: &Type, at: usize, starts: &mut Vec<usize>) {
    match ty {
        Type::Scalar(_) | Type::Enum(_) | Type::Vector(..) | Type::Matrix(..) => starts.push(at),
        Type::Array(t, n) => (0..*n).for_each(|k| collect(t, at + k * t.size(), starts)),
        Type::Struct(s) => s.members.iter().for_each(|m| collect(&m.ty, at + m.offset, starts)),
        Type::Unit | Type::Tuple(_) | Type::Field(..) => {}
    }
}

/// How many places a type has.
pub(crate) fn count(ty: &Type) -> usize {
    match ty {
        Type::Scalar(_) | Type::Enum(_) | Type::Vector(..) | Type::Matrix(..) => 1,
        Type::Array(t, n) => n * count(t),
        Type::Struct(s) => s.members.iter().map(|m| count(&m.ty)).sum(),
        Type::Unit | Type::Tuple(_) | Type::Field(..) => 0,
    }
}

/// How many places of a type stand before an offset.
pub(crate) fn before(ty: &Type, offset: usize) -> usize {
    starts(ty).iter().filter(|start| **start < offset).count()
}
