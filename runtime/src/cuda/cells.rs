//! Memory in which a launch notes what iterations do with the elements of fields.

use super::device::CudaDevice;
use super::graph;
use super::module::Kernel;
use super::order::Access;
use crate::device::argument::{ArgKind, LaunchArg};
use crate::error::{Error, Result};

/// The cells of all fields of one launch. When dropped they are freed, once the work that uses them is done.
pub(super) struct Cells<'a> {
    device: &'a CudaDevice,
    /// 0 if there are none.
    pub at: u64,
    pub bytes: usize,
    /// Parameters, and where their cells start.
    starts: Vec<(usize, usize)>,
}

impl<'a> Cells<'a> {
    /// For a launch with these arguments; the context is current.
    pub fn new(device: &'a CudaDevice, kernel: &Kernel, args: &[LaunchArg<'_>]) -> Result<Cells<'a>> {
        let mut cells = Cells {
            device,
            at: 0,
            bytes: 0,
            starts: Vec::new(),
        };
        if kernel.cells.is_empty() {
            return Ok(cells);
        }
        graph::refuse(
            device,
            &format!("kernel `{}`, whose `unsafe` blocks are verified,", kernel.info.name),
            "what is noted of a launch lasts as long as the launch",
        )?;
        for layout in &kernel.cells {
            let elements = match args[layout.param].0 {
                ArgKind::Field { shape, .. } => shape.iter().product::<usize>(),
                ArgKind::Host(_) | ArgKind::Value(..) => 0,
            };
            cells.starts.push((layout.param, cells.bytes));
            let bytes = (layout.places * layout.slots * size_of::<u64>()).checked_mul(elements);
            cells.bytes = bytes
                .and_then(|bytes| bytes.checked_add(cells.bytes))
                .ok_or_else(|| Error::OutOfMemory {
                    bytes: usize::MAX,
                    place: device.label.clone(),
                })?;
        }
        if cells.bytes > 0 {
            cells.at = device.alloc_bytes(cells.bytes)?;
        }
        Ok(cells)
    }

    /// Address of a field's cells.
    pub fn of(&self, param: usize) -> u64 {
        let start = self.starts.iter().find(|(k, _)| *k == param);
        start.map_or(0, |(_, start)| self.at + *start as u64)
    }

    /// What a launch does with them.
    pub fn uses(&self) -> impl Iterator<Item = (u64, Access)> + Clone {
        (self.at != 0).then_some((self.at, Access::Write)).into_iter()
    }
}

impl Drop for Cells<'_> {
    fn drop(&mut self) {
        if self.at != 0 {
            self.device.free_bytes(self.at);
        }
    }
}
