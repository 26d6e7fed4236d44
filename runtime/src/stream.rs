//! Streams of work that run at the same time, and events in them.

use std::fmt;
use std::time::{Duration, Instant};

use crate::cuda::{CudaDevice, CudaEvent, CudaStream};
use crate::device::Device;
use crate::error::{Error, Result};

/// Work on a device that may run at the same time as the device's other work.
///
/// Calls outside of [`Stream::run`] go to the device's own stream, in their order. Kernels, copies and fills within it, by
/// the thread that runs it, go to this stream, and overlap with what other streams hold.
///
/// Streams need no care for correctness: work on a field waits, on the device, for the earlier calls that it depends on,
/// whatever streams they went to. A call that reads waits for the last call that wrote, and a call that writes for all
/// before it. So two streams overlap as far as their kernels write to different fields. A call that needs a value on the
/// host waits for its own stream; [`Device::synchronize`] waits for all of them.
///
/// Dropping a stream does not wait for its work. On the CPU work runs within the call, whatever the stream.
///
/// ```
/// use swathe::prelude::*;
/// use swathe::Stream;
///
/// #[kernel]
/// fn double(x: &mut Field<f32>) {
///     for i in x.indices() {
///         x[i] *= 2.0;
///     }
/// }
///
/// #[kernel]
/// fn add(x: &mut Field<f32>, y: &Field<f32>) {
///     for i in x.indices() {
///         x[i] += y[i];
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::default();
/// let mut x = Field::full(&device, 1000, 1.0)?;
/// let mut y = Field::full(&device, 1000, 3.0)?;
/// let other = Stream::new(&device)?;
/// other.run(|| double(&mut x))?;
/// double(&mut y)?; // at the same time
/// add(&mut x, &y)?; // after both
/// assert_eq!(x.get(999)?, 8.0);
/// # Ok(())
/// # }
/// ```
pub struct Stream {
    device: Device,
    cuda: Option<CudaStream>,
}

impl Stream {
    /// A new stream. A CUDA device has up to 63 of them at a time.
    ///
    /// # Errors
    /// [`CudaError::TooManyStreams`](crate::CudaError::TooManyStreams), or the driver's.
    pub fn new(device: &Device) -> Result<Stream> {
        Ok(Stream {
            device: device.clone(),
            cuda: CudaDevice::of(device).map(CudaStream::new).transpose()?,
        })
    }

    /// Its device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Lets what the closure does on the device, in this thread, go to this stream. Within another `run` of the same device
    /// the inner one counts.
    ///
    /// # Errors
    /// The closure's own; [`Error::NotCapturable`](crate::Error::NotCapturable) within a capture.
    pub fn run<R>(&self, work: impl FnOnce() -> Result<R>) -> Result<R> {
        match &self.cuda {
            Some(cuda) => cuda.run(work),
            None => work(),
        }
    }

    /// Waits until its work has ended.
    ///
    /// # Errors
    /// What failed in kernels of the device, as for [`Device::synchronize`].
    pub fn synchronize(&self) -> Result<()> {
        self.cuda.as_ref().map_or(Ok(()), CudaStream::synchronize)
    }

    /// Lets the work that is queued here from now on start after an event, of whatever device. Fields need no such order;
    /// it is for programs that plan what runs together.
    ///
    /// # Errors
    /// The driver's.
    pub fn wait(&self, event: &Event) -> Result<()> {
        match (&self.cuda, &event.at) {
            (Some(stream), At::Cuda(event)) => stream.wait(event),
            // The CPU's work runs within its calls.
            (None, At::Cuda(event)) => event.synchronize(),
            (_, At::Cpu(_)) => Ok(()),
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream {{ device: {} }}", self.device)
    }
}

/// A place in the order of a device's work: it happens when the work before it has ended.
///
/// Two events tell how long the work between them took on the device.
///
/// ```
/// use swathe::prelude::*;
/// use swathe::Event;
///
/// #[kernel]
/// fn square(x: &mut Field<f64>) {
///     for i in x.indices() {
///         x[i] *= x[i];
///     }
/// }
///
/// # fn main() -> swathe::Result<()> {
/// let device = Device::default();
/// let mut x = Field::full(&device, 1000, 3.0)?;
/// square::precompile(&device)?;
/// let start = Event::record(&device)?;
/// square(&mut x)?;
/// let end = Event::record(&device)?;
/// println!("{:?}", end.elapsed(&start)?);
/// # Ok(())
/// # }
/// ```
pub struct Event {
    device: Device,
    at: At,
}

enum At {
    Cpu(Instant),
    Cuda(CudaEvent),
}

impl Event {
    /// Records an event after what was queued on the device so far, on the stream whose [`Stream::run`] this thread is in, or
    /// else on the device's own.
    ///
    /// # Errors
    /// The driver's; [`Error::NotCapturable`](crate::Error::NotCapturable) within a capture.
    pub fn record(device: &Device) -> Result<Event> {
        let at = match CudaDevice::of(device) {
            Some(device) => At::Cuda(CudaEvent::record(device)?),
            None => At::Cpu(Instant::now()),
        };
        Ok(Event {
            device: device.clone(),
            at,
        })
    }

    /// Its device.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Whether it has happened. Does not wait.
    ///
    /// # Errors
    /// The driver's.
    pub fn is_done(&self) -> Result<bool> {
        match &self.at {
            At::Cuda(event) => event.is_done(),
            At::Cpu(_) => Ok(true),
        }
    }

    /// Waits until it has happened.
    ///
    /// # Errors
    /// What failed in kernels of the device, as for [`Device::synchronize`].
    pub fn synchronize(&self) -> Result<()> {
        match &self.at {
            At::Cuda(event) => event.synchronize(),
            At::Cpu(_) => Ok(()),
        }
    }

    /// The time from an earlier event of the same device to this one, after waiting for both; zero if that one happened
    /// later. A GPU's clock has a resolution of about half a microsecond.
    ///
    /// # Errors
    /// [`Error::OtherDevice`], or the driver's.
    pub fn elapsed(&self, since: &Event) -> Result<Duration> {
        match (&self.at, &since.at) {
            (At::Cuda(end), At::Cuda(start)) if self.device == since.device => end.elapsed(start),
            (At::Cpu(end), At::Cpu(start)) => Ok(end.saturating_duration_since(*start)),
            _ => Err(Error::OtherDevice {
                what: "the time between two events",
                expected: self.device.label(),
                got: since.device.label(),
            }),
        }
    }
}

impl fmt::Debug for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Event {{ device: {} }}", self.device)
    }
}
