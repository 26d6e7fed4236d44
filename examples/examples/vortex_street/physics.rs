//! A fluid by the lattice Boltzmann method, with nine velocities (D2Q9) and the collisions of Bhatnagar, Gross and Krook: particles hop
//! to neighbouring cells, and what meets in a cell relaxes towards equilibrium. Walls throw back what comes.
//!
//! T. Krüger et al., "The Lattice Boltzmann Method" (2017). Lengths are in cells, times in steps. The plane is a torus.

use swathe::prelude::*;

/// Rows and columns by which each kind of particles moves in a step. Kind `8 - q` moves the other way.
const WAYS: [[i32; 2]; 9] = [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [0, -1],
    [0, 0],
    [0, 1],
    [1, -1],
    [1, 0],
    [1, 1],
];

/// The numbers of a flow.
#[derive(Element, Clone, Copy, Debug)]
pub struct Flow {
    /// Velocity of the wind, columns and rows per step; much less than the speed of sound, 0.577.
    pub wind: Vec2,
    /// In so many columns at the left the fluid is led back to the wind, so that no wake comes around the torus.
    pub fringe: f32,
    /// Force on each cell.
    pub force: Vec2,
    /// Share of the way to equilibrium in a step: 1 / (3 viscosity + 1/2).
    pub omega: f32,
}

#[func]
impl Flow {
    /// The share of the way back to the wind in a step: most in the middle of the fringe, nothing outside of it.
    fn blow(self, column: usize) -> f32 {
        0.2 * (1.0 - (2.0 * column as f32 / self.fringe - 1.0).abs()).max(0.0)
    }
}

/// The velocity of a kind of particles.
#[func]
fn way(q: usize) -> Vec2 {
    Vec2::new(WAYS[q][1] as f32, WAYS[q][0] as f32)
}

/// The share of a kind in a fluid at rest.
#[func]
fn weight(q: usize) -> f32 {
    match q {
        4 => 4.0 / 9.0,
        1 | 3 | 5 | 7 => 1.0 / 9.0,
        _ => 1.0 / 36.0,
    }
}

/// How many there are of a kind in a fluid with this velocity.
#[func]
pub fn equilibrium(q: usize, density: f32, velocity: Vec2) -> f32 {
    let along = 3.0 * way(q).dot(velocity);
    weight(q) * density * (1.0 + along + 0.5 * along * along - 1.5 * velocity.length_squared())
}

/// One step from `old` to `new`, both of shape (9, rows, columns).
#[kernel]
pub fn step(old: &Field<f32, 3>, new: &mut Field<f32, 3>, solid: &Field<bool, 2>, flow: Flow) {
    let [h, w] = solid.shape();
    for [i, j] in solid.indices() {
        // What arrives here.
        let mut f = [0.0; 9];
        let mut density = 0.0;
        let mut momentum = Vec2::ZERO;
        for q in 0..9 {
            f[q] = old[[q, i.periodic(-WAYS[q][0], h), j.periodic(-WAYS[q][1], w)]];
            density += f[q];
            momentum += f[q] * way(q);
        }
        let velocity = momentum / density;
        let blow = flow.blow(j);
        for q in 0..9 {
            let push = 3.0 * weight(q) * way(q).dot(flow.force);
            let relaxed = f[q] + flow.omega * (equilibrium(q, density, velocity) - f[q]) + push;
            let blown = relaxed + blow * (equilibrium(q, 1.0, flow.wind) - relaxed);
            new[[q, i, j]] = if solid[[i, j]] { f[8 - q] } else { blown };
        }
    }
}

/// The force of the fluid on all solid cells: what hits them comes back, and leaves twice its momentum there.
#[kernel]
pub fn drag(f: &Field<f32, 3>, solid: &Field<bool, 2>) -> Vec2 {
    let [h, w] = solid.shape();
    let mut force = Vec2::ZERO;
    for [i, j] in solid.indices() {
        if !solid[[i, j]] {
            for q in 0..9 {
                if solid[[i.periodic(WAYS[q][0], h), j.periodic(WAYS[q][1], w)]] {
                    force += 2.0 * f[[q, i, j]] * way(q);
                }
            }
        }
    }
    force
}

/// The velocity of a cell.
#[func]
pub fn velocity(f: &Field<f32, 3>, i: usize, j: usize) -> Vec2 {
    let mut density = 0.0;
    let mut momentum = Vec2::ZERO;
    for q in 0..9 {
        density += f[[q, i, j]];
        momentum += f[[q, i, j]] * way(q);
    }
    momentum / density
}

/// How fast the fluid turns.
#[kernel]
pub fn vorticity(f: &Field<f32, 3>, out: &mut Field<f32, 2>) {
    let [h, w] = out.shape();
    for [i, j] in out.indices() {
        let rise = velocity(f, i, j.periodic(1, w)).y - velocity(f, i, j.periodic(-1, w)).y;
        let shear = velocity(f, i.periodic(1, h), j).x - velocity(f, i.periodic(-1, h), j).x;
        out[[i, j]] = 0.5 * (rise - shear);
    }
}
