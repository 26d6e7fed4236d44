//! The robot: where its masses are, which springs hold them, and how it learns.

use swathe::Result;
use swathe::derivative::{Adam, Budget, State, StateField, Tape, value_and_gradient};
use swathe::prelude::*;

use super::physics::{Spring, WAVES, advance, backwardness, command, pull};

/// Seconds of a step.
pub const DT: f32 = 1.0 / 800.0;
/// Seconds of a stride.
const PERIOD: f32 = 0.6;

/// Where masses are on a lattice with that spacing, from left to right and from the top: a back and two legs.
const SPACING: f32 = 0.12;
const SHAPE: [&str; 4] = ["#######", "#######", "##...##", "##...##"];

/// What moves.
pub struct Body {
    pub position: Field<Vec2>,
    velocity: Field<Vec2>,
    force: Field<Vec2>,
    pub commands: Field<f32>,
}

impl State for Body {
    fn fields(&mut self, visit: &mut dyn FnMut(StateField<'_>)) {
        self.position.fields(visit);
        self.velocity.fields(visit);
        self.force.fields(visit);
        self.commands.fields(visit);
    }
}

/// What stays.
pub struct Robot {
    device: Device,
    pub masses: Vec<Vec2>,
    pub springs: Vec<Spring>,
    held: Field<Spring>,
}

impl Robot {
    pub fn new(device: &Device) -> Result<Robot> {
        let places: Vec<[i32; 2]> = (SHAPE.iter().rev().enumerate())
            .flat_map(|(i, row)| row.char_indices().map(move |(j, cell)| (cell, [j as i32, i as i32])))
            .filter_map(|(cell, place)| (cell == '#').then_some(place))
            .collect();
        let masses: Vec<Vec2> = places
            .iter()
            .map(|[x, y]| Vec2::new(*x as f32, *y as f32) * SPACING)
            .collect();
        let mut springs = Vec::new();
        for a in 0..places.len() {
            for b in a + 1..places.len() {
                let [dx, dy] = [0, 1].map(|k| places[b][k] - places[a][k]);
                if dx.abs() <= 1 && dy.abs() <= 1 {
                    // The legs' springs are muscles.
                    let leg = places[a][1].max(places[b][1]) <= 2;
                    springs.push(Spring {
                        ends: [a as u32, b as u32],
                        rest: (masses[b] - masses[a]).length(),
                        stiffness: 6000.0,
                        swing: if leg { 0.18 } else { 0.0 },
                    });
                }
            }
        }
        let held = Field::from_slice(device, &springs)?;
        Ok(Robot {
            device: device.clone(),
            masses,
            springs,
            held,
        })
    }

    /// At rest, standing.
    pub fn body(&self) -> Result<Body> {
        let n = self.masses.len();
        Ok(Body {
            position: Field::from_slice(&self.device, &self.masses)?,
            velocity: Field::zeros(&self.device, n)?,
            force: Field::zeros(&self.device, n)?,
            commands: Field::zeros(&self.device, self.springs.len())?,
        })
    }

    pub fn step(&self, k: usize, body: &mut Body, weights: &Field<f32, 2>) -> Result<()> {
        let phase = (k as f32 * DT / PERIOD).fract() * std::f32::consts::TAU;
        command(weights, &mut body.commands, phase)?;
        pull(
            &self.held,
            &body.commands,
            &body.position,
            &body.velocity,
            &mut body.force,
        )?;
        advance(&mut body.position, &mut body.velocity, &mut body.force, DT)
    }

    /// How far it has come backwards after so many steps, and the derivative of that with respect to the weights.
    pub fn gradient(&self, weights: &Field<f32, 2>, steps: usize) -> Result<(f64, Field<f32, 2>)> {
        let mut body = self.body()?;
        let way = Tape::steps([weights.source()], &mut body, steps, Budget::states(64), |k, body| {
            self.step(k, body, weights)
        })?;
        let (loss, of_end) = value_and_gradient(body.sources(), || backwardness(&body.position).map(drop))?;
        let gradient = way.backward(&mut body, &of_end)?.take(weights)?;
        Ok((loss, gradient))
    }

    /// Weights of a robot that has learned nothing: nearly still.
    pub fn weights(&self) -> Result<Field<f32, 2>> {
        let small = |[s, k]: [usize; 2]| 0.1 * ((s * 7 + k * 13) as f32 * 1.7).sin();
        Field::from_fn(&self.device, [self.springs.len(), WAVES], small)
    }
}

/// Steps of learning.
pub struct School {
    pub weights: Field<f32, 2>,
    /// Those with which it came farthest, and how far.
    pub best: (Field<f32, 2>, f64),
    adam: Adam,
}

impl School {
    pub fn new(weights: Field<f32, 2>) -> Result<School> {
        Ok(School {
            best: (weights.try_clone()?, f64::NEG_INFINITY),
            weights,
            adam: Adam::new(0.03),
        })
    }

    /// One round; how far it came forward before it.
    pub fn round(&mut self, robot: &Robot, steps: usize) -> Result<f64> {
        let (loss, gradient) = robot.gradient(&self.weights, steps)?;
        if -loss > self.best.1 {
            self.best = (self.weights.try_clone()?, -loss);
        }
        self.adam.step(&mut self.weights, &gradient)?;
        Ok(-loss)
    }
}
