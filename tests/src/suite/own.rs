//! What an iteration of a parallel loop may touch of fields that it writes.

use ndarray::{Array2, Array3};
use swathe::prelude::*;

use super::support::{SHAPES, SIZES, same, scatter, sources};

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Particle {
    pos: Vec2,
    vel: Vec2,
    tags: [u8; 3],
    mass: f32,
}

/// A whole row for each iteration.
#[kernel]
fn rows(x: &mut Field<i64, 2>) {
    let [h, w] = x.shape();
    for i in 0..h {
        for j in 1..w {
            x[[i, j]] += x[[i, j - 1]];
        }
        if w > 0 {
            x[[i, 0]] = x[[i, w - 1]];
        }
    }
}

/// A whole column.
#[kernel]
fn columns(x: &mut Field<i64, 2>, total: &mut Field<i64>) {
    let [h, w] = x.shape();
    for j in 0..w {
        let mut s = 0;
        for i in 0..h {
            s += x[[i, j]];
            x[[i, j]] = s;
        }
        total[j] = s;
    }
}

#[kernel]
fn transposed(x: &Field<i64, 2>, out: &mut Field<i64, 2>) {
    for [i, j] in x.indices() {
        out[[j, i]] = x[[i, j]] * 2;
        out[[j, i]] += 1;
    }
}

/// Two elements of column `i` in iteration `i`.
#[kernel]
fn diagonal(x: &mut Field<i64, 2>, k: usize) {
    for i in 0..x.shape()[1] {
        x[[k, i]] += 1;
        x[[i, i]] += x[[k, i]] * 10;
    }
}

/// Parts of the whole position are own, too.
#[kernel]
fn parted(x: &mut Field<i64, 2>, h: usize, w: usize) {
    for p in ndrange([h, w]) {
        let [i, j] = p;
        x[[i, j]] += 10 * i as i64;
        x[p] += j as i64;
    }
}

#[kernel]
fn permuted(x: &Field<i64, 3>, out: &mut Field<i64, 3>) {
    for [i, j, k] in x.indices() {
        out[[k, i, j]] = x[[i, j, k]];
    }
}

/// Two of three axes are the loop's, the last one is free.
#[kernel]
fn pencils(x: &mut Field<i64, 3>) {
    let [a, b, c] = x.shape();
    for [i, j] in ndrange([a, b]) {
        for k in (0..c).rev() {
            x[[i, j, k]] += (i * 100 + j * 10) as i64;
            if k + 1 < c {
                x[[i, j, k]] += x[[i, j, k + 1]];
            }
        }
    }
}

/// All positions are read while velocities are written.
#[kernel]
fn attract(p: &mut Field<Particle>) {
    for i in p.indices() {
        let mut force = Vec2::ZERO;
        for j in 0..p.len() {
            force += (p[j].pos - p[i].pos) * p[j].mass;
        }
        p[i].vel += force;
        p[i].tags[1] += p[p.len() - 1 - i].pos.x as u8 % 2;
    }
    for i in p.indices() {
        p[i].pos += p[i].vel * 0.5;
    }
}

/// The same position by another name, and through a copy.
#[kernel]
fn named_again(x: &mut Field<i32>, y: &mut Field<i32, 2>) {
    for i in x.indices() {
        let j = i;
        let k = j;
        x[k] = x[j] + x[i];
    }
    for p in y.indices() {
        let q = p;
        y[p] += y[q];
        y[q] += 1;
    }
}

/// What the compiler cannot see, the user states.
#[kernel]
fn scattered(to: &Field<u32>, x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        // SAFETY: `to` is a permutation.
        unsafe {
            out[to[i] as usize] = x[i];
            out[to[i] as usize] += 1;
        }
    }
}

#[kernel]
fn unchecked(x: &Field<i32>, out: &mut Field<i32>) {
    let n = x.len();
    for i in out.indices() {
        // SAFETY: the remainder is below the length.
        let v = unsafe { *x.get_unchecked((i * 7 + 3) % n) };
        // SAFETY: `out` has the loop's length.
        unsafe { *out.get_unchecked_mut(i) = v + *x.get_unchecked(i) };
    }
}

/// Even and odd elements of one field, in place.
#[kernel]
fn neighbours(x: &mut Field<i32>) {
    let half = x.len() / 2;
    for k in 0..half {
        // SAFETY: each pair belongs to one iteration.
        unsafe {
            let a = x[2 * k];
            x[2 * k] = x[2 * k + 1];
            x[2 * k + 1] = a;
        }
    }
}

pub fn check(device: &Device) {
    super::fixed::check(device);
    super::ndranges::check(device);
    super::strides::check(device);
    super::axes::check(device);
    for [h, w] in SHAPES {
        let start = Array2::from_shape_fn((h, w), |(i, j)| i64::from(scatter(i * 40 + j)));
        let mut x = Field::from_ndarray(device, &start).unwrap();
        rows(&mut x).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| {
            let upto = if j == 0 { w } else { j + 1 };
            start.row(i).iter().take(upto).sum::<i64>()
        });
        assert_eq!(x.to_ndarray().unwrap(), expected, "rows");
        let mut x = Field::from_ndarray(device, &start).unwrap();
        parted(&mut x, h, w).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| start[[i, j]] + (10 * i + j) as i64);
        assert_eq!(x.to_ndarray().unwrap(), expected, "parted");
        if w > 0 && h >= w {
            let k = w / 2;
            let mut x = Field::from_ndarray(device, &start).unwrap();
            diagonal(&mut x, k).unwrap();
            let mut expected = start.clone();
            for i in 0..w {
                expected[[k, i]] += 1;
                expected[[i, i]] += expected[[k, i]] * 10;
            }
            assert_eq!(x.to_ndarray().unwrap(), expected, "diagonal");
        }
        let mut x = Field::from_ndarray(device, &start).unwrap();
        let mut total = Field::zeros(device, w).unwrap();
        columns(&mut x, &mut total).unwrap();
        let expected = Array2::from_shape_fn((h, w), |(i, j)| start.column(j).iter().take(i + 1).sum::<i64>());
        assert_eq!(x.to_ndarray().unwrap(), expected, "columns");
        same(
            "columns",
            &total,
            start.columns().into_iter().map(|c| c.sum()).collect(),
        );
        let x = Field::from_ndarray(device, &start).unwrap();
        let mut out = Field::zeros(device, [w, h]).unwrap();
        transposed(&x, &mut out).unwrap();
        assert_eq!(out.to_ndarray().unwrap(), &start.t() * 2 + 1, "transposed");
    }
    for [a, b, c] in [[0, 2, 3], [1, 1, 1], [2, 3, 5], [5, 7, 4]] {
        let start = Array3::from_shape_fn((a, b, c), |(i, j, k)| (i * 64 + j * 8 + k) as i64);
        let x = Field::from_ndarray(device, &start).unwrap();
        let mut out = Field::zeros(device, [c, a, b]).unwrap();
        permuted(&x, &mut out).unwrap();
        assert_eq!(
            out.to_ndarray().unwrap(),
            start.view().permuted_axes([2, 0, 1]),
            "permuted"
        );
        let mut x = Field::from_ndarray(device, &start).unwrap();
        pencils(&mut x).unwrap();
        let expected = Array3::from_shape_fn((a, b, c), |(i, j, k)| {
            (k..c).map(|l| start[[i, j, l]] + (i * 100 + j * 10) as i64).sum()
        });
        assert_eq!(x.to_ndarray().unwrap(), expected, "pencils");
    }
    for n in SIZES {
        check_attract(device, n.min(17));
        let mut x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        let mut y = Field::from_fn(device, [n, 2], |[i, j]| scatter(i + j)).unwrap();
        named_again(&mut x, &mut y).unwrap();
        same("named_again", &x, (0..n).map(|i| 2 * scatter(i)).collect());
        let expected = Array2::from_shape_fn((n, 2), |(i, j)| 2 * scatter(i + j) + 1);
        assert_eq!(y.to_ndarray().unwrap(), expected, "named_again");
        // 7 is prime to every length here.
        let to = Field::from_fn(device, n, |[i]| (i * 7 % n) as u32).unwrap();
        let x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        scattered(&to, &x, &mut out).unwrap();
        let mut expected = vec![0; n];
        (0..n).for_each(|i| expected[i * 7 % n] = scatter(i) + 1);
        same("scattered", &out, expected);
        unchecked(&x, &mut out).unwrap();
        same(
            "unchecked",
            &out,
            (0..n).map(|i| scatter((i * 7 + 3) % n) + scatter(i)).collect(),
        );
        let mut x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        neighbours(&mut x).unwrap();
        let pair = |i: usize| if i + 1 == n && n % 2 == 1 { i } else { i ^ 1 };
        same("neighbours", &x, (0..n).map(|i| scatter(pair(i))).collect());
    }
}

fn check_attract(device: &Device, n: usize) {
    // Whole numbers, so that every order of additions gives the same.
    let particle = |i: usize| Particle {
        pos: Vec2::new(i as f32, scatter(i) as f32),
        vel: Vec2::new(1.0, -1.0),
        tags: [1, 2, 3],
        mass: (i % 3) as f32,
    };
    let start: Vec<Particle> = (0..n).map(particle).collect();
    let mut p = Field::from_slice(device, &start).unwrap();
    attract(&mut p).unwrap();
    let masses: f32 = start.iter().map(|p| p.mass).sum();
    let center = start.iter().fold(Vec2::ZERO, |s, p| s + p.pos * p.mass);
    let expected = start.iter().enumerate().map(|(i, p)| {
        let vel = p.vel + center - p.pos * masses;
        Particle {
            pos: p.pos + vel / 2.0,
            vel,
            tags: [1, 2 + (n - 1 - i) as u8 % 2, 3],
            mass: p.mass,
        }
    });
    same("attract", &p, expected.collect());
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = super::fixed::cuda_sources();
    all.extend(super::ndranges::cuda_sources());
    all.extend(super::axes::cuda_sources());
    all.extend(super::strides::cuda_sources());
    all.extend(sources![
        rows,
        columns,
        transposed,
        diagonal,
        parted,
        permuted,
        pencils,
        attract,
        named_again,
        scattered,
        unchecked,
        neighbours
    ]);
    all
}
