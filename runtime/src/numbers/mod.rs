//! What kernels do with numbers beyond the language: atomic operations, reductions, contraction, casts, and the instruction sets
//! that native code has versions for.

pub mod atomic;
pub mod cast;
pub mod contract;
pub mod products;
pub mod reduce;
pub mod version;
