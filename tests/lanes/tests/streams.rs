//! Results that are only written: in place, and from blocks past the caches, with the same bits.

use ndarray::s;
use swathe::Soa;
use swathe::prelude::*;
use swathe_tests_lanes::{field, number, same, values, versions_and_caches};

/// Around the length of a block behind the start of a cache line, and none.
const SIZES: [usize; 12] = [0, 1, 3, 17, 63, 64, 65, 79, 128, 129, 1000, 20_003];
const SHAPES: [[usize; 2]; 10] = [
    [0, 5],
    [1, 1],
    [1, 200],
    [3, 65],
    [3, 66],
    [5, 200],
    [17, 81],
    [70, 3],
    [4, 1024],
    [3, 5003],
];

#[kernel(strict)]
fn relax(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            out[[i, j]] = 0.5 * u[[i, j]] + 0.125 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
        }
    }
}

fn plane<T: Element>([rows, columns]: [usize; 2], value: impl Fn(usize) -> T) -> Field<T, 2> {
    Field::from_fn(&Device::cpu(), [rows, columns], |[i, j]| value(i * columns + j)).unwrap()
}

#[test]
fn a_stencil_leaves_its_border() {
    versions_and_caches(|name| {
        for [rows, columns] in SHAPES {
            let u = |i: usize| number(i);
            let mut out = plane([rows, columns], |i| -(i as f32));
            relax(&plane([rows, columns], u), &mut out).unwrap();
            same(name, &values(&out), |at| {
                let (i, j) = (at / columns, at % columns);
                match i > 0 && j > 0 && i + 1 < rows && j + 1 < columns {
                    true => {
                        let around = u(at - columns) + u(at + columns) + u(at - 1) + u(at + 1);
                        0.5 * u(at) + 0.125 * around
                    }
                    false => -(at as f32),
                }
            });
        }
    });
}

/// One kernel for each type of element.
macro_rules! sizes_of_elements {
    ($($name:ident $t:ty: $value:expr;)*) => {$(
        mod $name {
            use super::*;

            #[kernel(strict)]
            fn copied(a: &Field<$t>, b: &mut Field<$t>) {
                for i in b.indices() {
                    b[i] = a[i];
                }
            }

            #[kernel(strict)]
            fn shifted(a: &Field<$t>, b: &mut Field<$t>, c: &mut Field<$t>) {
                for i in 1..a.len() - 1 {
                    b[i] = a[i + 1];
                    c[i] = a[i - 1];
                }
            }

            #[test]
            fn every_element_once() {
                versions_and_caches(|name| {
                    let value: fn(usize) -> $t = $value;
                    for n in SIZES {
                        let a = field(n, value);
                        let mut b = field(n, |_| value(7));
                        copied(&a, &mut b).unwrap();
                        same(name, &values(&b), value);
                        if n < 2 {
                            continue;
                        }
                        let (mut b, mut c) = (field(n, |_| value(7)), field(n, |_| value(8)));
                        shifted(&a, &mut b, &mut c).unwrap();
                        let edge = |i: usize| i == 0 || i == n - 1;
                        same(name, &values(&b), |i| if edge(i) { value(7) } else { value(i + 1) });
                        same(name, &values(&c), |i| if edge(i) { value(8) } else { value(i - 1) });
                    }
                });
            }
        }
    )*};
}

sizes_of_elements! {
    bytes u8: |i| (i * i / 3) as u8;
    halves u16: |i| (i * 31) as u16;
    doubles f64: |i| i as f64 + 0.25;
    pairs Vec2: |i| Vec2::new(i as f32, -(i as f32));
    triples Vec3: |i| Vec3::new(i as f32, 1.0, -(i as f32));
    matrices Mat3: |i| Mat3::from_array([0, 1, 2].map(|r| [0, 1, 2].map(|c| (9 * i + 3 * r + c) as f32)));
    rows_of_25 Vector<f32, 25>: |i| Vector::from_array(std::array::from_fn(|k| (25 * i + k) as f32));
}

/// Conditions of which the ends of a block say nothing.
#[kernel(strict)]
fn here_and_there(mask: &Field<u32>, a: &mut Field<f32>, b: &mut Field<f32>, c: &mut Field<f32>) {
    for i in a.indices() {
        if i != 70 {
            a[i] = 1.0;
        }
    }
    for i in b.indices() {
        if mask[i] > 0 {
            b[i] = 2.0;
        }
    }
    for i in c.indices() {
        if mask[i] > 0 {
            c[i] = 3.0;
        } else {
            c[i] = i as f32;
        }
    }
}

#[test]
fn what_no_iteration_writes_stays() {
    versions_and_caches(|name| {
        for n in SIZES {
            let set = |i: usize| i % 64 < 3 || i % 64 > 60;
            let mask = field(n, |i| u32::from(set(i)));
            let [mut a, mut b, mut c] = [0, 1, 2].map(|_| field(n, |i| -(i as f32) - 1.0));
            here_and_there(&mask, &mut a, &mut b, &mut c).unwrap();
            let old = |i: usize| -(i as f32) - 1.0;
            same(name, &values(&a), |i| if i == 70 { old(i) } else { 1.0 });
            same(name, &values(&b), |i| if set(i) { 2.0 } else { old(i) });
            same(name, &values(&c), |i| if set(i) { 3.0 } else { i as f32 });
        }
    });
}

#[func]
fn small(x: f32) -> f32 {
    assert!(x < 1000.0, "{} is large", x);
    x * 2.0
}

#[kernel(strict)]
fn may_fail(x: &Field<f32>, by: &Field<i32>, doubled: &mut Field<f32>, divided: &mut Field<i32>) {
    for i in x.indices() {
        doubled[i] = small(x[i]);
        divided[i] = 840 / by[i];
    }
}

#[test]
fn failures_end_their_iteration_alone() {
    versions_and_caches(|name| {
        for n in [1, 63, 64, 200, 1000] {
            let bad = [0, 3, 64, 65, 130, 190, 999];
            let large = |i: usize| i % 2 == 1 && bad.contains(&i);
            let zero = |i: usize| i.is_multiple_of(2) && bad.contains(&i);
            let x = field(n, |i| if large(i) { 2000.0 } else { i as f32 / 2.0 });
            let by = field(n, |i| if zero(i) { 0 } else { i as i32 % 7 + 1 });
            let (mut doubled, mut divided) = (field(n, |_| -1.0), field(n, |_| -1));
            let failed = may_fail(&x, &by, &mut doubled, &mut divided).unwrap_err();
            same(name, &values(&doubled), |i| if large(i) { -1.0 } else { i as f32 });
            same(name, &values(&divided), |i| match bad.contains(&i) {
                true => -1,
                false => 840 / (i as i32 % 7 + 1),
            });
            let count = bad.iter().filter(|i| **i < n).count();
            let told = failed.to_string();
            assert_eq!(told.contains("more failure"), count > 1, "{name}: {told}");
        }
    });
}

#[kernel(strict)]
fn neighbours(a: &Field<f32>, b: &mut Field<f32>) {
    for i in b.indices() {
        b[i] = a[i] + a[i + 1];
    }
}

#[test]
fn an_index_out_of_bounds_writes_nothing() {
    versions_and_caches(|name| {
        for n in [1, 3, 64, 200, 1000] {
            let a = field(n, number);
            let mut b = field(n, |_| -1.0);
            let failed = neighbours(&a, &mut b).unwrap_err();
            assert!(failed.to_string().contains(&format!("{n}")), "{name}: {failed}");
            same(name, &values(&b), |i| {
                if i == n - 1 { -1.0 } else { number(i) + number(i + 1) }
            });
        }
    });
}

#[kernel(strict)]
fn behind(a: &Field<f32, 2>, b: &mut Field<f32, 2>) {
    for [i, j] in b.indices() {
        if i > 0 && j > 0 {
            b[[i, j]] = 2.0 * a[[i - 1, j - 1]];
        }
    }
}

#[test]
fn a_check_in_place_ends_its_iteration_alone() {
    versions_and_caches(|name| {
        for [rows, columns] in SHAPES {
            for there in [columns, columns.saturating_sub(1), columns / 2] {
                let (a, mut b) = (plane([rows, there], number), plane([rows, columns], |_| -1.0));
                let result = behind(&a, &mut b);
                assert_eq!(
                    result.is_err(),
                    rows > 1 && there + 1 < columns,
                    "{name}: {there} of {columns}"
                );
                if let Err(failed) = result {
                    assert!(
                        failed.to_string().contains(&format!("[0, {there}]")),
                        "{name}: {failed}"
                    );
                }
                same(name, &values(&b), |at| {
                    let (i, j) = (at / columns, at % columns);
                    match i > 0 && j > 0 && j <= there {
                        true => 2.0 * number((i - 1) * there + j - 1),
                        false => -1.0,
                    }
                });
            }
        }
    });
}

/// A condition on what an iteration also changes, in planes.
#[kernel(strict)]
fn squared(a: &mut Field<Mat3>, b: &mut Field<Mat3>) {
    for i in a.indices() {
        if i >= 5 && i + 3 < 900 {
            b[i] = a[i] * a[i] * a[i];
            a[i] = b[i] * b[i];
        }
    }
}

#[test]
fn matrices_under_a_condition() {
    versions_and_caches(|name| {
        for n in SIZES {
            let a = |i: usize| Mat3::from_array([0, 1, 2].map(|r| [0, 1, 2].map(|c| ((i + 3 * r + c) % 5) as f32)));
            let inside = |i: usize| (5..897).contains(&i);
            let (mut x, mut y) = (field(n, a), field(n, |_| Mat3::IDENTITY));
            squared(&mut x, &mut y).unwrap();
            let cube = |i: usize| a(i) * a(i) * a(i);
            same(name, &values(&y), |i| if inside(i) { cube(i) } else { Mat3::IDENTITY });
            same(name, &values(&x), |i| if inside(i) { cube(i) * cube(i) } else { a(i) });
        }
    });
}

#[kernel(strict)]
fn scaled(a: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    for [i, j] in a.indices() {
        out[[i, j]] = 2.0 * a[[i, j]];
    }
}

#[test]
fn parts_of_fields() {
    versions_and_caches(|name| {
        for [rows, columns] in SHAPES {
            let a = plane([rows, columns], number);
            let mut whole = plane([rows, columns + 5], |_| -1.0);
            scaled(&a, &mut whole.slice_mut(s![.., 2..columns + 2]).unwrap()).unwrap();
            same(name, &values(&whole), |at| {
                let (i, j) = (at / (columns + 5), at % (columns + 5));
                match (2..columns + 2).contains(&j) {
                    true => 2.0 * number(i * columns + j - 2),
                    false => -1.0,
                }
            });
            let mut planes = plane([rows, columns], |_| -1.0).with_layout(Soa).unwrap();
            scaled(&a, &mut planes).unwrap();
            same(name, &values(&planes.with_layout(swathe::Aos).unwrap()), |i| {
                2.0 * number(i)
            });
        }
    });
}

/// Another index than the loop's own, of a field whose positions begin below zero, and a field of a generic type.
#[kernel(strict)]
fn around<T: Element>(x: &OffsetField<f32>, like: &Field<T>, out: &mut Field<f32>, copies: &mut Field<T, 3>) {
    for i in out.indices() {
        out[i] = x[i as isize - 1] * 2.0;
    }
    let [a, b, c] = copies.shape();
    for [i, j, k] in ndrange([a, b, c]) {
        copies[[i, j, k]] = like[0];
    }
}

#[test]
fn fields_with_an_origin_and_of_any_type() {
    versions_and_caches(|name| {
        for n in SIZES {
            let device = Device::cpu();
            let x = field(n, number).with_origin(-1).unwrap();
            let like = field(1, |_| 77_u16);
            let (mut out, mut copies) = (field(n, |_| -1.0), Field::zeros(&device, [2, 3, n]).unwrap());
            around(&x, &like, &mut out, &mut copies).unwrap();
            same(name, &values(&out), |i| 2.0 * number(i));
            same(name, &values(&copies), |_| 77);
        }
    });
}

/// Strict: here the library is built with debug assertions, where expressions are not contracted.
#[kernel(strict)]
fn chain(x: &Field<f32>, y: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        out[i] = x[i] * y[i] - y[i] * y[i] + (2.0 - x[i] * x[i]);
    }
}

#[kernel(strict)]
fn outer(column: &Field<f32, 2>, row: &Field<f32>, out: &mut Field<f32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = column[[i, 0]] * row[j] + 1.0;
    }
}

/// In blocks of each length, and of elements of 1, 12 and 4096 bytes; those beside the target stay.
#[test]
fn expressions_are_what_kernels_are() {
    versions_and_caches(|name| {
        for n in [0, 1, 3, 17, 64, 65, 511, 512, 513, 20_003] {
            let (x, y) = (field(n, number), field(n, |i| 3.0 - number(i + 7)));
            let (mut a, mut b) = (field(n + 3, |i| -(i as f32)), field(n, |_| 0.0_f32));
            chain(&x, &y, &mut b).unwrap();
            let sum = &x * &y - &y * &y + (2.0 - &x * &x);
            a.slice_mut::<1>(s![1..n + 1]).unwrap().assign(sum.strict()).unwrap();
            let expected = values(&b);
            same(name, &values(&a), |i| match (1..=n).contains(&i) {
                true => expected[i - 1],
                false => -(i as f32),
            });
            let bytes = field(n, |i| i as u8);
            let odd = (&bytes & 1).eq(1).eval().unwrap();
            same(name, &values(&odd), |i| i as u8 % 2 == 1);
            let points = field(n, |i| Vec3::new(i as f32, 1.0, -(i as f32)));
            let far = (&points * 2.0).eval().unwrap();
            same(name, &values(&far), |i| 2.0 * Vec3::new(i as f32, 1.0, -(i as f32)));
        }
        let large = field(70, |i| [i as f64; 512]);
        let mut copy = field(70, |_| [0.0; 512]);
        copy.assign(&large).unwrap();
        same(name, &values(&copy), |i| [i as f64; 512]);
        for [rows, columns] in SHAPES {
            let column = plane([rows, 1], number);
            let row = field(columns, |j| number(j + 3));
            let mut by_kernel = plane([rows, columns], |_| 0.0_f32);
            outer(&column, &row, &mut by_kernel).unwrap();
            let expected = values(&by_kernel);
            let by_expression = (&column * &row + 1.0).strict().eval().unwrap();
            same(name, &values(&by_expression), |i| expected[i]);
        }
    });
}
