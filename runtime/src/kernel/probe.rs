//! What generated code calls so that rustc tells the types of a kernel's expressions.
//!
//! A slot is declared with an open type, `let t0 = Type_::new();`, is unified with a variable or an expression inside
//! a closure that never runs, and is read afterwards.

use std::marker::PhantomData;

use swathe_ir::Type;

use super::{Callee, ConstValue};
use crate::element::KernelType;

/// Slot for a type.
pub struct TypeSlot<T>(PhantomData<fn() -> T>);

impl<T> TypeSlot<T> {
    #[allow(clippy::new_without_default)]
    #[must_use]
    pub const fn new() -> Self {
        TypeSlot(PhantomData)
    }
}

impl<T: KernelType> TypeSlot<T> {
    /// The type that rustc found.
    #[must_use]
    pub fn get(&self) -> Type {
        T::ty()
    }
}

/// A method that kernels can call on `Self`; `ID` is [`swathe_ir::method_id`] of its name. Operators count as the
/// methods of `std::ops` that they call.
#[diagnostic::on_unimplemented(
    message = "this method or operator of `{Self}` cannot be used in a kernel",
    label = "not callable from a kernel",
    note = "a method of your own becomes callable by `#[func]` above its `impl` block; of a scalar's methods, kernels have those of the table in `swathe::math`"
)]
pub trait Method<const ID: u64> {
    /// What it is.
    fn callee() -> Callee;
}

impl<const ID: u64, T: Method<ID>> Method<ID> for &T {
    fn callee() -> Callee {
        T::callee()
    }
}

impl<const ID: u64, T: Method<ID>> Method<ID> for &mut T {
    fn callee() -> Callee {
        T::callee()
    }
}

/// Slot for the receiver of a method or the left operand of an operator.
pub struct MethodSlot<const ID: u64, T>(PhantomData<fn() -> T>);

impl<const ID: u64, T> MethodSlot<ID, T> {
    #[allow(clippy::new_without_default)]
    #[must_use]
    pub const fn new() -> Self {
        MethodSlot(PhantomData)
    }
}

impl<const ID: u64, T: Method<ID>> MethodSlot<ID, T> {
    /// What rustc found.
    #[must_use]
    pub fn get(&self) -> Callee {
        T::callee()
    }
}

/// Unifies the slot with the expression's type.
pub fn value<T>(_: &TypeSlot<T>, value: T) -> T {
    value
}

/// Unifies the slot with the variable's type.
pub fn place<T>(_: &TypeSlot<T>, _: &T) {}

/// Unifies the slot with the receiver's type.
pub fn on_value<const ID: u64, T: Method<ID>>(_: &MethodSlot<ID, T>, value: T) -> T {
    value
}

/// Unifies the slot with the receiver's type.
pub fn on_place<const ID: u64, T: Method<ID>>(_: &MethodSlot<ID, T>, _: &T) {}

/// The value of a constant.
#[must_use]
pub fn constant<T: KernelType>(value: &T) -> ConstValue {
    let ty = T::ty();
    let mut bytes = vec![0; size_of::<T>()];
    // SAFETY: `value` is valid for reads of `size_of::<T>()` bytes, of which `copy_scalars` reads only scalars, which
    // are initialised.
    unsafe { copy_scalars(&ty, std::ptr::from_ref(value).cast(), &mut bytes) };
    ConstValue { ty, bytes }
}

/// Copies the scalars of a value of type `ty`, and none of its padding.
unsafe fn copy_scalars(ty: &Type, from: *const u8, to: &mut [u8]) {
    match ty {
        Type::Unit | Type::Tuple(_) | Type::Field(..) => {}
        Type::Scalar(_) | Type::Vector(..) | Type::Matrix(..) => {
            // SAFETY: by the caller's word `from` points to a value of this type, which has no padding.
            unsafe { std::ptr::copy_nonoverlapping(from, to.as_mut_ptr(), ty.size().min(to.len())) };
        }
        Type::Array(element, n) => {
            let size = element.size();
            for i in 0..*n {
                // SAFETY: element `i` lies inside the array.
                unsafe { copy_scalars(element, from.add(i * size), &mut to[i * size..]) };
            }
        }
        Type::Struct(s) => {
            for m in &s.members {
                // SAFETY: the offset is the one that rustc gave the member.
                unsafe { copy_scalars(&m.ty, from.add(m.offset), &mut to[m.offset..]) };
            }
        }
    }
}
