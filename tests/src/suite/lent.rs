//! Fields as arguments of functions.

use ndarray::{Array2, ArrayView2, s};
use swathe::prelude::*;
use swathe::{Aos, FieldLayout, Soa};

use super::support::{SHAPES, SIZES, ended, equal, field, same, scatter, sources};

/// Line of its access.
const LAPLACE: u32 = line!() + 3;
#[func]
fn laplace(u: &Field<i32, 2>, i: usize, j: usize) -> i32 {
    u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4 * u[[i, j]]
}

/// The same of any number, through another function.
#[func]
fn at<T: Element, const D: usize>(u: &Field<T, D>, at: [usize; D]) -> T {
    u[at]
}

#[func]
fn across(u: &Field<i32, 2>, place: [usize; 2]) -> i32 {
    let [i, j] = place;
    10 * at(u, [i, j]) - at(u, [i, (j + 1) % u.shape()[1]])
}

#[kernel]
fn inside(u: &Field<i32, 2>, out: &mut Field<i32, 2>) {
    for [i, j] in u.interior(1) {
        out[[i, j]] = laplace(u, i, j);
    }
}

/// Arrays of the host.
#[kernel]
fn of_arrays(u: &Array2<i32>, v: &ArrayView2<i32>, out: &mut Field<i32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = across(u, [i, j]) + 1000 * across(v, [i, j]) + both(u, u, v, i, j);
    }
}

/// Both fields through one function, and one of them twice in a call.
#[kernel]
fn several(u: &Field<i32, 2>, v: &Field<i32, 2>, out: &mut Field<i32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = across(u, [i, j]) + 1000 * across(&v, [i, j]) + both(u, u, v, i, j);
    }
}

#[func]
fn both(a: &Field<i32, 2>, b: &Field<i32, 2>, c: &Field<i32, 2>, i: usize, j: usize) -> i32 {
    let n = a.shape()[0];
    a[[n - 1 - i, j]] * 7 + b[[i, j]] * 11 + c[[i, 0]] * c.len() as i32
}

/// Reads at positions that its parameters tell in all ways: as they are, by other names, as parts, and as numbers.
#[func]
fn around(u: &Field<i32, 2>, place: [usize; 2], by: i32, k: usize) -> i32 {
    let [i, j] = place;
    let above = i - 1;
    let mut sum = u[[above, j]] + by * u[[0, place[1] + 1]] - u[place];
    if by > 2 {
        sum += at(u, [place[0] + 1, 1 + j - 2]) * scaled(u, k, j, by);
    }
    sum
}

/// An index that is no number of a position's, and one that changes.
#[func]
fn scaled(u: &Field<i32, 2>, mut i: usize, j: usize, by: i32) -> i32 {
    let last = u[[i, j]];
    i = (i + 1) % u.shape()[0];
    last * by + at(u, [i, j])
}

/// In most of a row all of it is in bounds; at its ends it is not. The last argument comes from data.
#[kernel]
fn patches(u: &Field<i32, 2>, from: &Field<u32>, out: &mut Field<i32, 2>) {
    for [i, j] in out.indices() {
        let mut sum = 1;
        if i > 0 && j > 0 && j + 2 < u.shape()[1] && i + 1 < u.shape()[0] {
            sum += around(u, [i, j], (j % 4) as i32, from[j] as usize);
        }
        for a in 0..2 {
            if j >= 2 {
                sum += at(u, [i, j - a]) * scaled(u, i, j - 1 - a, 3);
            }
        }
        out[[i, j]] = sum;
    }
}

/// Out of bounds at the ends of rows alone.
#[kernel]
fn beyond(u: &Field<i32, 2>, out: &mut Field<i32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = 7;
        let there = at(u, [i, j + 3]);
        out[[i, j]] = there;
    }
}

/// A row of a sparse matrix times a vector.
#[func]
fn row(starts: &Field<u32>, columns: &Field<u32>, values: &Field<f64>, x: &Field<f64>, i: usize) -> f64 {
    let mut sum = 0.0;
    for k in starts[i] as usize..starts[i + 1] as usize {
        sum += values[k] * x[columns[k] as usize];
    }
    sum
}

#[kernel(strict)]
fn product(starts: &Field<u32>, columns: &Field<u32>, values: &Field<f64>, x: &Field<f64>, y: &mut Field<f64>) -> f64 {
    let first = if x.len() > 0 { x[0] } else { 0.0 };
    let mut most = first;
    for i in y.indices() {
        let sum = row(starts, columns, values, x, i);
        y[i] = sum;
        most = most.max(sum);
    }
    most
}

/// All of a field, in a loop of its own.
#[func]
fn total(x: &Field<i32, 2>) -> i32 {
    let mut sum = 0;
    for [i, j] in x.indices() {
        sum += x[[i, j]] * (3 * i + j) as i32;
    }
    for i in 0..x.shape()[0] {
        for j in 0..x.shape()[1] {
            sum -= x[[i, j]];
        }
    }
    sum
}

/// Outside of parallel loops.
#[kernel]
fn of_all(x: &Field<i32, 2>, out: &mut Field<i32>) -> i32 {
    let sum = total(x);
    for i in out.indices() {
        out[i] = sum + i as i32;
    }
    sum - total(x) / 2
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Body {
    pos: Vec3,
    charge: f32,
    links: [u32; 2],
}

#[func]
fn force(bodies: &Field<Body>, i: usize) -> Vec3 {
    let own = bodies[i];
    let mut sum = Vec3::splat(0.0);
    for k in 0..2 {
        let other = bodies[i].links[k] as usize;
        sum += (bodies[other].pos - own.pos) * bodies[other].charge;
    }
    sum
}

/// Large elements, which a loop moves in blocks where it may.
#[kernel]
fn pulled(bodies: &Field<Body>, old: &Field<Body>, out: &mut Field<Body>) {
    for i in out.indices() {
        let mut body = old[i];
        body.pos += force(bodies, i) * 2.0;
        body.charge += at(bodies, [i]).charge;
        out[i] = body;
    }
}

/// In branches and conditions, with what the function changes by reference.
#[func]
fn climb(heights: &Field<i32>, from: &mut usize) -> bool {
    let next = *from + 1;
    if next >= heights.len() || heights[next] <= heights[*from] {
        return false;
    }
    *from = next;
    true
}

#[kernel]
fn peaks(heights: &Field<i32>, out: &mut Field<u32>) {
    for i in out.indices() {
        let mut here = i;
        let mut steps = 0;
        while climb(heights, &mut here) {
            steps += 1;
        }
        out[i] = if steps > 0 && at(heights, [here]) > 0 {
            here as u32
        } else {
            1_000_000 + steps
        };
    }
}

#[kernel]
fn of_one(x: &Field<f32, 0>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = at(x, []) + i as f32;
    }
}

/// Both at once: an index of the kernel's and one of the function's.
#[kernel]
fn shifted(u: &Field<i32, 2>, from: &Field<u32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = -1;
        let v = laplace(u, from[i] as usize, 1);
        out[i] = v;
    }
}

fn grid<const K: usize>(shape: [usize; 2]) -> Array2<i32> {
    Array2::from_shape_fn(shape, |(i, j)| scatter(31 * i + 7 * j + K))
}

fn laplace_of(u: &Array2<i32>, i: usize, j: usize) -> i32 {
    u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]] - 4 * u[[i, j]]
}

#[func]
fn after(x: &Field<i32>, p: [usize; 1]) -> i32 {
    x[p[0] + 1]
}

/// A number that is no index, but is one by one more modulo 2^32.
#[kernel]
fn behind(a: &Field<u32>, x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        out[i] = after(x, [a[i] as usize]);
    }
}

#[func]
fn squares(x: &Field<u8>, p: [usize; 2]) -> u64 {
    (p[0] * p[0] + p[1] * p[1] + x.len()) as u64
}

/// Positions whose squares do not fit in 32 bits, beside a number and beside one of 64 bits.
#[kernel]
fn squared(x: &Field<u8>, large: u64, out: &mut Field<u64>) {
    for i in out.indices() {
        out[i] = squares(x, [i, 3]) + squares(x, [i, large as usize]);
    }
}

/// What patterns bind to numbers has their type.
#[kernel]
fn bound(large: &Field<u64>, out: &mut Field<u64>) {
    for i in out.indices() {
        let shifted = match (1_u64, large[i]) {
            (one, k) => one << (k % 60),
        };
        let scaled = match (LARGE, i) {
            (w, k) => (k * w) as u64,
        };
        out[i] = shifted + scaled;
    }
}

const LARGE: usize = 100_000;

fn check_wide(device: &Device) {
    let x = field(device, &[7, 8, 9]);
    let mut out = Field::zeros(device, 1).unwrap();
    behind(&field(device, &[1]), &x, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [9]);
    for none in [2, u32::MAX - 1, u32::MAX] {
        let result = ended(device, behind(&field(device, &[none]), &x, &mut out));
        let Err(Error::OutOfBounds { index, .. }) = result else {
            panic!("{none}: {result:?}");
        };
        assert_eq!(*index, [none as usize + 1]);
    }

    let (n, large) = (70_001, (1 << 31) + 5);
    let mut out = Field::zeros(device, n).unwrap();
    ended(device, squared(&field(device, &[1, 2]), large, &mut out)).unwrap();
    let expected = |i: u64| 2 * i * i + 9 + large * large + 4;
    equal(
        "squared",
        &out.to_vec().unwrap(),
        &(0..n as u64).map(expected).collect::<Vec<_>>(),
    );

    let numbers: Vec<u64> = (0..43_001).map(|k| k * 7).collect();
    let mut out = Field::zeros(device, numbers.len()).unwrap();
    ended(device, bound(&field(device, &numbers), &mut out)).unwrap();
    let expected = |i: u64| (1 << (i * 7 % 60)) + i * 100_000;
    equal(
        "bound",
        &out.to_vec().unwrap(),
        &(0..43_001).map(expected).collect::<Vec<_>>(),
    );
}

pub fn check(device: &Device) {
    check_named(device);
    check_wide(device);
    for shape in SHAPES {
        check_grids(device, shape);
        check_patches(device, shape);
    }
    check_patches(device, [40, 150]);
    for n in SIZES {
        check_rows(device, n);
        check_bodies(device, n, Aos);
        check_bodies(device, n, Soa);
        check_peaks(device, n);
    }
    check_failures(device);
    let one = Field::<f32, 0>::full(device, [], 2.5).unwrap();
    let mut out = Field::zeros(device, 3).unwrap();
    of_one(&one, &mut out).unwrap();
    same("of_one", &out, vec![2.5, 3.5, 4.5]);
}

fn check_grids(device: &Device, shape: [usize; 2]) {
    let [n, m] = shape;
    let (a, b) = (grid::<0>(shape), grid::<5>(shape));
    let u = Field::from_ndarray(device, &a).unwrap();
    let v = Field::from_ndarray(device, &b).unwrap();
    let mut out = Field::<i32, 2>::full(device, shape, 77).unwrap();
    inside(&u, &mut out).unwrap();
    let rim = |i: usize, j: usize| i == 0 || j == 0 || i + 1 == n || j + 1 == m;
    let expected = Array2::from_shape_fn(shape, |(i, j)| if rim(i, j) { 77 } else { laplace_of(&a, i, j) });
    assert_eq!(out.to_ndarray().unwrap(), expected, "inside {shape:?}");

    let across_of = |u: &Array2<i32>, i: usize, j: usize| 10 * u[[i, j]] - u[[i, (j + 1) % m]];
    let of = |a: &Array2<i32>, b: &Array2<i32>| {
        Array2::from_shape_fn(shape, |(i, j)| {
            let both = a[[n - 1 - i, j]] * 7 + a[[i, j]] * 11 + b[[i, 0]] * (n * m) as i32;
            across_of(a, i, j) + 1000 * across_of(b, i, j) + both
        })
    };
    several(&u, &v, &mut out).unwrap();
    assert_eq!(out.to_ndarray().unwrap(), of(&a, &b), "several {shape:?}");

    // Views with strides, and arrays of the host.
    let wide = Array2::from_shape_fn([n + 2, 2 * m + 1], |(i, j)| scatter(13 * i + 3 * j));
    let part = s![1..n + 1, 1..2 * m + 1; 2];
    let large = Field::from_ndarray(device, &wide).unwrap();
    let view = large.slice(part).unwrap();
    several(&view, &v, &mut out).unwrap();
    assert_eq!(
        out.to_ndarray().unwrap(),
        of(&wide.slice(part).to_owned(), &b),
        "a view {shape:?}"
    );
    of_arrays(&wide.slice(part), &b, &mut out).unwrap();
    assert_eq!(
        out.to_ndarray().unwrap(),
        of(&wide.slice(part).to_owned(), &b),
        "arrays {shape:?}"
    );

    let of_part = wide.slice(part);
    let terms = of_part.indexed_iter().map(|((i, j), x)| x * ((3 * i + j) as i32 - 1));
    let total_of: i32 = terms.sum();
    let mut line = Field::zeros(device, 3).unwrap();
    assert_eq!(
        of_all(&view, &mut line).unwrap(),
        total_of - total_of / 2,
        "of_all of a view {shape:?}"
    );
    let total_of: i32 = a.indexed_iter().map(|((i, j), x)| x * ((3 * i + j) as i32 - 1)).sum();
    let mut line = Field::zeros(device, 3).unwrap();
    assert_eq!(
        of_all(&u, &mut line).unwrap(),
        total_of - total_of / 2,
        "of_all {shape:?}"
    );
    same(
        &format!("of_all {shape:?}"),
        &line,
        vec![total_of, total_of + 1, total_of + 2],
    );
}

fn check_patches(device: &Device, shape: [usize; 2]) {
    let [n, m] = shape;
    let a = grid::<0>(shape);
    let from: Vec<u32> = (0..m).map(|j| (j * 5 % n.max(1)) as u32).collect();
    let u = Field::from_ndarray(device, &a).unwrap();
    let mut out = Field::<i32, 2>::zeros(device, shape).unwrap();
    patches(&u, &field(device, &from), &mut out).unwrap();
    let scaled_of = |i: usize, j: usize, by: i32| a[[i, j]] * by + a[[(i + 1) % n, j]];
    let around_of = |i: usize, j: usize, by: i32, k: usize| {
        let sum = a[[i - 1, j]] + by * a[[0, j + 1]] - a[[i, j]];
        sum + if by > 2 {
            a[[i + 1, j - 1]] * scaled_of(k, j, by)
        } else {
            0
        }
    };
    let expected = Array2::from_shape_fn(shape, |(i, j)| {
        let mut sum = 1;
        if i > 0 && j > 0 && j + 2 < m && i + 1 < n {
            sum += around_of(i, j, (j % 4) as i32, from[j] as usize);
        }
        for b in 0..2 {
            if j >= 2 {
                sum += a[[i, j - b]] * scaled_of(i, j - 1 - b, 3);
            }
        }
        sum
    });
    assert_eq!(out.to_ndarray().unwrap(), expected, "patches {shape:?}");

    let result = ended(device, beyond(&u, &mut out));
    let expected = Array2::from_shape_fn(shape, |(i, j)| if j + 3 < m { a[[i, j + 3]] } else { 7 });
    assert_eq!(out.to_ndarray().unwrap(), expected, "beyond {shape:?}");
    match result {
        Ok(()) => assert_eq!(a.len(), 0),
        Err(Error::OutOfBounds { index, count, .. }) => {
            assert_eq!(
                (&index[..], count),
                (&[0, m.max(3)][..], n * m.min(3)),
                "beyond {shape:?}"
            );
        }
        Err(error) => panic!("{error}"),
    }
}

fn check_rows(device: &Device, n: usize) {
    let mut starts = vec![0_u32];
    let (mut columns, mut values) = (Vec::new(), Vec::new());
    for i in 0..n {
        for k in 0..i % 4 {
            columns.push(((i * 5 + k * 3) % n) as u32);
            values.push(f64::from(scatter(i + k)) / 8.0);
        }
        starts.push(columns.len() as u32);
    }
    let x: Vec<f64> = (0..n).map(|i| f64::from(scatter(i * 3)) / 4.0).collect();
    let row = |i: usize| {
        let entries = starts[i] as usize..starts[i + 1] as usize;
        entries.fold(0.0, |sum, k| sum + values[k] * x[columns[k] as usize])
    };
    let expected: Vec<f64> = (0..n).map(row).collect();
    let mut y = Field::zeros(device, n).unwrap();
    let most = product(
        &field(device, &starts),
        &field(device, &columns),
        &field(device, &values),
        &field(device, &x),
        &mut y,
    );
    let first = x.first().copied().unwrap_or(0.0);
    assert_eq!(
        most.unwrap(),
        expected.iter().copied().fold(first, f64::max),
        "product of {n}"
    );
    same(&format!("product of {n}"), &y, expected);
}

fn check_bodies(device: &Device, n: usize, layout: impl FieldLayout) {
    let body = |i: usize, k: usize| Body {
        pos: Vec3::new(i as f32, (2 * i + k) as f32, 0.5 * k as f32),
        charge: (i % 5 + k) as f32,
        links: [(i * 7 % n) as u32, ((i + 1) % n) as u32],
    };
    let bodies: Vec<Body> = (0..n).map(|i| body(i, 1)).collect();
    let old: Vec<Body> = (0..n).map(|i| body(i, 2)).collect();
    let mut out = Field::<Body>::zeros_in(device, n, layout).unwrap();
    let mut lent = Field::<Body>::zeros_in(device, n, layout).unwrap();
    lent.copy_from_slice(&bodies).unwrap();
    pulled(&lent, &field(device, &old), &mut out).unwrap();
    let expected = (0..n).map(|i| {
        let mut sum = Vec3::splat(0.0);
        for link in bodies[i].links {
            let other = bodies[link as usize];
            sum += (other.pos - bodies[i].pos) * other.charge;
        }
        let mut body = old[i];
        body.pos += sum * 2.0;
        body.charge += bodies[i].charge;
        body
    });
    equal(
        &format!("pulled {n}"),
        &out.to_vec().unwrap(),
        &expected.collect::<Vec<_>>(),
    );
}

fn check_peaks(device: &Device, n: usize) {
    let heights: Vec<i32> = (0..n).map(scatter).collect();
    let mut out = Field::zeros(device, n).unwrap();
    peaks(&field(device, &heights), &mut out).unwrap();
    let expected = (0..n).map(|i| {
        let (mut here, mut steps) = (i, 0);
        while here + 1 < n && heights[here + 1] > heights[here] {
            (here, steps) = (here + 1, steps + 1);
        }
        if steps > 0 && heights[here] > 0 {
            here as u32
        } else {
            1_000_000 + steps
        }
    });
    same(&format!("peaks {n}"), &out, expected.collect());
}

#[func]
fn get(f: &Field<Pair>, i: usize) -> f32 {
    // Parts of an element's vector, in a loop so that the function stands apart.
    let (mut k, mut sum) = (i, 0.0);
    while k > 10 {
        k -= 1;
        sum += f[k].at.z;
    }
    sum + f[k].at[1] + f[k].turn[[0, 1]]
}

#[derive(Element, Clone, Copy)]
struct Pair {
    at: Vec3,
    turn: Mat2,
}

/// Variables by the names that functions get in CUDA C, where several have one.
#[kernel]
fn named(a: &Field<Pair>, b: &Field<Pair>, out: &mut Field<f32>) {
    for i in out.indices() {
        let get_b = get(a, i);
        let get_2_b = get(b, i);
        let get_a = get_b + 2.0 * get_2_b;
        out[i] = get_a + get(b, i + 1);
    }
}

fn check_named(device: &Device) {
    let pair = |salt: usize| {
        move |k: usize| Pair {
            at: Vec3::new(1.0, (k * salt) as f32, (k + salt) as f32),
            turn: Mat2::from_array([[0.5, (3 * k) as f32], [7.0, 9.0]]),
        }
    };
    let of = |salt: usize, i: usize| {
        let last = i.min(10);
        let passed: usize = (10..i).map(|k| k + salt).sum();
        (passed + last * salt + 3 * last) as f32
    };
    for n in SIZES {
        let [a, b] = [2, 5].map(|salt| {
            let all: Vec<Pair> = (0..n + 1).map(pair(salt)).collect();
            field(device, &all)
        });
        let mut out = Field::zeros(device, n).unwrap();
        named(&a, &b, &mut out).unwrap();
        let expected = (0..n).map(|i| of(2, i) + 2.0 * of(5, i) + of(5, i + 1));
        same("named", &out, expected.collect());
    }
}

/// An access out of bounds in a function ends the iteration, and is told by the function's own names.
fn check_failures(device: &Device) {
    let a = grid::<0>([5, 3]);
    let u = Field::from_ndarray(device, &a).unwrap();
    let from = [1, 4, 2, 9, 3, 2];
    let mut out = Field::zeros(device, from.len()).unwrap();
    let error = ended(device, shifted(&u, &field(device, &from), &mut out)).unwrap_err();
    let Error::OutOfBounds {
        kernel,
        file,
        line,
        column,
        field,
        index,
        shape,
        count,
    } = &error
    else {
        panic!("{error}")
    };
    assert_eq!((*kernel, *file, *line, *field), ("shifted", file!(), LAPLACE, "u"));
    assert_eq!((*count, *column), (2, 5), "{error}");
    assert_eq!((&index[..], &shape[..]), (&[8, 1][..], &[5, 3][..]), "{error}");
    let of = |k: u32| if k < 4 { laplace_of(&a, k as usize, 1) } else { -1 };
    same("shifted", &out, from.iter().map(|k| of(*k)).collect());
}

/// On the host the functions take fields of the CPU, views and arrays. Run by `tests/suite_cpu.rs`.
pub fn host_calls_them() {
    let a = grid::<0>([5, 4]);
    let u = Field::from_ndarray(&Device::cpu(), &a).unwrap();
    assert_eq!(laplace(&u, 2, 1), laplace_of(&a, 2, 1));
    assert_eq!(laplace(&u.slice(s![1.., ..]).unwrap(), 1, 2), laplace_of(&a, 2, 2));
    let told = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| laplace(&u, 4, 1))).unwrap_err();
    let told = told.downcast_ref::<String>().unwrap();
    assert!(
        told.contains("`u` was accessed at [5, 1], outside its shape [5, 4]"),
        "{told}"
    );
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources!(
        behind, squared, bound, patches, beyond, inside, of_arrays, several, product, of_all, pulled, peaks, of_one,
        shifted, named
    )
}
