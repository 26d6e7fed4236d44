//! Results do not depend on the number of threads.

use swathe::Device;
use swathe_tests::suite::{TOPICS, atomics, reduction};

fn with_threads<R: Send>(threads: usize, f: impl FnOnce() -> R + Send) -> R {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(f)
}

#[test]
fn reductions_have_the_same_bits() {
    for n in [1, 1000, 65_537, 1_000_000] {
        let one = with_threads(1, || reduction::order_dependent(&Device::cpu(), n));
        for threads in [2, 3, 7] {
            let several = with_threads(threads, || reduction::order_dependent(&Device::cpu(), n));
            assert_eq!(one, several, "{n} elements, {threads} threads");
        }
    }
}

#[test]
fn atomics_hold_under_contention() {
    for threads in [2, 7] {
        with_threads(threads, || atomics::check(&Device::cpu()));
    }
}

#[test]
fn every_topic_holds_on_three_threads() {
    for (_, check, _) in TOPICS.iter().filter(|topic| topic.0 != "methods") {
        with_threads(3, || check(&Device::cpu()));
    }
}
