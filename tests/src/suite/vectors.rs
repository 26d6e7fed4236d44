//! Vectors and matrices in kernels.

use swathe::Soa;
use swathe::prelude::*;

use super::support::{each, field, same, scatter, sources};

#[kernel]
fn arithmetic(x: &Field<Vec3>, out: &mut Field<[Vec3; 6]>) {
    for i in out.indices() {
        let v = x[i];
        let w = Vec3::new(2.0, -4.0, 0.5);
        let mut u = v + w * 2.0 - 1.0;
        u *= w;
        u /= 2.0;
        u -= v;
        u += 3.0;
        out[i] = [v + w, v - w, v * w, v / w, -v + 2.0 * w - 1.0 / w, u];
        out[i][0] += w;
        out[i][1].y *= 4.0;
        out[i][2][2] = w[1] - v.z;
    }
}

#[kernel]
fn products(x: &Field<DVec3>, out: &mut Field<[f64; 8]>) {
    for i in out.indices() {
        let v = x[i];
        let w = DVec3::new(1.0, 2.0, -3.0);
        let c = v.cross(w);
        out[i] = [
            v.dot(w),
            c.x,
            c[1],
            c.z,
            v.length_squared(),
            v.min(w).sum() + v.max(w).product(),
            v.min_component() - v.max_component(),
            (v == w) as i32 as f64 + 2.0 * (v != w) as i32 as f64,
        ];
    }
}

#[kernel]
fn lengths(x: &Field<Vec2>, out: &mut Field<[f32; 6]>) {
    for i in out.indices() {
        let v = x[i] * 5.0;
        let n = v.normalized_or_zero();
        out[i] = [
            v.norm(),
            n.x,
            n.y,
            v.distance(Vec2::ZERO),
            v.perp().dot(v),
            v.lerp(Vec2::X, 0.5).y + v.floor().x + v.abs().max_component(),
        ];
    }
}

#[kernel]
fn integers(x: &Field<IVec3>, out: &mut Field<[i32; 6]>) {
    for i in out.indices() {
        let v = x[i];
        let mut w = v % 7 + IVec3::ONE;
        w[i % 3] = 100;
        let k = (i + 1) % 3;
        w[k] -= v[k];
        let f = v.as_f32() * 0.5;
        let g = f.as_i32();
        let wide = Vector::<i32, 5>::splat(2) * v.x;
        out[i] = [
            w.x,
            w.y,
            w.z,
            g.y,
            v.abs().sum(),
            wide.sum() + wide[4] + 10 / (v.y.abs() + 1),
        ];
    }
}

#[kernel]
fn matrices(x: &Field<Vec2>, out: &mut Field<[Mat2; 3]>) {
    for i in out.indices() {
        let v = x[i];
        let mut m = Mat2::from_array([[v.x, 1.0], [2.0, v.y]]);
        m[[0, 1]] += 4.0;
        let k = i % 2;
        m[[k, 1 - k]] *= 2.0;
        let r = m.row(1);
        let t = m.transpose();
        let p = m * t + Mat2::IDENTITY * 3.0 - m / 2.0;
        out[i] = [p, t, Mat2::from_rows([r, m * v])];
        out[i][1][[1, 0]] = m.determinant();
        out[i][2] += m;
        out[i][2] *= 2.0;
    }
}

#[kernel]
fn rectangular(x: &Field<Matrix<f64, 2, 3>>, out: &mut Field<Matrix<f64, 3, 2>>, by: DVec3) {
    for i in out.indices() {
        let m = x[i];
        let v = m * by;
        let w = v * m;
        let mut t = m.transpose();
        for r in 0..3 {
            for c in 0..2 {
                t[[r, c]] += v[c] * (r as f64) - w[r];
            }
        }
        out[i] = t;
    }
}

#[kernel]
fn inverses(x: &Field<f64>, out: &mut Field<[f64; 4]>) {
    for i in out.indices() {
        let s = x[i];
        let m = DMat3::from_array([[4.0, 1.0, s], [0.0, 3.0, 1.0], [2.0, -1.0, 5.0]]);
        let e = m * m.inverse() - DMat3::IDENTITY;
        out[i] = [
            m.determinant(),
            m.trace(),
            (e.norm_squared() < 1e-20) as i32 as f64,
            m.diagonal().sum(),
        ];
    }
}

/// Variables and fields with the names of functions that are called later.
#[kernel]
fn hidden(x: &Field<Vec2>, norm: &mut Field<f32>) {
    for dot in x.indices() {
        let perp = x[dot];
        let value = perp.dot(perp);
        norm[dot] = perp.perp().norm() + value;
    }
}

type Truths = Vector<bool, 3>;

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    count: i32,
    solid: Vector<bool, 5>,
    links: Matrix<bool, 2, 3>,
}

#[func]
fn majority(v: Truths) -> bool {
    (v.x & v.y) | (v.y & v.z) | (v.x & v.z)
}

#[kernel]
fn truths(x: &Field<IVec3>, mask: Truths, out: &mut Field<[Truths; 4]>, cells: &mut Field<Cell>) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        let v = x[i];
        let mut t = Truths::new(v.x > 0, v.y > 0, v.z > 0);
        t[i % 3] ^= true;
        out[i] = [t, t & mask, !t | mask, t ^ mask];
        out[i][3].y = majority(t);
        let mut solid = cells[i].solid;
        solid[i % 5] = t.any();
        cells[i].solid = solid;
        cells[i].links = !cells[i].links & Matrix::<bool, 2, 3>::from_array([t.to_array(), mask.to_array()]);
        if t == mask || cells[i].links[[1, i % 3]] {
            cells[i].count += 1;
        }
        sum += t.all() as i32 + 10 * (t != Truths::splat(false)) as i32;
    }
    sum
}

fn check_truths(device: &Device) {
    let mask = Truths::new(true, false, true);
    for n in [0, 1, 3, 17, 1000] {
        let x: Vec<IVec3> = (0..n)
            .map(|i| IVec3::new(scatter(i), scatter(i * 3 + 1), scatter(i * 7 + 2)))
            .collect();
        let start = |i: usize| Cell {
            count: i as i32,
            solid: Vector::from_array(std::array::from_fn(|k| (i >> k) % 2 == 1)),
            links: Matrix::from_array(std::array::from_fn(|r| {
                std::array::from_fn(|c| ((i * 5) >> (r + 2 * c)) % 2 == 1)
            })),
        };
        let mut out = Field::zeros(device, n).unwrap();
        let mut cells = field(device, &(0..n).map(start).collect::<Vec<_>>());
        let sum = truths(&field(device, &x), mask, &mut out, &mut cells).unwrap();
        let mut expected_sum = 0;
        let mut expected = (Vec::new(), Vec::new());
        for (i, v) in x.iter().enumerate() {
            let mut t = v.to_array().map(|c| c > 0);
            t[i % 3] = !t[i % 3];
            let m = mask.to_array();
            let with = |f: fn(bool, bool) -> bool| Truths::from_array([0, 1, 2].map(|k| f(t[k], m[k])));
            let count = t.iter().filter(|t| **t).count();
            let mut last = with(|t, m| t != m);
            last.y = count >= 2;
            expected
                .0
                .push([Truths::from_array(t), with(|t, m| t && m), with(|t, m| !t || m), last]);
            let mut cell = start(i);
            cell.solid[i % 5] = count > 0;
            let old = cell.links.to_array();
            let mut links = [[false; 3]; 2];
            for c in 0..3 {
                links[0][c] = !old[0][c] && t[c];
                links[1][c] = !old[1][c] && m[c];
            }
            cell.links = Matrix::from_array(links);
            cell.count += i32::from(t == m || links[1][i % 3]);
            expected.1.push(cell);
            expected_sum += i32::from(count == 3) + 10 * i32::from(count > 0);
        }
        assert_eq!(sum, expected_sum, "{n}");
        let mut planes = field(device, &(0..n).map(start).collect::<Vec<_>>())
            .with_layout(Soa)
            .unwrap();
        truths(&field(device, &x), mask, &mut out, &mut planes).unwrap();
        assert_eq!(planes.to_vec().unwrap(), cells.to_vec().unwrap());
        same("truths", &out, expected.0);
        same("cells", &cells, expected.1);
    }
}

pub fn check(device: &Device) {
    check_truths(device);
    let triangle = |i: usize| Vec2::new(3.0, -4.0) * (i % 100) as f32;
    each!(
        device,
        hidden,
        triangle,
        |i, _| (5 * (i % 100) + 25 * (i % 100) * (i % 100)) as f32
    );

    let vec3 = |i: usize| Vec3::new(scatter(i) as f32, scatter(i + 1) as f32 * 0.5, i as f32);
    each!(device, arithmetic, vec3, |_, v| {
        let [x, y, z] = v.to_array();
        let part = |v: f32, w: f32| (v + w * 2.0 - 1.0) * w / 2.0 - v + 3.0;
        [
            Vec3::new(x + 4.0, y - 8.0, z + 1.0),
            Vec3::new(x - 2.0, 4.0 * (y + 4.0), z - 0.5),
            Vec3::new(2.0 * x, -4.0 * y, -4.0 - z),
            Vec3::new(0.5 * x, -0.25 * y, 2.0 * z),
            Vec3::new(3.5 - x, -7.75 - y, -1.0 - z),
            Vec3::new(part(x, 2.0), part(y, -4.0), part(z, 0.5)),
        ]
    });
    let dvec3 = |i: usize| {
        if i == 1 {
            DVec3::new(1.0, 2.0, -3.0)
        } else {
            vec3(i).as_f64()
        }
    };
    each!(device, products, dvec3, |i, v| {
        let [x, y, z] = v.to_array();
        let (least, most) = (x.min(y).min(z), x.max(y).max(z));
        [
            x + 2.0 * y - 3.0 * z,
            -3.0 * y - 2.0 * z,
            z + 3.0 * x,
            2.0 * x - y,
            x * x + y * y + z * z,
            x.min(1.0) + y.min(2.0) + z.min(-3.0) + x.max(1.0) * y.max(2.0) * z.max(-3.0),
            least - most,
            if i == 1 { 1.0 } else { 2.0 },
        ]
    });
    let pythagorean = |i: usize| {
        [
            Vec2::ZERO,
            Vec2::new(3.0, -4.0),
            Vec2::new(-8.0, 6.0),
            Vec2::new(0.0, 2.0),
        ][i % 4]
    };
    each!(device, lengths, pythagorean, |i, v| {
        let n = [0.0, 25.0, 50.0, 10.0][i % 4];
        let unit = [[0.0, 0.0], [0.6, -0.8], [-0.8, 0.6], [0.0, 1.0]][i % 4];
        let last = 2.5 * v.y + 5.0 * v.x + 5.0 * v.x.abs().max(v.y.abs());
        [n, unit[0], unit[1], n, 0.0, last]
    });
    let ivec3 = |i: usize| IVec3::new(scatter(i), scatter(i + 3), -(i as i32));
    each!(device, integers, ivec3, |i, v| {
        let v = v.to_array();
        let mut w = v.map(|c| c % 7 + 1);
        w[i % 3] = 100;
        w[(i + 1) % 3] -= v[(i + 1) % 3];
        [
            w[0],
            w[1],
            w[2],
            v[1] / 2,
            v.iter().map(|c| c.abs()).sum(),
            12 * v[0] + 10 / (v[1].abs() + 1),
        ]
    });
    let vec2 = |i: usize| Vec2::new(scatter(i) as f32, scatter(i + 5) as f32);
    each!(device, matrices, vec2, |i, v| {
        let [x, y] = v.to_array();
        let (b, c) = if i % 2 == 0 { (10.0, 2.0) } else { (5.0, 4.0) };
        let diagonal = [x * x + b * b + 3.0 - x / 2.0, c * c + y * y + 3.0 - y / 2.0];
        let cross = x * c + b * y;
        [
            Mat2::from_array([[diagonal[0], cross - b / 2.0], [cross - c / 2.0, diagonal[1]]]),
            Mat2::from_array([[x, c], [x * y - b * c, y]]),
            Mat2::from_array([
                [2.0 * (c + x), 2.0 * (y + b)],
                [2.0 * (x * x + b * y + c), 2.0 * (c * x + y * y + y)],
            ]),
        ]
    });
    let tall = |i: usize| Matrix::from_array([[i as f64, 1.0, 2.0], [-3.0, 0.5, scatter(i) as f64]]);
    let by = DVec3::new(1.0, -2.0, 4.0);
    each!(device, |x: &_, out: &mut _| rectangular(x, out, by), tall, |_, m| {
        let rows = m.to_array();
        let v = rows.map(|r| r[0] - 2.0 * r[1] + 4.0 * r[2]);
        Matrix::from_array(std::array::from_fn(|r| {
            let w = v[0] * rows[0][r] + v[1] * rows[1][r];
            std::array::from_fn(|c| rows[c][r] + (v[c] * r as f64 - w))
        }))
    });
    each!(device, inverses, |i| f64::from(scatter(i)), |_, s| [
        66.0 - 6.0 * s,
        12.0,
        f64::from(s != 11.0),
        12.0
    ]);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        arithmetic,
        products,
        lengths,
        integers,
        matrices,
        rectangular,
        inverses,
        truths
    ]
}
