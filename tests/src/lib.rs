//! What the tests of swathe share.
// There are no doctests, and `cargo test --doc` would expand all kernels to find that out.
#![cfg(not(doctest))]

pub mod host;
pub mod python;
pub mod suite;
