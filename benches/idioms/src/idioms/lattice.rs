//! Lattice Boltzmann by tables of directions, rays against spheres.

use swathe::prelude::*;

use crate::data::{Size, Twin, input, output, random};
use crate::idiom::{Measured, idiom};
use crate::idioms::lattice_by_hand::{collision, rays, step_in_space, streaming};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom("lattice Boltzmann, streaming", lattice, streaming)
            .form("table of pairs, `%`", stream_rem::plan, |(f, g)| {
                stream_rem(&f.field, &mut g.field)
            })
            .form("tables of `i32`, `rem_euclid`", stream_signed::plan, |(f, g)| {
                stream_signed(&f.field, &mut g.field)
            })
            .form("loop over all three", stream_three::plan, |(f, g)| {
                stream_three(&f.field, &mut g.field)
            })
            .form("directions first, `if`", stream_outer::plan, |(f, g)| {
                stream_outer(&f.field, &mut g.field)
            })
            .done(),
        idiom("lattice Boltzmann, collision", lattice, collision)
            .form("tables of numbers", collide_tables::plan, |(f, g)| {
                collide_tables(&f.field, &mut g.field)
            })
            .form("table of `Vec2`", collide_vectors::plan, |(f, g)| {
                collide_vectors(&f.field, &mut g.field)
            })
            .form("local array", collide_local::plan, |(f, g)| {
                collide_local(&f.field, &mut g.field)
            })
            .done(),
        idiom("lattice Boltzmann in space, a step", lattice_in_space, step_in_space)
            .form("local array, `periodic`", step_periodic::plan, |(f, g)| {
                step_periodic(&f.field, &mut g.field)
            })
            .form("local array, `%`, length by a constant", step_rem::plan, |(f, g)| {
                step_rem(&f.field, &mut g.field)
            })
            .form("read twice", step_twice::plan, |(f, g)| {
                step_twice(&f.field, &mut g.field)
            })
            .done(),
        idiom("rays against spheres", scene, rays)
            .form("`#[func]`", rays_func::plan, |(d, s, t)| {
                rays_func(&d.field, &s.field, &mut t.field)
            })
            .form("in the loop, `continue`", rays_continue::plan, |(d, s, t)| {
                rays_continue(&d.field, &s.field, &mut t.field)
            })
            .form("nested `if`", rays_if::plan, |(d, s, t)| {
                rays_if(&d.field, &s.field, &mut t.field)
            })
            .tolerance(1e-3)
            .done(),
    ]
}

pub type Lattice = (Twin<f32, 3>, Twin<f32, 3>);
pub type LatticeInSpace = (Twin<f32, 4>, Twin<f32, 4>);
pub type Scene = (Twin<Vec3>, Twin<Vec4>, Twin<f32>);

pub const X: [i32; 9] = [0, 1, 0, -1, 0, 1, -1, -1, 1];
pub const Y: [i32; 9] = [0, 0, 1, 0, -1, 1, 1, -1, -1];
pub const FROM: [[usize; 2]; 9] = [[1, 1], [1, 0], [0, 1], [1, 2], [2, 1], [0, 0], [0, 2], [2, 2], [2, 0]];
pub const WEIGHTS: [f32; 9] = [
    4.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 9.0,
    1.0 / 36.0,
    1.0 / 36.0,
    1.0 / 36.0,
    1.0 / 36.0,
];
pub const OMEGA: f32 = 1.2;

/// Directions in space: at rest, along axes, along diagonals of planes.
pub const SPACE: usize = 19;
pub const STEPS: [[i32; 3]; SPACE] = [
    [0, 0, 0],
    [1, 0, 0],
    [-1, 0, 0],
    [0, 1, 0],
    [0, -1, 0],
    [0, 0, 1],
    [0, 0, -1],
    [1, 1, 0],
    [-1, -1, 0],
    [1, -1, 0],
    [-1, 1, 0],
    [1, 0, 1],
    [-1, 0, -1],
    [1, 0, -1],
    [-1, 0, 1],
    [0, 1, 1],
    [0, -1, -1],
    [0, 1, -1],
    [0, -1, 1],
];
/// Where from, and one more: 0 is a step down.
const FROM_IN_SPACE: [[usize; 3]; SPACE] = {
    let mut from = [[0; 3]; SPACE];
    let mut q = 0;
    while q < SPACE {
        let [a, b, c] = STEPS[q];
        from[q] = [(1 - a) as usize, (1 - b) as usize, (1 - c) as usize];
        q += 1;
    }
    from
};

fn lattice(size: Size) -> swathe::Result<Lattice> {
    let [h, w] = size.of([128, 131], [1024, 1027]);
    Ok((
        input([9, h, w], |k| WEIGHTS[k / (h * w)] * (0.9 + 0.2 * random(k)))?,
        output([9, h, w])?,
    ))
}

fn lattice_in_space(size: Size) -> swathe::Result<LatticeInSpace> {
    let [d, h, w] = size.of([12, 20, 67], [48, 96, 195]);
    let share = |q| weight(q) * 0.9;
    Ok((
        input([SPACE, d, h, w], |k| share(k / (d * h * w)) + 0.01 * random(k))?,
        output([SPACE, d, h, w])?,
    ))
}

fn scene(size: Size) -> swathe::Result<Scene> {
    // The same rays again and again: of others one may graze a sphere, which rounding decides.
    let direction = |i: usize| {
        let k = 2 * (i % (1 << 14));
        Vec3::new(random(k) - 0.5, random(k + 1) - 0.5, 1.0).normalized()
    };
    let place = |k: usize| 4.0 * random(3 * k) - 2.0;
    let sphere = |k| Vec4::new(place(k), place(k + 100), 4.0 + place(k + 200), 0.3 + 0.2 * random(k));
    Ok((
        input([size.of(1 << 14, 1 << 20)], direction)?,
        input([24], sphere)?,
        output([size.of(1 << 14, 1 << 20)])?,
    ))
}

#[kernel]
fn stream_rem(f: &Field<f32, 3>, g: &mut Field<f32, 3>) {
    let [_, h, w] = f.shape();
    for [i, j] in ndrange([h, w]) {
        for q in 0..9 {
            g[[q, i, j]] = f[[q, (i + h + FROM[q][0] - 1) % h, (j + w + FROM[q][1] - 1) % w]];
        }
    }
}

#[kernel]
fn stream_signed(f: &Field<f32, 3>, g: &mut Field<f32, 3>) {
    let [_, h, w] = f.shape();
    for [i, j] in ndrange([h, w]) {
        for q in 0..9 {
            let y = (i as i32 - Y[q]).rem_euclid(h as i32) as usize;
            let x = (j as i32 - X[q]).rem_euclid(w as i32) as usize;
            g[[q, i, j]] = f[[q, y, x]];
        }
    }
}

#[kernel]
fn stream_three(f: &Field<f32, 3>, g: &mut Field<f32, 3>) {
    let [_, h, w] = f.shape();
    for [q, i, j] in g.indices() {
        let [a, b] = FROM[q];
        g[[q, i, j]] = f[[q, (i + h + a - 1) % h, (j + w + b - 1) % w]];
    }
}

#[kernel]
fn stream_outer(f: &Field<f32, 3>, g: &mut Field<f32, 3>) {
    let [_, h, w] = f.shape();
    for [q, i, j] in g.indices() {
        let a = i + FROM[q][0];
        let b = j + FROM[q][1];
        let y = if a == 0 {
            h - 1
        } else if a == h + 1 {
            0
        } else {
            a - 1
        };
        let x = if b == 0 {
            w - 1
        } else if b == w + 1 {
            0
        } else {
            b - 1
        };
        g[[q, i, j]] = f[[q, y, x]];
    }
}

#[kernel]
fn collide_tables(f: &Field<f32, 3>, g: &mut Field<f32, 3>) {
    let [_, h, w] = f.shape();
    for [i, j] in ndrange([h, w]) {
        let (mut density, mut u, mut v) = (0.0, 0.0, 0.0);
        for q in 0..9 {
            density += f[[q, i, j]];
            u += X[q] as f32 * f[[q, i, j]];
            v += Y[q] as f32 * f[[q, i, j]];
        }
        u /= density;
        v /= density;
        for q in 0..9 {
            let along = 3.0 * (X[q] as f32 * u + Y[q] as f32 * v);
            let rest = density * WEIGHTS[q] * (1.0 + along + 0.5 * along * along - 1.5 * (u * u + v * v));
            g[[q, i, j]] = f[[q, i, j]] + OMEGA * (rest - f[[q, i, j]]);
        }
    }
}

#[func]
fn direction(q: usize) -> Vec2 {
    Vec2::new(X[q] as f32, Y[q] as f32)
}

#[kernel]
fn collide_vectors(f: &Field<f32, 3>, g: &mut Field<f32, 3>) {
    let [_, h, w] = f.shape();
    for [i, j] in ndrange([h, w]) {
        let mut density = 0.0;
        let mut u = Vec2::ZERO;
        for q in 0..9 {
            density += f[[q, i, j]];
            u += f[[q, i, j]] * direction(q);
        }
        u /= density;
        for q in 0..9 {
            let along = 3.0 * direction(q).dot(u);
            let rest = density * WEIGHTS[q] * (1.0 + along + 0.5 * along * along - 1.5 * u.dot(u));
            g[[q, i, j]] = (1.0 - OMEGA) * f[[q, i, j]] + OMEGA * rest;
        }
    }
}

#[kernel]
fn collide_local(f: &Field<f32, 3>, g: &mut Field<f32, 3>) {
    let [_, h, w] = f.shape();
    for [i, j] in ndrange([h, w]) {
        let mut local = [0.0; 9];
        let (mut density, mut u, mut v) = (0.0, 0.0, 0.0);
        for q in 0..9 {
            local[q] = f[[q, i, j]];
            density += local[q];
            u += X[q] as f32 * local[q];
            v += Y[q] as f32 * local[q];
        }
        u /= density;
        v /= density;
        for q in 0..9 {
            let along = 3.0 * (X[q] as f32 * u + Y[q] as f32 * v);
            let rest = density * WEIGHTS[q] * (1.0 + along + 0.5 * along * along - 1.5 * (u * u + v * v));
            g[[q, i, j]] = local[q] + OMEGA * (rest - local[q]);
        }
    }
}

#[func]
pub fn weight(q: usize) -> f32 {
    if q == 0 {
        1.0 / 3.0
    } else if q < 7 {
        1.0 / 18.0
    } else {
        1.0 / 36.0
    }
}

#[func]
fn way(q: usize) -> Vec3 {
    Vec3::new(STEPS[q][0] as f32, STEPS[q][1] as f32, STEPS[q][2] as f32)
}

#[kernel]
fn step_periodic(f: &Field<f32, 4>, g: &mut Field<f32, 4>) {
    let [_, d, h, w] = f.shape();
    for [i, j, k] in ndrange([d, h, w]) {
        let mut local = [0.0; 19];
        let (mut density, mut u) = (0.0, Vec3::ZERO);
        for q in 0..19 {
            let [a, b, c] = STEPS[q];
            local[q] = f[[q, i.periodic(-a, d), j.periodic(-b, h), k.periodic(-c, w)]];
            density += local[q];
            u += local[q] * way(q);
        }
        u /= density;
        for q in 0..19 {
            let along = 3.0 * way(q).dot(u);
            let rest = density * weight(q) * (1.0 + along + 0.5 * along * along - 1.5 * u.dot(u));
            g[[q, i, j, k]] = local[q] + OMEGA * (rest - local[q]);
        }
    }
}

#[kernel]
fn step_rem(f: &Field<f32, 4>, g: &mut Field<f32, 4>) {
    let [_, d, h, w] = f.shape();
    for [i, j, k] in ndrange([d, h, w]) {
        let mut local = [0.0; SPACE];
        let mut density = 0.0;
        let mut u = [0.0; 3];
        for q in 0..SPACE {
            let [a, b, c] = FROM_IN_SPACE[q];
            let from = f[[q, (i + d + a - 1) % d, (j + h + b - 1) % h, (k + w + c - 1) % w]];
            local[q] = from;
            density += from;
            for axis in 0..3 {
                u[axis] += from * STEPS[q][axis] as f32;
            }
        }
        for axis in 0..3 {
            u[axis] /= density;
        }
        let square = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
        for q in 0..SPACE {
            let [a, b, c] = STEPS[q];
            let along = 3.0 * (a as f32 * u[0] + b as f32 * u[1] + c as f32 * u[2]);
            let rest = density * weight(q) * (1.0 + along + 0.5 * along * along - 1.5 * square);
            g[[q, i, j, k]] = local[q] + OMEGA * (rest - local[q]);
        }
    }
}

#[kernel]
fn step_twice(f: &Field<f32, 4>, g: &mut Field<f32, 4>) {
    let [_, d, h, w] = f.shape();
    for [i, j, k] in ndrange([d, h, w]) {
        let (mut density, mut u) = (0.0, Vec3::ZERO);
        for q in 0..19 {
            let (a, b, c) = (
                i.periodic(-STEPS[q][0], d),
                j.periodic(-STEPS[q][1], h),
                k.periodic(-STEPS[q][2], w),
            );
            density += f[[q, a, b, c]];
            u += f[[q, a, b, c]] * way(q);
        }
        u /= density;
        for q in 0..19 {
            let (a, b, c) = (
                i.periodic(-STEPS[q][0], d),
                j.periodic(-STEPS[q][1], h),
                k.periodic(-STEPS[q][2], w),
            );
            let along = 3.0 * way(q).dot(u);
            let rest = density * weight(q) * (1.0 + along + 0.5 * along * along - 1.5 * u.dot(u));
            g[[q, i, j, k]] = (1.0 - OMEGA) * f[[q, a, b, c]] + OMEGA * rest;
        }
    }
}

/// The distance along a ray from the origin, or a large one.
#[func]
fn hit(direction: Vec3, sphere: Vec4) -> f32 {
    let centre = Vec3::new(sphere.x, sphere.y, sphere.z);
    let b = direction.dot(centre);
    let d = b * b - centre.dot(centre) + sphere.w * sphere.w;
    if d > 0.0 && b > d.sqrt() { b - d.sqrt() } else { 1e9 }
}

#[kernel]
fn rays_func(directions: &Field<Vec3>, spheres: &Field<Vec4>, nearest: &mut Field<f32>) {
    for i in directions.indices() {
        let mut near = 1e9_f32;
        for k in 0..spheres.len() {
            near = near.min(hit(directions[i], spheres[k]));
        }
        nearest[i] = near;
    }
}

#[kernel]
fn rays_continue(directions: &Field<Vec3>, spheres: &Field<Vec4>, nearest: &mut Field<f32>) {
    for i in directions.indices() {
        let ray = directions[i];
        let mut near = 1e9_f32;
        for k in spheres.indices() {
            let s = spheres[k];
            let b = ray.x * s.x + ray.y * s.y + ray.z * s.z;
            let d = b * b - (s.x * s.x + s.y * s.y + s.z * s.z) + s.w * s.w;
            if d <= 0.0 {
                continue;
            }
            let t = b - d.sqrt();
            if t > 0.0 && t < near {
                near = t;
            }
        }
        nearest[i] = near;
    }
}

#[kernel]
fn rays_if(directions: &Field<Vec3>, spheres: &Field<Vec4>, nearest: &mut Field<f32>) {
    for i in directions.indices() {
        nearest[i] = 1e9;
        for k in 0..spheres.len() {
            let centre = Vec3::new(spheres[k].x, spheres[k].y, spheres[k].z);
            let b = directions[i].dot(centre);
            let d = b * b - centre.length_squared() + spheres[k].w * spheres[k].w;
            if d > 0.0 {
                let t = b - d.sqrt();
                if t > 0.0 {
                    nearest[i] = nearest[i].min(t);
                }
            }
        }
    }
}
