//! Data-parallel kernels as ordinary Rust functions.

extern crate self as swathe;

#[doc(hidden)]
pub mod cpu;
pub mod element;
#[doc(hidden)]
pub mod kernel;
pub mod math;
pub mod random;
pub mod types;

pub use element::{Element, KernelType};
pub use swathe_macros::func;
pub use types::{
    DMat2, DMat3, DMat4, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, Matrix, UVec2, UVec3, UVec4, Vec2,
    Vec3, Vec4, Vector,
};
