//! The arrays of scalars inside of an element.

use swathe_ir::{Enum, Type};

use crate::element::dtype::DType;
use crate::element::external::Axes;
use crate::field::exchange::strided;
use crate::field::exchange::transfer::{dot, positions};

/// Scalars of one type in every element, at regular distances.
#[derive(Clone, Debug)]
pub(in crate::field) struct Part {
    /// Offset of the first in the element, in bytes.
    pub offset: usize,
    /// Axes, slowest first.
    pub lengths: Vec<usize>,
    /// Their strides in bytes.
    pub strides: Vec<isize>,
    /// Size of a scalar in bytes.
    pub scalar: usize,
    /// Equal numbers that a scalar consists of: see [`Axes::parts`].
    pub parts: usize,
}

/// A member at the end of a path, which holds no further members.
#[derive(Clone, Debug)]
pub(in crate::field) struct Leaf {
    /// Names from the element to the member, joined by dots.
    pub path: String,
    pub dtype: DType,
    pub part: Part,
    /// The enum of which its scalars are values: not every integer is one.
    pub of: Option<Enum>,
}

impl Leaf {
    /// Whether it is the member at a path, or one inside of it.
    pub fn is_of(&self, path: &str) -> bool {
        self.path
            .strip_prefix(path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl Part {
    /// Scalars without gaps.
    pub fn dense(offset: usize, axes: &Axes, scalar: usize) -> Part {
        Part {
            offset,
            lengths: axes.lengths().to_vec(),
            strides: strided::row_major(axes.lengths(), scalar),
            scalar,
            parts: axes.parts(),
        }
    }

    /// Size of what has a plane of its own in a structure of arrays.
    pub fn number(&self) -> usize {
        self.scalar / self.parts
    }

    /// Offsets of all numbers in the element.
    pub fn numbers(&self) -> impl Iterator<Item = usize> + '_ {
        positions(&self.lengths).flat_map(move |inner| {
            let scalar = self.offset + dot(&inner, &self.strides) as usize;
            (0..self.parts).map(move |k| scalar + k * self.number())
        })
    }

    /// Whether it is all of an element.
    pub fn is_whole(&self, element: usize) -> bool {
        let dense = strided::row_major(&self.lengths, self.scalar);
        let same = |k: usize| self.lengths[k] == 1 || self.strides[k] == dense[k];
        self.lengths.iter().product::<usize>() * self.scalar == element && (0..dense.len()).all(same)
    }
}

/// All leaves of a type, in order of declaration. An array of structs gives each of their leaves one more axis.
pub(in crate::field) fn leaves(ty: &Type, offset: usize) -> Vec<Leaf> {
    let mut found = Vec::new();
    collect(
        ty,
        "",
        &Part {
            offset,
            lengths: Vec::new(),
            strides: Vec::new(),
            scalar: 0,
            parts: 1,
        },
        &mut found,
    );
    found
}

/// Offset and size of every number in an element: what has a plane of its own in a structure of arrays.
pub(in crate::field) fn numbers(ty: &Type) -> impl Iterator<Item = (usize, usize)> {
    let numbers = |leaf: Leaf| {
        let size = leaf.part.number();
        leaf.part.numbers().map(|offset| (offset, size)).collect::<Vec<_>>()
    };
    leaves(ty, 0).into_iter().flat_map(numbers)
}

fn collect(ty: &Type, path: &str, part: &Part, found: &mut Vec<Leaf>) {
    let (number, of) = match ty {
        Type::Enum(e) => (&Type::Scalar(e.number), Some((**e).clone())),
        _ => (ty, None),
    };
    if let Some(dtype) = DType::of(number) {
        found.push(Leaf {
            path: path.to_owned(),
            dtype,
            of,
            part: Part {
                scalar: dtype.size(),
                parts: dtype.parts(),
                ..part.clone()
            },
        });
        return;
    }
    match ty {
        Type::Struct(structure) => {
            for member in &structure.members {
                let path = match path {
                    "" => member.name.clone(),
                    _ => format!("{path}.{}", member.name),
                };
                let mut part = part.clone();
                part.offset += member.offset;
                collect(&member.ty, &path, &part, found);
            }
        }
        Type::Array(inner, length) => collect(inner, path, &with_axes(part, &[*length], inner.size()), found),
        Type::Vector(scalar, n) => {
            let part = with_axes(part, &[*n], scalar.size());
            collect(&Type::Scalar(*scalar), path, &part, found);
        }
        Type::Matrix(scalar, r, c) => {
            let part = with_axes(part, &[*r, *c], scalar.size());
            collect(&Type::Scalar(*scalar), path, &part, found);
        }
        // `usize` and `isize` are no elements, so every scalar has a type of arrays.
        Type::Scalar(_) | Type::Enum(_) | Type::Unit | Type::Tuple(_) | Type::Field(..) => {}
    }
}

fn with_axes(part: &Part, lengths: &[usize], size: usize) -> Part {
    let mut part = part.clone();
    part.lengths.extend(lengths);
    part.strides.extend(strided::row_major(lengths, size));
    part
}
