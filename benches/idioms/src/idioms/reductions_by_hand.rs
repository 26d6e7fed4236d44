//! Sums, maxima and counts, alone and beside other work, by hand.

use rayon::prelude::*;

use crate::data::Twin;
use crate::hand::{CHUNK, largest, sum};
use crate::idioms::reductions::{One, Two};

by_hand! {
    pub fn total((x,): &mut One) -> f32 {
        x.plain.par_chunks(CHUNK).map(|x| sum(x.len(), |i| x[i] * x[i])).sum()
    }

    pub fn maximum((x,): &mut One) -> f32 {
        x.plain.par_chunks(CHUNK).map(|x| largest(x.len(), |i| x[i].abs())).reduce(|| 0.0, f32::max)
    }

    pub fn least((x,): &mut One) -> u32 {
        let parts = x.plain.par_chunks(CHUNK).enumerate().map(|(chunk, x)| {
            let mut best = (f32::MAX, 0);
            for (i, x) in x.iter().enumerate() {
                if x * x < best.0 {
                    best = (x * x, chunk * CHUNK + i);
                }
            }
            best
        });
        parts.reduce(|| (f32::MAX, 0), |a, b| if b.0 < a.0 { b } else { a }).1 as u32
    }

    pub fn count((x,): &mut One) -> u32 {
        x.plain.par_chunks(CHUNK).map(|x| x.iter().map(|x| u32::from(*x > 0.1)).sum::<u32>()).sum()
    }

    pub fn positive((x,): &mut One) -> f32 {
        x.plain.par_chunks(CHUNK).map(|x| sum(x.len(), |i| if x[i] > 0.0 { x[i] } else { 0.0 })).sum()
    }

    pub fn dot((x, y): &mut Two) -> f32 {
        let chunks = x.plain.par_chunks(CHUNK).zip(y.plain.par_chunks(CHUNK));
        chunks.map(|(x, y)| sum(x.len().min(y.len()), |i| x[i] * y[i])).sum()
    }

    pub fn norm((x, y): &mut Two) -> f32 {
        let chunks = x.plain.par_chunks(CHUNK).zip(y.plain.par_chunks(CHUNK));
        let square: f32 = chunks.map(|(x, y)| sum(x.len().min(y.len()), |i| (x[i] - y[i]) * (x[i] - y[i]))).sum();
        square.sqrt()
    }

    pub fn moments((x,): &mut One) -> (f32, f32, f32) {
        let parts = x.plain.par_chunks(CHUNK).map(|x| {
            let n = x.len();
            (sum(n, |i| x[i].abs()), sum(n, |i| x[i] * x[i]), largest(n, |i| x[i]))
        });
        parts.reduce(|| (0.0, 0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1, a.2.max(b.2)))
    }

    pub fn residual((u, v): &mut (Twin<f32, 2>, Twin<f32, 2>)) -> f32 {
        let ([h, w], u) = (u.field.shape(), &u.plain);
        let rows = v.plain[w..(h - 1) * w].par_chunks_mut(w).enumerate().map(|(i, out)| {
            let [up, row, down] = [i, i + 1, i + 2].map(|i| &u[i * w..(i + 1) * w]);
            for j in 1..w - 1 {
                out[j] = 0.25 * (up[j] + down[j] + row[j - 1] + row[j + 1]);
            }
            let (out, row) = (&out[1..w - 1], &row[1..w - 1]);
            sum(w - 2, |j| (out[j] - row[j]) * (out[j] - row[j]))
        });
        rows.sum()
    }

    pub fn rows((u, sums): &mut (Twin<f32, 2>, Twin<f32>)) {
        let w = u.field.shape()[1];
        sums.plain.par_iter_mut().zip(u.plain.par_chunks(w)).with_min_len(8).for_each(|(to, row)| {
            *to = sum(w, |j| row[j]);
        });
    }

    pub fn columns((u, sums): &mut (Twin<f32, 2>, Twin<f32>)) {
        let w = u.field.shape()[1];
        let some = rayon::current_num_threads() * 2;
        let rows = u.field.shape()[0].div_ceil(some);
        let parts = u.plain.par_chunks(rows * w).map(|rows| {
            let mut part = vec![0.0; w];
            for row in rows.chunks(w) {
                for (to, x) in part.iter_mut().zip(row) {
                    *to += x;
                }
            }
            part
        });
        let parts: Vec<Vec<f32>> = parts.collect();
        sums.plain.fill(0.0);
        for part in parts {
            for (to, x) in sums.plain.iter_mut().zip(part) {
                *to += x;
            }
        }
    }
}
