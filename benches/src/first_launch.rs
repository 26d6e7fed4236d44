//! How long the first launch of a kernel takes in a fresh process, with an empty cache of compiled kernels and with
//! the one that the first process left. On the CPU nothing is compiled then: the threads start.

use std::process::Command;
use std::time::Instant;

use serde_json::{Value, json};
use swathe::Device;

use crate::Failure;
use crate::measure::median;
use crate::options::{Choice, First, Options, Target};
use crate::report::{Cell, rounded};
use crate::size::Size;
use crate::workload::Case;
use crate::workloads::{mpm2d, nbody};

/// Kernels, and the names of their results.
const NAMES: [(&str, &str, &str); 2] = [
    ("nbody", "compile_cold_nbody", "compile_warm_nbody"),
    ("mpm2d", "compile_cold_mpm2d", "compile_warm_mpm2d"),
];

/// In the fresh process: the times, as JSON. Inputs are small, so that the kernel's own work hardly counts.
///
/// # Errors
/// Of the device and of the kernel.
pub fn measure(kernel: First, choice: Choice) -> Result<Value, Failure> {
    let clock = Instant::now();
    let device = match choice {
        Choice::Cuda => Device::cuda(0)?,
        _ => Device::cpu(),
    };
    let init = clock.elapsed().as_secs_f64();
    let mut case: Box<dyn Case> = match kernel {
        First::Nbody => (nbody::WORKLOAD.make)(&device, Size::Small)?,
        First::Mpm2d => Box::new(mpm2d::one_step(&device)?),
    };
    let mut time = || -> Result<f64, Failure> {
        case.reset()?;
        device.synchronize()?;
        let clock = Instant::now();
        case.run()?;
        device.synchronize()?;
        Ok(clock.elapsed().as_secs_f64())
    };
    let first = time()?;
    let mut steady = (0..5).map(|_| time()).collect::<Result<Vec<f64>, Failure>>()?;
    steady.sort_by(f64::total_cmp);
    Ok(json!({ "import_init_s": init, "first_s": first, "steady_s": median(&steady) }))
}

/// Cold and warm first launches of all kernels.
pub fn cells(options: &Options, target: Target) -> Vec<(&'static str, Cell)> {
    let mut cells = Vec::new();
    for (kernel, cold, warm) in NAMES {
        match processes(options, target, kernel) {
            Ok([first, second]) => cells.extend([(cold, cell(&first)), (warm, cell(&second))]),
            Err(failure) => cells.extend([cold, warm].map(|name| (name, Cell::failed(&failure)))),
        }
    }
    cells
}

/// Results of processes with an empty cache, and of as many with the cache of the former.
fn processes(options: &Options, target: Target, kernel: &str) -> Result<[Vec<Value>; 2], Failure> {
    let mut results = [Vec::new(), Vec::new()];
    for _ in 0..if options.smoke { 1 } else { 7 } {
        let cache = tempfile::tempdir().map_err(|e| Failure::Process(e.to_string()))?;
        for result in &mut results {
            let mut command = Command::new(std::env::current_exe().map_err(|e| Failure::Process(e.to_string()))?);
            command.args(["--first-launch", kernel, "--threads", &options.threads().to_string()]);
            command.args(["--device", if target == Target::Cuda { "cuda" } else { "cpu" }]);
            // The driver has a cache of its own.
            command
                .env("SWATHE_CACHE_DIR", cache.path())
                .env("CUDA_CACHE_PATH", cache.path());
            let output = command.output().map_err(|e| Failure::Process(e.to_string()))?;
            let failure = || Failure::Process(String::from_utf8_lossy(&output.stderr).trim().to_owned());
            result.push(serde_json::from_slice(&output.stdout).map_err(|_| failure())?);
        }
    }
    Ok(results)
}

fn cell(processes: &[Value]) -> Cell {
    let sorted = |key: &str| {
        let mut times: Vec<f64> = processes.iter().filter_map(|process| process[key].as_f64()).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let first = sorted("first_s");
    Cell(json!({
        "median_s": median(&first), "min_s": first[0], "reps": first.len(),
        "metric": "first launch in a process", "unit": "ms", "value": rounded(median(&first) * 1e3), "valid": true,
        "steady_s": median(&sorted("steady_s")), "import_init_s": median(&sorted("import_init_s")),
    }))
}
