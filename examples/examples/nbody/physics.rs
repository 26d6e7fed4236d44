//! Newton's gravity between all pairs of bodies, softened as by Plummer, in units where the constant of gravity is 1.

use swathe::prelude::*;

#[derive(Element, Clone, Copy, Debug, Default)]
pub struct Body {
    pub pos: Vec3,
    pub vel: Vec3,
    pub mass: f32,
}

/// Acceleration by a body of this mass, `d` away; `eps2` is the square of the length below which gravity weakens.
#[func]
pub fn pull(d: Vec3, mass: f32, eps2: f32) -> Vec3 {
    let r2 = d.dot(d) + eps2;
    d * (mass / (r2 * r2.sqrt()))
}

/// Changes the velocities by the accelerations during `dt`.
#[kernel]
pub fn kick(bodies: &mut Field<Body>, dt: f32, eps2: f32) {
    for i in bodies.indices() {
        let at = bodies[i].pos;
        let mut acc = Vec3::ZERO;
        for j in 0..bodies.len() {
            acc += pull(bodies[j].pos - at, bodies[j].mass, eps2);
        }
        bodies[i].vel += acc * dt;
    }
}

/// Moves the bodies by their velocities during `dt`.
#[kernel]
pub fn drift(bodies: &mut Field<Body>, dt: f32) {
    for i in bodies.indices() {
        bodies[i].pos += bodies[i].vel * dt;
    }
}

/// Kinetic and potential energy.
#[kernel]
pub fn energy(bodies: &Field<Body>, eps2: f32) -> (f64, f64) {
    let mut kinetic = 0.0f64;
    let mut potential = 0.0f64;
    for i in bodies.indices() {
        let body = bodies[i];
        kinetic += 0.5 * (body.mass * body.vel.dot(body.vel)) as f64;
        let mut sum = 0.0;
        for j in 0..bodies.len() {
            if j != i {
                let d = bodies[j].pos - body.pos;
                sum += bodies[j].mass / (d.dot(d) + eps2).sqrt();
            }
        }
        // Each pair is met twice.
        potential -= 0.5 * (body.mass * sum) as f64;
    }
    (kinetic, potential)
}

/// `steps` steps of the leapfrog scheme: a step is half a kick, a drift and half a kick, and neighbouring halves are
/// done at once.
pub fn leapfrog(bodies: &mut Field<Body>, dt: f32, eps2: f32, steps: u32) -> swathe::Result<()> {
    if steps == 0 {
        return Ok(());
    }
    kick(bodies, 0.5 * dt, eps2)?;
    for step in 1..=steps {
        drift(bodies, dt)?;
        kick(bodies, if step == steps { 0.5 * dt } else { dt }, eps2)?;
    }
    Ok(())
}
