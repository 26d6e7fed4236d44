//! Copies between the parts of a field's elements and arrays on the host.

use crate::device::undivided::undivided;
use crate::error::Result;
use crate::field::exchange::strided::{self, Axis};
use crate::field::exchange::tile::Tile;
use crate::field::members::part::Part;
use crate::field::memory::Memory;
use crate::host::SendPtr;
use crate::host::parallel;

/// Bytes of elements whose members are copied one after the other while they are in the cache.
const BLOCK: usize = 32 << 10;

/// A part, and the array it is exchanged with.
pub(in crate::field) struct Lane<'a> {
    pub part: &'a Part,
    /// The array's first scalar.
    pub at: *mut u8,
    /// Strides of the array in bytes, along the axes of the field and of the part.
    pub strides: Vec<isize>,
    pub tile: Tile,
    /// Whether the array's scalars are those of the part.
    pub same: bool,
}

/// The elements that lanes reach into.
#[derive(Clone, Copy)]
pub(in crate::field) struct Elements<'a> {
    /// The field's shape.
    pub shape: &'a [usize],
    /// Size of an element.
    pub size: usize,
    /// Of the first, in the memory.
    pub start: usize,
    /// How many elements each plane has room for, if the layout is a structure of arrays.
    pub room: Option<usize>,
}

#[derive(Clone, Copy)]
enum Direction {
    Import,
    Export,
}

impl Elements<'_> {
    fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Copies arrays into the parts. If `keep`, bytes of the elements beside the parts stay as they are.
    ///
    /// # Safety
    /// The memory holds the elements, the parts lie inside of them and are distinct, and the arrays are valid at all positions.
    pub unsafe fn import(self, memory: &mut Memory, lanes: &[Lane<'_>], keep: bool) -> Result<()> {
        let (device, at) = memory.place();
        let device = device.clone();
        // SAFETY: by the caller's word.
        undivided([(&device, at)], || unsafe {
            self.import_in_pieces(memory, lanes, keep)
        })
    }

    /// # Safety
    /// As for [`Elements::import`].
    unsafe fn import_in_pieces(self, memory: &mut Memory, lanes: &[Lane<'_>], keep: bool) -> Result<()> {
        if let Some(room) = self.room {
            if memory.is_host() {
                // SAFETY: by the caller's word; the planes are those of the lanes' scalars.
                return memory.edit_all(|at| unsafe { self.move_planes(at, room, lanes, Direction::Import) });
            }
            // SAFETY: as above.
            return self.planes(room, lanes, |plane, lane| unsafe {
                plane.import_in_pieces(memory, &[lane], false)
            });
        }
        if let Some(at) = self.as_bytes(lanes) {
            // SAFETY: by the caller's word both have these bytes.
            return unsafe { memory.upload(self.start, at, self.len() * self.size) };
        }
        self.blocks(memory.block(), |start, extent, range| {
            // SAFETY: the block lies inside the memory, the parts inside its elements.
            unsafe {
                memory.edit(range, keep, |at| {
                    move_block(extent, self.size, at, start, lanes, Direction::Import);
                })
            }
        })
    }

    /// Copies the parts into arrays.
    ///
    /// # Safety
    /// As for [`Elements::import`], and the arrays may be written, at positions that are distinct.
    pub unsafe fn export(self, memory: &Memory, lanes: &[Lane<'_>]) -> Result<()> {
        // SAFETY: by the caller's word.
        undivided([memory.place()], || unsafe { self.export_in_pieces(memory, lanes) })
    }

    /// # Safety
    /// As for [`Elements::export`].
    unsafe fn export_in_pieces(self, memory: &Memory, lanes: &[Lane<'_>]) -> Result<()> {
        if let Some(room) = self.room {
            if memory.is_host() {
                // SAFETY: by the caller's word; the planes are those of the lanes' scalars.
                unsafe { self.move_planes(memory.address(), room, lanes, Direction::Export) };
                return Ok(());
            }
            // SAFETY: as above.
            return self.planes(room, lanes, |plane, lane| unsafe {
                plane.export_in_pieces(memory, &[lane])
            });
        }
        if let Some(at) = self.as_bytes(lanes) {
            // SAFETY: by the caller's word both have these bytes.
            return unsafe { memory.download(at, self.start, self.len() * self.size) };
        }
        self.blocks(memory.block(), |start, extent, range| {
            // SAFETY: the block lies inside the memory, the parts inside its elements.
            unsafe {
                memory.view(range, |at| {
                    move_block(extent, self.size, at.cast_mut(), start, lanes, Direction::Export);
                })
            }
        })
    }

    /// Calls `see` with each plane, and what is exchanged with it.
    fn planes(
        self,
        room: usize,
        lanes: &[Lane<'_>],
        mut see: impl FnMut(Elements<'_>, Lane<'_>) -> Result<()>,
    ) -> Result<()> {
        for lane in lanes {
            let number = lane.part.number();
            let one = Part {
                offset: 0,
                lengths: Vec::new(),
                strides: Vec::new(),
                scalar: number,
                parts: 1,
            };
            debug_assert!(lane.same || lane.part.parts == 1);
            let tile = if lane.same { Tile::copying(number) } else { lane.tile };
            let (fields, inside) = lane.strides.split_at(self.shape.len());
            let inner = positions(&lane.part.lengths);
            let outside =
                inner.flat_map(|inner| (0..lane.part.parts).map(move |k| dot(&inner, inside) + (k * number) as isize));
            for (offset, outside) in lane.part.numbers().zip(outside) {
                let plane = Elements {
                    shape: self.shape,
                    size: number,
                    start: self.start + room * offset,
                    room: None,
                };
                see(
                    plane,
                    Lane {
                        part: &one,
                        at: lane.at.wrapping_offset(outside),
                        strides: fields.to_vec(),
                        tile,
                        same: lane.same,
                    },
                )?;
            }
        }
        Ok(())
    }

    /// Moves all planes at once, so that what they meet in is fetched once.
    ///
    /// # Safety
    /// As for [`Elements::import`]; `at` is the memory's address on the host.
    unsafe fn move_planes(self, at: *mut u8, room: usize, lanes: &[Lane<'_>], direction: Direction) {
        if self.shape.contains(&0) {
            return;
        }
        let start = vec![0; self.shape.len()];
        let mut moves = Vec::new();
        let collected = self.planes(room, lanes, |plane, lane| {
            let dense = strided::row_major(plane.shape, plane.size);
            let at = at.wrapping_add(plane.start);
            moves.push(Move::new(plane.shape, &dense, at, &start, &lane, direction));
            Ok(())
        });
        debug_assert!(collected.is_ok());
        // SAFETY: by the caller's word.
        unsafe { run(moves, self.len(), self.size) };
    }

    /// Calls `see` with first position, extent and bytes of blocks.
    fn blocks(
        self,
        bytes: usize,
        mut see: impl FnMut(&[usize], &[usize], std::ops::Range<usize>) -> Result<()>,
    ) -> Result<()> {
        if self.size == 0 {
            return Ok(());
        }
        let dense = strided::row_major(self.shape, self.size);
        strided::blocks(self.shape, bytes / self.size, |start, extent| {
            let begin = self.start + dot(start, &dense) as usize;
            see(
                start,
                extent,
                begin..begin + extent.iter().product::<usize>() * self.size,
            )
        })
    }

    /// The array, if it is the field's bytes.
    fn as_bytes(&self, lanes: &[Lane<'_>]) -> Option<*mut u8> {
        let [lane] = lanes else { return None };
        let shape = [self.shape, lane.part.lengths.as_slice()].concat();
        let dense = strided::row_major(&shape, lane.part.scalar);
        let whole = lane.same && lane.part.is_whole(self.size) && !shape.contains(&0);
        (whole && (0..shape.len()).all(|k| shape[k] == 1 || dense[k] == lane.strides[k])).then_some(lane.at)
    }
}

/// # Safety
/// As for [`Elements::import`]; `at` points to the elements of the block.
unsafe fn move_block(
    extent: &[usize],
    size: usize,
    at: *mut u8,
    start: &[usize],
    lanes: &[Lane<'_>],
    direction: Direction,
) {
    let dense = strided::row_major(extent, size);
    let moves: Vec<Move> = lanes
        .iter()
        .map(|lane| Move::new(extent, &dense, at, start, lane, direction))
        .collect();
    // SAFETY: by the caller's word.
    unsafe { run(moves, extent.iter().product(), size) };
}

/// # Safety
/// As for [`Elements::import`], of `len` elements.
pub(super) unsafe fn run(moves: Vec<Move>, len: usize, size: usize) {
    let strips: Option<Vec<Strip>> = moves.iter().map(Move::strip).collect();
    match strips {
        // SAFETY: by the caller's word.
        Some(strips) if strips.len() > 1 => unsafe { together(&strips, len, size) },
        _ => {
            for step in moves {
                let axes = [step.outer, step.inner].concat();
                // SAFETY: by the caller's word.
                unsafe { strided::copy(step.tile, axes, step.to.get(), step.from.get()) };
            }
        }
    }
}

/// What one lane copies in a block.
pub(super) struct Move {
    pub tile: Tile,
    pub to: SendPtr,
    pub from: SendPtr,
    /// Over the elements.
    pub outer: Vec<Axis>,
    /// In an element.
    pub inner: Vec<Axis>,
}

impl Move {
    fn new(
        extent: &[usize],
        dense: &[isize],
        at: *mut u8,
        start: &[usize],
        lane: &Lane<'_>,
        direction: Direction,
    ) -> Move {
        let inside = at.wrapping_add(lane.part.offset);
        let outside = lane.at.wrapping_offset(dot(start, &lane.strides));
        let axis = |length, inside, outside| match direction {
            Direction::Import => Axis {
                length,
                to: inside,
                from: outside,
            },
            Direction::Export => Axis {
                length,
                to: outside,
                from: inside,
            },
        };
        let (to, from) = match direction {
            Direction::Import => (inside, outside),
            Direction::Export => (outside, inside),
        };
        let (fields, parts) = lane.strides.split_at(extent.len());
        let outer = (0..extent.len()).map(|k| axis(extent[k], dense[k], fields[k]));
        let inner = (0..parts.len()).map(|k| axis(lane.part.lengths[k], lane.part.strides[k], parts[k]));
        Move {
            tile: lane.tile,
            to: SendPtr::new(to),
            from: SendPtr::new(from),
            outer: outer.collect(),
            inner: inner.collect(),
        }
    }

    /// The same with one axis over the elements and one in them, if that is what there is.
    fn strip(&self) -> Option<Strip> {
        let single = |axes: &[Axis]| match strided::simplify(axes.to_vec()).as_slice() {
            [] => Some(Axis::ONE),
            [axis] => Some(*axis),
            _ => None,
        };
        Some(Strip {
            tile: self.tile,
            to: self.to,
            from: self.from,
            row: single(&self.outer)?,
            inner: single(&self.inner)?,
        })
    }
}

struct Strip {
    tile: Tile,
    to: SendPtr,
    from: SendPtr,
    row: Axis,
    inner: Axis,
}

/// Copies all strips of a block of elements, then those of the next: an element's cache line is fetched once.
///
/// # Safety
/// As for [`Elements::import`].
unsafe fn together(strips: &[Strip], len: usize, size: usize) {
    let block = (BLOCK / size).clamp(16, 4096);
    let cost = u32::try_from(4 * block * strips.len()).ok();
    parallel::for_each(len.div_ceil(block), cost, |range| {
        for k in range {
            let first = k * block;
            let length = block.min(len - first);
            for strip in strips {
                let row = Axis { length, ..strip.row };
                let to = strip.to.get().wrapping_offset(first as isize * row.to);
                let from = strip.from.get().wrapping_offset(first as isize * row.from);
                let (row, inner) = match strip.inner.length {
                    1 => (Axis::ONE, row),
                    // Neighbours in the array written are the inner axis.
                    _ if row.to.unsigned_abs() < strip.inner.to.unsigned_abs() => (strip.inner, row),
                    _ => (row, strip.inner),
                };
                // SAFETY: by the caller's word.
                unsafe { strip.tile.run(row, inner, to, from) };
            }
        }
    });
}

/// All positions of a shape, in row-major order.
pub(in crate::field) fn positions(shape: &[usize]) -> impl Iterator<Item = Vec<usize>> + '_ {
    // The others alone may have more than there are numbers.
    let count = if shape.contains(&0) { 0 } else { shape.iter().product() };
    (0..count).map(move |k| {
        let mut rest: usize = k;
        let mut position = vec![0; shape.len()];
        for (i, n) in position.iter_mut().zip(shape).rev() {
            (*i, rest) = (rest % n, rest / n);
        }
        position
    })
}

pub(in crate::field) fn dot(position: &[usize], strides: &[isize]) -> isize {
    position.iter().zip(strides).map(|(i, s)| *i as isize * s).sum()
}
