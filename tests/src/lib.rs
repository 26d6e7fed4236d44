//! What the tests of swathe share.

pub mod host;
pub mod nvrtc;
pub mod ptxas;
pub mod python;
pub mod sass;
pub mod suite;
