//! Stable fluids: J. Stam (1999), on a staggered grid. The flow carries itself and ink along, and a pressure takes its divergence away.
//!
//! Lengths are in cells. A cell holds the flow through its left face, `x`, and through its upper face, `y`; all else is known at centres.

use swathe::Vector;
use swathe::prelude::*;

/// A round spot that blows, and colours what it blows.
#[derive(Element, Clone, Copy, Debug)]
pub struct Jet {
    /// Column and row.
    pub at: Vec2,
    pub radius: f32,
    /// Columns and rows per step.
    pub flow: Vec2,
    pub ink: Vec3,
}

/// A value between the centres of cells, `at` column and row; beyond the rim that of the rim.
#[func]
fn sample<const N: usize>(f: &Field<Vector<f32, N>, 2>, at: Vec2) -> Vector<f32, N> {
    let [h, w] = f.shape();
    let (y, x) = (at.y.clamp(0.0, (h - 1) as f32), at.x.clamp(0.0, (w - 1) as f32));
    let (i, j) = ((y as usize).min(h - 2), (x as usize).min(w - 2));
    let (s, t) = (y - i as f32, x - j as f32);
    let upper = f[[i, j]] * (1.0 - t) + f[[i, j + 1]] * t;
    let lower = f[[i + 1, j]] * (1.0 - t) + f[[i + 1, j + 1]] * t;
    upper * (1.0 - s) + lower * s
}

/// The flow at a place, of both components at their own faces.
#[func]
fn flow_at(flow: &Field<Vec2, 2>, at: Vec2) -> Vec2 {
    let x = sample(flow, at + Vec2::new(0.5, 0.0)).x;
    let y = sample(flow, at + Vec2::new(0.0, 0.5)).y;
    Vec2::new(x, y)
}

/// Where what is at a place now was `dt` ago, by the midpoint rule.
#[func]
fn trace_back(flow: &Field<Vec2, 2>, at: Vec2, dt: f32) -> Vec2 {
    let half_way = at - flow_at(flow, at) * (0.5 * dt);
    at - flow_at(flow, half_way) * dt
}

/// Carries ink along.
#[kernel]
pub fn carry(new: &mut Field<Vec3, 2>, old: &Field<Vec3, 2>, flow: &Field<Vec2, 2>, dt: f32) {
    for [i, j] in new.indices() {
        new[[i, j]] = sample(old, trace_back(flow, Vec2::new(j as f32, i as f32), dt));
    }
}

/// Carries the flow along.
#[kernel]
pub fn carry_flow(new: &mut Field<Vec2, 2>, flow: &Field<Vec2, 2>, dt: f32) {
    for [i, j] in new.indices() {
        let centre = Vec2::new(j as f32, i as f32);
        let left = trace_back(flow, centre - Vec2::new(0.5, 0.0), dt);
        let upper = trace_back(flow, centre - Vec2::new(0.0, 0.5), dt);
        new[[i, j]] = Vec2::new(flow_at(flow, left).x, flow_at(flow, upper).y);
    }
}

/// Jets blow, and nothing flows into walls. `open` is 0 in walls and 1 elsewhere.
#[kernel]
pub fn blow(flow: &mut Field<Vec2, 2>, ink: &mut Field<Vec3, 2>, jets: &Field<Jet>, open: &Field<f32, 2>) {
    let [h, w] = open.shape();
    for [i, j] in flow.indices() {
        for k in 0..jets.len() {
            let d = (Vec2::new(j as f32, i as f32) - jets[k].at) / jets[k].radius;
            let share = (1.0 - d.length_squared()).max(0.0);
            flow[[i, j]] += (jets[k].flow - flow[[i, j]]) * share;
            ink[[i, j]] += (jets[k].ink - ink[[i, j]]) * share;
        }
        let beyond = Vec2::new(open[[i, j.clamped(-1, w)]], open[[i.clamped(-1, h), j]]);
        flow[[i, j]] = flow[[i, j]] * beyond * open[[i, j]];
    }
}

/// What flows out of each cell.
#[kernel]
pub fn divergence(out: &mut Field<f32, 2>, flow: &Field<Vec2, 2>) {
    for [i, j] in out.interior(1) {
        out[[i, j]] = flow[[i, j + 1]].x - flow[[i, j]].x + flow[[i + 1, j]].y - flow[[i, j]].y;
    }
}

/// Half a sweep of red-black Gauss-Seidel with over-relaxation, from `old` to `new`: the cells of one colour of a chessboard
/// come closer to the pressure that takes the divergence away.
#[kernel]
pub fn relax(
    new: &mut Field<f32, 2>,
    old: &Field<f32, 2>,
    divergence: &Field<f32, 2>,
    open: &Field<f32, 2>,
    colour: usize,
) {
    for [i, j] in new.interior(1) {
        let [n, s, w, e] = [open[[i - 1, j]], open[[i + 1, j]], open[[i, j - 1]], open[[i, j + 1]]];
        let around = n * old[[i - 1, j]] + s * old[[i + 1, j]] + w * old[[i, j - 1]] + e * old[[i, j + 1]];
        let best = (around - divergence[[i, j]]) / (n + s + w + e).max(1.0);
        let share = if (i + j) % 2 == colour {
            RELAXATION * open[[i, j]]
        } else {
            0.0
        };
        new[[i, j]] = old[[i, j]] + share * (best - old[[i, j]]);
    }
}

/// More than 1, so that news travel fast; below 2, so that the sweeps converge.
const RELAXATION: f32 = 1.9;

/// The pressure drives the flow through the faces between open cells.
#[kernel]
pub fn push(flow: &mut Field<Vec2, 2>, pressure: &Field<f32, 2>, open: &Field<f32, 2>) {
    for [i, j] in flow.interior(1) {
        let here = pressure[[i, j]];
        let drop = Vec2::new(here - pressure[[i, j - 1]], here - pressure[[i - 1, j]]);
        flow[[i, j]] -= drop * Vec2::new(open[[i, j - 1]], open[[i - 1, j]]) * open[[i, j]];
    }
}

/// A fluid between walls.
pub struct Fluid {
    pub flow: Field<Vec2, 2>,
    pub ink: Field<Vec3, 2>,
    pub divergence: Field<f32, 2>,
    pressure: Field<f32, 2>,
    open: Field<f32, 2>,
    jets: Field<Jet>,
    next: (Field<Vec2, 2>, Field<Vec3, 2>, Field<f32, 2>),
}

impl Fluid {
    /// At rest, of 3 by 3 cells or more. The rim is a wall, and where `wall` says.
    pub fn new(
        device: &Device,
        shape: [usize; 2],
        wall: impl Fn([usize; 2]) -> bool,
        jets: &[Jet],
    ) -> swathe::Result<Fluid> {
        let rim = |[i, j]: [usize; 2]| i == 0 || j == 0 || i + 1 == shape[0] || j + 1 == shape[1];
        let pressure = Field::zeros(device, shape)?;
        let (flow, ink) = (Field::zeros(device, shape)?, Field::zeros(device, shape)?);
        Ok(Fluid {
            next: (flow.try_clone()?, ink.try_clone()?, pressure.try_clone()?),
            divergence: pressure.try_clone()?,
            open: Field::from_fn(device, shape, |at| if rim(at) || wall(at) { 0.0 } else { 1.0 })?,
            jets: Field::from_slice(device, jets)?,
            flow,
            ink,
            pressure,
        })
    }

    /// One step of time; `sweeps` to find the pressure.
    pub fn step(&mut self, dt: f32, sweeps: usize) -> swathe::Result<()> {
        carry_flow(&mut self.next.0, &self.flow, dt)?;
        std::mem::swap(&mut self.flow, &mut self.next.0);
        self.blow()?;
        self.project(sweeps)?;
        carry(&mut self.next.1, &self.ink, &self.flow, dt)?;
        std::mem::swap(&mut self.ink, &mut self.next.1);
        Ok(())
    }

    /// Jets and walls have their way.
    pub fn blow(&mut self) -> swathe::Result<()> {
        blow(&mut self.flow, &mut self.ink, &self.jets, &self.open)
    }

    /// Takes the divergence away.
    pub fn project(&mut self, sweeps: usize) -> swathe::Result<()> {
        divergence(&mut self.divergence, &self.flow)?;
        for half in 0..2 * sweeps {
            relax(&mut self.next.2, &self.pressure, &self.divergence, &self.open, half % 2)?;
            std::mem::swap(&mut self.pressure, &mut self.next.2);
        }
        push(&mut self.flow, &self.pressure, &self.open)
    }
}
