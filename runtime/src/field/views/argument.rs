//! Fields and their parts as arguments of kernels.

use std::any::Any;

use crate::access::Access;
use crate::access::layout::{FieldLayout, Layout, Steps};
use crate::device::argument::LaunchArg;
use crate::element::Element;
use crate::error::Result;
use crate::field::Field;
use crate::field::Member;
use crate::field::MemberMut;
use crate::field::cow::CowMemory;
use crate::field::recorded::accumulate::Outline;
use crate::field::views::view::{FieldView, FieldViewMut, Region};
use crate::kernel::typed::{TypedField, TypedFieldMut};
use crate::parameter::{Argument, ArgumentMut, Parameter};
use crate::recording::{self, Place};

impl<T: Element, const D: usize> Parameter for Field<T, D> {
    type Access<'a, L: Layout> = Access<'a, T, D, L>;
    type Typed = TypedField<T, D>;
    type TypedMut = TypedFieldMut<T, D>;

    const ELEMENT: usize = size_of::<T>();

    unsafe fn moved<'a, L: Layout>(access: Access<'_, T, D, L>, from: *mut u8, to: *mut u8) -> Access<'a, T, D, L> {
        // SAFETY: by the caller's word.
        unsafe { access.in_other_memory(from, to) }
    }
}

// SAFETY: the memory holds the elements of the shape.
unsafe impl<T: Element, const D: usize, L: FieldLayout> Argument<Field<T, D>> for Field<T, D, L> {
    type Layout = L;

    #[inline(always)]
    fn place(&self) -> Option<Place<'_>> {
        Some(self.memory.place(false))
    }

    #[inline(always)]
    fn access(&self) -> Access<'_, T, D, L> {
        Field::access(self)
    }

    #[inline]
    fn launch_arg(&self) -> LaunchArg<'_> {
        self.arg()
    }
}

// SAFETY: as above, and after `prepare` no other field has the memory.
unsafe impl<T: Element, const D: usize, L: FieldLayout> ArgumentMut<Field<T, D>> for Field<T, D, L> {
    #[inline]
    fn prepare(&mut self) -> Result<()> {
        Field::prepare(self)
    }

    #[inline(always)]
    fn access_mut(&mut self) -> Access<'_, T, D, L> {
        Field::access_mut(self)
    }

    #[inline]
    fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
        debug_assert!(self.memory.is_alone());
        self.arg()
    }
}

impl<const D: usize> Region<'_, D> {
    fn arg<'s, T: Element>(&self, shape: &'s [usize]) -> LaunchArg<'s> {
        LaunchArg::part::<T>(
            self.memory.raw().address(),
            self.at,
            shape,
            &self.steps.strides,
            self.planes(),
        )
    }

    fn planes(&self) -> Option<(usize, isize)> {
        self.planar.then_some((self.steps.pitch, self.steps.origin))
    }
}

impl<'a, T: Element, const D: usize, L: Layout> FieldView<'a, T, D, L> {
    /// For native code, as long as the field is borrowed.
    #[inline]
    pub(crate) fn into_access(self) -> Access<'a, T, D, L> {
        // SAFETY: the region has an element at each position, and its strides suit the layout.
        unsafe { Access::with_steps(self.region.at.cast(), self.region.shape, self.region.steps) }
    }

    /// For devices; `shape` is its shape. A view of a whole field is told as the field.
    pub(crate) fn into_argument(self, shape: &[usize]) -> LaunchArg<'_> {
        let Region { memory, at, steps, .. } = self.region;
        let unit = if self.region.planar { 1 } else { size_of::<T>() as isize };
        let list = Steps::of([unit; D]).row_major(self.region.shape).strides;
        let is_list = (0..D).all(|k| steps.strides[k] == list[k] || self.region.shape[k] == 1);
        if is_list && at == memory.raw().address() && steps.origin == 0 {
            return LaunchArg::field::<T>(at, shape, self.region.planar.then_some(steps.pitch));
        }
        self.region.arg::<T>(shape)
    }
}

/// Copies the elements of a region to the same places of another memory.
///
/// # Safety
/// The region consists of elements of type `T` in this layout, and `to` is a [`CowMemory`] of the size of the region's, which nobody else has.
unsafe fn copy_part<T: Element, const D: usize, L: Layout>(region: &Region<'_, D>, to: &dyn Any) -> Result<()> {
    let Some(memory) = to.downcast_ref::<CowMemory>() else {
        return Ok(());
    };
    let there = Outline::of(region).within(memory);
    // SAFETY: by the caller's word.
    let (from, mut to) = unsafe { (FieldView::<T, D, L>::new(*region), FieldViewMut::<T, D, L>::new(there)) };
    // The recording asks what is read, and knows of this.
    recording::pause(|| to.copy_now(&from))
}

macro_rules! argument {
    ($($view:ident)*) => {$(
        // SAFETY: the region's elements are borrowed.
        unsafe impl<T: Element, const D: usize, L: Layout> Argument<Field<T, D>> for $view<'_, T, D, L> {
            type Layout = L;

            #[inline]
            fn place(&self) -> Option<Place<'_>> {
                Some(self.whereabouts())
            }

            #[inline]
            fn access(&self) -> Access<'_, T, D, L> {
                // SAFETY: the region has an element at each position, and its strides suit the layout.
                unsafe { Access::with_steps(self.region.at.cast(), self.region.shape, self.region.steps) }
            }

            #[inline]
            fn launch_arg(&self) -> LaunchArg<'_> {
                self.region.arg::<T>(&self.region.shape)
            }

            fn copy_part(&self, to: &dyn Any) -> Option<Result<()>> {
                // SAFETY: elements of this type in this layout lie there.
                Some(unsafe { copy_part::<T, D, L>(&self.region, to) })
            }
        }
    )*};
}
argument!(FieldView FieldViewMut);

// SAFETY: the region's elements are distinct and borrowed exclusively.
unsafe impl<T: Element, const D: usize, L: Layout> ArgumentMut<Field<T, D>> for FieldViewMut<'_, T, D, L> {
    // It was made of memory of the field's own.
    #[inline(always)]
    fn prepare(&mut self) -> Result<()> {
        self.region.memory.may_write()
    }

    #[inline]
    fn access_mut(&mut self) -> Access<'_, T, D, L> {
        Argument::access(&*self)
    }

    #[inline]
    fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
        Argument::launch_arg(&*self)
    }
}

macro_rules! member {
    ($($member:ident)*) => {$(
        // SAFETY: the region's elements are borrowed.
        unsafe impl<M: Element, const D: usize, L: FieldLayout> Argument<Field<M, D>> for $member<'_, M, D, L> {
            type Layout = L::Member;

            #[inline]
            fn place(&self) -> Option<Place<'_>> {
                let region = self.region();
                Some(region.memory.place(region.exclusive))
            }

            #[inline]
            fn access(&self) -> Access<'_, M, D, L::Member> {
                let region = self.region();
                // SAFETY: the region has an element at each position.
                unsafe { Access::with_steps(region.at.cast(), region.shape, region.steps) }
            }

            #[inline]
            fn launch_arg(&self) -> LaunchArg<'_> {
                self.region().arg::<M>(self.extents())
            }

            fn copy_part(&self, to: &dyn Any) -> Option<Result<()>> {
                // SAFETY: members of this type in this layout lie there.
                Some(unsafe { copy_part::<M, D, L::Member>(&self.region(), to) })
            }
        }
    )*};
}
member!(Member MemberMut);

// SAFETY: the members are distinct and borrowed exclusively.
unsafe impl<M: Element, const D: usize, L: FieldLayout> ArgumentMut<Field<M, D>> for MemberMut<'_, M, D, L> {
    // It was made of memory of the field's own.
    #[inline(always)]
    fn prepare(&mut self) -> Result<()> {
        self.region().memory.may_write()
    }

    #[inline]
    fn access_mut(&mut self) -> Access<'_, M, D, L::Member> {
        Argument::access(&*self)
    }

    #[inline]
    fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
        Argument::launch_arg(&*self)
    }
}
