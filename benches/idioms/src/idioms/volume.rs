//! Stencils in three dimensions.

use swathe::prelude::*;

use crate::data::{Twin, input, output, weyl};
use crate::idiom::{Measured, idiom};
use crate::idioms::volume_by_hand::{clamped, cube, in_place, inner, periodic};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom(
            "3-D, inner",
            |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)),
            inner,
        )
        .form("guard", inner_guard::plan, |(u, v)| inner_guard(&u.field, &mut v.field))
        .form("ranges", inner_ranges::plan, |(u, v)| {
            inner_ranges(&u.field, &mut v.field)
        })
        .form("`ndrange` less 2", inner_ndrange::plan, |(u, v)| {
            inner_ndrange(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "3-D, periodic",
            |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)),
            periodic,
        )
        .form("`if`", periodic_if::plan, |(u, v)| periodic_if(&u.field, &mut v.field))
        .form("`%`", periodic_rem::plan, |(u, v)| periodic_rem(&u.field, &mut v.field))
        .done(),
        idiom(
            "3-D, clamped",
            |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)),
            clamped,
        )
        .form("`min`, `max`", clamped_min::plan, |(u, v)| {
            clamped_min(&u.field, &mut v.field)
        })
        .form("`if` around each", clamped_if::plan, |(u, v)| {
            clamped_if(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "3-D, box of 27",
            |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)),
            cube,
        )
        .form("guard, loops over -1..2", cube_signed::plan, |(u, v)| {
            cube_signed(&u.field, &mut v.field)
        })
        .form("guard, loops over 0..3", cube_guard::plan, |(u, v)| {
            cube_guard(&u.field, &mut v.field)
        })
        .form("ranges, loops over i - 1..i + 2", cube_ranges::plan, |(u, v)| {
            cube_ranges(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "3-D, in place",
            |size| Ok((input(size.volume(), weyl)?, output(size.volume())?)),
            in_place,
        )
        .form("guard, `+=`", wave_guard::plan, |(u, v)| {
            wave_guard(&u.field, &mut v.field)
        })
        .form("ranges", wave_ranges::plan, |(u, v)| {
            wave_ranges(&u.field, &mut v.field)
        })
        .done(),
    ]
}

pub type Volume = (Twin<f32, 3>, Twin<f32, 3>);

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
    for [a, b, c] in ndrange([l - 2, m - 2, n - 2]) {
        let (i, j, k) = (a + 1, b + 1, c + 1);
        let sum = u[[i - 1, j, k]] + u[[i + 1, j, k]] + u[[i, j - 1, k]] + u[[i, j + 1, k]];
        v[[a + 1, b + 1, c + 1]] = sum + u[[i, j, k - 1]] + u[[i, j, k + 1]] - 6.0 * u[[i, j, k]];
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
                        sum += u[[
                            (i as i32 + a) as usize,
                            (j as i32 + b) as usize,
                            (k as i32 + c) as usize,
                        ]];
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
    for i in 1..l - 1 {
        for j in 1..m - 1 {
            for k in 1..n - 1 {
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
