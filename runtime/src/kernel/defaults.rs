//! `T::default()` in kernels.

use std::marker::PhantomData;

use half::{bf16, f16};
use num_complex::Complex;
use swathe_ir::method_id;

use super::probe::{FuncDef, Method, method_callee};
use super::{Callee, Instance};
use crate::element::KernelType;
use crate::func;
use crate::types::{Component, Matrix, Vector};

const DEFAULT: u64 = method_id("default");

/// What kernels call for `T::default()`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no `default` that a kernel can call",
    label = "not callable from a kernel",
    note = "numbers, vectors, matrices and arrays of these have one; for a struct write `#[element(Default)]` above it, below `#[derive(Element)]`, or `#[func]` above its `impl Default`"
)]
pub trait DefaultMethods: KernelType + Method<DEFAULT> {
    /// Its default.
    fn __func_default() -> Self;
}

macro_rules! built_in {
    ($([$($params:tt)*] $t:ty,)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($params)*> Method<DEFAULT> for $t {
            fn callee() -> Callee {
                Callee::BuiltIn
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($params)*> DefaultMethods for $t {
            #[inline(always)]
            fn __func_default() -> Self {
                Self::default()
            }
        }
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
    [T: ?Sized + 'static] PhantomData<T>,
}

/// The default of an array is made of those of its items.
#[func]
fn default_of_items<T: DefaultMethods, const N: usize>() -> [T; N] {
    [T::default(); N]
}

#[diagnostic::do_not_recommend]
impl<T: DefaultMethods, const N: usize> Method<DEFAULT> for [T; N] {
    fn callee() -> Callee {
        method_callee::<DEFAULT, Self>()
    }

    fn load() -> Instance {
        <default_of_items<T, N> as FuncDef>::load()
    }
}

#[diagnostic::do_not_recommend]
impl<T: DefaultMethods, const N: usize> DefaultMethods for [T; N] {
    #[inline(always)]
    fn __func_default() -> Self {
        [T::__func_default(); N]
    }
}
