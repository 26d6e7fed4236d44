//! Small dense matrices: products, solvers.

use swathe::prelude::*;

use crate::data::{Size, Twin, input, output, random};
use crate::idiom::{Measured, idiom};
use crate::idioms::dense_by_hand::{apply, four, lu, multiply, three};

pub fn all() -> Vec<Box<dyn Measured>> {
    vec![
        idiom("3 x 3 systems", systems, three)
            .form("`inverse`", three_inverse::plan, |(a, b, x)| {
                three_inverse(&a.field, &b.field, &mut x.field)
            })
            .form("Cramer's rule", three_cramer::plan, |(a, b, x)| {
                three_cramer(&a.field, &b.field, &mut x.field)
            })
            .form("elimination", three_gauss::plan, |(a, b, x)| {
                three_gauss(&a.field, &b.field, &mut x.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom("4 x 4 matrices, product", products, four)
            .form("`*`", four_operator::plan, |(a, b, c)| {
                four_operator(&a.field, &b.field, &mut c.field)
            })
            .form("three loops", four_loops::plan, |(a, b, c)| {
                four_loops(&a.field, &b.field, &mut c.field)
            })
            .done(),
        idiom("LU of 6 x 6", factors, lu)
            .form("arrays of arrays", lu_arrays::plan, |(a, b)| {
                lu_arrays(&a.field, &mut b.field)
            })
            .form("flat array", lu_flat::plan, |(a, b)| lu_flat(&a.field, &mut b.field))
            .form("in a field of rank 3", lu_field::plan, |(a, b)| {
                lu_field(&a.field, &mut b.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom("matrix times matrix, 256 x 256", matrices, multiply)
            .form("sum in a variable", multiply_local::plan, |(a, b, c)| {
                multiply_local(&a.field, &b.field, &mut c.field)
            })
            .form("`+=` on the element", multiply_add::plan, |(a, b, c)| {
                multiply_add(&a.field, &b.field, &mut c.field)
            })
            .form("rows of the product", multiply_rows::plan, |(a, b, c)| {
                multiply_rows(&a.field, &b.field, &mut c.field)
            })
            .tolerance(1e-4)
            .done(),
        idiom(
            "matrix times vector",
            |size| {
                let [h, w] = size.plane();
                Ok((input([h, w], random)?, input([w], random)?, output([h])?))
            },
            apply,
        )
        .form("sum in a variable", apply_local::plan, |(a, x, y)| {
            apply_local(&a.field, &x.field, &mut y.field)
        })
        .form("`+=` on the element", apply_add::plan, |(a, x, y)| {
            apply_add(&a.field, &x.field, &mut y.field)
        })
        .done(),
    ]
}

pub type Systems = (Twin<Mat3>, Twin<Vec3>, Twin<Vec3>);
pub type Products = (Twin<Mat4>, Twin<Mat4>, Twin<Mat4>);
pub type Factors = (Twin<f32, 3>, Twin<f32, 3>);
pub type Matrices = (Twin<f32, 2>, Twin<f32, 2>, Twin<f32, 2>);
pub type Apply = (Twin<f32, 2>, Twin<f32>, Twin<f32>);

fn entry(k: usize, at: usize, n: usize) -> f32 {
    if at % (n + 1) == 0 {
        n as f32
    } else {
        random(n * n * k + at)
    }
}

fn systems(size: Size) -> swathe::Result<Systems> {
    let n = size.of(1 << 15, 1 << 21) + 5;
    let matrix = |k| Mat3::from_rows([0, 1, 2].map(|i| Vec3::from_array([0, 1, 2].map(|j| entry(k, 3 * i + j, 3)))));
    Ok((
        input([n], matrix)?,
        input([n], |k| Vec3::new(random(k), 1.0, random(k + 1)))?,
        output([n])?,
    ))
}

fn products(size: Size) -> swathe::Result<Products> {
    let n = size.of(1 << 13, 1 << 20) + 5;
    let matrix =
        |k| Mat4::from_rows([0, 1, 2, 3].map(|i| Vec4::from_array([0, 1, 2, 3].map(|j| entry(k, 4 * i + j, 4)))));
    Ok((input([n], matrix)?, input([n], |k| matrix(k + 1))?, output([n])?))
}

fn factors(size: Size) -> swathe::Result<Factors> {
    let n = size.of(1 << 12, 1 << 18) + 5;
    Ok((input([n, 6, 6], |e| entry(e / 36, e % 36, 6))?, output([n, 6, 6])?))
}

fn matrices(size: Size) -> swathe::Result<Matrices> {
    let n = size.of(256, 1024);
    Ok((
        input([n, n], random)?,
        input([n, n], |k| random(k + 7))?,
        output([n, n])?,
    ))
}

#[kernel]
fn three_inverse(a: &Field<Mat3>, b: &Field<Vec3>, x: &mut Field<Vec3>) {
    for k in x.indices() {
        x[k] = a[k].inverse() * b[k];
    }
}

#[kernel]
fn three_cramer(a: &Field<Mat3>, b: &Field<Vec3>, x: &mut Field<Vec3>) {
    for k in x.indices() {
        let (p, q, r) = (a[k].col(0), a[k].col(1), a[k].col(2));
        let d = p.dot(q.cross(r));
        x[k] = Vec3::new(b[k].dot(q.cross(r)), p.dot(b[k].cross(r)), p.dot(q.cross(b[k]))) / d;
    }
}

#[kernel]
fn three_gauss(a: &Field<Mat3>, b: &Field<Vec3>, x: &mut Field<Vec3>) {
    for k in x.indices() {
        let mut m = a[k];
        let mut y = b[k];
        for i in 0..3 {
            for j in i + 1..3 {
                let f = m[[j, i]] / m[[i, i]];
                for l in i..3 {
                    m[[j, l]] -= f * m[[i, l]];
                }
                y[j] -= f * y[i];
            }
        }
        for i in (0..3).rev() {
            for j in i + 1..3 {
                y[i] -= m[[i, j]] * y[j];
            }
            y[i] /= m[[i, i]];
        }
        x[k] = y;
    }
}

#[kernel]
fn four_operator(a: &Field<Mat4>, b: &Field<Mat4>, c: &mut Field<Mat4>) {
    for k in c.indices() {
        c[k] = a[k] * b[k];
    }
}

#[kernel]
fn four_loops(a: &Field<Mat4>, b: &Field<Mat4>, c: &mut Field<Mat4>) {
    for k in c.indices() {
        let (p, q) = (a[k], b[k]);
        let mut product = Mat4::ZERO;
        for i in 0..4 {
            for j in 0..4 {
                for l in 0..4 {
                    product[[i, j]] += p[[i, l]] * q[[l, j]];
                }
            }
        }
        c[k] = product;
    }
}

#[kernel]
fn lu_arrays(a: &Field<f32, 3>, b: &mut Field<f32, 3>) {
    let n = a.shape()[0];
    for k in 0..n {
        let mut m = [[0.0; 6]; 6];
        for i in 0..6 {
            for j in 0..6 {
                m[i][j] = a[[k, i, j]];
            }
        }
        for p in 0..6 {
            for i in p + 1..6 {
                m[i][p] /= m[p][p];
                for j in p + 1..6 {
                    m[i][j] -= m[i][p] * m[p][j];
                }
            }
        }
        for i in 0..6 {
            for j in 0..6 {
                b[[k, i, j]] = m[i][j];
            }
        }
    }
}

#[kernel]
fn lu_flat(a: &Field<f32, 3>, b: &mut Field<f32, 3>) {
    let n = a.shape()[0];
    for k in 0..n {
        let mut m = [0.0; 36];
        for e in 0..36 {
            m[e] = a[[k, e / 6, e % 6]];
        }
        for p in 0..6 {
            for i in p + 1..6 {
                let f = m[6 * i + p] / m[6 * p + p];
                m[6 * i + p] = f;
                for j in p + 1..6 {
                    m[6 * i + j] -= f * m[6 * p + j];
                }
            }
        }
        for e in 0..36 {
            b[[k, e / 6, e % 6]] = m[e];
        }
    }
}

#[kernel]
fn lu_field(a: &Field<f32, 3>, b: &mut Field<f32, 3>) {
    let n = a.shape()[0];
    for k in 0..n {
        for i in 0..6 {
            for j in 0..6 {
                b[[k, i, j]] = a[[k, i, j]];
            }
        }
        for p in 0..6 {
            for i in p + 1..6 {
                b[[k, i, p]] /= b[[k, p, p]];
                for j in p + 1..6 {
                    b[[k, i, j]] -= b[[k, i, p]] * b[[k, p, j]];
                }
            }
        }
    }
}

#[kernel]
fn multiply_local(a: &Field<f32, 2>, b: &Field<f32, 2>, c: &mut Field<f32, 2>) {
    let n = a.shape()[1];
    for [i, j] in c.indices() {
        let mut sum = 0.0;
        for k in 0..n {
            sum += a[[i, k]] * b[[k, j]];
        }
        c[[i, j]] = sum;
    }
}

#[kernel]
fn multiply_add(a: &Field<f32, 2>, b: &Field<f32, 2>, c: &mut Field<f32, 2>) {
    for [i, j] in c.indices() {
        c[[i, j]] = 0.0;
        for k in 0..a.shape()[1] {
            c[[i, j]] += a[[i, k]] * b[[k, j]];
        }
    }
}

#[kernel]
fn multiply_rows(a: &Field<f32, 2>, b: &Field<f32, 2>, c: &mut Field<f32, 2>) {
    let [h, w] = c.shape();
    let n = a.shape()[1];
    for i in 0..h {
        for j in 0..w {
            c[[i, j]] = 0.0;
        }
        for k in 0..n {
            let f = a[[i, k]];
            for j in 0..w {
                c[[i, j]] += f * b[[k, j]];
            }
        }
    }
}

#[kernel]
fn apply_local(a: &Field<f32, 2>, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut sum = 0.0;
        for j in x.indices() {
            sum += a[[i, j]] * x[j];
        }
        y[i] = sum;
    }
}

#[kernel]
fn apply_add(a: &Field<f32, 2>, x: &Field<f32>, y: &mut Field<f32>) {
    let [h, w] = a.shape();
    for i in 0..h {
        y[i] = 0.0;
        for j in 0..w {
            y[i] += a[[i, j]] * x[j];
        }
    }
}
