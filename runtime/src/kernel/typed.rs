//! Fields as a kernel's body sees them while rustc types it; nothing here ever runs.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use swathe_ir::Type;

use super::rank::{Dim, Rank};
use crate::access::Position;
use crate::element::{Element, KernelType};

/// A field that a kernel reads.
pub struct TypedField<T, const D: usize>(PhantomData<T>);

/// A field that a kernel writes.
pub struct TypedFieldMut<T, const D: usize>(PhantomData<T>);

pub(crate) fn never() -> ! {
    unreachable!("types are inferred, nothing runs")
}

/// What a parameter is in a body where positions count from 0.
#[diagnostic::on_unimplemented(
    message = "positions of this parameter do not count from 0",
    label = "write `OffsetField<T, D>` here, not a name for it",
    note = "how a kernel is compiled depends on what its parameters are called: `&OffsetField<T, D>`, `&mut OffsetField<T, D>`"
)]
pub trait FromZero {}

macro_rules! readable {
    ($($field:ident),*) => {$(
        impl<T, const D: usize> Clone for $field<T, D> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T, const D: usize> Copy for $field<T, D> {}

        impl<T, const D: usize> FromZero for $field<T, D> {}

        // SAFETY: no value of a field crosses to a device.
        #[diagnostic::do_not_recommend]
        unsafe impl<T: Element, const D: usize> KernelType for $field<T, D> {
            fn ty() -> Type {
                Type::Field(Box::new(T::ty()), D)
            }
        }

        impl<T, const D: usize, I: Position<D>> Index<I> for $field<T, D> {
            type Output = T;

            fn index(&self, _: I) -> &T {
                never()
            }
        }

        #[allow(clippy::len_without_is_empty, clippy::missing_safety_doc, clippy::unused_self)]
        impl<T, const D: usize> $field<T, D> {
            pub fn indices(self) -> std::vec::IntoIter<<Dim<D> as Rank<D>>::Index>
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

            pub unsafe fn get_unchecked<'a, I: Position<D>>(self, _: I) -> &'a T {
                never()
            }
        }
    )*};
}
readable!(TypedField, TypedFieldMut);

impl<T, const D: usize, I: Position<D>> IndexMut<I> for TypedFieldMut<T, D> {
    fn index_mut(&mut self, _: I) -> &mut T {
        never()
    }
}

#[allow(clippy::missing_safety_doc, clippy::unused_self)]
impl<T, const D: usize> TypedFieldMut<T, D> {
    pub unsafe fn get_unchecked_mut<'a, I: Position<D>>(self, _: I) -> &'a mut T {
        never()
    }
}

/// The type of what a closure gives, which is one for all its calls.
pub struct ClosureSlot<T>(PhantomData<fn() -> T>);

impl<T> Clone for ClosureSlot<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ClosureSlot<T> {}

impl<T> ClosureSlot<T> {
    #[allow(clippy::new_without_default)]
    #[must_use]
    pub const fn new() -> Self {
        ClosureSlot(PhantomData)
    }
}

/// What a call of a closure gives.
#[inline(always)]
pub fn of_closure<T>(_: &ClosureSlot<T>, value: T) -> T {
    value
}
