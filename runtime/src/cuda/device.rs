//! One GPU.

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock};

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{
    CUcontext, CUdevice, CUdevice_attribute as Attribute, CUmemPool_attribute, CUmemoryPool, CUstream,
};

use super::builtin::Builtins;
use super::graph;
use super::kernels::Kernels;
use super::order::Order;
use super::pinned::Slots;
use super::printing::Ring;
use super::records::Records;
use super::staging::Staging;
use super::words::Aside;
use crate::device::{Device, MemoryInfo};
use crate::error::CudaError;
use crate::error::cuda::is_out_of_memory;
use crate::error::{Error, Result};
use crate::kernel::KernelInfo;

/// A GPU with its context and its stream, which live as long as the program.
pub(crate) struct CudaDevice {
    pub(super) name: String,
    /// For messages.
    pub(super) label: String,
    pub(super) capability: (u32, u32),
    /// Number of multiprocessors.
    pub(super) processors: u32,
    context: CUcontext,
    stream: CUstream,
    pool: Option<CUmemoryPool>,
    pub(super) staging: Mutex<Staging>,
    pub(super) slots: Mutex<Slots>,
    pub(super) records: Mutex<Records>,
    pub(super) ring: Mutex<Ring>,
    pub(super) aside: Mutex<Aside>,
    /// What is logged when this device is held no more.
    pub(super) late: Mutex<Vec<String>>,
    /// The allocations, and the streams that work on them.
    pub(super) order: Mutex<Order>,
    /// Held by whoever queues work, and alone by who launches a graph.
    pub(super) turn: RwLock<()>,
    /// Whether a program has ever made a stream.
    pub(super) forked: AtomicBool,
    /// Whether a graph was ever launched.
    pub(super) replayed: AtomicBool,
    pub(super) kernels: Kernels,
    pub(super) builtins: Builtins,
    recent: Recent,
}

// SAFETY: the driver's handles may be used from every thread.
unsafe impl Send for CudaDevice {}
// SAFETY: as above; what changes is behind mutexes.
unsafe impl Sync for CudaDevice {}

/// The kernels launched last, to be named when the driver fails afterwards.
#[derive(Default)]
struct Recent {
    kernels: [AtomicPtr<KernelInfo>; 8],
    next: AtomicUsize,
}

impl CudaDevice {
    /// The CUDA device that a device is.
    pub(crate) fn of(device: &Device) -> Option<&'static CudaDevice> {
        device.backend().as_any().downcast_ref()
    }

    pub(super) fn new(index: usize, device: CUdevice) -> std::result::Result<CudaDevice, CudaError> {
        let failed = |call| move |error| CudaError::call(call, format_args!("CUDA device {index}"), error);
        let name = result::device::get_name(device).map_err(failed("cuDeviceGetName"))?;
        let label = format!("cuda:{index} ({name})");
        // SAFETY: the device is one of the driver's.
        let attribute = |attribute| unsafe { result::device::get_attribute(device, attribute) };
        let number = |a| {
            attribute(a)
                .map(|n| u32::try_from(n).unwrap_or(0))
                .map_err(failed("cuDeviceGetAttribute"))
        };
        let capability = (
            number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            number(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        let processors = number(Attribute::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT)?.max(1);
        let pools = attribute(Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED).is_ok_and(|n| n != 0);
        // SAFETY: the device is one of the driver's.
        let context = unsafe { result::primary_ctx::retain(device) }.map_err(failed("cuDevicePrimaryCtxRetain"))?;
        let (stream, pool) = set_up(device, context, pools).map_err(|(call, error)| {
            // SAFETY: retained above, and not used any more. A failure here follows another one.
            let _ = unsafe { result::primary_ctx::release(device) };
            failed(call)(error)
        })?;
        Ok(CudaDevice {
            name,
            label,
            capability,
            processors,
            context,
            stream,
            pool,
            staging: Mutex::default(),
            slots: Mutex::default(),
            records: Mutex::default(),
            ring: Mutex::default(),
            aside: Mutex::default(),
            late: Mutex::default(),
            order: Mutex::default(),
            turn: RwLock::default(),
            forked: AtomicBool::new(false),
            replayed: AtomicBool::new(false),
            kernels: Kernels::default(),
            builtins: Builtins::default(),
            recent: Recent::default(),
        })
    }

    /// Makes its context the current one of this thread, for work that a capture of another device would miss.
    pub(super) fn bind(&self) -> Result<()> {
        graph::refuse_other(self)?;
        self.enter()
    }

    /// Makes its context the current one of this thread.
    pub(super) fn enter(&self) -> Result<()> {
        // SAFETY: the context is alive.
        unsafe { result::ctx::set_current(self.context) }.map_err(|error| self.failed("cuCtxSetCurrent", error))
    }

    pub(super) fn context(&self) -> CUcontext {
        self.context
    }

    /// The stream of work that a program gives to no other.
    pub(super) fn main_stream(&self) -> CUstream {
        self.stream
    }

    pub(super) fn pool(&self) -> Option<CUmemoryPool> {
        self.pool
    }

    /// Remembers that a kernel is launched.
    pub(super) fn note(&self, kernel: &'static KernelInfo) {
        let next = self.recent.next.fetch_add(1, Ordering::Relaxed);
        let kernels = &self.recent.kernels;
        kernels[next % kernels.len()].store(std::ptr::from_ref(kernel).cast_mut(), Ordering::Relaxed);
    }

    /// An error of the driver, with the kernels that may have caused it.
    #[cold]
    pub(super) fn failed(&self, call: &'static str, error: DriverError) -> Error {
        let mut cuda = CudaError::call(call, &self.label, error);
        let mut names: Vec<String> = Vec::new();
        for kernel in &self.recent.kernels {
            // SAFETY: what stands here came from a `&'static KernelInfo`, or is null.
            if let Some(kernel) = unsafe { kernel.load(Ordering::Relaxed).as_ref() } {
                let name = format!("`{}` ({}:{})", kernel.name, kernel.file, kernel.line);
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        if let CudaError::Call { context, .. } = &mut cuda
            && !names.is_empty()
        {
            *context = format!("; launched since the last success: {}", names.join(", "));
        }
        cuda.into()
    }

    /// An error of an allocation.
    pub(super) fn allocation_failed(&self, call: &'static str, bytes: usize, error: DriverError) -> Error {
        if is_out_of_memory(error) {
            return Error::OutOfMemory {
                bytes,
                place: self.label.clone(),
            };
        }
        self.failed(call, error)
    }

    /// Waits for all work, and reports what failed in it.
    pub(super) fn synchronize(&self) -> Result<()> {
        graph::refuse(self, "waiting for the device", graph::NEEDS_HOST)?;
        self.bind()?;
        self.wait()?;
        self.report()
    }

    /// Waits for all work.
    pub(super) fn wait(&self) -> Result<()> {
        // First the others: a stream that goes meanwhile is waited for by the device's own.
        for lane in self.lanes() {
            self.wait_for(lane.stream)?;
        }
        self.wait_for(self.stream)?;
        for kernel in &self.recent.kernels {
            kernel.store(std::ptr::null_mut(), Ordering::Relaxed);
        }
        Ok(())
    }

    /// Waits for the work of one stream.
    pub(super) fn wait_for(&self, stream: CUstream) -> Result<()> {
        // SAFETY: the callers keep the stream alive.
        unsafe { result::stream::synchronize(stream) }.map_err(|error| self.failed("cuStreamSynchronize", error))
    }

    /// Its memory.
    pub(super) fn memory_info(&self) -> Result<MemoryInfo> {
        self.bind()?;
        let (free, total) = result::mem_get_info().map_err(|error| self.failed("cuMemGetInfo", error))?;
        Ok(MemoryInfo { total, free })
    }
}

/// Makes what a context needs.
fn set_up(
    device: CUdevice,
    context: CUcontext,
    pools: bool,
) -> std::result::Result<(CUstream, Option<CUmemoryPool>), (&'static str, DriverError)> {
    // SAFETY: the context is alive.
    unsafe { result::ctx::set_current(context) }.map_err(|e| ("cuCtxSetCurrent", e))?;
    // SAFETY: the device has pools.
    let pool = pools.then(|| unsafe { keeping_pool(device) }).transpose();
    let pool = pool.map_err(|e| ("cuDeviceGetDefaultMemPool", e))?;
    let stream = result::stream::create(result::stream::StreamKind::NonBlocking).map_err(|e| ("cuStreamCreate", e))?;
    Ok((stream, pool))
}

/// The device's memory pool, told to keep freed memory for later allocations.
unsafe fn keeping_pool(device: CUdevice) -> std::result::Result<CUmemoryPool, DriverError> {
    let mut threshold = u64::MAX;
    // SAFETY: by the caller's word the device has a pool; the attribute is an `u64`.
    unsafe {
        let pool = result::device::get_default_mem_pool(device)?;
        let release = CUmemPool_attribute::CU_MEMPOOL_ATTR_RELEASE_THRESHOLD;
        result::mem_pool::set_attribute(pool, release, (&raw mut threshold).cast())?;
        Ok(pool)
    }
}

/// What a mutex guards stays usable when a thread panicked with it.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
