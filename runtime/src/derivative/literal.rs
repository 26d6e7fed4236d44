//! What derivatives take the types of literals for. A kernel confirms it in the copy of its body that rustc types and that never runs.
//!
//! Nothing here may tell rustc a type: a kernel has the types that it has without derivatives. So each question leaves rustc more than one
//! answer as long as a literal's type is open, and is answered when that is `f64` or `i32` because nothing else tells it.

use super::Numbers;
use crate::kernel::probe::TypeSlot;

/// Whether two types of numbers are one.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the derivative cannot tell the type of the literals in this variable: it is `{T}`, and not `{Self}`",
    label = "write the type at the literals, as in `0.5_f32` or `3_usize`"
)]
pub trait IsType<T> {
    /// [`Same`] or [`Other`].
    type Answer;
}

/// They are one.
#[doc(hidden)]
pub struct Same;

/// They are two.
#[doc(hidden)]
pub struct Other;

#[diagnostic::do_not_recommend]
impl<T> IsType<T> for T {
    type Answer = Same;
}

macro_rules! other {
    ($($said:ident is not $is:ident),*) => {$(
        #[diagnostic::do_not_recommend]
        impl IsType<$is> for $said {
            type Answer = Other;
        }
    )*};
}

// One other type for each is enough: as long as the type is open, there are two answers. Those of `i32` are said at the variable.
other! {
    f32 is not f64, f64 is not f32, i32 is not i64,
    u8 is not i32, u16 is not i32, u32 is not i32, u64 is not i32, usize is not i32,
    i8 is not i32, i16 is not i32, i64 is not i32, isize is not i32,
    i32 is not u8, i32 is not u16, i32 is not u32, i32 is not u64, i32 is not usize,
    i32 is not i8, i32 is not i16, i32 is not isize
}

/// An answer of which `Said` and `Is` are one type.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the derivative cannot tell the type of the literals in this variable: it is `{Is}`, and not `{Said}`",
    label = "write the type at the literals, as in `0.5_f32` or `3_usize`"
)]
pub trait Confirmed<Said, Is> {}

#[diagnostic::do_not_recommend]
impl<Said, Is> Confirmed<Said, Is> for Same {}

/// Confirms the type of a variable's numbers.
#[doc(hidden)]
pub const fn literals_are<Said, Is: Numbers>(_: &TypeSlot<Is>)
where
    Said: IsType<Is::Number>,
    Said::Answer: Confirmed<Said, Is::Number>,
{
}

/// Integers of at least 32 bits.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the derivative cannot tell the type of the literals in this variable: in `{Self}` what is counted could overflow",
    label = "write the type at the literals, as in `3_usize`"
)]
pub trait Counts {}

/// The same with a sign.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the derivative cannot tell the type of the literals in this variable: in `{Self}` a difference could overflow",
    label = "write the type at the literals, as in `3_usize`"
)]
pub trait Signed {}

macro_rules! integers {
    ($trait:ident: $($type:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl $trait for $type {}
    )*};
}

integers!(Counts: i32 u32 i64 u64 isize usize);
integers!(Signed: i32 i64 isize);

/// Confirms that a variable's numbers are counted without overflow.
#[doc(hidden)]
pub const fn literals_count<Is: Numbers<Number: Counts>>(_: &TypeSlot<Is>) {}

/// Confirms that a variable's numbers may be below zero.
#[doc(hidden)]
pub const fn literals_are_signed<Is: Numbers<Number: Signed>>(_: &TypeSlot<Is>) {}
