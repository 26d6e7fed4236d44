//! The CPU backend: what native kernels call.

pub mod access;
mod domain;
pub(crate) mod memory;
pub mod parallel;
#[cfg(test)]
mod tests;
