//! Bodies without loops on elements of many scalars: the same bits from every version, in both layouts and in parts of fields.

use swathe::Soa;
use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, number, values, versions};

#[kernel]
fn products(a: &Field<Mat3>, c: &mut Field<Mat3>, det: &mut Field<f32>) {
    for i in a.indices() {
        c[i] = a[i] * a[i].transpose();
        det[i] = a[i].determinant();
    }
}

fn matrix(i: usize) -> Mat3 {
    let entry = |r: usize, c: usize| number(9 * i + 3 * r + c) - 0.5;
    Mat3::from_array([0, 1, 2].map(|r| [0, 1, 2].map(|c| entry(r, c))))
}

/// The same in `f64`.
fn expected(i: usize) -> ([[f64; 3]; 3], f64) {
    let a = matrix(i).to_array().map(|row| row.map(f64::from));
    let product = [0, 1, 2].map(|r| [0, 1, 2].map(|c| (0..3).map(|k| a[r][k] * a[c][k]).sum()));
    let cofactor = |c: usize| a[1][(c + 1) % 3] * a[2][(c + 2) % 3] - a[1][(c + 2) % 3] * a[2][(c + 1) % 3];
    (product, (0..3).map(|c| a[0][c] * cofactor(c)).sum())
}

fn check(name: &str, n: usize, c: &[Mat3], det: &[f32]) {
    assert_eq!((c.len(), det.len()), (n, n), "{name}");
    for i in 0..n {
        let (product, determinant) = expected(i);
        let got = c[i].to_array();
        for (r, k) in (0..9).map(|k| (k / 3, k % 3)) {
            assert!(
                (f64::from(got[r][k]) - product[r][k]).abs() < 1e-6,
                "{name}: {i} of {n}"
            );
        }
        assert!((f64::from(det[i]) - determinant).abs() < 1e-6, "{name}: {i} of {n}");
    }
}

#[test]
fn every_version_and_layout_agrees() {
    let mut first = Vec::new();
    versions(|name| {
        let mut all = Vec::new();
        for n in SIZES.into_iter().chain([20_011]) {
            let device = Device::cpu();
            let a = field(n, matrix);
            let (mut c, mut det) = (field(n, |_| Mat3::ZERO), field(n, |_| 0.0));
            products(&a, &mut c, &mut det).unwrap();
            check(name, n, &values(&c), &values(&det));

            let planes = a.with_layout(Soa).unwrap();
            let (mut apart, mut det_apart) = (Field::zeros_in(&device, n, Soa).unwrap(), field(n, |_| 0.0));
            products(&planes, &mut apart, &mut det_apart).unwrap();
            assert_eq!(apart.to_vec().unwrap(), values(&c), "{name}");

            // Parts that begin off a cache line.
            if n > 2 {
                let (mut part, mut det) = (field(n, |_| Mat3::ZERO), field(n, |_| 0.0));
                let (_, mut behind) = part.split_at_mut(0, 1).unwrap();
                let (_, mut det_behind) = det.split_at_mut(0, 1).unwrap();
                products(&field(n - 1, matrix), &mut behind, &mut det_behind).unwrap();
                assert_eq!(values(&part)[0], Mat3::ZERO);
                check(name, n - 1, &values(&part)[1..], &values(&det)[1..]);
            }
            all.push((values(&c), values(&det)));
        }
        if first.is_empty() {
            first = all;
        } else {
            assert_eq!(first, all, "{name}");
        }
    });
}
