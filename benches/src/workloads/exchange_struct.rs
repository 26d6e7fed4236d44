//! Plain arrays of the host to the members of a field of structs, and back.

use ndarray::{Array1, Array2};
use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, lowbias, weyl};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const IMPORT: Workload = Workload {
    name: "import_struct",
    metric: "payload",
    unit: "GB/s",
    note: "MemberMut::copy_from_ndarray, twice",
    tolerance: Tolerance::Exact,
    work: |size| 16.0 * count(size) as f64 / 1e9,
    reference,
    make: |device, size| make(device, size, false),
};

pub const EXPORT: Workload = Workload {
    name: "export_struct",
    note: "Member::to_ndarray, twice",
    make: |device, size| make(device, size, true),
    ..IMPORT
};

fn count(size: Size) -> usize {
    size.of(1 << 10, 1 << 20)
}

#[derive(Element, Clone, Copy)]
struct Item {
    id: i32,
    v: Vec3,
}

struct Exchange {
    export: bool,
    id: Array1<i32>,
    v: Array2<f32>,
    items: Field<Item>,
}

impl Exchange {
    fn import(&mut self) -> swathe::Result<()> {
        self.items.member_mut::<i32>("id")?.copy_from_ndarray(&self.id)?;
        self.items.member_mut::<Vec3>("v")?.copy_from_ndarray(&self.v)
    }
}

impl Case for Exchange {
    fn run(&mut self) -> swathe::Result<()> {
        if self.export {
            self.id = self.items.member::<i32>("id")?.to_ndarray()?;
            self.v = self.items.member::<Vec3>("v")?.to_ndarray()?;
            return Ok(());
        }
        self.import()
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        if self.export {
            let v: Vec<f32> = self.v.iter().copied().collect();
            return Ok(vec![numbers(&self.id.to_vec()), numbers(&v)]);
        }
        let items = self.items.to_vec()?;
        let id: Vec<i32> = items.iter().map(|item| item.id).collect();
        let v: Vec<Vec3> = items.iter().map(|item| item.v).collect();
        Ok(vec![numbers(&id), numbers(&v)])
    }
}

fn id(i: usize) -> i32 {
    lowbias(i as u32).cast_signed()
}

fn make(device: &Device, size: Size, export: bool) -> Result<Box<dyn Case>, Failure> {
    let n = count(size);
    let id = checked("struct", "id", size, (0..n).map(id).collect())?;
    let v = checked("struct", "v", size, (0..3 * n).map(weyl).collect())?;
    let mut case = Exchange {
        export,
        id: Array1::from_vec(id),
        v: Array2::from_shape_fn((n, 3), |(i, k)| v[3 * i + k]),
        items: Field::zeros(device, n)?,
    };
    if export {
        case.import()?;
        // What comes back is not what was there.
        (case.id, case.v) = (Array1::zeros(0), Array2::zeros((0, 3)));
    }
    Ok(Box::new(case))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = count(size);
    vec![
        (0..n).map(|i| f64::from(id(i))).collect(),
        (0..3 * n).map(|i| f64::from(weyl(i))).collect(),
    ]
}
