//! Smoothed particle hydrodynamics of water that is slightly compressible (J. J. Monaghan, "Simulating free surface flows with SPH", 1994),
//! in the form that smooths the density: S. Marrone et al., "δ-SPH model for simulating violent impact flows" (2011).
//!
//! The density of water at rest is 1. The walls are mirrors: behind them each particle has an image
//! (A. Colagrossi, M. Landrini, "Numerical simulation of interfacial flows by smoothed particle hydrodynamics", 2003).

use swathe::prelude::*;

use super::cells::{Cells, Grid};

/// The smoothing length in spacings. A particle feels those within two of it. Of much more than this, particles pair with their images.
pub const SMOOTHING: f32 = 1.2;
/// How much the density is smoothed.
pub const DIFFUSION: f32 = 0.1;
/// The artificial viscosity.
pub const VISCOSITY: f32 = 0.03;

#[derive(Element, Clone, Copy, Debug, Default)]
pub struct Particle {
    pub pos: Vec2,
    pub vel: Vec2,
    pub density: f32,
}

/// What is the same for all particles.
#[derive(Element, Clone, Copy, Debug)]
pub struct Water {
    /// The tank's width and height; the origin is its lower left corner.
    pub tank: Vec2,
    /// The distance of particles at rest.
    pub spacing: f32,
    /// Downward acceleration.
    pub gravity: f32,
    /// The speed of sound: ten times that of the water or more, so that the density changes by a hundredth at most.
    pub sound: f32,
}

#[func]
impl Water {
    pub fn mass(self) -> f32 {
        self.spacing * self.spacing
    }

    /// Where the kernel ends.
    pub fn reach(self) -> f32 {
        2.0 * SMOOTHING * self.spacing
    }

    /// The equation of state.
    pub fn pressure(self, density: f32) -> f32 {
        self.sound * self.sound * (density - 1.0)
    }

    /// What makes the gradient of the kernel of a distance, squared: H. Wendland's function C2 of two dimensions.
    pub fn slope(self, r2: f32) -> f32 {
        let h = SMOOTHING * self.spacing;
        let rest = (1.0 - 0.5 * r2.sqrt() / h).max(0.0);
        -35.0 / (4.0 * std::f32::consts::PI * h * h * h * h) * rest * rest * rest
    }

    /// The place where images meet `p`: in the corner that is the nearest.
    pub fn corner(self, p: Vec2) -> Vec2 {
        let right = if p.x > 0.5 * self.tank.x { self.tank.x } else { 0.0 };
        let top = if p.y > 0.5 * self.tank.y { self.tank.y } else { 0.0 };
        Vec2::new(right, top)
    }
}

/// The acceleration of `p` by the particles around it. Those are sorted by cells.
#[func]
fn push(particles: &Field<Particle>, start: &Field<u32>, grid: Grid, water: Water, p: Particle) -> Vec2 {
    let friction = VISCOSITY * SMOOTHING * water.spacing * water.sound;
    let pressure = water.pressure(p.density);
    let reach2 = water.reach() * water.reach();
    let [row, column] = grid.place(p.pos);
    let mut sum = Vec2::ZERO;
    for r in row.saturating_sub(1)..(row + 2).min(grid.rows as usize) {
        let first = r * grid.columns as usize;
        let [from, to] = [column.saturating_sub(1), (column + 2).min(grid.columns as usize)];
        for k in start[first + from] as usize..start[first + to] as usize {
            let q = particles[k];
            let d = p.pos - q.pos;
            let r2 = d.length_squared();
            if r2 > 0.0 && r2 < reach2 {
                let approach = (p.vel - q.vel).dot(d) / r2;
                let stress = friction * approach - pressure - water.pressure(q.density);
                sum += d * (stress * water.slope(r2) / q.density);
            }
        }
    }
    sum * (water.mass() / p.density)
}

/// The rate at which the density at `p` changes. Velocities are in `vel`, of the particles in their order.
#[func]
fn squeeze(
    particles: &Field<Particle>,
    vel: &Field<Vec2>,
    start: &Field<u32>,
    grid: Grid,
    water: Water,
    p: Particle,
) -> f32 {
    let smoothing = 2.0 * DIFFUSION * SMOOTHING * water.spacing * water.sound;
    let reach2 = water.reach() * water.reach();
    let [row, column] = grid.place(p.pos);
    let mut sum = 0.0;
    for r in row.saturating_sub(1)..(row + 2).min(grid.rows as usize) {
        let first = r * grid.columns as usize;
        let [from, to] = [column.saturating_sub(1), (column + 2).min(grid.columns as usize)];
        for k in start[first + from] as usize..start[first + to] as usize {
            let q = particles[k];
            let d = p.pos - q.pos;
            let r2 = d.length_squared();
            if r2 < reach2 {
                let flow = p.density * (p.vel - vel[k]).dot(d) - smoothing * (q.density - p.density);
                sum += flow * water.slope(r2) / q.density;
            }
        }
    }
    sum * water.mass()
}

#[func]
impl Particle {
    /// Its image in the walls that meet in a corner: in the vertical one where `flip.x` is -1, in the horizontal one where `flip.y` is.
    pub fn image(self, flip: Vec2, corner: Vec2) -> Particle {
        Particle {
            pos: corner + flip * (self.pos - corner),
            vel: flip * self.vel,
            density: self.density,
        }
    }
}

/// A particle, its images in two walls, and that in both. What an image feels of particles is, mirrored, what the particle feels of images.
const IMAGES: [[f32; 2]; 4] = [[1.0, 1.0], [-1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]];

/// The velocities after a step.
#[kernel]
pub fn accelerate(
    particles: &Field<Particle>,
    start: &Field<u32>,
    grid: Grid,
    water: Water,
    dt: f32,
    vel: &mut Field<Vec2>,
) {
    for i in vel.indices() {
        let p = particles[i];
        let corner = water.corner(p.pos);
        let mut acceleration = Vec2::new(0.0, -water.gravity);
        for [x, y] in IMAGES {
            let flip = Vec2::new(x, y);
            let image = p.image(flip, corner);
            if (image.pos - p.pos).abs().max_component() < 2.0 * water.reach() {
                acceleration += flip * push(particles, start, grid, water, image);
            }
        }
        vel[i] = p.vel + acceleration * dt;
    }
}

/// Densities and places after a step, by the velocities behind it.
#[kernel]
pub fn advance(
    particles: &Field<Particle>,
    vel: &Field<Vec2>,
    start: &Field<u32>,
    grid: Grid,
    water: Water,
    dt: f32,
    new: &mut Field<Particle>,
) {
    for i in new.indices() {
        let p = Particle {
            vel: vel[i],
            ..particles[i]
        };
        let corner = water.corner(p.pos);
        let mut rate = 0.0;
        for [x, y] in IMAGES {
            let image = p.image(Vec2::new(x, y), corner);
            if (image.pos - p.pos).abs().max_component() < 2.0 * water.reach() {
                rate += squeeze(particles, vel, start, grid, water, image);
            }
        }
        let mut q = p;
        q.density += rate * dt;
        q.pos += q.vel * dt;
        // Who goes through the mirror comes out of it.
        if q.pos.x < 0.0 || q.pos.x > water.tank.x {
            q = q.image(Vec2::new(-1.0, 1.0), corner);
        }
        if q.pos.y < 0.0 || q.pos.y > water.tank.y {
            q = q.image(Vec2::new(1.0, -1.0), corner);
        }
        new[i] = q;
    }
}

/// The particles in the order of their cells.
#[kernel]
pub fn gather(particles: &Field<Particle>, order: &Field<u32>, sorted: &mut Field<Particle>) {
    for i in sorted.indices() {
        sorted[i] = particles[order[i] as usize];
    }
}

/// Kinetic energy, and that of height and of pressure, of a mass of 1.
#[kernel]
pub fn energy(particles: &Field<Particle>, water: Water) -> [f64; 2] {
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for i in particles.indices() {
        let p = particles[i];
        kinetic += 0.5 * p.vel.length_squared() as f64;
        // The integral of the pressure over the volume, but for the third power.
        let excess = water.sound * (p.density - 1.0);
        let elastic = 0.5 * excess * excess;
        potential += (water.gravity * p.pos.y + elastic) as f64;
    }
    let mass = 1.0 / particles.len() as f64;
    [kinetic * mass, potential * mass]
}

/// Water in a tank.
pub struct Dam {
    pub water: Water,
    particles: Field<Particle>,
    sorted: Field<Particle>,
    vel: Field<Vec2>,
    cells: Cells,
}

impl Dam {
    /// A block of water in the lower left corner, of whole spacings, under the pressure of its weight.
    pub fn new(device: &Device, water: Water, block: [f32; 2]) -> swathe::Result<Dam> {
        let [columns, rows] = block.map(|side| (side / water.spacing).round() as usize);
        let particle = |[k]: [usize; 1]| {
            let pos = Vec2::new((k % columns) as f32 + 0.5, (k / columns) as f32 + 0.5) * water.spacing;
            let pressure = water.gravity * (block[1] - pos.y);
            Particle {
                pos,
                vel: Vec2::ZERO,
                density: 1.0 + pressure / water.sound.powi(2),
            }
        };
        Dam::of(water, Field::from_fn(device, columns * rows, particle)?)
    }

    /// Particles as they are.
    pub fn of(water: Water, particles: Field<Particle>) -> swathe::Result<Dam> {
        let device = particles.device();
        Ok(Dam {
            cells: Cells::new(device, particles.len(), water.tank, water.reach())?,
            sorted: Field::zeros(device, particles.len())?,
            vel: Field::zeros(device, particles.len())?,
            water,
            particles,
        })
    }

    /// The longest stable step: sound takes three to cross a smoothing length.
    pub fn longest_step(&self) -> f32 {
        SMOOTHING * self.water.spacing / (3.0 * self.water.sound)
    }

    pub fn step(&mut self, dt: f32) -> swathe::Result<()> {
        self.cells.sort(&self.particles.member::<Vec2>("pos")?)?;
        let Cells { grid, start, order, .. } = &self.cells;
        gather(&self.particles, order, &mut self.sorted)?;
        accelerate(&self.sorted, start, *grid, self.water, dt, &mut self.vel)?;
        advance(
            &self.sorted,
            &self.vel,
            start,
            *grid,
            self.water,
            dt,
            &mut self.particles,
        )
    }

    /// Kinetic and potential energy of a mass of 1.
    pub fn energy(&self) -> swathe::Result<[f64; 2]> {
        energy(&self.particles, self.water)
    }

    /// In any order.
    pub fn particles(&self) -> swathe::Result<Vec<Particle>> {
        self.particles.to_vec()
    }
}
