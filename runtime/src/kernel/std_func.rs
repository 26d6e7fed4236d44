//! Functions of the standard library that kernels call by their paths: `std::mem::swap`, `replace` and `take`.
//!
//! A call of `swap` is typed as `{ use std_func::swap::*; use swap as __callee; __callee::__of(..).__call(..) }`. The struct that `#[func]`
//! declares beside a function of the user's hides the one here. Where there is none, the path has to be that of the standard library: its
//! function is a type of its own, with which [`Same`] compares.

use half::{bf16, f16};

use crate::element::KernelType;
use crate::func;
use crate::types::{Matrix, Vector};

/// Holds for a function and itself. Of a pair, since rustc would else take the second one for the first.
#[diagnostic::on_unimplemented(
    message = "this function cannot be called in a kernel, because it is no `#[func]`",
    label = "not a `#[func]`",
    note = "write `#[func]` above the function; of the standard library, kernels have methods of numbers, such as `x.sqrt()` and `x.min(y)`, and `std::mem::swap`, `replace` and `take`"
)]
pub trait Same {}

#[diagnostic::do_not_recommend]
impl<F> Same for (F, F) {}

/// A function of the user's, which `#[func]` declares: nothing is left to confirm.
pub trait OfUser: Sized {
    /// Gives the function back.
    #[must_use]
    fn __confirm<F>(self, _: F) -> Self {
        self
    }
}

impl<T> OfUser for T {}

macro_rules! functions {
    ($($name:ident $function:ident;)*) => {$(
        pub mod $name {
            pub use super::$function as __callee;
        }

        impl<T> $function<T> {
            #[doc(hidden)]
            #[must_use]
            pub fn __confirm<F: Same>(self, _: F) -> Self {
                self
            }
        }
    )*};
}

functions! {
    swap swapped;
    replace replaced;
    take taken;
}

/// `std::mem::swap`.
#[func]
#[inline(always)]
pub const fn swapped<T: KernelType>(a: &mut T, b: &mut T) {
    let before = *a;
    *a = *b;
    *b = before;
}

/// `std::mem::replace`.
#[func]
#[inline(always)]
pub const fn replaced<T: KernelType>(place: &mut T, value: T) -> T {
    let before = *place;
    *place = value;
    before
}

/// `std::mem::take`.
#[func]
#[inline(always)]
pub const fn taken<T: Empty>(place: &mut T) -> T {
    let before = *place;
    *place = T::DEFAULT_VALUE;
    before
}

/// Types of which the value of `Default` is known.
#[diagnostic::on_unimplemented(
    message = "`std::mem::take` leaves the `Default` of `{Self}`, which a kernel does not know",
    label = "it knows those of numbers, `bool`, vectors and matrices, and of arrays of them",
    note = "write `std::mem::replace(&mut place, value)`"
)]
pub trait Empty: KernelType + Default {
    /// That of `Default`.
    const DEFAULT_VALUE: Self;
}

macro_rules! empty {
    ($($value:expr => $($t:ident)*;)*) => {$($(
        impl Empty for $t {
            const DEFAULT_VALUE: $t = $value;
        }
    )*)*};
}

empty! {
    false => bool;
    0 => i8 i16 i32 i64 isize u8 u16 u32 u64 usize;
    0.0 => f32 f64;
    f16::ZERO => f16;
    bf16::ZERO => bf16;
}

impl<T: Empty, const N: usize> Empty for Vector<T, N>
where
    Self: KernelType + Default,
{
    const DEFAULT_VALUE: Self = Vector([T::DEFAULT_VALUE; N]);
}

impl<T: Empty, const R: usize, const C: usize> Empty for Matrix<T, R, C>
where
    Self: KernelType + Default,
{
    const DEFAULT_VALUE: Self = Matrix([[T::DEFAULT_VALUE; C]; R]);
}

impl<T: Empty, const N: usize> Empty for [T; N]
where
    Self: KernelType + Default,
{
    const DEFAULT_VALUE: Self = [T::DEFAULT_VALUE; N];
}
