//! Kernels of the runtime's own on a GPU: they come as PTX, and need no NVRTC.

use std::collections::HashMap;
use std::ffi::{CString, c_void};
use std::ptr::NonNull;
use std::sync::Mutex;

use cudarc::driver::result;
use cudarc::driver::sys::{CUfunction, CUmodule};
use swathe_device_kernels::launch::THREADS;
use swathe_device_kernels::{Entry, Launch, ptx};

use super::device::{CudaDevice, lock};
use super::order::Access;
use crate::error::Result;

/// What is loaded: modules by family, functions by that and by name.
#[derive(Default)]
pub(super) struct Builtins(Mutex<Loaded>);

#[derive(Default)]
struct Loaded {
    modules: HashMap<&'static str, CUmodule>,
    functions: HashMap<(&'static str, &'static str), Function>,
}

// SAFETY: handles of the driver, which every thread may use.
unsafe impl Send for Loaded {}

#[derive(Clone, Copy)]
struct Function {
    handle: CUfunction,
    /// Blocks that the device runs at once.
    resident: u32,
}

impl CudaDevice {
    /// Queues kernels one after the other.
    ///
    /// # Safety
    /// As for `Backend::run`.
    pub(super) unsafe fn run_builtin(&self, launches: &[Launch], uses: &[(NonNull<u8>, bool)]) -> Result<()> {
        if launches.is_empty() {
            return Ok(());
        }
        self.bind()?;
        let functions: Vec<Function> = launches
            .iter()
            .map(|launch| self.builtin(launch.entry))
            .collect::<Result<_>>()?;
        let uses = uses.iter().map(|(at, written)| {
            let access = if *written { Access::Write } else { Access::Read };
            (at.as_ptr().addr() as u64, access)
        });
        let stream = self.ordered(uses)?;
        for (launch, function) in launches.iter().zip(functions) {
            let grid = (launch.grid(function.resident), 1, 1);
            let mut pointers: Vec<*mut c_void> = launch.args.pointers().map(|(at, _)| at.cast_mut().cast()).collect();
            // SAFETY: by the caller's word; the driver copies the arguments, which are those of the entry, before it returns.
            unsafe {
                result::launch_kernel(
                    function.handle,
                    grid,
                    (THREADS, 1, 1),
                    launch.shared,
                    stream.handle,
                    &mut pointers,
                )
            }
            .map_err(|error| self.failed("cuLaunchKernel", error))?;
        }
        Ok(())
    }

    /// The function of an entry; the context is current.
    fn builtin(&self, entry: &'static Entry) -> Result<Function> {
        let mut loaded = lock(&self.builtins.0);
        if let Some(function) = loaded.functions.get(&(entry.family, entry.name)) {
            return Ok(*function);
        }
        let module = match loaded.modules.get(entry.family) {
            Some(module) => *module,
            None => {
                let text = CString::new(ptx::text(entry.family)).unwrap_or_default();
                // SAFETY: PTX that ends with a zero.
                let module = unsafe { result::module::load_data(text.as_ptr().cast()) }
                    .map_err(|error| self.failed("cuModuleLoadData", error))?;
                loaded.modules.insert(entry.family, module);
                module
            }
        };
        let name = CString::new(entry.name).unwrap_or_default();
        // SAFETY: the module is never unloaded.
        let handle = unsafe { result::module::get_function(module, name) }
            .map_err(|error| self.failed("cuModuleGetFunction", error))?;
        let threads = i32::try_from(THREADS).unwrap_or(1);
        // SAFETY: the function is alive.
        let blocks = unsafe { result::occupancy::max_active_block_per_multiprocessor(handle, threads, 0) }
            .map_err(|error| self.failed("cuOccupancyMaxActiveBlocksPerMultiprocessor", error))?;
        let function = Function {
            handle,
            resident: u32::try_from(blocks).unwrap_or(1).max(1) * self.processors,
        };
        loaded.functions.insert((entry.family, entry.name), function);
        Ok(function)
    }
}
