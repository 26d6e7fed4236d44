//! The driver: found, tried and described once.

use std::ffi::c_int;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUdevice};

use super::device::{CudaDevice, lock};
use crate::error::CudaError;
use crate::error::cuda::describe;

/// Oldest version of CUDA that a driver has to support.
const OLDEST: c_int = 12_000;

/// Every function that is called: cudarc panics where one is missing.
const FUNCTIONS: &[&str] = &[
    "cuCtxSetCurrent",
    "cuDeviceGet",
    "cuDeviceGetAttribute",
    "cuDeviceGetCount",
    "cuDeviceGetDefaultMemPool",
    "cuDeviceGetName",
    "cuDevicePrimaryCtxRetain",
    "cuDriverGetVersion",
    "cuDevicePrimaryCtxRelease_v2",
    "cuEventCreate",
    "cuEventDestroy_v2",
    "cuEventElapsedTime",
    "cuEventQuery",
    "cuEventRecord",
    "cuEventSynchronize",
    "cuFuncGetAttribute",
    "cuGetErrorName",
    "cuGetErrorString",
    "cuGraphDestroy",
    "cuGraphExecDestroy",
    "cuGraphInstantiateWithFlags",
    "cuGraphLaunch",
    "cuInit",
    "cuLaunchKernel",
    "cuMemAllocAsync",
    "cuMemAlloc_v2",
    "cuMemFreeAsync",
    "cuMemFree_v2",
    "cuMemGetInfo_v2",
    "cuMemFreeHost",
    "cuMemHostAlloc",
    "cuMemHostGetDevicePointer_v2",
    "cuMemPoolSetAttribute",
    "cuMemPoolTrimTo",
    "cuMemcpyDtoDAsync_v2",
    "cuMemcpyDtoHAsync_v2",
    "cuMemcpyHtoDAsync_v2",
    "cuMemsetD16Async",
    "cuMemsetD32Async",
    "cuMemsetD8Async",
    "cuModuleGetFunction",
    "cuModuleLoadData",
    "cuModuleUnload",
    "cuOccupancyMaxActiveBlocksPerMultiprocessor",
    "cuPointerGetAttribute",
    "cuStreamBeginCapture_v2",
    "cuStreamCreate",
    "cuStreamDestroy_v2",
    "cuStreamEndCapture",
    "cuStreamSynchronize",
    "cuStreamWaitEvent",
];

/// The driver, and its devices.
pub(super) struct Driver {
    /// Newest version of CUDA that it supports.
    pub version: (u32, u32),
    /// The devices that are in use.
    devices: Vec<Mutex<Option<&'static CudaDevice>>>,
    /// Whether it was told of each why it cannot be used.
    told: Vec<AtomicBool>,
}

impl Driver {
    /// The driver of this machine.
    pub fn get() -> Result<&'static Driver, CudaError> {
        static DRIVER: OnceLock<Result<Driver, CudaError>> = OnceLock::new();
        let mut probed = false;
        let driver = DRIVER.get_or_init(|| {
            probed = true;
            Driver::probe()
        });
        // A logger may launch kernels.
        match driver {
            _ if !probed => {}
            Ok(driver) => {
                let (major, minor) = driver.version;
                let devices = driver.devices.len();
                log::debug!("CUDA driver for version {major}.{minor}, {devices} device(s)");
            }
            Err(error) => log::debug!("{error}"),
        }
        driver.as_ref().map_err(Clone::clone)
    }

    fn probe() -> Result<Driver, CudaError> {
        load()?;
        let call = |call| move |error: DriverError| CudaError::call(call, "the driver", error);
        let mut version = 0;
        // SAFETY: the library is loaded and has the function; it writes one `c_int`.
        unsafe { sys::cuDriverGetVersion(&raw mut version).result() }.map_err(call("cuDriverGetVersion"))?;
        let found = (
            u32::try_from(version / 1000).unwrap_or(0),
            u32::try_from(version % 1000 / 10).unwrap_or(0),
        );
        if version < OLDEST {
            return Err(CudaError::OldDriver { found });
        }
        result::init().map_err(|error| {
            let (name, reason) = describe(error);
            CudaError::NoDevice {
                reason: Some(format!("{reason}, {name}")),
            }
        })?;
        let count = result::device::get_count().map_err(call("cuDeviceGetCount"))?;
        if count < 1 {
            return Err(CudaError::NoDevice { reason: None });
        }
        Ok(Driver {
            version: found,
            devices: (0..count).map(|_| Mutex::default()).collect(),
            told: (0..count).map(|_| AtomicBool::default()).collect(),
        })
    }

    /// Number of devices.
    pub fn count(&self) -> usize {
        self.devices.len()
    }

    /// Tells once why a device cannot be used: a logger that asks for devices itself is not told of it again.
    pub fn warn(&self, index: usize, error: &CudaError) {
        if let Some(told) = self.told.get(index)
            && !told.swap(true, Ordering::Relaxed)
        {
            log::warn!("CUDA device {index}: {error}");
        }
    }

    /// A device, which is set up on first use.
    pub fn device(&self, index: usize) -> Result<&'static CudaDevice, CudaError> {
        let Some(slot) = self.devices.get(index) else {
            return Err(CudaError::NoSuchDevice {
                index,
                count: self.count(),
            });
        };
        let mut slot = lock(slot);
        if let Some(device) = *slot {
            return Ok(device);
        }
        let device: &CudaDevice = Box::leak(Box::new(CudaDevice::new(index, handle(index)?)?));
        *slot = Some(device);
        Ok(device)
    }
}

fn handle(index: usize) -> Result<CUdevice, CudaError> {
    result::device::get(c_int::try_from(index).unwrap_or(c_int::MAX))
        .map_err(|error| CudaError::call("cuDeviceGet", format_args!("CUDA device {index}"), error))
}

/// Loads the library: the one that `SWATHE_CUDA_LIBRARY` names, else the system's.
fn load() -> Result<(), CudaError> {
    let named = std::env::var_os("SWATHE_CUDA_LIBRARY").filter(|path| !path.is_empty());
    let preloaded = named.as_deref().map(|path| preload(Path::new(path))).transpose()?;
    // SAFETY: loading the driver's library runs its initialisers, which have no conditions.
    if !unsafe { sys::is_culib_present() } {
        return Err(CudaError::NoDriver { path: None });
    }
    // SAFETY: as above; the library is there.
    let library = unsafe { sys::culib() };
    for function in FUNCTIONS {
        let Some(address) = address(library, function) else {
            return Err(CudaError::MissingFunction { function });
        };
        if let (Some(path), Some(preloaded)) = (&named, preloaded)
            && self::address(preloaded, function) != Some(address)
        {
            return Err(CudaError::OtherDriver {
                path: path.to_string_lossy().into_owned(),
            });
        }
    }
    Ok(())
}

/// Loads a library so that later requests for its SONAME are answered by it.
fn preload(path: &Path) -> Result<&'static libloading::Library, CudaError> {
    // SAFETY: the user names a driver's library, whose initialisers have no conditions.
    match unsafe { libloading::Library::new(path) } {
        Ok(library) => Ok(Box::leak(Box::new(library))),
        Err(error) => Err(CudaError::NoDriver {
            path: Some(format!("{}: {error}", path.display())),
        }),
    }
}

fn address(library: &libloading::Library, function: &str) -> Option<usize> {
    // SAFETY: the address is compared, not called.
    let symbol = unsafe { library.get::<*const ()>(function.as_bytes()) };
    symbol.ok().map(|symbol| *symbol as usize)
}
