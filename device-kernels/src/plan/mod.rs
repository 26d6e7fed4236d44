//! Which launches do a task, one after the other.
//!
//! Addresses are the device's where the launches run on a device, and pointers of this process where they run on the host. Whoever
//! runs them sees to it that the memory is there and is not used otherwise in the meantime; planning itself accesses
//! none.

mod compare;
mod copy;
mod fill;
mod gather;
mod product;
mod reduce;
mod scan;
mod sequence;

pub use compare::{Tolerance, close, differ};
pub use copy::{Array, cast, copy, divisor};
pub use fill::fill;
pub use gather::{Elements, Positions, claim, gather, scatter};
pub use product::{Factor, Matrices, ProductExtents, product, product_scratch};
pub use reduce::{Items, Operation, Order, arg_reduce, arg_reduce_scratch, reduce, reduce_scratch};
pub use scan::{Lanes, scan, scan_scratch};
pub use sequence::{iota, linspace, random, uniform};

use crate::launch::Entry;

/// A type of elements that kernels compute with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "Rust's types of these names")]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    F16,
    Bf16,
    F32,
    F64,
}

impl Scalar {
    /// All of them.
    pub const ALL: [Scalar; 13] = [
        Scalar::Bool,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::F16,
        Scalar::Bf16,
        Scalar::F32,
        Scalar::F64,
    ];

    /// Its name in Rust.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
        }
    }

    /// Bytes of one.
    #[must_use]
    pub fn size(self) -> u64 {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    /// The type in which it is added and multiplied: `f32` for floats of 16 bits, itself otherwise.
    #[must_use]
    pub fn wide(self) -> Scalar {
        match self {
            Scalar::F16 | Scalar::Bf16 => Scalar::F32,
            other => other,
        }
    }

    /// The type whose entry it uses where a sign makes no difference.
    fn unsigned(self) -> Scalar {
        match self {
            Scalar::Bool | Scalar::I8 => Scalar::U8,
            Scalar::I16 => Scalar::U16,
            Scalar::I32 => Scalar::U32,
            Scalar::I64 => Scalar::U64,
            other => other,
        }
    }

    fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::Bf16 | Scalar::F32 | Scalar::F64)
    }
}

/// The entry of this name.
fn entry(entries: &'static [Entry], name: &str) -> &'static Entry {
    let found = entries.iter().find(|entry| entry.name == name);
    found.unwrap_or_else(|| panic!("there is no kernel `{name}`"))
}

fn pointer<T>(address: u64) -> *mut T {
    std::ptr::with_exposed_provenance_mut(address as usize)
}
