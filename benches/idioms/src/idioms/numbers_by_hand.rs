//! Arithmetic without memory: integers and doubles, by hand.

use rayon::prelude::*;

use crate::data::Twin;
use crate::hand::CHUNK;
use crate::idioms::numbers::Keys;

by_hand! {
    pub fn hashes((x, y): &mut Keys) {
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                let h = (x ^ (x >> 16)).wrapping_mul(0x7feb_352d);
                let h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
                *y = h ^ (h >> 16);
            }
        });
    }

    pub fn congruences((x, y): &mut Keys) {
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                let mut state = *x;
                for _ in 0..16 {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    state ^= state >> 13;
                }
                *y = state;
            }
        });
    }

    pub fn collatz((y,): &mut (Twin<u32>,)) {
        y.plain.par_chunks_mut(256).enumerate().for_each(|(c, y)| {
            for (k, y) in y.iter_mut().enumerate() {
                let (mut n, mut steps) = ((c * 256 + k) as u32 + 1, 0);
                while n != 1 {
                    n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
                    steps += 1;
                }
                *y = steps;
            }
        });
    }

    pub fn mandelbrot((y,): &mut (Twin<u32, 2>,)) {
        const LANES: usize = 8;
        let [h, w] = y.field.shape();
        y.plain.par_chunks_mut(w).enumerate().for_each(|(i, row)| {
            let b = -1.0 + 2.0 * i as f64 / h as f64;
            for (c, out) in row.chunks_mut(LANES).enumerate() {
                let a: [f64; LANES] = std::array::from_fn(|k| -2.0 + 3.0 * (c * LANES + k) as f64 / w as f64);
                let (mut x, mut z, mut steps) = ([0.0; LANES], [0.0; LANES], [0_u64; LANES]);
                for _ in 0..64 {
                    let mut any = 0;
                    for k in 0..LANES {
                        let inside = u64::from(x[k] * x[k] + z[k] * z[k] < 4.0);
                        let t = x[k] * x[k] - z[k] * z[k] + a[k];
                        z[k] = 2.0 * x[k] * z[k] + b;
                        x[k] = t;
                        steps[k] += inside;
                        any |= inside;
                    }
                    if any == 0 {
                        break;
                    }
                }
                out.iter_mut().zip(steps).for_each(|(out, steps)| *out = steps as u32);
            }
        });
    }

    pub fn logistic((x,): &mut (Twin<f64>,)) {
        x.plain.par_chunks_mut(CHUNK).for_each(|x| {
            for x in x {
                for _ in 0..8 {
                    *x = 3.5 * *x * (1.0 - *x);
                }
            }
        });
    }

    pub fn divisors((x, y): &mut Keys) {
        y.plain.par_chunks_mut(CHUNK).zip(x.plain.par_chunks(CHUNK)).for_each(|(y, x)| {
            for (y, x) in y.iter_mut().zip(x) {
                let (mut a, mut b) = (x & 0xffff, x >> 16);
                while b != 0 {
                    (a, b) = (b, a % b);
                }
                *y = a;
            }
        });
    }
}
