//! Numbers that the runtime's own kernels compute with.

use half::{bf16, f16};
use swathe_device_kernels::plan::Scalar;

use crate::element::Element;

/// A number of which a whole field can be reduced at once: integers of 8 to 64 bits, `f16`, `bf16`, `f32`, `f64`.
pub trait Number: Element + PartialEq + PartialOrd + sealed::Number {}

/// An integer of which fields can be filled with a sequence.
pub trait Integer: Number + sealed::Integer {}

/// A float of which fields can be filled with random numbers, and compared within a tolerance: `f16`, `bf16`, `f32`, `f64`.
pub trait Real: Number + sealed::Real {}

pub(in crate::field) mod sealed {
    use swathe_device_kernels::plan::Scalar;

    use crate::element::Element;

    /// A scalar of the kernels.
    pub trait Kind: Element {
        const KIND: Scalar;
    }

    pub trait Number: Kind {
        fn is_infinite(self) -> bool;
    }

    pub trait Integer: Number {
        fn bits(self) -> u64;
    }

    pub trait Index {
        fn wide(self) -> i128;
    }

    pub trait Real: Number {
        fn wide(self) -> f64;
        fn narrow(value: f64) -> Self;
    }
}

macro_rules! numbers {
    (|$value:ident| $infinite:expr; $($t:ident $kind:ident)*) => {$(
        impl sealed::Kind for $t {
            const KIND: Scalar = Scalar::$kind;
        }
        impl sealed::Number for $t {
            fn is_infinite(self) -> bool {
                let $value = self;
                $infinite
            }
        }
        impl Number for $t {}
    )*};
}
numbers!(|_value| false; i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64);
numbers!(|value| value.is_infinite(); f16 F16 bf16 Bf16 f32 F32 f64 F64);

macro_rules! integers {
    ($($t:ident)*) => {$(
        impl sealed::Integer for $t {
            fn bits(self) -> u64 {
                self as u64
            }
        }
        impl Integer for $t {}
    )*};
}
macro_rules! reals {
    ($($t:ident |$value:ident| $narrow:expr;)*) => {$(
        impl sealed::Real for $t {
            fn wide(self) -> f64 {
                self.into()
            }

            fn narrow($value: f64) -> Self {
                $narrow
            }
        }
        impl Real for $t {}
    )*};
}
reals! {
    f16 |value| f16::from_f32(value as f32);
    bf16 |value| bf16::from_f32(value as f32);
    f32 |value| value as f32;
    f64 |value| value;
}
integers!(i8 i16 i32 i64 u8 u16 u32 u64);

impl sealed::Kind for bool {
    const KIND: Scalar = Scalar::Bool;
}

/// An integer that positions of elements are given in: `i32`, `i64`, `u32`, `u64`.
pub trait IndexNumber: Integer + sealed::Index {}

macro_rules! indices {
    ($($t:ident)*) => {$(
        impl sealed::Index for $t {
            fn wide(self) -> i128 {
                self.into()
            }
        }
        impl IndexNumber for $t {}
    )*};
}
indices!(i32 i64 u32 u64);
