//! Arrays of the host to fields and back.

use ndarray::{Array1, Array2};
use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, weyl};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const IMPORT_F32: Workload = Workload {
    name: "import_f32",
    metric: "payload",
    unit: "GB/s",
    note: "Field::copy_from_ndarray",
    tolerance: Tolerance::Exact,
    work: |size| 4.0 * size.n() as f64 / 1e9,
    reference: |size| reference(size.n()),
    make: |device, size| f32s(device, size, Way::Import),
};

pub const EXPORT_F32: Workload = Workload {
    name: "export_f32",
    note: "Field::to_ndarray",
    make: |device, size| f32s(device, size, Way::Export),
    ..IMPORT_F32
};

pub const EXPORT_F32_OWN: Workload = Workload {
    name: "export_f32_own",
    note: "Field::copy_to_ndarray, into memory that was used before",
    make: |device, size| f32s(device, size, Way::ExportInto),
    ..IMPORT_F32
};

pub const IMPORT_VEC3: Workload = Workload {
    name: "import_vec3",
    work: |size| 12.0 * vectors(size) as f64 / 1e9,
    reference: |size| reference(3 * vectors(size)),
    make: |device, size| vec3s(device, size, Way::Import),
    ..IMPORT_F32
};

pub const EXPORT_VEC3: Workload = Workload {
    name: "export_vec3",
    note: EXPORT_F32.note,
    make: |device, size| vec3s(device, size, Way::Export),
    ..IMPORT_VEC3
};

pub const EXPORT_VEC3_OWN: Workload = Workload {
    name: "export_vec3_own",
    note: EXPORT_F32_OWN.note,
    make: |device, size| vec3s(device, size, Way::ExportInto),
    ..IMPORT_VEC3
};

fn vectors(size: Size) -> usize {
    size.of(1 << 12, 1 << 22)
}

fn reference(n: usize) -> Vec<Vec<f64>> {
    vec![(0..n).map(|i| f64::from(weyl(i))).collect()]
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Import,
    Export,
    ExportInto,
}

macro_rules! case {
    ($name:ident, $element:ty, $array:ty) => {
        struct $name {
            way: Way,
            source: $array,
            target: $array,
            field: Field<$element>,
        }

        impl Case for $name {
            fn run(&mut self) -> swathe::Result<()> {
                match self.way {
                    Way::Import => self.field.copy_from_ndarray(&self.source)?,
                    Way::Export => self.target = self.field.to_ndarray()?,
                    Way::ExportInto => self.field.copy_to_ndarray(&mut self.target)?,
                }
                Ok(())
            }

            fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
                Ok(vec![match self.way {
                    Way::Import => numbers(&self.field.to_vec()?),
                    _ => numbers(&self.target.iter().copied().collect::<Vec<f32>>()),
                }])
            }
        }
    };
}

case!(Scalars, f32, Array1<f32>);
case!(Vectors, Vec3, Array2<f32>);

fn f32s(device: &Device, size: Size, way: Way) -> Result<Box<dyn Case>, Failure> {
    let n = size.n();
    let source = Array1::from_vec(checked("f32", "x", size, (0..n).map(weyl).collect())?);
    let mut field = Field::zeros(device, n)?;
    if way != Way::Import {
        field.copy_from_ndarray(&source)?;
    }
    Ok(Box::new(Scalars {
        way,
        target: Array1::zeros(n),
        source,
        field,
    }))
}

fn vec3s(device: &Device, size: Size, way: Way) -> Result<Box<dyn Case>, Failure> {
    let n = vectors(size);
    let values = checked("vec3", "x", size, (0..3 * n).map(weyl).collect())?;
    let source = Array2::from_shape_fn((n, 3), |(i, k)| values[3 * i + k]);
    let mut field = Field::zeros(device, n)?;
    if way != Way::Import {
        field.copy_from_ndarray(&source)?;
    }
    Ok(Box::new(Vectors {
        way,
        target: Array2::zeros((n, 3)),
        source,
        field,
    }))
}
