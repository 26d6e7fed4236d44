//! What a launch costs, apart from its work.

use swathe::prelude::*;

use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "launch",
    metric: "time per launch",
    unit: "ns",
    note: "",
    tolerance: Tolerance::Exact,
    work: |_| 0.0,
    reference: |_| vec![vec![1.0]],
    make: |device, size| {
        Ok(Box::new(Launch {
            x: Field::zeros(device, 1)?,
            count: size.of(200, 20_000),
        }))
    },
};

/// A launch and the wait for its end, which is the shortest time in which a kernel's result can be there.
pub const EMPTY: Workload = Workload {
    name: "launch_and_wait",
    make: |device, size| {
        let launch = Launch {
            x: Field::zeros(device, 1)?,
            count: size.of(200, 2_000),
        };
        Ok(Box::new(Waited(launch)))
    },
    ..WORKLOAD
};

#[kernel]
fn add(x: &mut Field<f32>, a: f32) {
    for i in x.indices() {
        x[i] += a;
    }
}

struct Launch {
    x: Field<f32>,
    count: usize,
}

impl Case for Launch {
    fn reset(&mut self) -> swathe::Result<()> {
        self.x.fill(0.0)
    }

    fn run(&mut self) -> swathe::Result<()> {
        add(&mut self.x, 1.0)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.x.to_vec()?)])
    }

    fn launches(&self) -> Option<usize> {
        Some(self.count)
    }
}

struct Waited(Launch);

impl Case for Waited {
    fn reset(&mut self) -> swathe::Result<()> {
        self.0.reset()
    }

    fn run(&mut self) -> swathe::Result<()> {
        self.0.run()?;
        self.0.x.device().synchronize()
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        self.0.output()
    }

    fn launches(&self) -> Option<usize> {
        self.0.launches()
    }
}
