//! Views as arguments of kernels.

use super::view::{FieldView, FieldViewMut};
use super::{Field, Member, MemberMut};
use crate::argument::LaunchArg;
use crate::cpu::access::Access;
use crate::cpu::layout::{Interleaved, Layout};
use crate::device::Device;
use crate::element::Element;
use crate::parameter::{Argument, ArgumentMut};

macro_rules! argument {
    ($($view:ident)*) => {$(
        // SAFETY: the region's elements are borrowed.
        unsafe impl<T: Element, const D: usize, L: Layout> Argument<Field<T, D>> for $view<'_, T, D, L> {
            type Layout = L;

            #[inline]
            fn place(&self) -> Option<&Device> {
                Some(self.device())
            }

            #[inline]
            fn access(&self) -> Access<'_, T, D, L> {
                // SAFETY: the region has an element at each position, and its strides suit the layout.
                unsafe { Access::with_strides(self.region.at.cast(), self.region.shape, self.region.strides) }
            }

            #[inline]
            fn launch_arg(&self) -> LaunchArg<'_> {
                let region = &self.region;
                LaunchArg::part(region.memory.address(), region.at, &region.shape, &region.strides)
            }
        }
    )*};
}
argument!(FieldView FieldViewMut);

// SAFETY: the region's elements are distinct and borrowed exclusively.
unsafe impl<T: Element, const D: usize, L: Layout> ArgumentMut<Field<T, D>> for FieldViewMut<'_, T, D, L> {
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
        unsafe impl<M: Element, const D: usize> Argument<Field<M, D>> for $member<'_, M, D> {
            type Layout = Interleaved;

            #[inline]
            fn place(&self) -> Option<&Device> {
                Some(self.device())
            }

            #[inline]
            fn access(&self) -> Access<'_, M, D, Interleaved> {
                let region = self.region();
                // SAFETY: the region has an element at each position.
                unsafe { Access::with_strides(region.at.cast(), region.shape, region.strides) }
            }

            #[inline]
            fn launch_arg(&self) -> LaunchArg<'_> {
                let region = self.region();
                LaunchArg::part(region.memory.address(), region.at, self.extents(), &region.strides)
            }
        }
    )*};
}
member!(Member MemberMut);

// SAFETY: the members are distinct and borrowed exclusively.
unsafe impl<M: Element, const D: usize> ArgumentMut<Field<M, D>> for MemberMut<'_, M, D> {
    #[inline]
    fn access_mut(&mut self) -> Access<'_, M, D, Interleaved> {
        Argument::access(&*self)
    }

    #[inline]
    fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
        Argument::launch_arg(&*self)
    }
}
