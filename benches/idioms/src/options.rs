//! The command line.

use std::path::PathBuf;

use clap::Parser;

use crate::Failure;
use crate::data::Size;
use crate::idiom::Measured;
use crate::idioms;

/// Times kernels in the forms that people write, each after its result was compared with that of Rust by hand.
#[derive(Clone, Debug, Parser)]
pub struct Options {
    /// Threads; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    threads: Option<u16>,

    /// Only idioms with this in their name
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',')]
    only: Vec<String>,

    /// Arrays larger than the caches
    #[arg(long)]
    large: bool,

    /// Seconds for each idiom, at least
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub seconds: f64,

    /// Write the table to this file, too
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,

    /// Print how forms over a limit run, too: `kernel::plan()`
    #[arg(long)]
    pub plans: bool,

    /// Only compare the results
    #[arg(long)]
    pub check: bool,
}

impl Options {
    pub fn threads(&self) -> usize {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }

    pub fn size(&self) -> Size {
        if self.large { Size::Large } else { Size::Usual }
    }

    /// The idioms, in the order of the list.
    ///
    /// # Errors
    /// [`Failure::NoIdiom`].
    pub fn chosen(&self) -> Result<Vec<Box<dyn Measured>>, Failure> {
        let mut all = idioms::all();
        if let Some(none) = self
            .only
            .iter()
            .find(|only| !all.iter().any(|i| i.name().contains(*only)))
        {
            return Err(Failure::NoIdiom(none.clone()));
        }
        all.retain(|i| self.only.is_empty() || self.only.iter().any(|only| i.name().contains(only)));
        Ok(all)
    }
}
