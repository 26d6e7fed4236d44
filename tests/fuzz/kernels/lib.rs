//! Random kernels of the accepted subset. `tests/` compares what they do.
// There are no doctests, and `cargo test --doc` would expand all kernels to find that out.
#![cfg(not(doctest))]

#[allow(warnings, clippy::correctness, arithmetic_overflow, unconditional_panic)]
#[rustfmt::skip]
mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

#[allow(warnings, clippy::correctness, arithmetic_overflow, unconditional_panic)]
#[rustfmt::skip]
mod gradients {
    include!(concat!(env!("OUT_DIR"), "/gradients.rs"));
}

#[allow(warnings, clippy::all)]
#[rustfmt::skip]
mod expressions {
    include!(concat!(env!("OUT_DIR"), "/expressions.rs"));
}

pub use expressions::EXPRESSIONS;
pub use gradients::GRADIENTS;
pub use kernels::CASES;

/// The text of the expressions.
pub const EXPRESSION_TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/expressions.rs"));

/// The text of those with derivatives.
pub const GRADIENT_TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/gradients.rs"));

/// The text that the kernels were compiled from.
pub const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/kernels.rs"));
