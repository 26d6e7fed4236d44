//! What kernels do with numbers beyond the language: atomic operations, reductions, contraction, casts.

pub mod atomic;
pub mod cast;
pub mod contract;
pub mod products;
pub mod reduce;
