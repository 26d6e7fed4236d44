//! Timing one round of a workload.

use std::time::Instant;

use swathe::Device;

use crate::Failure;
use crate::check::Verdict;
use crate::options::Options;
use crate::workload::{Case, Workload};

/// What a round gave.
#[derive(Clone, Debug)]
pub struct Round {
    pub median: f64,
    pub min: f64,
    pub reps: usize,
    pub verdict: Verdict,
    /// Cores that other programs, or the hypervisor, took meanwhile, and cores that this one had.
    pub load: Option<Load>,
}

#[derive(Clone, Copy, Debug)]
pub struct Load {
    pub foreign: f64,
    pub own: f64,
}

/// Compares the result of the second run with the reference, then takes the times.
///
/// # Errors
/// Of the kernels.
pub fn round(
    workload: &Workload,
    case: &mut dyn Case,
    device: &Device,
    options: &Options,
    reference: &[Vec<f64>],
) -> Result<Round, Failure> {
    for _ in 0..2 {
        case.reset()?;
        case.run()?;
        device.synchronize()?;
    }
    let verdict = workload.tolerance.judge(&case.output()?, reference);
    let before = Usage::now();
    let mut times = match case.launches() {
        Some(count) => launches(case, device, if options.smoke { 20 } else { count }, options.smoke)?,
        None => repetitions(case, device, options.smoke)?,
    };
    let load = before.zip(Usage::now()).map(|(before, after)| after.since(&before));
    times.sort_by(f64::total_cmp);
    Ok(Round {
        median: median(&times),
        min: times[0],
        reps: times.len(),
        verdict,
        load,
    })
}

/// The median of sorted numbers.
pub fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0
}

/// Seconds of whole runs.
fn repetitions(case: &mut dyn Case, device: &Device, smoke: bool) -> swathe::Result<Vec<f64>> {
    case.reset()?;
    device.synchronize()?;
    let clock = Instant::now();
    case.run()?;
    device.synchronize()?;
    let once = clock.elapsed().as_secs_f64().max(1e-8);
    if smoke {
        return Ok(vec![once]);
    }
    // A short kernel on a GPU would be hidden behind the latency of the launch and of the wait, one on a CPU behind the clock's.
    let least = if device.is_cpu() { 2e-5 } else { 0.02 };
    let batch = match case.reset_each() {
        true => 1,
        false => (least / once).clamp(1.0, 1000.0) as usize,
    };
    let count = (1.5 / (once * batch as f64)).clamp(7.0, 40.0) as usize;
    let mut times = Vec::new();
    for _ in 0..count {
        if case.reset_each() {
            case.reset()?;
            device.synchronize()?;
        }
        let clock = Instant::now();
        for _ in 0..batch {
            case.run()?;
        }
        device.synchronize()?;
        times.push(clock.elapsed().as_secs_f64() / batch as f64);
    }
    Ok(times)
}

/// Seconds of single launches; the device is waited for after each batch of them.
fn launches(case: &mut dyn Case, device: &Device, count: usize, smoke: bool) -> swathe::Result<Vec<f64>> {
    for _ in 0..count.min(1000) {
        case.run()?;
    }
    device.synchronize()?;
    let batches = if smoke { 1 } else { 7 };
    let mut times = Vec::with_capacity(batches * count);
    for _ in 0..batches {
        for _ in 0..count {
            let clock = Instant::now();
            case.run()?;
            times.push(clock.elapsed().as_secs_f64());
        }
        device.synchronize()?;
    }
    Ok(times)
}

/// Processor time since the start, as Linux counts it.
struct Usage {
    at: Instant,
    own: f64,
    all: f64,
}

/// `sysconf(_SC_CLK_TCK)`: 100 on every Linux that Rust runs on.
const TICKS: f64 = 100.0;

impl Usage {
    fn now() -> Option<Usage> {
        let numbers = |text: &str| -> Vec<f64> { text.split_whitespace().filter_map(|w| w.parse().ok()).collect() };
        let machine = std::fs::read_to_string("/proc/stat").ok()?;
        let machine = numbers(machine.lines().next()?);
        let process = std::fs::read_to_string("/proc/self/stat").ok()?;
        // The name in parentheses may hold anything; the state's letter after it is no number.
        let process = numbers(process.rsplit_once(')')?.1);
        // user, nice, system, irq, softirq and steal; utime and stime.
        let busy = [0, 1, 2, 5, 6, 7].iter().filter_map(|k| machine.get(*k)).sum::<f64>();
        Some(Usage {
            at: Instant::now(),
            own: (process.get(10)? + process.get(11)?) / TICKS,
            all: busy / TICKS,
        })
    }

    fn since(&self, before: &Usage) -> Load {
        let wall = (self.at - before.at).as_secs_f64().max(1e-9);
        let own = self.own - before.own;
        Load {
            foreign: ((self.all - before.all - own) / wall).max(0.0),
            own: own / wall,
        }
    }
}
