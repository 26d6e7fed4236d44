//! The CPU backend: what native kernels call.

pub mod cells;
pub mod corner;
pub mod eager;
#[cfg(target_os = "linux")]
mod guarded;
pub mod inside;
pub mod inspect;
pub mod lanes;
pub(crate) mod memory;
mod merge;
pub mod private;
pub mod stage;
#[cfg(test)]
mod tests;
mod transpose;
