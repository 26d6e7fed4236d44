//! The elements of products.

use half::{bf16, f16};
use num_complex::Complex;
use swathe_device_kernels::plan::{self, Scalar};

use super::host;
use crate::element::Element;

/// An element that matrices and vectors of products consist of: integers of 8 to 64 bits, `f16`, `bf16`, `f32`, `f64`, `Complex<f32>`,
/// `Complex<f64>`.
#[diagnostic::on_unimplemented(
    message = "arrays of `{Self}` have no product",
    label = "products are of integers, floats and complex numbers"
)]
pub trait Factor: Element + sealed::Factor {}

pub(in crate::field) mod sealed {
    use swathe_device_kernels::plan;

    use super::super::host::Problem;

    pub trait Factor {
        const KIND: plan::Factor;

        /// # Safety
        /// The elements are of this type, and borrowed; those of the result exclusively.
        unsafe fn multiply(problem: &Problem);
    }
}

macro_rules! factors {
    ($($t:ty: $kind:expr, $as:ty;)*) => {$(
        impl sealed::Factor for $t {
            const KIND: plan::Factor = $kind;

            // Not generic, so that it is compiled with this crate.
            unsafe fn multiply(problem: &host::Problem) {
                // SAFETY: by the caller's word.
                unsafe { host::multiply::<$as>(problem) }
            }
        }

        impl Factor for $t {}
    )*};
}

// Signed integers have the products of unsigned ones.
factors! {
    i8: plan::Factor::Real(Scalar::I8), u8;
    i16: plan::Factor::Real(Scalar::I16), u16;
    i32: plan::Factor::Real(Scalar::I32), u32;
    i64: plan::Factor::Real(Scalar::I64), u64;
    u8: plan::Factor::Real(Scalar::U8), u8;
    u16: plan::Factor::Real(Scalar::U16), u16;
    u32: plan::Factor::Real(Scalar::U32), u32;
    u64: plan::Factor::Real(Scalar::U64), u64;
    f16: plan::Factor::Real(Scalar::F16), f16;
    bf16: plan::Factor::Real(Scalar::Bf16), bf16;
    f32: plan::Factor::Real(Scalar::F32), f32;
    f64: plan::Factor::Real(Scalar::F64), f64;
    Complex<f32>: plan::Factor::Complex(Scalar::F32), Complex<f32>;
    Complex<f64>: plan::Factor::Complex(Scalar::F64), Complex<f64>;
}
