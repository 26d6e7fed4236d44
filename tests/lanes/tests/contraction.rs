//! Products and sums in one rounding, where the processor has that; never in strict kernels.

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, number, values, versions};

macro_rules! kernels {
    ($($strict:tt)*) => {
        /// A body without loops.
        #[kernel $($strict)*]
        pub fn straight(x: &Field<f32>, v: &Field<Vec3>, m: &Field<DMat2>, out: &mut Field<f32>, w: &mut Field<Vec3>, n: &mut Field<DMat2>) {
            for i in out.indices() {
                let a = x[i];
                let mut b = 0.1 + a * a;
                b -= a * 0.3;
                out[i] = a * 1.7 - b;
                out[i] += b * a;
                let c = 0.7 * v[i];
                w[i] = v[i] * a + c - b * v[i];
                w[i].y -= a * w[i].x;
                n[i] = m[i] * 0.1 + m[i] / 3.0;
            }
        }

        /// In lanes.
        #[kernel $($strict)*]
        pub fn in_lanes(x: &Field<f32>, out: &mut Field<f64>) {
            for i in out.indices() {
                let mut s = 0.0;
                let mut t = 1.0_f32;
                for k in 0..x.len() {
                    s += (x[i] * x[k]) as f64 * 0.1 - s * s;
                    t = t * x[k] + 0.1;
                    if t > 1.5 {
                        t -= 1.0;
                    }
                }
                out[i] = s + t as f64;
            }
        }

        /// Atomic sums of products, of floats and of integers.
        #[kernel $($strict)*]
        pub fn scattered(x: &Field<f32>, v: &Field<Vec3>, out: &mut Field<f32>, w: &mut Field<Vec3>, n: &mut Field<i32>) {
            for i in x.indices() {
                for k in 0..2 {
                    out[i].atomic_add(x[i] * x[i]);
                    out[i].atomic_sub(0.3 * x[i]);
                    w[i + k - k].atomic_add(x[i] * v[i]);
                    w[i].atomic_sub(v[i] * v[i]);
                    n[i].atomic_add(3 * (i * k) as i32);
                }
            }
        }

        #[kernel $($strict)*]
        pub fn inner(x: &Field<f32>) -> f32 {
            let mut s = 0.0;
            for i in x.indices() {
                s += x[i] * x[i];
            }
            s
        }
    };
}

mod loose {
    use super::*;
    kernels! {}
}

mod strict {
    use super::*;
    kernels! { (strict) }
}

type Straight = (Vec<f32>, Vec<Vec3>, Vec<DMat2>);

/// What `straight` has to give, with `f` and `g` for `a * b + c`.
fn expected(n: usize, f: fn(f32, f32, f32) -> f32, g: fn(f64, f64, f64) -> f64) -> Straight {
    let (mut out, mut w, mut matrices) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..n {
        let (a, v, m) = (number(i), vector(i), matrix(i));
        let mut b = f(a, a, 0.1);
        b = f(-a, 0.3, b);
        out.push(f(b, a, f(a, 1.7, -b)));
        let each = |k: usize| f(-b, v[k], f(v[k], a, 0.7 * v[k]));
        let mut at = Vec3::new(each(0), each(1), each(2));
        at.y = f(-a, at.x, at.y);
        w.push(at);
        matrices.push(DMat2::from_array(
            m.to_array().map(|row| row.map(|x| g(x, 0.1, x / 3.0))),
        ));
    }
    (out, w, matrices)
}

fn vector(i: usize) -> Vec3 {
    Vec3::new(number(i + 7), -number(2 * i), 1.0 + number(5 * i))
}

fn matrix(i: usize) -> DMat2 {
    let x = |k: usize| f64::from(number(4 * i + k)) / 3.0;
    DMat2::from_array([[x(0), x(1)], [x(2), x(3)]])
}

type Kernel = fn(
    &Field<f32>,
    &Field<Vec3>,
    &Field<DMat2>,
    &mut Field<f32>,
    &mut Field<Vec3>,
    &mut Field<DMat2>,
) -> swathe::Result<()>;

fn run(n: usize, kernel: Kernel) -> Straight {
    let (x, v, m) = (field(n, number), field(n, vector), field(n, matrix));
    let (mut out, mut w, mut p) = (
        field(n, |_| 9.0),
        field(n, |_| Vec3::ONE),
        field(n, |_| DMat2::IDENTITY),
    );
    kernel(&x, &v, &m, &mut out, &mut w, &mut p).unwrap();
    (values(&out), values(&w), values(&p))
}

fn fuses(version: &str) -> bool {
    cfg!(any(target_arch = "aarch64", target_feature = "fma")) || !version.starts_with("baseline")
}

#[test]
fn one_rounding_in_versions_that_have_it() {
    for n in SIZES {
        let plain = expected(n, |a, b, c| a * b + c, |a, b, c| a * b + c);
        let fused = expected(n, f32::mul_add, f64::mul_add);
        assert!(n < 3 || plain != fused);
        versions(|version| {
            let want = if fuses(version) { &fused } else { &plain };
            assert_eq!(&run(n, loose::straight), want, "{n}, {version}");
            assert_eq!(run(n, strict::straight), plain, "{n}, {version}, strict");
        });
    }
}

#[test]
fn lanes_contract_as_the_rest_does() {
    for n in SIZES {
        let numbers: Vec<f32> = (0..n).map(number).collect();
        let all = |f: fn(f32, f32, f32) -> f32, g: fn(f64, f64, f64) -> f64| -> Vec<f64> {
            let one = |x: &f32| {
                let (mut s, mut t) = (0.0, 1.0);
                for y in &numbers {
                    s += g(f64::from(x * y), 0.1, -(s * s));
                    t = f(t, *y, 0.1);
                    if t > 1.5 {
                        t -= 1.0;
                    }
                }
                s + f64::from(t)
            };
            numbers.iter().map(one).collect()
        };
        let (plain, fused) = (
            all(|a, b, c| a * b + c, |a, b, c| a * b + c),
            all(f32::mul_add, f64::mul_add),
        );
        versions(|version| {
            let x = field(n, number);
            let mut out = field(n, |_| -1.0);
            loose::in_lanes(&x, &mut out).unwrap();
            assert_eq!(
                &values(&out),
                if fuses(version) { &fused } else { &plain },
                "{n}, {version}"
            );
            strict::in_lanes(&x, &mut out).unwrap();
            assert_eq!(values(&out), plain, "{n}, {version}, strict");
        });
    }
}

#[test]
fn reductions_depend_on_contraction_and_nothing_else() {
    for n in SIZES.into_iter().chain([100_003]) {
        let x = field(n, number);
        let (mut bits, mut strict_bits) = ([None; 2], None);
        versions(|version| {
            let of = &mut bits[usize::from(fuses(version))];
            let value = loose::inner(&x).unwrap().to_bits();
            assert_eq!(*of.get_or_insert(value), value, "{n}, {version}");
            let value = strict::inner(&x).unwrap().to_bits();
            assert_eq!(*strict_bits.get_or_insert(value), value, "{n}, {version}, strict");
            assert_eq!(*strict_bits.as_ref().unwrap(), value);
        });
        if let (Some(plain), Some(strict)) = (bits[0], strict_bits) {
            assert_eq!(plain, strict, "{n}");
        }
    }
}

macro_rules! methods {
    ($($strict:tt)*) => {
        #[kernel $($strict)*]
        pub fn methods(v: &Field<Vec3>, d: &Field<DVec2>, k: &Field<Vector<i32, 3>>, t: &Field<Track>, out: &mut Field<[f32; 8]>, w: &mut Field<DVec2>) {
            for i in out.indices() {
                let a = v[i];
                let b = Vec3::new(0.3, a.y, 1.7);
                out[i] = [
                    a.dot(v[i] * 0.7),
                    a.length_squared(),
                    v[i].length(),
                    a.norm(),
                    a.distance(b),
                    (a + b).distance_squared(b),
                    k[i].dot(k[i]) as f32,
                    t[i].dot(a.x),
                ];
                w[i] = d[i].normalized() * d[i].dot(d[i]);
            }
        }
    };
}

#[derive(Clone, Copy, Element, Debug, PartialEq)]
struct Track {
    a: f32,
}

#[func]
impl Track {
    fn dot(self, x: f32) -> f32 {
        self.a - x
    }
}

mod loose_methods {
    use super::*;
    methods! {}
}

mod strict_methods {
    use super::*;
    methods! { (strict) }
}

#[test]
fn methods_of_vectors() {
    fn dot(f: fn(f32, f32, f32) -> f32, a: Vec3, b: Vec3) -> f32 {
        f(a.z, b.z, f(a.y, b.y, a.x * b.x))
    }
    let one = |i: usize, f: fn(f32, f32, f32) -> f32, g: fn(f64, f64, f64) -> f64| {
        let (a, x) = (vector(i), f64::from(number(i)) / 3.0);
        let b = Vec3::new(0.3, a.y, 1.7);
        let k = i as f32;
        let square = dot(f, a, a);
        let floats = [
            dot(f, a, a * 0.7),
            square,
            square.sqrt(),
            square.sqrt(),
            dot(f, a - b, a - b).sqrt(),
            dot(f, (a + b) - b, (a + b) - b),
            k * k + 25.0,
            k - a.x,
        ];
        let square = g(0.1, 0.1, x * x);
        (floats, DVec2::new(x, 0.1) / square.sqrt() * square)
    };
    for n in SIZES {
        versions(|version| {
            let (v, d) = (
                field(n, vector),
                field(n, |i| DVec2::new(f64::from(number(i)) / 3.0, 0.1)),
            );
            let k = field(n, |i| Vector::<i32, 3>::new(i as i32, 3, -4));
            let t = field(n, |i| Track { a: i as f32 });
            let (mut out, mut w) = (field(n, |_| [9.0; 8]), field(n, |_| DVec2::ONE));
            let check = |out: &Field<[f32; 8]>, w: &Field<DVec2>, fused: bool, name: &str| {
                for (i, (out, w)) in values(out).into_iter().zip(values(w)).enumerate() {
                    let want = match fused {
                        true => one(i, f32::mul_add, f64::mul_add),
                        false => one(i, |a, b, c| a * b + c, |a, b, c| a * b + c),
                    };
                    assert_eq!((out, w), want, "{i}, {version}, {name}");
                }
            };
            loose_methods::methods(&v, &d, &k, &t, &mut out, &mut w).unwrap();
            check(&out, &w, fuses(version), "loose");
            strict_methods::methods(&v, &d, &k, &t, &mut out, &mut w).unwrap();
            check(&out, &w, false, "strict");
        });
    }
}

#[test]
fn atomic_sums_of_one_thread() {
    type All = (Vec<f32>, Vec<Vec3>, Vec<i32>);
    let expected = |n: usize, f: fn(f32, f32, f32) -> f32| -> All {
        let one = |i: usize| {
            let (x, v) = (number(i), vector(i));
            let (mut out, mut w) = (9.0, Vec3::ONE);
            for _ in 0..2 {
                out = f(-0.3, x, f(x, x, out));
                let each = |k: usize| f(-v[k], v[k], f(x, v[k], w[k]));
                w = Vec3::new(each(0), each(1), each(2));
            }
            (out, w, 4 + 3 * i as i32)
        };
        let all: Vec<_> = (0..n).map(one).collect();
        (
            all.iter().map(|a| a.0).collect(),
            all.iter().map(|a| a.1).collect(),
            all.iter().map(|a| a.2).collect(),
        )
    };
    let near = |a: &All, b: &All| {
        let floats = |all: &All| -> Vec<f32> {
            let of_vectors = all.1.iter().flat_map(|v| v.to_array());
            all.0.iter().copied().chain(of_vectors).collect()
        };
        let mut pairs = floats(a).into_iter().zip(floats(b));
        a.2 == b.2 && pairs.all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs().max(1.0))
    };
    for n in SIZES {
        let (plain, fused) = (expected(n, |a, b, c| a * b + c), expected(n, f32::mul_add));
        assert!(n < 3 || plain != fused);
        versions(|version| {
            for (strict, want) in [(false, if fuses(version) { &fused } else { &plain }), (true, &plain)] {
                let (x, v) = (field(n, number), field(n, vector));
                let (mut out, mut w, mut m) = (field(n, |_| 9.0), field(n, |_| Vec3::ONE), field(n, |_| 4));
                let kernel = if strict { strict::scattered } else { loose::scattered };
                kernel(&x, &v, &mut out, &mut w, &mut m).unwrap();
                let found = (values(&out), values(&w), values(&m));
                // Several threads add to copies, whose sums are rounded apart.
                let same = found == *want || !version.ends_with("on 1 threads") && near(&found, want);
                assert!(same, "{n}, {version}, strict: {strict}");
            }
        });
    }
}

#[func]
fn half(x: f32) -> f32 {
    x * 0.5
}

/// With a loop: it is called for all lanes.
#[func]
fn rounds(x: f32) -> f32 {
    let mut s = x;
    for k in 0..3 {
        s = s * 0.75 + k as f32;
    }
    s
}

/// The same by a product and sum of one's own.
fn rounds_by(x: f32, f: fn(f32, f32, f32) -> f32) -> f32 {
    (0..3).fold(x, |s, k| f(s, 0.75, k as f32))
}

/// What may fail before a call is in a variable by then, and products with it are none the less contracted.
#[kernel]
fn beside_calls(x: &Field<f32>, out: &mut Field<[f32; 8]>) {
    for i in out.indices() {
        let v = x[i];
        let w = v + 0.3;
        let a = [v, w];
        let mut m = w;
        m += 0.1;
        let last = v.sqrt() * w + rounds(v);
        out[i] = [
            half(v) * 2.7 + half(w),
            v.sqrt() * w + rounds(w),
            rounds(v) * w - half(v),
            rounds(v) - v.sqrt() * w,
            a[1] * w + rounds(v),
            (v.sqrt() * 0.3 + 1.0) * w.min(0.7) + rounds(v),
            m.sqrt() * w + rounds(m),
            -(last * w + half(v)),
        ];
    }
}

#[kernel]
fn sum_beside_calls(x: &Field<f32>) -> f32 {
    let mut s = 0.0;
    for i in x.indices() {
        s += x[i].sqrt() * 0.5 + rounds(x[i]);
    }
    s
}

#[test]
fn products_beside_calls() {
    let expected = |v: f32, f: fn(f32, f32, f32) -> f32| {
        let w = v + 0.3;
        let m = w + 0.1;
        let last = f(v.sqrt(), w, rounds_by(v, f));
        [
            f(half(v), 2.7, half(w)),
            f(v.sqrt(), w, rounds_by(w, f)),
            f(rounds_by(v, f), w, -half(v)),
            f(-v.sqrt(), w, rounds_by(v, f)),
            f(w, w, rounds_by(v, f)),
            f(f(v.sqrt(), 0.3, 1.0), w.min(0.7), rounds_by(v, f)),
            f(m.sqrt(), w, rounds_by(m, f)),
            -f(last, w, half(v)),
        ]
    };
    for n in SIZES {
        versions(|version| {
            let x = field(n, number);
            let mut out = field(n, |_| [9.0; 8]);
            beside_calls(&x, &mut out).unwrap();
            let f: fn(f32, f32, f32) -> f32 = match fuses(version) {
                true => f32::mul_add,
                false => |a, b, c| a * b + c,
            };
            for (i, got) in values(&out).into_iter().enumerate() {
                assert_eq!(got, expected(number(i), f), "{i} of {n}, {version}");
            }
            let sum: f64 = (0..n).map(number).map(|v| f64::from(v.sqrt() * 0.5 + rounds(v))).sum();
            let got = f64::from(sum_beside_calls(&x).unwrap());
            assert!((got - sum).abs() <= 1e-5 * sum, "{got}, {sum}, {n}, {version}");
        });
    }
}

#[func]
fn line(a: f32, x: f32, b: f32) -> f32 {
    a * x + b
}

/// Through another one, by a vector's method, a reference and a change of a variable.
#[func]
fn curve(x: f32, by: &Vec3, sum: &mut f32) -> f32 {
    let v = Vec3::new(x, 0.3, x * x);
    *sum = x * 0.7 - *sum;
    let mut y = v.dot(Vec3::new(0.1, x, 0.9));
    y += by.x * x;
    line(y, x, 1.1) - x * by.y
}

#[func]
fn of_any<T: swathe::math::Float>(a: T, b: T, c: T) -> T {
    c - a * b
}

/// A constant function's body is rustc's own.
#[func]
const fn constant(a: f32, x: f32, b: f32) -> f32 {
    a * x + b
}

/// What stands apart is compiled for every processor, and what chooses an element is the same for whoever asks.
#[func]
#[inline(never)]
fn apart(a: f32, x: f32, b: f32) -> f32 {
    line(a, x, b) * x - a
}

#[func]
fn cell(x: f32) -> usize {
    ((x * 10.0 - 6.0) * 1.0e7) as usize % 1000
}

type Whole = i32;

/// The same beside integers, by items of an array and by another name of the type.
#[func]
fn cells(x: f32, n: i32) -> [i32; 3] {
    let t = [10.0, 6.0];
    [
        ((x * 10.0 - n as f32) * 1.0e7) as i32,
        ((x * t[0] - t[1]) * 1.0e7) as i32,
        ((x * 10.0 - 6.0) * 1.0e7) as Whole,
    ]
}

/// References as operands.
#[func]
fn of_references(x: &f32, y: &f32, first: bool) -> f32 {
    let mut s = 0.25;
    s += *y * { *x };
    let v = (if first { x } else { y }) * 2.0 + s;
    let w = (match first {
        true => y,
        false => x,
    }) * 3.0;
    v * w + { x }
}

#[func]
#[deprecated = "of old"]
#[must_use]
fn old(x: f32) -> f32 {
    x * 2.0 + 1.0
}

mod loose_functions {
    use super::*;

    #[kernel]
    pub fn called(x: &Field<f32>, by: Vec3, out: &mut Field<[f32; 5]>) {
        for i in out.indices() {
            let mut sum = 0.4;
            let y = curve(x[i], &by, &mut sum);
            out[i] = [
                line(x[i], 0.3, 0.1),
                y,
                sum,
                of_any(x[i], 0.7, 0.9) + constant(x[i], 0.3, 0.1),
                apart(x[i], 0.3, 0.1),
            ];
        }
    }
}

mod strict_functions {
    use super::*;

    #[kernel(strict)]
    pub fn called(x: &Field<f32>, by: Vec3, out: &mut Field<[f32; 5]>) {
        for i in out.indices() {
            let mut sum = 0.4;
            let y = curve(x[i], &by, &mut sum);
            out[i] = [
                line(x[i], 0.3, 0.1),
                y,
                sum,
                of_any(x[i], 0.7, 0.9) + constant(x[i], 0.3, 0.1),
                apart(x[i], 0.3, 0.1),
            ];
        }
    }
}

#[test]
fn functions_are_contracted_where_their_loop_is() {
    let by = Vec3::new(0.3, -1.7, 2.0);
    let expected = |x: f32, f: fn(f32, f32, f32) -> f32| {
        let sum = f(x, 0.7, -0.4);
        let v = [x, 0.3, x * x];
        let dot = f(v[2], 0.9, f(v[1], x, v[0] * 0.1));
        let y = f(by.x, x, dot);
        let curve = f(-x, by.y, f(y, x, 1.1));
        let line = f(x, 0.3, 0.1);
        // Of two products in a sum the left one.
        let any = f(-x, 0.7, 0.9) + (x * 0.3 + 0.1);
        [line, curve, sum, any, (x * 0.3 + 0.1) * 0.3 - x]
    };
    let plain: fn(f32, f32, f32) -> f32 = |a, b, c| a * b + c;
    for n in SIZES {
        let x = field(n, number);
        versions(|version| {
            let mut out = field(n, |_| [9.0; 5]);
            loose_functions::called(&x, by, &mut out).unwrap();
            let f = if fuses(version) { f32::mul_add } else { plain };
            for (i, got) in values(&out).into_iter().enumerate() {
                assert_eq!(got, expected(number(i), f), "{i} of {n}, {version}");
            }
            strict_functions::called(&x, by, &mut out).unwrap();
            for (i, got) in values(&out).into_iter().enumerate() {
                assert_eq!(got, expected(number(i), plain), "{i} of {n}, strict, {version}");
            }
        });
    }
    // On the host they are what their text says.
    for i in 0..17 {
        let (x, mut sum) = (number(i), 0.4);
        let y = curve(x, &by, &mut sum);
        let expected = expected(x, plain);
        assert_eq!(
            [line(x, 0.3, 0.1), y, sum, apart(x, 0.3, 0.1)],
            [expected[0], expected[1], expected[2], expected[4]]
        );
    }
}

#[kernel]
fn by_cells(x: &Field<f32>, out: &mut Field<[u32; 2]>, first: usize) {
    for i in out.indices() {
        let all = cells(x[i], 6);
        let same = all[0] == all[1] && all[1] == all[2] && all[0] as u32 % 1000 == cell(x[i]) as u32;
        out[i] = [cell(x[i]) as u32 + if same { 0 } else { 5000 }, first as u32];
    }
}

#[kernel]
fn by_references(x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let (a, b) = (x[i], x[i] - 0.7);
        #[allow(deprecated)]
        let c = old(a);
        out[i] = of_references(&a, &b, i % 2 == 0) + c;
    }
}

#[test]
fn functions_that_choose_elements_are_the_same_for_all() {
    versions(|version| {
        let x = field(100, |i| 0.7 + i as f32 / 1024.0);
        let mut out = field(100, |_| [0; 2]);
        by_cells(&x, &mut out, cell(0.7)).unwrap();
        for (i, [found, first]) in values(&out).into_iter().enumerate() {
            assert_eq!(
                [found, first],
                [cell(0.7 + i as f32 / 1024.0), cell(0.7)].map(|cell| cell as u32),
                "{i}, {version}"
            );
        }
        let mut out = field(100, |_| 0.0);
        by_references(&x, &mut out).unwrap();
        for (i, found) in values(&out).into_iter().enumerate() {
            let a = 0.7 + i as f32 / 1024.0;
            let expected = of_references(&a, &(a - 0.7), i % 2 == 0) + (a * 2.0 + 1.0);
            assert!((found - expected).abs() < 1e-5, "{i}, {version}");
        }
    });
}
