//! The suite on CUDA: on a GPU if there is one, else on the software device.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::Command;

use swathe::Device;
use swathe_software_cuda::harness::{self, Control};
use swathe_tests::suite::{Check, TOPICS};

/// A CUDA device.
fn device() -> Device {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    Device::cuda(0).unwrap_or_else(|error| panic!("{error}"))
}

/// Topics whose code depends on the width of positions.
const POSITIONS: [&str; 15] = [
    "block_copies",
    "loops",
    "limits",
    "parallel",
    "copies",
    "own",
    "reduction",
    "extremes",
    "row_sums",
    "failures",
    "lookups",
    "ranges",
    "claims",
    "layouts",
    "offset",
];

/// Runs these topics; of them, with the environment variable `SWATHE_TOPIC`, that one alone.
fn check(wanted: impl Fn(&str) -> bool) {
    let only = std::env::var("SWATHE_TOPIC").ok();
    let wanted = |name: &str| wanted(name) && only.as_ref().is_none_or(|only| only == name);
    let device = device();
    let fails = |check: Check| {
        let failed = catch_unwind(AssertUnwindSafe(|| check(&device))).is_err();
        if failed && let Some(control) = Control::get() {
            // What a kernel broke is not what the next topic is about.
            eprintln!("{}", control.finding());
            control.mend();
        }
        failed
    };
    let failed: Vec<&str> = TOPICS
        .iter()
        .filter(|(name, check, _)| wanted(name) && fails(*check))
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

/// Run by the test below.
#[test]
#[ignore = "a part of `copies_are_counted`"]
fn copies_alone() {
    swathe_tests::suite::sharing::count_copies(&device());
}

/// Copies are counted in the process, in which other tests clone fields, too.
#[test]
fn copies_are_counted() {
    alone("copies_alone", |_| {});
}

/// Positions have 64 bits where fields have more than 2^31 elements; here they have on request.
#[test]
fn positions_in_64_bits() {
    alone("topics_with_positions", |command| {
        command.env("SWATHE_INDEX_BITS", "64");
    });
}

/// Run by the test below.
#[test]
#[ignore = "a part of `every_topic_as_ptx`"]
fn topics_as_ptx() {
    check(|_| true);
}

/// What NVIDIA's compiler makes of the texts, in an interpreter.
#[test]
fn every_topic_as_ptx() {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::as_ptx(&["--exact", "topics_as_ptx", "--ignored", "--nocapture"], 1);
    }
}

/// Runs an ignored test in a process of its own.
fn alone(test: &str, set: impl Fn(&mut Command)) {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--ignored", "--nocapture"]);
    set(&mut command);
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    // By its name: a test that is not found is no failure.
    assert!(output.status.success() && text.contains("1 passed"), "{text}{errors}");
}
