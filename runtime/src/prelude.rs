//! What most programs with kernels need: `use swathe::prelude::*;`.

pub use crate::math::{Boundary, Float, Int, Scalar};
pub use crate::random::Rng;
pub use crate::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, Device, Element, Error, Field, IVec2, IVec3, IVec4, Mat2, Mat3,
    Mat4, Matrix, OffsetField, Quat, UVec2, UVec3, UVec4, Vec2, Vec3, Vec4, Vector, func, kernel, ndrange, serial,
};
