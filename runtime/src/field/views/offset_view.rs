//! Parts of fields whose positions start elsewhere than at 0.

use std::any::Any;

use crate::access::layout::{FieldLayout, Layout};
use crate::access::offset::{OffsetAccess, SignedPosition};
use crate::device::argument::LaunchArg;
use crate::element::Element;
use crate::error::Result;
use crate::field::Field;
use crate::field::FieldView;
use crate::field::FieldViewMut;
use crate::field::Member;
use crate::field::MemberMut;
use crate::field::views::offset::{OffsetField, check_origin};
use crate::parameter::{Argument, ArgumentMut};
use crate::recording::Place;

/// A slice, a transpose or a member of a field, of which the first element has a position of the program's choice. Kernels take it for
/// `&OffsetField<T, D>`.
///
/// ```
/// use ndarray::s;
/// use swathe::prelude::*;
///
/// #[kernel]
/// fn number(u: &mut OffsetField<i32>) {
///     for i in u.indices() {
///         u[i] = i as i32;
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let mut u = Field::<i32>::zeros(&Device::default(), 6)?;
/// number(&mut u.slice_mut(s![1..5])?.with_origin(-2)?)?;
/// assert_eq!(u.to_vec()?, [0, -2, -1, 0, 1, 0]);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy)]
pub struct OffsetView<A, const D: usize> {
    part: A,
    /// With each extent it adds up to an `isize`.
    origin: [isize; D],
}

impl<A, const D: usize> OffsetView<A, D> {
    /// The part, whose positions start at 0.
    #[must_use]
    pub fn into_part(self) -> A {
        self.part
    }

    /// Position of the first element.
    #[must_use]
    pub fn origin(&self) -> [isize; D] {
        self.origin
    }
}

macro_rules! with_origin {
    ($($part:ident: $layout:ident),*) => {$(
        impl<T: Element, const D: usize, L: $layout> $part<'_, T, D, L> {
            /// The same elements, of which the first has the position `origin`.
            ///
            /// # Errors
            /// [`Error::Origin`](crate::Error::Origin) if the end of an axis is beyond the largest `isize`.
            pub fn with_origin(self, origin: impl SignedPosition<D>) -> Result<OffsetView<Self, D>> {
                let origin = origin.axes();
                check_origin(&Argument::<Field<T, D>>::access(&self).shape(), &origin)?;
                Ok(OffsetView { part: self, origin })
            }
        }
    )*};
}
with_origin!(FieldView: Layout, FieldViewMut: Layout, Member: FieldLayout, MemberMut: FieldLayout);

// SAFETY: those of the part.
unsafe impl<T: Element, const D: usize, A: Argument<Field<T, D>>> Argument<OffsetField<T, D>> for OffsetView<A, D> {
    type Layout = A::Layout;

    #[inline(always)]
    fn place(&self) -> Option<Place<'_>> {
        self.part.place()
    }

    #[inline]
    fn access(&self) -> OffsetAccess<'_, T, D, A::Layout> {
        // SAFETY: `with_origin` has seen to it, and the shape of a part does not change.
        unsafe { OffsetAccess::new(self.part.access(), self.origin) }
    }

    #[inline]
    fn launch_arg(&self) -> LaunchArg<'_> {
        self.part.launch_arg().behind(&self.origin)
    }

    fn copy_part(&self, to: &dyn Any) -> Option<Result<()>> {
        self.part.copy_part(to)
    }
}

// SAFETY: those of the part.
unsafe impl<T: Element, const D: usize, A: ArgumentMut<Field<T, D>>> ArgumentMut<OffsetField<T, D>>
    for OffsetView<A, D>
{
    #[inline(always)]
    fn prepare(&mut self) -> Result<()> {
        self.part.prepare()
    }

    #[inline]
    fn access_mut(&mut self) -> OffsetAccess<'_, T, D, A::Layout> {
        // SAFETY: as above.
        unsafe { OffsetAccess::new(self.part.access_mut(), self.origin) }
    }

    #[inline]
    fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
        self.part.launch_arg_mut().behind(&self.origin)
    }
}
