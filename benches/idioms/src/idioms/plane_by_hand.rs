//! Stencils in two dimensions, by hand.

use std::hint::black_box;

use rayon::prelude::*;

use crate::data::Twin;
use crate::idioms::plane::{Plane, RADIUS};

/// Each inner row of `v` with the three rows of `u` around it.
#[inline(always)]
fn rows(u: &Twin<f32, 2>, v: &mut Twin<f32, 2>, each: impl Fn([&[f32]; 3], &mut [f32]) + Sync) {
    let ([h, w], u) = (u.field.shape(), &u.plain);
    v.plain[w..(h - 1) * w]
        .par_chunks_mut(w)
        .enumerate()
        .for_each(|(i, out)| {
            let row = |i: usize| &u[i * w..(i + 1) * w];
            each([row(i), row(i + 1), row(i + 2)], out);
        });
}

/// The same for all rows, where `rim` gives the rows of the neighbours.
#[inline(always)]
fn all_rows(
    u: &Twin<f32, 2>,
    v: &mut Twin<f32, 2>,
    rim: impl Fn(usize, usize) -> [usize; 2] + Sync,
    each: impl Fn([&[f32]; 3], &mut [f32]) + Sync,
) {
    let ([h, w], u) = (u.field.shape(), &u.plain);
    v.plain.par_chunks_mut(w).enumerate().for_each(|(i, out)| {
        let row = |i: usize| &u[i * w..(i + 1) * w];
        let [up, down] = rim(i, h);
        each([row(up), row(i), row(down)], out);
    });
}

/// The mean of the four neighbours, in a row but for its ends.
#[inline(always)]
fn means([up, row, down]: [&[f32]; 3], out: &mut [f32]) {
    let w = out.len();
    let (up, row, down) = (&up[..w], &row[..w], &down[..w]);
    for j in 1..w - 1 {
        out[j] = 0.25 * (up[j] + down[j] + row[j - 1] + row[j + 1]);
    }
}

by_hand! {
    pub fn inner((u, v): &mut Plane) {
        rows(u, v, means);
    }

    pub fn periodic((u, v): &mut Plane) {
        let rim = |i: usize, h: usize| [if i == 0 { h - 1 } else { i - 1 }, if i == h - 1 { 0 } else { i + 1 }];
        all_rows(u, v, rim, |around, out| {
            means(around, out);
            let ([up, row, down], w) = (around, out.len());
            out[0] = 0.25 * (up[0] + down[0] + row[w - 1] + row[1]);
            out[w - 1] = 0.25 * (up[w - 1] + down[w - 1] + row[w - 2] + row[0]);
        });
    }

    pub fn clamped((u, v): &mut Plane) {
        all_rows(u, v, |i, h| [i.saturating_sub(1), (i + 1).min(h - 1)], |around, out| {
            means(around, out);
            let ([up, row, down], w) = (around, out.len());
            out[0] = 0.25 * (up[0] + down[0] + row[0] + row[1]);
            out[w - 1] = 0.25 * (up[w - 1] + down[w - 1] + row[w - 2] + row[w - 1]);
        });
    }

    pub fn zero((u, v): &mut Plane) {
        let ([h, w], u) = (u.field.shape(), &u.plain);
        let none = vec![0.0; w];
        v.plain.par_chunks_mut(w).enumerate().for_each(|(i, out)| {
            let row = |i: usize| &u[i * w..(i + 1) * w];
            let up = if i == 0 { &none[..] } else { row(i - 1) };
            let down = if i == h - 1 { &none[..] } else { row(i + 1) };
            let row = row(i);
            means([up, row, down], out);
            out[0] = 0.25 * (up[0] + down[0] + row[1]);
            out[w - 1] = 0.25 * (up[w - 1] + down[w - 1] + row[w - 2]);
        });
    }

    pub fn padded((u, v): &mut Plane) {
        let ([_, w], u) = (v.field.shape(), &u.plain);
        v.plain.par_chunks_mut(w).enumerate().for_each(|(i, out)| {
            let [a, b, c] = [0, 1, 2].map(|k| &u[(i + k) * (w + 2)..(i + k + 1) * (w + 2)]);
            for j in 0..w {
                let sum = a[j] + a[j + 1] + a[j + 2] + b[j] + b[j + 1] + b[j + 2] + c[j] + c[j + 1] + c[j + 2];
                out[j] = sum / 9.0;
            }
        });
    }

    pub fn in_place((u, v): &mut Plane) {
        rows(u, v, |[up, row, down], out| {
            let w = out.len();
            let (up, row, down) = (&up[..w], &row[..w], &down[..w]);
            for j in 1..w - 1 {
                out[j] += 0.1 * (up[j] + down[j] + row[j - 1] + row[j + 1] - 4.0 * row[j]);
            }
        });
    }

    pub fn boxes((u, v): &mut Plane) {
        let ([h, w], r, u) = (u.field.shape(), black_box(RADIUS), &u.plain);
        v.plain[r * w..(h - r) * w].par_chunks_mut(w).enumerate().for_each(|(i, out)| {
            let out = &mut out[r..w - r];
            out.fill(0.0);
            for row in u[i * w..(i + 2 * r + 1) * w].chunks_exact(w) {
                for b in 0..2 * r + 1 {
                    for (out, value) in out.iter_mut().zip(&row[b..]) {
                        *out += value;
                    }
                }
            }
        });
    }
}
