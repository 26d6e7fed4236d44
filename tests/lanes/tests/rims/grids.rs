//! Grids and lines: two and three axes, ranges, reductions beside stores.

use swathe::{Technique, prelude::*};
use swathe_tests_lanes::{field, same, values, versions};

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

/// A guard around a loop whose positions do not follow one another: it is compared with extents in front of the loop.
#[kernel]
fn guarded_steps(x: &Field<i64>, y: &mut Field<i64>, n: usize) {
    for i in (0..n).step_by(2) {
        if i < x.len() {
            y[i] = 3 * x[i];
        }
    }
}

#[test]
fn guards_of_loops_that_are_not_split() {
    let plan = guarded_steps::plan();
    let compared = |t: &Technique| matches!(t, Technique::Versioned { .. });
    assert!(plan.loops()[0].techniques.iter().any(compared), "{plan}");
    versions(|name| {
        for n in [0, 1, 64, 300] {
            for len in [n, n / 2 + 1] {
                let (x, mut y) = (field(len, |i| i as i64 + 1), field(n, |_| -1));
                guarded_steps(&x, &mut y, n).unwrap();
                same(name, &values(&y), |i| match i % 2 == 0 && i < len {
                    true => 3 * (i as i64 + 1),
                    false => -1,
                });
            }
        }
    });
}

/// The positions by one name, and those that an array holds.
#[kernel]
fn by_one_name(u: &Field<i64, 2>, v: &mut Field<i64, 2>) {
    let [h, w] = u.shape();
    for p in v.indices() {
        let [i, j] = p;
        let up = [if i == 0 { h - 1 } else { i - 1 }, j];
        v[p] = u[up] + 3 * u[[(i + 1) % h, j]] - 7 * u[[i, p[1].max(1) - 1]] + 11 * u[[i, (j + 1).min(w - 1)]];
    }
}

#[kernel]
fn by_two_names(u: &Field<i64, 2>, v: &mut Field<i64, 2>) {
    let [h, w] = u.shape();
    for [i, j] in v.indices() {
        let up = if i == 0 { h - 1 } else { i - 1 };
        v[[i, j]] = u[[up, j]] + 3 * u[[(i + 1) % h, j]] - 7 * u[[i, j.max(1) - 1]] + 11 * u[[i, (j + 1).min(w - 1)]];
    }
}

type Plane = Field<i64, 2>;

/// The pattern tells how many axes there are.
#[kernel]
fn by_pattern(u: &Plane, v: &mut Plane) {
    let w = u.shape()[1];
    for p in v.indices() {
        let [i, j] = p;
        v[p] = u[p] + u[[i, (j + 1).min(w - 1)]];
    }
}

#[test]
fn positions_by_one_name_are_split_like_two() {
    let techniques = |plan: swathe::Plan| plan.loops()[0].techniques;
    assert_eq!(techniques(by_one_name::plan()), techniques(by_two_names::plan()));
    for (plan, of) in [(by_one_name::plan(), 3), (by_pattern::plan(), 1)] {
        let split = |t: &Technique| matches!(t, Technique::Split { accesses, .. } if *accesses == of);
        assert!(techniques(plan).iter().any(split), "{plan}");
    }
    versions(|name| {
        for shape in [[1, 1], [3, 2], [2, 30], [5, 64], [40, 101]] {
            let device = &Device::cpu();
            let number = |[i, j]: [usize; 2]| (i * 37 + j * 101) as i64 % 61 - 20;
            let u = Field::from_fn(device, shape, number).unwrap();
            let mut one = Field::full(device, shape, 7_i64).unwrap();
            let mut two = Field::full(device, shape, 9_i64).unwrap();
            by_one_name(&u, &mut one).unwrap();
            by_two_names(&u, &mut two).unwrap();
            let [h, w] = shape;
            same(name, &values(&one), |k| {
                let (i, j) = (k / w, k % w);
                number([(i + h - 1) % h, j]) + 3 * number([(i + 1) % h, j]) - 7 * number([i, j.max(1) - 1])
                    + 11 * number([i, (j + 1).min(w - 1)])
            });
            assert_eq!(values(&one), values(&two), "{name}");
            by_pattern(&u, &mut one).unwrap();
            same(name, &values(&one), |k| {
                number([k / w, k % w]) + number([k / w, (k % w + 1).min(w - 1)])
            });
        }
    });
}

/// Parts of a grid: by ranges, and from a start on.
#[kernel]
fn inner_part(u: &Field<i64, 2>, v: &mut Field<i64, 2>, top: usize) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([top..h - 1, 1..w - 1]) {
        v[[i, j]] = u[[i - 1, j]] - 3 * u[[i + 1, j]] + 5 * u[[i, j - 1]] - 7 * u[[i, j + 1]];
    }
    for i in 0..w - 2 {
        let k = w - 2 - i;
        v[[0, k]] += u[[0, k + 1]] + 2 * u[[h - 1, i]];
    }
}

#[test]
fn parts_of_a_grid() {
    let plan = inner_part::plan();
    for found in plan.loops() {
        let split = |t: &Technique| matches!(t, Technique::Split { .. });
        assert!(found.techniques.iter().any(split), "{plan}");
    }
    let cell = |i: usize, j: usize| (i * 37 + j * 101) as i64 % 61 - 20;
    versions(|name| {
        for [h, w] in [[2, 3], [3, 30], [5, 64], [40, 101], [7, 1000]] {
            let device = &Device::cpu();
            let u = Field::from_fn(device, [h, w], |[i, j]| cell(i, j)).unwrap();
            let mut v = Field::full(device, [h, w], 7_i64).unwrap();
            inner_part(&u, &mut v, 1).unwrap();
            for (k, got) in v.to_vec().unwrap().into_iter().enumerate() {
                let (i, j) = (k / w, k % w);
                let expected = match (i, j) {
                    _ if j == 0 || j + 1 == w => 7,
                    (0, _) => 7 + cell(0, j + 1) + 2 * cell(h - 1, w - 2 - j),
                    _ if i + 1 == h => 7,
                    _ => cell(i - 1, j) - 3 * cell(i + 1, j) + 5 * cell(i, j - 1) - 7 * cell(i, j + 1),
                };
                assert_eq!(got, expected, "{name}: {i}, {j}");
            }
        }
    });
}
