//! Sweeps that take elements of one colour, then of the other.
//!
//! An iteration reads what others own, and what it reads has another colour than what they write: `unsafe` says so.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::data::{Twin, input, state, weyl};
use crate::idiom::{Measured, idiom};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom(
            "red-black, in place",
            |size| Ok((state(size.plane(), weyl)?, input(size.plane(), weyl)?)),
            sweep,
        )
        .form("one loop, `(i + j) % 2`", checkered::plan, |(u, b)| {
            checkered(&mut u.field, &b.field, 0)?;
            checkered(&mut u.field, &b.field, 1)
        })
        .form("rows with `step_by(2)`", stepped::plan, |(u, b)| {
            stepped(&mut u.field, &b.field, 0)?;
            stepped(&mut u.field, &b.field, 1)
        })
        .form("half as many columns", halved::plan, |(u, b)| {
            halved(&mut u.field, &b.field, 0)?;
            halved(&mut u.field, &b.field, 1)
        })
        .form("two loops in one kernel", both::plan, |(u, b)| {
            both(&mut u.field, &b.field)
        })
        .done(),
        idiom(
            "red-black, two arrays",
            |size| {
                let [h, w] = size.plane();
                let half = [h, w / 2];
                Ok((state(half, weyl)?, state(half, |i| 1.0 - weyl(i))?))
            },
            apart,
        )
        .form("`if` on the row's colour", apart_if::plan, |(r, b)| {
            apart_if(&mut r.field, &mut b.field)
        })
        .form("offset `i % 2`", apart_offset::plan, |(r, b)| {
            apart_offset(&mut r.field, &mut b.field)
        })
        .done(),
        idiom(
            "checkered source",
            |size| Ok((state(size.plane(), weyl)?, input(size.plane(), weyl)?)),
            checkers,
        )
        .form("`if (i + j) % 2`", checkers_if::plan, |(u, b)| {
            checkers_if(&mut u.field, &b.field)
        })
        .form("two values", checkers_select::plan, |(u, b)| {
            checkers_select(&mut u.field, &b.field)
        })
        .form("factor from `%`", checkers_factor::plan, |(u, b)| {
            checkers_factor(&mut u.field, &b.field)
        })
        .done(),
    ]
}

type Plane = (Twin<f32, 2>, Twin<f32, 2>);

#[kernel]
fn checkered(u: &mut Field<f32, 2>, b: &Field<f32, 2>, colour: usize) {
    let [h, w] = u.shape();
    for [i, j] in u.indices() {
        if (i + j) % 2 == colour && i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            // SAFETY: the neighbours have the other colour.
            let sum = unsafe { u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] };
            u[[i, j]] = 0.2 * (sum + b[[i, j]]);
        }
    }
}

#[kernel]
fn stepped(u: &mut Field<f32, 2>, b: &Field<f32, 2>, colour: usize) {
    let [h, w] = u.shape();
    for i in 1..h - 1 {
        for j in (1 + (i + 1 + colour) % 2..w - 1).step_by(2) {
            // SAFETY: the neighbours have the other colour.
            let sum = unsafe { u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] };
            u[[i, j]] = 0.2 * (sum + b[[i, j]]);
        }
    }
}

#[kernel]
fn halved(u: &mut Field<f32, 2>, b: &Field<f32, 2>, colour: usize) {
    let [h, w] = u.shape();
    for [i, k] in ndrange([h, w / 2]) {
        let j = 2 * k + (i + colour) % 2;
        if i > 0 && i < h - 1 && j > 0 && j < w - 1 {
            // SAFETY: each iteration writes an element of its own, and the neighbours have the other colour.
            unsafe {
                let sum = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
                u[[i, j]] = 0.2 * (sum + b[[i, j]]);
            }
        }
    }
}

#[kernel]
fn both(u: &mut Field<f32, 2>, b: &Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in u.indices() {
        if i > 0 && j > 0 && i < h - 1 && j < w - 1 && (i + j) % 2 == 0 {
            // SAFETY: the neighbours have the other colour.
            let sum = unsafe { u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] };
            u[[i, j]] = 0.2 * (sum + b[[i, j]]);
        }
    }
    for [i, j] in u.indices() {
        if i > 0 && j > 0 && i < h - 1 && j < w - 1 && (i + j) % 2 == 1 {
            // SAFETY: the neighbours have the other colour.
            let sum = unsafe { u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] };
            u[[i, j]] = 0.2 * (sum + b[[i, j]]);
        }
    }
}

/// Red elements stand at even places of even rows and at odd ones of odd rows.
#[kernel]
fn apart_if(red: &mut Field<f32, 2>, black: &mut Field<f32, 2>) {
    let [h, w] = red.shape();
    for [i, j] in red.indices() {
        if i > 0 && j > 0 && i < h - 1 && j < w - 1 {
            let side = if i % 2 == 0 {
                black[[i, j - 1]]
            } else {
                black[[i, j + 1]]
            };
            red[[i, j]] = 0.25 * (black[[i - 1, j]] + black[[i + 1, j]] + black[[i, j]] + side);
        }
    }
    for [i, j] in black.indices() {
        if i > 0 && j > 0 && i < h - 1 && j < w - 1 {
            let side = if i % 2 == 0 { red[[i, j + 1]] } else { red[[i, j - 1]] };
            black[[i, j]] = 0.25 * (red[[i - 1, j]] + red[[i + 1, j]] + red[[i, j]] + side);
        }
    }
}

#[kernel]
fn apart_offset(red: &mut Field<f32, 2>, black: &mut Field<f32, 2>) {
    let [h, w] = red.shape();
    for i in 1..h - 1 {
        let odd = i % 2;
        for j in 1..w - 1 {
            let side = black[[i, j - 1 + 2 * odd]];
            red[[i, j]] = 0.25 * (black[[i - 1, j]] + black[[i + 1, j]] + black[[i, j]] + side);
        }
    }
    for i in 1..h - 1 {
        let odd = i % 2;
        for j in 1..w - 1 {
            let side = red[[i, j + 1 - 2 * odd]];
            black[[i, j]] = 0.25 * (red[[i - 1, j]] + red[[i + 1, j]] + red[[i, j]] + side);
        }
    }
}

#[kernel]
fn checkers_if(u: &mut Field<f32, 2>, b: &Field<f32, 2>) {
    for [i, j] in u.indices() {
        if (i + j) % 2 == 0 {
            u[[i, j]] += b[[i, j]];
        } else {
            u[[i, j]] -= b[[i, j]];
        }
    }
}

#[kernel]
fn checkers_select(u: &mut Field<f32, 2>, b: &Field<f32, 2>) {
    for p in u.indices() {
        let [i, j] = p;
        let sign = if (i + j) % 2 == 0 { 1.0 } else { -1.0 };
        u[p] += sign * b[p];
    }
}

#[kernel]
fn checkers_factor(u: &mut Field<f32, 2>, b: &Field<f32, 2>) {
    for [i, j] in u.indices() {
        u[[i, j]] += (1.0 - 2.0 * ((i + j) % 2) as f32) * b[[i, j]];
    }
}

/// A mean of four rows and a side.
#[inline(always)]
fn mean(out: &mut [f32], up: &[f32], row: &[f32], down: &[f32], odd: bool) {
    let w = out.len();
    let (up, row, down) = (&up[..w], &row[..w], &down[..w]);
    let side = if odd { &row[2..] } else { &row[..w - 2] };
    for j in 1..w - 1 {
        out[j] = 0.25 * (up[j] + down[j] + row[j] + side[j - 1]);
    }
}

by_hand! {
    fn sweep((u, b): &mut Plane) {
        let [h, w] = u.field.shape();
        for colour in 0..2 {
            // Rows of one kind have their neighbours in rows of the other.
            for odd in 0..2 {
                let (mut even_rows, mut odd_rows): (Vec<_>, Vec<_>) = (Vec::new(), Vec::new());
                for (i, row) in u.plain.chunks_mut(w).enumerate() {
                    if i % 2 == 0 { even_rows.push(row) } else { odd_rows.push(row) }
                }
                let (mine, others) = if odd == 0 { (even_rows, odd_rows) } else { (odd_rows, even_rows) };
                mine.into_par_iter().enumerate().with_min_len(16).for_each(|(k, row)| {
                    let i = 2 * k + odd;
                    if i == 0 || i + 1 >= h {
                        return;
                    }
                    let (up, down) = (&others[k + odd - 1][..w], &others[k + odd][..w]);
                    let b = &b.plain[i * w..(i + 1) * w];
                    let mut j = 1 + (i + 1 + colour) % 2;
                    while j < w - 1 {
                        row[j] = 0.2 * (up[j] + down[j] + row[j - 1] + row[j + 1] + b[j]);
                        j += 2;
                    }
                });
            }
        }
    }

    fn apart((red, black): &mut Plane) {
        let [h, w] = red.field.shape();
        for colour in 0..2 {
            let (to, from) = if colour == 0 { (&mut *red, &*black) } else { (&mut *black, &*red) };
            to.plain[w..(h - 1) * w].par_chunks_mut(w).enumerate().for_each(|(i, out)| {
                let [up, row, down] = [i, i + 1, i + 2].map(|i| &from.plain[i * w..(i + 1) * w]);
                mean(out, up, row, down, (i + 1 + colour) % 2 == 1);
            });
        }
    }

    fn checkers((u, b): &mut Plane) {
        let [_, w] = u.field.shape();
        u.plain.par_chunks_mut(w).zip(b.plain.par_chunks(w)).enumerate().for_each(|(i, (u, b))| {
            let first = if i % 2 == 0 { 1.0 } else { -1.0 };
            for (u, b) in u.chunks_mut(2).zip(b.chunks(2)) {
                u[0] += first * b[0];
                if let (Some(u), Some(b)) = (u.get_mut(1), b.get(1)) {
                    *u -= first * b;
                }
            }
        });
    }
}
