//! Vectors, matrices and members of structs.

use std::marker::PhantomData;

use swathe::prelude::*;

use super::compare::{Flat, case, states};
use crate::suite::support::sources;

#[derive(Element, Clone, Copy, Default)]
#[element(Differentiable)]
struct Body {
    pos: DVec3,
    vel: DVec3,
    mass: f64,
    frame: PhantomData<Inertial>,
}

/// The frame of reference that positions are in.
#[derive(Clone, Copy, Default)]
struct Inertial;

impl Flat for Field<Body> {
    fn of(device: &Device, numbers: &[f64]) -> Self {
        let all: Vec<Body> = numbers
            .chunks(7)
            .map(|c| Body {
                pos: DVec3::new(c[0], c[1], c[2]),
                vel: DVec3::new(c[3], c[4], c[5]),
                mass: c[6],
                frame: PhantomData,
            })
            .collect();
        Field::from_slice(device, &all).unwrap()
    }

    fn numbers(&self) -> Vec<f64> {
        let of = |b: Body| [b.pos.to_array().to_vec(), b.vel.to_array().to_vec(), vec![b.mass]].concat();
        self.to_vec().unwrap().into_iter().flat_map(of).collect()
    }
}

impl Flat for Field<Body, 1, swathe::Soa> {
    fn of(device: &Device, numbers: &[f64]) -> Self {
        <Field<Body> as Flat>::of(device, numbers)
            .with_layout(swathe::Soa)
            .unwrap()
    }

    fn numbers(&self) -> Vec<f64> {
        let all: Field<Body> = self.with_layout(swathe::Aos).unwrap();
        all.numbers()
    }
}

#[func(grad, jvp)]
fn pull(a: DVec3, b: DVec3) -> DVec3 {
    let d = b - a;
    let r2 = d.length_squared() + 0.1;
    d / (r2 * r2.sqrt())
}

#[kernel(grad, jvp)]
fn gravity(bodies: &mut Field<Body>, dt: f64) {
    for i in bodies.indices() {
        let mut acc = DVec3::ZERO;
        for j in 0..bodies.len().min(40) {
            acc += pull(bodies[i].pos, bodies[j].pos) * bodies[j].mass;
        }
        bodies[i].vel += acc * dt;
    }
    for i in bodies.indices() {
        bodies[i].pos += bodies[i].vel * dt;
    }
}

#[kernel(grad, jvp)]
fn kinetic_energy(bodies: &Field<Body>) -> f64 {
    let mut e = 0.0;
    for i in bodies.indices() {
        e += 0.5 * bodies[i].mass * bodies[i].vel.length_squared();
    }
    e
}

#[kernel(grad, jvp)]
fn bounced(bodies: &mut Field<Body>, ground: f64) {
    for i in bodies.indices() {
        bodies[i].pos.y -= bodies[i].vel.y * 0.1;
        if bodies[i].pos.y < ground {
            bodies[i].vel.y = -bodies[i].vel.y;
            bodies[i].mass *= 0.9;
        }
    }
}

#[kernel(grad, jvp)]
fn products(a: &Field<DVec3>, b: &Field<DVec3>, out: &mut Field<DVec3>) {
    for i in out.indices() {
        let mut v = a[i].cross(b[i]) * a[i].dot(b[i]) + 2.0 * a[i] / (b[i].length() + 0.5);
        v.x = v.y * v.z;
        v += DVec3::new(a[i].x, v.x, 1.0).normalized() - DVec3::splat(b[i].y);
        let m = a[i].outer_product(b[i]) + DMat3::IDENTITY * 2.5;
        out[i] = m * v + m.transpose() * a[i].max(b[i]);
        out[i] += b[i] * m.determinant();
    }
}

#[func(grad, jvp)]
fn moved(body: Body, dt: f64) -> Body {
    let mut body = body;
    body.pos += body.vel * dt;
    if body.pos.x > 0.2 {
        body.vel.x *= -0.5;
    }
    Body {
        mass: body.mass * body.pos.y,
        ..body
    }
}

#[kernel(grad, jvp)]
fn whole(bodies: &mut Field<Body>, dt: f64) {
    for i in bodies.indices() {
        let mut body = bodies[i];
        for _ in 0..3 {
            body = moved(body, dt);
            body.vel.y -= dt * body.mass;
        }
        bodies[i] = body;
    }
}

/// Generic over numbers and sizes.
#[func(grad, jvp)]
fn soft<T: Float>(x: T, y: T) -> T {
    let bigger = x.max(y);
    bigger + ((x - bigger).exp() + (y - bigger).exp()).ln()
}

#[kernel(grad, jvp)]
fn generic<T: Float, const N: usize>(a: &Field<Vector<T, N>>, out: &mut Field<Vector<T, N>>) {
    for i in out.indices() {
        let v = a[i];
        let mut w = v * v.length_squared();
        w[0] = soft(v[0], w[N - 1]);
        out[i] = w;
    }
}

pub fn check(device: &Device) {
    // What a person reads.
    assert_eq!(gravity::gradient_source(), include_str!("gravity.txt"));
    let small = || states(&[7]).into_iter().take(4).collect::<Vec<_>>();
    case!(device, gravity, [bodies: mut Field<Body>], (0.1), none, small());
    case!(device, gravity, [bodies: mut Field<Body, 1, swathe::Soa>], (0.1), none, small());
    case!(device, kinetic_energy, [bodies: & Field<Body>], (), sum, states(&[7]));
    case!(device, bounced, [bodies: mut Field<Body>], (0.01), none, states(&[7]));
    case!(device, whole, [bodies: mut Field<Body>], (0.1), none, states(&[7]));
    case!(device, generic, [a: & Field<DVec3>, out: mut Field<DVec3>], (), none, states(&[3, 3]));
    case!(device, products, [a: & Field<DVec3>, b: & Field<DVec3>, out: mut Field<DVec3>], (), none, states(&[3, 3, 3]));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        __pullback_gravity,
        __jvp_gravity,
        __pullback_kinetic_energy,
        __pullback_bounced,
        __jvp_bounced,
        __pullback_whole,
        __jvp_whole,
        __pullback_generic<f32, 2>,
        __jvp_generic<f64, 3>,
        __pullback_products,
        __jvp_products,
    ]
}
