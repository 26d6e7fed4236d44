//! Events of a CUDA device.

use std::time::Duration;

use cudarc::driver::result::{self, DriverError};
use cudarc::driver::sys::{self, CUevent, CUevent_flags, CUevent_wait_flags, CUresult, CUstream};

use super::device::CudaDevice;
use super::graph;
use crate::error::Result;

/// A place in the order of a stream.
pub(crate) struct CudaEvent {
    device: &'static CudaDevice,
    event: CUevent,
}

// SAFETY: the driver's handles may be used from every thread.
unsafe impl Send for CudaEvent {}
// SAFETY: as above; it is recorded once, before anybody else has it.
unsafe impl Sync for CudaEvent {}

impl CudaEvent {
    /// Records the end of what this thread's stream holds now.
    pub fn record(device: &'static CudaDevice) -> Result<CudaEvent> {
        graph::refuse_any("an event", "a graph has no events; record them around its launch")?;
        device.bind()?;
        let event = result::event::create(CUevent_flags::CU_EVENT_DEFAULT)
            .map_err(|error| device.failed("cuEventCreate", error))?;
        let event = CudaEvent { device, event };
        let (_, stream) = device.lane();
        // SAFETY: event and stream are alive, and of one context.
        unsafe { result::event::record(event.event, stream) }.map_err(|error| device.failed("cuEventRecord", error))?;
        Ok(event)
    }

    /// Whether the work before it has ended.
    pub fn is_done(&self) -> Result<bool> {
        self.device.bind()?;
        // SAFETY: the event is alive.
        match unsafe { result::event::query(self.event) } {
            Ok(()) => Ok(true),
            Err(DriverError(CUresult::CUDA_ERROR_NOT_READY)) => Ok(false),
            Err(error) => Err(self.device.failed("cuEventQuery", error)),
        }
    }

    /// Waits for the work before it.
    pub fn synchronize(&self) -> Result<()> {
        graph::refuse_any("waiting for an event", graph::NEEDS_HOST)?;
        self.device.bind()?;
        self.wait()?;
        self.device.report()
    }

    fn wait(&self) -> Result<()> {
        // SAFETY: the event is alive.
        unsafe { result::event::synchronize(self.event) }
            .map_err(|error| self.device.failed("cuEventSynchronize", error))
    }

    /// Time since another event of the device.
    pub fn elapsed(&self, since: &CudaEvent) -> Result<Duration> {
        graph::refuse_any("waiting for an event", graph::NEEDS_HOST)?;
        self.device.bind()?;
        since.wait()?;
        self.wait()?;
        let mut milliseconds = 0.0;
        // SAFETY: both events are alive, recorded and of this context. The function is looked up by its name because the
        // bindings, depending on their version, know one under another name that older drivers lack.
        unsafe {
            type Elapsed = unsafe extern "C" fn(*mut f32, CUevent, CUevent) -> CUresult;
            let elapsed =
                sys::culib()
                    .get::<Elapsed>(b"cuEventElapsedTime")
                    .map_err(|_| super::CudaError::MissingFunction {
                        function: "cuEventElapsedTime",
                    })?;
            elapsed(&raw mut milliseconds, since.event, self.event).result()
        }
        .map_err(|error| self.device.failed("cuEventElapsedTime", error))?;
        Ok(Duration::try_from_secs_f64(f64::from(milliseconds) / 1e3).unwrap_or_default())
    }

    /// Lets a stream of a device, whose context is current, wait for it.
    pub(super) fn hold_back(&self, device: &CudaDevice, stream: CUstream) -> Result<()> {
        // SAFETY: event and stream are alive.
        unsafe { result::stream::wait_event(stream, self.event, CUevent_wait_flags::CU_EVENT_WAIT_DEFAULT) }
            .map_err(|error| device.failed("cuStreamWaitEvent", error))
    }
}

impl Drop for CudaEvent {
    fn drop(&mut self) {
        let destroyed = self.device.enter().and_then(|()| {
            // SAFETY: nobody has the handle any more; the driver keeps what waits for it.
            unsafe { result::event::destroy(self.event) }.map_err(|error| self.device.failed("cuEventDestroy", error))
        });
        if let Err(error) = destroyed {
            log::warn!("{error}");
        }
    }
}
