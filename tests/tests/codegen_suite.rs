//! NVRTC takes the CUDA C of every kernel of the suite without a warning.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use swathe_nvidia_tools::nvrtc::Nvrtc;
use swathe_tests::suite::TOPICS;

#[test]
fn every_kernel_compiles() {
    let mut failures = Vec::new();
    let mut kernels = Vec::new();
    for (topic, _, sources) in TOPICS {
        for (name, text) in sources() {
            match text {
                Ok(text) => kernels.push((format!("{topic}::{name}"), text)),
                Err(error) => failures.push(format!("{topic}::{name}: {error}")),
            }
        }
    }
    if let Some(nvrtc) = Nvrtc::get() {
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut failures = Vec::new();
            while let Some((k, (name, text))) = take(&kernels, &next) {
                // The architecture matters little, the width less: what is in 64 bits is not assembled.
                let (arch, assembled) = match name.ends_with("in 64 bits") {
                    true => ("compute_90", false),
                    false => (["sm_75", "sm_120"][k / 2 % 2], true),
                };
                let compiled = nvrtc.compile(text, arch, &[]);
                let failed = compiled.ptx.is_empty() || assembled && compiled.cubin.is_err();
                if failed || !compiled.log.is_empty() {
                    failures.push(format!("{name} on {arch}: {}\n{text}", compiled.log));
                }
            }
            failures
        };
        std::thread::scope(|scope| {
            let threads = std::thread::available_parallelism().map_or(1, usize::from);
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(worker)).collect();
            for worker in workers {
                failures.extend(worker.join().expect("NVRTC does not panic"));
            }
        });
    }
    assert!(
        failures.is_empty(),
        "{} failures\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn take<'a, T>(items: &'a [T], next: &AtomicUsize) -> Option<(usize, &'a T)> {
    let k = next.fetch_add(1, Relaxed);
    Some((k, items.get(k)?))
}
