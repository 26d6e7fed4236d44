//! Sparse matrices, lists of neighbours, trees, by hand.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::data::Twin;
use crate::hand::CHUNK;
use crate::idioms::sparse::{Csr, Edges, Ell, Lists};

#[inline(always)]
fn force(at: Vec3, other: Vec3) -> Vec3 {
    let d = other - at;
    let r2 = d.x * d.x + d.y * d.y + d.z * d.z + 0.01;
    d * (1.0 / (r2 * r2) - 0.5 / r2)
}

by_hand! {
    pub fn csr_product((starts, columns, a, x, y): &mut Csr) {
        let (columns, a, x) = (&columns.plain, &a.plain, &x.plain);
        let rows = y.plain.par_chunks_mut(1024).zip(starts.plain.par_windows(2).chunks(1024));
        rows.for_each(|(y, starts)| {
            for (y, bounds) in y.iter_mut().zip(starts) {
                let (begin, end) = (bounds[0] as usize, bounds[1] as usize);
                let mut sum = 0.0;
                for (a, column) in a[begin..end].iter().zip(&columns[begin..end]) {
                    sum += a * x[*column as usize];
                }
                *y = sum;
            }
        });
    }

    pub fn ell_product((columns, a, x, y): &mut Ell) {
        let x = &x.plain;
        let rows = a.plain.par_chunks(8 * 1024).zip(columns.plain.par_chunks(8 * 1024));
        y.plain.par_chunks_mut(1024).zip(rows).for_each(|(y, (a, columns))| {
            for (y, (a, columns)) in y.iter_mut().zip(a.chunks_exact(8).zip(columns.chunks_exact(8))) {
                let mut sum = 0.0;
                for k in 0..8 {
                    sum += a[k] * x[columns[k] as usize];
                }
                *y = sum;
            }
        });
    }

    pub fn forces((counts, lists, pos, forces): &mut Lists) {
        let (counts, lists, pos) = (&counts.plain, &lists.plain, &pos.plain);
        forces.plain.par_chunks_mut(256).enumerate().for_each(|(c, forces)| {
            for (k, to) in forces.iter_mut().enumerate() {
                let p = c * 256 + k;
                let mut sum = Vec3::ZERO;
                for q in &lists[32 * p..32 * p + counts[p] as usize] {
                    sum += force(pos[p], pos[*q as usize]);
                }
                *to = sum;
            }
        });
    }

    // Without `unsafe` one thread adds.
    pub fn edge_sums((edges, x, y): &mut Edges) {
        for [a, b] in &edges.plain {
            let (a, b) = (*a as usize, *b as usize);
            let flux = x.plain[b] - x.plain[a];
            y.plain[a] += flux;
            y.plain[b] -= flux;
        }
    }

    pub fn tree_sums((tree,): &mut (Twin<f32>,)) {
        let mut width = tree.plain.len() / 2;
        while width >= 1 {
            let (level, below) = tree.plain.split_at_mut(2 * width);
            // The lowest level has no children.
            if below.len() >= 2 * width {
                let nodes = level[width..].par_chunks_mut(CHUNK).zip(below.par_chunks(2 * CHUNK));
                nodes.for_each(|(nodes, below)| {
                    for (node, children) in nodes.iter_mut().zip(below.chunks_exact(2)) {
                        *node = 0.5 * (children[0] + children[1]);
                    }
                });
            }
            width /= 2;
        }
    }

    pub fn depths((parents, depths): &mut (Twin<u32>, Twin<u32>)) {
        let parents = &parents.plain;
        depths.plain.par_chunks_mut(1024).enumerate().for_each(|(c, depths)| {
            for (k, to) in depths.iter_mut().enumerate() {
                let (mut at, mut depth) = (c * 1024 + k, 0);
                while at != 0 {
                    at = parents[at] as usize;
                    depth += 1;
                }
                *to = depth;
            }
        });
    }
}
