//! Indices from tables: gather, scatter, histograms, values looked up.

use swathe::prelude::*;

use crate::data::{Size, Twin, hash, input, output, weyl};
use crate::idiom::{Measured, idiom};
use crate::idioms::tables_by_hand::{bytes, floats, gather, lookup, scatter, scatter_sum, transpose, twice};

pub fn all() -> Vec<Box<dyn Measured>> {
    let shuffled = |size: Size| {
        let n = size.n();
        Ok((input([n], |i| scatter_index(i, n))?, input([n], weyl)?, output([n])?))
    };
    vec![
        idiom("gather", shuffled, gather)
            .form("by index", gather_index::plan, |(t, x, y)| {
                gather_index(&t.field, &x.field, &mut y.field)
            })
            .form("local variable", gather_local::plan, |(t, x, y)| {
                gather_local(&t.field, &x.field, &mut y.field)
            })
            .form("guard", gather_guard::plan, |(t, x, y)| {
                gather_guard(&t.field, &x.field, &mut y.field)
            })
            .form("`min`", gather_min::plan, |(t, x, y)| {
                gather_min(&t.field, &x.field, &mut y.field)
            })
            .done(),
        idiom("gather through two tables", shuffled, twice)
            .form("in one expression", twice_nested::plan, |(t, x, y)| {
                twice_nested(&t.field, &x.field, &mut y.field)
            })
            .form("local variables", twice_local::plan, |(t, x, y)| {
                twice_local(&t.field, &x.field, &mut y.field)
            })
            .done(),
        idiom("scatter to a permutation", shuffled, scatter)
            .form("`atomic_store`", scatter_store::plan, |(t, x, y)| {
                scatter_store(&t.field, &x.field, &mut y.field)
            })
            .form("`unsafe`", scatter_unsafe::plan, |(t, x, y)| {
                scatter_unsafe(&t.field, &x.field, &mut y.field)
            })
            .done(),
        idiom("scatter, adding", shuffled, scatter_sum)
            .form("`atomic_add`", scatter_add::plan, |(t, x, y)| {
                scatter_add(&t.field, &x.field, &mut y.field)
            })
            .form("guard", scatter_guard::plan, |(t, x, y)| {
                scatter_guard(&t.field, &x.field, &mut y.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom(
            "histogram of bytes",
            |size| {
                Ok((
                    input([size.n()], |i| (hash(i) >> 24) as u8)?,
                    output::<u32, 1, _>([256])?,
                ))
            },
            bytes,
        )
        .form("by index", bytes_index::plan, |(k, b)| {
            bytes_index(&k.field, &mut b.field)
        })
        .form("local variable", bytes_local::plan, |(k, b)| {
            bytes_local(&k.field, &mut b.field)
        })
        .done(),
        idiom(
            "histogram of floats",
            |size| Ok((input([size.n()], weyl)?, output::<u32, 1, _>([100])?)),
            floats,
        )
        .form("`min`", floats_min::plan, |(x, b)| floats_min(&x.field, &mut b.field))
        .form("guard", floats_guard::plan, |(x, b)| {
            floats_guard(&x.field, &mut b.field)
        })
        .form("`clamp` of `i32`", floats_clamp::plan, |(x, b)| {
            floats_clamp(&x.field, &mut b.field)
        })
        .done(),
        idiom(
            "table of values, interpolated",
            |size| {
                Ok((
                    input([257], |i| (i as f32 * 0.02).sin())?,
                    input([size.n()], weyl)?,
                    output([size.n()])?,
                ))
            },
            lookup,
        )
        .form("by index", lookup_index::plan, |(t, x, y)| {
            lookup_index(&t.field, &x.field, &mut y.field)
        })
        .form("`floor`, `min`", lookup_floor::plan, |(t, x, y)| {
            lookup_floor(&t.field, &x.field, &mut y.field)
        })
        .done(),
        idiom(
            "transpose",
            |size| Ok((input(size.plane(), weyl)?, output(turned(size))?)),
            transpose,
        )
        .form("reads in turns", transpose_read::plan, |(u, v)| {
            transpose_read(&u.field, &mut v.field)
        })
        .form("writes in turns", transpose_write::plan, |(u, v)| {
            transpose_write(&u.field, &mut v.field)
        })
        .done(),
    ]
}

fn turned(size: Size) -> [usize; 2] {
    let [h, w] = size.plane();
    [w, h]
}

/// Positions in an order that is not theirs: near ones stay near, as in a mesh.
fn scatter_index(i: usize, n: usize) -> u32 {
    let block = i / 64 * 64;
    let within = if block + 64 <= n {
        (i * 29 + block / 64) % 64
    } else {
        i % 64
    };
    (block + within) as u32
}

pub type Tables = (Twin<u32>, Twin<f32>, Twin<f32>);

#[kernel]
fn gather_index(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = 2.0 * x[table[i] as usize];
    }
}

#[kernel]
fn gather_local(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    let n = table.len();
    for i in 0..n {
        let k = table[i] as usize;
        let value = x[k];
        y[i] = 2.0 * value;
    }
}

#[kernel]
fn gather_guard(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let k = table[i] as usize;
        if k < x.len() {
            y[i] = 2.0 * x[k];
        }
    }
}

#[kernel]
fn gather_min(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    let last = x.len() - 1;
    for i in y.indices() {
        y[i] = 2.0 * x[(table[i] as usize).min(last)];
    }
}

#[kernel]
fn twice_nested(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] = x[table[table[i] as usize] as usize];
    }
}

#[kernel]
fn twice_local(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let a = table[i];
        let b = table[a as usize];
        y[i] = x[b as usize];
    }
}

#[kernel]
fn scatter_store(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in x.indices() {
        y[table[i] as usize].atomic_store(2.0 * x[i]);
    }
}

#[kernel]
fn scatter_unsafe(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in x.indices() {
        // SAFETY: the table is a permutation.
        unsafe { y[table[i] as usize] = 2.0 * x[i] };
    }
}

#[kernel]
fn scatter_add(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in x.indices() {
        y[(table[i] / 4) as usize].atomic_add(x[i]);
    }
}

#[kernel]
fn scatter_guard(table: &Field<u32>, x: &Field<f32>, y: &mut Field<f32>) {
    let n = y.len();
    for i in x.indices() {
        let k = table[i] as usize / 4;
        if k < n {
            y[k].atomic_add(x[i]);
        }
    }
}

#[kernel]
fn bytes_index(keys: &Field<u8>, bins: &mut Field<u32>) {
    for i in keys.indices() {
        bins[keys[i] as usize].atomic_add(1);
    }
}

#[kernel]
fn bytes_local(keys: &Field<u8>, bins: &mut Field<u32>) {
    for i in 0..keys.len() {
        let key = keys[i];
        let bin = key as usize;
        bins[bin].atomic_add(1);
    }
}

#[kernel]
fn floats_min(x: &Field<f32>, bins: &mut Field<u32>) {
    let n = bins.len();
    for i in x.indices() {
        let bin = ((x[i] * n as f32) as usize).min(n - 1);
        bins[bin].atomic_add(1);
    }
}

#[kernel]
fn floats_guard(x: &Field<f32>, bins: &mut Field<u32>) {
    let n = bins.len();
    for i in x.indices() {
        let bin = (x[i] * n as f32) as usize;
        if bin < n {
            bins[bin].atomic_add(1);
        }
    }
}

#[kernel]
fn floats_clamp(x: &Field<f32>, bins: &mut Field<u32>) {
    let n = bins.len() as i32;
    for i in x.indices() {
        let bin = ((x[i] * n as f32).floor() as i32).clamp(0, n - 1);
        bins[bin as usize].atomic_add(1);
    }
}

#[kernel]
fn lookup_index(table: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let at = x[i] * 256.0;
        let k = at as usize;
        let t = at - k as f32;
        y[i] = (1.0 - t) * table[k] + t * table[k + 1];
    }
}

#[kernel]
fn lookup_floor(table: &Field<f32>, x: &Field<f32>, y: &mut Field<f32>) {
    let n = table.len();
    for i in y.indices() {
        let at = x[i] * (n - 1) as f32;
        let k = (at.floor() as usize).min(n - 2);
        y[i] = table[k] + (at - k as f32) * (table[k + 1] - table[k]);
    }
}

#[kernel]
fn transpose_read(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    for [i, j] in v.indices() {
        v[[i, j]] = u[[j, i]];
    }
}

#[kernel]
fn transpose_write(u: &Field<f32, 2>, v: &mut Field<f32, 2>) {
    for [i, j] in u.indices() {
        v[[j, i]] = u[[i, j]];
    }
}
