//! Random kernels of the accepted subset. `tests/` compares what they do.

#[allow(warnings, clippy::correctness, arithmetic_overflow, unconditional_panic)]
#[rustfmt::skip]
mod kernels {
    include!(concat!(env!("OUT_DIR"), "/kernels.rs"));
}

pub use kernels::CASES;

/// The text that the kernels were compiled from.
pub const TEXT: &str = include_str!(concat!(env!("OUT_DIR"), "/kernels.rs"));
