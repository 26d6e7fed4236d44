//! Indices from tables: gather, scatter, histograms, values looked up, by hand.

use rayon::prelude::*;

use crate::data::Twin;
use crate::hand::CHUNK;
use crate::idioms::tables::Tables;

/// Counts of keys, by threads.
#[inline(always)]
fn counts<T: Sync>(keys: &[T], bins: &mut [u32], count: impl Fn(&[T], &mut [u32]) + Sync) {
    let n = bins.len();
    let part = keys.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts: Vec<Vec<u32>> = keys
        .par_chunks(part)
        .map(|keys| {
            let mut bins = vec![0; n];
            count(keys, &mut bins);
            bins
        })
        .collect();
    for part in parts {
        bins.iter_mut().zip(part).for_each(|(to, count)| *to += count);
    }
}

by_hand! {
    pub fn gather((table, x, y): &mut Tables) {
        let x = &x.plain;
        y.plain.par_chunks_mut(CHUNK).zip(table.plain.par_chunks(CHUNK)).for_each(|(y, table)| {
            for (y, k) in y.iter_mut().zip(table) {
                *y = 2.0 * x[*k as usize];
            }
        });
    }

    pub fn twice((table, x, y): &mut Tables) {
        let (x, all) = (&x.plain, &table.plain);
        y.plain.par_chunks_mut(CHUNK).zip(all.par_chunks(CHUNK)).for_each(|(y, table)| {
            for (y, k) in y.iter_mut().zip(table) {
                *y = x[all[*k as usize] as usize];
            }
        });
    }

    // Without `unsafe` one thread scatters, or several with atomic stores.
    pub fn scatter((table, x, y): &mut Tables) {
        for (k, x) in table.plain.iter().zip(&x.plain) {
            y.plain[*k as usize] = 2.0 * x;
        }
    }

    pub fn scatter_sum((table, x, y): &mut Tables) {
        for (k, x) in table.plain.iter().zip(&x.plain) {
            y.plain[(*k / 4) as usize] += x;
        }
    }

    pub fn bytes((keys, bins): &mut (Twin<u8>, Twin<u32>)) {
        counts(&keys.plain, &mut bins.plain, |keys, bins| {
            let mut four = [[0_u32; 256]; 4];
            let mut chunks = keys.chunks_exact(4);
            for keys in &mut chunks {
                for (bins, key) in four.iter_mut().zip(keys) {
                    bins[*key as usize] += 1;
                }
            }
            chunks.remainder().iter().for_each(|key| four[0][*key as usize] += 1);
            for (k, bin) in bins.iter_mut().enumerate() {
                *bin += four[0][k] + four[1][k] + four[2][k] + four[3][k];
            }
        });
    }

    pub fn floats((x, bins): &mut (Twin<f32>, Twin<u32>)) {
        counts(&x.plain, &mut bins.plain, |x, bins| {
            for x in x {
                bins[((x * 100.0) as i32).clamp(0, 99) as usize] += 1;
            }
        });
    }

    pub fn lookup((table, x, y): &mut (Twin<f32>, Twin<f32>, Twin<f32>)) {
        let table: &[f32; 257] = table.plain[..].try_into().unwrap();
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                let at = x * 256.0;
                let k = (at as i32).clamp(0, 255);
                let t = at - k as f32;
                *y = (1.0 - t) * table[k as usize] + t * table[k as usize + 1];
            }
        });
    }

    pub fn transpose((u, v): &mut (Twin<f32, 2>, Twin<f32, 2>)) {
        const TILE: usize = 16;
        let ([h, w], u) = (u.field.shape(), &u.plain);
        v.plain.par_chunks_mut(TILE * h).enumerate().for_each(|(t, out)| {
            let rows = out.len() / h;
            for first in (0..h).step_by(TILE) {
                for a in 0..rows {
                    let to = &mut out[a * h..(a + 1) * h];
                    for i in first..(first + TILE).min(h) {
                        to[i] = u[i * w + t * TILE + a];
                    }
                }
            }
        });
    }
}
