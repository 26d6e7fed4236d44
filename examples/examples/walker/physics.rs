//! A robot of masses and springs on the ground. Lengths are in metres, times in seconds, masses in kilograms.

use swathe::prelude::*;

/// A spring between two masses.
#[derive(Element, Clone, Copy, Debug)]
#[element(Differentiable)]
pub struct Spring {
    /// The numbers of the masses.
    pub ends: [u32; 2],
    /// Its length at rest.
    pub rest: f32,
    /// Force for a metre of stretch, in newtons.
    pub stiffness: f32,
    /// How much of its length a muscle gains or loses; 0 for a spring that is none.
    pub swing: f32,
}

/// Waves that drive the muscles: sines of one period, shifted against each other.
pub const WAVES: usize = 6;

/// What the ground does to a mass: it pushes back, in newtons for a metre of depth.
const GROUND: f32 = 6000.0;
/// Its friction, as a share of that.
const FRICTION: f32 = 0.9;
/// Below this speed friction grows with the speed.
const SLIP: f32 = 0.25;
/// What air and material take of the speed in a second.
const DRAG: f32 = 1.0;
/// Damping along a spring, in newtons for a metre in a second.
const DAMPING: f32 = 12.0;
const GRAVITY: f32 = 9.81;

/// What each spring's muscle is told, from -1 to 1. `weights` has a row for each spring.
#[kernel(grad)]
pub fn command(weights: &Field<f32, 2>, commands: &mut Field<f32>, phase: f32) {
    for s in commands.indices() {
        let mut sum = 0.0;
        for k in 0..WAVES {
            sum += weights[[s, k]] * (phase + k as f32 * (TURN / WAVES as f32)).sin();
        }
        commands[s] = sum.tanh();
    }
}

const TURN: f32 = std::f32::consts::TAU;

/// Adds the forces of the springs.
#[kernel(grad)]
pub fn pull(
    springs: &Field<Spring>,
    commands: &Field<f32>,
    position: &Field<Vec2>,
    velocity: &Field<Vec2>,
    force: &mut Field<Vec2>,
) {
    for s in springs.indices() {
        let spring = springs[s];
        let a = spring.ends[0] as usize;
        let b = spring.ends[1] as usize;
        let between = position[b] - position[a];
        let length = between.length();
        let direction = between / length;
        let wanted = spring.rest * (1.0 + spring.swing * commands[s]);
        let parting = direction.dot(velocity[b] - velocity[a]);
        let pull = direction * (spring.stiffness * (length - wanted) + DAMPING * parting);
        force[a].atomic_add(pull);
        force[b].atomic_add(-pull);
    }
}

/// Moves the masses by the forces, which are used up.
#[kernel(grad)]
pub fn advance(position: &mut Field<Vec2>, velocity: &mut Field<Vec2>, force: &mut Field<Vec2>, dt: f32) {
    for m in position.indices() {
        let depth = (-position[m].y).max(0.0);
        let push = GROUND * depth;
        let slide = (velocity[m].x / SLIP).tanh();
        let mut total = force[m] - velocity[m] * DRAG;
        total.x -= FRICTION * push * slide;
        total.y += push - GRAVITY;
        // What touches the ground loses its speed into it.
        if depth > 0.0 {
            total.y -= 20.0 * velocity[m].y;
        }
        velocity[m] += total * dt;
        position[m] += velocity[m] * dt;
        force[m] = Vec2::ZERO;
    }
}

/// How far the masses are from the origin on average, backwards: less is better.
#[kernel(grad)]
pub fn backwardness(position: &Field<Vec2>) -> f32 {
    let mut sum = 0.0;
    for m in position.indices() {
        sum -= position[m].x / position.len() as f32;
    }
    sum
}
