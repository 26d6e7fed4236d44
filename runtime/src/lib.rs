//! Data-parallel kernels as ordinary Rust functions.

extern crate self as swathe;

#[doc(hidden)]
#[path = "rt.rs"]
pub mod __rt;
#[doc(hidden)]
pub mod cpu;
mod device;
pub mod element;
mod error;
mod field;
#[doc(hidden)]
pub mod kernel;
#[doc(hidden)]
pub mod codegen;
#[doc(hidden)]
pub mod launch;
pub mod math;
pub mod prelude;
pub mod types;

pub use cpu::access::Position;
pub use device::Device;
pub use element::{Element, KernelType};
pub use error::{Error, Result};
#[doc(hidden)]
pub use field::Axes;
pub use field::{ArrayOf, External, Field, MAX_RANK, Member, MemberMut};
pub use kernel::rank::{ndrange, serial};
pub use swathe_macros::{Element, func, kernel};
pub use types::{
    DMat2, DMat3, DMat4, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, Matrix, UVec2, UVec3, UVec4, Vec2,
    Vec3, Vec4, Vector,
};
