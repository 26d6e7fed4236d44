//! What a kernel's parameters stand for, and what can be passed for them.

mod array;
pub mod elements;

use std::any::Any;
use std::cell::{Ref, RefMut};
use std::rc::Rc;
use std::sync::{Arc, MutexGuard, RwLockReadGuard, RwLockWriteGuard};

use crate::access::layout::Layout;
use crate::device::argument::LaunchArg;
use crate::error::Result;
use crate::kernel::typed::never;
use crate::recording::Place;

/// The type of a kernel's parameter that stands for an array: a [`Field`], or an array of `ndarray` with a static rank.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot take a reference to `{Self}`",
    label = "a reference is to a `Field<T, D>`, which takes all layouts and views, or to an array of `ndarray` whose rank is known at compile time",
    note = "scalars, vectors, matrices, arrays and structs are passed by value; an `ArrayD` becomes an array with a static rank by `into_dimensionality`"
)]
pub trait Parameter {
    /// What native code works on.
    #[doc(hidden)]
    type Access<'a, L: Layout>: Copy;

    /// What rustc infers the types of a body from.
    #[doc(hidden)]
    type Typed;

    /// The same for a parameter that is written.
    #[doc(hidden)]
    type TypedMut;

    /// Size of an element in bytes.
    #[doc(hidden)]
    const ELEMENT: usize;

    /// The same elements in other memory, which begins at `to` and not at `from`.
    ///
    /// # Safety
    /// There are such elements, for the lifetime that the caller gives the result.
    #[doc(hidden)]
    unsafe fn moved<'a, L: Layout>(access: Self::Access<'_, L>, from: *mut u8, to: *mut u8) -> Self::Access<'a, L>;
}

/// A parameter `&P`, as rustc infers the types of a body from it.
pub fn typed_field<P: Parameter + ?Sized>(_: &P) -> P::Typed {
    never()
}

/// A parameter `&mut P`.
pub fn typed_field_mut<P: Parameter + ?Sized>(_: &P) -> P::TypedMut {
    never()
}

/// What can be passed where a kernel's parameter is written `&P`.
///
/// | parameter | arguments |
/// |---|---|
/// | `&Field<T, D>` | [`Field`] of either layout, its slices and transposes ([`FieldView`](crate::FieldView)), members of structs ([`Field::member`]) |
/// | `&OffsetField<T, D>` | [`OffsetField`](crate::OffsetField) of either layout, [`OffsetView`](crate::OffsetView) |
/// | `&Array2<T>`, `&ArrayView2<T>`, .. | every array and view of `ndarray` of that element type and rank |
///
/// A reference, box, or guard of a lock around one of them is one too.
///
/// # Safety
/// `access` and `launch_arg` describe elements that may be read as long as the borrow lasts.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for a kernel's parameter `&{P}`",
    label = "expected a `{P}`, or a view of one"
)]
pub unsafe trait Argument<P: Parameter + ?Sized> {
    /// How its elements lie in memory.
    type Layout: Layout;

    /// Where it lives; `None` for memory of the host that is no field.
    #[doc(hidden)]
    fn place(&self) -> Option<Place<'_>>;

    /// For native code.
    #[doc(hidden)]
    fn access(&self) -> P::Access<'_, Self::Layout>;

    /// For devices.
    #[doc(hidden)]
    fn launch_arg(&self) -> LaunchArg<'_>;

    /// Copies the elements to where they lie in another memory of the field's size, a `CowMemory`; nothing where it is no part of a field.
    #[doc(hidden)]
    fn copy_part(&self, _to: &dyn Any) -> Option<Result<()>> {
        None
    }
}

/// What can be passed where a kernel's parameter is written `&mut P`: what [`Argument`] says, if it can be written.
///
/// # Safety
/// As for [`Argument`]; after `prepare` has succeeded the elements may be written as long as the borrow lasts, and those of different
/// positions are distinct. Where `prepare` is passed on, so are the others, to the same.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be passed for a kernel's parameter `&mut {P}`",
    label = "expected a `{P}`, or a view of one that can be written"
)]
pub unsafe trait ArgumentMut<P: Parameter + ?Sized>: Argument<P> {
    /// Comes before a launch asks for `access_mut` or `launch_arg_mut`: memory that others share gives way to memory of its own.
    #[doc(hidden)]
    fn prepare(&mut self) -> Result<()>;

    /// For native code.
    #[doc(hidden)]
    fn access_mut(&mut self) -> P::Access<'_, Self::Layout>;

    /// For devices.
    #[doc(hidden)]
    fn launch_arg_mut(&mut self) -> LaunchArg<'_>;
}

macro_rules! behind {
    ($($pointer:ty),*; mut $($pointer_mut:ty),*) => {
        $(behind!(@read $pointer);)*
        $(
            behind!(@read $pointer_mut);

            // SAFETY: those of what it points to.
            #[diagnostic::do_not_recommend]
            unsafe impl<P: Parameter + ?Sized, A: ArgumentMut<P> + ?Sized> ArgumentMut<P> for $pointer_mut {
                #[inline(always)]
                fn prepare(&mut self) -> Result<()> {
                    (**self).prepare()
                }

                #[inline(always)]
                fn access_mut(&mut self) -> P::Access<'_, Self::Layout> {
                    (**self).access_mut()
                }

                #[inline(always)]
                fn launch_arg_mut(&mut self) -> LaunchArg<'_> {
                    (**self).launch_arg_mut()
                }
            }
        )*
    };
    (@read $pointer:ty) => {
        // SAFETY: those of what it points to.
        #[diagnostic::do_not_recommend]
        unsafe impl<P: Parameter + ?Sized, A: Argument<P> + ?Sized> Argument<P> for $pointer {
            type Layout = A::Layout;

            #[inline(always)]
            fn place(&self) -> Option<Place<'_>> {
                (**self).place()
            }

            #[inline(always)]
            fn access(&self) -> P::Access<'_, Self::Layout> {
                (**self).access()
            }

            #[inline(always)]
            fn launch_arg(&self) -> LaunchArg<'_> {
                (**self).launch_arg()
            }

            fn copy_part(&self, to: &dyn Any) -> Option<Result<()>> {
                (**self).copy_part(to)
            }
        }
    };
}

behind! {
    &A, Rc<A>, Arc<A>, Ref<'_, A>, RwLockReadGuard<'_, A>;
    mut &mut A, Box<A>, RefMut<'_, A>, MutexGuard<'_, A>, RwLockWriteGuard<'_, A>
}

/// Prepares an argument for a parameter `&mut P` for being written.
#[inline(always)]
pub fn prepare<P: Parameter + ?Sized, A: ArgumentMut<P> + ?Sized>(argument: &mut A) -> Result<()> {
    argument.prepare()
}

/// What native code works on, of an argument for a parameter `&P`.
#[inline(always)]
pub fn access<P: Parameter + ?Sized, A: Argument<P> + ?Sized>(argument: &A) -> P::Access<'_, A::Layout> {
    argument.access()
}

/// What native code works on, of an argument for a parameter `&mut P`.
#[inline(always)]
pub fn access_mut<P: Parameter + ?Sized, A: ArgumentMut<P> + ?Sized>(argument: &mut A) -> P::Access<'_, A::Layout> {
    argument.access_mut()
}

/// What devices are told of an argument for a parameter `&P`.
#[inline]
pub fn launch_arg<P: Parameter + ?Sized, A: Argument<P> + ?Sized>(argument: &A) -> LaunchArg<'_> {
    argument.launch_arg()
}

/// What devices are told of an argument for a parameter `&mut P`.
#[inline]
pub fn launch_arg_mut<P: Parameter + ?Sized, A: ArgumentMut<P> + ?Sized>(argument: &mut A) -> LaunchArg<'_> {
    argument.launch_arg_mut()
}

/// Where an argument for a parameter `P` lives.
#[inline(always)]
pub fn place_of<P: Parameter + ?Sized, A: Argument<P> + ?Sized>(argument: &A) -> Option<Place<'_>> {
    argument.place()
}
