//! Fields of structs from and to dictionaries of arrays.

use swathe_ir::Type;

use crate::access::layout::{Aos, FieldLayout};
use crate::device::Device;
use crate::element::Element;
use crate::element::dtype::DType;
use crate::error::{ArrayFault, Error, Result};
use crate::field::Field;
use crate::field::Init;
use crate::field::exchange::any::{AnyArray, Buffer};
use crate::field::exchange::array::whole;
use crate::field::exchange::arrays::{Arrays, Entry};
use crate::field::exchange::strided;
use crate::field::exchange::tile::Tile;
use crate::field::exchange::transfer::Lane;
use crate::field::members::member::{Member, MemberMut};
use crate::field::members::part::{Leaf, leaves};
use crate::field::members::place::Place;
use crate::field::memory::Memory;

impl<T: Element, const D: usize> Field<T, D> {
    /// A field of structs, from one array for each member: that of a member with axes of its own has them after those
    /// of the field. A member that is a struct has a dictionary, and one that is an array of structs too, whose arrays have an axis more.
    ///
    /// # Errors
    /// [`Error::Arrays`], which lists all that is missing, too much, of the wrong shape or type, or no value of an enum; [`Error::NoMembers`] if
    /// `T` is no struct, [`Error::OutOfMemory`].
    pub fn from_arrays(device: &Device, arrays: &Arrays<'_>) -> Result<Self> {
        let ty = T::ty();
        let leaves = struct_leaves(&ty, 0, "from_ndarray")?;
        let what = format!("making a Field<{ty}, {D}> of arrays");
        let Some(shape) = common_shape(&leaves, arrays) else {
            let mut faults = faults(&ty, &leaves, &Shape::Unknown(D), arrays);
            if faults.is_empty() {
                faults.push(ArrayFault::NoShape);
            }
            return Err(Error::Arrays { what, faults });
        };
        check(&ty, &leaves, &Shape::Known(&shape), arrays, || what)?;
        let mut field = Self::alloc(device, shape, Init::Uninit)?;
        // SAFETY: the arrays fit.
        unsafe { import(field.own()?, whole::<T, Aos>(&shape), &leaves, arrays)? };
        Ok(field)
    }
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// Sets all elements from one array for each member, as [`Field::from_arrays`].
    ///
    /// # Errors
    /// As there; then nothing is written.
    pub fn copy_from_arrays(&mut self, arrays: &Arrays<'_>) -> Result<()> {
        let ty = T::ty();
        let leaves = struct_leaves(&ty, 0, "copy_from_ndarray")?;
        let what = || format!("copying arrays into {}", self.describe());
        check(&ty, &leaves, &Shape::Known(&self.shape), arrays, what)?;
        let shape = self.shape;
        // SAFETY: the arrays fit.
        unsafe { import(self.own()?, whole::<T, L>(&shape), &leaves, arrays) }
    }

    /// One new array in row-major order for each member; those of nested structs are in nested dictionaries.
    ///
    /// # Errors
    /// [`Error::NoMembers`] if `T` is no struct; [`Error::OutOfMemory`] on the host.
    pub fn to_arrays(&self) -> Result<Arrays<'static>> {
        let ty = T::ty();
        let leaves = struct_leaves(&ty, 0, "to_ndarray")?;
        export(self.memory.read()?, whole::<T, L>(&self.shape), &ty, leaves)
    }
}

impl<M: Element, const D: usize, L: FieldLayout> Member<'_, M, D, L> {
    /// As [`Field::to_arrays`], of a member that is a struct.
    ///
    /// # Errors
    /// As there.
    pub fn to_arrays(&self) -> Result<Arrays<'static>> {
        let ty = M::ty();
        let place = self.place();
        let leaves = struct_leaves(&ty, place.offset, "to_ndarray")?;
        export(self.memory.read()?, place, &ty, leaves)
    }
}

impl<M: Element, const D: usize, L: FieldLayout> MemberMut<'_, M, D, L> {
    /// As [`Field::copy_from_arrays`], into a member that is a struct.
    ///
    /// # Errors
    /// As there.
    pub fn copy_from_arrays(&mut self, arrays: &Arrays<'_>) -> Result<()> {
        let ty = M::ty();
        let (memory, place) = self.split()?;
        let leaves = struct_leaves(&ty, place.offset, "copy_from_ndarray")?;
        let what = || {
            format!(
                "copying arrays into a member of type {ty}, in a field of shape {:?}",
                place.shape
            )
        };
        check(&ty, &leaves, &Shape::Known(place.shape), arrays, what)?;
        // SAFETY: the arrays fit.
        unsafe { import(memory, place, &leaves, arrays) }
    }
}

fn struct_leaves(ty: &Type, offset: usize, instead: &'static str) -> Result<Vec<Leaf>> {
    if members(ty).is_some() {
        return Ok(leaves(ty, offset));
    }
    let ty = ty.to_string();
    Err(Error::NoMembers { ty, instead })
}

/// The members of a struct, also inside of arrays. A complex number is a scalar.
fn members(ty: &Type) -> Option<&[swathe_ir::Member]> {
    match ty {
        Type::Struct(structure) if DType::of(ty).is_none() => Some(&structure.members),
        Type::Array(inner, _) => members(inner),
        _ => None,
    }
}

/// The field's shape.
enum Shape<'a> {
    Known(&'a [usize]),
    /// Only its rank is known.
    Unknown(usize),
}

/// The shape of a field that the first array of a fitting rank asks for.
fn common_shape<const D: usize>(leaves: &[Leaf], arrays: &Arrays<'_>) -> Option<[usize; D]> {
    leaves.iter().find_map(|leaf| {
        let Some(Entry::Array(array)) = arrays.get(&leaf.path) else {
            return None;
        };
        let (shape, axes) = array.shape().split_at_checked(D)?;
        (axes == leaf.part.lengths).then(|| std::array::from_fn(|k| shape[k]))
    })
}

fn check(
    ty: &Type,
    leaves: &[Leaf],
    shape: &Shape<'_>,
    arrays: &Arrays<'_>,
    what: impl FnOnce() -> String,
) -> Result<()> {
    let faults = faults(ty, leaves, shape, arrays);
    if faults.is_empty() {
        return Ok(());
    }
    let what = what();
    Err(Error::Arrays { what, faults })
}

fn faults(ty: &Type, leaves: &[Leaf], shape: &Shape<'_>, arrays: &Arrays<'_>) -> Vec<ArrayFault> {
    let mut found = Vec::new();
    compare(ty, "", leaves, shape, arrays, &mut found);
    found
}

/// Compares the members of a struct with the dictionary at the same path.
fn compare(
    ty: &Type,
    prefix: &str,
    leaves: &[Leaf],
    shape: &Shape<'_>,
    arrays: &Arrays<'_>,
    found: &mut Vec<ArrayFault>,
) {
    let known = members(ty).unwrap_or_default();
    let join = |name: &str| match prefix {
        "" => name.to_owned(),
        _ => format!("{prefix}.{name}"),
    };
    for member in known {
        let path = join(&member.name);
        let entry = arrays.iter().find(|(name, _)| *name == member.name);
        match (entry.map(|(_, entry)| entry), members(&member.ty)) {
            // What a file is read from has no dictionaries without arrays.
            (None, _) if leaves.iter().all(|leaf| !leaf.is_of(&path)) => {}
            (None, _) => found.push(ArrayFault::Missing { path }),
            (Some(Entry::Array(_)), Some(_)) => found.push(ArrayFault::NotStruct { path }),
            (Some(Entry::Arrays(_)), None) => found.push(ArrayFault::NotArray { path }),
            (Some(Entry::Arrays(inner)), Some(_)) => compare(&member.ty, &path, leaves, shape, inner, found),
            (Some(Entry::Array(array)), None) => {
                if let Some(leaf) = leaves.iter().find(|leaf| leaf.path == path) {
                    compare_leaf(leaf, shape, array, found);
                }
            }
        }
    }
    for (name, _) in arrays.iter() {
        if known.iter().all(|member| member.name != name) {
            found.push(ArrayFault::Extra { path: join(name) });
        }
    }
}

fn compare_leaf(leaf: &Leaf, shape: &Shape<'_>, array: &AnyArray<'_>, found: &mut Vec<ArrayFault>) {
    let got = array.shape();
    let lengths = leaf.part.lengths.iter();
    let expected: Vec<String> = match shape {
        Shape::Known(shape) => shape.iter().chain(lengths).map(ToString::to_string).collect(),
        Shape::Unknown(rank) => std::iter::repeat_n("_".to_owned(), *rank)
            .chain(lengths.map(ToString::to_string))
            .collect(),
    };
    let fits = expected.len() == got.len() && expected.iter().zip(got).all(|(e, g)| e == "_" || *e == g.to_string());
    if !fits {
        found.push(ArrayFault::Shape {
            path: leaf.path.clone(),
            expected: format!("[{}]", expected.join(", ")),
            got: got.to_vec(),
        });
    }
    if array.dtype() != leaf.dtype {
        found.push(ArrayFault::DType {
            path: leaf.path.clone(),
            expected: leaf.dtype,
            got: array.dtype(),
        });
    } else if let Some(of) = &leaf.of
        && let Some(value) = array.integer_that(|value| !of.has(value))
    {
        found.push(ArrayFault::Value {
            path: leaf.path.clone(),
            expected: of.name.clone(),
            got: value,
        });
    }
}

/// # Safety
/// The place is one of the memory, and [`check`] found the arrays to fit its leaves.
unsafe fn import(memory: &mut Memory, place: Place<'_>, leaves: &[Leaf], arrays: &Arrays<'_>) -> Result<()> {
    let lanes = leaves.iter().filter_map(|leaf| {
        let Some(Entry::Array(array)) = arrays.get(&leaf.path) else {
            return None;
        };
        let strides = strided::scaled(array.strides(), leaf.part.scalar);
        Some(lane(leaf, array.as_ptr().cast_mut(), strides))
    });
    let lanes: Vec<Lane<'_>> = lanes.collect();
    // SAFETY: by the caller's word the leaves lie inside the elements, and the arrays have their shapes and types.
    unsafe { place.elements().import(memory, &lanes, place.keep()) }
}

fn export(memory: &Memory, place: Place<'_>, ty: &Type, leaves: Vec<Leaf>) -> Result<Arrays<'static>> {
    let mut buffers = Vec::with_capacity(leaves.len());
    for leaf in &leaves {
        let shape = [place.shape, leaf.part.lengths.as_slice()].concat();
        buffers.push((Buffer::reserve(leaf.dtype, &shape)?, shape));
    }
    let lanes = leaves.iter().zip(&mut buffers).map(|(leaf, (buffer, shape))| {
        let strides = strided::row_major(shape, leaf.part.scalar);
        lane(leaf, buffer.as_mut_ptr(), strides)
    });
    let lanes: Vec<Lane<'_>> = lanes.collect();
    // SAFETY: the leaves lie inside the elements, and the buffers have room for their scalars.
    unsafe { place.elements().export(memory, &lanes)? };
    drop(lanes);
    let mut arrays = Vec::with_capacity(leaves.len());
    for (buffer, shape) in buffers {
        // SAFETY: the export has written all of the buffer.
        arrays.push(unsafe { buffer.finish(&shape)? });
    }
    Ok(assemble(ty, &mut arrays.into_iter()))
}

/// The dictionary of a struct, of arrays in the order of its leaves.
fn assemble(ty: &Type, arrays: &mut impl Iterator<Item = AnyArray<'static>>) -> Arrays<'static> {
    let entries = members(ty).unwrap_or_default().iter().filter_map(|member| {
        let entry = match members(&member.ty) {
            Some(_) => Entry::Arrays(assemble(&member.ty, arrays)),
            None => Entry::Array(arrays.next()?),
        };
        Some((member.name.clone(), entry))
    });
    Arrays::of(entries.collect())
}

fn lane(leaf: &Leaf, at: *mut u8, strides: Vec<isize>) -> Lane<'_> {
    Lane {
        part: &leaf.part,
        at,
        strides,
        tile: Tile::copying(leaf.part.scalar),
        same: true,
    }
}
