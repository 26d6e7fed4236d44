//! Random kernels do the same in the interpreter, on the CPU with 1, 2 and 7 threads, and on a CUDA device.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use swathe::Device;
use swathe_fuzz::bench::compare;
use swathe_fuzz_kernels::{CASES, TEXT};
use swathe_software_cuda::harness;

fn text(first: usize, last: usize) -> String {
    TEXT.lines()
        .skip(first - 1)
        .take(last + 1 - first)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn every_kernel_does_the_same_everywhere() {
    harness::enter();
    let cuda = Device::cuda(0).unwrap_or_else(|error| panic!("{error}"));
    let (next, failing, different) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((seed, case, first, last)) = CASES.get(next.fetch_add(1, Relaxed)) {
            let what = match catch_unwind(AssertUnwindSafe(|| compare(*case, *seed, Some(&cuda)))) {
                Ok(Ok(fails)) => {
                    failing.fetch_add(usize::from(fails), Relaxed);
                    continue;
                }
                Ok(Err(what)) => what,
                Err(_) => "a panic".to_owned(),
            };
            println!("seed {seed}: {what}\n{}", text(*first, *last));
            different.lock().unwrap().push(*seed);
        }
    };
    // Most of the time goes to the compiler of the software device.
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        (0..threads).for_each(|_| drop(scope.spawn(work)));
    });
    println!(
        "{} kernels, of which {} report an access out of bounds",
        CASES.len(),
        failing.into_inner()
    );
    let different = different.into_inner().unwrap();
    assert!(
        different.is_empty(),
        "different: seeds {different:?}; `cargo xtask fuzz --seed N --kernels 1` repeats one"
    );
}
