//! Vectors, matrices and quaternions of `glam`. Its matrices are columns, ours rows: the entry of a row and a column stays the same.

use super::{Matrix, Quaternion, Vector};

macro_rules! vectors {
    ($($t:ident $n:literal: $($glam:ident)*;)*) => {$($(
        impl From<glam::$glam> for Vector<$t, $n> {
            fn from(v: glam::$glam) -> Self {
                Vector::from_array(v.to_array())
            }
        }

        impl From<Vector<$t, $n>> for glam::$glam {
            fn from(v: Vector<$t, $n>) -> Self {
                Self::from_array(v.to_array())
            }
        }
    )*)*};
}

vectors! {
    f32 2: Vec2; f32 3: Vec3 Vec3A; f32 4: Vec4;
    f64 2: DVec2; f64 3: DVec3; f64 4: DVec4;
    i8 2: I8Vec2; i8 3: I8Vec3; i8 4: I8Vec4;
    u8 2: U8Vec2; u8 3: U8Vec3; u8 4: U8Vec4;
    i16 2: I16Vec2; i16 3: I16Vec3; i16 4: I16Vec4;
    u16 2: U16Vec2; u16 3: U16Vec3; u16 4: U16Vec4;
    i32 2: IVec2; i32 3: IVec3; i32 4: IVec4;
    u32 2: UVec2; u32 3: UVec3; u32 4: UVec4;
    i64 2: I64Vec2; i64 3: I64Vec3; i64 4: I64Vec4;
    u64 2: U64Vec2; u64 3: U64Vec3; u64 4: U64Vec4;
}

macro_rules! matrices {
    ($($t:ident $n:literal: $($glam:ident)*;)*) => {$($(
        impl From<glam::$glam> for Matrix<$t, $n, $n> {
            fn from(m: glam::$glam) -> Self {
                Matrix::from_array(m.transpose().to_cols_array_2d())
            }
        }

        impl From<Matrix<$t, $n, $n>> for glam::$glam {
            fn from(m: Matrix<$t, $n, $n>) -> Self {
                Self::from_cols_array_2d(&m.to_array()).transpose()
            }
        }
    )*)*};
}

matrices! {
    f32 2: Mat2; f32 3: Mat3 Mat3A; f32 4: Mat4;
    f64 2: DMat2; f64 3: DMat3; f64 4: DMat4;
}

macro_rules! quaternions {
    ($($t:ident $glam:ident;)*) => {$(
        impl From<glam::$glam> for Quaternion<$t> {
            fn from(q: glam::$glam) -> Self {
                Quaternion::from(q.to_array())
            }
        }

        impl From<Quaternion<$t>> for glam::$glam {
            fn from(q: Quaternion<$t>) -> Self {
                Self::from_array(q.into())
            }
        }
    )*};
}

quaternions! {
    f32 Quat;
    f64 DQuat;
}
