//! Loops whose rows are split: what differs at the rims runs as it is written, and the inside without comparisons and checks.

// Kernels say things in the ways that they have.
#![allow(
    clippy::manual_is_multiple_of,
    clippy::implicit_saturating_sub,
    clippy::nonminimal_bool,
    clippy::cast_abs_to_unsigned,
    clippy::suspicious_arithmetic_impl,
    clippy::needless_range_loop
)]

use std::ops::{Index, IndexMut};

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::{field, same, values, versions};

/// An array of the host with the same operators.
struct Grid {
    shape: [usize; 2],
    values: Vec<i64>,
}

impl Grid {
    fn shape(&self) -> [usize; 2] {
        self.shape
    }

    fn len(&self) -> usize {
        self.values.len()
    }
}

impl Index<[usize; 2]> for Grid {
    type Output = i64;
    fn index(&self, [i, j]: [usize; 2]) -> &i64 {
        assert!(i < self.shape[0] && j < self.shape[1]);
        &self.values[i * self.shape[1] + j]
    }
}

impl IndexMut<[usize; 2]> for Grid {
    fn index_mut(&mut self, [i, j]: [usize; 2]) -> &mut i64 {
        assert!(i < self.shape[0] && j < self.shape[1]);
        &mut self.values[i * self.shape[1] + j]
    }
}

trait Atomic {
    fn atomic_add(&mut self, by: Self) -> Self;
}

impl Atomic for i64 {
    fn atomic_add(&mut self, by: i64) -> i64 {
        std::mem::replace(self, *self + by)
    }
}

/// The same text as a kernel and as plain Rust. `comparisons` and `accesses` are those that the inside has not.
macro_rules! twins {
    ($($name:ident [$comparisons:literal $accesses:literal] ($u:ident, $v:ident, $n:ident) { $($before:stmt;)* } ($i:ident, $j:ident) $body:block)*) => {
        $(mod $name {
            use super::*;

            #[kernel]
            pub fn kernel($u: &Field<i64, 2>, $v: &mut Field<i64, 2>, $n: usize) {
                $($before)*
                for [$i, $j] in $v.indices() $body
            }

            pub fn plain($u: &Grid, $v: &mut Grid, $n: usize) {
                $($before)*
                for [$i, $j] in swathe::ndrange($v.shape()) $body
            }
        })*

        #[test]
        fn rims_and_inside_agree() {
            versions(|name| {
                $(compare(&format!("{} {name}", stringify!($name)), |u, v, n| $name::kernel(u, v, n), $name::plain);)*
            });
        }

        #[test]
        fn rows_are_split() {
            let plans = [$((stringify!($name), $name::kernel::plan(), [$comparisons, $accesses])),*];
            for (name, plan, expected) in plans {
                let split = plan.loops()[0].techniques.iter().find_map(|technique| match technique {
                    Technique::Split { comparisons, accesses } => Some([*comparisons, *accesses]),
                    _ => None,
                });
                assert_eq!(split.unwrap_or_default(), expected, "{name}: {plan}");
            }
        }
    };
}

twins! {
    wrapped_by_if[2 4] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let up = if i == 0 { h - 1 } else { i - 1 };
        let down = if i + 1 == h { 0 } else { i + 1 };
        let left = if j == 0 { w - 1 } else { j - 1 };
        let right = if j + 1 >= w { 0 } else { j + 1 };
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]] + n as i64;
    }
    wrapped_by_remainder[6 1] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, j]] = u[[(i + h - 1) % h, j]] + 3 * u[[(i + 1) % h, j]] - 7 * u[[i, (j + w - 1) % w]]
            + 11 * u[[i, (j + n) % w]] + 13 * u[[(i + j) % h, j % w]];
    }
    clamped[5 6] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let (up, down) = (i.max(1) - 1, (i + 1).min(h - 1));
        let left = j.saturating_sub(1);
        let right = (w - 1).min(j + 1);
        let far = (j + n).min(w - 1);
        let near = w.min(j.max(2)) - 1;
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]] + u[[i, far]] - u[[i, near]];
    }
    chosen[4 6] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let up = if i > 0 { u[[i - 1, j]] } else { -1 };
        let down = if i + 1 < h { u[[i + 1, j]] } else { -2 };
        let left = if j > 0 { u[[i, j - 1]] } else { -3 };
        let right = if j + 1 < w { u[[i, j + 1]] } else { -4 };
        let inner = j >= 2 && !(j + 2 >= w);
        let far = if inner { u[[i, j - 2]] * u[[i, j + 2]] } else { n as i64 };
        v[[i, j]] = up + 3 * down - 7 * left + 11 * right + far;
    }
    one_sided[1 2] (u, v, n) { let m = n + 1; } (i, j) {
        if i > 0 && j > 0 {
            v[[i, j]] = u[[i - 1, j]] * m as i64 + u[[i, j - 1]];
        }
    }
    between[2 1] (u, v, n) { let last = n + 40; } (i, j) {
        if j > n && j < last {
            v[[i, j]] = u[[i, j - n]];
        }
    }
    beside[3 1] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        if j < 1 || j + 1 == w || j == n {
            v[[i, j]] = 5;
        } else if i % 2 == 0 {
            v[[i, j]] = u[[i, j + 1]];
        } else {
            v[[i, j]] += 1;
        }
    }
    scattered[1 0] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        v[[i, (j + 1) % w]].atomic_add(u[[i, j]] + (n + h) as i64);
    }
    checkered[0 0] (u, v, n) { let period = n; } (i, j) {
        v[[i, j]] = if (i + j) % 2 == 0 { u[[i, j]] } else { (j % period + j % 5) as i64 };
    }
    signed[7 5] (u, v, n) { let [h, w] = u.shape(); let rows = h as i32; } (i, j) {
        let up = (i as i32 - 1).rem_euclid(rows) as usize;
        let down = (i as i32 + 1).clamp(0, h as i32 - 1) as usize;
        let left = (j as i64 - 1).rem_euclid(w as i64) as usize;
        let right = ((j as u32 + 1) % w as u32) as usize;
        let far = ((i + j) as u16 as usize).min(w - 1);
        let back = (n as isize - 1 - j as isize).abs() as usize % w;
        v[[i, j]] = u[[up, j]] + 3 * u[[down, j]] - 7 * u[[i, left]] + 11 * u[[i, right]] + u[[i, far]] + (back + n) as i64;
    }
    radius[1 2] (u, v, n) { let w = u.shape()[1]; let r = n; } (i, j) {
        v[[i, j]] = if j < r {
            1
        } else if j + r >= w {
            2
        } else {
            u[[i, j - r]] + u[[i, j + r]] * j.min(7) as i64
        };
    }
    falling[0 2] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        let (k, l) = (h - 1 - i, w - 1 - j);
        v[[i, j]] = 2 * u[[k, j]] - u[[i, l]] + (l + n) as i64;
    }
    left_at_once[1 1] (u, v, n) { let k = n; } (i, j) {
        if j < k {
            continue;
        }
        v[[i, j]] = u[[i, j - k]];
    }
    shadowed[1 2] (u, v, n) { let w = u.shape()[1]; } (i, j) {
        let k = j + 1;
        let k = if k == w { 0 } else { k };
        let j = k;
        let w = n as i64;
        v[[i, k]].atomic_add(u[[i, j]] * w);
    }
    around[2 2] (u, v, n) { let [h, w] = u.shape(); } (i, j) {
        if i > 0 && i + 1 < h && j > 1 && j + 2 < w {
            let mut sum = n as i64;
            for a in 0..3 {
                let row = i + a - 1;
                for b in (0..=2).rev() {
                    sum = sum * 3 + u[[row, 2 * b + j - 2]] - u[[i, j - a + 1]];
                }
            }
            v[[i, j]] = sum;
        }
    }
    ahead[0 1] (u, v, n) { let _all = n; } (i, j) {
        for b in 1..4 {
            v[[i, j]] += u[[i, j + b]];
        }
    }
    apart[0 0] (u, v, n) { let _all = n; } (i, j) {
        for b in 0..3 {
            v[[i, j]] += u[[i, j + b * b]];
        }
        for b in 0..17 {
            v[[i, j]] -= u[[i, j + b]];
        }
        for mut b in 0..2 {
            b += n;
            v[[i, j]] -= u[[i, j + b]];
        }
    }
    chosen_by_loops[0 1] (u, v, n) { let _all = n; } (i, j) {
        for b in 0..2 {
            let k = if b == 0 { j } else { j + 1 };
            v[[i, j]] += u[[i, k]] + u[[i, j + b]];
        }
    }
    to_the_last[2 2] (u, v, n) { let w = u.shape()[1]; let last = w - 1; let end = (last - n) as u32; } (i, j) {
        v[[i, j]] = u[[i, (j + n).min(last)]] + u[[i, last.min(j + 1)]] + end as i64;
    }
}

fn compare(
    name: &str,
    kernel: impl Fn(&Field<i64, 2>, &mut Field<i64, 2>, usize) -> swathe::Result<()>,
    plain: impl Fn(&Grid, &mut Grid, usize),
) {
    for shape in [
        [0, 5],
        [3, 0],
        [1, 1],
        [3, 1],
        [2, 2],
        [1, 40],
        [2, 24],
        [5, 26],
        [7, 64],
        [33, 100],
        [3, 1001],
    ] {
        let n = 3;
        let number = |[i, j]: [usize; 2]| ((i * 37 + j * 101) % 61) as i64 - 20;
        let mut u = Field::from_fn(&Device::cpu(), shape, number).unwrap();
        let start = |[i, j]: [usize; 2]| (i * 1000 + j) as i64;
        let mut v = Field::from_fn(&Device::cpu(), shape, start).unwrap();
        // Positions of smaller rows may be out of bounds in plain Rust, too.
        let grid = |field: &Field<i64, 2>| Grid {
            shape,
            values: field.to_vec().unwrap(),
        };
        let (before, mut expected) = (grid(&u), grid(&v));
        assert_eq!(before.len(), u.len());
        let plain = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| plain(&before, &mut expected, n)));
        let result = kernel(&u, &mut v, n);
        assert_eq!(result.is_ok(), plain.is_ok(), "{name}, {shape:?}: {result:?}");
        if plain.is_ok() {
            assert_eq!(v.to_vec().unwrap(), expected.values, "{name}, {shape:?}");
        }
        u.fill(0).unwrap();
    }
}

/// A grid of faces has one more than that of the cells between them: the conditions tell which cells there are, not a comparison of all extents.
#[kernel]
fn faces(p: &Field<i64, 2>, u: &mut Field<i64, 2>, v: &mut Field<i64, 2>) {
    let [_, w] = p.shape();
    for [i, j] in u.indices() {
        if j > 0 && j < w {
            u[[i, j]] += p[[i, j]] - 3 * p[[i, j - 1]];
        }
    }
    for [i, j] in v.indices() {
        if i == 0 || i > v.shape()[0] - 2 {
            continue;
        }
        v[[i, j]] += p[[i, j]] - 5 * p[[i - 1, j]];
    }
}

#[test]
fn faces_between_cells() {
    let plan = faces::plan();
    for found in plan.loops() {
        let split = |t: &Technique| matches!(t, Technique::Split { .. });
        assert!(found.techniques.iter().any(split), "{plan}");
        let compared = |t: &Technique| matches!(t, Technique::Versioned { .. });
        assert!(!found.techniques.iter().any(compared), "{plan}");
    }
    let cell = |i: usize, j: usize| (i * 37 + j * 101) as i64 % 61 - 20;
    versions(|name| {
        for [h, w] in [[1, 1], [2, 30], [5, 64], [40, 101]] {
            let device = &Device::cpu();
            let p = Field::from_fn(device, [h, w], |[i, j]| cell(i, j)).unwrap();
            let mut u = Field::full(device, [h, w + 1], 7_i64).unwrap();
            let mut v = Field::full(device, [h + 1, w], 9_i64).unwrap();
            faces(&p, &mut u, &mut v).unwrap();
            for (k, got) in u.to_vec().unwrap().into_iter().enumerate() {
                let (i, j) = (k / (w + 1), k % (w + 1));
                let change = if j > 0 && j < w {
                    cell(i, j) - 3 * cell(i, j - 1)
                } else {
                    0
                };
                assert_eq!(got, 7 + change, "{name}: {i}, {j}");
            }
            for (k, got) in v.to_vec().unwrap().into_iter().enumerate() {
                let (i, j) = (k / w, k % w);
                let change = if i > 0 && i < h {
                    cell(i, j) - 5 * cell(i - 1, j)
                } else {
                    0
                };
                assert_eq!(got, 9 + change, "{name}: {i}, {j}");
            }
        }
    });
}

/// Along one axis, over ranges, with sums and maxima.
#[kernel]
fn lined(x: &Field<f32>, y: &mut Field<f32>, first: usize) -> (f32, f32, usize) {
    let n = x.len();
    let (mut sum, mut most, mut count) = (0.0, f32::MIN, 0);
    for i in first..n {
        let left = if i == 0 { x[n - 1] } else { x[i - 1] };
        let right = x[(i + 1) % n];
        if i > 1 && i + 2 < n {
            let d = x[i + 2] - x[i - 2];
            sum += d;
            most = most.max(d);
            count += 1;
        }
        y[i] = left + 2.0 * right;
    }
    (sum, most, count)
}

#[test]
fn sums_beside_stores() {
    let plan = lined::plan();
    let techniques = plan.loops()[0].techniques;
    assert!(
        techniques.iter().any(|t| matches!(t, Technique::Split { .. })),
        "{plan}"
    );
    assert!(
        techniques.iter().any(|t| matches!(t, Technique::Lanes { .. })),
        "{plan}"
    );
    // Halves, whose sums are exact in any order.
    let number = |i: usize| ((i * 7) % 23) as f32 * 0.5;
    versions(|name| {
        for n in [1, 3, 17, 25, 64, 200, 1000] {
            for first in [0, 2, n] {
                let (x, mut y) = (field(n, number), field(n, |_| -1.0));
                let got = lined(&x, &mut y, first).unwrap();
                let inner = || (first.max(2)..n.saturating_sub(2)).map(|i| number(i + 2) - number(i - 2));
                let expected = (inner().sum(), inner().fold(f32::MIN, f32::max), inner().count());
                assert_eq!(got, expected, "{name}: {n} from {first}");
                same(name, &values(&y), |i| match i < first {
                    true => -1.0,
                    false => number((i + n - 1) % n) + 2.0 * number((i + 1) % n),
                });
            }
        }
    });
}

/// Indices that leave a row are told, and all others done.
#[kernel]
fn moved(x: &Field<i64, 2>, y: &mut Field<i64, 2>, by: usize) {
    for [i, j] in y.indices() {
        y[[i, j]] = x[[i, j + by]];
    }
}

#[test]
fn what_leaves_a_row_is_told() {
    versions(|name| {
        for (by, beyond) in [(0, 0), (1, 1), (30, 30), (70, 64), (usize::MAX, 1), (usize::MAX - 5, 6)] {
            let number = |[i, j]: [usize; 2]| (100 * i + j) as i64;
            let x = Field::from_fn(&Device::cpu(), [3, 64], number).unwrap();
            let mut y = Field::full(&Device::cpu(), [3, 64], -1_i64).unwrap();
            let result = moved(&x, &mut y, by);
            let left = |j: usize| j.checked_add(by).is_none_or(|k| k >= 64) && (by < 100 || j.wrapping_add(by) >= 64);
            match result {
                Ok(()) => assert_eq!(beyond, 0, "{name}"),
                Err(Error::OutOfBounds { count, index, .. }) => {
                    let first = (0..64).find(|j| left(*j)).unwrap();
                    assert_eq!(
                        (count, index.to_vec()),
                        (3 * beyond, vec![0, first.wrapping_add(by)]),
                        "{name}"
                    );
                }
                Err(error) => panic!("{name}: {error}"),
            }
            for (k, got) in y.to_vec().unwrap().into_iter().enumerate() {
                let (i, j) = (k / 64, k % 64);
                let expected = if left(j) { -1 } else { number([i, j.wrapping_add(by)]) };
                assert_eq!(got, expected, "{name}: {by}, {i}, {j}");
            }
        }
    });
}

/// A number that is no index, on both sides of operators with positions.
#[derive(Element, Clone, Copy, PartialEq)]
struct Mine {
    by: u32,
}

#[func]
impl std::ops::Add<Mine> for usize {
    type Output = usize;
    fn add(self, mine: Mine) -> usize {
        self ^ mine.by as usize
    }
}

#[func]
impl PartialEq<Mine> for usize {
    fn eq(&self, mine: &Mine) -> bool {
        *self % 7 != mine.by as usize
    }
}

#[kernel]
fn other_operators(x: &Field<i64>, y: &mut Field<i64>, mine: Mine) {
    for i in y.indices() {
        if i == mine {
            y[i] = x[i + mine];
        } else {
            y[i] = -x[(i + mine) % x.len()];
        }
    }
}

#[test]
fn operators_of_others_are_no_sums() {
    versions(|name| {
        let (x, mut y) = (field(128, |i| 3 * i as i64), field(100, |_| 0));
        other_operators(&x, &mut y, Mine { by: 5 }).unwrap();
        same(name, &values(&y), |i| match i % 7 != 5 {
            true => 3 * (i ^ 5) as i64,
            false => -3 * (i ^ 5) as i64,
        });
    });
}

/// Positions that change in the body, and those of other types.
#[kernel]
fn other_positions(x: &Field<i64>, y: &mut Field<i64>, counts: &mut Field<i64>, n: i32, m: i32) {
    let k = x.len();
    for own in 0..k {
        let mut i = own;
        if i + 3 < k {
            i += 2;
        }
        counts[own] = x[i] + x[(i + 1) % k];
    }
    for i in 0..n {
        let j = (i % m) as usize;
        if i + 1 < n && i > 0 {
            y[j].atomic_add(x[(i + 1) as usize]);
        } else {
            y[j].atomic_add(i as i64 % 7);
        }
    }
    for i in 0_u64..k as u64 {
        let last = k as u64 - 1;
        let next = if i == last { 0 } else { i + 1 };
        y[(next % 5) as usize].atomic_add((i % 3) as i64);
    }
}

#[test]
fn positions_of_other_types() {
    versions(|name| {
        for k in [30_usize, 64, 100] {
            let (x, mut y) = (field(k, |i| 3 * i as i64 + 1), field(k, |_| 0));
            let mut counts = field(k, |_| 0);
            other_positions(&x, &mut y, &mut counts, k as i32, 11).unwrap();
            let number = |i: usize| 3 * i as i64 + 1;
            same(name, &values(&counts), |own| {
                let i = if own + 3 < k { own + 2 } else { own };
                number(i) + number((i + 1) % k)
            });
            let mut expected = vec![0; k];
            for i in 0..k {
                let inner = i + 1 < k && i > 0;
                expected[i % 11] += if inner { number(i + 1) } else { i as i64 % 7 };
                expected[(i + 1) % k % 5] += i as i64 % 3;
            }
            same(name, &values(&y), |i| expected[i]);
        }
    });
}

/// Three axes, and positions of extents that are no field's.
#[kernel]
fn cube(u: &Field<i64, 3>, v: &mut Field<i64, 3>) -> i64 {
    let [d, h, w] = u.shape();
    let mut most = i64::MIN;
    for [i, j, k] in ndrange([d, h, w]) {
        let up = if i == 0 { d - 1 } else { i - 1 };
        let x = u[[up, j, k]] + 3 * u[[i, (j + 1) % h, k]] - 7 * u[[i, j, (k + w - 2) % w]];
        let y = if k + 1 < w && j > 0 { u[[i, j - 1, k + 1]] } else { 50 };
        most = most.max(x - y);
        v[[i, j, k]] = x * y;
    }
    most
}

#[test]
fn three_axes() {
    versions(|name| {
        for shape in [[1, 1, 2], [2, 3, 30], [3, 2, 64], [5, 7, 100]] {
            let [d, h, w] = shape;
            let number = |[i, j, k]: [usize; 3]| ((i * 37 + j * 101 + k * 13) % 61) as i64 - 20;
            let u = Field::from_fn(&Device::cpu(), shape, number).unwrap();
            let mut v = Field::full(&Device::cpu(), shape, -1_i64).unwrap();
            let most = cube(&u, &mut v).unwrap();
            let (mut expected, mut largest) = (Vec::new(), i64::MIN);
            for [i, j, k] in swathe::ndrange(shape) {
                let x = number([(i + d - 1) % d, j, k]) + 3 * number([i, (j + 1) % h, k])
                    - 7 * number([i, j, (k + w - 2) % w]);
                let inner = k + 1 < w && j > 0;
                let y = if inner { number([i, j - 1, k + 1]) } else { 50 };
                largest = largest.max(x - y);
                expected.push(x * y);
            }
            assert_eq!((most, v.to_vec().unwrap()), (largest, expected), "{name}: {shape:?}");
        }
    });
}

/// Only keeps rustc from computing in advance.
#[func]
fn seen(k: &u8) -> i64 {
    (*k != 255) as i64
}

/// The same text as a kernel and as plain Rust, over 300 elements.
macro_rules! alike {
    ($($name:ident ($x:ident: $X:ty, $y:ident: $Y:ty) |$i:ident| $body:block)*) => {
        $(mod $name {
            use super::*;

            #[kernel]
            pub fn kernel($x: &Field<$X>, $y: &mut Field<$Y>) {
                for $i in $y.indices() $body
            }

            pub fn plain($x: &[$X], $y: &mut [$Y]) {
                for $i in 0..$y.len() $body
            }
        })*

        #[test]
        fn copies_have_the_same_types() {
            versions(|name| {
                $({
                    let x = field(300, |i| (7 * i % 251) as $X);
                    let mut y = field(300, |_| 0 as $Y);
                    $name::kernel(&x, &mut y).unwrap();
                    let mut expected = vec![0 as $Y; 300];
                    $name::plain(&values(&x), &mut expected);
                    same(&format!("{} {name}", stringify!($name)), &values(&y), |i| expected[i]);
                    let plan = $name::kernel::plan();
                    let mut techniques = plan.loops()[0].techniques.iter();
                    assert!(techniques.any(|t| matches!(t, Technique::Split { .. })), "{}", stringify!($name));
                })*
            });
        }
    };
}

// What tells the type of a number stands where most positions do not come.
alike! {
    otherwise(x: u8, y: i64) |i| {
        let a = if i == 0 { 1_u8 } else { 200 };
        let b = a + 100 - x[i] % 2;
        y[i] = b as i64;
    }
    compared(x: u8, y: i64) |i| {
        let q = 3;
        if i != q {
            y[i] = (q << 31) as i64 + x[i] as i64;
        }
    }
    either(x: u8, y: i64) |i| {
        let q = 3;
        if i > q && x[i] > 10 || i == q {
            y[i] = ((q << 62 << 1) >> 63) as i64;
        }
    }
    written(x: u8, y: i64) |i| {
        let mut s = 0;
        if i == 0 {
            s = x[i];
        }
        y[i] = (!s) as i64;
    }
    floats(x: f32, y: f64) |i| {
        let mut s = 0.1;
        if i == 0 {
            s = x[i];
        }
        y[i] = (s / 3.0) as f64;
    }
    limited(x: u8, y: i64) |i| {
        let n = x.len();
        let most = 298;
        y[i] = ((i + 1).min(n - 1) << 1) as i64 + (most << 31) as i64 + i.min(most).max(2) as i64;
    }
    jumps(x: i32, y: i32) |i| {
        let v = if i > 0 { x[i - 1] } else { continue };
        y[i] = v + 3;
    }
    jumps_most(x: i32, y: i32) |i| {
        let v = if i > 290 { continue } else { x[i] };
        y[i] = v.wrapping_mul(3);
    }
    found(x: i32, y: i32) |i| {
        let v = 'b: {
            if i == 0 {
                break 'b 250_u8;
            }
            200
        };
        y[i] = (v + 10) as i32 + x[i];
    }
    looped(x: u8, y: i64) |i| {
        let mut s = 200;
        for k in 0..x[i] % 40 + 17 {
            if i == 0 {
                s = k;
            }
            s += if i + 1 < x.len() { 50 } else { x[i] };
        }
        let t = if i > 3 {
            let mut t = 100;
            for _ in 0..20 {
                t += 50;
            }
            t
        } else {
            7_u8
        };
        y[i] = s as i64 + t as i64;
    }
    wrapped(x: u8, y: i64) |i| {
        let k: u8 = 250;
        let o = if k + 10 < 20 { 100 } else { 0 };
        y[i] = if i + o < 300 { i as i64 } else { seen(&k) };
        if i + 200 < x.len() && k + 10 < 20 {
            y[i] += x[i + o] as i64;
        }
    }
}

/// A first failure in the text, in most of the row, and a second one at its rim.
#[kernel]
fn twice(x: &Field<i64>, y: &mut Field<i64>) {
    for i in y.indices() {
        let before = if i == 0 { 7 } else { x[i - 1] };
        assert!(before != 49, "the first");
        let by = x[(before - 7) as usize % 300 + (i == 0) as usize * 300];
        y[i] = 100 / (by - 8);
    }
}

#[test]
fn failures_keep_their_order() {
    versions(|name| {
        let (x, mut y) = (field(300, |i| i as i64 + 9), field(300, |_| 0));
        let error = twice(&x, &mut y).unwrap_err().to_string();
        assert!(error.contains("the first"), "{name}: {error}");
    });
}

/// Only the rim does other things with a field than to add to it.
#[kernel]
fn counted(x: &Field<i32>, h: &mut Field<i32>) {
    for i in x.indices() {
        if i == 0 {
            h[3].atomic_max(1_000_000);
        } else {
            h[(x[i] & 7) as usize].atomic_add(x[i - 1]);
        }
    }
}

#[test]
fn rims_that_do_other_things() {
    versions(|name| {
        let (x, mut h) = (field(300, |i| 5 * i as i32), field(8, |_| 2_000_000));
        counted(&x, &mut h).unwrap();
        let mut expected = [2_000_000; 8];
        (1..300).for_each(|i| expected[(5 * i) & 7] += 5 * (i as i32 - 1));
        assert_eq!(values(&h), expected, "{name}");
    });
}

/// What a remainder is of is chosen by numbers of another type.
#[kernel]
fn other_choices(x: &Field<i32>, y: &mut Field<i32>, n: u32) {
    let len = x.len();
    for i in 0..n {
        let by = if len > 10 { 1 } else { 2 };
        y[i as usize].atomic_add(x[((i + by) % n) as usize]);
    }
}

/// Each variable stands for two of the one before.
#[kernel]
fn chain(x: &Field<i32>, y: &mut Field<i32>) {
    let n = x.len();
    for i in y.indices() {
        let a = if i + 1 == n { 0 } else { i + 1 };
        let b = if a + 1 == n { 0 } else { a + 1 };
        let c = if b + 1 == n { 0 } else { b + 1 };
        let d = if c + 1 == n { 0 } else { c + 1 };
        let e = if d + 1 == n { 0 } else { d + 1 };
        let f = if e + 1 == n { 0 } else { e + 1 };
        let g = if f + 1 == n { 0 } else { f + 1 };
        let h = if g + 1 == n { 0 } else { g + 1 };
        let j = if h + 1 == n { 0 } else { h + 1 };
        let k = if j + 1 == n { 0 } else { j + 1 };
        let l = if k + 1 == n { 0 } else { k + 1 };
        let m = if l + 1 == n { 0 } else { l + 1 };
        let o = m + m;
        let p = o + o;
        let q = p + p;
        let r = q + q;
        let s = r + r;
        y[i] = x[m] + x[(s - 31 * m + i) % n];
    }
}

#[test]
fn choices_of_other_types_and_long_chains() {
    versions(|name| {
        let (x, mut y) = (field(300, |i| 5 * i as i32), field(300, |_| 0));
        other_choices(&x, &mut y, 300).unwrap();
        same(name, &values(&y), |i| 5 * ((i as i32 + 1) % 300));
        chain(&x, &mut y).unwrap();
        same(name, &values(&y), |i| {
            5 * (((i + 12) % 300 + ((i + 12) % 300 + i) % 300) as i32)
        });
    });
}

/// A choice by a number whose type only the branch tells that is not taken.
#[kernel]
fn narrow_choices(x: &Field<i32>, y: &mut Field<i32>, n: usize, m: usize, by: u8) {
    for i in y.indices() {
        let c = if n < m { 200 } else { by };
        y[i] = x[if c + 100 < 200 { i + 100_000_000 } else { i }];
    }
}

#[test]
fn types_of_branches_that_are_not_taken() {
    versions(|name| {
        let (x, mut y) = (field(300, |i| i as i32), field(300, |_| 0));
        let error = narrow_choices(&x, &mut y, 3, 5, 7).unwrap_err().to_string();
        assert!(error.contains("[100000000]"), "{name}: {error}");
        narrow_choices(&x, &mut y, 5, 3, 150).unwrap();
        same(name, &values(&y), |i| i as i32);
    });
}

/// Each condition stands for two of the one before, and numbers that no product has room for.
#[kernel]
fn conditions(x: &Field<i32>, y: &mut Field<i32>) {
    let n = x.len();
    for i in y.indices() {
        let a = i < n && i + 1 < n;
        let b = a && a;
        let c = b && b;
        let d = c && c;
        let e = d && d;
        let f = e && e;
        let g = f && f;
        let h = g && g;
        let j = h && h;
        let k = j && j;
        let l = k && k;
        let m = l && l;
        let o = m && m;
        let p = o && o;
        let q = p && p;
        let r = q && q;
        if r {
            y[i] = x[i + 1];
        }
        if i > n && i * 9_223_372_036_854_775_807 < n - i * 9_223_372_036_854_775_807 {
            y[i] = x[9_223_372_036_854_775_807 + 9_223_372_036_854_775_807 + i];
        }
    }
}

#[test]
fn long_conditions_and_numbers_without_room() {
    versions(|name| {
        let (x, mut y) = (field(300, |i| i as i32), field(300, |_| -1));
        conditions(&x, &mut y).unwrap();
        same(name, &values(&y), |i| if i < 299 { i as i32 + 1 } else { -1 });
    });
}

/// The limit that positions in products have, written by the user.
#[kernel]
fn limits(x: &Field<i32>, y: &mut Field<i32>, a: usize) {
    for i in y.indices() {
        y[i] = x[(a + a + i) - ::core::primitive::usize::min(a + a, 4_503_599_627_370_496)];
    }
}

/// The same between two indices in bounds.
#[kernel]
fn limits_between(x: &Field<i32>, y: &mut Field<i32>, a: usize) {
    for i in y.indices() {
        y[i] = x[::core::primitive::usize::min(a + 10 * (i as usize), 4_503_599_627_370_496) - a - 5 * (i as usize)];
    }
}

/// Positions in products past their limit: the index grows up to it, and falls behind.
#[kernel]
fn turns(x: &mut Field<i32>, first: usize, a: usize) {
    for i in first..first + 256 {
        x[5 * i - i - i - a].atomic_add(1);
    }
}

#[test]
fn limits_of_the_users() {
    versions(|name| {
        let (x, mut y) = (field(60, |i| i as i32), field(60, |_| 0));
        assert!(limits(&x, &mut y, 1 << 52).is_err(), "{name}");
        limits(&x, &mut y, 1 << 40).unwrap();
        same(name, &values(&y), |i| i as i32);
        let (x, mut y) = (field(20, |i| i as i32), field(256, |_| 0));
        let error = limits_between(&x, &mut y, (1 << 52) - 1280).unwrap_err().to_string();
        assert!(error.contains("[20]") && error.contains("248 more"), "{name}: {error}");
        // 3 * i, and behind the limit 5 * limit - 2 * i: the first and the last of a block are in bounds, and what is between is not.
        let (limit, mut x) = (1_usize << 52, field(300, |_| 0));
        let error = turns(&mut x, limit - 102, 3 * (limit - 102) - 10)
            .unwrap_err()
            .to_string();
        assert!(error.contains("[300]"), "{name}: {error}");
    });
}

/// A number with a remainder, a minimum and a difference of its own.
#[derive(Clone, Copy, Element)]
struct Own {
    by: i32,
}

#[func]
impl Own {
    fn saturating_sub(self, i: usize) -> i32 {
        self.by - 2 * i as i32
    }

    fn min(self, n: usize) -> i32 {
        self.by * n as i32
    }
}

#[func]
impl std::ops::Rem<usize> for Own {
    type Output = i32;
    fn rem(self, n: usize) -> i32 {
        self.by + n as i32
    }
}

#[kernel]
fn own_operations(x: &Field<i32>, y: &mut Field<i32>, own: Own) {
    let n = x.len();
    for i in y.indices() {
        y[i] = if i > 0 { x[i - 1] } else { 0 };
        y[i] += own.saturating_sub(i) + own.min(i) + own % n;
    }
}

#[test]
fn operations_of_the_users() {
    versions(|name| {
        let (x, mut y) = (field(100, |i| 3 * i as i32), field(100, |_| 0));
        own_operations(&x, &mut y, Own { by: 7 }).unwrap();
        same(name, &values(&y), |i| {
            let i = i as i32;
            (3 * (i - 1)).max(0) + (7 - 2 * i) + 7 * i + 107
        });
    });
}

/// A failure of the kernel's own in what the inside leaves out, and a division and an access there, beside stores that stream.
#[kernel]
fn refusing(x: &Field<i32>, y: &mut Field<i32>, z: &mut Field<i32>, by: i32) {
    for i in y.indices() {
        assert!(i != 70, "not {i}");
        y[i] = x[i] * 2;
    }
    for i in z.indices() {
        if i == 0 {
            z[i] = x[100 + i] / by;
            panic!("the first");
        }
        z[i] = x[i - 1] * 3;
    }
}

#[test]
fn failures_that_the_inside_leaves_out() {
    versions(|name| {
        for n in [1, 30, 70, 71, 300] {
            let x = field(400, |i| i as i32 + 1);
            let (mut y, mut z) = (field(n, |_| -1), field(n, |_| -1));
            let error = refusing(&x, &mut y, &mut z, 7).unwrap_err();
            let text = if n > 70 { "not 70" } else { "the first" };
            assert!(error.to_string().contains(text), "{name}: {error}");
            same(name, &values(&y), |i| if i == 70 { -1 } else { 2 * (i as i32 + 1) });
            same(name, &values(&z), |i| if i == 0 { 101 / 7 } else { 3 * i as i32 });
        }
    });
}

/// Neighbours in numbers of other types than that of an index: with a sign, short, without room for all positions.
#[kernel]
fn signed_neighbours(u: &Field<i64>, v: &mut Field<i64>, m: i32, short: i16) {
    let n = u.len() as i32;
    for i in v.indices() {
        let k = i as i32;
        let left = (k - 1).clamp(0, n - 1) as usize;
        let right = (k + 1).min(n - 1) as usize;
        let below = (k - m).max(0) as usize;
        let around = u[(k - 1).rem_euclid(n) as usize] - 5 * u[((k + 1) % n) as usize];
        let mirrored = u[(i as isize - 3).abs() as usize % u.len()];
        let mut beside = 0;
        if k - 2 >= 0 && k + 2 < n {
            beside = u[(k - 2) as usize] * u[(k + 2) as usize];
        }
        let narrow = i as i16;
        if narrow >= short && narrow < short + 100 && narrow >= 0 {
            beside += u[narrow as usize % u.len()] + narrow as i64;
        }
        let byte = i as u8 as usize;
        if byte + 1 < u.len() {
            beside -= u[byte + 1];
        }
        for d in -1..=1_i32 {
            let at = k + d;
            if at >= 0 && at < n {
                beside += d as i64 * u[at as usize];
            }
        }
        v[i] = u[left] + 3 * u[right] - 7 * u[below] + 11 * around + 13 * mirrored + 17 * beside;
    }
}

fn signed_neighbours_of(u: &[i64], m: i32, short: i16) -> Vec<i64> {
    let n = u.len() as i64;
    let at = |k: i64| u[k as usize];
    let one = |i: usize| {
        let k = i as i64;
        let below = at((k as i32).wrapping_sub(m).max(0) as i64);
        let around = at((k - 1).rem_euclid(n)) - 5 * at((k + 1) % n);
        let mirrored = at((k - 3).abs() % n);
        let mut beside = if k >= 2 && k + 2 < n { at(k - 2) * at(k + 2) } else { 0 };
        let narrow = i as i16;
        if narrow >= short && narrow < short.wrapping_add(100) && narrow >= 0 {
            beside += at(narrow as i64 % n) + narrow as i64;
        }
        let byte = i as u8 as i64;
        if byte + 1 < n {
            beside -= at(byte + 1);
        }
        for d in [-1, 0, 1] {
            if (0..n).contains(&(k + d)) {
                beside += d * at(k + d);
            }
        }
        at((k - 1).clamp(0, n - 1)) + 3 * at((k + 1).min(n - 1)) - 7 * below + 11 * around + 13 * mirrored + 17 * beside
    };
    (0..u.len()).map(one).collect()
}

/// Literals that are cast have the type that other lines tell, and wrap in it.
#[kernel]
fn cast_literals(u: &Field<i64>, v: &mut Field<i64>, bytes: &mut Field<u8>) {
    for i in v.indices() {
        let a = 200;
        for b in 54..=56 {
            bytes[i] = a + b;
            v[i] += u[i + (a + b) as usize] * u[(b - 54) as usize];
        }
        if (a + 100) as usize > i {
            v[i] += 1000;
        }
    }
}

#[test]
fn literals_that_are_cast() {
    versions(|name| {
        for n in [1, 3, 64, 300] {
            let (u, mut v) = (field(n + 255, |i| i as i64 + 1), field(n, |_| 0));
            let mut bytes = field(n, |_| 0);
            cast_literals(&u, &mut v, &mut bytes).unwrap();
            same(name, &values(&bytes), |_| 0);
            same(name, &values(&v), |i| {
                let sums = (i as i64 + 255) + (i as i64 + 256) * 2 + (i as i64 + 1) * 3;
                sums + if 44 > i { 1000 } else { 0 }
            });
        }
    });
}

#[test]
fn neighbours_in_signed_numbers() {
    let plan = signed_neighbours::plan();
    let split =
        |t: &Technique| matches!(t, Technique::Split { comparisons, accesses } if *comparisons >= 9 && *accesses >= 8);
    assert!(plan.loops()[0].techniques.iter().any(split), "{plan}");
    let number = |i: usize| (i as i64 * 37) % 101 - 40;
    versions(|name| {
        // Positions beyond the types of 8 and 16 bits.
        for n in [1, 3, 25, 64, 300, 1000, 33_000, 70_000] {
            for (m, short) in [(1, 0), (5, 20), (7, -50), (0, i16::MAX - 200), (40, 32_760)] {
                let u = field(n, number);
                let mut v = field(n, |_| 0);
                signed_neighbours(&u, &mut v, m, short).unwrap();
                let expected = signed_neighbours_of(&values(&u), m, short);
                same(&format!("{name}: {n}, {m}, {short}"), &values(&v), |i| expected[i]);
            }
        }
    });
}
