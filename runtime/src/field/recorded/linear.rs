//! Operations of fields that are linear, and so recorded: fills, copies, clones, sums.

use super::accumulate::{Outline, add_region};
use super::adjoint::Room;
use super::kept::Handle;
use super::operation::{Operation, Seen};
use crate::access::layout::{Aos, FieldLayout, Layout};
use crate::device::{Device, Init};
use crate::element::Element;
use crate::error::Result;
use crate::field::cow::Form;
use crate::field::operations::number::Number;
use crate::field::views::view::{FieldView, FieldViewMut};
use crate::field::{CowMemory, Field};

/// An operation that overwrites a field, or a part of one. Programs use many types of elements and record with few, so what follows depends on types
/// only where it has to.
struct Overwrite {
    operation: Operation,
    /// What is read.
    from: Option<Handle>,
    /// Nothing if no argument varies.
    to: Option<Handle>,
}

impl Overwrite {
    /// With the names of its arguments.
    fn new(
        name: &'static str,
        from: Option<(&'static str, Seen<'_>)>,
        (to, seen): (&'static str, Seen<'_>),
    ) -> Result<Overwrite> {
        let mut operation = Operation::new(name)?;
        if let Some((from, seen)) = &from {
            operation.consider_place(from, seen, false)?;
        }
        operation.consider_place(to, &seen, true)?;
        if !operation.is_varied() {
            let (from, to) = (None, None);
            return Ok(Overwrite { operation, from, to });
        }
        let from = match from {
            Some((from, seen)) => Some(operation.place(from, seen, false)?),
            None => None,
        };
        let to = Some(operation.place(to, seen, true)?);
        Ok(Overwrite { operation, from, to })
    }

    fn run(&mut self, run: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        self.operation.run(run)
    }

    /// The adjoint of what is overwritten is 0.
    fn finish(self) {
        let Overwrite {
            operation,
            to: Some(to),
            ..
        } = self
        else {
            return;
        };
        operation.finish(move |adjoints| {
            drop(adjoints.take(to.field)?);
            Ok(())
        });
    }

    /// The adjoint moves to what was copied; `relay` copies it into zeros of that form.
    fn finish_moved(self, relay: Relay, shape: &[usize]) {
        let Overwrite {
            operation,
            from: Some(from),
            to: Some(to),
        } = self
        else {
            return self.finish();
        };
        let shape = shape.to_vec();
        operation.finish(move |adjoints| {
            let Some(memory) = adjoints.take(to.field)? else {
                return Ok(());
            };
            to.room.admit(&memory)?;
            if to.room.form.planar == from.room.form.planar && *memory.device() == from.room.device {
                return adjoints.add(from.field, memory);
            }
            adjoints.add(from.field, relay(memory, from.room.zeros()?, &shape)?)
        });
    }

    /// The adjoint of the part is 0; before, `add` adds it to that of the part that was copied.
    fn finish_part<const D: usize>(self, part: Outline<D>, clear: Clear<D>, add: Option<Added<D>>) {
        let Overwrite {
            operation,
            from,
            to: Some(to),
        } = self
        else {
            return;
        };
        operation.finish(move |adjoints| {
            let to = adjoints.of_handle(&to)?;
            if let (Some(from), Some(added)) = (&from, &add) {
                added.add(&*adjoints.of_handle(from)?, &to, part)?;
            }
            clear(&to, part)
        });
    }
}

/// From memory to other memory, of fields of a shape.
type Relay = fn(CowMemory, CowMemory, &[usize]) -> Result<CowMemory>;
/// Writes zeros.
type Clear<const D: usize> = fn(&CowMemory, Outline<D>) -> Result<()>;
/// A copy of a part on another device.
type Bring<const D: usize> = fn(&CowMemory, Outline<D>, &Device) -> Result<(CowMemory, Outline<D>)>;

/// The part that was copied.
struct Added<const D: usize> {
    part: Outline<D>,
    device: Device,
    form: &'static Form,
    bring: Bring<D>,
}

impl<const D: usize> Added<D> {
    /// Adds a part of an adjoint to that of what was copied.
    fn add(&self, from: &CowMemory, to: &CowMemory, copied: Outline<D>) -> Result<()> {
        if *to.device() == self.device {
            // SAFETY: both are elements of this type, in memories of adjoints, of which the one that is written is not the other one.
            return unsafe { add_region(from, self.part, to, copied, self.form) };
        }
        let (here, all) = (self.bring)(to, copied, &self.device)?;
        // SAFETY: as above.
        unsafe { add_region(from, self.part, &here, all, self.form) }
    }
}

fn whole<T: Element, const D: usize, L: FieldLayout>(field: &Field<T, D, L>) -> Seen<'_> {
    Seen::of::<Field<T, D>, _>(field)
}

pub(in crate::field) fn fill<T: Element, const D: usize, L: FieldLayout>(
    field: &mut Field<T, D, L>,
    value: T,
) -> Result<()> {
    let mut operation = Overwrite::new("fill", None, ("self", whole(field)))?;
    operation.run(&mut || field.fill_now(value))?;
    operation.finish();
    Ok(())
}

pub(in crate::field) fn copy<T: Element, const D: usize, L: FieldLayout, K: FieldLayout>(
    field: &mut Field<T, D, L>,
    from: &Field<T, D, K>,
) -> Result<()> {
    let mut operation = Overwrite::new("copy_from", Some(("from", whole(from))), ("self", whole(field)))?;
    operation.run(&mut || field.copy_now(from))?;
    operation.finish_moved(relay::<T, D, L, K>, &field.shape);
    Ok(())
}

/// A clone has been made.
pub(in crate::field) fn cloned<T: Element, const D: usize, L: FieldLayout>(
    field: &Field<T, D, L>,
    clone: &mut Field<T, D, L>,
) -> Result<()> {
    let mut operation = Overwrite::new("try_clone", Some(("self", whole(field))), ("clone", whole(clone)))?;
    operation.run(&mut || Ok(()))?;
    operation.finish_moved(relay::<T, D, L, L>, &field.shape);
    Ok(())
}

fn relay<T: Element, const D: usize, L: FieldLayout, K: FieldLayout>(
    adjoint: CowMemory,
    zeros: CowMemory,
    shape: &[usize],
) -> Result<CowMemory> {
    let shape = std::array::from_fn(|axis| shape[axis]);
    let mut there = Field::<T, D, K>::of_memory(zeros, shape);
    there.copy_now(&Field::<T, D, L>::of_memory(adjoint, shape))?;
    Ok(there.memory)
}

/// A part is overwritten.
pub(in crate::field) fn fill_part<T: Element, const D: usize, L: Layout>(
    part: &mut FieldViewMut<'_, T, D, L>,
    value: T,
) -> Result<()> {
    let seen = Seen::of::<Field<T, D>, _>(&*part);
    let mut operation = Overwrite::new("fill", None, ("self", seen))?;
    operation.run(&mut || part.fill_now(value))?;
    operation.finish_part(Outline::of(&part.region), clear::<T, D, L>, None);
    Ok(())
}

fn clear<T: Element, const D: usize, L: Layout>(memory: &CowMemory, outline: Outline<D>) -> Result<()> {
    // SAFETY: elements of this type in this layout lie there, in an adjoint, which nobody else uses.
    let mut part = unsafe { FieldViewMut::<T, D, L>::new(outline.within(memory)) };
    // SAFETY: all bytes zero are an element.
    part.fill_now(unsafe { std::mem::zeroed() })
}

/// A part is copied to another one.
pub(in crate::field) fn copy_part<T: Element, const D: usize, L: Layout, K: Layout>(
    part: &mut FieldViewMut<'_, T, D, L>,
    from: &FieldView<'_, T, D, K>,
) -> Result<()> {
    let seen = [Seen::of::<Field<T, D>, _>(from), Seen::of::<Field<T, D>, _>(&*part)];
    let [source, target] = seen;
    let mut operation = Overwrite::new("copy_from", Some(("from", source)), ("self", target))?;
    operation.run(&mut || part.copy_now(from))?;
    let added = Added {
        part: Outline::of(&from.region),
        device: from.device().clone(),
        form: Form::of::<T, Aos>(),
        bring: bring::<T, D, L>,
    };
    operation.finish_part(Outline::of(&part.region), clear::<T, D, L>, Some(added));
    Ok(())
}

fn bring<T: Element, const D: usize, L: Layout>(
    memory: &CowMemory,
    outline: Outline<D>,
    device: &Device,
) -> Result<(CowMemory, Outline<D>)> {
    // SAFETY: elements of this type in this layout lie there.
    let there = unsafe { FieldView::<T, D, L>::new(outline.within(memory)) };
    let mut here = Field::<T, D>::alloc(device, there.shape(), Init::Zeroed)?;
    here.view_mut()?.copy_now(&there)?;
    let all = Outline::of(&here.region());
    Ok((here.memory, all))
}

/// Each element has the adjoint of the sum.
pub(in crate::field) fn sum<T: Number, const D: usize, L: FieldLayout>(
    field: &Field<T, D, L>,
    sum: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let mut operation = Operation::new("sum")?;
    operation.place("self", whole(field), false)?;
    if !operation.is_varied() {
        return sum();
    }
    let result = operation.run(sum)?;
    let (from, room, shape) = (field.memory.id().get(), Room::of(&field.memory), field.shape);
    operation.finish_with(result, move |adjoints, seed: Option<T>| {
        let Some(seed) = seed else { return Ok(()) };
        let mut all = Field::<T, D, L>::of_memory(room.zeros()?, shape);
        all.fill_now(seed)?;
        adjoints.add(from, all.memory)
    });
    Ok(result)
}

impl<T: Element, const D: usize, L: FieldLayout> Field<T, D, L> {
    /// A field in memory of its form that has room for the shape.
    pub(in crate::field) fn of_memory(memory: CowMemory, shape: [usize; D]) -> Self {
        Field {
            memory,
            shape,
            elements: std::marker::PhantomData,
        }
    }
}
