//! Offset fields as a kernel's body sees them while rustc types it; nothing here ever runs but the conversions of positions.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use swathe_ir::Type;

use super::probe::TypeSlot;
use super::rank::{Dim, Rank};
use crate::access::Position;
use crate::access::offset::{SignedPosition, behind};
use crate::element::{Element, KernelType};

/// The ranks that offset fields can have.
pub trait SignedRank<const D: usize>: Rank<D> {
    /// What `field.indices()` yields.
    type Position: SignedPosition<D>;

    /// From one number for each axis.
    fn position(axes: [isize; D]) -> Self::Position;
}

impl SignedRank<1> for Dim<1> {
    type Position = isize;

    #[inline(always)]
    fn position([i]: [isize; 1]) -> isize {
        i
    }
}

macro_rules! ranks {
    ($($d:literal),*) => {$(
        impl SignedRank<$d> for Dim<$d> {
            type Position = [isize; $d];

            #[inline(always)]
            fn position(axes: [isize; $d]) -> [isize; $d] {
                axes
            }
        }
    )*};
}
ranks!(0, 2, 3, 4, 5, 6);

/// The position of a parallel loop that is so far behind the field's origin.
///
/// # Safety
/// It is one of the field.
#[inline(always)]
#[must_use]
pub unsafe fn position_at<const D: usize>(
    origin: [isize; D],
    offset: impl Position<D>,
) -> <Dim<D> as SignedRank<D>>::Position
where
    Dim<D>: SignedRank<D>,
{
    // SAFETY: by the caller's word.
    Dim::<D>::position(unsafe { behind(origin, offset) })
}

/// A position as one number for each axis, for an offset field of rank `D`.
#[inline(always)]
pub fn signed_axes<const D: usize, I: SignedPosition<D>>(_: Dim<D>, position: I) -> [isize; D] {
    position.axes()
}

/// An offset field that a kernel reads.
pub struct TypedOffsetField<T, const D: usize>(PhantomData<T>);

/// An offset field that a kernel writes.
pub struct TypedOffsetFieldMut<T, const D: usize>(PhantomData<T>);

fn never() -> ! {
    unreachable!("types are inferred, nothing runs")
}

/// What a parameter is in a body where positions count from its origin.
#[diagnostic::on_unimplemented(
    message = "this parameter is no `swathe::OffsetField`",
    label = "a type of another library or of your own has this name: write its own, or name it otherwise"
)]
pub trait FromOrigin {}

/// Unifies the slot with the type of a parameter that is indexed; that it is one is asked elsewhere.
pub fn offset_parameter<T: FromOrigin>(_: &TypeSlot<T>, _: &T) {}

macro_rules! readable {
    ($($field:ident),*) => {$(
        impl<T, const D: usize> Clone for $field<T, D> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T, const D: usize> Copy for $field<T, D> {}

        impl<T, const D: usize> FromOrigin for $field<T, D> {}

        // SAFETY: no value of a field crosses to a device.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: Element, const D: usize> KernelType for $field<T, D> {
            fn ty() -> Type {
                Type::Field(Box::new(T::ty()), D)
            }
        }

        impl<T, const D: usize, I: SignedPosition<D>> Index<I> for $field<T, D> {
            type Output = T;

            fn index(&self, _: I) -> &T {
                never()
            }
        }

        #[allow(clippy::len_without_is_empty, clippy::missing_safety_doc, clippy::unused_self)]
        impl<T, const D: usize> $field<T, D> {
            pub fn indices(self) -> std::vec::IntoIter<<Dim<D> as SignedRank<D>>::Position>
            where
                Dim<D>: SignedRank<D>,
            {
                never()
            }

            /// Type of a position's distance from the origin.
            pub fn offset(self) -> <Dim<D> as Rank<D>>::Index
            where
                Dim<D>: Rank<D>,
            {
                never()
            }

            pub fn rank(self) -> Dim<D> {
                never()
            }

            pub fn shape(self) -> [usize; D] {
                never()
            }

            pub fn len(self) -> usize {
                never()
            }

            pub fn origin(self) -> [isize; D] {
                never()
            }

            pub unsafe fn get_unchecked<'a, I: SignedPosition<D>>(self, _: I) -> &'a T {
                never()
            }
        }
    )*};
}
readable!(TypedOffsetField, TypedOffsetFieldMut);

impl<T, const D: usize, I: SignedPosition<D>> IndexMut<I> for TypedOffsetFieldMut<T, D> {
    fn index_mut(&mut self, _: I) -> &mut T {
        never()
    }
}

#[allow(clippy::missing_safety_doc, clippy::unused_self)]
impl<T, const D: usize> TypedOffsetFieldMut<T, D> {
    pub unsafe fn get_unchecked_mut<'a, I: SignedPosition<D>>(self, _: I) -> &'a mut T {
        never()
    }
}
