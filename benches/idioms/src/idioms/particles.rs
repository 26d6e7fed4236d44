//! Particles to grids and back.

use swathe::prelude::*;

use crate::data::{Size, Twin, input, output, random, weyl};
use crate::idiom::{Measured, idiom};
use crate::idioms::particles_by_hand::{back, linear, linear_3d, nearest, quadratic, smooth, trilinear};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom("particles to the nearest node, 2-D", particles, nearest)
            .form("by index", nearest_index::plan, |(p, g)| {
                nearest_index(&p.field, &mut g.field)
            })
            .form("guard", nearest_guard::plan, |(p, g)| {
                nearest_guard(&p.field, &mut g.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom("particles to nodes, linear, 2-D", particles, linear)
            .form("written out", linear_written::plan, |(p, g)| {
                linear_written(&p.field, &mut g.field)
            })
            .form("loops over 2 x 2", linear_loop::plan, |(p, g)| {
                linear_loop(&p.field, &mut g.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom("particles to nodes, quadratic, 2-D", particles, quadratic)
            .form("loops, `#[func]`", quadratic_func::plan, |(p, g)| {
                quadratic_func(&p.field, &mut g.field)
            })
            .form("loops, local array", quadratic_local::plan, |(p, g)| {
                quadratic_local(&p.field, &mut g.field)
            })
            .form("guard", quadratic_guard::plan, |(p, g)| {
                quadratic_guard(&p.field, &mut g.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom("nodes to particles, linear, 2-D", back_2d, back)
            .form("written out", back_written::plan, |(p, g, v)| {
                back_written(&p.field, &g.field, &mut v.field)
            })
            .form("loops over 2 x 2", back_loop::plan, |(p, g, v)| {
                back_loop(&p.field, &g.field, &mut v.field)
            })
            .form("`min`", back_min::plan, |(p, g, v)| {
                back_min(&p.field, &g.field, &mut v.field)
            })
            .done(),
        idiom("nodes to particles, quadratic, 2-D", back_2d, smooth)
            .form("`#[func]`", smooth_func::plan, |(p, g, v)| {
                smooth_func(&p.field, &g.field, &mut v.field)
            })
            .form("local array", smooth_local::plan, |(p, g, v)| {
                smooth_local(&p.field, &g.field, &mut v.field)
            })
            .done(),
        idiom("particles to nodes, linear, 3-D", particles_3d, linear_3d)
            .form("loops over 2 x 2 x 2", cube_loop::plan, |(p, g)| {
                cube_loop(&p.field, &mut g.field)
            })
            .form("weights by `if`", cube_if::plan, |(p, g)| {
                cube_if(&p.field, &mut g.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom("nodes to particles, linear, 3-D", back_3d, trilinear)
            .form("loops over 2 x 2 x 2", trilinear_loop::plan, |(p, g, v)| {
                trilinear_loop(&p.field, &g.field, &mut v.field)
            })
            .form("`lerp` by hand", trilinear_lerp::plan, |(p, g, v)| {
                trilinear_lerp(&p.field, &g.field, &mut v.field)
            })
            .done(),
    ]
}

pub type Plane = (Twin<Vec2>, Twin<f32, 2>);
pub type BackPlane = (Twin<Vec2>, Twin<f32, 2>, Twin<f32>);
pub type Volume = (Twin<Vec3>, Twin<f32, 3>);
pub type BackVolume = (Twin<Vec3>, Twin<f32, 3>, Twin<f32>);

pub const SIDE: usize = 128;
pub const DEPTH: usize = 32;

/// Particles in the order of their cells, as after a sort, four in each.
fn place(p: usize) -> Vec2 {
    let cell = p / 4 % ((SIDE - 4) * (SIDE - 4));
    let (i, j) = (cell / (SIDE - 4), cell % (SIDE - 4));
    Vec2::new(1.0 + i as f32 + random(2 * p), 1.0 + j as f32 + random(2 * p + 1))
}

fn place_3d(p: usize) -> Vec3 {
    let (cell, n) = (p / 2 % (DEPTH - 4).pow(3), DEPTH - 4);
    let at = Vec3::new((cell / (n * n)) as f32, (cell / n % n) as f32, (cell % n) as f32);
    at + Vec3::new(random(3 * p), random(3 * p + 1), random(3 * p + 2)) + 1.0
}

fn count(size: Size) -> usize {
    size.of(1 << 16, 1 << 22)
}

fn particles(size: Size) -> swathe::Result<Plane> {
    Ok((input([count(size)], place)?, output([SIDE, SIDE])?))
}

fn back_2d(size: Size) -> swathe::Result<BackPlane> {
    Ok((
        input([count(size)], place)?,
        input([SIDE, SIDE], weyl)?,
        output([count(size)])?,
    ))
}

fn particles_3d(size: Size) -> swathe::Result<Volume> {
    Ok((input([count(size)], place_3d)?, output([DEPTH; 3])?))
}

fn back_3d(size: Size) -> swathe::Result<BackVolume> {
    Ok((
        input([count(size)], place_3d)?,
        input([DEPTH; 3], weyl)?,
        output([count(size)])?,
    ))
}

#[kernel]
fn nearest_index(pos: &Field<Vec2>, grid: &mut Field<f32, 2>) {
    for p in pos.indices() {
        let cell = (pos[p] + 0.5).as_usize();
        grid[[cell[0], cell[1]]].atomic_add(1.0);
    }
}

#[kernel]
fn nearest_guard(pos: &Field<Vec2>, grid: &mut Field<f32, 2>) {
    let [h, w] = grid.shape();
    for p in pos.indices() {
        let i = pos[p].x.round() as usize;
        let j = pos[p].y.round() as usize;
        if i < h && j < w {
            grid[[i, j]].atomic_add(1.0);
        }
    }
}

#[kernel]
fn linear_written(pos: &Field<Vec2>, grid: &mut Field<f32, 2>) {
    for p in pos.indices() {
        let x = pos[p];
        let (i, j) = (x.x as usize, x.y as usize);
        let (s, t) = (x.x - i as f32, x.y - j as f32);
        grid[[i, j]].atomic_add((1.0 - s) * (1.0 - t));
        grid[[i + 1, j]].atomic_add(s * (1.0 - t));
        grid[[i, j + 1]].atomic_add((1.0 - s) * t);
        grid[[i + 1, j + 1]].atomic_add(s * t);
    }
}

#[kernel]
fn linear_loop(pos: &Field<Vec2>, grid: &mut Field<f32, 2>) {
    for p in pos.indices() {
        let base = pos[p].floor();
        let f = pos[p] - base;
        let node = base.as_usize();
        let w = [Vec2::splat(1.0) - f, f];
        for a in 0..2 {
            for b in 0..2 {
                grid[[node[0] + a, node[1] + b]].atomic_add(w[a].x * w[b].y);
            }
        }
    }
}

#[func]
fn weights(f: Vec2) -> [Vec2; 3] {
    let l = 1.5 - f;
    let m = f - 1.0;
    let r = f - 0.5;
    [0.5 * l * l, 0.75 - m * m, 0.5 * r * r]
}

#[kernel]
fn quadratic_func(pos: &Field<Vec2>, grid: &mut Field<f32, 2>) {
    for p in pos.indices() {
        let base = (pos[p] - 0.5).as_usize();
        let f = pos[p] - Vec2::from_usize(base);
        let w = weights(f);
        for a in 0..3 {
            for b in 0..3 {
                grid[[base[0] + a, base[1] + b]].atomic_add(w[a].x * w[b].y);
            }
        }
    }
}

#[kernel]
fn quadratic_local(pos: &Field<Vec2>, grid: &mut Field<f32, 2>) {
    for p in pos.indices() {
        let x = pos[p];
        let i = (x.x - 0.5) as usize;
        let j = (x.y - 0.5) as usize;
        let s = x.x - i as f32;
        let t = x.y - j as f32;
        let wx = [
            0.5 * (1.5 - s) * (1.5 - s),
            0.75 - (s - 1.0) * (s - 1.0),
            0.5 * (s - 0.5) * (s - 0.5),
        ];
        let wy = [
            0.5 * (1.5 - t) * (1.5 - t),
            0.75 - (t - 1.0) * (t - 1.0),
            0.5 * (t - 0.5) * (t - 0.5),
        ];
        for a in 0..3 {
            for b in 0..3 {
                grid[[i + a, j + b]].atomic_add(wx[a] * wy[b]);
            }
        }
    }
}

#[kernel]
fn quadratic_guard(pos: &Field<Vec2>, grid: &mut Field<f32, 2>) {
    let [h, w] = grid.shape();
    for p in pos.indices() {
        let base = (pos[p] - 0.5).as_usize();
        let f = pos[p] - Vec2::from_usize(base);
        let weight = weights(f);
        for a in 0..3 {
            for b in 0..3 {
                let i = base[0] + a;
                let j = base[1] + b;
                if i < h && j < w {
                    grid[[i, j]].atomic_add(weight[a].x * weight[b].y);
                }
            }
        }
    }
}

#[kernel]
fn back_written(pos: &Field<Vec2>, grid: &Field<f32, 2>, value: &mut Field<f32>) {
    for p in pos.indices() {
        let (i, j) = (pos[p].x as usize, pos[p].y as usize);
        let (s, t) = (pos[p].x - i as f32, pos[p].y - j as f32);
        let low = (1.0 - t) * grid[[i, j]] + t * grid[[i, j + 1]];
        let high = (1.0 - t) * grid[[i + 1, j]] + t * grid[[i + 1, j + 1]];
        value[p] = (1.0 - s) * low + s * high;
    }
}

#[kernel]
fn back_loop(pos: &Field<Vec2>, grid: &Field<f32, 2>, value: &mut Field<f32>) {
    for p in pos.indices() {
        let base = pos[p].floor();
        let f = pos[p] - base;
        let node = base.as_usize();
        let w = [Vec2::splat(1.0) - f, f];
        let mut sum = 0.0;
        for a in 0..2 {
            for b in 0..2 {
                sum += w[a].x * w[b].y * grid[[node[0] + a, node[1] + b]];
            }
        }
        value[p] = sum;
    }
}

#[kernel]
fn back_min(pos: &Field<Vec2>, grid: &Field<f32, 2>, value: &mut Field<f32>) {
    let [h, w] = grid.shape();
    for p in pos.indices() {
        let i = (pos[p].x as usize).min(h - 2);
        let j = (pos[p].y as usize).min(w - 2);
        let (s, t) = (pos[p].x - i as f32, pos[p].y - j as f32);
        let low = (1.0 - t) * grid[[i, j]] + t * grid[[i, j + 1]];
        let high = (1.0 - t) * grid[[i + 1, j]] + t * grid[[i + 1, j + 1]];
        value[p] = (1.0 - s) * low + s * high;
    }
}

#[kernel]
fn smooth_func(pos: &Field<Vec2>, grid: &Field<f32, 2>, value: &mut Field<f32>) {
    for p in pos.indices() {
        let base = (pos[p] - 0.5).as_usize();
        let w = weights(pos[p] - Vec2::from_usize(base));
        let mut sum = 0.0;
        for a in 0..3 {
            for b in 0..3 {
                sum += w[a].x * w[b].y * grid[[base[0] + a, base[1] + b]];
            }
        }
        value[p] = sum;
    }
}

#[kernel]
fn smooth_local(pos: &Field<Vec2>, grid: &Field<f32, 2>, value: &mut Field<f32>) {
    for p in value.indices() {
        let (i, j) = ((pos[p].x - 0.5) as usize, (pos[p].y - 0.5) as usize);
        let (s, t) = (pos[p].x - i as f32, pos[p].y - j as f32);
        let wx = [
            0.5 * (1.5 - s) * (1.5 - s),
            0.75 - (s - 1.0) * (s - 1.0),
            0.5 * (s - 0.5) * (s - 0.5),
        ];
        let wy = [
            0.5 * (1.5 - t) * (1.5 - t),
            0.75 - (t - 1.0) * (t - 1.0),
            0.5 * (t - 0.5) * (t - 0.5),
        ];
        value[p] = 0.0;
        for a in 0..3 {
            for b in 0..3 {
                value[p] += wx[a] * wy[b] * grid[[i + a, j + b]];
            }
        }
    }
}

#[kernel]
fn cube_loop(pos: &Field<Vec3>, grid: &mut Field<f32, 3>) {
    for p in pos.indices() {
        let base = pos[p].floor();
        let f = pos[p] - base;
        let n = base.as_usize();
        let w = [Vec3::splat(1.0) - f, f];
        for a in 0..2 {
            for b in 0..2 {
                for c in 0..2 {
                    grid[[n[0] + a, n[1] + b, n[2] + c]].atomic_add(w[a].x * w[b].y * w[c].z);
                }
            }
        }
    }
}

#[kernel]
fn cube_if(pos: &Field<Vec3>, grid: &mut Field<f32, 3>) {
    for p in pos.indices() {
        let (i, j, k) = (pos[p].x as usize, pos[p].y as usize, pos[p].z as usize);
        let f = pos[p] - Vec3::new(i as f32, j as f32, k as f32);
        for a in 0..2 {
            for b in 0..2 {
                for c in 0..2 {
                    let wx = if a == 0 { 1.0 - f.x } else { f.x };
                    let wy = if b == 0 { 1.0 - f.y } else { f.y };
                    let wz = if c == 0 { 1.0 - f.z } else { f.z };
                    grid[[i + a, j + b, k + c]].atomic_add(wx * wy * wz);
                }
            }
        }
    }
}

#[kernel]
fn trilinear_loop(pos: &Field<Vec3>, grid: &Field<f32, 3>, value: &mut Field<f32>) {
    for p in pos.indices() {
        let base = pos[p].floor();
        let f = pos[p] - base;
        let n = base.as_usize();
        let w = [Vec3::splat(1.0) - f, f];
        let mut sum = 0.0;
        for a in 0..2 {
            for b in 0..2 {
                for c in 0..2 {
                    sum += w[a].x * w[b].y * w[c].z * grid[[n[0] + a, n[1] + b, n[2] + c]];
                }
            }
        }
        value[p] = sum;
    }
}

#[func]
fn mix(a: f32, b: f32, t: f32) -> f32 {
    a + t * (b - a)
}

#[kernel]
fn trilinear_lerp(pos: &Field<Vec3>, grid: &Field<f32, 3>, value: &mut Field<f32>) {
    for p in pos.indices() {
        let [i, j, k] = pos[p].as_usize();
        let f = pos[p] - Vec3::new(i as f32, j as f32, k as f32);
        let x00 = mix(grid[[i, j, k]], grid[[i + 1, j, k]], f.x);
        let x01 = mix(grid[[i, j, k + 1]], grid[[i + 1, j, k + 1]], f.x);
        let x10 = mix(grid[[i, j + 1, k]], grid[[i + 1, j + 1, k]], f.x);
        let x11 = mix(grid[[i, j + 1, k + 1]], grid[[i + 1, j + 1, k + 1]], f.x);
        value[p] = mix(mix(x00, x10, f.y), mix(x01, x11, f.y), f.z);
    }
}
