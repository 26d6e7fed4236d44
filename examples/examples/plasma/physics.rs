//! Electrons by particles in cells, in one dimension and without a magnetic field: C. K. Birdsall, A. B. Langdon, "Plasma physics via
//! computer simulation" (1985).
//!
//! ```text
//! dx/dt = v,   dv/dt = -E,   dE/dx = 1 - n
//! ```
//!
//! Times are in inverse plasma frequencies and densities in those of the ions, which rest and are everywhere the same.
//! Lengths are in any unit, and velocities in it times the plasma frequency. The line is a ring.
//! Electrons share their charge between two nodes, by linear weights, and take the field from both by the same ones,
//! so that none pushes itself. The step is leapfrog: velocities are known half a step before positions.

use swathe::prelude::*;

#[derive(Element, Clone, Copy, Debug, Default)]
pub struct Electron {
    /// From 0 to below the length of the ring.
    pub x: f32,
    pub v: f32,
}

/// The ring, divided into cells.
#[derive(Element, Clone, Copy, Debug)]
pub struct Ring {
    pub length: f32,
    pub cells: u32,
}

#[func]
impl Ring {
    pub fn cell(self) -> f32 {
        self.length / self.cells as f32
    }

    /// The nodes on both sides of a place, and the weight of the right one.
    pub fn nodes(self, x: f32) -> ([usize; 2], f32) {
        let along = x / self.cell();
        let cells = self.cells as usize;
        // The quotient may be rounded up to the number of cells.
        let left = (along as usize).min(cells - 1);
        let right = if left + 1 < cells { left + 1 } else { 0 };
        ([left, right], along - left as f32)
    }

    /// The same place, within the length.
    pub fn inside(self, x: f32) -> f32 {
        let x = x - self.length * (x / self.length).floor();
        // A little below 0 is the length when it is rounded.
        if x < self.length { x } else { 0.0 }
    }
}

/// The density of electrons at the nodes, where `share` is what one of them is of a cell.
#[kernel]
pub fn deposit(electrons: &Field<Electron>, ring: Ring, share: f32, density: &mut Field<f32>) {
    for c in density.indices() {
        density[c] = 0.0;
    }
    for i in electrons.indices() {
        let ([left, right], weight) = ring.nodes(electrons[i].x);
        density[left].atomic_add(share * (1.0 - weight));
        density[right].atomic_add(share * weight);
    }
}

/// What the field rises by from the middle of the cell before each node to that behind it.
#[kernel]
pub fn rise(density: &Field<f32>, ring: Ring, rises: &mut Field<f32>) {
    for c in rises.indices() {
        rises[c] = (1.0 - density[c]) * ring.cell();
    }
}

/// The field at the nodes, by that in the middle of cells but for a constant. `mean` is the mean of those.
#[kernel]
pub fn at_nodes(middle: &Field<f32>, mean: f32, field: &mut Field<f32>) {
    let n = middle.len();
    for c in field.indices() {
        field[c] = 0.5 * (middle[c.periodic(-1, n)] + middle[c]) - mean;
    }
}

/// Velocities after a step, and then positions.
#[kernel]
pub fn push(electrons: &mut Field<Electron>, field: &Field<f32>, ring: Ring, dt: f32) {
    for i in electrons.indices() {
        let ([left, right], weight) = ring.nodes(electrons[i].x);
        let e = field[left] * (1.0 - weight) + field[right] * weight;
        electrons[i].v -= e * dt;
        electrons[i].x = ring.inside(electrons[i].x + electrons[i].v * dt);
    }
}

/// How many electrons of the first and of the second half of all are in each part of phase space:
/// columns from 0 to the length, rows from `top` down to -`top`.
#[kernel]
pub fn portrait(electrons: &Field<Electron>, ring: Ring, top: f32, counts: &mut Field<UVec2, 2>) {
    let [h, w] = counts.shape();
    for [i, j] in counts.indices() {
        counts[[i, j]] = UVec2::ZERO;
    }
    for k in electrons.indices() {
        let Electron { x, v } = electrons[k];
        let row = (0.5 - 0.5 * v / top) * h as f32;
        let column = (x / ring.length * w as f32) as usize;
        if row >= 0.0 && row < h as f32 && column < w {
            let one = if 2 * k < electrons.len() { UVec2::X } else { UVec2::Y };
            counts[[row as usize, column]].atomic_add(one);
        }
    }
}

/// The sum of the velocities, and that of their squares.
#[kernel]
pub fn moments(electrons: &Field<Electron>) -> [f64; 2] {
    let (mut first, mut second) = (0.0, 0.0);
    for i in electrons.indices() {
        let v = electrons[i].v as f64;
        first += v;
        second += v * v;
    }
    [first, second]
}

pub struct Plasma {
    pub ring: Ring,
    pub electrons: Field<Electron>,
    /// At the nodes, of the electrons where they were before the last step.
    pub density: Field<f32>,
    pub field: Field<f32>,
    rises: Field<f32>,
}

impl Plasma {
    /// On a ring of a cell or more.
    pub fn new(ring: Ring, electrons: Field<Electron>) -> swathe::Result<Plasma> {
        let cells = ring.cells.max(1);
        let density = Field::zeros(electrons.device(), cells as usize)?;
        Ok(Plasma {
            ring: Ring { cells, ..ring },
            electrons,
            field: density.try_clone()?,
            rises: density.try_clone()?,
            density,
        })
    }

    /// The density and the field of the electrons where they are.
    pub fn solve(&mut self) -> swathe::Result<()> {
        let share = self.ring.cells as f32 / self.electrons.len().max(1) as f32;
        deposit(&self.electrons, self.ring, share, &mut self.density)?;
        // Gauss's law, from node to node.
        rise(&self.density, self.ring, &mut self.rises)?;
        let middle = self.rises.cumsum()?;
        let mean = middle.mean()?.unwrap_or(0.0);
        at_nodes(&middle, mean, &mut self.field)
    }

    pub fn step(&mut self, dt: f32) -> swathe::Result<()> {
        self.solve()?;
        push(&mut self.electrons, &self.field, self.ring, dt)
    }

    /// Mean momentum and kinetic energy of the electrons, and the field's energy, for each electron of mass 1.
    pub fn measure(&self) -> swathe::Result<[f64; 3]> {
        let [momentum, squares] = moments(&self.electrons)?;
        let per_electron = 1.0 / self.electrons.len().max(1) as f64;
        let field: f32 = (&self.field * &self.field).sum()?;
        let energy = 0.5 * f64::from(field) / f64::from(self.ring.cells);
        Ok([momentum * per_electron, 0.5 * squares * per_electron, energy])
    }
}
