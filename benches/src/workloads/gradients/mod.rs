//! Losses of whole programs and their gradients: each beside the time of the loss alone.

pub mod mass_spring;
pub mod mpm;
pub mod nbody;
pub mod saxpy;
pub mod stencil;

use swathe::Device;
use swathe::derivative::Gradients;

use crate::Failure;
use crate::check::Tolerance;
use crate::size::Size;
use crate::workload::{Case, Workload};

/// A program of kernels whose result is a number.
trait Program: Sized + 'static {
    /// The inputs, on a device.
    fn new(device: &Device, size: Size) -> Result<Self, Failure>;

    /// The number.
    fn loss(&mut self) -> swathe::Result<f32>;

    /// The number, and its derivatives with respect to the inputs.
    fn gradient(&mut self) -> swathe::Result<(f64, Gradients)>;

    /// The derivatives as the reference has them.
    fn numbers(&self, gradients: &Gradients) -> swathe::Result<Vec<Vec<f64>>>;
}

/// Arrays in `f64`, by plain Rust.
type Reference = fn(Size) -> Vec<Vec<f64>>;

/// The loss alone, and the loss with its gradients.
const fn pair<P: Program>(
    names: [&'static str; 2],
    note: &'static str,
    tolerance: f64,
    reference: [Reference; 2],
) -> [Workload; 2] {
    let loss = Workload {
        name: names[0],
        metric: "time",
        unit: "ms",
        note,
        tolerance: Tolerance::Relative(tolerance),
        work: |_| 1.0,
        reference: reference[0],
        make: |device, size| Ok(Box::new(Loss(P::new(device, size)?, None))),
    };
    let gradient = Workload {
        name: names[1],
        reference: reference[1],
        make: |device, size| Ok(Box::new(Gradient(P::new(device, size)?, None))),
        ..loss
    };
    [loss, gradient]
}

struct Loss<P>(P, Option<f32>);

impl<P: Program> Case for Loss<P> {
    fn run(&mut self) -> swathe::Result<()> {
        self.1 = Some(self.0.loss()?);
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![self.1.map(f64::from).into_iter().collect()])
    }
}

struct Gradient<P>(P, Option<(f64, Gradients)>);

impl<P: Program> Case for Gradient<P> {
    fn run(&mut self) -> swathe::Result<()> {
        // What was computed last is let go first, so that its memory is there again.
        self.1 = None;
        self.1 = Some(self.0.gradient()?);
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        let Some((loss, gradients)) = &self.1 else {
            return Ok(vec![]);
        };
        let mut all = vec![vec![*loss]];
        all.extend(self.0.numbers(gradients)?);
        Ok(all)
    }
}
