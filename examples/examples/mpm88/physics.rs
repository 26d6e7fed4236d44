//! The moving least squares material point method: Hu et al., "A moving least squares material point method with
//! displacement discontinuity and two-way rigid body coupling" (2018), with the snow of Stomakhin et al., "A material
//! point method for snow simulation" (2013).
//!
//! The material is a cloud of particles in the unit square. In each step they hand mass and momentum to the nodes of a
//! grid, the grid moves on by Newton's law, and the particles take their new velocity from it.

use swathe::prelude::*;

/// Water: resists a change of volume only.
pub const FLUID: u32 = 0;
/// Jelly: comes back to its shape.
pub const JELLY: u32 = 1;
/// Snow: yields beyond a small strain, hardens where it is pressed, and falls apart where it is pulled.
pub const SNOW: u32 = 2;

/// Bulk modulus of the water.
pub const FLUID_BULK: f32 = 600.0;
/// Lamé's parameters of the jelly.
pub const JELLY_MU: f32 = 30.0;
pub const JELLY_LAMBDA: f32 = 80.0;
/// Lamé's parameters of fresh snow.
pub const SNOW_MU: f32 = 420.0;
pub const SNOW_LAMBDA: f32 = 280.0;
/// How much stiffer pressed snow gets, and the most that it does.
pub const HARDENING: f32 = 10.0;
pub const HARDEST: f32 = 6.0;
/// The stretches between which snow is elastic.
pub const SNOW_LOW: f32 = 1.0 - 2.5e-2;
pub const SNOW_HIGH: f32 = 1.0 + 5.0e-3;

/// Mass of a unit of area.
pub const DENSITY: f32 = 1.0;
/// Width of the walls, in nodes.
pub const WALL: usize = 3;

/// A piece of material.
#[derive(Element, Clone, Copy, Debug, Default)]
pub struct Particle {
    pub pos: Vec2,
    pub vel: Vec2,
    /// Gradient of the velocity around the particle.
    pub c: Mat2,
    /// Elastic deformation since the beginning.
    pub f: Mat2,
    /// Volume relative to that at the beginning: of a fluid all of it, of snow the plastic part.
    pub j: f32,
    pub material: u32,
}

/// What a step needs to know beside the particles.
#[derive(Element, Clone, Copy, Debug)]
pub struct Step {
    /// Length in time.
    pub dt: f32,
    /// Acceleration.
    pub gravity: Vec2,
    /// Area of a particle at the beginning.
    pub volume: f32,
}

/// Advances everything by one step. The grid's fields are of shape (n, n); what they hold before is lost.
#[kernel]
pub fn substep(particles: &mut Field<Particle>, velocity: &mut Field<Vec2, 2>, mass: &mut Field<f32, 2>, step: Step) {
    let [n, _] = mass.shape();
    let dx = 1.0 / n as f32;
    let m = DENSITY * step.volume;

    for node in mass.indices() {
        velocity[node] = Vec2::ZERO;
        mass[node] = 0.0;
    }

    // From the particles to the grid: mass, momentum, and the impulse of the stress.
    for p in particles.indices() {
        let q = particles[p].deformed(step.dt);
        particles[p] = q;
        let affine = m * q.c - 4.0 / (dx * dx) * step.dt * step.volume * q.stress();
        let base = (q.pos / dx - 0.5).as_usize();
        let fx = q.pos / dx - Vec2::from_usize(base);
        let w = weights(fx);
        for a in 0..3 {
            for b in 0..3 {
                let node = [base[0] + a, base[1] + b];
                let weight = w[a].x * w[b].y;
                let d = (Vec2::new(a as f32, b as f32) - fx) * dx;
                velocity[node].atomic_add(weight * (m * q.vel + affine * d));
                mass[node].atomic_add(weight * m);
            }
        }
    }

    // On the grid: momentum becomes velocity, gravity pulls, walls hold.
    for [i, j] in velocity.indices() {
        if mass[[i, j]] > 0.0 {
            let mut v = velocity[[i, j]] / mass[[i, j]] + step.dt * step.gravity;
            if i < WALL || i + WALL >= n {
                v.x = if i < WALL { v.x.max(0.0) } else { v.x.min(0.0) };
            }
            if j < WALL || j + WALL >= n {
                v.y = if j < WALL { v.y.max(0.0) } else { v.y.min(0.0) };
            }
            velocity[[i, j]] = v;
        }
    }

    // From the grid to the particles: velocity and its gradient.
    for p in particles.indices() {
        let pos = particles[p].pos;
        let base = (pos / dx - 0.5).as_usize();
        let fx = pos / dx - Vec2::from_usize(base);
        let w = weights(fx);
        let mut vel = Vec2::ZERO;
        let mut c = Mat2::ZERO;
        for a in 0..3 {
            for b in 0..3 {
                let v = w[a].x * w[b].y * velocity[[base[0] + a, base[1] + b]];
                let d = (Vec2::new(a as f32, b as f32) - fx) * dx;
                vel += v;
                c += v.outer_product(d) * (4.0 / (dx * dx));
            }
        }
        particles[p].vel = vel;
        particles[p].c = c;
        particles[p].pos += step.dt * vel;
    }
}

/// The quadratic B-spline's weights of the three nodes along each axis, for a particle `fx` from the first, in cells.
#[func]
pub fn weights(fx: Vec2) -> [Vec2; 3] {
    let l = 1.5 - fx;
    let m = fx - 1.0;
    let r = fx - 0.5;
    [0.5 * l * l, 0.75 - m * m, 0.5 * r * r]
}

#[func]
impl Particle {
    /// The particle after its surroundings have moved with velocity gradient `c` for a time.
    pub fn deformed(self, dt: f32) -> Particle {
        let mut q = self;
        if q.material == FLUID {
            q.j *= 1.0 + dt * q.c.trace();
        } else {
            q.f += dt * q.c * q.f;
        }
        if q.material == SNOW {
            let (u, stretch, v) = svd(q.f);
            let elastic = stretch.clamp(Vec2::splat(SNOW_LOW), Vec2::splat(SNOW_HIGH));
            q.f = u * Mat2::from_diagonal(elastic) * v.transpose();
            q.j *= stretch.product() / elastic.product();
        }
        q
    }

    /// Kirchhoff's stress: the force on a line of unit length, in the size that the line had at the beginning.
    pub fn stress(self) -> Mat2 {
        if self.material == FLUID {
            return FLUID_BULK * self.j * (self.j - 1.0) * Mat2::IDENTITY;
        }
        let mut mu = JELLY_MU;
        let mut lambda = JELLY_LAMBDA;
        if self.material == SNOW {
            let hardening = (HARDENING * (1.0 - self.j)).exp().min(HARDEST);
            mu = SNOW_MU * hardening;
            lambda = SNOW_LAMBDA * hardening;
        }
        // Fixed corotated elasticity.
        let (r, _) = polar(self.f);
        let volume = self.f.determinant();
        2.0 * mu * (self.f - r) * self.f.transpose() + lambda * volume * (volume - 1.0) * Mat2::IDENTITY
    }
}

/// Rotation by an angle.
#[func]
pub fn rotation(cos: f32, sin: f32) -> Mat2 {
    Mat2::from_array([[cos, -sin], [sin, cos]])
}

/// The polar decomposition: a rotation and a symmetric matrix whose product is `m`.
#[func]
pub fn polar(m: Mat2) -> (Mat2, Mat2) {
    let axis = Vec2::new(m[[0, 0]] + m[[1, 1]], m[[1, 0]] - m[[0, 1]]);
    let norm = axis.norm();
    // Of a mirror image every rotation is as near as any other.
    let cos = if norm > 0.0 { axis.x / norm } else { 1.0 };
    let sin = if norm > 0.0 { axis.y / norm } else { 0.0 };
    let r = rotation(cos, sin);
    (r, r.transpose() * m)
}

/// The singular value decomposition: rotations `u` and `v`, and stretches, the larger first, such that `m` is
/// `u * diagonal * v.transpose()`. The second stretch of a mirror image is negative.
#[func]
pub fn svd(m: Mat2) -> (Mat2, Vec2, Mat2) {
    let (r, s) = polar(m);
    let mean = 0.5 * (s[[0, 0]] + s[[1, 1]]);
    let half = 0.5 * (s[[0, 0]] - s[[1, 1]]);
    let off = 0.5 * (s[[0, 1]] + s[[1, 0]]);
    let radius = (half * half + off * off).sqrt();
    let angle = 0.5 * off.atan2(half);
    let v = rotation(angle.cos(), angle.sin());
    (r * v, Vec2::new(mean + radius, mean - radius), v)
}
