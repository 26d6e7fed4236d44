//! Equal parts of a field's elements: the elements themselves, or one member of each.

use swathe_ir::Type;

use crate::access::layout::FieldLayout;
use crate::device::undivided::undivided;
use crate::element::external::Axes;
use crate::error::{Error, Result};
use crate::field::exchange::strided::{self, Axis};
use crate::field::exchange::tile::Tile;
use crate::field::exchange::transfer::{Elements, Lane};
use crate::field::members::part::{Part, numbers};
use crate::field::memory::Memory;
use crate::host::pool;

/// Where the parts lie.
#[derive(Clone, Copy, Debug)]
pub(in crate::field) struct Place<'a> {
    /// The field's shape.
    pub shape: &'a [usize],
    /// Size of an element in bytes.
    pub element: usize,
    /// Offset of the part in the element.
    pub offset: usize,
    /// Size of the part.
    pub size: usize,
    /// How many elements each plane has room for, if the layout is a structure of arrays.
    pub room: Option<usize>,
}

/// How many elements each plane of a field has room for.
pub(in crate::field) fn room<L: FieldLayout>(shape: &[usize]) -> Option<usize> {
    L::PLANAR.then(|| L::room(shape.iter().product()))
}

impl Place<'_> {
    /// Shape of an array of the parts' scalars.
    pub fn array_shape(&self, axes: &Axes) -> Vec<usize> {
        [self.shape, axes.lengths()].concat()
    }

    /// # Errors
    /// If an array of shape `got` does not hold the scalars of the parts.
    pub fn check(&self, axes: &Axes, got: &[usize], what: &str) -> Result<()> {
        let expected = self.array_shape(axes);
        if expected != got {
            Err(Error::shape(what, expected, got))
        } else {
            Ok(())
        }
    }

    /// Size of all elements, one after the other.
    pub fn bytes(&self) -> usize {
        self.len() * self.element
    }

    /// Number of elements.
    fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Copies an array of the scalars into the parts; strides are in scalars.
    ///
    /// # Safety
    /// The place is one of the memory, its parts consist of scalars as `axes` says, and the array is valid for all
    /// positions of [`Place::array_shape`].
    pub unsafe fn import(&self, memory: &mut Memory, axes: &Axes, from: *const u8, strides: &[isize]) -> Result<()> {
        if self.is_apart(memory) {
            // SAFETY: by the caller's word.
            return unsafe { self.import_apart(memory, |alone, apart| alone.import(apart, axes, from, strides)) };
        }
        let part = self.part(axes);
        let lane = lane(&part, from.cast_mut(), strides);
        // SAFETY: by the caller's word.
        unsafe { self.elements().import(memory, &[lane], self.keep()) }
    }

    /// As [`Place::import`], from scalars of another size, which a tile converts.
    ///
    /// # Safety
    /// As there, where the array's scalars are those that the tile takes.
    pub unsafe fn import_cast(
        &self,
        memory: &mut Memory,
        axes: &Axes,
        (from, strides, scalar): (*const u8, &[isize], usize),
        tile: Tile,
    ) -> Result<()> {
        if self.is_apart(memory) {
            let array = (from, strides, scalar);
            // SAFETY: by the caller's word.
            return unsafe { self.import_apart(memory, |alone, apart| alone.import_cast(apart, axes, array, tile)) };
        }
        let part = self.part(axes);
        if self.room.is_some() && part.parts > 1 {
            // A tile makes whole scalars, and their parts have planes of their own.
            let shape = self.array_shape(axes);
            let dense = strided::row_major(&shape, part.scalar);
            let strides = strided::scaled(strides, scalar);
            let axis = |k: usize| Axis {
                length: shape[k],
                to: dense[k],
                from: strides[k],
            };
            let bytes = shape.iter().product::<usize>() * part.scalar;
            let mut converted = pool::reserved::<u8>(bytes)?;
            let at = converted.as_mut_ptr();
            let row_major = strided::row_major(&shape, 1);
            // SAFETY: by the caller's word, and there is room for all scalars, which the copy writes.
            return unsafe {
                strided::copy(tile, (0..shape.len()).map(axis).collect(), at, from);
                self.import(memory, axes, at, &row_major)
            };
        }
        let lane = Lane {
            part: &part,
            at: from.cast_mut(),
            strides: strided::scaled(strides, scalar),
            tile,
            same: false,
        };
        // SAFETY: by the caller's word.
        unsafe { self.elements().import(memory, &[lane], self.keep()) }
    }

    /// Copies the parts into an array of the scalars; strides are in scalars.
    ///
    /// # Safety
    /// As for `import`, where the array may be written, at positions that are distinct.
    pub unsafe fn export(&self, memory: &Memory, axes: &Axes, to: *mut u8, strides: &[isize]) -> Result<()> {
        if self.is_apart(memory) {
            // SAFETY: by the caller's word.
            return unsafe { self.export_apart(memory, |alone, apart| alone.export(apart, axes, to, strides)) };
        }
        let part = self.part(axes);
        // SAFETY: by the caller's word.
        unsafe { self.elements().export(memory, &[lane(&part, to, strides)]) }
    }

    pub fn elements(&self) -> Elements<'_> {
        Elements {
            shape: self.shape,
            size: self.element,
            start: 0,
            room: self.room,
        }
    }

    /// Whether an import has to leave the rest of each element as it is.
    pub fn keep(&self) -> bool {
        self.size != self.element
    }

    fn part(&self, axes: &Axes) -> Part {
        let scalar = self.size / axes.lengths().iter().product::<usize>().max(1);
        Part::dense(self.offset, axes, scalar)
    }

    /// Writes copies of the part at `value`, which is of type `ty`; in memory of the host, or in planes.
    ///
    /// # Safety
    /// The place is one of the memory, and `value` is valid for the part's size.
    pub unsafe fn fill(&self, memory: &mut Memory, ty: &Type, value: *const u8) -> Result<()> {
        if let Some(room) = self.room {
            // SAFETY: by the caller's word.
            return unsafe { self.fill_planes(memory, room, ty, value) };
        }
        let len = self.len();
        if self.size == 0 || len == 0 {
            return Ok(());
        }
        // As few steps as the size allows.
        let unit = 1 << self.size.trailing_zeros().min(3);
        let inside = Axis {
            length: self.size / unit,
            to: unit as isize,
            from: unit as isize,
        };
        let elements = Axis {
            length: len,
            to: self.element as isize,
            from: 0,
        };
        // Where the host does not reach, kernels do it: see `fill_remote`.
        debug_assert!(memory.is_host());
        memory.edit_all(|at| {
            let to = at.wrapping_add(self.offset);
            // SAFETY: by the caller's word; the part lies inside its element.
            unsafe { strided::copy(Tile::copying(unit), vec![elements, inside], to, value) }
        })
    }
}

impl Place<'_> {
    /// # Safety
    /// As for [`Place::fill`].
    unsafe fn fill_planes(&self, memory: &mut Memory, room: usize, ty: &Type, value: *const u8) -> Result<()> {
        let (device, at) = memory.place();
        let device = device.clone();
        undivided([(&device, at)], || {
            numbers(ty).try_for_each(|(offset, size)| {
                let start = (self.offset + offset) * room;
                // SAFETY: by the caller's word; the scalar has a plane for so many.
                unsafe { memory.fill_range(start, value.add(offset), size, self.len()) }
            })
        })
    }
}

fn lane<'a>(part: &'a Part, at: *mut u8, strides: &[isize]) -> Lane<'a> {
    Lane {
        part,
        at,
        strides: strided::scaled(strides, part.scalar),
        tile: Tile::copying(part.scalar),
        same: true,
    }
}
