//! The sum of an array.

use swathe::prelude::*;

use crate::Failure;
use crate::check::Tolerance;
use crate::input::{checked, weyl};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "sum",
    metric: "bandwidth",
    unit: "GB/s",
    note: "reduction into a variable",
    tolerance: Tolerance::Relative(1e-3),
    work: |size| 4.0 * size.n() as f64 / 1e9,
    reference: |size| vec![vec![(0..size.n()).map(|i| f64::from(weyl(i))).sum()]],
    make,
};

/// The sum of all elements.
#[kernel]
pub fn sum(x: &Field<f32>) -> f32 {
    let mut s = 0.0;
    for i in x.indices() {
        s += x[i];
    }
    s
}

struct Sum {
    x: Field<f32>,
    s: f32,
}

impl Case for Sum {
    fn run(&mut self) -> swathe::Result<()> {
        self.s = sum(&self.x)?;
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![vec![f64::from(self.s)]])
    }
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let x = checked("sum", "x", size, (0..size.n()).map(weyl).collect())?;
    Ok(Box::new(Sum {
        x: Field::from_slice(device, &x)?,
        s: f32::NAN,
    }))
}
