//! The suite on the CPU.

use swathe::Device;
use swathe_tests::suite;

macro_rules! topics {
    ($($topic:ident)*) => {
        $(
            #[test]
            fn $topic() {
                suite::$topic::check(&Device::cpu());
            }
        )*

        #[test]
        fn no_topic_is_left_out() {
            let here = [$(stringify!($topic)),*];
            let all: Vec<&str> = suite::TOPICS.iter().map(|topic| topic.0).collect();
            assert_eq!(all, here);
        }
    };
}

topics! { binding branch loops limits lookups facts values operators casts funcs lent generics parallel places copies own reduction extremes row_sums atomics members vectors arguments failures ranges claims closures names never methods hygiene items half complex views exchanges external layouts offset strict order attributes parts block_copies sharing expressions structs enums printing decompositions quaternions gradients }

#[test]
fn host_calls_functions_that_are_lent_fields() {
    suite::lent::host_calls_them();
}

/// Run by the test below.
#[test]
#[ignore = "a part of `texts_have_places`"]
fn prints_alone() {
    suite::printing::print(&Device::cpu());
}

/// Kernel, place and iteration on request.
#[test]
fn texts_have_places() {
    let run = |places: &str| {
        let output = std::process::Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "prints_alone", "--ignored", "--nocapture"])
            .env("SWATHE_PRINT_PLACES", places)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.contains("1 passed"), "{text}");
        text
    };
    suite::printing::check_places(&run("1"), &run("0"));
}

/// Run by the test below.
#[test]
#[ignore = "a part of `copies_are_counted`"]
fn copies_alone() {
    suite::sharing::count_copies(&Device::cpu());
}

/// Copies are counted in the process, in which other tests clone fields, too.
#[test]
fn copies_are_counted() {
    let output = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "copies_alone", "--ignored", "--nocapture"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    // By its name: a test that is not found is no failure.
    assert!(output.status.success() && text.contains("1 passed"), "{text}{errors}");
}
