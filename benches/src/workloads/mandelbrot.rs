//! The Mandelbrot set: the number of steps before each point of the plane flees.

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "mandelbrot",
    metric: "pixels",
    unit: "Mpix/s",
    note: "",
    tolerance: Tolerance::Counts,
    work: |size| (side(size) * side(size)) as f64 / 1e6,
    reference,
    make,
};

const LIMIT: i32 = 200;

fn side(size: Size) -> usize {
    size.side(64, 2048)
}

/// Counts the steps of each pixel.
#[kernel]
pub fn mandelbrot(count: &mut Field<i32, 2>) {
    let [_, w] = count.shape();
    let step = 3.0 / w as f32;
    for [i, j] in count.indices() {
        let c = Vec2::new(-2.0 + j as f32 * step, -1.5 + i as f32 * step);
        let mut z = Vec2::ZERO;
        let mut n = 0;
        while n < LIMIT && z.x * z.x + z.y * z.y <= 4.0 {
            z = Vec2::new(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
            n += 1;
        }
        count[[i, j]] = n;
    }
}

struct Mandelbrot {
    count: Field<i32, 2>,
}

impl Case for Mandelbrot {
    fn run(&mut self) -> swathe::Result<()> {
        mandelbrot(&mut self.count)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.count.to_vec()?)])
    }
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    Ok(Box::new(Mandelbrot {
        count: Field::zeros(device, [side(size), side(size)])?,
    }))
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let w = side(size);
    let step = 3.0 / w as f64;
    let steps = |pixel: usize| {
        let (cx, cy) = (-2.0 + (pixel % w) as f64 * step, -1.5 + (pixel / w) as f64 * step);
        let (mut x, mut y, mut n) = (0.0, 0.0, 0);
        while n < LIMIT && x * x + y * y <= 4.0 {
            (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
            n += 1;
        }
        f64::from(n)
    };
    vec![(0..w * w).map(steps).collect()]
}
