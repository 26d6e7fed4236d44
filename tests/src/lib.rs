//! What the tests of swathe share.

pub mod suite;
