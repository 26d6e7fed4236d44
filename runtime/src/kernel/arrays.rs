//! The methods of arrays that kernels have.

use swathe_ir::method_id;

use super::Callee;
use super::probe::Method;

/// What kernels call for the methods of arrays.
///
/// By value: method calls look for those first, so another trait's method of that name is an ambiguity, and never called in its place.
pub trait ArrayMethods: Copy {
    /// How many items there are.
    fn __func_len(self) -> usize;
    /// The same, for a loop over the items: a name that no kernel may have.
    #[expect(non_snake_case)]
    fn __func___len(self) -> usize;
}

#[diagnostic::do_not_recommend]
impl<T: Copy, const N: usize> ArrayMethods for [T; N] {
    #[inline(always)]
    fn __func_len(self) -> usize {
        N
    }
    #[inline(always)]
    fn __func___len(self) -> usize {
        N
    }
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> Method<{ method_id("len") }> for [T; N] {
    fn callee() -> Callee {
        Callee::BuiltIn
    }
}

#[diagnostic::do_not_recommend]
impl<T, const N: usize> Method<{ method_id("__len") }> for [T; N] {
    fn callee() -> Callee {
        Callee::BuiltIn
    }
}
