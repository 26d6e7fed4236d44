//! Times whole workloads on the CPU and on CUDA, after their results were compared with a reference in `f64`.

mod bytes;
mod check;
mod first_launch;
mod input;
pub mod kernels;
mod measure;
mod options;
mod plot;
mod report;
mod scaling;
mod size;
mod workload;
mod workloads;

use std::process::ExitCode;

use clap::Parser;
use swathe::Device;

use options::{Options, Target};
use report::{Cell, Report};
use workload::Workload;

/// Why there are no numbers.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Swathe(#[from] swathe::Error),
    #[error("the input `{input}` of {workload} has the CRC-32 {got:08x}, expected {expected:08x}")]
    Input {
        workload: &'static str,
        input: &'static str,
        expected: u32,
        got: u32,
    },
    #[error("there is no workload `{0}`; there are {1}")]
    NoWorkload(String, String),
    #[error("cannot write {0}: {1}")]
    Write(String, std::io::Error),
    #[error("cannot draw {0}: {1}")]
    Plot(String, String),
    #[error("cannot start a process for a first launch: {0}")]
    Process(String),
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, rayon::ThreadPoolBuildError),
}

/// The program: runs what its arguments say.
pub fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Whether every result was valid.
fn run(options: &Options) -> Result<bool, Failure> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads())
        .build_global()
        .map_err(|e| Failure::Threads(options.threads(), e))?;
    if let Some(kernel) = options.first_launch {
        println!("{}", first_launch::measure(kernel, options.device)?);
        return Ok(true);
    }
    if let Some(file) = &options.scaling {
        return scaling::run(options, file, if options.smoke { 10 } else { 26 });
    }
    let targets = options.device.open()?;
    let chosen = options.chosen()?;
    let mut report = Report::new(options, &targets);
    for workload in &chosen {
        let mut reference = None;
        for (target, device) in &targets {
            let reference = reference.get_or_insert_with(|| (workload.reference)(options.size()));
            let cell = measured(workload, device, options, reference);
            report.add(workload.name, *target, cell);
        }
    }
    if options.first_launches() {
        for (target, _) in &targets {
            for (name, cell) in first_launch::cells(options, *target) {
                report.add(name, *target, cell);
            }
        }
    }
    report.finish()?;
    Ok(report.valid())
}

/// A workload on a device: all rounds, or why there are none.
fn measured(workload: &Workload, device: &Device, options: &Options, reference: &[Vec<f64>]) -> Cell {
    let rounds: Result<Vec<_>, Failure> = (0..options.rounds())
        .map(|_| {
            let mut case = (workload.make)(device, options.size())?;
            measure::round(workload, case.as_mut(), device, options, reference)
        })
        .collect();
    match rounds {
        Ok(rounds) => Cell::merged(workload, (workload.work)(options.size()), rounds),
        Err(failure) => Cell::failed(&failure),
    }
}

/// The names under which devices stand in a report.
impl Target {
    fn peer(self) -> &'static str {
        match self {
            Target::Cpu => "swathe",
            Target::Cuda => "swathe_cuda",
        }
    }
}
