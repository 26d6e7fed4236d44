//! What fails: at the rims, in the inside, past the limits of positions.

use swathe::prelude::*;
use swathe_tests_lanes::{field, same, values, versions};

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

/// A position in the index of a field behind `&mut` is at most 2^52 where it is multiplied.
#[kernel]
fn far(y: &mut Field<u64>, from: usize, to: usize, out: &mut Field<u64>) {
    for i in from..to {
        out[i - from] = y[2 * i - 9_007_199_254_740_992 - 1000];
    }
}

#[test]
fn far_positions_are_limited_in_the_inside() {
    versions(|name| {
        let a = 1_usize << 52;
        let mut y = Field::full(&Device::cpu(), 5000, 5_u64).unwrap();
        let mut out = Field::full(&Device::cpu(), 3000, 1_u64).unwrap();
        // All indices wrap: of positions before 2^52 the products are less, of those beyond they are the one of 2^52.
        match far(&mut y, a - 1000, a + 2000, &mut out) {
            Err(Error::OutOfBounds { count, .. }) => assert_eq!(count, 3000, "{name}"),
            Err(Error::KernelPanic { .. }) if cfg!(debug_assertions) => {}
            other => panic!("{name}: {other:?}"),
        }
        assert!(out.to_vec().unwrap().iter().all(|v| *v == 1), "{name}");
    });
}

/// As many positions as a loop can have, of which the rows are cut by all but the sum.
#[kernel]
fn many(top: usize, n: usize) -> i64 {
    let mut count = 0;
    let stop = top - 4;
    for [_, j] in ndrange([1, top]) {
        if j >= n && j < stop && j + 5 <= top {
            count += 1;
        }
    }
    count
}

#[test]
fn rows_that_end_with_the_most_positions() {
    versions(|name| {
        let most = 1 << 56;
        for end in [most, most - 4, most - 5, most - 6, most / 2] {
            assert_eq!(many(end, end - 9).unwrap(), 5, "{name}, {end}");
        }
    });
}
