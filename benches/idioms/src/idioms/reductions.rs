//! Sums, maxima and counts, alone and beside other work.

use swathe::prelude::*;

use crate::data::{Twin, input, output, random, weyl};
use crate::idiom::{Measured, idiom};
use crate::idioms::reductions_by_hand::{
    columns, count, dot, least, maximum, moments, norm, positive, residual, rows, total,
};

pub fn all() -> Vec<Box<dyn Measured>> {
    let line = |size: crate::data::Size| Ok((input([size.n()], |i| weyl(i) - 0.5)?,));
    let two = |size: crate::data::Size| Ok((input([size.n()], weyl)?, input([size.n()], random)?));
    vec![
        idiom("sum", line, total)
            .form("`+=`", sum_add::plan, |(x,)| sum_add(&x.field))
            .form("range, variable", sum_range::plan, |(x,)| sum_range(&x.field))
            .expression(|(x,)| (&x.field * &x.field).sum())
            .done(),
        idiom("maximum", line, maximum)
            .form("`max`", maximum_method::plan, |(x,)| maximum_method(&x.field))
            .form("`if`", maximum_abs::plan, |(x,)| maximum_abs(&x.field))
            .expression(|(x,)| Ok(x.field.expr().abs().max_element()?.unwrap_or(0.0)))
            .done(),
        idiom("where the least is", line, least)
            .form("`if`", least_if::plan, |(x,)| least_if(&x.field))
            .form("variable, range", least_value::plan, |(x,)| least_value(&x.field))
            .form("`#[func]`", least_function::plan, |(x,)| least_function(&x.field))
            .form("beside a sum", least_sum::plan, |(x,)| least_sum(&x.field))
            .form("packed", least_packed::plan, |(x,)| least_packed(&x.field))
            .done(),
        idiom("count under a condition", line, count)
            .form("`if`", count_if::plan, |(x,)| count_if(&x.field))
            .form("`as u32`", count_cast::plan, |(x,)| count_cast(&x.field))
            .form("`continue`", count_continue::plan, |(x,)| count_continue(&x.field))
            .expression(|(x,)| x.field.expr().gt(0.1).cast::<u32>().sum())
            .done(),
        idiom("sum under a condition", line, positive)
            .form("`if`", positive_if::plan, |(x,)| positive_if(&x.field))
            .form("value of `if`", positive_value::plan, |(x,)| positive_value(&x.field))
            .form("`max`", positive_max::plan, |(x,)| positive_max(&x.field))
            .expression(|(x,)| x.field.expr().max(0.0).sum())
            .done(),
        idiom("dot product", two, dot)
            .form("by index", dot_index::plan, |(x, y)| dot_index(&x.field, &y.field))
            .form("local variables", dot_local::plan, |(x, y)| {
                dot_local(&x.field, &y.field)
            })
            .form("two loops over rows", dot_rows::plan, |(x, y)| {
                dot_rows(&x.field, &y.field)
            })
            .expression(|(x, y)| (&x.field * &y.field).sum())
            .done(),
        idiom("norm of a difference", two, norm)
            .form("`d * d`", norm_product::plan, |(x, y)| norm_product(&x.field, &y.field))
            .form("`powi(2)`", norm_power::plan, |(x, y)| norm_power(&x.field, &y.field))
            .expression(|(x, y)| {
                let d = &x.field - &y.field;
                Ok((d * d).sum()?.sqrt())
            })
            .done(),
        idiom("sum, squares and maximum at once", line, moments)
            .form("three variables", moments_three::plan, |(x,)| moments_three(&x.field))
            .form("three loops", moments_loops::plan, |(x,)| moments_loops(&x.field))
            .done(),
        idiom(
            "residual beside the update, 2-D",
            |size| Ok((input(size.plane(), weyl)?, output(size.plane())?)),
            residual,
        )
        .form("guard", residual_guard::plan, |(u, v)| {
            residual_guard(&u.field, &mut v.field)
        })
        .form("ranges", residual_ranges::plan, |(u, v)| {
            residual_ranges(&u.field, &mut v.field)
        })
        .form("periodic", residual_else::plan, |(u, v)| {
            residual_else(&u.field, &mut v.field)
        })
        .done(),
        idiom(
            "sums of rows",
            |size| Ok((input(size.plane(), weyl)?, output([size.plane()[0]])?)),
            rows,
        )
        .form("loop over a row", rows_loop::plan, |(u, s)| {
            rows_loop(&u.field, &mut s.field)
        })
        .form("`+=` on the element", rows_add::plan, |(u, s)| {
            rows_add(&u.field, &mut s.field)
        })
        .form("atomic", rows_atomic::plan, |(u, s)| {
            rows_atomic(&u.field, &mut s.field)
        })
        .done(),
        idiom(
            "sums of columns",
            |size| Ok((input(size.plane(), weyl)?, output([size.plane()[1]])?)),
            columns,
        )
        .form("loop over a column", columns_loop::plan, |(u, s)| {
            columns_loop(&u.field, &mut s.field)
        })
        .form("atomic", columns_atomic::plan, |(u, s)| {
            columns_atomic(&u.field, &mut s.field)
        })
        .done(),
    ]
}

pub type One = (Twin<f32>,);
pub type Two = (Twin<f32>, Twin<f32>);

#[kernel]
fn sum_add(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i] * x[i];
    }
    sum
}

#[kernel]
fn sum_range(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        let value = x[i];
        sum += value * value;
    }
    sum
}

#[kernel]
fn maximum_method(x: &Field<f32>) -> f32 {
    let mut most = 0.0_f32;
    for i in x.indices() {
        most = most.max(x[i].abs());
    }
    most
}

#[kernel]
fn maximum_abs(x: &Field<f32>) -> f32 {
    let mut most = f32::MIN;
    for i in 0..x.len() {
        let size = if x[i] < 0.0 { -x[i] } else { x[i] };
        most = most.max(size);
    }
    most
}

#[kernel]
fn least_if(x: &Field<f32>) -> u32 {
    let mut least = f32::MAX;
    let mut at = 0;
    for i in x.indices() {
        if x[i] * x[i] < least {
            least = x[i] * x[i];
            at = i as u32;
        }
    }
    at
}

#[kernel]
fn least_value(x: &Field<f32>) -> u32 {
    let (mut at, mut least) = (0, f32::MAX);
    for i in 0..x.len() {
        let value = x[i] * x[i];
        if least > value {
            at = i;
            least = value;
        }
    }
    at as u32
}

#[func]
fn square(x: f32) -> f32 {
    x * x
}

#[kernel]
fn least_function(x: &Field<f32>) -> u32 {
    let (mut least, mut at) = (f32::MAX, 0);
    for i in x.indices() {
        let value = square(x[i]);
        if value < least {
            least = value;
            at = i as u32;
        }
    }
    at
}

#[kernel]
fn least_sum(x: &Field<f32>) -> u32 {
    let (mut least, mut at, mut sum) = (f32::MAX, 0, 0.0);
    for i in x.indices() {
        let value = x[i] * x[i];
        sum += value;
        if value < least {
            least = value;
            at = i as u32;
        }
    }
    // The sum is asked for.
    if sum < 0.0 { 0 } else { at }
}

#[kernel]
fn least_packed(x: &Field<f32>) -> u32 {
    let mut least = u64::MAX;
    for i in x.indices() {
        // The bits of floats that are not negative are in their order.
        least = least.min(((x[i] * x[i]).to_bits() as u64) << 32 | i as u64);
    }
    least as u32
}

#[kernel]
fn count_if(x: &Field<f32>) -> u32 {
    let mut count = 0_u32;
    for i in x.indices() {
        if x[i] > 0.1 {
            count += 1;
        }
    }
    count
}

#[kernel]
fn count_cast(x: &Field<f32>) -> u32 {
    let mut count = 0_u32;
    for i in x.indices() {
        count += (x[i] > 0.1) as u32;
    }
    count
}

#[kernel]
fn count_continue(x: &Field<f32>) -> u32 {
    let mut count = 0_u32;
    for i in x.indices() {
        if x[i] <= 0.1 {
            continue;
        }
        count += 1;
    }
    count
}

#[kernel]
fn positive_if(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        if x[i] > 0.0 {
            sum += x[i];
        }
    }
    sum
}

#[kernel]
fn positive_value(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += if x[i] > 0.0 { x[i] } else { 0.0 };
    }
    sum
}

#[kernel]
fn positive_max(x: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i].max(0.0);
    }
    sum
}

#[kernel]
fn dot_index(x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i] * y[i];
    }
    sum
}

#[kernel]
fn dot_local(x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut sum = 0.0_f32;
    let n = x.len();
    for i in 0..n {
        let a = x[i];
        let b = y[i];
        let product = a * b;
        sum += product;
    }
    sum
}

#[kernel]
fn dot_rows(x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    let n = x.len();
    for block in 0..(n + 1023) / 1024 {
        for i in block * 1024..((block + 1) * 1024).min(n) {
            sum += x[i] * y[i];
        }
    }
    sum
}

#[kernel]
fn norm_product(x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut sum = 0.0;
    for i in x.indices() {
        let d = x[i] - y[i];
        sum += d * d;
    }
    sum.sqrt()
}

#[kernel]
fn norm_power(x: &Field<f32>, y: &Field<f32>) -> f32 {
    let mut sum = 0.0_f32;
    for i in x.indices() {
        sum += (x[i] - y[i]).powi(2);
    }
    sum.sqrt()
}

#[kernel]
fn moments_three(x: &Field<f32>) -> (f32, f32, f32) {
    let mut sum = 0.0;
    let mut squares = 0.0;
    let mut most = 0.0_f32;
    for i in x.indices() {
        sum += x[i].abs();
        squares += x[i] * x[i];
        most = most.max(x[i]);
    }
    (sum, squares, most)
}

#[kernel]
fn moments_loops(x: &Field<f32>) -> (f32, f32, f32) {
    let (mut sum, mut squares, mut most) = (0.0, 0.0, 0.0_f32);
    for i in x.indices() {
        sum += x[i].abs();
    }
    for i in x.indices() {
        squares += x[i] * x[i];
    }
    for i in x.indices() {
        most = most.max(x[i]);
    }
    (sum, squares, most)
}

#[kernel]
fn residual_guard(u: &Field<f32, 2>, v: &mut Field<f32, 2>) -> f32 {
    let [h, w] = u.shape();
    let mut change = 0.0;
    for [i, j] in v.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            let d = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]) - u[[i, j]];
            v[[i, j]] = u[[i, j]] + d;
            change += d * d;
        }
    }
    change
}

#[kernel]
fn residual_ranges(u: &Field<f32, 2>, v: &mut Field<f32, 2>) -> f32 {
    let [h, w] = u.shape();
    let mut change = 0.0;
    for i in 1..h - 1 {
        for j in 1..w - 1 {
            let mean = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            v[[i, j]] = mean;
            change += (mean - u[[i, j]]) * (mean - u[[i, j]]);
        }
    }
    change
}

#[kernel]
fn residual_else(u: &Field<f32, 2>, v: &mut Field<f32, 2>) -> f32 {
    let [h, w] = u.shape();
    let mut change = 0.0;
    for [i, j] in v.indices() {
        if i == 0 || j == 0 || i == h - 1 || j == w - 1 {
            v[[i, j]] = 0.0;
        } else {
            v[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
            change += (v[[i, j]] - u[[i, j]]).powi(2);
        }
    }
    change
}

#[kernel]
fn rows_loop(u: &Field<f32, 2>, sums: &mut Field<f32>) {
    let w = u.shape()[1];
    for i in sums.indices() {
        let mut sum = 0.0;
        for j in 0..w {
            sum += u[[i, j]];
        }
        sums[i] = sum;
    }
}

#[kernel]
fn rows_add(u: &Field<f32, 2>, sums: &mut Field<f32>) {
    let [h, w] = u.shape();
    for i in 0..h {
        sums[i] = 0.0;
        for j in 0..w {
            sums[i] += u[[i, j]];
        }
    }
}

#[kernel]
fn rows_atomic(u: &Field<f32, 2>, sums: &mut Field<f32>) {
    for i in sums.indices() {
        sums[i] = 0.0;
    }
    for [i, j] in u.indices() {
        sums[i].atomic_add(u[[i, j]]);
    }
}

#[kernel]
fn columns_loop(u: &Field<f32, 2>, sums: &mut Field<f32>) {
    let h = u.shape()[0];
    for j in sums.indices() {
        let mut sum = 0.0;
        for i in 0..h {
            sum += u[[i, j]];
        }
        sums[j] = sum;
    }
}

#[kernel]
fn columns_atomic(u: &Field<f32, 2>, sums: &mut Field<f32>) {
    for j in sums.indices() {
        sums[j] = 0.0;
    }
    for [i, j] in u.indices() {
        sums[j].atomic_add(u[[i, j]]);
    }
}
