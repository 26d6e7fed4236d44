//! NVIDIA's compiler, assembler and disassembler, for tests that look at generated code.
//!
//! None of them needs a GPU. `cargo xtask setup` fetches them.

pub mod nvdisasm;
pub mod nvrtc;
pub mod occupancy;
pub mod ptxas;
