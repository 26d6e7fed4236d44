//! Kernels of the suite as release builds have them, whose loops run in lanes, windows and blocks: the order of evaluation, and names of macros.
#![allow(missing_docs)]

use swathe::Device;
use swathe_tests_lanes::versions;

#[allow(dead_code)]
#[path = "../../src/suite/axes.rs"]
mod axes;
#[allow(dead_code, unused_imports, unused_macros)]
#[path = "../../src/suite/hygiene.rs"]
mod hygiene;
#[allow(dead_code)]
#[path = "../../src/suite/order.rs"]
mod order;
#[allow(dead_code, unused_imports, unused_macros)]
#[path = "../../src/suite/support.rs"]
pub mod support;
/// Where the macros of `support` look for it.
mod suite {
    pub use super::support;
}

#[test]
fn order_of_evaluation() {
    versions(|_| {
        order::check(&Device::cpu());
        order::updates::check(&Device::cpu());
    });
}

#[test]
fn names_of_macros() {
    versions(|_| hygiene::check(&Device::cpu()));
}

#[test]
fn order_of_axes() {
    versions(|_| axes::check(&Device::cpu()));
}
