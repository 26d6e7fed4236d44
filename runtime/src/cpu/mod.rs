//! The CPU backend: what native kernels call.

pub mod access;
pub mod atomic;
pub mod cache;
pub mod cast;
pub mod cells;
pub mod contract;
pub(crate) mod copy;
pub mod corner;
mod domain;
pub mod failure;
#[cfg(target_os = "linux")]
mod guarded;
pub mod inspect;
pub mod lanes;
pub mod layout;
pub(crate) mod memory;
pub mod offset;
pub(crate) mod pages;
pub mod parallel;
pub mod pointer;
pub mod private;
pub mod products;
pub mod reduce;
pub mod stage;
mod team;
#[cfg(test)]
mod tests;
mod transpose;
pub mod version;
