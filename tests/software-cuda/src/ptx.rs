//! Real PTX, of rustc and NVRTC, which an interpreter runs.

use std::ffi::{CStr, CString};
use std::sync::Arc;

use swathe_ptx_interpreter::{Cause, Error, Grid, Launch, Module, Regions};

use crate::block::Fault;
use crate::error::{Code, Result};
use crate::library::Parameter;

#[derive(Debug)]
pub(crate) struct Ptx {
    module: Arc<Module>,
    pub entries: Vec<Arc<Entry>>,
}

/// An entry point.
#[derive(Debug)]
pub(crate) struct Entry {
    module: Arc<Module>,
    pub name: CString,
    pub parameters: Vec<Parameter>,
    pub offsets: Vec<usize>,
    /// Threads of a block, at most; 0 if it says nothing.
    pub bounds: u32,
}

impl Ptx {
    pub(crate) fn new(module: Module) -> Result<Ptx> {
        let module = Arc::new(module);
        let entry = |name: &str| {
            let parameters = module.parameters(name).unwrap_or_default();
            Ok(Arc::new(Entry {
                module: Arc::clone(&module),
                name: CString::new(name).map_err(|_| Code::INVALID_PTX)?,
                // What is accessed is checked, so that nobody has to know which of them are pointers.
                parameters: parameters
                    .iter()
                    .map(|parameter| Parameter {
                        size: parameter.size as u32,
                        pointer: 0,
                    })
                    .collect(),
                bounds: module.bounds(name).unwrap_or(0),
                offsets: parameters.iter().map(|parameter| parameter.offset).collect(),
            }))
        };
        let entries: Vec<Arc<Entry>> = module.entries().map(entry).collect::<Result<_>>()?;
        Ok(Ptx { module, entries })
    }

    /// Bytes of shared variables.
    pub(crate) fn shared(&self) -> usize {
        self.module.shared()
    }

    /// Address and size of a variable in global memory.
    pub(crate) fn global(&self, name: &CStr) -> Option<(usize, usize)> {
        let (address, bytes) = self.module.global(name.to_str().ok()?)?;
        Some((address as usize, bytes))
    }

    pub(crate) fn entry(&self, name: &CStr) -> Option<Arc<Entry>> {
        self.entries.iter().find(|entry| *entry.name == *name).cloned()
    }
}

impl Entry {
    pub(crate) fn launch<'a>(
        &'a self,
        grid: Grid,
        arguments: &[&[u8]],
        regions: &'a Regions,
    ) -> std::result::Result<Launch<'a>, Fault> {
        let launch = self
            .module
            .launch(&self.name.to_string_lossy(), grid, arguments, regions);
        launch.map_err(|text| Fault::from(Error::from(text)))
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let (code, address) = match error.cause {
            Cause::Outside(address) => (Code::ILLEGAL_ADDRESS, Some(address as usize)),
            Cause::Misaligned(_) => (Code::MISALIGNED_ADDRESS, None),
            Cause::Other => (Code::LAUNCH_FAILED, None),
        };
        let text = error.text;
        Fault { code, address, text }
    }
}
