//! Arguments and results of kernels, and how they end.

use swathe::prelude::*;
use swathe_tests_other_crate::{Body, Complex};

use super::support::{SIZES, same, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Config {
    offset: [i32; 3],
    scale: f64,
    nested: Pair,
    on: bool,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Pair {
    a: u8,
    b: i64,
}

#[kernel]
fn no_fields(n: i32, x: f64) -> (f64, i32) {
    let mut sum = 0.0;
    for k in 0..n {
        sum += x * k as f64;
    }
    (sum, n / 2)
}

#[kernel]
fn no_arguments() -> i32 {
    6 * 7
}

#[kernel]
fn nothing() {}

#[kernel]
fn scalars(
    out: &mut Field<f64>,
    a: bool,
    b: i8,
    c: i16,
    d: i32,
    e: i64,
    f: u8,
    g: u16,
    h: u32,
    i: u64,
    j: usize,
    k: f32,
    l: f64,
    m: isize,
) {
    for n in out.indices() {
        let all = [
            a as i64, b as i64, c as i64, d as i64, e, f as i64, g as i64, h as i64, i as i64, j as i64, m as i64,
        ];
        let mut sum = 0;
        for p in 0..11 {
            sum += all[p] * (p as i64 + 1);
        }
        out[n] = sum as f64 + k as f64 * 0.5 + l * n as f64;
    }
}

#[kernel]
fn by_value(
    out: &mut Field<i64>,
    config: Config,
    weights: [[i32; 2]; 2],
    v: Vec3,
    m: Matrix<f32, 2, 3>,
    mut start: i64,
) {
    start += config.nested.b;
    let mut local = config;
    local.offset[1] = 0;
    for i in out.indices() {
        let w = weights[i % 2][1 - i % 2];
        let u = m * v;
        out[i] = start + w as i64 * local.offset[i % 3] as i64 + config.offset[1] as i64;
        if config.on {
            out[i] += (config.scale * u[i % 2] as f64) as i64 + local.nested.a as i64;
        }
    }
}

#[kernel]
fn many_fields(
    a: &Field<i32>,
    b: &Field<f32>,
    c: &Field<u8, 2>,
    d: &Field<bool>,
    e: &Field<Vec3>,
    f: &Field<Pair>,
    g: &mut Field<i64>,
    h: &mut Field<f64>,
    k: &mut Field<u8, 2>,
    l: &mut Field<Pair>,
) {
    for i in g.indices() {
        g[i] = a[i] as i64 + c[[i, 1]] as i64 + f[i].b;
        h[i] = b[i] as f64 + e[i].z as f64;
        k[[i, 0]] = c[[i, 0]] + 1;
        l[i].a = d[i] as u8;
        l[i].b = f[i].a as i64;
    }
}

#[kernel]
fn complex(x: &Field<Complex<f32>>, by: Complex<f32>) -> Complex<f32> {
    let mut re = 0.0;
    let mut im = 0.0;
    for i in x.indices() {
        let z = x[i] * by;
        re += z.re;
        im += z.im;
    }
    Complex { re, im }
}

/// Leaves before, between and after loops.
#[kernel]
fn early(x: &mut Field<i32>, code: i32) -> i32 {
    if code < 0 {
        return -1;
    }
    if x.len() == 0 {
        return -2;
    }
    for i in x.indices() {
        x[i] += code;
    }
    match code {
        1 => return x[0],
        2 => {
            if x[0] > 50 {
                return 50;
            }
        }
        _ => {}
    }
    let mut sum = 0;
    for i in x.indices() {
        sum += x[i];
    }
    if sum % 2 == 0 {
        return sum / 2;
    }
    return sum;
}

#[kernel]
fn early_unit(x: &mut Field<i32>, stop: bool) {
    for i in x.indices() {
        x[i] += 1;
    }
    if stop {
        return;
    }
    for i in x.indices() {
        x[i] += 10;
    }
}

#[kernel]
fn heaviest(x: &Field<Body>, mut start: Body) -> Body {
    for i in serial(0..x.len()) {
        if x[i].mass > start.mass {
            start = x[i];
        }
    }
    start
}

#[kernel]
fn results(x: &Field<i32>) -> ([i32; 2], (u8, bool), Vec2, f64) {
    let n = x.len();
    let mut v = Vec2::ZERO;
    v.y = n as f32;
    if n == 0 {
        return ([0; 2], (0, false), v, -1.0);
    }
    ([x[0], x[n - 1]], (n as u8, true), v, n as f64 / 2.0)
}

/// A parameter may need all of its 64 bits.
#[kernel]
fn large(n: usize, m: usize, out: &mut Field<u64>) {
    for i in out.indices() {
        out[i] = ((n + i) / m * 3) as u64;
    }
}

fn check_large(device: &Device) {
    for (n, m) in [(5, 1), (1 << 31, 3), (7, 1 << 40), (usize::MAX / 4, 2)] {
        let mut out = Field::zeros(device, 17).unwrap();
        large(n, m, &mut out).unwrap();
        same(
            &format!("{n} and {m}"),
            &out,
            (0..17).map(|i| ((n + i) / m * 3) as u64).collect(),
        );
    }
}

/// Arrays of which an iteration picks an item: too large for registers.
#[kernel]
fn lookups(a: [u64; 60], b: [f32; 1500], c: [Pair; 5], d: [[u8; 3]; 7], out: &mut Field<f64>) {
    for i in out.indices() {
        let k = i * 7;
        out[i] = a[k % 60] as f64 + b[k % 1500] as f64 + c[i % 5].b as f64 + d[i % 7][k % 3] as f64 / 1024.0;
    }
}

fn check_lookups(device: &Device) {
    let a = std::array::from_fn(|k| 3 * k as u64 * k as u64);
    let b = std::array::from_fn(|k| 0.25 * k as f32);
    let c = std::array::from_fn(|k| Pair {
        a: k as u8,
        b: -1000 * k as i64,
    });
    let d = std::array::from_fn(|j| std::array::from_fn(|k| (j * 31 + k) as u8));
    for n in SIZES {
        let mut out = Field::zeros(device, n).unwrap();
        lookups(a, b, c, d, &mut out).unwrap();
        let expected = (0..n).map(|i| {
            let k = i * 7;
            a[k % 60] as f64 + f64::from(b[k % 1500]) + c[i % 5].b as f64 + f64::from(d[i % 7][k % 3]) / 1024.0
        });
        same("lookups", &out, expected.collect());
    }
}

pub fn check(device: &Device) {
    check_large(device);
    check_lookups(device);
    if device.is_cpu() {
        assert_eq!(no_fields(5, 0.5).unwrap(), (5.0, 2));
        assert_eq!(no_fields(-5, 0.5).unwrap(), (0.0, -2));
        assert_eq!(no_arguments().unwrap(), 42);
        nothing().unwrap();
    }
    for n in SIZES {
        let mut out = Field::zeros(device, n).unwrap();
        scalars(
            &mut out,
            true,
            -2,
            300,
            -70_000,
            1 << 40,
            200,
            60_000,
            4_000_000_000,
            1 << 41,
            12,
            0.5,
            0.25,
            -9,
        )
        .unwrap();
        let sum =
            1 - 4 + 900 - 280_000 + 5 * (1i64 << 40) + 1200 + 420_000 + 32_000_000_000 + 9 * (1i64 << 41) + 120 - 99;
        same(
            "scalars",
            &out,
            (0..n).map(|i| sum as f64 + 0.25 + 0.25 * i as f64).collect(),
        );

        for on in [false, true] {
            let config = Config {
                offset: [5, -6, 7],
                scale: 2.5,
                nested: Pair { a: 3, b: -40 },
                on,
            };
            let m = Matrix::from_array([[1.0, 0.0, 2.0], [0.5, 0.25, 0.0]]);
            let mut out = Field::zeros(device, n).unwrap();
            by_value(
                &mut out,
                config,
                [[1, 10], [100, 1000]],
                Vec3::new(4.0, 8.0, 16.0),
                m,
                1000,
            )
            .unwrap();
            let expected = (0..n).map(|i| {
                let extra = [90 + 3, 10 + 3][i % 2] * i64::from(on);
                1000 - 40 + [10, 100][i % 2] * [5, 0, 7][i % 3] - 6 + extra
            });
            same("by_value", &out, expected.collect());
        }
        check_many(device, n);

        let x = Field::from_fn(device, n, |[i]| Complex { re: i as f32, im: 1.0 }).unwrap();
        let got = complex(&x, Complex { re: 0.0, im: 2.0 }).unwrap();
        let triangle = (n * n.saturating_sub(1) / 2) as f32;
        assert_eq!(
            got,
            Complex {
                re: -2.0 * n as f32,
                im: 2.0 * triangle
            }
        );

        for code in -1..4 {
            let mut x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
            let got = early(&mut x, code).unwrap();
            let values: Vec<i32> = (0..n).map(|i| scatter(i) + code.max(0)).collect();
            let sum: i32 = values.iter().sum();
            let expected = match code {
                -1 => -1,
                _ if n == 0 => -2,
                1 => values[0],
                2 if values[0] > 50 => 50,
                _ if sum % 2 == 0 => sum / 2,
                _ => sum,
            };
            assert_eq!(got, expected, "{n} elements, code {code}");
            same("early", &x, values);
        }
        for stop in [false, true] {
            let mut x = Field::zeros(device, n).unwrap();
            early_unit(&mut x, stop).unwrap();
            same("early_unit", &x, vec![if stop { 1 } else { 11 }; n]);
        }
        let body = |i: usize| Body {
            mass: scatter(i) as f32,
            hits: i as u32,
            ..Body::default()
        };
        let x = Field::from_fn(device, n, |[i]| body(i)).unwrap();
        let start = Body {
            mass: 12.5,
            ..Body::default()
        };
        let best = (0..n).map(body).fold(start, |a, b| if b.mass > a.mass { b } else { a });
        assert_eq!(heaviest(&x, start).unwrap(), best);

        let x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        let ends = if n == 0 { [0; 2] } else { [scatter(0), scatter(n - 1)] };
        let half = if n == 0 { -1.0 } else { n as f64 / 2.0 };
        assert_eq!(
            results(&x).unwrap(),
            (ends, (n as u8, n > 0), Vec2::new(0.0, n as f32), half)
        );
    }
}

fn check_many(device: &Device, n: usize) {
    let pair = |i: usize| Pair {
        a: i as u8,
        b: -(i as i64),
    };
    let a = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
    let b = Field::from_fn(device, n, |[i]| i as f32).unwrap();
    let c = Field::from_fn(device, [n, 2], |[i, j]| (i % 100 + 100 * j) as u8).unwrap();
    let d = Field::from_fn(device, n, |[i]| i % 3 == 0).unwrap();
    let e = Field::from_fn(device, n, |[i]| Vec3::new(1.0, 2.0, i as f32)).unwrap();
    let f = Field::from_fn(device, n, |[i]| pair(i)).unwrap();
    let mut g = Field::zeros(device, n).unwrap();
    let mut h = Field::zeros(device, n).unwrap();
    let mut k = Field::zeros(device, [n, 1]).unwrap();
    let mut l = Field::zeros(device, n).unwrap();
    many_fields(&a, &b, &c, &d, &e, &f, &mut g, &mut h, &mut k, &mut l).unwrap();
    same(
        "many_fields",
        &g,
        (0..n)
            .map(|i| i64::from(scatter(i)) + (i % 100 + 100) as i64 - i as i64)
            .collect(),
    );
    same("many_fields", &h, (0..n).map(|i| 2.0 * i as f64).collect());
    assert_eq!(
        k.to_ndarray().unwrap(),
        ndarray::Array2::from_shape_fn((n, 1), |(i, _)| (i % 100 + 1) as u8)
    );
    same(
        "many_fields",
        &l,
        (0..n)
            .map(|i| Pair {
                a: u8::from(i % 3 == 0),
                b: i64::from(i as u8),
            })
            .collect(),
    );
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        no_fields,
        no_arguments,
        nothing,
        scalars,
        by_value,
        many_fields,
        complex,
        early,
        early_unit,
        heaviest,
        results,
        large,
        lookups
    ]
}
