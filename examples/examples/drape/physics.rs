//! Cloth by position based dynamics: M. Macklin et al., "XPBD" (2016), with one iteration in each of many steps: "Small steps in physics
//! simulation" (2019).
//!
//! The cloth is a grid of particles of mass 1. Threads keep their distance along rows and columns and, softer, across and over two.
//! A particle belongs to many threads; threads of one colour have no particle in common, and are pulled at once.

use std::f32::consts::SQRT_2;

use ndarray::s;
use swathe::prelude::*;

#[derive(Element, Clone, Copy, Debug)]
pub struct Fabric {
    /// The distance of particles in a row at rest.
    pub spacing: f32,
    /// How far a force of 1 draws two particles apart: in rows and columns, across, and over two.
    pub stretch: f32,
    pub shear: f32,
    pub bend: f32,
    /// Downward acceleration.
    pub gravity: f32,
    /// The part of the speed that is lost in a time of 1.
    pub drag: f32,
}

/// What the cloth falls on.
#[derive(Element, Clone, Copy, Debug)]
pub struct Ball {
    pub center: Vec3,
    pub radius: f32,
    /// The height of the floor.
    pub floor: f32,
    /// The part of the motion along what is touched that friction takes in a step.
    pub friction: f32,
}

/// How far a thread moves its first end, and its second end the other way. `give` is its compliance over the square of the step.
#[func]
fn pull(a: Vec3, b: Vec3, rest: f32, give: f32) -> Vec3 {
    let d = b - a;
    let length = d.norm();
    d * ((length - rest) / (length * (2.0 + give)).max(1e-20))
}

/// Where particles fly in a step if nothing holds them.
#[kernel]
pub fn fly(pos: &mut Field<Vec3, 2>, before: &mut Field<Vec3, 2>, vel: &Field<Vec3, 2>, gravity: f32, dt: f32) {
    for at in pos.indices() {
        before[at] = pos[at];
        pos[at] += (vel[at] - Vec3::Y * (gravity * dt)) * dt;
    }
}

/// Threads along the rows, from every second column on.
#[kernel]
pub fn stretch(pos: &mut Field<Vec3, 2>, rest: f32, give: f32) {
    let [h, w] = pos.shape();
    for [i, a] in ndrange([h, w / 2]) {
        let d = pull(pos[[i, 2 * a]], pos[[i, 2 * a + 1]], rest, give);
        pos[[i, 2 * a]] += d;
        pos[[i, 2 * a + 1]] -= d;
    }
}

/// Threads across, from every second row on.
#[kernel]
pub fn shear(pos: &mut Field<Vec3, 2>, rest: f32, give: f32) {
    let [h, w] = pos.shape();
    for [a, j] in ndrange([h / 2, w - 1]) {
        let d = pull(pos[[2 * a, j]], pos[[2 * a + 1, j + 1]], rest, give);
        pos[[2 * a, j]] += d;
        pos[[2 * a + 1, j + 1]] -= d;
    }
}

/// Threads over two along the rows, from every fourth column on.
#[kernel]
pub fn bend(pos: &mut Field<Vec3, 2>, rest: f32, give: f32) {
    let [h, w] = pos.shape();
    for [i, a] in ndrange([h, (w + 1) / 4]) {
        let d = pull(pos[[i, 4 * a]], pos[[i, 4 * a + 2]], rest, give);
        pos[[i, 4 * a]] += d;
        pos[[i, 4 * a + 2]] -= d;
    }
}

/// Out of the ball and the floor, and the velocities of the step.
#[kernel]
pub fn touch(
    pos: &mut Field<Vec3, 2>,
    before: &Field<Vec3, 2>,
    vel: &mut Field<Vec3, 2>,
    ball: Ball,
    keep: f32,
    dt: f32,
) {
    for at in pos.indices() {
        let mut p = pos[at];
        let out = p - ball.center;
        if out.norm() < ball.radius {
            // Slower along the surface, and onto it.
            let normal = out.normalized();
            let slide = p - before[at];
            p -= (slide - normal * slide.dot(normal)) * ball.friction;
            p = ball.center + (p - ball.center).normalized() * ball.radius;
        }
        if p.y < ball.floor {
            let slide = p - before[at];
            p -= Vec3::new(slide.x, 0.0, slide.z) * ball.friction;
            p.y = ball.floor;
        }
        pos[at] = p;
        vel[at] = (p - before[at]) * (keep / dt);
    }
}

/// Threads from a particle on, each once: rows and columns.
const THREADS: [[isize; 2]; 6] = [[0, 1], [1, 0], [1, 1], [1, -1], [0, 2], [2, 0]];

/// The energies of motion, of height and of threads of all particles, and the largest strain of a thread in a row or column.
#[kernel]
pub fn measure(pos: &Field<Vec3, 2>, vel: &Field<Vec3, 2>, fabric: Fabric) -> ([f64; 3], f32) {
    let [h, w] = pos.shape();
    let (mut kinetic, mut height, mut elastic, mut most) = (0.0, 0.0, 0.0, 0.0_f32);
    for [i, j] in pos.indices() {
        kinetic += 0.5 * vel[[i, j]].length_squared() as f64;
        height += (fabric.gravity * pos[[i, j]].y) as f64;
        for [di, dj] in THREADS {
            let (y, x) = ((i as isize + di) as usize, (j as isize + dj) as usize);
            if y < h && x < w {
                let squared = di * di + dj * dj;
                let rest = fabric.spacing * (squared as f32).sqrt();
                let longer = pos[[y, x]].distance(pos[[i, j]]) - rest;
                let compliance = match squared {
                    1 => fabric.stretch,
                    2 => fabric.shear,
                    _ => fabric.bend,
                };
                elastic += (0.5 * longer * longer / compliance) as f64;
                most = most.max(if squared == 1 { longer.abs() / rest } else { 0.0 });
            }
        }
    }
    ([kinetic, height, elastic], most)
}

pub struct Cloth {
    pub fabric: Fabric,
    pub pos: Field<Vec3, 2>,
    pub vel: Field<Vec3, 2>,
    before: Field<Vec3, 2>,
}

impl Cloth {
    /// At rest, with the particles where they are said to be. Both extents are 3 or more.
    pub fn new(
        device: &Device,
        fabric: Fabric,
        shape: [usize; 2],
        place: impl Fn([usize; 2]) -> Vec3,
    ) -> swathe::Result<Cloth> {
        Ok(Cloth {
            fabric,
            pos: Field::from_fn(device, shape, place)?,
            vel: Field::zeros(device, shape)?,
            before: Field::zeros(device, shape)?,
        })
    }

    pub fn step(&mut self, ball: Ball, dt: f32) -> swathe::Result<()> {
        let Fabric { spacing, gravity, .. } = self.fabric;
        let give = |compliance: f32| compliance / (dt * dt);
        fly(&mut self.pos, &mut self.before, &self.vel, gravity, dt)?;
        // Of what remains of the grid from a column or row on, and of its transpose and its mirror image.
        let pos = &mut self.pos;
        for first in 0..4 {
            let (rest, give) = (2.0 * spacing, give(self.fabric.bend));
            bend(&mut pos.slice_mut(s![.., first..])?, rest, give)?;
            bend(&mut pos.slice_mut(s![first.., ..])?.t(), rest, give)?;
        }
        for first in 0..2 {
            let (rest, give) = (SQRT_2 * spacing, give(self.fabric.shear));
            shear(&mut pos.slice_mut(s![first.., ..])?, rest, give)?;
            shear(&mut pos.slice_mut(s![first.., ..;-1])?, rest, give)?;
        }
        for first in 0..2 {
            let give = give(self.fabric.stretch);
            stretch(&mut pos.slice_mut(s![.., first..])?, spacing, give)?;
            stretch(&mut pos.slice_mut(s![first.., ..])?.t(), spacing, give)?;
        }
        let keep = (-self.fabric.drag * dt).exp();
        touch(&mut self.pos, &self.before, &mut self.vel, ball, keep, dt)
    }

    /// The energies of motion, of height and of threads of all particles, and the largest strain of a thread in a row or column.
    pub fn measure(&self) -> swathe::Result<([f64; 3], f32)> {
        measure(&self.pos, &self.vel, self.fabric)
    }
}
