//! Typed kernel IR to CUDA C.
//!
//! A kernel becomes one `__global__` function for each phase: a parallel loop, the serial statements between two loops,
//! or the two steps of a reduction. What outlives a phase is kept in a *frame* in device memory.

mod access;
mod array;
mod atomic;
mod body;
mod branch;
mod call;
mod cast;
mod constant;
mod control;
mod domain;
mod error;
mod expr;
mod facts;
mod helper;
mod kernel;
mod literal;
mod module;
mod names;
mod operator;
mod phase;
mod place;
mod reduce;
mod scalar;
mod sequence;
mod source;
mod text;
mod types;
mod typing;
mod value;
mod walk;

pub use error::CodegenError;
pub use source::{Arg, CudaSource, DomainSize, Entry, EntryKind, FrameLayout, Site, SiteKind};

use crate::kernel::Instance;

/// Writes the CUDA C of a kernel.
///
/// # Errors
/// If functions call each other in a cycle, or the kernel uses something that CUDA C cannot express.
pub fn cuda_source(instance: &Instance) -> Result<CudaSource, CodegenError> {
    kernel::generate(instance)
}

type Result<T, E = CodegenError> = std::result::Result<T, E>;
