//! Checks that are made once before a loop.

use swathe::prelude::*;

#[kernel]
fn shadowed_extent(x: &Field<f32>, out: &mut Field<f32>, n: usize) {
    let m = n;
    let n = 1;
    for i in 0..m {
        out[i] += x[i] * n as f32;
    }
}

#[kernel]
fn shadowed_field(x: &Field<f32>, out: &mut Field<f32>) {
    let n = x.len();
    let x = 2.0;
    for i in 0..n {
        out[i] += x;
    }
}

#[test]
fn a_condition_survives_the_shadowing_of_its_names() {
    let device = Device::cpu();
    let x = Field::from_slice(&device, &[1.0_f32, 2.0]).unwrap();
    let mut out = Field::zeros(&device, 2).unwrap();
    let error = shadowed_extent(&x, &mut out, 4).unwrap_err();
    assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
    assert_eq!(out.to_vec().unwrap(), [1.0, 2.0]);
    shadowed_field(&x, &mut out).unwrap();
    assert_eq!(out.to_vec().unwrap(), [3.0, 4.0]);
}

#[kernel]
fn positions_as_a_whole(x: &mut Field<i32, 2>) {
    for p in x.indices() {
        let [i, j] = p;
        x[[i, j]] += 10 * i as i32 + j as i32;
    }
}

#[test]
fn parts_of_a_whole_position_are_its_own() {
    let mut x = Field::zeros(&Device::cpu(), [2, 3]).unwrap();
    positions_as_a_whole(&mut x).unwrap();
    assert_eq!(x.to_vec().unwrap(), [0, 1, 2, 10, 11, 12]);
}

/// The numbers of `near` are below the extent that `min` names; its last axis is anything.
#[kernel]
fn neighbours(x: &Field<i32>, table: &Field<i32, 3>, len: &Field<u32, 2>, out: &mut Field<i32>) {
    let [n, _] = len.shape();
    for p in x.indices() {
        let mut sum = 0;
        for a in p.max(1) - 1..(p + 2).min(n) {
            for b in 0..n.min(p + 3) {
                for k in 0..len[[a, b]] as usize {
                    let q = table[[a, b, k]] as usize;
                    sum += x[q] * out.len() as i32;
                }
            }
        }
        out[p] = sum;
    }
}

/// The sums, or where the first access is out of bounds.
fn near(
    x: &[i32],
    table: [usize; 3],
    len: [usize; 2],
    of: impl Fn([usize; 2]) -> u32,
    outs: usize,
) -> Vec<Option<i32>> {
    let one = |p: usize| {
        let mut sum = 0;
        for a in p.max(1) - 1..(p + 2).min(len[0]) {
            for b in 0..len[0].min(p + 3) {
                if b >= len[1] {
                    return None;
                }
                for k in 0..of([a, b]) as usize {
                    if a >= table[0] || b >= table[1] || k >= table[2] {
                        return None;
                    }
                    sum += x.get(entry(table, [a, b, k]) as usize)? * outs as i32;
                }
            }
        }
        (p < outs).then_some(sum)
    };
    (0..x.len()).map(one).collect()
}

fn entry(shape: [usize; 3], [a, b, k]: [usize; 3]) -> i32 {
    ((a * shape[1] + b) * shape[2] + k) as i32 % 5
}

#[test]
fn what_is_likely_below_an_extent_is_still_checked() {
    let device = Device::cpu();
    // All inside; a table with fewer rows, columns or entries; fewer lengths on the second axis; fewer results.
    let shapes = [
        ([4, 4, 2], [4, 4], 5),
        ([3, 4, 2], [4, 4], 5),
        ([4, 3, 2], [4, 4], 5),
        ([4, 4, 1], [4, 4], 5),
        ([4, 4, 2], [4, 3], 5),
        ([4, 4, 2], [4, 4], 3),
        ([1, 1, 2], [1, 1], 5),
    ];
    for (table_shape, len_shape, outs) in shapes {
        // As many values as there are different entries, and fewer.
        let values = [3, 1, 4, 1, 5];
        let cases = [5, 4, 1]
            .into_iter()
            .flat_map(|xs| [0, 1, 2].map(|longest| (&values[..xs], longest)));
        for (values, longest) in cases {
            let of = |[a, b]: [usize; 2]| ((a + 2 * b) as u32 % 3).min(longest);
            let x = Field::from_slice(&device, values).unwrap();
            let mut table = Field::zeros(&device, table_shape).unwrap();
            table
                .copy_from_ndarray(&ndarray::Array3::from_shape_fn(table_shape, |(a, b, k)| {
                    // What is not used may be anything.
                    match k < of([a, b]) as usize || longest == 2 {
                        true => entry(table_shape, [a, b, k]),
                        false => -1,
                    }
                }))
                .unwrap();
            let mut len = Field::zeros(&device, len_shape).unwrap();
            len.copy_from_ndarray(&ndarray::Array2::from_shape_fn(len_shape, |(a, b)| of([a, b])))
                .unwrap();
            let mut out = Field::from_slice(&device, &vec![-1; outs]).unwrap();
            let expected = near(values, table_shape, len_shape, of, outs);
            let result = neighbours(&x, &table, &len, &mut out);
            let what = format!("{table_shape:?} {len_shape:?} {outs} {values:?} {longest}");
            assert_eq!(
                result.is_ok(),
                expected.iter().all(Option::is_some),
                "{what}: {result:?}"
            );
            assert!(
                result.is_ok() || matches!(result, Err(Error::OutOfBounds { .. })),
                "{what}: {result:?}"
            );
            let mut expected: Vec<i32> = expected.iter().take(outs).map(|sum| sum.unwrap_or(-1)).collect();
            expected.resize(outs, -1);
            assert_eq!(out.to_vec().unwrap(), expected, "{what}");
        }
    }
}
