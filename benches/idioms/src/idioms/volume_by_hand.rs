//! Stencils in three dimensions, by hand.

use rayon::prelude::*;

use crate::idioms::volume::Volume;

/// A row, the ones above and below, and the ones before and behind.
type Cross<'a> = [&'a [f32]; 5];

/// The sum of neighbours less the element six times, in a row but for its ends.
#[inline(always)]
fn laplacian([row, up, down, before, behind]: Cross, out: &mut [f32], put: impl Fn(&mut f32, f32)) {
    let n = out.len();
    let [row, up, down, before, behind] = [row, up, down, before, behind].map(|row| &row[..n]);
    for k in 1..n - 1 {
        put(
            &mut out[k],
            before[k] + behind[k] + up[k] + down[k] + row[k - 1] + row[k + 1] - 6.0 * row[k],
        );
    }
}

/// The cross of each row, with the rows that `near` gives along an axis.
#[inline(always)]
fn crosses(
    (u, v): &mut Volume,
    near: impl Fn(usize, usize) -> [usize; 2] + Sync,
    each: impl Fn(Cross, &mut [f32]) + Sync,
) {
    let ([l, m, n], u) = (u.field.shape(), &u.plain);
    v.plain.par_chunks_mut(m * n).enumerate().for_each(|(i, plane)| {
        let row = |i: usize, j: usize| &u[(i * m + j) * n..][..n];
        let [before, behind] = near(i, l);
        for (j, out) in plane.chunks_mut(n).enumerate() {
            let [up, down] = near(j, m);
            each(
                [row(i, j), row(i, up), row(i, down), row(before, j), row(behind, j)],
                out,
            );
        }
    });
}

/// The same for inner rows.
#[inline(always)]
fn inner_crosses((u, v): &mut Volume, each: impl Fn(Cross, &mut [f32]) + Sync) {
    let ([l, m, n], u) = (u.field.shape(), &u.plain);
    v.plain[m * n..(l - 1) * m * n]
        .par_chunks_mut(m * n)
        .enumerate()
        .for_each(|(i, plane)| {
            let row = |i: usize, j: usize| &u[(i * m + j) * n..][..n];
            for j in 1..m - 1 {
                let cross = [
                    row(i + 1, j),
                    row(i + 1, j - 1),
                    row(i + 1, j + 1),
                    row(i, j),
                    row(i + 2, j),
                ];
                each(cross, &mut plane[j * n..][..n]);
            }
        });
}

by_hand! {
    pub fn inner(volume: &mut Volume) {
        inner_crosses(volume, |cross, out| laplacian(cross, out, |to, x| *to = x));
    }

    pub fn in_place(volume: &mut Volume) {
        inner_crosses(volume, |cross, out| laplacian(cross, out, |to, x| *to += 0.1 * x));
    }

    pub fn periodic(volume: &mut Volume) {
        crosses(volume, |i, n| [(i + n - 1) % n, (i + 1) % n], |cross, out| {
            laplacian(cross, out, |to, x| *to = x);
            let ([row, up, down, before, behind], n) = (cross, out.len());
            for (k, left, right) in [(0, n - 1, 1), (n - 1, n - 2, 0)] {
                out[k] = before[k] + behind[k] + up[k] + down[k] + row[left] + row[right] - 6.0 * row[k];
            }
        });
    }

    pub fn clamped(volume: &mut Volume) {
        crosses(volume, |i, n| [i.saturating_sub(1), (i + 1).min(n - 1)], |cross, out| {
            laplacian(cross, out, |to, x| *to = x);
            let ([row, up, down, before, behind], n) = (cross, out.len());
            for (k, left, right) in [(0, 0, 1), (n - 1, n - 2, n - 1)] {
                out[k] = before[k] + behind[k] + up[k] + down[k] + row[left] + row[right] - 6.0 * row[k];
            }
        });
    }

    pub fn cube((u, v): &mut Volume) {
        let ([l, m, n], u) = (u.field.shape(), &u.plain);
        v.plain[m * n..(l - 1) * m * n].par_chunks_mut(m * n).enumerate().for_each(|(i, plane)| {
            for j in 1..m - 1 {
                let rows: [&[f32]; 9] = std::array::from_fn(|r| &u[((i + r / 3) * m + j + r % 3 - 1) * n..][..n]);
                let out = &mut plane[j * n..][..n];
                for k in 1..n - 1 {
                    let mut sum = 0.0;
                    for row in rows {
                        sum += row[k - 1] + row[k] + row[k + 1];
                    }
                    out[k] = sum / 27.0;
                }
            }
        });
    }
}
