//! Kernels as the runtime sees them: IR joined with the types of one monomorphic instance.

mod instance;
pub mod not_func;
pub mod offset;
pub mod probe;
pub mod rank;
pub mod typed;

pub use instance::{Callee, ConstValue, FuncRef, Instance};
