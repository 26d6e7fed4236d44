//! How often each of 256 keys occurs.

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, lowbias};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "histogram",
    metric: "elements",
    unit: "Melem/s",
    note: "atomic additions to one table",
    tolerance: Tolerance::Exact,
    work: |size| size.n() as f64 / 1e6,
    reference,
    make,
};

/// Counts keys.
#[kernel]
pub fn histogram(keys: &Field<i32>, bins: &mut Field<i32>) {
    for i in keys.indices() {
        bins[keys[i] as usize].atomic_add(1);
    }
}

struct Histogram {
    keys: Field<i32>,
    bins: Field<i32>,
}

impl Case for Histogram {
    fn reset(&mut self) -> swathe::Result<()> {
        self.bins.fill(0)
    }

    fn run(&mut self) -> swathe::Result<()> {
        histogram(&self.keys, &mut self.bins)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.bins.to_vec()?)])
    }
}

fn key(i: usize) -> i32 {
    (lowbias(i as u32) >> 24) as i32
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let keys = checked("histogram", "keys", size, (0..size.n()).map(key).collect())?;
    Ok(Box::new(Histogram {
        keys: Field::from_slice(device, &keys)?,
        bins: Field::zeros(device, 256)?,
    }))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let mut bins = vec![0.0; 256];
    for i in 0..size.n() {
        bins[key(i) as usize] += 1.0;
    }
    vec![bins]
}
