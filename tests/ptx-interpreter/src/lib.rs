//! An interpreter of PTX, for the part of it that rustc emits for the device kernels. What it does not know is an error, never a
//! guess.
//!
//! Addresses are those of this process. Every access has to lie inside of one of the regions that the caller names, and to be
//! aligned. Threads of a block run one after the other up to the next barrier, and shared memory remembers who accessed
//! what since the last one: what another order of threads could change is an error.

mod arithmetic;
mod block;
mod convert;
mod error;
mod instruction;
mod launch;
mod memory;
mod operand;
mod parse;
mod regions;

use std::collections::HashMap;

pub use error::{Cause, Error};
pub use launch::{Grid, Launch};
pub use regions::{Region, Regions};

use instruction::Instruction;

/// A module: its entries by name.
#[derive(Debug)]
pub struct Module {
    target: Option<u32>,
    entries: HashMap<String, Entry>,
}

/// An entry point.
#[derive(Debug)]
struct Entry {
    params: Vec<Parameter>,
    registers: usize,
    code: Vec<Instruction>,
}

/// A parameter of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Where it starts among all of them, in bytes.
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
}

impl Module {
    /// Reads a module.
    ///
    /// # Errors
    /// The line that is not understood.
    pub fn parse(text: &str) -> Result<Module, String> {
        parse::module(text)
    }

    /// The least compute capability that the module is for: 70 for `sm_70`.
    #[must_use]
    pub fn target(&self) -> Option<u32> {
        self.target
    }

    /// Names of the entries.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// An entry's parameters.
    #[must_use]
    pub fn parameters(&self, entry: &str) -> Option<&[Parameter]> {
        self.entries.get(entry).map(|entry| entry.params.as_slice())
    }

    /// An entry with its arguments, ready to run.
    ///
    /// # Errors
    /// There is no such entry, or it takes arguments of other sizes.
    pub fn launch<'a>(
        &'a self,
        entry: &str,
        grid: Grid,
        args: &[&[u8]],
        regions: &'a Regions,
    ) -> Result<Launch<'a>, String> {
        let entry = self.entries.get(entry).ok_or_else(|| format!("no entry `{entry}`"))?;
        Launch::new(entry, grid, args, regions)
    }
}
