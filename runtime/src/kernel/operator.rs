//! What an operator means: by the types of both operands, as for rustc.

use std::any::TypeId;
use std::marker::PhantomData;

use half::{bf16, f16};
use num_complex::Complex;
use swathe_ir::method_id;

use super::probe::{Answer, FuncDef, Method, NoAnswer};
use super::{Callee, FuncRef, Instance};
use crate::element::KernelType;
use crate::func;
use crate::numbers::reduce::ReduceMul;
use crate::types::{Component, Matrix, Vector};

/// Numbers, vectors and matrices. Operators between two of them are those of std, of this crate and of `num_complex`: no other crate
/// can implement one. They have no state, and a value for all operands but divisions of integers.
pub trait BuiltIn: sealed::Sealed {}

mod sealed {
    pub trait Sealed {}
}

macro_rules! built_in {
    ($([$($params:tt)*] $t:ty,)*) => {$(
        impl<$($params)*> sealed::Sealed for $t {}
        #[diagnostic::do_not_recommend]
        impl<$($params)*> BuiltIn for $t {}
    )*};
}
built_in! {
    [] bool,
    [] i8, [] i16, [] i32, [] i64, [] isize,
    [] u8, [] u16, [] u32, [] u64, [] usize,
    [] f16, [] bf16, [] f32, [] f64,
    [] Complex<f32>, [] Complex<f64>,
    [T: Component, const N: usize] Vector<T, N>,
    [T: Component, const R: usize, const C: usize] Matrix<T, R, C>,
    [T: BuiltIn] &T, [T: BuiltIn] &mut T,
    // The right operand of an operator that has none.
    [] (),
}

/// An operator that kernels can use between `Self` and `B`; `ID` is [`swathe_ir::method_id`] of the method of `std::ops` or
/// `std::cmp` that it calls.
#[diagnostic::on_unimplemented(
    message = "this operator between `{Self}` and `{B}` cannot be used in a kernel",
    label = "not callable from a kernel",
    note = "kernels have the operators of numbers, vectors and matrices; one of your own becomes callable by `#[func]` above its `impl` block, and `==` of a struct by `#[element(PartialEq)]`; a type parameter has them by a bound such as `T: Float`"
)]
pub trait Operator<const ID: u64, B> {
    /// What it is.
    #[must_use]
    fn callee() -> Callee {
        Callee::BuiltIn
    }

    /// Its definition, unless it is built in.
    #[must_use]
    fn load() -> Instance {
        unreachable!("only a `#[func]` is loaded")
    }
}

#[diagnostic::do_not_recommend]
impl<const ID: u64, A: BuiltIn + Method<ID>, B: BuiltIn> Operator<ID, B> for A {}

const EQ: u64 = method_id("eq");
const NE: u64 = method_id("ne");

/// Whether arrays are equal: item by item, up to the first that differs.
#[func]
fn equal_items<T: KernelType + PartialEq + Operator<EQ, T>, const N: usize>(a: &[T; N], b: &[T; N]) -> bool {
    for k in 0..N {
        if !(a[k] == b[k]) {
            return false;
        }
    }
    true
}

/// Whether arrays differ: of their items, too, the standard library asks whether they are equal.
#[func]
fn unequal_items<T: KernelType + PartialEq + Operator<EQ, T>, const N: usize>(a: &[T; N], b: &[T; N]) -> bool {
    for k in 0..N {
        if !(a[k] == b[k]) {
            return true;
        }
    }
    false
}

macro_rules! compared {
    ($($id:ident $function:ident)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<T: KernelType + PartialEq + Operator<EQ, T>, const N: usize> Operator<$id, [T; N]> for [T; N] {
            fn callee() -> Callee {
                operator_callee::<$id, Self, Self>(0, <Self as Operator<$id, [T; N]>>::load)
            }

            fn load() -> Instance {
                <$function<T, N> as FuncDef>::load()
            }
        }

        #[diagnostic::do_not_recommend]
        impl<T: ?Sized + 'static> Operator<$id, PhantomData<T>> for PhantomData<T> {}
    )*};
}
compared! { EQ equal_items NE unequal_items }

/// Slot for an operator.
pub struct OperatorSlot<const ID: u64, A, B>(PhantomData<fn() -> (A, B)>);

impl<const ID: u64, A, B> OperatorSlot<ID, A, B> {
    /// The slot; a function would be called once for each in code that is not optimised.
    pub const NEW: Self = OperatorSlot(PhantomData);
}

impl<const ID: u64, A: Operator<ID, B>, B> Answer for OperatorSlot<ID, A, B> {
    type Is = Callee;

    fn __answer(&self) -> fn() -> Callee {
        A::callee
    }
}

impl<const ID: u64, A, B> NoAnswer for &OperatorSlot<ID, A, B> {
    type Is = Callee;
}

/// Unifies the slot with the type of the left operand.
pub fn left<const ID: u64, A, B>(_: &OperatorSlot<ID, A, B>, value: A) -> A {
    value
}

/// The same of a place that is changed.
pub fn left_place<const ID: u64, A, B>(_: &OperatorSlot<ID, A, B>, _: &A) {}

/// The same of an operator by which a parallel loop accumulates: it has to be that of numbers.
pub fn accumulated<const ID: u64, A, B: Accumulated<A>>(_: &OperatorSlot<ID, A, B>, value: B) -> B {
    value
}

/// What a parallel loop can accumulate into a variable of type `A` by an operator.
#[diagnostic::on_unimplemented(
    message = "a parallel loop cannot accumulate into a `{A}` with an operator between that and `{Self}`",
    label = "not a number, vector or matrix",
    note = "threads accumulate parts, which are combined: what an operator of your own does is not known; accumulate numbers, or loop in `serial`"
)]
pub trait Accumulated<A> {}

#[diagnostic::do_not_recommend]
impl<A: BuiltIn, B: BuiltIn> Accumulated<A> for B {}

/// The same of a product: the order of its factors must not count, as it does for matrices.
pub fn multiplied<const ID: u64, A, B: Factor<A>>(_: &OperatorSlot<ID, A, B>, value: B) -> B {
    value
}

/// What a parallel loop can multiply up with an `A`.
#[diagnostic::on_unimplemented(
    message = "a parallel loop cannot accumulate a product of `{A}` and `{Self}`",
    label = "not of numbers or vectors",
    note = "threads accumulate parts, which are combined in any order: matrices and operators of your own need that of the text; multiply numbers or vectors, or loop in `serial`"
)]
pub trait Factor<A> {}

#[diagnostic::do_not_recommend]
impl<A: BuiltIn + ReduceMul, B: BuiltIn + ReduceMul> Factor<A> for B {}

/// Unifies the slot with the type of the right operand.
pub fn right<const ID: u64, A: Operator<ID, B>, B>(_: &OperatorSlot<ID, A, B>, value: B) -> B {
    value
}

/// Unifies the slot with the type of the only operand.
pub fn only<const ID: u64, A: Operator<ID, ()>>(_: &OperatorSlot<ID, A, ()>, value: A) -> A {
    value
}

/// The callee that the `#[func]` of an operator is; `B` is the type of its right operand without references, of which `borrowed` is the number.
#[must_use]
pub fn operator_callee<const ID: u64, A: 'static, B: 'static>(borrowed: u8, load: fn() -> Instance) -> Callee {
    Callee::Func(FuncRef {
        key: (TypeId::of::<(A, B)>(), ID ^ u64::from(borrowed)),
        load,
    })
}

/// The same trait.
#[diagnostic::on_unimplemented(
    message = "`#[func]` takes this trait for the one of the standard library that has its name",
    label = "another trait",
    note = "give your own trait another name: kernels call its methods, and operators those of `std::ops` and `std::cmp`"
)]
pub trait IsSame<T: ?Sized> {}

impl<T: ?Sized> IsSame<T> for T {}

/// Asks whether two traits are one.
pub const fn same_trait<A: ?Sized + IsSame<B>, B: ?Sized>() {}
