//! An interpreter of PTX, for what rustc emits for the device kernels and NVRTC for generated CUDA C. What it does not know is an
//! error, never a guess: `table.rs` has all instructions.
//!
//! Generic addresses are those of this process. Every access has to lie inside of one of the regions that the caller names, in
//! a variable of the module, in the block's shared or the thread's local memory, and to be aligned. Threads of a block run one
//! after the other up to the next barrier or exchange of lanes; a seed chooses other orders, in which threads also stop in between.
//! Shared memory remembers who accessed what since the last
//! barrier: what another order of threads could change is an error. Shared and local memory are read only where they are
//! written, and so are regions of which that is known. What a launch reads by `ld.global.nc` it must not write.
//!
//! Floats are rounded as the manual says. Where it allows an approximation the result is the nearest value. A product and a
//! sum without `.rn` may be joined by an assembler; here they are not.

mod block;
mod build;
mod compute;
mod decode;
mod error;
mod instruction;
mod lack;
mod launch;
mod limits;
mod local;
mod memory;
mod module;
mod operand;
mod order;
mod parse;
mod race;
mod regions;
mod shared;
mod table;
mod thread;
mod token;
mod trace;
mod warp;
mod written;

#[cfg(test)]
mod tests;

pub use error::{Cause, Error};
pub use launch::{Grid, Launch};
pub use limits::most_shared;
pub use memory::Accesses;
pub use module::{Module, Parameter};
pub use order::Blocks;
pub use regions::{Region, Regions};
pub use trace::Trace;
pub use written::Written;
