//! Small dense matrices: products, solvers, by hand.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::idioms::dense::{Apply, Factors, Matrices, Products, Systems};

by_hand! {
    pub fn three((a, b, x): &mut Systems) {
        let inputs = a.plain.par_chunks(1024).zip(b.plain.par_chunks(1024));
        x.plain.par_chunks_mut(1024).zip(inputs).for_each(|(x, (a, b))| {
            for (x, (a, right)) in x.iter_mut().zip(a.iter().zip(b)) {
                let [[a, b, c], [d, e, f], [g, h, i]] = a.to_array();
                let [p, q, r] = right.to_array();
                let (u, v, w) = (e * i - f * h, f * g - d * i, d * h - e * g);
                let rest = 1.0 / (a * u + b * v + c * w);
                *x = Vec3::new(
                    (p * u + q * (c * h - b * i) + r * (b * f - c * e)) * rest,
                    (p * v + q * (a * i - c * g) + r * (c * d - a * f)) * rest,
                    (p * w + q * (b * g - a * h) + r * (a * e - b * d)) * rest,
                );
            }
        });
    }

    pub fn four((a, b, c): &mut Products) {
        let inputs = a.plain.par_chunks(512).zip(b.plain.par_chunks(512));
        c.plain.par_chunks_mut(512).zip(inputs).for_each(|(c, (a, b))| {
            for (c, (a, b)) in c.iter_mut().zip(a.iter().zip(b)) {
                let (a, b) = (a.to_array(), b.to_array());
                let mut rows = [[0.0; 4]; 4];
                for i in 0..4 {
                    for l in 0..4 {
                        for j in 0..4 {
                            rows[i][j] += a[i][l] * b[l][j];
                        }
                    }
                }
                *c = Mat4::from_rows(rows.map(Vec4::from_array));
            }
        });
    }

    pub fn lu((a, b): &mut Factors) {
        b.plain.par_chunks_mut(36 * 64).zip(a.plain.par_chunks(36 * 64)).for_each(|(b, a)| {
            b.copy_from_slice(a);
            for m in b.chunks_exact_mut(36) {
                for p in 0..6 {
                    for i in p + 1..6 {
                        let f = m[6 * i + p] / m[6 * p + p];
                        m[6 * i + p] = f;
                        for j in p + 1..6 {
                            m[6 * i + j] -= f * m[6 * p + j];
                        }
                    }
                }
            }
        });
    }

    pub fn multiply((a, b, c): &mut Matrices) {
        let n = c.field.shape()[1];
        let b = &b.plain;
        c.plain.par_chunks_mut(4 * n).zip(a.plain.par_chunks(4 * n)).for_each(|(c, a)| {
            for first in (0..n).step_by(64) {
                let mut sums = [[0.0_f32; 64]; 4];
                for k in 0..n {
                    let row: &[f32; 64] = b[k * n + first..][..64].try_into().unwrap();
                    for (sums, a) in sums.iter_mut().zip(a.chunks_exact(n)) {
                        for j in 0..64 {
                            sums[j] += a[k] * row[j];
                        }
                    }
                }
                for (c, sums) in c.chunks_exact_mut(n).zip(&sums) {
                    c[first..first + 64].copy_from_slice(sums);
                }
            }
        });
    }

    pub fn apply((a, x, y): &mut Apply) {
        let (w, x) = (x.plain.len(), &x.plain[..]);
        y.plain.par_iter_mut().zip(a.plain.par_chunks(w)).with_min_len(8).for_each(|(y, row)| {
            *y = crate::hand::sum(w, |j| row[j] * x[j]);
        });
    }
}
