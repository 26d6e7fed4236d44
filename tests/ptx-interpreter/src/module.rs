//! A module: functions and variables.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

use crate::instruction::{Instruction, Op, Path};
use crate::launch::{Grid, Launch};
use crate::operand::{Slot, Special};
use crate::parse;
use crate::regions::{Region, Regions};

/// A module: its entries by name.
#[derive(Debug, Default)]
pub struct Module {
    pub(crate) target: Option<u32>,
    /// Of PTX.
    pub(crate) version: Option<(u32, u32)>,
    pub(crate) joinable: Option<usize>,
    pub(crate) functions: Vec<Function>,
    pub(crate) entries: HashMap<String, usize>,
    pub(crate) globals: Vec<Global>,
    /// Bytes of shared variables.
    pub(crate) shared: usize,
    /// Bytes of local memory, of all functions.
    pub(crate) local: usize,
}

/// An entry, or a function that is called.
#[derive(Debug, Default)]
pub(crate) struct Function {
    pub is_entry: bool,
    pub params: Vec<Parameter>,
    pub result: Option<Parameter>,
    /// Bytes of all parameters, and of those of one call.
    pub parameter_bytes: usize,
    /// Registers and constants as they are at first, and kept.
    pub slots: Vec<u64>,
    pub specials: Vec<(Slot, Special)>,
    /// Constants that are the start of dynamic shared memory.
    pub dynamic: Vec<Slot>,
    pub joinable: Option<usize>,
    /// Where its variables lie in local memory.
    pub local: Range<usize>,
    /// Threads of a block, at most.
    pub bounds: Option<u32>,
    pub code: Vec<Instruction>,
}

/// A parameter of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Where it starts among all of them, in bytes.
    pub offset: usize,
    /// Its bytes.
    pub size: usize,
}

/// A variable in global or constant memory.
#[derive(Debug)]
pub(crate) struct Global {
    name: String,
    cells: Box<[Cell]>,
    bytes: usize,
    writable: bool,
}

/// As far as a vector needs to be aligned.
#[repr(align(16))]
#[derive(Debug)]
struct Cell(#[expect(dead_code, reason = "reached by its address")] [AtomicU64; 2]);

impl Global {
    /// `None` if it has no bytes.
    pub fn new(name: &str, init: &[u8], bytes: usize, writable: bool) -> Option<Global> {
        let mut all = init.to_vec();
        all.resize(bytes.next_multiple_of(16), 0);
        let word = |bytes: &[u8]| {
            let bytes = bytes.first_chunk().copied().unwrap_or_default();
            AtomicU64::new(u64::from_le_bytes(bytes))
        };
        let cells = all
            .chunks(16)
            .map(|cell| Cell([word(cell), word(&cell[8..])]))
            .collect();
        (bytes > 0).then_some(Global {
            name: name.to_owned(),
            cells,
            bytes,
            writable,
        })
    }

    pub fn address(&self) -> u64 {
        self.cells.as_ptr().expose_provenance() as u64
    }

    pub fn region(&self) -> Region {
        Region {
            start: self.address(),
            bytes: self.bytes as u64,
            writable: self.writable,
        }
    }
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

    /// The first line with a product, sum or difference of floats that says no rounding, so that an assembler may join two of
    /// them and round once.
    #[must_use]
    pub fn joinable(&self) -> Option<usize> {
        self.joinable
    }

    /// Names of the entries.
    pub fn entries(&self) -> impl Iterator<Item = &str> {
        self.entries.keys().map(String::as_str)
    }

    /// An entry's parameters.
    #[must_use]
    pub fn parameters(&self, entry: &str) -> Option<&[Parameter]> {
        self.function(entry).map(|entry| entry.params.as_slice())
    }

    /// Threads of a block that an entry takes at most, if it says so.
    #[must_use]
    pub fn bounds(&self, entry: &str) -> Option<u32> {
        self.function(entry)?.bounds
    }

    /// Bytes of shared memory that is not dynamic.
    #[must_use]
    pub fn shared(&self) -> usize {
        self.shared
    }

    /// Address and bytes of a variable in global memory.
    #[must_use]
    pub fn global(&self, name: &str) -> Option<(u64, usize)> {
        let global = self.globals.iter().find(|global| global.name == name)?;
        Some((global.address(), global.bytes))
    }

    pub(crate) fn reads_constants(&self) -> bool {
        let reads = |op: &Op| matches!(op, Op::Load(access, _) if access.path == Path::Constant);
        let code = self.functions.iter().flat_map(|function| &function.code);
        code.into_iter().any(|instruction| reads(&instruction.op))
    }

    pub(crate) fn function(&self, entry: &str) -> Option<&Function> {
        self.entries.get(entry).map(|&k| &self.functions[k])
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
        let number = *self.entries.get(entry).ok_or_else(|| format!("no entry `{entry}`"))?;
        Launch::new(self, number, grid, args, regions)
    }
}
