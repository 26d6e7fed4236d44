//! Random kernels do the same in the interpreter, on the CPU with 1, 2 and 7 threads, and on a CUDA device.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use swathe::Device;
use swathe_fuzz::bench::{Agreement, compare, compile};
use swathe_fuzz::expression;
use swathe_fuzz::gradient::Compared;
use swathe_fuzz_kernels::{CASES, EXPRESSION_TEXT, EXPRESSIONS, GRADIENT_TEXT, GRADIENTS, TEXT};
use swathe_software_cuda::harness;

/// On the software device, or with `SWATHE_TEST_GPU` on a GPU; with `SWATHE_FUZZ_DEVICE=cpu` on the CPU alone.
fn cuda() -> Option<Device> {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    let wanted = std::env::var("SWATHE_FUZZ_DEVICE").as_deref() != Ok("cpu");
    wanted.then(|| Device::cuda(0).unwrap_or_else(|error| panic!("{error}")))
}

fn text(of: &str, first: usize, last: usize) -> String {
    let lines: Vec<&str> = of.lines().skip(first - 1).take(last + 1 - first).collect();
    lines.join("\n")
}

#[test]
fn every_kernel_does_the_same_everywhere() {
    let cuda = cuda();
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
        println!("seed {seed}: {what}\n{}", text(TEXT, *first, *last));
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

#[test]
fn expressions_are_what_they_are_step_by_step() {
    let devices: Vec<Device> = [Device::cpu()].into_iter().chain(cuda()).collect();
    let mut different = Vec::new();
    for (seed, case, first, last) in EXPRESSIONS {
        for device in &devices {
            let run = || case(&mut expression::Bench::new(device, *seed)).map_err(|error| error.to_string());
            let what = match catch_unwind(AssertUnwindSafe(run)) {
                Ok(Ok(())) => continue,
                // An operand is passed for each time that it stands in the expression.
                Ok(Err(what)) if what.contains("beyond its 128th argument") => continue,
                Ok(Err(what)) => what,
                Err(_) => "a panic".to_owned(),
            };
            println!(
                "seed {seed} on {device}: {what}\n{}",
                text(EXPRESSION_TEXT, *first, *last)
            );
            different.push(*seed);
        }
    }
    println!("{} expressions", EXPRESSIONS.len());
    assert!(
        different.is_empty(),
        "seeds {different:?}: `cargo xtask fuzz --expressions 1 --seed N --build NAME` repeats one"
    );
}

#[test]
fn derivatives_are_those_of_dual_numbers() {
    let devices: Vec<Device> = [Device::cpu()].into_iter().chain(cuda()).collect();
    let (mut different, mut compared) = (Vec::new(), 0);
    for (seed, case, first, last) in GRADIENTS {
        for device in &devices {
            let what = match catch_unwind(AssertUnwindSafe(|| case(device))) {
                Ok(Ok(result)) => {
                    compared += usize::from(result == Compared::Same);
                    continue;
                }
                Ok(Err(what)) => what,
                Err(_) => "a panic".to_owned(),
            };
            println!("seed {seed}: {what}\n{}", text(GRADIENT_TEXT, *first, *last));
            different.push(*seed);
        }
    }
    println!(
        "{} kernels with derivatives, {compared} times compared",
        GRADIENTS.len()
    );
    assert!(
        different.is_empty(),
        "seeds {different:?}: `cargo xtask fuzz --gradients 1 --seed N --build NAME` repeats one"
    );
    assert!(compared * 2 >= GRADIENTS.len(), "most cannot be compared");
}
