//! The command line.

use std::path::PathBuf;

use clap::{Parser, ValueEnum};
use swathe::Device;

use crate::Failure;
use crate::size::Size;
use crate::workload::Workload;
use crate::workloads::ALL;

/// Times whole workloads, each after its result was compared with a reference.
#[derive(Clone, Debug, Parser)]
pub struct Options {
    /// Where to compute
    #[arg(long, value_enum, default_value_t = Choice::Cpu)]
    pub device: Choice,

    /// Threads of the CPU; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Only these; `compile` stands for the first launches in a process
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    workloads: Vec<String>,

    /// How large the inputs are
    #[arg(long, value_enum, default_value_t = SizeName::Full)]
    size: SizeName,

    /// Write the results to this file, too
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,

    /// Measurements of each workload, of which the median counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,

    /// Measure the cost of one element for 2^8 to 2^26 of them, on 1 to N threads, and write FILE.json and the plot FILE.svg
    #[arg(long, value_name = "FILE")]
    pub scaling: Option<PathBuf>,

    /// All workloads at their small size, once: are the results right?
    #[arg(long)]
    pub smoke: bool,

    /// Time the first launch of a kernel in this process, and leave
    #[arg(long, value_enum, hide = true)]
    pub first_launch: Option<First>,
}

/// Devices that the command line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    Cpu,
    Cuda,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SizeName {
    Small,
    Full,
}

/// Kernels whose first launch is timed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum First {
    Nbody,
    Mpm2d,
}

/// A device that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    Cpu,
    Cuda,
}

impl Choice {
    /// The devices.
    ///
    /// # Errors
    /// What CUDA lacks, if it was asked for.
    pub fn open(self) -> swathe::Result<Vec<(Target, Device)>> {
        let mut targets = Vec::new();
        if self != Choice::Cuda {
            targets.push((Target::Cpu, Device::cpu()));
        }
        if self != Choice::Cpu {
            targets.push((Target::Cuda, Device::cuda(0)?));
        }
        Ok(targets)
    }
}

impl Options {
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    pub fn size(&self) -> Size {
        if self.smoke || self.size == SizeName::Small {
            Size::Small
        } else {
            Size::Full
        }
    }

    pub fn rounds(&self) -> usize {
        if self.smoke { 1 } else { usize::from(self.rounds) }
    }

    /// Are the first launches in a process asked for?
    pub fn first_launches(&self) -> bool {
        self.workloads.is_empty() || self.workloads.iter().any(|name| name == "compile")
    }

    /// The workloads, in the order of the list.
    ///
    /// # Errors
    /// [`Failure::NoWorkload`].
    pub fn chosen(&self) -> Result<Vec<&'static Workload>, Failure> {
        let known = |name: &String| name == "compile" || ALL.iter().any(|w| w.name == *name);
        if let Some(unknown) = self.workloads.iter().find(|name| !known(name)) {
            let names: Vec<&str> = ALL.iter().map(|w| w.name).chain(["compile"]).collect();
            return Err(Failure::NoWorkload(unknown.clone(), names.join(", ")));
        }
        let wanted = |w: &&Workload| self.workloads.is_empty() || self.workloads.iter().any(|name| name == w.name);
        Ok(ALL.iter().filter(wanted).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(line: &str) -> Options {
        Options::parse_from(format!("benches {line}").split_whitespace())
    }

    #[test]
    fn workloads_are_chosen_by_name() {
        let names = |line: &str| {
            options(line)
                .chosen()
                .unwrap()
                .iter()
                .map(|w| w.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("--workloads sum saxpy"), ["saxpy", "sum"]);
        assert_eq!(names("--workloads sum,compile --smoke"), ["sum"]);
        assert_eq!(names("").len(), ALL.len());
        assert!(!options("--workloads sum").first_launches());
        let unknown = options("--workloads summe").chosen().unwrap_err();
        assert!(
            unknown.to_string().contains("there is no workload `summe`; there are"),
            "{unknown}"
        );
    }
}
