//! Times kernels in the forms that people write, beside Rust by hand: none may be much slower than the best.

// Kernels say things in the ways that they have.
#![allow(
    clippy::assign_op_pattern,
    clippy::implicit_saturating_sub,
    clippy::manual_clamp,
    clippy::manual_div_ceil,
    clippy::manual_is_multiple_of,
    clippy::manual_memcpy,
    clippy::manual_range_contains,
    clippy::manual_rotate,
    clippy::manual_swap,
    clippy::needless_range_loop,
    clippy::nonminimal_bool,
    clippy::reversed_empty_ranges,
    clippy::too_many_arguments,
    clippy::type_complexity
)]

mod data;
#[macro_use]
mod hand;
mod idiom;
mod idioms;
mod measure;
mod options;
mod table;

use std::process::ExitCode;

use clap::Parser;

use options::Options;
use table::Table;

/// Why there are no numbers.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Swathe(#[from] swathe::Error),
    #[error("{idiom}, {form}: {what}")]
    Wrong {
        idiom: &'static str,
        form: &'static str,
        what: String,
    },
    #[error("no idiom has `{0}` in its name")]
    NoIdiom(String),
    #[error("cannot write {0}: {1}")]
    Write(String, std::io::Error),
    #[error("cannot start {0} threads: {1}")]
    Threads(usize, rayon::ThreadPoolBuildError),
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), Failure> {
    let threads = options.threads();
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .map_err(|e| Failure::Threads(threads, e))?;
    let mut table = Table::new(options);
    for idiom in options.chosen()? {
        match idiom.measure(options) {
            Ok(times) => table.add(idiom.as_ref(), &times, options),
            Err(failure) => table.failed(&failure),
        }
    }
    table.finish(options)
}
