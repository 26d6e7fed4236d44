//! Particles to grids and back, by hand.

use rayon::prelude::*;

use crate::idioms::particles::{BackPlane, BackVolume, DEPTH, Plane, SIDE, Volume};

/// Each thread adds to a grid of its own; the grids are added up.
#[inline(always)]
fn deposit<P: Sync>(particles: &[P], grid: &mut [f32], add: impl Fn(&[P], &mut [f32]) + Sync) {
    let n = grid.len();
    let part = particles.len().div_ceil(rayon::current_num_threads()).max(1);
    let grids: Vec<Vec<f32>> = particles
        .par_chunks(part)
        .map(|particles| {
            let mut grid = vec![0.0; n];
            add(particles, &mut grid);
            grid
        })
        .collect();
    for part in grids {
        grid.iter_mut().zip(part).for_each(|(to, x)| *to += x);
    }
}

/// Weights of three nodes.
#[inline(always)]
fn three(t: f32) -> [f32; 3] {
    [
        0.5 * (1.5 - t) * (1.5 - t),
        0.75 - (t - 1.0) * (t - 1.0),
        0.5 * (t - 0.5) * (t - 0.5),
    ]
}

by_hand! {
    pub fn nearest((pos, grid): &mut Plane) {
        deposit(&pos.plain, &mut grid.plain, |pos, grid| {
            for x in pos {
                grid[(x.x + 0.5) as u32 as usize * SIDE + (x.y + 0.5) as u32 as usize] += 1.0;
            }
        });
    }

    pub fn linear((pos, grid): &mut Plane) {
        deposit(&pos.plain, &mut grid.plain, |pos, grid| {
            for x in pos {
                let (i, j) = (x.x as u32, x.y as u32);
                let (s, t) = (x.x - i as f32, x.y - j as f32);
                let at = i as usize * SIDE + j as usize;
                let nodes = &mut grid[at..at + SIDE + 2];
                nodes[0] += (1.0 - s) * (1.0 - t);
                nodes[1] += (1.0 - s) * t;
                nodes[SIDE] += s * (1.0 - t);
                nodes[SIDE + 1] += s * t;
            }
        });
    }

    pub fn quadratic((pos, grid): &mut Plane) {
        deposit(&pos.plain, &mut grid.plain, |pos, grid| {
            for x in pos {
                let (i, j) = ((x.x - 0.5) as u32, (x.y - 0.5) as u32);
                let (wx, wy) = (three(x.x - i as f32), three(x.y - j as f32));
                let at = i as usize * SIDE + j as usize;
                let nodes = &mut grid[at..at + 2 * SIDE + 3];
                for a in 0..3 {
                    for b in 0..3 {
                        nodes[a * SIDE + b] += wx[a] * wy[b];
                    }
                }
            }
        });
    }

    pub fn back((pos, grid, value): &mut BackPlane) {
        let grid = &grid.plain;
        value.plain.par_chunks_mut(1024).zip(pos.plain.par_chunks(1024)).for_each(|(value, pos)| {
            for (value, x) in value.iter_mut().zip(pos) {
                let (i, j) = (x.x as u32, x.y as u32);
                let (s, t) = (x.x - i as f32, x.y - j as f32);
                let at = i as usize * SIDE + j as usize;
                let nodes = &grid[at..at + SIDE + 2];
                let low = (1.0 - t) * nodes[0] + t * nodes[1];
                let high = (1.0 - t) * nodes[SIDE] + t * nodes[SIDE + 1];
                *value = (1.0 - s) * low + s * high;
            }
        });
    }

    pub fn smooth((pos, grid, value): &mut BackPlane) {
        let grid = &grid.plain;
        value.plain.par_chunks_mut(1024).zip(pos.plain.par_chunks(1024)).for_each(|(value, pos)| {
            for (value, x) in value.iter_mut().zip(pos) {
                let (i, j) = ((x.x - 0.5) as u32, (x.y - 0.5) as u32);
                let (wx, wy) = (three(x.x - i as f32), three(x.y - j as f32));
                let at = i as usize * SIDE + j as usize;
                let nodes = &grid[at..at + 2 * SIDE + 3];
                let mut sum = 0.0;
                for a in 0..3 {
                    for b in 0..3 {
                        sum += wx[a] * wy[b] * nodes[a * SIDE + b];
                    }
                }
                *value = sum;
            }
        });
    }

    pub fn linear_3d((pos, grid): &mut Volume) {
        deposit(&pos.plain, &mut grid.plain, |pos, grid| {
            for x in pos {
                let n = [x.x, x.y, x.z].map(|x| x as u32);
                let f = [x.x - n[0] as f32, x.y - n[1] as f32, x.z - n[2] as f32];
                let at = (n[0] as usize * DEPTH + n[1] as usize) * DEPTH + n[2] as usize;
                let nodes = &mut grid[at..at + (DEPTH + 1) * DEPTH + 2];
                let [x, y, z] = f.map(|f| [1.0 - f, f]);
                for a in 0..2 {
                    for b in 0..2 {
                        for c in 0..2 {
                            nodes[(a * DEPTH + b) * DEPTH + c] += x[a] * y[b] * z[c];
                        }
                    }
                }
            }
        });
    }

    pub fn trilinear((pos, grid, value): &mut BackVolume) {
        let grid = &grid.plain;
        value.plain.par_chunks_mut(1024).zip(pos.plain.par_chunks(1024)).for_each(|(value, pos)| {
            for (value, x) in value.iter_mut().zip(pos) {
                let n = [x.x, x.y, x.z].map(|x| x as u32);
                let f = [x.x - n[0] as f32, x.y - n[1] as f32, x.z - n[2] as f32];
                let at = (n[0] as usize * DEPTH + n[1] as usize) * DEPTH + n[2] as usize;
                let nodes = &grid[at..at + (DEPTH + 1) * DEPTH + 2];
                let [x, y, z] = f.map(|f| [1.0 - f, f]);
                let mut sum = 0.0;
                for a in 0..2 {
                    for b in 0..2 {
                        for c in 0..2 {
                            sum += x[a] * y[b] * z[c] * nodes[(a * DEPTH + b) * DEPTH + c];
                        }
                    }
                }
                *value = sum;
            }
        });
    }
}
