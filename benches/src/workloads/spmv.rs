//! A sparse matrix in compressed rows times a vector.

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{lowbias, rnd, weyl};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "spmv",
    metric: "stored elements",
    unit: "Melem/s",
    note: "1 to 15 elements in a row, half of them near the diagonal",
    tolerance: Tolerance::Relative(1e-5),
    work: |size| (0..rows(size)).map(row_len).sum::<usize>() as f64 / 1e6,
    reference,
    make,
};

fn rows(size: Size) -> usize {
    size.count(1000, 1 << 20)
}

/// `y = A x`, row by row.
#[kernel]
pub fn spmv(starts: &Field<u32>, columns: &Field<u32>, values: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for r in y.indices() {
        let mut sum = 0.0;
        for k in starts[r] as usize..starts[r + 1] as usize {
            sum += values[k] * x[columns[k] as usize];
        }
        y[r] = sum;
    }
}

struct Product {
    starts: Field<u32>,
    columns: Field<u32>,
    values: Field<f32>,
    x: Field<f32>,
    y: Field<f32>,
}

impl Case for Product {
    fn run(&mut self) -> swathe::Result<()> {
        spmv(&self.starts, &self.columns, &self.values, &self.x, &mut self.y)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.y.to_vec()?)])
    }
}

fn row_len(r: usize) -> usize {
    1 + lowbias(r as u32) as usize % 15
}

/// Column and value of the stored element `k` of a row, in a matrix of `n` columns.
fn element(r: usize, k: usize, n: usize) -> (u32, f32) {
    let h = lowbias((16 * r + k) as u32) as usize;
    let column = if k.is_multiple_of(2) {
        (r + n + h % 64 - 32) % n
    } else {
        h % n
    };
    (column as u32, (rnd(16 * r + k) - 0.5) as f32)
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let n = rows(size);
    let (mut starts, mut columns, mut values) = (vec![0], Vec::new(), Vec::new());
    for r in 0..n {
        for k in 0..row_len(r) {
            let (column, value) = element(r, k, n);
            columns.push(column);
            values.push(value);
        }
        starts.push(columns.len() as u32);
    }
    Ok(Box::new(Product {
        starts: Field::from_slice(device, &starts)?,
        columns: Field::from_slice(device, &columns)?,
        values: Field::from_slice(device, &values)?,
        x: Field::from_fn(device, n, |[i]| weyl(i))?,
        y: Field::zeros(device, n)?,
    }))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = rows(size);
    let product = |r: usize, k: usize| {
        let (column, value) = element(r, k, n);
        f64::from(value) * f64::from(weyl(column as usize))
    };
    vec![(0..n).map(|r| (0..row_len(r)).map(|k| product(r, k)).sum()).collect()]
}
