//! Copies within a device: what its memory gives at best.

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::weyl;
use crate::size::Size;
use crate::workload::{Case, Workload};

/// By a kernel.
pub const KERNEL: Workload = Workload {
    name: "copy",
    metric: "bandwidth",
    unit: "GB/s",
    note: "by a kernel",
    tolerance: Tolerance::Exact,
    work: |size| 8.0 * size.n() as f64 / 1e9,
    reference: |size| vec![(0..size.n()).map(|i| f64::from(weyl(i))).collect()],
    make: |device, size| make(device, size, copy),
};

/// By the method of fields.
pub const FIELD: Workload = Workload {
    name: "copy_field",
    note: "Field::copy_from",
    make: |device, size| make(device, size, |from, to| to.copy_from(from)),
    ..KERNEL
};

/// Element by element.
#[kernel]
pub fn copy(from: &Field<f32>, to: &mut Field<f32>) {
    for i in to.indices() {
        to[i] = from[i];
    }
}

struct Copy {
    from: Field<f32>,
    to: Field<f32>,
    by: fn(&Field<f32>, &mut Field<f32>) -> swathe::Result<()>,
}

impl Case for Copy {
    fn run(&mut self) -> swathe::Result<()> {
        (self.by)(&self.from, &mut self.to)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.to.to_vec()?)])
    }
}

fn make(
    device: &Device,
    size: Size,
    by: fn(&Field<f32>, &mut Field<f32>) -> swathe::Result<()>,
) -> Result<Box<dyn Case>, Failure> {
    Ok(Box::new(Copy {
        from: Field::from_fn(device, size.n(), |[i]| weyl(i))?,
        to: Field::zeros(device, size.n())?,
        by,
    }))
}
