//! Jacobi's relaxation on a plane with a fixed border, ten steps between two arrays.

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, weyl};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "jacobi2d",
    metric: "bandwidth",
    unit: "GB/s",
    note: "",
    tolerance: Tolerance::Relative(1e-6),
    work: |size| 8.0 * (side(size) * side(size) * STEPS) as f64 / 1e9,
    reference,
    make,
};

const STEPS: usize = 10;

fn side(size: Size) -> usize {
    size.side(64, 4096)
}

/// One step of the relaxation.
#[kernel]
pub fn relax(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            let around = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
            out[[i, j]] = 0.5 * u[[i, j]] + 0.125 * around;
        }
    }
}

struct Jacobi {
    start: Vec<f32>,
    u: Field<f32, 2>,
    next: Field<f32, 2>,
}

impl Case for Jacobi {
    fn reset(&mut self) -> swathe::Result<()> {
        self.u.copy_from_slice(&self.start)?;
        self.next.copy_from_slice(&self.start)
    }

    fn run(&mut self) -> swathe::Result<()> {
        for _ in 0..STEPS {
            relax(&self.u, &mut self.next)?;
            std::mem::swap(&mut self.u, &mut self.next);
        }
        Ok(())
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.u.to_vec()?)])
    }
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let n = side(size);
    let start = checked("jacobi2d", "u", size, (0..n * n).map(weyl).collect())?;
    let mut case = Jacobi {
        u: Field::zeros(device, [n, n])?,
        next: Field::zeros(device, [n, n])?,
        start,
    };
    case.reset()?;
    Ok(Box::new(case))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = side(size);
    let mut u: Vec<f64> = (0..n * n).map(|i| f64::from(weyl(i))).collect();
    let mut next = u.clone();
    for _ in 0..STEPS {
        for i in 1..n - 1 {
            let [above, row, below] = [i - 1, i, i + 1].map(|i| &u[i * n..(i + 1) * n]);
            for j in 1..n - 1 {
                next[i * n + j] = 0.5 * row[j] + 0.125 * (above[j] + below[j] + row[j - 1] + row[j + 1]);
            }
        }
        std::mem::swap(&mut u, &mut next);
    }
    vec![u]
}
