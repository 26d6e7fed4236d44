//! Copies of whole elements between places on the host.

use swathe_ir::Type;

use crate::access::layout::Steps;
use crate::element::Element;
use crate::field::exchange::strided::{self, Axis};
use crate::field::exchange::tile::Tile;
use crate::field::exchange::transfer::{self, Move};
use crate::field::members::part::{Leaf, leaves};
use crate::field::views::view::Region;
use crate::host::SendPtr;

/// Where elements lie.
#[derive(Clone, Copy)]
pub(in crate::field) struct Lie<'a> {
    /// Of the element at position 0; of planes the first one's.
    at: *mut u8,
    /// In bytes; of planes in elements.
    strides: &'a [isize],
    /// Of planes, the number of elements that each has room for, and the element at position 0.
    planes: Option<(usize, isize)>,
}

impl<'a> Lie<'a> {
    /// One after the other at an address, where the strides are those of [`strided::row_major`].
    pub fn list(at: *mut u8, strides: &'a [isize]) -> Lie<'a> {
        Lie {
            at,
            strides,
            planes: None,
        }
    }

    pub fn region<const D: usize>(region: &'a Region<'_, D>) -> Lie<'a> {
        let Steps { pitch, origin, .. } = region.steps;
        Lie {
            at: region.at,
            strides: &region.steps.strides,
            planes: region.planar.then_some((pitch, origin)),
        }
    }

    /// The first scalar of a part, and the strides along the axes of the elements, of the part, and from one number of a scalar to the
    /// next.
    fn part(&self, leaf: &Leaf) -> (*mut u8, Vec<isize>, Vec<isize>) {
        let (part, number) = (&leaf.part, leaf.part.number() as isize);
        let inner = part.strides.iter().copied().chain([number]);
        let Some((pitch, origin)) = self.planes else {
            return (
                self.at.wrapping_add(part.offset),
                self.strides.to_vec(),
                inner.collect(),
            );
        };
        let plane = self.at.wrapping_add(part.offset.wrapping_mul(pitch));
        let outer = self.strides.iter().map(|stride| stride.wrapping_mul(number));
        (
            plane.wrapping_offset(origin.wrapping_mul(number)),
            outer.collect(),
            inner.map(|stride| stride.wrapping_mul(pitch as isize)).collect(),
        )
    }
}

/// Copies elements of type `T`.
///
/// # Safety
/// Both places have elements at all positions of the shape, those written are distinct from one another and from those read, and nobody
/// else accesses them.
pub(in crate::field) unsafe fn copy<T: Element>(shape: &[usize], to: Lie<'_>, from: Lie<'_>) {
    // SAFETY: by the caller's word.
    unsafe { copy_of(size_of::<T>(), T::ty, shape, to, from) }
}

unsafe fn copy_of(size: usize, ty: fn() -> Type, shape: &[usize], to: Lie<'_>, from: Lie<'_>) {
    if size == 0 || shape.contains(&0) {
        return;
    }
    if to.planes.is_none() && from.planes.is_none() {
        let mut whole = axes(shape, to.strides, from.strides);
        let tile = Tile::word(size).unwrap_or_else(|| {
            // As few steps as the size allows.
            let unit = 1 << size.trailing_zeros().min(4);
            whole.extend(axes(&[size / unit], &[unit as isize], &[unit as isize]));
            Tile::copying(unit)
        });
        // SAFETY: by the caller's word: these are all bytes of the elements.
        return unsafe { strided::copy(tile, whole, to.at, from.at) };
    }
    let step = |leaf: &Leaf| {
        let (to_at, to_outer, to_inner) = to.part(leaf);
        let (from_at, from_outer, from_inner) = from.part(leaf);
        let lengths = [leaf.part.lengths.as_slice(), &[leaf.part.parts]].concat();
        Move {
            tile: Tile::copying(leaf.part.number()),
            to: SendPtr::new(to_at),
            from: SendPtr::new(from_at),
            outer: axes(shape, &to_outer, &from_outer),
            inner: axes(&lengths, &to_inner, &from_inner),
        }
    };
    let steps = leaves(&ty(), 0).iter().map(step).collect();
    // SAFETY: by the caller's word: these are all numbers of the elements.
    unsafe { transfer::run(steps, shape.iter().product(), size) }
}

fn axes(shape: &[usize], to: &[isize], from: &[isize]) -> Vec<Axis> {
    let axis = |((&length, &to), &from)| Axis { length, to, from };
    shape.iter().zip(to).zip(from).map(axis).collect()
}
