//! Stencils in one dimension.

use ndarray::s;
use swathe::prelude::*;

use crate::data::{Twin, input, output, weyl};
use crate::idiom::{Measured, idiom};
use crate::idioms::line_by_hand::{clamped, in_place, inner, periodic, radius, reflected};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom(
            "1-D, inner",
            |size| Ok((input([size.n()], weyl)?, output([size.n()])?)),
            inner,
        )
        .form("guard", inner_guard::plan, |(u, v)| inner_guard(&u.field, &mut v.field))
        .form("range", inner_range::plan, |(u, v)| inner_range(&u.field, &mut v.field))
        .form("`continue`", inner_continue::plan, |(u, v)| {
            inner_continue(&u.field, &mut v.field)
        })
        .expression(|(u, v)| {
            let (u, mut inner) = (&u.field, v.field.slice_mut::<1>(s![1..-1])?);
            inner.assign(u.slice::<1>(s![..-2])? - 2.0 * u.slice::<1>(s![1..-1])? + u.slice::<1>(s![2..])?)
        })
        .done(),
        idiom(
            "1-D, periodic",
            |size| Ok((input([size.n()], weyl)?, output([size.n()])?)),
            periodic,
        )
        .form("`if`", periodic_if::plan, |(u, v)| periodic_if(&u.field, &mut v.field))
        .form("`%`", periodic_rem::plan, |(u, v)| periodic_rem(&u.field, &mut v.field))
        .form("ends by hand", periodic_peeled::plan, |(u, v)| {
            periodic_peeled(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "1-D, clamped",
            |size| Ok((input([size.n()], weyl)?, output([size.n()])?)),
            clamped,
        )
        .form("`min`, `max`", clamped_min::plan, |(u, v)| {
            clamped_min(&u.field, &mut v.field)
        })
        .form("`saturating_sub`", clamped_saturating::plan, |(u, v)| {
            clamped_saturating(&u.field, &mut v.field)
        })
        .form("`if`", clamped_if::plan, |(u, v)| clamped_if(&u.field, &mut v.field))
        .form("`clamp` of `i32`", clamped_signed::plan, |(u, v)| {
            clamped_signed(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "1-D, reflected",
            |size| Ok((input([size.n()], weyl)?, output([size.n()])?)),
            reflected,
        )
        .form("`if`", reflected_if::plan, |(u, v)| {
            reflected_if(&u.field, &mut v.field)
        })
        .form("`abs` of `isize`", reflected_abs::plan, |(u, v)| {
            reflected_abs(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "1-D, radius 4",
            |size| Ok((input([size.n()], weyl)?, output([size.n()])?)),
            radius,
        )
        .form("loop, weights in a table", radius_loop::plan, |(u, v)| {
            radius_loop(&u.field, &mut v.field)
        })
        .form("loop, position less radius", radius_shifted::plan, |(u, v)| {
            radius_shifted(&u.field, &mut v.field)
        })
        .form("written out", radius_written::plan, |(u, v)| {
            radius_written(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "1-D, in place",
            |size| Ok((input([size.n()], weyl)?, output([size.n()])?)),
            in_place,
        )
        .form("guard, `+=`", in_place_guard::plan, |(u, v)| {
            in_place_guard(&u.field, &mut v.field)
        })
        .form("clamped, `+=`", in_place_clamped::plan, |(u, v)| {
            in_place_clamped(&u.field, &mut v.field)
        })
        .form("`if` around neighbours", in_place_if::plan, |(u, v)| {
            in_place_if(&u.field, &mut v.field)
        })
        .done(),
    ]
}

pub type Line = (Twin<f32>, Twin<f32>);

#[kernel]
fn inner_guard(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        if i > 0 && i + 1 < n {
            v[i] = u[i - 1] - 2.0 * u[i] + u[i + 1];
        }
    }
}

#[kernel]
fn inner_range(u: &Field<f32>, v: &mut Field<f32>) {
    for i in 1..u.len() - 1 {
        v[i] = u[i - 1] - 2.0 * u[i] + u[i + 1];
    }
}

#[kernel]
fn inner_continue(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        if i == 0 || i == n - 1 {
            continue;
        }
        v[i] = u[i - 1] - 2.0 * u[i] + u[i + 1];
    }
}

#[kernel]
fn periodic_if(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        let left = if i == 0 { n - 1 } else { i - 1 };
        let right = if i == n - 1 { 0 } else { i + 1 };
        v[i] = u[left] - 2.0 * u[i] + u[right];
    }
}

#[kernel]
fn periodic_rem(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        v[i] = u[(i + n - 1) % n] - 2.0 * u[i] + u[(i + 1) % n];
    }
}

#[kernel]
fn periodic_peeled(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in 1..n - 1 {
        v[i] = u[i - 1] - 2.0 * u[i] + u[i + 1];
    }
    v[0] = u[n - 1] - 2.0 * u[0] + u[1];
    v[n - 1] = u[n - 2] - 2.0 * u[n - 1] + u[0];
}

#[kernel]
fn clamped_min(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        v[i] = u[i.max(1) - 1] - 2.0 * u[i] + u[(i + 1).min(n - 1)];
    }
}

#[kernel]
fn clamped_saturating(u: &Field<f32>, v: &mut Field<f32>) {
    let last = u.len() - 1;
    for i in v.indices() {
        v[i] = u[i.saturating_sub(1)] - 2.0 * u[i] + u[last.min(i + 1)];
    }
}

#[kernel]
fn clamped_if(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        let left = if i > 0 { u[i - 1] } else { u[0] };
        let right = if i + 1 < n { u[i + 1] } else { u[n - 1] };
        v[i] = left - 2.0 * u[i] + right;
    }
}

#[kernel]
fn clamped_signed(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len() as i32;
    for i in v.indices() {
        let left = (i as i32 - 1).clamp(0, n - 1) as usize;
        let right = (i as i32 + 1).clamp(0, n - 1) as usize;
        v[i] = u[left] - 2.0 * u[i] + u[right];
    }
}

#[kernel]
fn reflected_if(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        let left = if i == 0 { 1 } else { i - 1 };
        let right = if i == n - 1 { n - 2 } else { i + 1 };
        v[i] = u[left] - 2.0 * u[i] + u[right];
    }
}

#[kernel]
fn reflected_abs(u: &Field<f32>, v: &mut Field<f32>) {
    let last = u.len() as isize - 1;
    for i in v.indices() {
        let left = (i as isize - 1).abs();
        let right = last - (last - (i as isize + 1)).abs();
        v[i] = u[left as usize] - 2.0 * u[i] + u[right as usize];
    }
}

pub const WEIGHTS: [f32; 9] = [0.02, 0.05, 0.12, 0.2, 0.22, 0.2, 0.12, 0.05, 0.02];

#[kernel]
fn radius_loop(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in 4..n - 4 {
        let mut sum = 0.0;
        for k in 0..9 {
            sum += WEIGHTS[k] * u[i + k - 4];
        }
        v[i] = sum;
    }
}

#[kernel]
fn radius_shifted(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        if i >= 4 && i < n - 4 {
            let first = i - 4;
            let mut sum = 0.0;
            for k in 0..WEIGHTS.len() {
                sum += WEIGHTS[k] * u[first + k];
            }
            v[i] = sum;
        }
    }
}

#[kernel]
fn radius_written(u: &Field<f32>, v: &mut Field<f32>) {
    for i in 4..u.len() - 4 {
        v[i] = 0.02 * (u[i - 4] + u[i + 4])
            + 0.05 * (u[i - 3] + u[i + 3])
            + 0.12 * (u[i - 2] + u[i + 2])
            + 0.2 * (u[i - 1] + u[i + 1])
            + 0.22 * u[i];
    }
}

#[kernel]
fn in_place_guard(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        if i >= 1 && i <= n - 2 {
            v[i] += 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        } else {
            v[i] += 0.1 * (u[i.max(1) - 1] - 2.0 * u[i] + u[(i + 1).min(n - 1)]);
        }
    }
}

#[kernel]
fn in_place_clamped(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        v[i] += 0.1 * (u[i.saturating_sub(1)] - 2.0 * u[i] + u[(i + 1).min(n - 1)]);
    }
}

#[kernel]
fn in_place_if(u: &Field<f32>, v: &mut Field<f32>) {
    let n = u.len();
    for i in v.indices() {
        let mut force = 0.0;
        if i > 0 {
            force += u[i - 1] - u[i];
        }
        if i < n - 1 {
            force += u[i + 1] - u[i];
        }
        v[i] += 0.1 * force;
    }
}
