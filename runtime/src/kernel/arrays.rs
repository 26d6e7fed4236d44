//! The methods of arrays that kernels have.

use swathe_ir::method_id;

use super::Callee;
use super::probe::Method;

/// What kernels call for the methods of arrays.
pub trait ArrayMethods {
    /// How many items there are.
    fn __func_len(&self) -> usize;
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> ArrayMethods for [T; N] {
    #[inline(always)]
    fn __func_len(&self) -> usize {
        N
    }
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> Method<{ method_id("len") }> for [T; N] {
    fn callee() -> Callee {
        Callee::BuiltIn
    }
}
