//! What random programs of hostile users link to: the plain Rust that a kernel's body is compared with, data that is often out of bounds,
//! and the runs. The programs are written and compiled by the binary of this package, `cargo xtask fuzz --hostile`.

mod compare;
mod data;
pub mod plain;
mod run;
mod turn;

pub use compare::Outcome;
pub use data::{Draw, Flat, Kind, Scalar};
pub use ndarray::s;
pub use run::{Bench, Case, main};
pub use swathe;
pub use turn::turn;
