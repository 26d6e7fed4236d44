//! What a workload is.

use swathe::Device;

use crate::Failure;
use crate::check::Tolerance;
use crate::size::Size;

/// A computation with a known result.
#[derive(Clone, Copy, Debug)]
pub struct Workload {
    pub name: &'static str,
    /// What is counted, and its unit: more is better, but for `ns` and `ms`.
    pub metric: &'static str,
    pub unit: &'static str,
    /// What to know beside the name.
    pub note: &'static str,
    pub tolerance: Tolerance,
    /// Amount of work of one run, in the unit times seconds.
    pub work: fn(Size) -> f64,
    /// The result in `f64`, by plain Rust.
    pub reference: fn(Size) -> Vec<Vec<f64>>,
    /// Puts the inputs on a device.
    pub make: Make,
}

/// Puts a workload's inputs on a device.
pub type Make = fn(&Device, Size) -> Result<Box<dyn Case>, Failure>;

/// A workload on a device, its inputs there.
pub trait Case {
    /// Restores the inputs.
    fn reset(&mut self) -> swathe::Result<()> {
        Ok(())
    }

    /// The work, once. On a GPU it may still be under way at return.
    fn run(&mut self) -> swathe::Result<()>;

    /// The result, as the reference has it.
    fn output(&self) -> swathe::Result<Vec<Vec<f64>>>;

    /// Has each run to start from the inputs? Else what a run leaves costs the next one as much.
    fn reset_each(&self) -> bool {
        false
    }

    /// Single launches in a batch whose times are taken one by one; `None` where the run is what is timed.
    fn launches(&self) -> Option<usize> {
        None
    }
}
