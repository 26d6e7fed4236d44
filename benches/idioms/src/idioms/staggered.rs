//! Grids whose fields have different extents: electromagnetic fields, velocities on the faces of cells.

use rayon::prelude::*;
use swathe::prelude::*;

use crate::data::{Twin, input, output, state, weyl};
use crate::idiom::{Measured, idiom};

pub fn all() -> Vec<Box<dyn Measured>> {
    let maxwell = |size: crate::data::Size| {
        let [h, w] = size.plane();
        Ok((
            state([h, w - 1], weyl)?,
            state([h - 1, w], weyl)?,
            state([h - 1, w - 1], weyl)?,
        ))
    };
    let faces = |size: crate::data::Size| {
        let [h, w] = size.plane();
        Ok((state([h, w + 1], weyl)?, state([h + 1, w], weyl)?, state([h, w], weyl)?))
    };
    vec![
        idiom("FDTD, electric field", maxwell, electric)
            .form("guard", electric_guard::plan, |(x, y, m)| {
                electric_guard(&mut x.field, &mut y.field, &m.field)
            })
            .form("ranges", electric_ranges::plan, |(x, y, m)| {
                electric_ranges(&mut x.field, &mut y.field, &m.field)
            })
            .form("one loop", electric_one::plan, |(x, y, m)| {
                electric_one(&mut x.field, &mut y.field, &m.field)
            })
            .done(),
        idiom("FDTD, magnetic field", maxwell, magnetic)
            .form("loop over the field", magnetic_own::plan, |(x, y, m)| {
                magnetic_own(&x.field, &y.field, &mut m.field)
            })
            .form("`ndrange` of the cells", magnetic_range::plan, |(x, y, m)| {
                magnetic_range(&x.field, &y.field, &mut m.field)
            })
            .done(),
        idiom("MAC grid, divergence", faces, divergence)
            .form("loop over cells", divergence_own::plan, |(u, v, d)| {
                divergence_own(&u.field, &v.field, &mut d.field)
            })
            .form("with walls", divergence_walls::plan, |(u, v, d)| {
                divergence_walls(&u.field, &v.field, &mut d.field)
            })
            .done(),
        idiom("MAC grid, pressure gradient", faces, gradient)
            .form("guard on faces", gradient_guard::plan, |(u, v, p)| {
                gradient_guard(&mut u.field, &mut v.field, &p.field)
            })
            .form("ranges", gradient_range::plan, |(u, v, p)| {
                gradient_range(&mut u.field, &mut v.field, &p.field)
            })
            .form("one loop, two guards", gradient_one::plan, |(u, v, p)| {
                gradient_one(&mut u.field, &mut v.field, &p.field)
            })
            .done(),
        idiom(
            "MAC grid, velocity at centres",
            |size| {
                let [h, w] = size.plane();
                Ok((input([h, w + 1], weyl)?, input([h + 1, w], weyl)?, output([h, w])?))
            },
            centres,
        )
        .form("`Vec2::new`", centres_new::plan, |(u, v, c)| {
            centres_new(&u.field, &v.field, &mut c.field)
        })
        .form("by member", centres_member::plan, |(u, v, c)| {
            centres_member(&u.field, &v.field, &mut c.field)
        })
        .done(),
    ]
}

type Three = (Twin<f32, 2>, Twin<f32, 2>, Twin<f32, 2>);
type Centres = (Twin<f32, 2>, Twin<f32, 2>, Twin<Vec2, 2>);

#[kernel]
fn electric_guard(ex: &mut Field<f32, 2>, ey: &mut Field<f32, 2>, hz: &Field<f32, 2>) {
    let [h, w] = [ex.shape()[0], ey.shape()[1]];
    for [i, j] in ex.indices() {
        if i > 0 && i < h - 1 {
            ex[[i, j]] += 0.5 * (hz[[i, j]] - hz[[i - 1, j]]);
        }
    }
    for [i, j] in ey.indices() {
        if j > 0 && j < w - 1 {
            ey[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i, j - 1]]);
        }
    }
}

#[kernel]
fn electric_ranges(ex: &mut Field<f32, 2>, ey: &mut Field<f32, 2>, hz: &Field<f32, 2>) {
    let [h, w] = hz.shape();
    for i in 1..h {
        for j in 0..w {
            ex[[i, j]] += 0.5 * (hz[[i, j]] - hz[[i - 1, j]]);
        }
    }
    for i in 0..h {
        for j in 1..w {
            ey[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i, j - 1]]);
        }
    }
}

#[kernel]
fn electric_one(ex: &mut Field<f32, 2>, ey: &mut Field<f32, 2>, hz: &Field<f32, 2>) {
    for [i, j] in hz.indices() {
        if i > 0 {
            ex[[i, j]] += 0.5 * (hz[[i, j]] - hz[[i - 1, j]]);
        }
        if j > 0 {
            ey[[i, j]] -= 0.5 * (hz[[i, j]] - hz[[i, j - 1]]);
        }
    }
}

#[kernel]
fn magnetic_own(ex: &Field<f32, 2>, ey: &Field<f32, 2>, hz: &mut Field<f32, 2>) {
    for [i, j] in hz.indices() {
        hz[[i, j]] += 0.7 * (ex[[i + 1, j]] - ex[[i, j]] - ey[[i, j + 1]] + ey[[i, j]]);
    }
}

#[kernel]
fn magnetic_range(ex: &Field<f32, 2>, ey: &Field<f32, 2>, hz: &mut Field<f32, 2>) {
    let h = ex.shape()[0] - 1;
    let w = ey.shape()[1] - 1;
    for [i, j] in ndrange([h, w]) {
        hz[[i, j]] += 0.7 * (ex[[i + 1, j]] - ex[[i, j]] - ey[[i, j + 1]] + ey[[i, j]]);
    }
}

#[kernel]
fn divergence_own(u: &Field<f32, 2>, v: &Field<f32, 2>, d: &mut Field<f32, 2>) {
    for [i, j] in d.indices() {
        d[[i, j]] = u[[i, j + 1]] - u[[i, j]] + v[[i + 1, j]] - v[[i, j]];
    }
}

#[kernel]
fn divergence_walls(u: &Field<f32, 2>, v: &Field<f32, 2>, d: &mut Field<f32, 2>) {
    let [h, w] = d.shape();
    for [i, j] in ndrange([h, w]) {
        let (left, right) = (u[[i, j]], u[[i, j + 1]]);
        let (up, down) = (v[[i, j]], v[[i + 1, j]]);
        d[[i, j]] = (right - left) + (down - up);
    }
}

#[kernel]
fn gradient_guard(u: &mut Field<f32, 2>, v: &mut Field<f32, 2>, p: &Field<f32, 2>) {
    let [h, w] = p.shape();
    for [i, j] in u.indices() {
        if j > 0 && j < w {
            u[[i, j]] -= p[[i, j]] - p[[i, j - 1]];
        }
    }
    for [i, j] in v.indices() {
        if i > 0 && i < h {
            v[[i, j]] -= p[[i, j]] - p[[i - 1, j]];
        }
    }
}

#[kernel]
fn gradient_range(u: &mut Field<f32, 2>, v: &mut Field<f32, 2>, p: &Field<f32, 2>) {
    let [h, w] = p.shape();
    for i in 0..h {
        for j in 1..w {
            u[[i, j]] -= p[[i, j]] - p[[i, j - 1]];
        }
    }
    for i in 1..h {
        for j in 0..w {
            v[[i, j]] -= p[[i, j]] - p[[i - 1, j]];
        }
    }
}

#[kernel]
fn gradient_one(u: &mut Field<f32, 2>, v: &mut Field<f32, 2>, p: &Field<f32, 2>) {
    for [i, j] in p.indices() {
        if j > 0 {
            u[[i, j]] -= p[[i, j]] - p[[i, j - 1]];
        }
        if i > 0 {
            v[[i, j]] -= p[[i, j]] - p[[i - 1, j]];
        }
    }
}

#[kernel]
fn centres_new(u: &Field<f32, 2>, v: &Field<f32, 2>, c: &mut Field<Vec2, 2>) {
    for [i, j] in c.indices() {
        c[[i, j]] = 0.5 * Vec2::new(u[[i, j]] + u[[i, j + 1]], v[[i, j]] + v[[i + 1, j]]);
    }
}

#[kernel]
fn centres_member(u: &Field<f32, 2>, v: &Field<f32, 2>, c: &mut Field<Vec2, 2>) {
    for [i, j] in c.indices() {
        c[[i, j]].x = 0.5 * (u[[i, j]] + u[[i, j + 1]]);
        c[[i, j]].y = 0.5 * (v[[i, j]] + v[[i + 1, j]]);
    }
}

by_hand! {
    fn electric((ex, ey, hz): &mut Three) {
        let [h, w] = hz.field.shape();
        let hz = &hz.plain;
        ex.plain[w..h * w].par_chunks_mut(w).enumerate().for_each(|(i, ex)| {
            let rows = hz[(i + 1) * w..(i + 2) * w].iter().zip(&hz[i * w..(i + 1) * w]);
            for (ex, (here, up)) in ex.iter_mut().zip(rows) {
                *ex += 0.5 * (here - up);
            }
        });
        ey.plain.par_chunks_mut(w + 1).zip(hz.par_chunks(w)).for_each(|(ey, hz)| {
            for (ey, (left, here)) in ey[1..].iter_mut().zip(hz.iter().zip(&hz[1..])) {
                *ey -= 0.5 * (here - left);
            }
        });
    }

    fn magnetic((ex, ey, hz): &mut Three) {
        let w = hz.field.shape()[1];
        let (ex, ey) = (&ex.plain, &ey.plain);
        hz.plain.par_chunks_mut(w).enumerate().for_each(|(i, hz)| {
            let (up, down) = (&ex[i * w..(i + 1) * w], &ex[(i + 1) * w..(i + 2) * w]);
            let ey = &ey[i * (w + 1)..(i + 1) * (w + 1)];
            for j in 0..w {
                hz[j] += 0.7 * (down[j] - up[j] - ey[j + 1] + ey[j]);
            }
        });
    }

    fn divergence((u, v, d): &mut Three) {
        let w = d.field.shape()[1];
        let (u, v) = (&u.plain, &v.plain);
        d.plain.par_chunks_mut(w).enumerate().for_each(|(i, d)| {
            let u = &u[i * (w + 1)..(i + 1) * (w + 1)];
            let (up, down) = (&v[i * w..(i + 1) * w], &v[(i + 1) * w..(i + 2) * w]);
            for j in 0..w {
                d[j] = u[j + 1] - u[j] + down[j] - up[j];
            }
        });
    }

    fn gradient((u, v, p): &mut Three) {
        let [h, w] = p.field.shape();
        let p = &p.plain;
        u.plain.par_chunks_mut(w + 1).zip(p.par_chunks(w)).for_each(|(u, p)| {
            for (u, (left, here)) in u[1..].iter_mut().zip(p.iter().zip(&p[1..])) {
                *u -= here - left;
            }
        });
        v.plain[w..h * w].par_chunks_mut(w).enumerate().for_each(|(i, v)| {
            let rows = p[(i + 1) * w..(i + 2) * w].iter().zip(&p[i * w..(i + 1) * w]);
            for (v, (here, up)) in v.iter_mut().zip(rows) {
                *v -= here - up;
            }
        });
    }

    fn centres((u, v, c): &mut Centres) {
        let w = c.field.shape()[1];
        let (u, v) = (&u.plain, &v.plain);
        c.plain.par_chunks_mut(w).enumerate().for_each(|(i, c)| {
            let u = &u[i * (w + 1)..(i + 1) * (w + 1)];
            let (up, down) = (&v[i * w..(i + 1) * w], &v[(i + 1) * w..(i + 2) * w]);
            for j in 0..w {
                c[j] = Vec2::new(0.5 * (u[j] + u[j + 1]), 0.5 * (up[j] + down[j]));
            }
        });
    }
}
