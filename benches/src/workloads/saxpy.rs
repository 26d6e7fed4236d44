//! y = a x + y.

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, weyl};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "saxpy",
    metric: "bandwidth",
    unit: "GB/s",
    note: "",
    tolerance: Tolerance::Relative(1e-6),
    work: |size| 12.0 * size.n() as f64 / 1e9,
    reference,
    make,
};

const A: f32 = 2.5;

/// `y += a x`.
#[kernel]
pub fn saxpy(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

struct Saxpy {
    start: Vec<f32>,
    x: Field<f32>,
    y: Field<f32>,
}

impl Case for Saxpy {
    fn reset(&mut self) -> swathe::Result<()> {
        self.y.copy_from_slice(&self.start)
    }

    fn run(&mut self) -> swathe::Result<()> {
        saxpy(A, &self.x, &mut self.y)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.y.to_vec()?)])
    }
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let n = size.n();
    let x = checked("saxpy", "x", size, (0..n).map(weyl).collect())?;
    let start = checked("saxpy", "y", size, (n..2 * n).map(weyl).collect())?;
    Ok(Box::new(Saxpy {
        x: Field::from_slice(device, &x)?,
        y: Field::from_slice(device, &start)?,
        start,
    }))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = size.n();
    let element = |i: usize| f64::from(A) * f64::from(weyl(i)) + f64::from(weyl(n + i));
    vec![(0..n).map(element).collect()]
}
