//! Stencils in two dimensions.

use ndarray::s;
use swathe::prelude::*;

use crate::data::{Twin, input, output, weyl};
use crate::idiom::{Measured, idiom};
use crate::idioms::plane_by_hand::{boxes, clamped, in_place, inner, padded, periodic, zero};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom(
            "2-D, inner",
            |size| Ok((input(size.plane(), weyl)?, output(size.plane())?)),
            inner,
        )
        .form("guard", inner_guard::plan, |(u, v)| inner_guard(&u.field, &mut v.field))
        .form("ranges", inner_ranges::plan, |(u, v)| {
            inner_ranges(&u.field, &mut v.field)
        })
        .form("`ndrange` less 2", inner_shifted::plan, |(u, v)| {
            inner_shifted(&u.field, &mut v.field)
        })
        .form("`continue`", inner_continue::plan, |(u, v)| {
            inner_continue(&u.field, &mut v.field)
        })
        .expression(|(u, v)| {
            let (u, mut inner) = (&u.field, v.field.slice_mut::<2>(s![1..-1, 1..-1])?);
            let (up, down) = (u.slice::<2>(s![..-2, 1..-1])?, u.slice::<2>(s![2.., 1..-1])?);
            let (left, right) = (u.slice::<2>(s![1..-1, ..-2])?, u.slice::<2>(s![1..-1, 2..])?);
            inner.assign(0.25 * (up + down + left + right))
        })
        .done(),
        idiom(
            "2-D, periodic",
            |size| Ok((input(size.plane(), weyl)?, output(size.plane())?)),
            periodic,
        )
        .form("`if`", periodic_if::plan, |(u, v)| periodic_if(&u.field, &mut v.field))
        .form("`%`", periodic_rem::plan, |(u, v)| periodic_rem(&u.field, &mut v.field))
        .form("`rem_euclid` of `i32`", periodic_signed::plan, |(u, v)| {
            periodic_signed(&u.field, &mut v.field)
        })
        .form("`#[func]`", periodic_func::plan, |(u, v)| {
            periodic_func(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "2-D, clamped",
            |size| Ok((input(size.plane(), weyl)?, output(size.plane())?)),
            clamped,
        )
        .form("`min`, `max`", clamped_min::plan, |(u, v)| {
            clamped_min(&u.field, &mut v.field)
        })
        .form("`saturating_sub`", clamped_saturating::plan, |(u, v)| {
            clamped_saturating(&u.field, &mut v.field)
        })
        .form("loop over neighbours", clamped_loop::plan, |(u, v)| {
            clamped_loop(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "2-D, zero beyond",
            |size| Ok((input(size.plane(), weyl)?, output(size.plane())?)),
            zero,
        )
        .form("`if` around each", zero_if::plan, |(u, v)| {
            zero_if(&u.field, &mut v.field)
        })
        .form("sum under `if`", zero_sum::plan, |(u, v)| {
            zero_sum(&u.field, &mut v.field)
        })
        .form("loop over neighbours", zero_loop::plan, |(u, v)| {
            zero_loop(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "2-D, padded",
            |size| {
                let [h, w] = size.plane();
                Ok((input([h + 2, w + 2], weyl)?, output([h, w])?))
            },
            padded,
        )
        .form("loop over the output", padded_output::plan, |(u, v)| {
            padded_output(&u.field, &mut v.field)
        })
        .form("ranges", padded_range::plan, |(u, v)| {
            padded_range(&u.field, &mut v.field)
        })
        .form("loop over 3 x 3", padded_loop::plan, |(u, v)| {
            padded_loop(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "2-D, box of a radius",
            |size| Ok((input(size.plane(), weyl)?, output(size.plane())?)),
            boxes,
        )
        .form("guard, loops over 0..2 * r + 1", box_guard::plan, |(u, v)| {
            box_guard(&u.field, &mut v.field, RADIUS)
        })
        .form("guard, loops over -r..=r", box_signed::plan, |(u, v)| {
            box_signed(&u.field, &mut v.field, RADIUS as i32)
        })
        .form("guard, loops over i - r..i + r + 1", box_around::plan, |(u, v)| {
            box_around(&u.field, &mut v.field, RADIUS)
        })
        .form("`if` around each", box_if::plan, |(u, v)| {
            box_if(&u.field, &mut v.field, RADIUS)
        })
        .done(),
        idiom(
            "2-D, in place",
            |size| Ok((input(size.plane(), weyl)?, output(size.plane())?)),
            in_place,
        )
        .form("guard, `+=`", in_place_guard::plan, |(u, v)| {
            in_place_guard(&u.field, &mut v.field)
        })
        .form("ranges", in_place_ranges::plan, |(u, v)| {
            in_place_ranges(&u.field, &mut v.field)
        })
        .form("`else` for the rim", in_place_else::plan, |(u, v)| {
            in_place_else(&u.field, &mut v.field)
        })
        .done(),
    ]
}

pub type Plane = (Twin<f32, 2>, Twin<f32, 2>);

#[kernel]
fn inner_guard(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i > 0 && i < h - 1 && j > 0 && j < w - 1 {
            v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
        }
    }
}

#[kernel]
fn inner_ranges(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for i in 1..h - 1 {
        for j in 1..w - 1 {
            v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
        }
    }
}

#[kernel]
fn inner_shifted(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [a, b] in ndrange([h - 2, w - 2]) {
        v[[a + 1, b + 1]] = 0.25 * (u[[a, b + 1]] + u[[a + 2, b + 1]] + u[[a + 1, b]] + u[[a + 1, b + 2]]);
    }
}

#[kernel]
fn inner_continue(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i == 0 || j == 0 || i == h - 1 || j == w - 1 {
            continue;
        }
        let sum = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
        v[[i, j]] = 0.25 * sum;
    }
}

#[kernel]
fn periodic_if(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let up = if i == 0 { h - 1 } else { i - 1 };
        let down = if i == h - 1 { 0 } else { i + 1 };
        let left = if j == 0 { w - 1 } else { j - 1 };
        let right = if j == w - 1 { 0 } else { j + 1 };
        v[[i, j]] = 0.25 * (u[[up, j]] + u[[down, j]] + u[[i, left]] + u[[i, right]]);
    }
}

#[kernel]
fn periodic_rem(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let sum = u[[(i + h - 1) % h, j]] + u[[(i + 1) % h, j]] + u[[i, (j + w - 1) % w]] + u[[i, (j + 1) % w]];
        v[[i, j]] = 0.25 * sum;
    }
}

#[kernel]
fn periodic_signed(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let (y, x) = (i as i32, j as i32);
        let up = (y - 1).rem_euclid(h as i32) as usize;
        let down = (y + 1).rem_euclid(h as i32) as usize;
        let left = (x - 1).rem_euclid(w as i32) as usize;
        let right = (x + 1).rem_euclid(w as i32) as usize;
        v[[i, j]] = 0.25 * (u[[up, j]] + u[[down, j]] + u[[i, left]] + u[[i, right]]);
    }
}

#[func]
fn before(i: usize, n: usize) -> usize {
    if i == 0 { n - 1 } else { i - 1 }
}

#[func]
fn behind(i: usize, n: usize) -> usize {
    if i + 1 == n { 0 } else { i + 1 }
}

#[kernel]
fn periodic_func(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let sum = u[[before(i, h), j]] + u[[behind(i, h), j]] + u[[i, before(j, w)]] + u[[i, behind(j, w)]];
        v[[i, j]] = 0.25 * sum;
    }
}

#[kernel]
fn clamped_min(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let sum = u[[i.max(1) - 1, j]] + u[[(i + 1).min(h - 1), j]] + u[[i, j.max(1) - 1]] + u[[i, (j + 1).min(w - 1)]];
        v[[i, j]] = 0.25 * sum;
    }
}

#[kernel]
fn clamped_saturating(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for p in v.indices() {
        let [i, j] = p;
        let (up, down) = (i.saturating_sub(1), (i + 1).min(h - 1));
        let (left, right) = (j.saturating_sub(1), (j + 1).min(w - 1));
        v[p] = 0.25 * (u[[up, j]] + u[[down, j]] + u[[i, left]] + u[[i, right]]);
    }
}

const AROUND: [[i32; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

#[kernel]
fn clamped_loop(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 0.0;
        for [di, dj] in AROUND {
            let y = (i as i32 + di).clamp(0, h as i32 - 1);
            let x = (j as i32 + dj).clamp(0, w as i32 - 1);
            sum += u[[y as usize, x as usize]];
        }
        v[[i, j]] = 0.25 * sum;
    }
}

#[kernel]
fn zero_if(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let up = if i > 0 { u[[i - 1, j]] } else { 0.0 };
        let down = if i + 1 < h { u[[i + 1, j]] } else { 0.0 };
        let left = if j > 0 { u[[i, j - 1]] } else { 0.0 };
        let right = if j + 1 < w { u[[i, j + 1]] } else { 0.0 };
        v[[i, j]] = 0.25 * (up + down + left + right);
    }
}

#[kernel]
fn zero_sum(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 0.0;
        if i > 0 {
            sum += u[[i - 1, j]];
        }
        if i < h - 1 {
            sum += u[[i + 1, j]];
        }
        if j > 0 {
            sum += u[[i, j - 1]];
        }
        if j < w - 1 {
            sum += u[[i, j + 1]];
        }
        v[[i, j]] = 0.25 * sum;
    }
}

#[kernel]
fn zero_loop(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 0.0;
        for [di, dj] in AROUND {
            let y = i as i32 + di;
            let x = j as i32 + dj;
            if y >= 0 && y < h as i32 && x >= 0 && x < w as i32 {
                sum += u[[y as usize, x as usize]];
            }
        }
        v[[i, j]] = 0.25 * sum;
    }
}

#[kernel]
fn padded_output(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    for [i, j] in v.indices() {
        let mut sum = u[[i, j]] + u[[i, j + 1]] + u[[i, j + 2]];
        sum += u[[i + 1, j]] + u[[i + 1, j + 1]] + u[[i + 1, j + 2]];
        sum += u[[i + 2, j]] + u[[i + 2, j + 1]] + u[[i + 2, j + 2]];
        v[[i, j]] = sum / 9.0;
    }
}

#[kernel]
fn padded_range(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for a in 0..h - 2 {
        for b in 0..w - 2 {
            let (i, j) = (a + 1, b + 1);
            let mut sum = u[[i - 1, j - 1]] + u[[i - 1, j]] + u[[i - 1, j + 1]];
            sum += u[[i, j - 1]] + u[[i, j]] + u[[i, j + 1]];
            sum += u[[i + 1, j - 1]] + u[[i + 1, j]] + u[[i + 1, j + 1]];
            v[[a, b]] = sum / 9.0;
        }
    }
}

#[kernel]
fn padded_loop(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    for [i, j] in v.indices() {
        let mut sum = 0.0;
        for a in 0..3 {
            for b in 0..3 {
                sum += u[[i + a, j + b]];
            }
        }
        v[[i, j]] = sum / 9.0;
    }
}

#[kernel]
fn in_place_guard(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            let sum = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
            v[[i, j]] += 0.1 * (sum - 4.0 * u[[i, j]]);
        } else {
            v[[i, j]] = 0.0;
        }
    }
}

#[kernel]
fn in_place_ranges(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for i in 1..h - 1 {
        for j in 1..w - 1 {
            let sum = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
            v[[i, j]] += 0.1 * (sum - 4.0 * u[[i, j]]);
        }
    }
}

#[kernel]
fn in_place_else(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i == 0 || j == 0 || i == h - 1 || j == w - 1 {
            v[[i, j]] = 0.0;
        } else {
            let sum = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
            v[[i, j]] += 0.1 * (sum - 4.0 * u[[i, j]]);
        }
    }
}

/// What kernels do not know.
pub const RADIUS: usize = 3;

#[kernel]
fn box_guard(u: &Field<f32, 2>, v: &mut Field<f32, 2>, r: usize) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i >= r && j >= r && i + r < h && j + r < w {
            let mut sum = 0.0;
            for a in 0..2 * r + 1 {
                for b in 0..2 * r + 1 {
                    sum += u[[i + a - r, j + b - r]];
                }
            }
            v[[i, j]] = sum;
        }
    }
}

#[kernel]
fn box_signed(u: &Field<f32, 2>, v: &mut Field<f32, 2>, r: i32) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let (y, x) = (i as i32, j as i32);
        if y >= r && x >= r && y + r < h as i32 && x + r < w as i32 {
            let mut sum = 0.0;
            for a in -r..=r {
                for b in -r..=r {
                    sum += u[[(y + a) as usize, (x + b) as usize]];
                }
            }
            v[[i, j]] = sum;
        }
    }
}

#[kernel]
fn box_around(u: &Field<f32, 2>, v: &mut Field<f32, 2>, r: usize) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        if i >= r && j >= r && i + r < h && j + r < w {
            let mut sum = 0.0;
            for k in i - r..i + r + 1 {
                for l in j - r..j + r + 1 {
                    sum += u[[k, l]];
                }
            }
            v[[i, j]] = sum;
        }
    }
}

#[kernel]
fn box_if(u: &Field<f32, 2>, v: &mut Field<f32, 2>, r: usize) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let mut sum = 0.0;
        let mut count = 0;
        for a in 0..2 * r + 1 {
            for b in 0..2 * r + 1 {
                let (y, x) = ((i + a) as i32 - r as i32, (j + b) as i32 - r as i32);
                if y >= 0 && y < h as i32 && x >= 0 && x < w as i32 {
                    sum += u[[y as usize, x as usize]];
                    count += 1;
                }
            }
        }
        if count == (2 * r + 1) * (2 * r + 1) {
            v[[i, j]] = sum;
        }
    }
}
