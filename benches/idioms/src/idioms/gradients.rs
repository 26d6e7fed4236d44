//! The steps of conjugate gradients, for the five-point Laplacian.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::data::{Size, Twin, input, random, state, weyl};
use crate::hand::{CHUNK, sum};
use crate::idiom::{Measured, idiom};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom("CG, product and dot product", planes, product)
            .form("guards, sum beside", product_guard::plan, |(p, ap)| {
                product_guard(&p.field, &mut ap.field)
            })
            .form("zero beyond, sum beside", product_if::plan, |(p, ap)| {
                product_if(&p.field, &mut ap.field)
            })
            .form("two loops", product_loops::plan, |(p, ap)| {
                product_loops(&p.field, &mut ap.field)
            })
            .done(),
        idiom("CG, solution and residual", four, update)
            .form("one loop, norm beside", update_one::plan, |(x, r, p, ap)| {
                update_one(&mut x.field, &mut r.field, &p.field, &ap.field, 0.01)
            })
            .form("local variables", update_local::plan, |(x, r, p, ap)| {
                update_local(&mut x.field, &mut r.field, &p.field, &ap.field, 0.01)
            })
            .form("loops over rows", update_rows::plan, |(x, r, p, ap)| {
                update_rows(&mut x.field, &mut r.field, &p.field, &ap.field, 0.01)
            })
            .done(),
        idiom("CG, direction", planes, direction)
            .form("assignment", direction_assign::plan, |(p, r)| {
                direction_assign(&p.field, &mut r.field, 0.5)
            })
            .form("`*=`, `+=`", direction_steps::plan, |(p, r)| {
                direction_steps(&p.field, &mut r.field, 0.5)
            })
            .done(),
    ]
}

type Planes = (Twin<f32, 2>, Twin<f32, 2>);
type Four = (Twin<f32, 2>, Twin<f32, 2>, Twin<f32, 2>, Twin<f32, 2>);

fn planes(size: Size) -> swathe::Result<Planes> {
    Ok((input(size.plane(), weyl)?, state(size.plane(), random)?))
}

fn four(size: Size) -> swathe::Result<Four> {
    let shape = size.plane();
    Ok((
        state(shape, weyl)?,
        state(shape, random)?,
        input(shape, weyl)?,
        input(shape, random)?,
    ))
}

#[kernel]
fn product_guard(p: &Field<f32, 2>, ap: &mut Field<f32, 2>) -> f32 {
    let [h, w] = p.shape();
    let mut dot = 0.0;
    for [i, j] in p.indices() {
        let mut value = 4.0 * p[[i, j]];
        if i > 0 {
            value -= p[[i - 1, j]];
        }
        if i + 1 < h {
            value -= p[[i + 1, j]];
        }
        if j > 0 {
            value -= p[[i, j - 1]];
        }
        if j + 1 < w {
            value -= p[[i, j + 1]];
        }
        ap[[i, j]] = value;
        dot += p[[i, j]] * value;
    }
    dot
}

#[kernel]
fn product_if(p: &Field<f32, 2>, ap: &mut Field<f32, 2>) -> f32 {
    let [h, w] = p.shape();
    let mut dot = 0.0;
    for [i, j] in ap.indices() {
        let up = if i > 0 { p[[i - 1, j]] } else { 0.0 };
        let down = if i + 1 < h { p[[i + 1, j]] } else { 0.0 };
        let left = if j > 0 { p[[i, j - 1]] } else { 0.0 };
        let right = if j + 1 < w { p[[i, j + 1]] } else { 0.0 };
        ap[[i, j]] = 4.0 * p[[i, j]] - up - down - left - right;
        dot += p[[i, j]] * ap[[i, j]];
    }
    dot
}

#[kernel]
fn product_loops(p: &Field<f32, 2>, ap: &mut Field<f32, 2>) -> f32 {
    let [h, w] = p.shape();
    for [i, j] in ap.indices() {
        let up = if i > 0 { p[[i - 1, j]] } else { 0.0 };
        let down = if i + 1 < h { p[[i + 1, j]] } else { 0.0 };
        let left = if j > 0 { p[[i, j - 1]] } else { 0.0 };
        let right = if j + 1 < w { p[[i, j + 1]] } else { 0.0 };
        ap[[i, j]] = 4.0 * p[[i, j]] - up - down - left - right;
    }
    let mut dot = 0.0;
    for at in p.indices() {
        dot += p[at] * ap[at];
    }
    dot
}

#[kernel]
fn update_one(x: &mut Field<f32, 2>, r: &mut Field<f32, 2>, p: &Field<f32, 2>, ap: &Field<f32, 2>, alpha: f32) -> f32 {
    let mut norm = 0.0;
    for i in x.indices() {
        x[i] += alpha * p[i];
        r[i] -= alpha * ap[i];
        norm += r[i] * r[i];
    }
    norm
}

#[kernel]
fn update_local(
    x: &mut Field<f32, 2>,
    r: &mut Field<f32, 2>,
    p: &Field<f32, 2>,
    ap: &Field<f32, 2>,
    alpha: f32,
) -> f32 {
    let [h, w] = x.shape();
    let mut norm = 0.0;
    for [i, j] in ndrange([h, w]) {
        let residual = r[[i, j]] - alpha * ap[[i, j]];
        x[[i, j]] = x[[i, j]] + alpha * p[[i, j]];
        r[[i, j]] = residual;
        norm += residual * residual;
    }
    norm
}

#[kernel]
fn update_rows(x: &mut Field<f32, 2>, r: &mut Field<f32, 2>, p: &Field<f32, 2>, ap: &Field<f32, 2>, alpha: f32) -> f32 {
    let [h, w] = x.shape();
    let mut norm = 0.0;
    for i in 0..h {
        for j in 0..w {
            x[[i, j]] += alpha * p[[i, j]];
            r[[i, j]] -= alpha * ap[[i, j]];
            norm += r[[i, j]] * r[[i, j]];
        }
    }
    norm
}

#[kernel]
fn direction_assign(r: &Field<f32, 2>, p: &mut Field<f32, 2>, beta: f32) {
    for i in p.indices() {
        p[i] = r[i] + beta * p[i];
    }
}

#[kernel]
fn direction_steps(r: &Field<f32, 2>, p: &mut Field<f32, 2>, beta: f32) {
    for [i, j] in p.indices() {
        p[[i, j]] *= beta;
        p[[i, j]] += r[[i, j]];
    }
}

by_hand! {
    fn product((p, ap): &mut Planes) -> f32 {
        let ([h, w], p) = (p.field.shape(), &p.plain);
        let none = vec![0.0; w];
        ap.plain.par_chunks_mut(w).enumerate().map(|(i, out)| {
            let row = |i: usize| &p[i * w..(i + 1) * w];
            let up = if i == 0 { &none[..] } else { row(i - 1) };
            let down = if i == h - 1 { &none[..] } else { row(i + 1) };
            let row = row(i);
            for j in 1..w - 1 {
                out[j] = 4.0 * row[j] - up[j] - down[j] - row[j - 1] - row[j + 1];
            }
            out[0] = 4.0 * row[0] - up[0] - down[0] - row[1];
            out[w - 1] = 4.0 * row[w - 1] - up[w - 1] - down[w - 1] - row[w - 2];
            sum(w, |j| row[j] * out[j])
        }).sum()
    }

    fn update((x, r, p, ap): &mut Four) -> f32 {
        let alpha = 0.01;
        let outs = x.plain.par_chunks_mut(CHUNK).zip(r.plain.par_chunks_mut(CHUNK));
        let inputs = p.plain.par_chunks(CHUNK).zip(ap.plain.par_chunks(CHUNK));
        outs.zip(inputs).map(|((x, r), (p, ap))| {
            for ((x, r), (p, ap)) in x.iter_mut().zip(r.iter_mut()).zip(p.iter().zip(ap)) {
                *x += alpha * p;
                *r -= alpha * ap;
            }
            sum(r.len(), |i| r[i] * r[i])
        }).sum()
    }

    fn direction((r, p): &mut Planes) {
        p.plain.par_chunks_mut(CHUNK).zip(r.plain.par_chunks(CHUNK)).for_each(|(p, r)| {
            for (p, r) in p.iter_mut().zip(r) {
                *p = r + 0.5 * *p;
            }
        });
    }
}
