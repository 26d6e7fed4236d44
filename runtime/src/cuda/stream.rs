//! A program's own streams on a CUDA device.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use cudarc::driver::result;
use cudarc::driver::sys::CUstream;

use super::device::CudaDevice;
use super::event::CudaEvent;
use super::graph;
use super::order::LANES;
use crate::error::CudaError;
use crate::error::Result;

/// A stream, and its number on the device.
pub(crate) struct CudaStream {
    device: &'static CudaDevice,
    number: usize,
    lane: Arc<Lane>,
}

/// The driver's stream. It is alive as long as somebody waits for it.
pub(super) struct Lane {
    pub device: &'static CudaDevice,
    pub stream: CUstream,
}

// SAFETY: the driver's handles may be used from every thread.
unsafe impl Send for Lane {}
// SAFETY: as above.
unsafe impl Sync for Lane {}

/// Where a thread's work on a device goes.
#[derive(Clone, Copy)]
struct Current {
    device: &'static CudaDevice,
    number: usize,
    stream: CUstream,
}

thread_local! {
    /// The streams whose `run` this thread is in, the innermost last. Where it is gone with the thread, other values of which still use
    /// fields when they are dropped, work goes to the device's own stream.
    static CURRENT: RefCell<Vec<Current>> = const { RefCell::new(Vec::new()) };
}

impl CudaStream {
    pub fn new(device: &'static CudaDevice) -> Result<CudaStream> {
        device.bind()?;
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(|error| device.failed("cuStreamCreate", error))?;
        let (number, lane) = device
            .enter_lane(Lane { device, stream })
            .map_err(|_| CudaError::TooManyStreams {
                device: device.label.clone(),
                most: LANES - 1,
            })?;
        Ok(CudaStream { device, number, lane })
    }

    /// Lets this thread's work on the device go here.
    pub fn run<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<R> {
        struct Leave;
        impl Drop for Leave {
            fn drop(&mut self) {
                let _ = CURRENT.try_with(|stack| stack.borrow_mut().pop());
            }
        }
        graph::refuse_any(
            "work on another stream",
            "a graph is one sequence; launch it on a stream",
        )?;
        let current = Current {
            device: self.device,
            number: self.number,
            stream: self.lane.stream,
        };
        let _ = CURRENT.try_with(|stack| stack.borrow_mut().push(current));
        let _leave = Leave;
        work()
    }

    /// Waits for its work.
    pub fn synchronize(&self) -> Result<()> {
        graph::refuse_any("waiting for a stream", graph::NEEDS_HOST)?;
        self.device.enter()?;
        self.device.wait_for(self.lane.stream)?;
        self.device.report()
    }

    /// Lets work queued from now on wait for an event.
    pub fn wait(&self, event: &CudaEvent) -> Result<()> {
        graph::refuse_any("waiting for an event", "a graph is one sequence")?;
        self.device.enter()?;
        event.hold_back(self.device, self.lane.stream)
    }
}

impl Drop for CudaStream {
    fn drop(&mut self) {
        // Without a context there is nothing that could run.
        let _ = self.device.enter();
        self.device.leave_lane(self.number);
    }
}

impl Drop for Lane {
    fn drop(&mut self) {
        let destroyed = self.device.enter().and_then(|()| {
            // SAFETY: nobody has the handle any more; what is queued still runs.
            unsafe { result::stream::destroy(self.stream) }
                .map_err(|error| self.device.failed("cuStreamDestroy", error))
        });
        if let Err(error) = destroyed {
            log::warn!("{error}");
        }
    }
}

impl CudaDevice {
    /// Number and handle of the stream that this thread's work goes to, a capture apart.
    pub(super) fn lane(&self) -> (usize, CUstream) {
        let main = (0, self.main_stream());
        if !self.forked.load(Ordering::Relaxed) {
            return main;
        }
        let innermost = CURRENT.try_with(|stack| {
            let stack = stack.borrow();
            let here = stack.iter().rev().find(|current| std::ptr::eq(current.device, self));
            here.map(|current| (current.number, current.stream))
        });
        innermost.ok().flatten().unwrap_or(main)
    }
}
