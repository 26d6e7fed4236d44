//! One line for each element, in all the ways.

use rayon::prelude::*;
use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use crate::data::{Numbers, Size, Twin, input, output, random, state, weyl};
use crate::hand::CHUNK;
use crate::idiom::{Measured, idiom};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom(
            "saxpy",
            |size| Ok((input([size.n()], weyl)?, state([size.n()], random)?)),
            saxpy,
        )
        .form("by index", saxpy_index::plan, |(x, y)| {
            saxpy_index(0.5, &x.field, &mut y.field)
        })
        .form("range", saxpy_range::plan, |(x, y)| {
            saxpy_range(0.5, &x.field, &mut y.field)
        })
        .form("`ndrange`", saxpy_ndrange::plan, |(x, y)| {
            saxpy_ndrange(0.5, &x.field, &mut y.field)
        })
        .form("local variables", saxpy_local::plan, |(x, y)| {
            saxpy_local(0.5, &x.field, &mut y.field)
        })
        .form("`#[func]`", saxpy_func::plan, |(x, y)| {
            saxpy_func(0.5, &x.field, &mut y.field)
        })
        .form("guard", saxpy_guard::plan, |(x, y)| {
            saxpy_guard(0.5, &x.field, &mut y.field)
        })
        .form("generic", saxpy_generic::<f32>::plan, |(x, y)| {
            saxpy_generic(0.5, &x.field, &mut y.field)
        })
        .expression(|(x, y)| y.field.update(|y| 0.5 * &x.field + y))
        .done(),
        idiom(
            "saxpy, 2-D",
            |size| Ok((input(size.plane(), weyl)?, state(size.plane(), random)?)),
            flat,
        )
        .form("`[i, j]`", plane_pair::plan, |(x, y)| {
            plane_pair(0.5, &x.field, &mut y.field)
        })
        .form("whole index", plane_whole::plan, |(x, y)| {
            plane_whole(0.5, &x.field, &mut y.field)
        })
        .form("rows", plane_rows::plan, |(x, y)| {
            plane_rows(0.5, &x.field, &mut y.field)
        })
        .form("columns", plane_columns::plan, |(x, y)| {
            plane_columns(0.5, &x.field, &mut y.field)
        })
        .expression(|(x, y)| y.field.update(|y| 0.5 * &x.field + y))
        .done(),
        idiom(
            "functions of floats",
            |size| Ok((input([size.n()], weyl)?, output([size.n()])?)),
            functions,
        )
        .form("in one expression", functions_one::plan, |(x, y)| {
            functions_one(&x.field, &mut y.field)
        })
        .form("`if` around one", functions_if::plan, |(x, y)| {
            functions_if(&x.field, &mut y.field)
        })
        .expression(|(x, y)| {
            let x = x.field.expr();
            y.field.assign((3.0 * x).sin() * (-x).exp() + (1.0 + x).ln().sqrt())
        })
        .done(),
        idiom("structs of vectors", bodies::<Aos>, move_bodies::<Aos>)
            .form("by member", bodies_member::plan, |(b,)| bodies_member(&mut b.field))
            .form("whole struct", bodies_whole::plan, |(b,)| bodies_whole(&mut b.field))
            .form("method", bodies_method::plan, |(b,)| bodies_method(&mut b.field))
            .done(),
        idiom(
            "structs of vectors, layout by members",
            bodies::<Soa>,
            move_bodies::<Soa>,
        )
        .form("by member", bodies_member::plan, |(b,)| bodies_member(&mut b.field))
        .form("whole struct", bodies_whole::plan, |(b,)| bodies_whole(&mut b.field))
        .form("method", bodies_method::plan, |(b,)| bodies_method(&mut b.field))
        .done(),
    ]
}

type Line = (Twin<f32>, Twin<f32>);
type Plane = (Twin<f32, 2>, Twin<f32, 2>);

#[kernel]
fn saxpy_index(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

#[kernel]
fn saxpy_range(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in 0..x.len() {
        y[i] = a * x[i] + y[i];
    }
}

#[kernel]
fn saxpy_ndrange(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for [i] in ndrange([x.len()]) {
        y[i] += a * x[i];
    }
}

#[kernel]
fn saxpy_local(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    let n = x.len();
    for i in 0..n {
        let xi = x[i];
        let yi = y[i];
        let value = a * xi + yi;
        y[i] = value;
    }
}

#[func]
fn axpy(a: f32, x: f32, y: f32) -> f32 {
    a * x + y
}

#[kernel]
fn saxpy_func(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in x.indices() {
        y[i] = axpy(a, x[i], y[i]);
    }
}

#[kernel]
fn saxpy_guard(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        if i < x.len() {
            y[i] += a * x[i];
        }
    }
}

#[kernel]
fn saxpy_generic<T: Float>(a: T, x: &Field<T>, y: &mut Field<T>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

#[kernel]
fn plane_pair(a: f32, x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    for [i, j] in y.indices() {
        y[[i, j]] += a * x[[i, j]];
    }
}

#[kernel]
fn plane_whole(a: f32, x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    for p in x.indices() {
        y[p] += a * x[p];
    }
}

#[kernel]
fn plane_rows(a: f32, x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for i in 0..h {
        for j in 0..w {
            y[[i, j]] += a * x[[i, j]];
        }
    }
}

#[kernel]
fn plane_columns(a: f32, x: &Field<f32, 2>, y: &mut Field<f32, 2>) {
    let [h, w] = x.shape();
    for j in 0..w {
        for i in 0..h {
            y[[i, j]] += a * x[[i, j]];
        }
    }
}

#[kernel]
fn functions_one(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = (3.0 * x[i]).sin() * (-x[i]).exp() + (1.0 + x[i]).ln().sqrt();
    }
}

#[kernel]
fn functions_if(x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let wave = (3.0 * x[i]).sin() * (-x[i]).exp();
        let root = if x[i] > 0.0 { (1.0 + x[i]).ln().sqrt() } else { 0.0 };
        y[i] = wave + root;
    }
}

#[derive(Element, Clone, Copy, Debug, Default)]
struct Body {
    pos: Vec3,
    vel: Vec3,
    mass: f32,
}

impl Numbers for Body {
    fn numbers(&self, out: &mut Vec<f64>) {
        self.pos.numbers(out);
        self.vel.numbers(out);
        self.mass.numbers(out);
    }
}

fn bodies<L: FieldLayout>(size: Size) -> swathe::Result<(Twin<Body, 1, L>,)> {
    let vector = |i| Vec3::new(random(i), random(i + 1), random(i + 2));
    let body = |i| Body {
        pos: vector(7 * i),
        vel: vector(7 * i + 3),
        mass: 1.0 + weyl(i),
    };
    Ok((state([size.of(1 << 15, 1 << 21) + 5], body)?,))
}

#[kernel]
fn bodies_member(bodies: &mut Field<Body>) {
    for i in bodies.indices() {
        bodies[i].vel -= bodies[i].pos * (0.01 / bodies[i].mass);
        bodies[i].pos += bodies[i].vel * 0.01;
    }
}

#[kernel]
fn bodies_whole(bodies: &mut Field<Body>) {
    for i in bodies.indices() {
        let mut b = bodies[i];
        b.vel -= b.pos * (0.01 / b.mass);
        b.pos += b.vel * 0.01;
        bodies[i] = b;
    }
}

#[func]
impl Body {
    fn moved(self, dt: f32) -> Body {
        let vel = self.vel - self.pos * (dt / self.mass);
        Body {
            pos: self.pos + vel * dt,
            vel,
            mass: self.mass,
        }
    }
}

#[kernel]
fn bodies_method(bodies: &mut Field<Body>) {
    for i in bodies.indices() {
        bodies[i] = bodies[i].moved(0.01);
    }
}

fn move_bodies<L: FieldLayout>(arrays: &mut (Twin<Body, 1, L>,)) {
    moved(&mut arrays.0.plain);
}

by_hand! {
    fn saxpy((x, y): &mut Line) {
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y += 0.5 * x;
            }
        });
    }

    fn flat((x, y): &mut Plane) {
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y += 0.5 * x;
            }
        });
    }

    fn functions((x, y): &mut Line) {
        y.plain.par_chunks_mut(1024).zip(x.plain.par_chunks(1024)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                *y = (3.0 * x).sin() * (-x).exp() + (1.0 + x).ln().sqrt();
            }
        });
    }

    fn moved(bodies: &mut [Body]) {
        bodies.par_chunks_mut(1024).for_each(|bodies| {
            for b in bodies {
                let f = 0.01 / b.mass;
                b.vel = b.vel - b.pos * f;
                b.pos = b.pos + b.vel * 0.01;
            }
        });
    }
}
