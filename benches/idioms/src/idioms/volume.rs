//! Stencils in three dimensions.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::data::{Twin, input, output, weyl};
use crate::idiom::{Measured, idiom};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom("3-D, inner", |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)), inner)
            .form("guard", inner_guard::plan, |(u, v)| inner_guard(&u.field, &mut v.field))
            .form("ranges", inner_ranges::plan, |(u, v)| inner_ranges(&u.field, &mut v.field))
            .form("`ndrange` of ranges", inner_ndrange::plan, |(u, v)| inner_ndrange(&u.field, &mut v.field))
            .done(),
        idiom("3-D, periodic", |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)), periodic)
            .form("`if`", periodic_if::plan, |(u, v)| periodic_if(&u.field, &mut v.field))
            .form("`%`", periodic_rem::plan, |(u, v)| periodic_rem(&u.field, &mut v.field))
            .done(),
        idiom("3-D, clamped", |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)), clamped)
            .form("`min`, `max`", clamped_min::plan, |(u, v)| clamped_min(&u.field, &mut v.field))
            .form("`if` around each", clamped_if::plan, |(u, v)| clamped_if(&u.field, &mut v.field))
            .done(),
        idiom("3-D, box of 27", |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)), cube)
            .form("guard, loops over -1..2", cube_signed::plan, |(u, v)| cube_signed(&u.field, &mut v.field))
            .form("guard, loops over 0..3", cube_guard::plan, |(u, v)| cube_guard(&u.field, &mut v.field))
            .form("ranges, loops over i - 1..i + 2", cube_ranges::plan, |(u, v)| cube_ranges(&u.field, &mut v.field))
            .done(),
        idiom("3-D, in place", |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)), in_place)
            .form("guard, `+=`", wave_guard::plan, |(u, v)| wave_guard(&u.field, &mut v.field))
            .form("ranges", wave_ranges::plan, |(u, v)| wave_ranges(&u.field, &mut v.field))
            .done(),
    ]
}

type Volume = (Twin<f32, 3>, Twin<f32, 3>);

#[kernel]
fn inner_guard(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        if i > 0 && j > 0 && k > 0 && i + 1 < l && j + 1 < m && k + 1 < n {
            let sum = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]] + u[[i, j + 1, k]];
            v[[i, j, k]] = sum + u[[i, j, k - 1]] + u[[i, j, k + 1]] - 6.0 * u[[i, j, k]];
        }
    }
}

#[kernel]
fn inner_ranges(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for i in 1..l - 1 {
        for j in 1..m - 1 {
            for k in 1..n - 1 {
                let sum = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]] + u[[i, j + 1, k]];
                v[[i, j, k]] = sum + u[[i, j, k - 1]] + u[[i, j, k + 1]] - 6.0 * u[[i, j, k]];
            }
        }
    }
}

#[kernel]
fn inner_ndrange(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in ndrange([1..l - 1, 1..m - 1, 1..n - 1]) {
        let sum = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]] + u[[i, j + 1, k]];
        v[[i, j, k]] = sum + u[[i, j, k - 1]] + u[[i, j, k + 1]] - 6.0 * u[[i, j, k]];
    }
}

#[kernel]
fn periodic_if(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        let i0 = if i == 0 { l - 1 } else { i - 1 };
        let i1 = if i + 1 == l { 0 } else { i + 1 };
        let j0 = if j == 0 { m - 1 } else { j - 1 };
        let j1 = if j + 1 == m { 0 } else { j + 1 };
        let k0 = if k == 0 { n - 1 } else { k - 1 };
        let k1 = if k + 1 == n { 0 } else { k + 1 };
        let sum = u[[i0, j, k]] + u[[i1, j, k]] + u[[i, j0, k]] + u[[i, j1, k]];
        v[[i, j, k]] = sum + u[[i, j, k0]] + u[[i, j, k1]] - 6.0 * u[[i, j, k]];
    }
}

#[kernel]
fn periodic_rem(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        let mut sum = u[[(i + l - 1) % l, j, k]] + u[[(i + 1) % l, j, k]];
        sum += u[[i, (j + m - 1) % m, k]] + u[[i, (j + 1) % m, k]];
        sum += u[[i, j, (k + n - 1) % n]] + u[[i, j, (k + 1) % n]];
        v[[i, j, k]] = sum - 6.0 * u[[i, j, k]];
    }
}

#[kernel]
fn clamped_min(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        let mut sum = u[[i.saturating_sub(1), j, k]] + u[[(i + 1).min(l - 1), j, k]];
        sum += u[[i, j.saturating_sub(1), k]] + u[[i, (j + 1).min(m - 1), k]];
        sum += u[[i, j, k.saturating_sub(1)]] + u[[i, j, (k + 1).min(n - 1)]];
        v[[i, j, k]] = sum - 6.0 * u[[i, j, k]];
    }
}

#[kernel]
fn clamped_if(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        let c = u[[i, j, k]];
        let mut sum = -6.0 * c;
        sum += if i > 0 { u[[i - 1, j, k]] } else { c };
        sum += if i + 1 < l { u[[i + 1, j, k]] } else { c };
        sum += if j > 0 { u[[i, j - 1, k]] } else { c };
        sum += if j + 1 < m { u[[i, j + 1, k]] } else { c };
        sum += if k > 0 { u[[i, j, k - 1]] } else { c };
        sum += if k + 1 < n { u[[i, j, k + 1]] } else { c };
        v[[i, j, k]] = sum;
    }
}

#[kernel]
fn cube_signed(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        if i > 0 && j > 0 && k > 0 && i + 1 < l && j + 1 < m && k + 1 < n {
            let mut sum = 0.0;
            for a in -1..2_i32 {
                for b in -1..2_i32 {
                    for c in -1..2_i32 {
                        sum += u[[(i as i32 + a) as usize, (j as i32 + b) as usize, (k as i32 + c) as usize]];
                    }
                }
            }
            v[[i, j, k]] = sum / 27.0;
        }
    }
}

#[kernel]
fn cube_guard(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        if i > 0 && j > 0 && k > 0 && i + 1 < l && j + 1 < m && k + 1 < n {
            let mut sum = 0.0;
            for a in 0..3 {
                for b in 0..3 {
                    for c in 0..3 {
                        sum += u[[i + a - 1, j + b - 1, k + c - 1]];
                    }
                }
            }
            v[[i, j, k]] = sum / 27.0;
        }
    }
}

#[kernel]
fn cube_ranges(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in ndrange([1..l - 1, 1..m - 1, 1..n - 1]) {
        let mut sum = 0.0;
        for a in i - 1..i + 2 {
            for b in j - 1..j + 2 {
                for c in k - 1..k + 2 {
                    sum += u[[a, b, c]];
                }
            }
        }
        v[[i, j, k]] = sum / 27.0;
    }
}

#[kernel]
fn wave_guard(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for [i, j, k] in v.indices() {
        if i > 0 && j > 0 && k > 0 && i < l - 1 && j < m - 1 && k < n - 1 {
            let sum = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]] + u[[i, j + 1, k]];
            v[[i, j, k]] += 0.1 * (sum + u[[i, j, k - 1]] + u[[i, j, k + 1]] - 6.0 * u[[i, j, k]]);
        }
    }
}

#[kernel]
fn wave_ranges(u: &Field<f32, 3>, v: &mut Field<f32, 3>) {
    let [l, m, n] = u.shape();
    for i in 1..l - 1 {
        for j in 1..m - 1 {
            for k in 1..n - 1 {
                let sum = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]] + u[[i, j + 1, k]];
                v[[i, j, k]] += 0.1 * (sum + u[[i, j, k - 1]] + u[[i, j, k + 1]] - 6.0 * u[[i, j, k]]);
            }
        }
    }
}

/// A row, the ones above and below, and the ones before and behind.
type Cross<'a> = [&'a [f32]; 5];

/// The sum of neighbours less the element six times, in a row but for its ends.
#[inline(always)]
fn laplacian([row, up, down, before, behind]: Cross, out: &mut [f32], put: impl Fn(&mut f32, f32)) {
    let n = out.len();
    let [row, up, down, before, behind] = [row, up, down, before, behind].map(|row| &row[..n]);
    for k in 1..n - 1 {
        put(&mut out[k], before[k] + behind[k] + up[k] + down[k] + row[k - 1] + row[k + 1] - 6.0 * row[k]);
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
            each([row(i, j), row(i, up), row(i, down), row(before, j), row(behind, j)], out);
        }
    });
}

/// The same for inner rows.
#[inline(always)]
fn inner_crosses((u, v): &mut Volume, each: impl Fn(Cross, &mut [f32]) + Sync) {
    let ([l, m, n], u) = (u.field.shape(), &u.plain);
    v.plain[m * n..(l - 1) * m * n].par_chunks_mut(m * n).enumerate().for_each(|(i, plane)| {
        let row = |i: usize, j: usize| &u[(i * m + j) * n..][..n];
        for j in 1..m - 1 {
            let cross = [row(i + 1, j), row(i + 1, j - 1), row(i + 1, j + 1), row(i, j), row(i + 2, j)];
            each(cross, &mut plane[j * n..][..n]);
        }
    });
}

by_hand! {
    fn inner(volume: &mut Volume) {
        inner_crosses(volume, |cross, out| laplacian(cross, out, |to, x| *to = x));
    }

    fn in_place(volume: &mut Volume) {
        inner_crosses(volume, |cross, out| laplacian(cross, out, |to, x| *to += 0.1 * x));
    }

    fn periodic(volume: &mut Volume) {
        crosses(volume, |i, n| [(i + n - 1) % n, (i + 1) % n], |cross, out| {
            laplacian(cross, out, |to, x| *to = x);
            let ([row, up, down, before, behind], n) = (cross, out.len());
            for (k, left, right) in [(0, n - 1, 1), (n - 1, n - 2, 0)] {
                out[k] = before[k] + behind[k] + up[k] + down[k] + row[left] + row[right] - 6.0 * row[k];
            }
        });
    }

    fn clamped(volume: &mut Volume) {
        crosses(volume, |i, n| [i.saturating_sub(1), (i + 1).min(n - 1)], |cross, out| {
            laplacian(cross, out, |to, x| *to = x);
            let ([row, up, down, before, behind], n) = (cross, out.len());
            for (k, left, right) in [(0, 0, 1), (n - 1, n - 2, n - 1)] {
                out[k] = before[k] + behind[k] + up[k] + down[k] + row[left] + row[right] - 6.0 * row[k];
            }
        });
    }

    fn cube((u, v): &mut Volume) {
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
