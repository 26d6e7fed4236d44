//! The kernels of a device: each is compiled and loaded once.

use std::any::TypeId;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{CUmodule, CUresult};

use super::compile::{self, For, Image, Trust};
use super::device::{CudaDevice, lock};
use super::driver::Driver;
use super::module::Kernel;
use super::notices::Notices;
use super::nvrtc::Nvrtc;
use crate::codegen::{self, Variant};
use crate::device::KernelRef;
use crate::error::CudaError;
use crate::error::{Error, Result};

#[derive(Default)]
pub(super) struct Kernels {
    ready: RwLock<HashMap<Key, &'static Kernel, BuildHasherDefault<KeyHasher>>>,
    /// One mutex for each kernel that is being compiled, so that different ones are compiled at the same time.
    compiling: Mutex<HashMap<Key, Arc<Mutex<()>>>>,
}

/// A kernel and one of its codes.
type Key = (TypeId, Variant);

/// A `TypeId` is a hash already, of which the variants of a kernel are neighbours.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0 = self.0.rotate_left(5) ^ u64::from_ne_bytes(word);
        }
    }
}

impl Kernels {
    fn find(&self, key: Key) -> Option<&'static Kernel> {
        self.ready
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
            .copied()
    }
}

impl CudaDevice {
    /// The loaded kernel; `reason` says why it is needed.
    pub(super) fn kernel(&self, kernel: &KernelRef, variant: Variant, reason: &str) -> Result<&'static Kernel> {
        let key = (kernel.key, variant);
        if let Some(ready) = self.kernels.find(key) {
            return Ok(ready);
        }
        // Whoever is told that it is found may launch kernels.
        let _ = Nvrtc::get();
        let turn = Arc::clone(lock(&self.kernels.compiling).entry(key).or_default());
        let turn = lock(&turn);
        if let Some(ready) = self.kernels.find(key) {
            return Ok(ready);
        }
        let mut notices = Notices::default();
        let made = self.make(kernel, variant, reason, &mut notices);
        if let Ok(made) = made {
            let ready = &self.kernels.ready;
            ready.write().unwrap_or_else(PoisonError::into_inner).insert(key, made);
        }
        // Those who wait have the mutex; whoever comes later finds the kernel, or tries anew.
        lock(&self.kernels.compiling).remove(&key);
        drop(turn);
        notices.log();
        made
    }

    fn make(
        &self,
        kernel: &KernelRef,
        variant: Variant,
        reason: &str,
        notices: &mut Notices,
    ) -> Result<&'static Kernel> {
        let instance = (kernel.load)();
        let source = codegen::cuda_source(&instance, variant)?;
        let device = For {
            label: &self.label,
            capability: self.capability,
        };
        let image = compile::image(device, kernel.info, &source.text, Trust::Cache, reason, notices)?;
        self.bind()?;
        let module = match (load(&image.bytes), &image.cached) {
            (Err(error), Some((cache, key))) => {
                notices.add(log::Level::Warn, || self.not_loaded(&image, error).to_string());
                cache.discard(key);
                let image = compile::image(device, kernel.info, &source.text, Trust::Nothing, reason, notices)?;
                load(&image.bytes).map_err(|error| self.not_loaded(&image, error))?
            }
            (loaded, _) => loaded.map_err(|error| self.not_loaded(&image, error))?,
        };
        let loaded = Kernel::load(self, kernel.info, &instance, &source, module).inspect_err(|_| {
            // SAFETY: the module was just loaded, and nothing of it runs.
            if let Err(error) = unsafe { result::module::unload(module) } {
                notices.add(log::Level::Warn, || self.failed("cuModuleUnload", error).to_string());
            }
        })?;
        Ok(Box::leak(Box::new(loaded)))
    }

    fn not_loaded(&self, image: &Image, error: DriverError) -> Error {
        let mut failed = self.failed("cuModuleLoadData", error);
        let foreign = matches!(
            error.0,
            CUresult::CUDA_ERROR_INVALID_IMAGE
                | CUresult::CUDA_ERROR_INVALID_PTX
                | CUresult::CUDA_ERROR_NO_BINARY_FOR_GPU
                | CUresult::CUDA_ERROR_UNSUPPORTED_PTX_VERSION
        );
        if let (Error::Cuda(CudaError::Call { context, .. }), Ok(driver)) = (&mut failed, Driver::get())
            && foreign
        {
            *context = rejected(image.nvrtc.version, &image.nvrtc.file, driver.version);
        }
        failed
    }
}

/// Versions of CUDA, where a driver of one rejects what NVRTC of the other made.
fn rejected(nvrtc: (u32, u32), file: &Path, driver: (u32, u32)) -> String {
    let versions = format!(
        "; the machine code is of NVRTC {}.{} ({}), the driver knows CUDA up to {}.{}",
        nvrtc.0,
        nvrtc.1,
        file.display(),
        driver.0,
        driver.1
    );
    match nvrtc > driver {
        true => format!(
            "{versions}: update the driver, or name an NVRTC {} in SWATHE_NVRTC",
            driver.0
        ),
        false => versions,
    }
}

/// Loads machine code or PTX into the current context.
fn load(image: &[u8]) -> std::result::Result<CUmodule, DriverError> {
    // PTX is text, and ends with a zero.
    let mut bytes = image.to_vec();
    bytes.push(0);
    // SAFETY: the image is what NVRTC made, whole by its checksum.
    unsafe { result::module::load_data(bytes.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_for_a_driver_that_is_older() {
        let text = |nvrtc, driver| rejected(nvrtc, Path::new("libnvrtc.so"), driver);
        for (nvrtc, driver, advice) in [
            (
                (13, 0),
                (12, 9),
                ": update the driver, or name an NVRTC 12 in SWATHE_NVRTC",
            ),
            (
                (12, 9),
                (12, 4),
                ": update the driver, or name an NVRTC 12 in SWATHE_NVRTC",
            ),
            ((12, 4), (12, 4), ""),
            ((12, 9), (13, 0), ""),
        ] {
            let versions = format!(
                "; the machine code is of NVRTC {}.{} (libnvrtc.so), the driver knows CUDA up to {}.{}",
                nvrtc.0, nvrtc.1, driver.0, driver.1
            );
            assert_eq!(text(nvrtc, driver), versions + advice);
        }
    }
}
