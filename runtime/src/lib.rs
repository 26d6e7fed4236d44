//! Data-parallel kernels as ordinary Rust functions.

extern crate self as swathe;

pub mod element;
#[doc(hidden)]
pub mod kernel;

pub use element::{Element, KernelType};
pub use swathe_macros::func;
