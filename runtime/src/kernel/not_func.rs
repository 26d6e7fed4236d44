//! What a call in a kernel finds if the function is no `#[func]`.
//!
//! A call of `f` is typed as `{ use args2::*; use f as __callee; __callee::__of(..).__call(..) }`. The struct that `#[func]` declares
//! beside `f` hides the one of `args2`; where there is none, rustc finds `args2::__callee` and reports its bound.

use super::probe::FuncSlot;

/// Holds for no function.
#[diagnostic::on_unimplemented(
    message = "this function cannot be called in a kernel, because it is no `#[func]`",
    label = "not a `#[func]`",
    note = "write `#[func]` above the function; of the standard library, kernels have methods of numbers, such as `x.sqrt()` and `x.min(y)`, and `std::mem::swap`, `replace` and `take`"
)]
pub trait IsFunc {}

/// Holds for nothing.
#[diagnostic::on_unimplemented(
    message = "a kernel cannot be called in a kernel",
    label = "this is a kernel",
    note = "call the kernels one after the other on the host, or make this one a `#[func]`"
)]
pub trait IsNoKernel {}

/// Holds for no function: those that have a gradient do not ask.
#[diagnostic::on_unimplemented(
    message = "this function has no gradient",
    label = "not a `#[func(grad)]`",
    note = "write `#[func(grad)]` above the function, `#[func(grad = rule)]` with a rule of your own, or `detach(..)` around the call"
)]
pub trait HasPullback {}

/// Holds for no function: those that have a tangent do not ask.
#[diagnostic::on_unimplemented(
    message = "this function has no tangent",
    label = "not a `#[func(jvp)]`",
    note = "write `#[func(jvp)]` above the function, `#[func(jvp = rule)]` with a rule of your own, or `detach(..)` around the call"
)]
pub trait HasJvp {}

/// Depends on a lifetime, since rustc would refuse a bound that depends on nothing where it is declared.
pub struct Kernel<'a>(std::marker::PhantomData<&'a ()>);

macro_rules! arities {
    ($($module:ident($($arg:ident)*))*) => {$(
        pub mod $module {
            use super::{FuncSlot, HasJvp, HasPullback, IsFunc};

            #[allow(non_camel_case_types)]
            pub struct __callee<'a>(std::marker::PhantomData<&'a ()>);

            impl<'a> __callee<'a> {
                pub fn __of<F>(_: &FuncSlot<F>) -> Self
                where
                    Self: IsFunc,
                {
                    unreachable!("types are inferred, nothing runs")
                }

                #[allow(clippy::too_many_arguments)]
                pub fn __call<$($arg,)* R>(self, $(_: $arg),*) -> R {
                    unreachable!("types are inferred, nothing runs")
                }
            }

            /// What a call of a function's derivative finds where the function has none.
            pub trait NoDerivative {
                #[must_use]
                fn __pullback_of<F>(_: &FuncSlot<F>) -> __callee<'static>
                where
                    Self: HasPullback,
                {
                    unreachable!("types are inferred, nothing runs")
                }

                #[must_use]
                fn __jvp_of<F>(_: &FuncSlot<F>) -> __callee<'static>
                where
                    Self: HasJvp,
                {
                    unreachable!("types are inferred, nothing runs")
                }
            }

            impl<T> NoDerivative for T {}
        }
    )*};
}

arities! {
    args0() args1(A) args2(A B) args3(A B C) args4(A B C D) args5(A B C D E) args6(A B C D E G) args7(A B C D E G H)
    args8(A B C D E G H I)
}
