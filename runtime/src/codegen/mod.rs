//! Typed kernel IR to CUDA C.
//!
//! A kernel becomes one `__global__` function for each phase: a parallel loop, the serial statements between two loops,
//! or the two steps of a reduction. What outlives a phase is kept in a *frame* in device memory.

mod access;
mod ahead;
mod arg_reduction;
mod array;
mod atomic;
mod block_copies;
mod body;
mod branch;
mod call;
mod cast;
mod cells;
mod complex;
mod condition;
mod constant;
mod control;
mod domain;
mod expr;
mod facts;
mod failure;
mod guards;
mod half;
mod helper;
mod inlined;
mod inside;
mod interval;
mod kernel;
mod lent;
mod literal;
mod lookup;
mod module;
mod names;
mod offset;
mod operator;
mod phase;
mod place;
mod plan;
mod planes;
mod positions;
mod reduce;
mod scalar;
mod sequence;
mod source;
mod stack;
mod text;
mod types;
mod typing;
mod value;
mod variant;
mod vector;
mod versions;

use crate::error::CodegenError;
pub use block_copies::BlockCopy;
pub use plan::{DeviceCheck, DevicePhase, DevicePlan, PhaseKind};
pub use source::{Arg, CellsLayout, CudaSource, Domain, Entry, EntryKind, FrameLayout, Length, Site, SiteKind};
pub use stack::with_large_stack;
pub use variant::{IndexWidth, Params, Variant};

use crate::kernel::Instance;

/// Writes the CUDA C of a kernel for arguments that `variant` describes.
///
/// # Errors
/// If functions call each other in a cycle, or the kernel uses something that CUDA C cannot express.
pub fn cuda_source(instance: &Instance, variant: Variant) -> Result<CudaSource, CodegenError> {
    with_large_stack(|| kernel::generate(instance, variant))
}

/// The text of a kernel for whatever arguments.
///
/// # Errors
/// As [`cuda_source`].
pub fn cuda_text(load: fn() -> Instance) -> crate::Result<String> {
    Ok(cuda_source(&load(), Variant::default())?.text)
}

type Result<T, E = CodegenError> = std::result::Result<T, E>;
