//! Sequences of launches, recorded once and replayed.

use std::cell::RefCell;
use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::resume_unwind;
use std::ptr::NonNull;

use cudarc::driver::result;
use cudarc::driver::sys::{CUgraph, CUgraphExec, CUgraphInstantiate_flags_enum, CUstream, CUstreamCaptureMode};

use super::device::{CudaDevice, lock};
use super::order::Access;
use crate::device::Device;
use crate::device::capture::{Capturing, is_capturing, refusal};
use crate::error::Result;
use crate::recording::refuse_graph;

pub(super) const NEEDS_HOST: &str = "a graph runs on the device alone";

/// A recorded sequence of kernel calls, copies and fills on one CUDA device. A launch of the whole costs little more than
/// that of a single kernel.
///
/// What is recorded are the calls that the closure makes on the device, with the fields and values of that time. Fields keep
/// their memory as long as a graph refers to it, also when they are dropped. So it is memory of one field: clones that share it
/// ([`Field::try_clone`](crate::Field::try_clone)) get their own, those that are written within the capture, those that are read by
/// [`Field::unshare`](crate::Field::unshare) before it, and clones that are made afterwards at once.
///
/// ```no_run
/// use swathe::prelude::*;
/// use swathe::Graph;
///
/// #[kernel]
/// fn smooth(a: &Field<f32>, b: &mut Field<f32>) {
///     for i in b.indices() {
///         if i > 0 && i + 1 < a.len() {
///             b[i] = 0.25 * a[i - 1] + 0.5 * a[i] + 0.25 * a[i + 1];
///         }
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::cuda(0)?;
/// let mut a = Field::full(&device, 1000, 1.0)?;
/// let mut b = a.try_clone()?;
/// let step = Graph::capture(&device, || {
///     smooth(&a, &mut b)?;
///     smooth(&b, &mut a)
/// })?;
/// for _ in 0..100 {
///     step.launch()?;
/// }
/// println!("{}", a.get(500)?);
/// # Ok(())
/// # }
/// ```
pub struct Graph {
    device: &'static CudaDevice,
    exec: CUgraphExec,
    kept: Kept,
}

/// What a graph refers to.
#[derive(Default)]
struct Kept {
    allocations: Vec<(u64, Access)>,
    records: Vec<usize>,
}

// SAFETY: the driver's handle may be used from every thread, by one at a time: `launch` queues on a stream, which the
// driver serialises.
unsafe impl Send for Graph {}
// SAFETY: as above.
unsafe impl Sync for Graph {}

/// The capture of this thread.
struct Capture {
    device: &'static CudaDevice,
    stream: CUstream,
    kept: Kept,
}

thread_local! {
    /// Never dropped with the thread, whose other values may still hold fields and use them when they are dropped. What begins a capture
    /// ends it.
    static CAPTURE: RefCell<Option<ManuallyDrop<Capture>>> = const { RefCell::new(None) };
}

impl Graph {
    /// Records what the closure does on the device. Nothing of it runs yet, except that kernels are compiled.
    ///
    /// That is what it does in the thread in which it runs. Work that it hands to other threads runs at once. It runs in the thread
    /// that calls this, unless that is one of rayon's, which runs jobs of others while it waits for its own: then the closure has a new
    /// thread, with values of its own for `thread_local!`, which is all of a rayon pool, and the caller's thread does nothing else until
    /// the closure returns. So a closure in a pool must not wait for the pool.
    ///
    /// # Errors
    /// The closure's own; [`Error::NotCapturable`](crate::Error::NotCapturable) for the CPU, and for what cannot be replayed: kernels with a result,
    /// reading and writing fields from the host, making fields, waiting for the device, streams and events; and for kernels
    /// and writes on other devices, the CPU among them, which would run now and not with the graph. What the host writes through a slice
    /// that it has of a field of the CPU is not seen, and runs at once. [`Error::NotRecordable`](crate::Error::NotRecordable) within the
    /// recording of a tape.
    pub fn capture(device: &Device, work: impl FnOnce() -> Result<()> + Send) -> Result<Graph> {
        let Some(device) = CudaDevice::of(device) else {
            return Err(refusal("work on the CPU".to_owned(), "graphs are of CUDA devices"));
        };
        if is_capturing() {
            return Err(refusal(
                "another capture".to_owned(),
                "one capture cannot contain another",
            ));
        }
        refuse_graph("the capture of a graph", false)?;
        on_one_thread(|| Graph::record(device, work))?
    }

    fn record(device: &'static CudaDevice, work: impl FnOnce() -> Result<()>) -> Result<Graph> {
        device.bind()?;
        // Its own stream: what other threads do on the device meanwhile is not recorded.
        let stream = result::stream::create(result::stream::StreamKind::NonBlocking)
            .map_err(|error| device.failed("cuStreamCreate", error))?;
        let ended = Capture::run(device, stream, work);
        // SAFETY: the capture has ended, and nothing else uses the stream.
        if let Err(error) = unsafe { result::stream::destroy(stream) } {
            log::warn!("{}", device.failed("cuStreamDestroy", error));
        }
        let (recorded, capture) = ended?;
        // From here on dropping releases what is kept.
        let mut graph = Graph {
            device,
            exec: std::ptr::null_mut(),
            kept: capture.kept,
        };
        // SAFETY: the graph was just recorded, and is not needed once it is instantiated.
        let exec = unsafe {
            let exec = result::graph::instantiate(recorded, CUgraphInstantiate_flags_enum(0));
            if let Err(error) = result::graph::destroy(recorded) {
                log::warn!("{}", device.failed("cuGraphDestroy", error));
            }
            exec
        };
        graph.exec = exec.map_err(|error| device.failed("cuGraphInstantiate", error))?;
        Ok(graph)
    }

    /// Runs it after what was launched before, on the stream whose [`Stream::run`](crate::Stream::run) this thread is in.
    /// Returns when it is queued.
    ///
    /// To other threads' calls on fields that the graph writes it is one call: a copy of such a field to the host, say, is of the
    /// field before the launch or after it, however many transfers it takes. So the launch waits for such a call of another thread
    /// that has begun.
    ///
    /// # Errors
    /// [`CudaError::Call`]; [`Error::NotRecordable`](crate::Error::NotRecordable) while a thread records a tape,
    /// which would not see what the graph writes.
    pub fn launch(&self) -> Result<()> {
        refuse(self.device, "the launch of a graph", "one graph cannot contain another")?;
        refuse_graph("the launch of a graph", true)?;
        self.device.bind()?;
        let stream = self.device.ordered_alone(self.kept.allocations.iter().copied())?;
        // SAFETY: graph and stream are alive, and so is the memory that the graph refers to.
        let launched = unsafe { result::graph::launch(self.exec, stream.handle) };
        drop(stream);
        self.device.count_replay(&self.kept.allocations);
        launched.map_err(|error| self.device.failed("cuGraphLaunch", error))
    }
}

impl Drop for Graph {
    fn drop(&mut self) {
        if self.device.enter().is_ok() {
            // SAFETY: the graph is not used afterwards; launches of it that still run keep what they need.
            let destroyed = NonNull::new(self.exec).map(|exec| unsafe { result::graph::exec_destroy(exec.as_ptr()) });
            if let Some(Err(error)) = destroyed {
                log::warn!("{}", self.device.failed("cuGraphExecDestroy", error));
            }
        }
        self.device.let_go(&self.kept);
    }
}

impl fmt::Debug for Graph {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Graph {{ device: {} }}", self.device.label)
    }
}

impl Capture {
    fn run(
        device: &'static CudaDevice,
        stream: CUstream,
        work: impl FnOnce() -> Result<()>,
    ) -> Result<(CUgraph, Capture)> {
        /// Ends the capture when the closure panics, too.
        struct End {
            _capturing: Capturing,
        }
        impl Drop for End {
            fn drop(&mut self) {
                if let Some(capture) = CAPTURE.take().map(ManuallyDrop::into_inner) {
                    // SAFETY: the stream is alive, and captures.
                    if let Ok(graph) = unsafe { result::stream::end_capture(capture.stream) } {
                        // SAFETY: the graph is not used.
                        let _ = unsafe { result::graph::destroy(graph) };
                    }
                    capture.device.let_go(&capture.kept);
                }
            }
        }
        // Relaxed: the first launch of a kernel loads its code and allocates its frame, on no stream that captures.
        let mode = CUstreamCaptureMode::CU_STREAM_CAPTURE_MODE_RELAXED;
        // SAFETY: the stream is new.
        unsafe { result::stream::begin_capture(stream, mode) }
            .map_err(|error| device.failed("cuStreamBeginCapture", error))?;
        CAPTURE.set(Some(ManuallyDrop::new(Capture {
            device,
            stream,
            kept: Kept::default(),
        })));
        let end = End {
            _capturing: Capturing::begin(),
        };
        work()?;
        device.bind()?;
        let Some(capture) = CAPTURE.take().map(ManuallyDrop::into_inner) else {
            unreachable!("only this function ends a capture");
        };
        drop(end);
        // SAFETY: the stream captures.
        match unsafe { result::stream::end_capture(stream) } {
            Ok(graph) => Ok((graph, capture)),
            Err(error) => {
                device.let_go(&capture.kept);
                Err(device.failed("cuStreamEndCapture", error))
            }
        }
    }
}

/// Does work on a thread that does nothing else meanwhile. One of rayon's pools, when the work waits for some of its own, runs jobs of
/// others, and would record them. A thread that is all of a pool has no others.
fn on_one_thread<R: Send>(work: impl FnOnce() -> R + Send) -> Result<R> {
    if rayon::current_thread_index().is_none() {
        return Ok(work());
    }
    let none = || {
        refusal(
            "work in a pool of rayon's".to_owned(),
            "the thread that it needs cannot be had",
        )
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    let pool = pool.map_err(|_| none())?;
    std::thread::scope(|scope| {
        // Called from here, `install` would run jobs of others, which may want what the caller holds.
        let caller = std::thread::Builder::new().spawn_scoped(scope, || pool.install(work));
        let done = caller.map_err(|_| none())?.join();
        Ok(done.unwrap_or_else(|panic| resume_unwind(panic)))
    })
}

/// The stream of this thread's capture on the device.
pub(super) fn capturing(device: &CudaDevice) -> Option<CUstream> {
    CAPTURE.with_borrow(|capture| {
        let capture = capture.as_ref()?;
        std::ptr::eq(capture.device, device).then_some(capture.stream)
    })
}

/// An error if this thread captures on the device.
pub(super) fn refuse(device: &CudaDevice, what: &str, reason: &'static str) -> Result<()> {
    match capturing(device) {
        Some(_) => Err(refusal(what.to_owned(), reason)),
        None => Ok(()),
    }
}

/// An error if this thread captures on whatever device.
pub(super) fn refuse_any(what: &str, reason: &'static str) -> Result<()> {
    if is_capturing() {
        return Err(refusal(what.to_owned(), reason));
    }
    Ok(())
}

/// An error if this thread captures on another device.
pub(super) fn refuse_other(device: &CudaDevice) -> Result<()> {
    let other =
        |capture: &Option<ManuallyDrop<Capture>>| capture.as_ref().is_some_and(|c| !std::ptr::eq(c.device, device));
    if is_capturing() && CAPTURE.with_borrow(other) {
        return Err(refusal(format!("work on {}", device.label), "a graph is of one device"));
    }
    Ok(())
}

impl CudaDevice {
    fn note_capture<R>(&self, note: impl FnOnce(&mut Kept) -> R) -> Option<R> {
        CAPTURE.with_borrow_mut(|capture| {
            let capture = capture.as_mut().filter(|c| std::ptr::eq(c.device, self))?;
            Some(note(&mut capture.kept))
        })
    }

    /// Keeps allocations as long as the graph that is captured.
    pub(super) fn hold_for_capture(&self, uses: impl Iterator<Item = (u64, Access)>) -> Result<()> {
        let held = self.note_capture(|kept| self.hold(uses, &mut kept.allocations));
        held.unwrap_or(Ok(()))
    }

    pub(super) fn hold_record(&self, id: usize) {
        self.note_capture(|kept| {
            kept.records.push(id);
            lock(&self.records).hold(id);
        });
    }

    fn let_go(&self, kept: &Kept) {
        let (orphans, owners) = self.unhold(&kept.allocations);
        for at in orphans {
            self.free_bytes(at);
        }
        if !owners.is_empty() && self.bind().and_then(|()| self.wait()).is_err() {
            // The graph may run still: better never freed than freed too early.
            std::mem::forget(owners);
        }
        let mut used = lock(&self.records);
        for id in &kept.records {
            used.release(*id);
        }
    }
}
