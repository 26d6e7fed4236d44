//! Operations of fields that are linear, and so recorded: fills, copies, clones, sums.

use super::accumulate::{Outline, add_region};
use super::adjoint::{Adjoints, Room};
use super::operation::{Keep, Operation};
use crate::access::layout::{FieldLayout, Layout};
use crate::device::Init;
use crate::element::Element;
use crate::error::Result;
use crate::field::operations::number::Number;
use crate::field::views::view::{FieldView, FieldViewMut};
use crate::field::{CowMemory, Field};

/// The adjoint of what is overwritten is 0.
pub(in crate::field) fn fill<T: Element, const D: usize, L: FieldLayout>(
    field: &mut Field<T, D, L>,
    value: T,
) -> Result<()> {
    let mut operation = Operation::new("fill")?;
    operation.output::<Field<T, D>, _>("self", field, Keep::Nothing)?;
    operation.run(|| field.fill_now(value))?;
    let to = field.memory.id().get();
    operation.finish(move |adjoints| {
        drop(adjoints.take(to)?);
        Ok(())
    });
    Ok(())
}

/// The adjoint moves to what was copied.
pub(in crate::field) fn copy<T: Element, const D: usize, L: FieldLayout, K: FieldLayout>(
    field: &mut Field<T, D, L>,
    from: &Field<T, D, K>,
) -> Result<()> {
    let mut operation = Operation::new("copy_from")?;
    operation.input::<Field<T, D>, _>("from", from, Keep::Nothing)?;
    operation.output::<Field<T, D>, _>("self", field, Keep::Nothing)?;
    operation.run(|| field.copy_now(from))?;
    operation.finish(moves(field, from));
    Ok(())
}

/// A clone has been made.
pub(in crate::field) fn cloned<T: Element, const D: usize, L: FieldLayout>(
    field: &Field<T, D, L>,
    clone: &mut Field<T, D, L>,
) -> Result<()> {
    let mut operation = Operation::new("try_clone")?;
    operation.input::<Field<T, D>, _>("self", field, Keep::Nothing)?;
    operation.output::<Field<T, D>, _>("clone", clone, Keep::Nothing)?;
    operation.run(|| Ok(()))?;
    operation.finish(moves(clone, field));
    Ok(())
}

fn moves<T: Element, const D: usize, L: FieldLayout, K: FieldLayout>(
    to: &Field<T, D, L>,
    from: &Field<T, D, K>,
) -> impl Fn(&Adjoints) -> Result<()> + 'static {
    let (to, there, shape) = (to.memory.id().get(), Room::of(&to.memory), to.shape);
    let (from, room) = (from.memory.id().get(), Room::of(&from.memory));
    move |adjoints| {
        let Some(memory) = adjoints.take(to)? else {
            return Ok(());
        };
        there.admit(&memory)?;
        if L::PLANAR == K::PLANAR && *memory.device() == room.device {
            return adjoints.add(from, memory);
        }
        let adjoint = Field::<T, D, L>::of_memory(memory, shape);
        let mut there = Field::<T, D, K>::of_memory(room.zeros()?, shape);
        there.copy_now(&adjoint)?;
        adjoints.add(from, there.memory)
    }
}

/// A part is overwritten.
pub(in crate::field) fn fill_part<T: Element, const D: usize, L: Layout>(
    part: &mut FieldViewMut<'_, T, D, L>,
    value: T,
) -> Result<()> {
    let mut operation = Operation::new("fill")?;
    let to = operation.output::<Field<T, D>, _>("self", part, Keep::Nothing)?;
    operation.run(|| part.fill_now(value))?;
    let outline = Outline::of(&part.region);
    operation.finish(move |adjoints| {
        let adjoint = adjoints.of(&to)?;
        clear::<T, D, L>(&adjoint.memory, outline)
    });
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
    let mut operation = Operation::new("copy_from")?;
    let source = operation.input::<Field<T, D>, _>("from", from, Keep::Nothing)?;
    let target = operation.output::<Field<T, D>, _>("self", part, Keep::Nothing)?;
    operation.run(|| part.copy_now(from))?;
    let (of_source, of_target) = (Outline::of(&from.region), Outline::of(&part.region));
    let (shape, device) = (from.shape(), from.device().clone());
    operation.finish(move |adjoints| {
        let (to, from) = (adjoints.of(&target)?, adjoints.of(&source)?);
        let form = crate::field::cow::Form::of::<T, crate::access::layout::Aos>();
        if *to.memory.device() == device {
            // SAFETY: both are elements of this type, in memories of adjoints, of which the one that is written is not the other one.
            unsafe { add_region(&from.memory, of_source, &to.memory, of_target, form)? };
        } else {
            // SAFETY: elements of this type in this layout lie there.
            let there = unsafe { FieldView::<T, D, L>::new(of_target.within(&to.memory)) };
            let mut here = Field::<T, D>::alloc(&device, shape, Init::Zeroed)?;
            here.view_mut()?.copy_now(&there)?;
            let all = Outline::of(&here.region());
            // SAFETY: as above.
            unsafe { add_region(&from.memory, of_source, &here.memory, all, form)? };
        }
        clear::<T, D, L>(&to.memory, of_target)
    });
    Ok(())
}

/// Each element has the adjoint of the sum.
pub(in crate::field) fn sum<T: Number, const D: usize, L: FieldLayout>(
    field: &Field<T, D, L>,
    sum: impl FnOnce() -> Result<T>,
) -> Result<T> {
    let mut operation = Operation::new("sum")?;
    operation.input::<Field<T, D>, _>("self", field, Keep::Nothing)?;
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
