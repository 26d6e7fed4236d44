//! Results do not depend on the number of threads.

use swathe::prelude::*;
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

#[kernel]
fn total(x: &Field<i32>) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        sum += x[i];
    }
    sum
}

/// Where rustc checks for overflow a part of a sum may fail that the sum does not. It is never another number.
#[test]
fn sums_of_which_parts_overflow() {
    let device = Device::cpu();
    for n in [64, 65, 256, 1000, 4096] {
        let x = Field::from_fn(&device, n, |[i]| match i {
            10 => 5,
            11 => 0,
            _ if i % 2 == 0 => 1 << 30,
            _ => -(1 << 30),
        });
        let exact = 5 + if n % 2 == 1 { 1 << 30 } else { 0 };
        match total(&x.unwrap()) {
            Ok(sum) => assert_eq!(sum, exact, "{n} elements"),
            Err(error) => assert!(error.to_string().contains("overflow"), "{error}"),
        }
        let each = (1 << 25) + 1;
        let x = Field::full(&device, n, each).unwrap();
        match total(&x) {
            Ok(sum) => assert_eq!(sum, each.wrapping_mul(n as i32), "{n} elements"),
            Err(error) => assert!(error.to_string().contains("overflow"), "{error}"),
        }
    }
}

#[kernel]
fn all_above(x: &Field<i32>) -> bool {
    let mut all = true;
    for i in x.indices() {
        all = all && 100 / x[i] > 3;
    }
    all
}

#[kernel]
fn any_above(x: &Field<i32>) -> bool {
    let mut any = false;
    for i in x.indices() {
        any = any || 100 / x[i] > 3;
    }
    any
}

/// A division that lanes come to and the text does not: it may be told, and the value is no other one.
#[test]
fn failures_behind_what_decides() {
    let device = Device::cpu();
    for n in [64, 65, 200, 1000] {
        for (decides, fails) in [(5, 6), (5, 9), (63, 3), (0, n - 1)] {
            let field = |one: i32, usual: i32| {
                let x = |[i]: [usize; 1]| match i {
                    _ if i == fails => 0,
                    _ if i == decides => one,
                    _ => usual,
                };
                Field::from_fn(&device, n, x).unwrap()
            };
            let told = fails < decides;
            match all_above(&field(1000, 1)) {
                Ok(all) => assert!(!all && !told, "{n} elements"),
                Err(error) => assert!(error.to_string().contains("zero"), "{error}"),
            }
            match any_above(&field(1, 1000)) {
                Ok(any) => assert!(any && !told, "{n} elements"),
                Err(error) => assert!(error.to_string().contains("zero"), "{error}"),
            }
        }
    }
}
