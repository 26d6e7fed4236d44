//! Kernels on the CPU: what the native functions call.

pub mod atomic;
pub mod reduce;
