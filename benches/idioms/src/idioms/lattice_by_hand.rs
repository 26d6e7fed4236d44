//! Lattice Boltzmann by tables of directions, rays against spheres, by hand.

use rayon::prelude::*;

use crate::idioms::lattice::{FROM, Lattice, LatticeInSpace, OMEGA, SPACE, STEPS, Scene, WEIGHTS, X, Y, weight};

by_hand! {
    pub fn streaming((f, g): &mut Lattice) {
        let ([_, h, w], f) = (f.field.shape(), &f.plain);
        g.plain.par_chunks_mut(w).enumerate().with_min_len(8).for_each(|(row, out)| {
            let (q, i) = (row / h, row % h);
            let from = q * h + (i + h + FROM[q][0] - 1) % h;
            let from = &f[from * w..(from + 1) * w];
            match FROM[q][1] {
                0 => {
                    out[1..].copy_from_slice(&from[..w - 1]);
                    out[0] = from[w - 1];
                }
                1 => out.copy_from_slice(from),
                _ => {
                    out[..w - 1].copy_from_slice(&from[1..]);
                    out[w - 1] = from[0];
                }
            }
        });
    }

    pub fn collision((f, g): &mut Lattice) {
        let ([_, h, w], f) = (f.field.shape(), &f.plain);
        // Rows of the nine planes, which are written together.
        let mut planes: Vec<_> = g.plain.chunks_mut(h * w).map(|plane| plane.chunks_mut(w)).collect();
        let rows: Vec<Vec<&mut [f32]>> = (0..h).map(|_| planes.iter_mut().filter_map(Iterator::next).collect()).collect();
        rows.into_par_iter().enumerate().with_min_len(8).for_each(|(i, mut out)| {
            let from: [&[f32]; 9] = std::array::from_fn(|q| &f[(q * h + i) * w..][..w]);
            let out: &mut [&mut [f32]; 9] = (&mut out[..]).try_into().unwrap();
            let to = out.each_mut().map(|row| &mut row[..w]);
            for j in 0..w {
                let (mut density, mut u, mut v) = (0.0, 0.0, 0.0);
                for q in 0..9 {
                    density += from[q][j];
                    u += X[q] as f32 * from[q][j];
                    v += Y[q] as f32 * from[q][j];
                }
                u /= density;
                v /= density;
                for q in 0..9 {
                    let along = 3.0 * (X[q] as f32 * u + Y[q] as f32 * v);
                    let rest = density * WEIGHTS[q] * (1.0 + along + 0.5 * along * along - 1.5 * (u * u + v * v));
                    to[q][j] = from[q][j] + OMEGA * (rest - from[q][j]);
                }
            }
        });
    }

    pub fn step_in_space((f, g): &mut LatticeInSpace) {
        let ([_, d, h, w], f) = (f.field.shape(), &f.plain);
        let mut planes: Vec<_> = g.plain.chunks_mut(d * h * w).map(|plane| plane.chunks_mut(w)).collect();
        let rows: Vec<Vec<&mut [f32]>> = (0..d * h).map(|_| planes.iter_mut().filter_map(Iterator::next).collect()).collect();
        let sums = || vec![0.0_f32; 4 * w];
        rows.into_par_iter().enumerate().with_min_len(8).for_each_init(sums, |sums, (row, mut out)| {
            let (i, j) = ((row / h) as i32, (row % h) as i32);
            sums.fill(0.0);
            let (density, rest) = sums.split_at_mut(w);
            let (u, rest) = rest.split_at_mut(w);
            let (v, s) = rest.split_at_mut(w);
            for q in 0..SPACE {
                let [a, b, c] = STEPS[q];
                let from = (i - a).rem_euclid(d as i32) as usize * h + (j - b).rem_euclid(h as i32) as usize;
                let from = &f[(q * d * h + from) * w..][..w];
                // The row is moved when it is copied to where it goes, and what comes of it is computed there.
                let out = &mut out[q][..w];
                match c {
                    1 => {
                        out[1..].copy_from_slice(&from[..w - 1]);
                        out[0] = from[w - 1];
                    }
                    0 => out.copy_from_slice(from),
                    _ => {
                        out[..w - 1].copy_from_slice(&from[1..]);
                        out[w - 1] = from[0];
                    }
                }
                for k in 0..w {
                    density[k] += out[k];
                    u[k] += a as f32 * out[k];
                    v[k] += b as f32 * out[k];
                    s[k] += c as f32 * out[k];
                }
            }
            for k in 0..w {
                u[k] /= density[k];
                v[k] /= density[k];
                s[k] /= density[k];
            }
            for q in 0..SPACE {
                let [a, b, c] = STEPS[q];
                let out = &mut out[q][..w];
                for k in 0..w {
                    let along = 3.0 * (a as f32 * u[k] + b as f32 * v[k] + c as f32 * s[k]);
                    let square = u[k] * u[k] + v[k] * v[k] + s[k] * s[k];
                    let rest = density[k] * weight(q) * (1.0 + along + 0.5 * along * along - 1.5 * square);
                    out[k] += OMEGA * (rest - out[k]);
                }
            }
        });
    }

    pub fn rays((directions, spheres, nearest): &mut Scene) {
        const LANES: usize = 16;
        let spheres = &spheres.plain;
        let rays = directions.plain.par_chunks(64 * LANES);
        nearest.plain.par_chunks_mut(64 * LANES).zip(rays).for_each(|(nearest, rays)| {
            for (out, rays) in nearest.chunks_mut(LANES).zip(rays.chunks(LANES)) {
                let ray = |k: usize| rays[k.min(rays.len() - 1)];
                let x: [f32; LANES] = std::array::from_fn(|k| ray(k).x);
                let y: [f32; LANES] = std::array::from_fn(|k| ray(k).y);
                let z: [f32; LANES] = std::array::from_fn(|k| ray(k).z);
                let mut near = [1e9_f32; LANES];
                for s in spheres {
                    let rest = s.w * s.w - (s.x * s.x + s.y * s.y + s.z * s.z);
                    for k in 0..LANES {
                        let b = x[k] * s.x + y[k] * s.y + z[k] * s.z;
                        let d = b * b + rest;
                        let t = b - d.max(0.0).sqrt();
                        let t = if d > 0.0 && t > 0.0 { t } else { 1e9 };
                        near[k] = if t < near[k] { t } else { near[k] };
                    }
                }
                out.copy_from_slice(&near[..out.len()]);
            }
        });
    }
}
