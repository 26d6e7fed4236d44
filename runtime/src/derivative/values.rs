//! What gradients are: values of the same type, that can be zero and be added.

use std::marker::PhantomData;

use crate::element::KernelType;
use crate::element::enumeration::Enumeration;
use crate::func;
use crate::kernel::Instance;
use crate::kernel::probe::{FuncDef, FuncSlot};
use crate::math::{Float, Scalar};
use crate::types::{Matrix, Vector};

/// A type whose values have gradients and tangents of the same type.
///
/// Integers, `bool` and enums have the one that is zero, and `PhantomData` the one that it has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no gradients",
    label = "no numbers that can be added",
    note = "numbers, vectors, matrices, arrays and tuples of them have; a struct has by `#[element(Differentiable)]`, or take the members that you need"
)]
pub trait Differentiable: KernelType {
    /// Whether it has parts that are floats.
    const ACTIVE: bool;
    /// The function for kernels that [`zero`] is.
    #[doc(hidden)]
    type Zero: FuncDef;
    /// The function for kernels that [`accumulate`] is.
    #[doc(hidden)]
    type Accumulate: FuncDef;

    /// Zero, of the shape of a value.
    #[must_use]
    fn zero(self) -> Self;

    /// The sum of two gradients.
    #[must_use]
    fn accumulate(self, by: Self) -> Self;
}

super::rule::chooses! {
    /// The gradient of something that has no influence: zero, of the type of the value.
    zero<A>(a: A) -> A { Differentiable => zero / Zero }
}
super::rule::chooses! {
    /// The sum of two gradients of a value.
    accumulate<A>(a: A, by: A) -> A { Differentiable => accumulate / Accumulate }
}

#[func]
#[inline(always)]
pub fn zero_number<T: Scalar>(_value: T) -> T {
    T::ZERO
}

#[func]
#[inline(always)]
pub fn add_numbers<T: Float>(a: T, b: T) -> T {
    a + b
}

#[func]
#[inline(always)]
pub fn zero_usize(_value: usize) -> usize {
    0
}

#[func]
#[inline(always)]
pub fn zero_isize(_value: isize) -> isize {
    0
}

/// Of what has no derivative.
#[func]
#[inline(always)]
pub fn first<T: KernelType>(a: T, _b: T) -> T {
    a
}

/// Of what has one value.
#[func]
#[inline(always)]
pub fn same<T: KernelType>(value: T) -> T {
    value
}

#[func]
#[inline(always)]
pub fn zero_bool(_value: bool) -> bool {
    false
}

/// The value whose discriminant is 0.
#[func]
#[inline(always)]
pub fn zero_enum<T: Enumeration>(_value: T) -> T {
    T::ZERO
}

#[func]
#[inline(always)]
pub fn zero_vector<T: Scalar, const N: usize>(_value: Vector<T, N>) -> Vector<T, N> {
    Vector::<T, N>::ZERO
}

#[func]
#[inline(always)]
pub fn add_vectors<T: Float, const N: usize>(a: Vector<T, N>, b: Vector<T, N>) -> Vector<T, N> {
    a + b
}

#[func]
#[inline(always)]
pub fn zero_matrix<T: Scalar, const R: usize, const C: usize>(_value: Matrix<T, R, C>) -> Matrix<T, R, C> {
    Matrix::<T, R, C>::ZERO
}

#[func]
#[inline(always)]
pub fn add_matrices<T: Float, const R: usize, const C: usize>(
    a: Matrix<T, R, C>,
    b: Matrix<T, R, C>,
) -> Matrix<T, R, C> {
    a + b
}

#[func]
#[inline(always)]
pub fn zero_array<T: Differentiable, const N: usize>(value: [T; N]) -> [T; N] {
    let mut all = value;
    for k in 0..N {
        all[k] = ::swathe::derivative::zero(value[k]);
    }
    all
}

#[func]
#[inline(always)]
pub fn add_arrays<T: Differentiable, const N: usize>(a: [T; N], b: [T; N]) -> [T; N] {
    let mut sum = a;
    for k in 0..N {
        sum[k] = ::swathe::derivative::accumulate(a[k], b[k]);
    }
    sum
}

/// Implements the trait: `[parameters] Self: whether = zero's function [arguments], the sum's [arguments]`.
macro_rules! differentiable {
    ($([$($g:tt)*] $t:ty: $active:expr, $zero:ident [$($z:tt)*], $add:ident [$($a:tt)*];)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($g)*> Differentiable for $t {
            const ACTIVE: bool = $active;
            type Zero = $zero<$($z)*>;
            type Accumulate = $add<$($a)*>;

            #[inline(always)]
            fn zero(self) -> Self {
                $zero(self)
            }

            #[inline(always)]
            fn accumulate(self, by: Self) -> Self {
                $add(self, by)
            }
        }
    )*};
}

macro_rules! integers {
    ($($t:ident)*) => {$(
        differentiable! {
            [] $t: false, zero_number [$t], first [$t];
            [const N: usize] Vector<$t, N>: false, zero_vector [$t, N], first [Vector<$t, N>];
            [const R: usize, const C: usize] Matrix<$t, R, C>: false, zero_matrix [$t, R, C], first [Matrix<$t, R, C>];
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
differentiable! {
    [T: Float] T: true, zero_number [T], add_numbers [T];
    [T: Float, const N: usize] Vector<T, N>: true, zero_vector [T, N], add_vectors [T, N];
    [T: Float, const R: usize, const C: usize] Matrix<T, R, C>: true, zero_matrix [T, R, C], add_matrices [T, R, C];
    [] bool: false, zero_bool [], first [bool];
    [T: ?Sized + 'static] PhantomData<T>: false, same [PhantomData<T>], first [PhantomData<T>];
    [] usize: false, zero_usize [], first [usize];
    [] isize: false, zero_isize [], first [isize];
    [T: Differentiable, const N: usize] [T; N]: T::ACTIVE, zero_array [T, N], add_arrays [T, N];
}
/// Tuples, part by part.
macro_rules! tuples {
    ($($zero:ident $add:ident [$($t:ident $k:tt)*];)*) => {$(
        #[func]
        #[inline(always)]
        pub fn $zero<$($t: Differentiable),*>(value: ($($t,)*)) -> ($($t,)*) {
            ($(::swathe::derivative::zero(value.$k),)*)
        }

        #[func]
        #[inline(always)]
        pub fn $add<$($t: Differentiable),*>(a: ($($t,)*), b: ($($t,)*)) -> ($($t,)*) {
            ($(::swathe::derivative::accumulate(a.$k, b.$k),)*)
        }

        differentiable! {
            [$($t: Differentiable),*] ($($t,)*): $($t::ACTIVE)||*, $zero [$($t),*], $add [$($t),*];
        }
    )*};
}

tuples! {
    zero_pair add_pairs [A 0 B 1];
    zero_triple add_triples [A 0 B 1 C 2];
    zero_quadruple add_quadruples [A 0 B 1 C 2 D 3];
}
