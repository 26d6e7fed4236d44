//! Sums of adjoints, whatever their elements are.

use swathe_ir::Scalar;

use super::number::{floats, uniform};
use crate::access::MAX_RANK;
use crate::access::layout::{Interleaved, Steps, Strided};
use crate::element::Element;
use crate::error::{Error, Result};
use crate::field::Field;
use crate::field::cow::{CowMemory, Form};
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::kernel;
use crate::math::Float;

#[kernel]
fn add_list<T: Float + Element>(to: &mut Field<T>, from: &Field<T>) {
    for i in to.indices() {
        to[i] = to[i] + from[i];
    }
}

#[kernel]
fn add<T: Float + Element>(to: &mut Field<T, MAX_RANK>, from: &Field<T, MAX_RANK>) {
    for [a, b, c, d, e, f] in to.indices() {
        to[[a, b, c, d, e, f]] = to[[a, b, c, d, e, f]] + from[[a, b, c, d, e, f]];
    }
}

/// The elements of a region without the memory that they lie in.
#[derive(Clone, Copy)]
pub(in crate::field) struct Outline<const D: usize> {
    /// From the start of the memory to the element at position 0.
    offset: usize,
    shape: [usize; D],
    steps: Steps<D>,
    planar: bool,
}

impl<const D: usize> Outline<D> {
    pub fn of(region: &Region<'_, D>) -> Outline<D> {
        let base = region.memory.raw().address();
        Outline {
            offset: region.at.addr().wrapping_sub(base.addr()),
            shape: region.shape,
            steps: region.steps,
            planar: region.planar,
        }
    }

    /// The same region of another memory.
    pub fn within(self, memory: &CowMemory) -> Region<'_, D> {
        Region {
            memory,
            at: memory.raw().address().wrapping_add(self.offset),
            shape: self.shape,
            steps: self.steps,
            planar: self.planar,
            exclusive: true,
        }
    }

    /// The scalars at an offset of each element, as elements with strides in bytes.
    fn scalars(self, memory: &CowMemory, offset: usize, size: usize) -> Region<'_, MAX_RANK> {
        let region = self.within(memory);
        let (at, unit) = if self.planar {
            let plane = region.at.wrapping_add(self.steps.pitch.wrapping_mul(offset));
            let unit = size as isize;
            (plane.wrapping_offset(self.steps.origin.wrapping_mul(unit)), unit)
        } else {
            (region.at.wrapping_add(offset), 1)
        };
        let steps = Steps::of(self.steps.strides.map(|stride| stride.wrapping_mul(unit)));
        let region = Region {
            at,
            steps,
            planar: false,
            ..region
        };
        region.padded()
    }
}

/// What is done with lists of floats of one type.
pub(in crate::field) trait OnLists<const N: usize> {
    /// # Safety
    /// The regions consist of elements of type `T`, and have one length.
    unsafe fn run<T: Float + Element>(&mut self, lists: [Region<'_, 1>; N]) -> Result<()>;
}

/// Takes memories of one form and size apart into lists of floats: one, where they hold nothing else, or one for each float of an
/// element.
///
/// # Errors
/// Those of what is done; [`Error::NotRecordable`] for floats of 16 bits.
pub(in crate::field) fn on_lists<const N: usize>(memories: [&CowMemory; N], on: &mut impl OnLists<N>) -> Result<()> {
    let Some(first) = memories.first() else { return Ok(()) };
    let (form, bytes) = (first.form(), first.raw().size());
    let floats = floats(&(form.ty)());
    let room = bytes.checked_div(form.size).unwrap_or(0);
    let list = |offset, stride: usize, count| Outline {
        offset,
        shape: [count],
        steps: Steps::of([stride as isize]),
        planar: false,
    };
    let lists = match uniform(&floats, form.size) {
        Some(scalar) => vec![(scalar, list(0, scalar.size(), bytes / scalar.size()))],
        None if form.planar => {
            let plane = |(offset, scalar): (usize, Scalar)| (scalar, list(offset * room, scalar.size(), room));
            floats.into_iter().map(plane).collect()
        }
        None => {
            let part = |(offset, scalar)| (scalar, list(offset, form.size, room));
            floats.into_iter().map(part).collect()
        }
    };
    for (scalar, list) in lists {
        let regions = memories.map(|memory| list.within(memory));
        // SAFETY: the memories consist of elements that have such a scalar there.
        unsafe {
            match scalar {
                Scalar::F32 => on.run::<f32>(regions)?,
                Scalar::F64 => on.run::<f64>(regions)?,
                _ => return Err(halves(form)),
            }
        }
    }
    Ok(())
}

struct Sum;

impl OnLists<2> for Sum {
    unsafe fn run<T: Float + Element>(&mut self, [to, from]: [Region<'_, 1>; 2]) -> Result<()> {
        // SAFETY: by the caller's word; adjoints are distinct memories, which the tape alone has.
        let (mut to, from) = unsafe {
            (
                FieldViewMut::<T, 1, Strided>::new(to),
                FieldView::<T, 1, Strided>::new(from),
            )
        };
        add_list(&mut to, &from)
    }
}

/// Adds all that a memory holds to another one of the same form and size.
pub(in crate::field) fn add_all(to: &CowMemory, from: &CowMemory) -> Result<()> {
    on_lists([to, from], &mut Sum)
}

/// Adds elements of a type to others.
///
/// # Safety
/// The outlines are those of elements of the form's type in these memories, of one shape, and nobody else has the one that is written.
pub(in crate::field) unsafe fn add_region<const D: usize>(
    to: &CowMemory,
    of: Outline<D>,
    from: &CowMemory,
    of_from: Outline<D>,
    form: &Form,
) -> Result<()> {
    for (offset, scalar) in floats(&(form.ty)()) {
        let (to, from) = (
            of.scalars(to, offset, scalar.size()),
            of_from.scalars(from, offset, scalar.size()),
        );
        // SAFETY: by the caller's word; the scalars of an element are distinct.
        unsafe {
            match scalar {
                Scalar::F32 => add_scalars::<f32>(to, from)?,
                Scalar::F64 => add_scalars::<f64>(to, from)?,
                _ => return Err(halves(form)),
            }
        }
    }
    Ok(())
}

#[cold]
fn halves(form: &Form) -> Error {
    Error::NotRecordable {
        what: format!("a sum of adjoints of `{}`", (form.ty)()),
        reason: "in 16 bits it would lose what is added: hold the field in `f32`",
    }
}

/// # Safety
/// The regions consist of such scalars, distinct ones in `to`, which nobody else uses.
unsafe fn add_scalars<T: Float + Element>(to: Region<'_, MAX_RANK>, from: Region<'_, MAX_RANK>) -> Result<()> {
    // SAFETY: by the caller's word.
    let (mut to, from) = unsafe {
        (
            FieldViewMut::<T, MAX_RANK, Interleaved>::new(to),
            FieldView::<T, MAX_RANK, Interleaved>::new(from),
        )
    };
    add(&mut to, &from)
}
