//! Vectors, matrices and quaternions as plain bytes.

use bytemuck::{Pod, Zeroable};

use super::{Matrix, Quaternion, Vector};

// SAFETY: `repr(C)` around an array of `T`, of which all bytes zero are a value.
unsafe impl<T: Zeroable, const N: usize> Zeroable for Vector<T, N> {}
// SAFETY: `repr(C)` around an array of `T`: no padding, and any bytes are a value, as for `T`.
unsafe impl<T: Pod, const N: usize> Pod for Vector<T, N> {}
// SAFETY: as for `Vector`.
unsafe impl<T: Zeroable, const R: usize, const C: usize> Zeroable for Matrix<T, R, C> {}
// SAFETY: as for `Vector`.
unsafe impl<T: Pod, const R: usize, const C: usize> Pod for Matrix<T, R, C> {}
// SAFETY: `repr(C)`, four of `T`, of which all bytes zero are a value.
unsafe impl<T: Zeroable> Zeroable for Quaternion<T> {}
// SAFETY: `repr(C)`, four of `T`: no padding, and any bytes are a value, as for `T`.
unsafe impl<T: Pod> Pod for Quaternion<T> {}
