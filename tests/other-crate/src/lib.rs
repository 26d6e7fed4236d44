//! Kernel functions that the tests call from another crate.
