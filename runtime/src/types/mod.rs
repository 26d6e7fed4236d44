//! Small vectors, matrices and quaternions, with the same layout on every device.

mod aliases;
#[cfg(feature = "bytemuck")]
mod bytemuck;
mod combine;
mod component;
mod components;
mod decompose;
#[cfg(feature = "glam")]
mod glam;
mod matrix;
mod matrix_math;
mod matrix_ops;
#[cfg(feature = "nalgebra")]
mod nalgebra;
mod quaternion;
mod quaternion_math;
mod quaternion_ops;
mod scalar_ops;
#[cfg(feature = "serde")]
mod serde;
mod vector;
mod vector_math;
mod vector_ops;

pub use aliases::{
    DMat2, DMat3, DMat4, DQuat, DVec2, DVec3, DVec4, IVec2, IVec3, IVec4, Mat2, Mat3, Mat4, Quat, UVec2, UVec3, UVec4,
    Vec2, Vec3, Vec4,
};
pub use component::Component;
pub use components::{X, Xy, Xyz, Xyzw};
pub use decompose::{Polar, Qr, Svd, SymmetricEigen};
pub use matrix::Matrix;
pub use quaternion::Quaternion;
pub use vector::Vector;

/// States that code generation knows these methods of a vector or matrix type by name.
macro_rules! built_in {
    (Vector<T, N>: $bound:ident: $($name:ident)*) => {
        $(built_in! { @one [T: $bound, const N: usize] [Vector<T, N>] $name })*
    };
    (Matrix<T, R, C>: $bound:ident: $($name:ident)*) => {
        $(built_in! { @one [T: $bound, const R: usize, const C: usize] [Matrix<T, R, C>] $name })*
    };
    (@one [$($params:tt)*] [$t:ty] $name:ident) => {
        #[diagnostic::do_not_recommend]
        impl<$($params)*> crate::kernel::probe::Method<{ swathe_ir::method_id(stringify!($name)) }> for $t {
            fn callee() -> crate::kernel::Callee {
                crate::kernel::Callee::BuiltIn
            }
        }
    };
}
use built_in;
