//! A picture of a scene that is given by its distance function: rays step as far as nothing is, J. C. Hart, "Sphere
//! tracing" (1996).

use swathe::prelude::*;

use crate::Failure;
use crate::bytes::numbers;
use crate::check::Tolerance;
use crate::size::Size;
use crate::workload::{Case, Workload};

pub const WORKLOAD: Workload = Workload {
    name: "ray_marching",
    metric: "pixels",
    unit: "Mpix/s",
    note: "with shadows",
    tolerance: Tolerance::Picture,
    work: |size| (side(size) * side(size)) as f64 / 1e6,
    reference,
    make,
};

const FAR: f32 = 20.0;
const NEAR: f32 = 1e-3;
const LIGHT: [f32; 3] = [0.48, 0.8, -0.36];
const EYE: [f32; 3] = [0.0, 1.5, -4.0];

fn side(size: Size) -> usize {
    size.side(48, 1024)
}

/// Distance from a floor, a ball, a box and a ring.
#[func]
fn distance(p: Vec3) -> f32 {
    let ball = (p - Vec3::new(-1.2, 0.8, 0.5)).norm() - 0.8;
    let q = (p - Vec3::new(1.2, 0.5, 0.0)).abs() - Vec3::splat(0.5);
    let cube = q.max(Vec3::ZERO).norm() + q.max_component().min(0.0);
    let r = p - Vec3::new(0.2, 0.3, -1.2);
    let ring = Vec2::new(Vec2::new(r.x, r.z).norm() - 0.5, r.y).norm() - 0.2;
    p.y.min(ball).min(cube).min(ring)
}

/// How far a ray goes, at most to `FAR`.
#[func]
fn march(origin: Vec3, direction: Vec3) -> f32 {
    let mut t = 0.0;
    for _ in 0..200 {
        let d = distance(origin + direction * t);
        if d < NEAR || t > FAR {
            break;
        }
        t += d;
    }
    t
}

#[func]
fn normal(p: Vec3) -> Vec3 {
    let dx = Vec3::new(0.01, 0.0, 0.0);
    let dy = Vec3::new(0.0, 0.01, 0.0);
    let dz = Vec3::new(0.0, 0.0, 0.01);
    let x = distance(p + dx) - distance(p - dx);
    let y = distance(p + dy) - distance(p - dy);
    let z = distance(p + dz) - distance(p - dz);
    Vec3::new(x, y, z).normalized()
}

/// The brightness of each pixel.
#[kernel]
pub fn render(picture: &mut Field<f32, 2>) {
    let [h, w] = picture.shape();
    let eye = Vec3::from_array(EYE);
    let light = Vec3::from_array(LIGHT);
    for [i, j] in picture.indices() {
        let x = (j as f32 + 0.5) / w as f32 - 0.5;
        let y = 0.3 - (i as f32 + 0.5) / h as f32;
        let ray = Vec3::new(x, y, 1.0).normalized();
        let t = march(eye, ray);
        let mut shade = 0.0;
        if t < FAR {
            let p = eye + ray * t;
            let n = normal(p);
            shade = 0.1;
            if march(p + n * 0.02, light) > FAR {
                shade += 0.9 * n.dot(light).max(0.0);
            }
        }
        picture[[i, j]] = shade;
    }
}

struct Picture {
    picture: Field<f32, 2>,
}

impl Case for Picture {
    fn run(&mut self) -> swathe::Result<()> {
        render(&mut self.picture)
    }

    fn output(&self) -> swathe::Result<Vec<Vec<f64>>> {
        Ok(vec![numbers(&self.picture.to_vec()?)])
    }
}

fn make(device: &Device, size: Size) -> Result<Box<dyn Case>, Failure> {
    Ok(Box::new(Picture {
        picture: Field::zeros(device, [side(size), side(size)])?,
    }))
}

type Point = [f64; 3];

fn plus(p: Point, d: Point, t: f64) -> Point {
    [0, 1, 2].map(|k| p[k] + t * d[k])
}

fn norm(p: &[f64]) -> f64 {
    p.iter().map(|x| x * x).sum::<f64>().sqrt()
}

fn scene(p: Point) -> f64 {
    let ball = norm(&plus(p, [-1.2, 0.8, 0.5], -1.0)) - 0.8;
    let q = plus(p, [1.2, 0.5, 0.0], -1.0).map(|x| x.abs() - 0.5);
    let inside = q.into_iter().fold(f64::MIN, f64::max).min(0.0);
    let cube = norm(&q.map(|x| x.max(0.0))) + inside;
    let r = plus(p, [0.2, 0.3, -1.2], -1.0);
    let ring = (r[0].hypot(r[2]) - 0.5).hypot(r[1]) - 0.2;
    [p[1], ball, cube, ring].into_iter().fold(f64::MAX, f64::min)
}

fn free(origin: Point, direction: Point) -> f64 {
    let mut t = 0.0;
    for _ in 0..200 {
        let d = scene(plus(origin, direction, t));
        if d < f64::from(NEAR) || t > f64::from(FAR) {
            return t;
        }
        t += d;
    }
    t
}

fn reference(size: Size) -> Vec<Vec<f64>> {
    let n = side(size);
    let (eye, light, far) = (EYE.map(f64::from), LIGHT.map(f64::from), f64::from(FAR));
    let unit = |v: Point| v.map(|x| x / norm(&v));
    let shade = |pixel: usize| {
        let [y, x] = [pixel / n, pixel % n].map(|k| (k as f64 + 0.5) / n as f64);
        let ray = unit([x - 0.5, 0.3 - y, 1.0]);
        let t = free(eye, ray);
        if t >= far {
            return 0.0;
        }
        let p = plus(eye, ray, t);
        let slope = |k: usize| {
            let axis: Point = std::array::from_fn(|a| if a == k { 0.01 } else { 0.0 });
            scene(plus(p, axis, 1.0)) - scene(plus(p, axis, -1.0))
        };
        let normal = unit([slope(0), slope(1), slope(2)]);
        let lit = (0..3).map(|k| normal[k] * light[k]).sum::<f64>().max(0.0);
        let shadow = free(plus(p, normal, 0.02), light) <= far;
        if shadow { 0.1 } else { 0.1 + 0.9 * lit }
    };
    vec![(0..n * n).map(shade).collect()]
}
