//! The inner product of two arrays.

use swathe::prelude::*;

use crate::Failure;
use crate::check::Tolerance;
use crate::input::{checked, rnd, weyl};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "dot",
    metric: "bandwidth",
    unit: "GB/s",
    note: "reduction into a variable",
    tolerance: Tolerance::Relative(1e-3),
    work: |size| 8.0 * size.n() as f64 / 1e9,
    reference: |size| {
        vec![vec![
            (0..size.n()).map(|i| f64::from(weyl(i)) * f64::from(signed(i))).sum(),
        ]]
    },
    make,
};

/// The sum of all products.
#[kernel]
pub fn dot(x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut s = 0.0;
    for i in x.indices() {
        s += x[i] * y[i];
    }
    s
}

struct Dot {
    x: Field<f32>,
    y: Field<f32>,
    s: f32,
}

impl Case for Dot {
    fn run(&mut self) -> swathe::Result<()> {
        self.s = dot(&self.x, &self.y)?;
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![vec![f64::from(self.s)]])
    }
}

fn signed(i: usize) -> f32 {
    (rnd(i) - 0.5) as f32
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let x = checked("dot", "x", size, (0..size.n()).map(weyl).collect())?;
    let y = checked("dot", "y", size, (0..size.n()).map(signed).collect())?;
    Ok(Box::new(Dot {
        x: Field::from_slice(device, &x)?,
        y: Field::from_slice(device, &y)?,
        s: f32::NAN,
    }))
}
