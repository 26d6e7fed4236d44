//! What the fuzzer compares kernels by: a sequential interpreter of the IR, and runs on every device.

pub mod bench;
pub mod expression;
pub mod gradient;
pub mod interpreter;
pub mod value;
