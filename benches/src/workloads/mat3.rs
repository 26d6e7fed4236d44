//! Product, inverse and determinant of many matrices of 3 x 3.

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, rnd};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "mat3",
    metric: "matrices",
    unit: "Mmat/s",
    note: "",
    tolerance: Tolerance::Relative(1e-5),
    work: |size| count(size) as f64 / 1e6,
    reference,
    make: make::<Aos>,
};

pub const PLANES: Workload = Workload {
    name: "mat3_soa",
    note: "matrices as structures of arrays",
    make: make::<Soa>,
    ..WORKLOAD
};

fn count(size: Size) -> usize {
    size.count(1 << 10, 1 << 20)
}

/// Products, inverses and determinants.
#[kernel]
pub fn mat3(a: &Field<Mat3>, b: &Field<Mat3>, c: &mut Field<Mat3>, inv: &mut Field<Mat3>, det: &mut Field<f32>) {
    for i in a.indices() {
        c[i] = a[i] * b[i];
        inv[i] = a[i].inverse();
        det[i] = a[i].determinant();
    }
}

struct Matrices<L: FieldLayout> {
    a: Field<Mat3, 1, L>,
    b: Field<Mat3, 1, L>,
    c: Field<Mat3, 1, L>,
    inv: Field<Mat3, 1, L>,
    det: Field<f32>,
}

impl<L: FieldLayout> Case for Matrices<L> {
    fn run(&mut self) -> swathe::Result<()> {
        mat3(&self.a, &self.b, &mut self.c, &mut self.inv, &mut self.det)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![
            numbers(&self.c.to_vec()?),
            numbers(&self.inv.to_vec()?),
            numbers(&self.det.to_vec()?),
        ])
    }
}

fn left(i: usize) -> [[f32; 3]; 3] {
    let element = |r: usize, c: usize| rnd(9 * i + 3 * r + c) - 0.5 + if r == c { 2.0 } else { 0.0 };
    [0, 1, 2].map(|r| [0, 1, 2].map(|c| element(r, c) as f32))
}

fn right(i: usize, n: usize) -> [[f32; 3]; 3] {
    [0, 1, 2].map(|r| [0, 1, 2].map(|c| (rnd(9 * n + 9 * i + 3 * r + c) - 0.5) as f32))
}

fn make<L: FieldLayout>(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    let n = count(size);
    let a = checked("mat3", "a", size, (0..n).map(|i| Mat3::from_array(left(i))).collect())?;
    let b = checked(
        "mat3",
        "b",
        size,
        (0..n).map(|i| Mat3::from_array(right(i, n))).collect(),
    )?;
    Ok(Box::new(Matrices {
        a: Field::from_slice(device, &a)?.with_layout(L::default())?,
        b: Field::from_slice(device, &b)?.with_layout(L::default())?,
        c: Field::zeros_in(device, n, L::default())?,
        inv: Field::zeros_in(device, n, L::default())?,
        det: Field::zeros(device, n)?,
    }))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = count(size);
    let (mut products, mut inverses, mut determinants) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        let a = left(i).map(|row| row.map(f64::from));
        let b = right(i, n).map(|row| row.map(f64::from));
        // Cyclic indices give the cofactors their signs.
        let cofactor = |r: usize, c: usize| {
            let (r1, r2, c1, c2) = ((r + 1) % 3, (r + 2) % 3, (c + 1) % 3, (c + 2) % 3);
            a[r1][c1] * a[r2][c2] - a[r1][c2] * a[r2][c1]
        };
        let det: f64 = (0..3).map(|c| a[0][c] * cofactor(0, c)).sum();
        for (r, c) in (0..9).map(|k| (k / 3, k % 3)) {
            products.push((0..3).map(|k| a[r][k] * b[k][c]).sum());
            inverses.push(cofactor(c, r) / det);
        }
        determinants.push(det);
    }
    vec![products, inverses, determinants]
}
