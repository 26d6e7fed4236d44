//! Short names, as in glam.

use super::{Matrix, Quaternion, Vector};

macro_rules! aliases {
    ($($(#[$doc:meta])* $name:ident = $kind:ident<$($arg:tt),*>;)*) => {$(
        $(#[$doc])*
        pub type $name = $kind<$($arg),*>;
    )*};
}

aliases! {
    /// Two `f32`.
    Vec2 = Vector<f32, 2>;
    /// Three `f32`.
    Vec3 = Vector<f32, 3>;
    /// Four `f32`.
    Vec4 = Vector<f32, 4>;
    /// Two `f64`.
    DVec2 = Vector<f64, 2>;
    /// Three `f64`.
    DVec3 = Vector<f64, 3>;
    /// Four `f64`.
    DVec4 = Vector<f64, 4>;
    /// Two `i32`.
    IVec2 = Vector<i32, 2>;
    /// Three `i32`.
    IVec3 = Vector<i32, 3>;
    /// Four `i32`.
    IVec4 = Vector<i32, 4>;
    /// Two `u32`.
    UVec2 = Vector<u32, 2>;
    /// Three `u32`.
    UVec3 = Vector<u32, 3>;
    /// Four `u32`.
    UVec4 = Vector<u32, 4>;
    /// 2 by 2 `f32`.
    Mat2 = Matrix<f32, 2, 2>;
    /// 3 by 3 `f32`.
    Mat3 = Matrix<f32, 3, 3>;
    /// 4 by 4 `f32`.
    Mat4 = Matrix<f32, 4, 4>;
    /// 2 by 2 `f64`.
    DMat2 = Matrix<f64, 2, 2>;
    /// 3 by 3 `f64`.
    DMat3 = Matrix<f64, 3, 3>;
    /// 4 by 4 `f64`.
    DMat4 = Matrix<f64, 4, 4>;
    /// A quaternion of `f32`.
    Quat = Quaternion<f32>;
    /// A quaternion of `f64`.
    DQuat = Quaternion<f64>;
}
