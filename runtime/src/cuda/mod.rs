//! NVIDIA GPUs: the one place that knows CUDA's driver.
//!
//! [`driver`] finds the driver and its devices, [`device`] holds one of them. [`memory`] is its [`Backend`], with
//! [`staging`] between pageable and device memory. [`kernels`] turns a kernel's instance into a loaded [`module`]: text by
//! code generation, machine code by [`compile`] out of the [`cache`] or by [`nvrtc`]. [`launch`] puts it on the device's
//! stream, [`records`] brings back what failed there, [`printing`] what was printed, and [`graph`] replays a sequence of launches.
//!
//! Work goes to the device's own stream in the order of the calls, or to a [`stream`] of the program; [`order`] keeps work
//! on one field in that order all the same, and a call of several pieces is [`undivided`]. Calls return when their work is queued, except those that need a value on the
//! host.
//!
//! [`Backend`]: crate::device::Backend

mod builtin;
mod cache;
mod cells;
mod compile;
#[cfg(test)]
mod compile_tests;
mod device;
mod driver;
mod event;
mod geometry;
mod graph;
mod kernels;
mod launch;
mod memory;
mod module;
mod notices;
mod nvrtc;
mod order;
mod pinned;
mod printing;
mod records;
mod staging;
mod stream;
#[cfg(test)]
mod tests;
mod undivided;
mod words;

use crate::error::CudaError;
pub(crate) use device::CudaDevice;
pub(crate) use event::CudaEvent;
pub use graph::Graph;
pub(crate) use stream::CudaStream;

use driver::Driver;

/// Every CUDA device that can be used.
pub(crate) fn devices() -> Vec<&'static CudaDevice> {
    let Ok(driver) = Driver::get() else {
        return Vec::new();
    };
    (0..driver.count())
        .filter_map(|index| {
            let device = driver.device(index);
            device.inspect_err(|error| driver.warn(index, error)).ok()
        })
        .collect()
}

/// A CUDA device by its number.
pub(crate) fn device(index: usize) -> Result<&'static CudaDevice, CudaError> {
    Driver::get()?.device(index)
}
