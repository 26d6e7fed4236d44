//! Gravity between all pairs of bodies.

use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::input::{checked, rnd};
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "nbody",
    metric: "interactions",
    unit: "Ginter/s",
    note: "",
    tolerance: Tolerance::Relative(1e-4),
    work: |size| (bodies(size) * bodies(size)) as f64 / 1e9,
    reference,
    make: |device, size| make::<Aos>(device, size, gravity),
};

pub const FAST: Workload = Workload {
    name: "nbody_fast",
    note: "`fast_math`",
    make: |device, size| make::<Aos>(device, size, gravity_fast),
    ..WORKLOAD
};

pub const PLANES: Workload = Workload {
    name: "nbody_soa",
    note: "vectors as structures of arrays",
    make: |device, size| make::<Soa>(device, size, gravity),
    ..WORKLOAD
};

const EPS2: f32 = 1e-4;

fn bodies(size: Size) -> usize {
    size.of(256, 8192)
}

macro_rules! kernels {
    ($($name:ident $(($mode:ident))?;)*) => {$(
        /// The pull of all bodies on each.
        #[kernel $(($mode))?]
        pub fn $name(pos: &Field<Vec3>, mass: &Field<f32>, acc: &mut Field<Vec3>) {
            for i in acc.indices() {
                let mut a = Vec3::ZERO;
                for j in 0..pos.len() {
                    let d = pos[j] - pos[i];
                    let r2 = d.dot(d) + EPS2;
                    a += d * (mass[j] / (r2 * r2.sqrt()));
                }
                acc[i] = a;
            }
        }
    )*};
}

kernels! {
    gravity;
    gravity_fast(fast_math);
}

type Step<L> = fn(&Field<Vec3, 1, L>, &Field<f32>, &mut Field<Vec3, 1, L>) -> swathe::Result<()>;

struct Nbody<L: FieldLayout> {
    step: Step<L>,
    pos: Field<Vec3, 1, L>,
    mass: Field<f32>,
    acc: Field<Vec3, 1, L>,
}

impl<L: FieldLayout> Case for Nbody<L> {
    fn run(&mut self) -> swathe::Result<()> {
        (self.step)(&self.pos, &self.mass, &mut self.acc)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.acc.to_vec()?)])
    }
}

fn position(i: usize) -> [f32; 3] {
    [0, 1, 2].map(|k| (rnd(4 * i + k) - 0.5) as f32)
}

fn mass(i: usize) -> f32 {
    (rnd(4 * i + 3) + 0.5) as f32
}

fn make<L: FieldLayout>(device: &Device, size: Size, step: Step<L>) -> Result<Box<dyn Case>, Failure> {
    let n = bodies(size);
    let pos = (0..n).map(|i| Vec3::from_array(position(i))).collect();
    let pos = checked("nbody", "pos", size, pos)?;
    let mass = checked("nbody", "mass", size, (0..n).map(mass).collect())?;
    Ok(Box::new(Nbody {
        step,
        pos: Field::from_slice(device, &pos)?.with_layout(L::default())?,
        mass: Field::from_slice(device, &mass)?,
        acc: Field::zeros_in(device, n, L::default())?,
    }))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let all: Vec<([f64; 3], f64)> = (0..bodies(size))
        .map(|i| (position(i).map(f64::from), f64::from(mass(i))))
        .collect();
    let pull = |at: [f64; 3]| {
        all.iter().fold([0.0; 3], |acc, (pos, mass)| {
            let d = [0, 1, 2].map(|k| pos[k] - at[k]);
            let r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + f64::from(EPS2);
            let scale = mass / (r2 * r2.sqrt());
            [0, 1, 2].map(|k| acc[k] + scale * d[k])
        })
    };
    vec![all.iter().flat_map(|(pos, _)| pull(*pos)).collect()]
}
