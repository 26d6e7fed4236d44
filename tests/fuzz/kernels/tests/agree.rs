//! Random kernels do the same in the interpreter, on the CPU with 1, 2 and 7 threads, and on a CUDA device.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use swathe::Device;
use swathe_fuzz::bench::{Agreement, compare, compile};
use swathe_fuzz_kernels::{CASES, TEXT};
use swathe_software_cuda::harness;

fn text(first: usize, last: usize) -> String {
    let lines: Vec<&str> = TEXT.lines().skip(first - 1).take(last + 1 - first).collect();
    lines.join("\n")
}

#[test]
fn every_kernel_does_the_same_everywhere() {
    harness::enter();
    let on_device = std::env::var("SWATHE_FUZZ_DEVICE").as_deref() != Ok("cpu");
    let cuda = on_device.then(|| Device::cuda(0).unwrap_or_else(|error| panic!("{error}")));
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let (Some(cuda), Some((_, case, ..))) = (&cuda, CASES.get(next.fetch_add(1, Relaxed))) {
                    compile(*case, cuda);
                }
            });
        }
    });
    let (mut different, mut agreed) = (Vec::new(), Vec::new());
    for (seed, case, first, last) in CASES {
        let what = match catch_unwind(AssertUnwindSafe(|| compare(*case, *seed, cuda.as_ref()))) {
            Ok(Ok(agreement)) => {
                agreed.push(agreement);
                continue;
            }
            Ok(Err(what)) => what,
            Err(_) => "a panic".to_owned(),
        };
        println!("seed {seed}: {what}\n{}", text(*first, *last));
        different.push(*seed);
    }
    let count = CASES.len();
    let of = |kind| agreed.iter().filter(|other| **other == kind).count();
    println!(
        "{count} kernels: {} run, {} fail, {} fail in lanes, {} differ",
        of(Agreement::Runs),
        of(Agreement::Fails),
        of(Agreement::FailsInLanes),
        different.len()
    );
    assert!(
        different.is_empty(),
        "seeds {different:?}: `cargo xtask fuzz --seed N --kernels 1 --build NAME` repeats one"
    );
}
