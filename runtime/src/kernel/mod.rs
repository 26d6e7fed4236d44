//! Kernels as the runtime sees them: IR joined with the types of one monomorphic instance.

pub mod declared;
pub mod divide;
pub mod indexed;
mod instance;
pub mod not_func;
pub mod offset;
pub mod operator;
pub mod probe;
pub mod rank;
pub mod shown;
pub mod typed;

pub use instance::{Callee, ConstValue, FuncRef, Instance};
