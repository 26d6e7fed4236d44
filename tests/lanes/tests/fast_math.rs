//! `#[kernel(fast_math)]`: quotients by square roots of `f32` are within their bounds, all else is what it is without.

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, number, values, versions};

#[derive(Clone, Copy, Element, Debug, PartialEq)]
struct Tree {
    height: i32,
}

#[func]
impl Tree {
    fn sqrt(self) -> i32 {
        self.height
    }
}

macro_rules! kernels {
    ($($mode:tt)*) => {
        #[kernel $($mode)*]
        pub fn quotients(x: &Field<f32>, a: &Field<f32>, out: &mut Field<[f32; 8]>) {
            for i in out.indices() {
                let r = x[i];
                let b = a[i];
                out[i] = [
                    1.0 / r.sqrt(),
                    b / x[i].sqrt(),
                    b / (r * r.sqrt()),
                    a[i] / (r.sqrt() * r),
                    b / (b * r.sqrt()),
                    2.0 / ((r + 1.0).sqrt() * a[i]),
                    b * (1.0 / (r + b * b).sqrt()) - b / r,
                    r.sqrt(),
                ];
            }
        }

        #[kernel $($mode)*]
        pub fn vectors(v: &Field<Vec3>, out: &mut Field<Vec3>) {
            for i in out.indices() {
                out[i] = v[i].normalized();
            }
        }

        /// In lanes.
        #[kernel $($mode)*]
        pub fn pull(pos: &Field<Vec3>, mass: &Field<f32>, acc: &mut Field<Vec3>) {
            for i in acc.indices() {
                let mut a = Vec3::ZERO;
                for j in 0..pos.len() {
                    let d = pos[j] - pos[i];
                    let r2 = d.dot(d) + 1e-3;
                    a += d * (mass[j] / (r2 * r2.sqrt()));
                    a.x += mass[i] / r2.sqrt();
                }
                acc[i] = a;
            }
        }

        /// None of these is of `f32`.
        #[kernel $($mode)*]
        pub fn others(x: &Field<f64>, v: &Field<DVec2>, t: &Field<Tree>, out: &mut Field<f64>, n: &mut Field<i32>) {
            for i in out.indices() {
                let r = x[i];
                out[i] = 1.0 / r.sqrt();
                out[i] += 3.0 / (r * r.sqrt());
                out[i] += v[i].normalized().y;
                n[i] = 1000 / t[i].sqrt() + 70 / (t[i].sqrt() * 2);
            }
        }

        #[kernel $($mode)*]
        pub fn generic<T: Float>(x: &Field<T>, out: &mut Field<T>) {
            for i in out.indices() {
                let r = x[i];
                out[i] = T::ONE / (r * r.sqrt());
            }
        }
    };
}

mod fast {
    use super::*;
    kernels! { (fast_math) }
}

mod loose {
    use super::*;
    kernels! {}
}

/// Whether roots are approximated.
fn pays(version: &str) -> bool {
    version.starts_with("avx512")
}

fn radicand(i: usize) -> f32 {
    (number(i) + 0.01) * [1e-6, 1.0, 700.0, 1e9][i % 4]
}

fn vector(i: usize) -> Vec3 {
    Vec3::new(number(i + 7) - 0.5, -number(2 * i), 1.0 + number(5 * i))
}

/// Whether two numbers are within `ulp` units of the last place.
fn near(a: f32, b: f32, ulp: f32) -> bool {
    a == b || (a - b).abs() <= ulp * f32::EPSILON * b.abs()
}

#[test]
fn quotients_are_near() {
    for n in SIZES {
        versions(|version| {
            let (x, a) = (field(n, radicand), field(n, |i| number(i + 3) - 0.4));
            let (mut got, mut want) = (field(n, |_| [9.0; 8]), field(n, |_| [9.0; 8]));
            fast::quotients(&x, &a, &mut got).unwrap();
            loose::quotients(&x, &a, &mut want).unwrap();
            let (got, want) = (values(&got), values(&want));
            for (i, (got, want)) in got.iter().zip(&want).enumerate() {
                for k in 0..6 {
                    assert!(near(got[k], want[k], 5.0), "{version} {i} {k}: {} {}", got[k], want[k]);
                }
                assert_eq!(got[7], want[7], "{version} {i}");
            }
            // What it is all for: none of them is computed as without.
            for k in (0..7).filter(|_| n >= 31) {
                let differ = got.iter().zip(&want).any(|(got, want)| got[k] != want[k]);
                assert_eq!(differ, pays(version), "{n} {k} {version}");
            }

            let v = field(n, vector);
            let (mut got, mut want) = (field(n, |_| Vec3::ONE), field(n, |_| Vec3::ONE));
            fast::vectors(&v, &mut got).unwrap();
            loose::vectors(&v, &mut want).unwrap();
            for (got, want) in values(&got).iter().zip(values(&want)) {
                assert!(
                    (0..3).all(|k| near(got[k], want[k], 4.0)),
                    "{version}: {got:?} {want:?}"
                );
            }
        });
    }
}

#[test]
fn in_lanes() {
    for n in SIZES {
        versions(|version| {
            let (pos, mass) = (field(n, vector), field(n, |i| number(i + 11) + 0.5));
            let (mut got, mut want) = (field(n, |_| Vec3::ONE), field(n, |_| Vec3::ONE));
            fast::pull(&pos, &mass, &mut got).unwrap();
            loose::pull(&pos, &mass, &mut want).unwrap();
            for (got, want) in values(&got).iter().zip(values(&want)) {
                assert!(
                    (*got - want).norm() <= 2e-5 * (1.0 + want.norm()),
                    "{version}: {got:?} {want:?}"
                );
            }
        });
    }
}

#[test]
fn special_numbers_come_out_as_such() {
    versions(|version| {
        let numbers = [0.0, f32::INFINITY, f32::NAN, -1.0, 4.0];
        let n = 20;
        let (x, a) = (field(n, |i| numbers[i % 5]), field(n, |_| 3.0));
        let mut out = field(n, |_| [9.0; 8]);
        fast::quotients(&x, &a, &mut out).unwrap();
        for (i, got) in values(&out).iter().enumerate() {
            for (k, y) in got.iter().enumerate().take(5) {
                match i % 5 {
                    0 => assert_eq!(*y, f32::INFINITY, "{version} {k}"),
                    1 => assert_eq!(*y, 0.0, "{version} {k}"),
                    2 | 3 => assert!(y.is_nan(), "{version} {k}: {y}"),
                    _ => assert!(near(*y, [0.5, 1.5, 0.375, 0.375, 0.5][k], 3.0), "{version} {k}: {y}"),
                }
            }
        }
    });
}

#[test]
fn other_types_keep_their_operations() {
    for n in SIZES {
        versions(|version| {
            let x = field(n, |i| f64::from(radicand(i)));
            let v = field(n, |i| DVec2::new(f64::from(number(i)), 1.0));
            let t = field(n, |i| Tree {
                height: i as i32 % 7 + 1,
            });
            let (mut got, mut want) = (field(n, |_| 9.0), field(n, |_| 9.0));
            let (mut n_got, mut n_want) = (field(n, |_| 9), field(n, |_| 9));
            fast::others(&x, &v, &t, &mut got, &mut n_got).unwrap();
            loose::others(&x, &v, &t, &mut want, &mut n_want).unwrap();
            assert_eq!(values(&got), values(&want), "{version}");
            assert_eq!(values(&n_got), values(&n_want), "{version}");
            for (i, n) in values(&n_got).iter().enumerate() {
                let height = i as i32 % 7 + 1;
                assert_eq!(*n, 1000 / height + 70 / (height * 2));
            }
            fast::generic(&x, &mut got).unwrap();
            loose::generic(&x, &mut want).unwrap();
            assert_eq!(values(&got), values(&want), "{version}");
        });
    }
}

#[test]
fn integers_without_a_quotient_fail() {
    versions(|version| {
        let (x, v) = (field(3, |_| 1.0), field(3, |_| DVec2::ONE));
        let t = field(3, |i| Tree { height: 1 - i as i32 });
        let (mut out, mut n) = (field(3, |_| 0.0), field(3, |_| 0));
        let error = fast::others(&x, &v, &t, &mut out, &mut n).unwrap_err();
        assert!(error.to_string().contains("zero"), "{version}: {error}");
    });
}

#[func]
fn rounds(x: f32) -> f32 {
    let mut s = x;
    for k in 0..3 {
        s = s * 0.75 + k as f32;
    }
    s
}

#[kernel(fast_math)]
fn beside_calls(x: &Field<f32>, out: &mut Field<[f32; 3]>) {
    for i in out.indices() {
        let mut m = x[i];
        m += 1.0;
        let v = x[i] + 1.0;
        out[i] = [
            v.abs() / (v.sqrt() * rounds(v)),
            m.abs() / (m.sqrt() * rounds(m)),
            rounds(v) / v.sqrt(),
        ];
    }
}

#[test]
fn quotients_beside_calls() {
    for n in SIZES {
        versions(|version| {
            let mut out = field(n, |_| [9.0; 3]);
            beside_calls(&field(n, number), &mut out).unwrap();
            for (i, got) in values(&out).into_iter().enumerate() {
                let v = number(i) + 1.0;
                let expected = [
                    v / (v.sqrt() * rounds(v)),
                    v / (v.sqrt() * rounds(v)),
                    rounds(v) / v.sqrt(),
                ];
                for (got, expected) in got.into_iter().zip(expected) {
                    assert!(
                        (got - expected).abs() <= 1e-6 * expected,
                        "{i} of {n}, {version}: {got}, {expected}"
                    );
                }
            }
        });
    }
}
