//! A loaded module, of one of two kinds, and its kernels.

use std::ffi::{CStr, c_uint};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::error::Result;
use crate::image::Image;
use crate::library::{Library, Parameter, Row};
use crate::ptx::{Entry, Ptx};

#[derive(Debug)]
pub(crate) struct Module {
    code: Code,
    pub unloaded: AtomicBool,
}

#[derive(Debug)]
enum Code {
    Library(Arc<Library>),
    Ptx(Ptx),
}

/// A kernel, which keeps its code.
#[derive(Clone, Debug)]
pub(crate) enum Kernel {
    Row(Arc<Library>, Row),
    Entry(Arc<Entry>),
}

impl Module {
    pub(crate) fn load(image: Image) -> Result<Module> {
        let code = match image {
            Image::Built(built) => Code::Library(Arc::new(Library::load(&built)?)),
            Image::Ptx(module) => Code::Ptx(Ptx::new(module)?),
        };
        let unloaded = AtomicBool::new(false);
        Ok(Module { code, unloaded })
    }

    /// Bytes of `__shared__` variables of all kernels together.
    pub(crate) fn shared(&self) -> usize {
        match &self.code {
            Code::Library(library) => library.shared(),
            Code::Ptx(ptx) => ptx.shared(),
        }
    }

    /// Number of kernels.
    pub(crate) fn kernels(&self) -> usize {
        match &self.code {
            Code::Library(library) => library.kernels.len(),
            Code::Ptx(ptx) => ptx.entries.len(),
        }
    }

    /// The kernel that is exported under a name.
    pub(crate) fn kernel(&self, name: &CStr) -> Option<Kernel> {
        match &self.code {
            Code::Library(library) => Some(Kernel::Row(Arc::clone(library), library.kernel(name)?)),
            Code::Ptx(ptx) => ptx.entry(name).map(Kernel::Entry),
        }
    }

    /// Address and size of a variable.
    pub(crate) fn global(&self, name: &CStr) -> Option<(usize, usize)> {
        match &self.code {
            Code::Library(library) => library.global(name),
            Code::Ptx(ptx) => ptx.global(name),
        }
    }
}

impl Kernel {
    pub(crate) fn c_name(&self) -> &CStr {
        match self {
            Kernel::Row(_, row) => row.name(),
            Kernel::Entry(entry) => &entry.name,
        }
    }

    pub(crate) fn name(&self) -> String {
        self.c_name().to_string_lossy().into_owned()
    }

    pub(crate) fn parameters(&self) -> &[Parameter] {
        match self {
            Kernel::Row(_, row) => row.parameters(),
            Kernel::Entry(entry) => &entry.parameters,
        }
    }

    /// Where each parameter starts, if all lie in one buffer.
    pub(crate) fn offsets(&self) -> Vec<usize> {
        match self {
            Kernel::Row(_, row) => row.offsets(),
            Kernel::Entry(entry) => entry.offsets.clone(),
        }
    }

    /// Of `__launch_bounds__`; 0 without.
    pub(crate) fn bounds(&self) -> c_uint {
        match self {
            Kernel::Row(_, row) => row.bounds,
            Kernel::Entry(entry) => entry.bounds,
        }
    }
}
