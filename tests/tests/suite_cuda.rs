//! The suite on CUDA: on a GPU if there is one, else on the software device.

use std::panic::{AssertUnwindSafe, catch_unwind};

use swathe::Device;
use swathe_software_cuda::harness;
use swathe_tests::suite::TOPICS;

/// A CUDA device.
fn device() -> Device {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    Device::cuda(0).unwrap_or_else(|error| panic!("{error}"))
}

/// Topics whose code depends on the width of positions.
const POSITIONS: [&str; 12] = [
    "loops",
    "limits",
    "parallel",
    "copies",
    "own",
    "reduction",
    "failures",
    "lookups",
    "ranges",
    "claims",
    "layouts",
    "offset",
];

fn check(wanted: impl Fn(&str) -> bool) {
    let device = device();
    let failed: Vec<&str> = TOPICS
        .iter()
        .filter(|(name, ..)| wanted(name))
        .filter(|(_, check, _)| catch_unwind(AssertUnwindSafe(|| check(&device))).is_err())
        .map(|(name, ..)| *name)
        .collect();
    assert!(failed.is_empty(), "on {device}: {failed:?}");
}

#[test]
fn every_topic() {
    check(|_| true);
}

/// Run by the test below.
#[test]
#[ignore = "a part of `positions_in_64_bits`"]
fn topics_with_positions() {
    check(|name| POSITIONS.contains(&name));
}

/// Positions have 64 bits where fields have more than 2^31 elements; here they have on request.
#[test]
fn positions_in_64_bits() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "topics_with_positions", "--ignored", "--nocapture"])
        .env("SWATHE_INDEX_BITS", "64")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    // By its name: a test that is not found is no failure.
    assert!(output.status.success() && text.contains("1 passed"), "{text}");
}
