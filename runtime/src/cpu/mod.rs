//! The CPU backend: what native kernels call.

pub mod access;
pub mod atomic;
mod domain;
pub mod layout;
pub(crate) mod memory;
pub mod parallel;
pub mod pointer;
pub mod private;
pub mod reduce;
#[cfg(test)]
mod tests;
