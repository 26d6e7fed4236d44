//! Flocking by three rules: C. W. Reynolds, "Flocks, herds and schools: a distributed behavioral model" (1987).
//!
//! With `d` from a boid to one that it sees, at the distance `r`, and means over all that it sees, the acceleration is
//!
//! ```text
//! separation * sum of -d / r (1 / r - 1 / near), over r < near
//! + alignment * (mean velocity - its velocity) + cohesion * mean of d
//! ```
//!
//! All boids have the same speed, as in T. Vicsek et al., "Novel type of phase transition in a system of self-driven particles" (1995).
//! Lengths and times are in any units; the weights are in those of the acceleration.

use swathe::prelude::*;

use super::cells::{Cells, Grid};

#[derive(Element, Clone, Copy, Debug, Default)]
pub struct Boid {
    pub pos: Vec2,
    pub vel: Vec2,
}

/// What is the same for all boids.
#[derive(Element, Clone, Copy, Debug)]
pub struct Rules {
    /// The sides of the plane, a torus.
    pub plane: Vec2,
    /// How far a boid sees.
    pub reach: f32,
    /// The distance that it keeps.
    pub near: f32,
    pub speed: f32,
    pub separation: f32,
    pub alignment: f32,
    pub cohesion: f32,
}

#[func]
impl Rules {
    /// The shortest of the ways between two places that differ by `d`.
    pub fn shortest(self, d: Vec2) -> Vec2 {
        d - self.plane * (d / self.plane).round()
    }

    /// The same place, from the origin to the sides of the plane.
    pub fn inside(self, at: Vec2) -> Vec2 {
        at - self.plane * (at / self.plane).floor()
    }
}

/// The acceleration of a boid by those around it. Those are sorted by cells.
#[func]
fn steer(boids: &Field<Boid>, start: &Field<u32>, grid: Grid, rules: Rules, me: Boid) -> Vec2 {
    let [row, column] = grid.place(me.pos);
    let [rows, columns] = [grid.rows as usize, grid.columns as usize];
    let mut seen = 0.0;
    let (mut apart, mut velocity, mut centre) = (Vec2::ZERO, Vec2::ZERO, Vec2::ZERO);
    // Three rows and columns of cells, or all where there are less.
    for a in 0..rows.min(3) {
        for b in 0..columns.min(3) {
            let cell = (row + rows - 1 + a) % rows * columns + (column + columns - 1 + b) % columns;
            for k in start[cell] as usize..start[cell + 1] as usize {
                let other = boids[k];
                let d = rules.shortest(other.pos - me.pos);
                let r = d.norm();
                // It does not see itself.
                if r > 0.0 && r < rules.reach {
                    seen += 1.0;
                    velocity += other.vel;
                    centre += d;
                    apart -= d / r * (1.0 / r - 1.0 / rules.near).max(0.0);
                }
            }
        }
    }
    let mean = 1.0 / seen.max(1.0);
    let turn = (velocity - me.vel * seen) * (rules.alignment * mean);
    turn + centre * (rules.cohesion * mean) + apart * rules.separation
}

/// All boids after a step. `boids` are in the order of their cells.
#[kernel]
pub fn fly(boids: &Field<Boid>, start: &Field<u32>, grid: Grid, rules: Rules, dt: f32, new: &mut Field<Boid>) {
    for i in new.indices() {
        let me = boids[i];
        let vel = me.vel + steer(boids, start, grid, rules, me) * dt;
        let vel = vel.normalized_or_zero() * rules.speed;
        let pos = rules.inside(me.pos + vel * dt);
        new[i] = Boid { pos, vel };
    }
}

/// The boids in the order of their cells.
#[kernel]
pub fn gather(boids: &Field<Boid>, order: &Field<u32>, sorted: &mut Field<Boid>) {
    for i in sorted.indices() {
        sorted[i] = boids[order[i] as usize];
    }
}

/// The sum of all directions.
#[kernel]
pub fn direction(boids: &Field<Boid>) -> [f64; 2] {
    let (mut x, mut y) = (0.0, 0.0);
    for i in boids.indices() {
        let way = boids[i].vel.normalized_or_zero();
        x += way.x as f64;
        y += way.y as f64;
    }
    [x, y]
}

pub struct Flock {
    pub rules: Rules,
    boids: Field<Boid>,
    sorted: Field<Boid>,
    cells: Cells,
}

impl Flock {
    /// Boids as they are.
    pub fn of(rules: Rules, boids: Field<Boid>) -> swathe::Result<Flock> {
        let device = boids.device();
        Ok(Flock {
            cells: Cells::new(device, boids.len(), rules.plane, rules.reach)?,
            sorted: Field::zeros(device, boids.len())?,
            rules,
            boids,
        })
    }

    pub fn step(&mut self, dt: f32) -> swathe::Result<()> {
        self.cells.sort(&self.boids.member::<Vec2>("pos")?)?;
        let Cells { grid, start, order, .. } = &self.cells;
        gather(&self.boids, order, &mut self.sorted)?;
        fly(&self.sorted, start, *grid, self.rules, dt, &mut self.boids)
    }

    /// The order parameter: 1 where all fly one way, near 0 where they fly all ways.
    pub fn order(&self) -> swathe::Result<f64> {
        let [x, y] = direction(&self.boids)?;
        Ok(x.hypot(y) / self.boids.len().max(1) as f64)
    }

    /// In any order.
    pub fn boids(&self) -> swathe::Result<Vec<Boid>> {
        self.boids.to_vec()
    }
}
