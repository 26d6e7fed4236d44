//! Kernels as the runtime sees them: IR joined with the types of one monomorphic instance.

pub mod arrays;
pub mod build;
pub mod checks;
pub mod declared;
pub mod defaults;
pub mod divide;
pub mod domain;
pub mod ends;
pub mod failures;
pub mod indexed;
pub mod info;
mod instance;
pub(crate) mod never;
pub mod not_func;
pub mod offset;
pub mod operator;
pub mod plan;
pub mod probe;
pub mod rank;
pub mod shown;
pub mod std_func;
pub mod typed;
pub(crate) mod walk;

pub use info::{Arithmetic, KernelInfo, Site};
pub use instance::{Callee, ConstValue, FuncRef, Instance};
