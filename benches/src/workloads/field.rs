//! What fields do by the runtime's own kernels, to be held against `copy_field`, which the driver does on a GPU.

use swathe::Soa;
use swathe::prelude::*;

use crate::Failure;
use crate::check::Tolerance;
use crate::input::weyl;
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const FILL: Workload = Workload {
    name: "fill_field",
    metric: "bandwidth",
    unit: "GB/s",
    note: "Field::fill",
    tolerance: Tolerance::Exact,
    work: |size| 4.0 * size.n() as f64 / 1e9,
    reference: |size| vec![vec![1.5; size.n()]],
    make: |device, size| {
        let to = Field::<f32>::zeros(device, size.n())?;
        work(to, |to| to.fill(1.5), Field::to_vec)
    },
};

pub const SUM: Workload = Workload {
    name: "sum_field",
    note: "Field::sum",
    tolerance: Tolerance::Relative(1e-3),
    reference: |size| vec![vec![(0..size.n()).map(|i| f64::from(weyl(i))).sum()]],
    make: |device, size| {
        let from = Field::<f32>::from_fn(device, size.n(), |[i]| weyl(i))?;
        let run = |(from, sum): &mut (Field<f32>, f32)| {
            *sum = from.sum()?;
            Ok(())
        };
        work((from, f32::NAN), run, |(_, sum)| Ok(vec![*sum]))
    },
    ..FILL
};

pub const TRANSPOSE: Workload = Workload {
    name: "transpose_field",
    note: "a view's copy_from",
    work: |size| 2.0 * (FILL.work)(size),
    reference: |size| {
        let [h, w] = matrix(size);
        let of = |i: usize, j: usize| f64::from(weyl(i * w + j));
        vec![(0..w).flat_map(|j| (0..h).map(move |i| of(i, j))).collect()]
    },
    make: |device, size| {
        let [h, w] = matrix(size);
        let from = Field::<f32, 2>::from_fn(device, [h, w], |[i, j]| weyl(i * w + j))?;
        let to = Field::<f32, 2>::zeros(device, [w, h])?;
        work(
            (from, to),
            |(from, to)| to.view_mut()?.copy_from(&from.t()),
            |(_, to)| to.to_vec(),
        )
    },
    ..FILL
};

pub const PLANES: Workload = Workload {
    name: "planes_field",
    note: "into another layout",
    work: |size| 24.0 * size.n().div_ceil(3) as f64 / 1e9,
    reference: |size| vec![(0..size.n().div_ceil(3) * 3).map(|k| f64::from(weyl(k))).collect()],
    make: |device, size| {
        let vector = |[i]: [usize; 1]| Vec3::new(weyl(3 * i), weyl(3 * i + 1), weyl(3 * i + 2));
        let from = Field::<Vec3>::from_fn(device, size.n().div_ceil(3), vector)?;
        let to = Field::<Vec3>::zeros_in(device, from.len(), Soa)?;
        let output = |(_, to): &(_, Field<Vec3, 1, Soa>)| Ok(to.to_ndarray()?.into_iter().collect());
        work((from, to), |(from, to)| to.copy_from(from), output)
    },
    ..FILL
};

/// Rows and columns, of which no number is a power of two, of about as many elements.
fn matrix(size: Size) -> [usize; 2] {
    let h = size.n().isqrt().max(1) | 1;
    [h, size.n().div_ceil(h)]
}

/// Fields, and what is done with them.
struct Work<F> {
    fields: F,
    run: fn(&mut F) -> swathe::Result<()>,
    output: fn(&F) -> swathe::Result<Vec<f32>>,
}

fn work<F: 'static>(
    fields: F,
    run: fn(&mut F) -> swathe::Result<()>,
    output: fn(&F) -> swathe::Result<Vec<f32>>,
) -> Result<Box<dyn Case>, Failure> {
    Ok(Box::new(Work { fields, run, output }))
}

impl<F> Case for Work<F> {
    fn run(&mut self) -> swathe::Result<()> {
        (self.run)(&mut self.fields)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![(self.output)(&self.fields)?.into_iter().map(f64::from).collect()])
    }
}
