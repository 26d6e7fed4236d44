//! Parallel loops that accumulate.

use swathe::Complex;
use swathe::prelude::*;

use super::support::{SHAPES, SIZES, scatter, sources};

macro_rules! integer_reductions {
    ($($name:ident $t:ident)*) => {
        $(
            #[kernel]
            fn $name(x: &Field<$t>) -> [$t; 8] {
                let mut sum = 3;
                let mut product = 1;
                let mut least = $t::MAX;
                let mut most = 5;
                let mut and = !0;
                let mut or = 0;
                let mut xor = 1;
                let mut difference = 100;
                for i in x.indices() {
                    sum += x[i] % 2;
                    product *= 1 + (x[i] == 7) as $t + (x[i] == 11) as $t;
                    least = least.min(x[i]);
                    most = most.max(x[i]);
                    and &= x[i] | 1;
                    or |= x[i] & 0x3f;
                    xor ^= x[i];
                    if x[i] == 3 {
                        difference -= 1;
                    }
                }
                [sum, product, least, most, and, or, xor, difference]
            }
        )*

        fn check_integers(device: &Device) {
            $(for n in SIZES {
                // Each value at most a few times, so that nothing overflows.
                let values: Vec<$t> = (0..n).map(|i| (i * 5 % 251) as $t).collect();
                let got = $name(&super::support::field(device, &values)).unwrap();
                let count = |v: $t| values.iter().filter(|x| **x == v).count();
                let expected: [$t; 8] = [
                    3 + values.iter().map(|x| i64::try_from(*x).unwrap() % 2).sum::<i64>() as $t,
                    (1u64 << (count(7) + count(11))) as $t,
                    values.iter().copied().min().unwrap_or($t::MAX),
                    values.iter().copied().max().unwrap_or(5).max(5),
                    values.iter().fold(!0, |a, x| a & (x | 1)),
                    values.iter().fold(0, |a, x| a | (x & 0x3f)),
                    values.iter().fold(1, |a, x| a ^ x),
                    (100 - count(3)) as $t,
                ];
                assert_eq!(got, expected, "{}, {n} elements", stringify!($name));
            })*
        }
    };
}

integer_reductions! { of_i16 i16 of_i32 i32 of_i64 i64 of_u16 u16 of_u32 u32 of_u64 u64 }

/// Bytes, which have few values.
#[kernel]
fn bytes(x: &Field<u8>) -> (u8, u8, i8) {
    let mut most = 0;
    let mut xor = 0;
    let mut least = 0i8;
    for i in x.indices() {
        most = most.max(x[i]);
        xor ^= x[i];
        least = least.min(x[i] as i8);
    }
    (most, xor, least)
}

/// What a reduction gives, by name.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Summary<T> {
    sum: T,
    product: T,
    least: T,
    most: T,
    count: u32,
}

#[kernel]
fn floats<T: Float>(x: &Field<T>) -> Summary<T> {
    let mut sum = T::ZERO;
    let mut product = T::ONE;
    let mut least = T::INFINITY;
    let mut most = T::NEG_INFINITY;
    let mut count = 0u32;
    for i in x.indices() {
        sum += x[i];
        product *= if x[i] > T::from_f64(90.0) { T::TWO } else { T::ONE };
        least = least.min(x[i]);
        most = most.max(x[i]);
        if x[i] > T::ZERO {
            count += 1;
        }
    }
    Summary {
        sum,
        product,
        least,
        most,
        count,
    }
}

/// What begins as it may, and what a loop over nothing, or nothing but NaN, leaves of it.
#[kernel]
fn extremes<T: Float>(x: &Field<T>, start: T) -> [T; 5] {
    let mut least = start;
    let mut most = start;
    let mut sum = start;
    let mut rest = start;
    let mut kept = start;
    for i in x.indices() {
        least = least.min(x[i]);
        most = most.max(x[i]);
        sum += x[i];
        rest -= x[i];
        if i >= x.len() {
            kept -= x[i];
        }
    }
    [least, most, sum, rest, kept]
}

#[kernel]
fn extreme_vectors(x: &Field<Vec3>, start: Vec3) -> [Vec3; 3] {
    let mut least = start;
    let mut most = start;
    let mut sum = start;
    for i in x.indices() {
        least = least.min(x[i]);
        most = most.max(x[i]);
        sum += x[i];
    }
    [least, most, sum]
}

#[kernel]
fn complex_sum(x: &Field<Complex<f32>>, start: Complex<f32>) -> Complex<f32> {
    let mut sum = start;
    for i in x.indices() {
        sum += x[i];
    }
    sum
}

/// The variable is the other operand, or one of several.
#[kernel]
fn in_any_order<T: Float>(x: &Field<T>, start: T) -> [T; 4] {
    let (mut sum, mut least, mut most, mut by_path) = (T::ZERO, start, start, start);
    for i in x.indices() {
        sum = x[i] + (T::ONE + sum + x[i]);
        least = x[i].min(least);
        most = (x[i] * T::TWO).max(x[i]).max(most.max(-x[i]));
        by_path = T::min(x[i], T::min(by_path, T::TWO));
    }
    [sum, least, most, by_path]
}

#[kernel]
fn integers_in_any_order(x: &Field<[u32; 2]>) -> (u32, u32, u32, u32, bool, bool) {
    let (mut and, mut xor, mut product, mut most) = (!0, 0, 1, 7);
    let (mut any, mut all) = (false, true);
    for i in x.indices() {
        and = (x[i][0] | 1) & and & (x[i][1] | 1);
        xor = x[i][0] ^ (xor ^ x[i][1]);
        product = product * (1 + (x[i][0] % 97 == 5) as u32) * (1 + (x[i][1] % 97 == 7) as u32);
        most = u32::max(x[i][1], most);
        any = { x[i][0] == 12 } || any || x[i][1] == 1_000_000;
        all = x[i][1] != 30 && all;
    }
    (and, xor, product, most, any, all)
}

fn check_any_order(device: &Device) {
    for n in SIZES {
        let values: Vec<f64> = (0..n).map(|i| scatter(i) as f64).collect();
        let x = super::support::field(device, &values);
        for start in [0.0, 1e9, -1e9] {
            let least = values.iter().fold(start, |a, v| f64::min(a, *v));
            let most = values.iter().fold(start, |a, v| a.max(v.abs()).max(2.0 * v));
            let sum = values.iter().map(|v| 2.0 * v + 1.0).sum::<f64>();
            let by_path = if n == 0 { start } else { least.min(2.0) };
            assert_eq!(
                in_any_order(&x, start).unwrap(),
                [sum, least, most, by_path],
                "{n} elements"
            );
        }
        let values: Vec<[u32; 2]> = (0..n as u32).map(|i| [i % 101, i * 7 % 103]).collect();
        let count = |k: usize, v: u32| values.iter().filter(|x| x[k] % 97 == v).count() as u32;
        let expected = (
            values.iter().fold(!0, |a, x| a & (x[0] | 1) & (x[1] | 1)),
            values.iter().fold(0, |a, x| a ^ x[0] ^ x[1]),
            1_u32.checked_shl(count(0, 5) + count(1, 7)).unwrap_or(0),
            values.iter().fold(7, |a, x| a.max(x[1])),
            values.iter().any(|x| x[0] == 12),
            values.iter().all(|x| x[1] != 30),
        );
        if expected.2 > 0 {
            let got = integers_in_any_order(&super::support::field(device, &values)).unwrap();
            assert_eq!(got, expected, "{n} elements");
        }
    }
}

#[kernel]
fn booleans(x: &Field<i32>) -> [bool; 5] {
    let mut all = true;
    let mut any = false;
    let mut all_bits = true;
    let mut any_bits = false;
    let mut parity = false;
    for i in x.indices() {
        all = all && x[i] > -100;
        any = any || x[i] == 44;
        all_bits &= x[i] < 100;
        any_bits |= x[i] == -77;
        parity ^= x[i] % 2 != 0;
    }
    [all, any, all_bits, any_bits, parity]
}

#[kernel]
fn vectors(x: &Field<Vec3>) -> (Vec3, Vec3, Vec3, Mat2) {
    let mut sum = Vec3::new(1.0, 2.0, 3.0);
    let mut least = Vec3::splat(1000.0);
    let mut most = Vec3::splat(-1000.0);
    let mut m = Mat2::IDENTITY;
    for i in x.indices() {
        let v = x[i];
        sum += v;
        least = least.min(v);
        most = most.max(v);
        m += Mat2::from_array([[v.x, 1.0], [0.0, v.y]]);
    }
    (sum, least, most, m)
}

/// The second loop uses what the first one found; the third one adds to what the second one found.
#[kernel]
fn chained(x: &mut Field<f64>) -> f64 {
    let n = x.len();
    let mut sum = 0.0;
    for i in x.indices() {
        sum += x[i];
    }
    let mean = if n > 0 { sum / n as f64 } else { 0.0 };
    let mut squares = 0.0;
    for i in 0..n {
        x[i] -= mean;
        squares += x[i] * x[i];
    }
    for i in 0..n {
        squares += 2.0;
        x[i] *= 2.0;
    }
    squares
}

/// Several axes, sequential loops inside, an accumulator in a branch, and the results of atomics.
#[kernel]
fn mixed(x: &Field<i32, 2>, hits: &mut Field<u32>) -> (i64, i32, u32) {
    let mut weighted = 0i64;
    let mut best = i32::MIN;
    let mut seen = 0;
    for [i, j] in x.indices() {
        for k in 0..j {
            weighted += (x[[i, k]] * (k as i32 + 1)) as i64;
            if x[[i, k]] > 90 {
                best = best.max(x[[i, k]] + j as i32);
                continue;
            }
        }
        let old = hits[i % 3].atomic_add(1);
        seen += 1 + old * 0;
    }
    (weighted, best, seen)
}

#[kernel]
fn ranges(first: i32, last: i32) -> [i64; 3] {
    let mut a = 0i64;
    let mut b = 0i64;
    let mut c = 0i64;
    for k in first..last {
        a += k as i64;
    }
    for k in (first..=last).step_by(3) {
        b += k as i64 * k as i64;
    }
    for [i, j] in ndrange([5, 7]) {
        c += (i * j) as i64;
    }
    [a, b, c]
}

#[kernel]
fn no_result(x: &Field<i32>, out: &mut Field<i32>) {
    let mut total = 0;
    for i in x.indices() {
        total += x[i];
    }
    out[0] = total;
}

#[kernel]
fn one(x: &Field<f32>) -> f32 {
    let mut total = 0.0;
    for i in x.indices() {
        total += x[i];
    }
    total
}

fn check_floats<T: Float>(device: &Device) {
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        let x = Field::from_fn(device, n, |[i]| T::from_i32(values[i])).unwrap();
        let got = floats(&x).unwrap();
        let limit = |v: Option<&i32>, none: T| v.map_or(none, |v| T::from_i32(*v));
        let expected = Summary {
            sum: T::from_i32(values.iter().sum()),
            product: T::TWO.powi(values.iter().filter(|v| **v > 90).count() as i32),
            least: limit(values.iter().min(), T::INFINITY),
            most: limit(values.iter().max(), T::NEG_INFINITY),
            count: values.iter().filter(|v| **v > 0).count() as u32,
        };
        assert_eq!(got, expected, "{n} elements");
    }
    let x = super::support::field(device, &[T::ONE, T::NAN, T::from_f64(-3.0)]);
    let got = floats(&x).unwrap();
    assert!(got.sum.is_nan());
    assert_eq!((got.least, got.most, got.count), (T::from_f64(-3.0), T::ONE, 1));
    let x = super::support::field(device, &[T::INFINITY, T::NEG_INFINITY]);
    let got = floats(&x).unwrap();
    assert!(got.sum.is_nan());
    assert_eq!((got.least, got.most), (T::NEG_INFINITY, T::INFINITY));
}

/// A number by its text, in which a zero has its sign and every NaN is one.
fn shown<T: Float>(v: T) -> String {
    format!("{v:?}")
}

fn check_extremes<T: Float>(device: &Device) {
    let (nan, zero, two) = (T::NAN, T::ZERO, T::TWO);
    for n in SIZES {
        let lists = [
            vec![nan; n],
            vec![-zero; n],
            (0..n).map(|i| if i == n / 2 { two } else { nan }).collect(),
            (0..n).map(|i| if i % 2 == 0 { nan } else { -two }).collect(),
        ];
        for (k, values) in lists.iter().enumerate() {
            for start in [nan, two, -two, -zero, zero, T::INFINITY, T::NEG_INFINITY] {
                let got = extremes(&super::support::field(device, values), start).unwrap();
                let expected = [
                    values.iter().fold(start, |a, v| a.min(*v)),
                    values.iter().fold(start, |a, v| a.max(*v)),
                    values.iter().fold(start, |a, v| a + *v),
                    values.iter().fold(start, |a, v| a - *v),
                    start,
                ];
                let what = format!("{} of list {k} from {start:?}", values.len());
                // Of two zeros either is the least.
                let zeros = expected[0] == zero && k == 1;
                let list = |v: [T; 5]| v.map(|v| if zeros && v == zero { shown(v.abs()) } else { shown(v) });
                assert_eq!(list(got)[..2], list(expected)[..2], "{what}");
                assert_eq!(shown(got[2]), shown(expected[2]), "the sum, {what}");
                // On the CPU a sum of -0.0 that is subtracted counts as none.
                if shown(got[3].abs()) != shown(zero) || k != 1 {
                    assert_eq!(shown(got[3]), shown(expected[3]), "the rest, {what}");
                }
                assert_eq!(shown(got[4]), shown(expected[4]), "nothing subtracted, {what}");
            }
        }
    }
}

fn check_extreme_vectors(device: &Device) {
    let start = Vec3::new(f32::NAN, -0.0, 7.0);
    for n in SIZES {
        let x = super::support::field(device, &vec![Vec3::new(f32::NAN, -0.0, -1.5); n]);
        let [least, most, sum] = extreme_vectors(&x, start).unwrap();
        let last = if n == 0 { 7.0 } else { -1.5 };
        assert_eq!(
            format!("{:?}", least.to_array()),
            format!("{:?}", [f32::NAN, -0.0, last]),
            "{n}"
        );
        assert_eq!(
            format!("{:?}", most.to_array()),
            format!("{:?}", [f32::NAN, -0.0, 7.0]),
            "{n}"
        );
        let last = 7.0 - 1.5 * n as f32;
        assert_eq!(
            format!("{:?}", sum.to_array()),
            format!("{:?}", [f32::NAN, -0.0, last]),
            "{n}"
        );
        let x = super::support::field(device, &vec![Complex::new(-0.0f32, -2.0); n]);
        let sum = complex_sum(&x, Complex::new(-0.0, -0.0)).unwrap();
        let im = if n == 0 { -0.0 } else { -2.0 * n as f32 };
        assert_eq!(format!("{:?}", (sum.re, sum.im)), format!("{:?}", (-0.0f32, im)), "{n}");
    }
}

/// Variables that bound the loops that accumulate into them.
#[kernel]
fn bounded(x: &Field<u32>, n: usize) -> [usize; 4] {
    let mut a = n;
    for i in 0..a {
        a += x[i] as usize;
    }
    let mut b = n;
    for [i, j] in ndrange([b, 3]) {
        b += (x[i] as usize) * (j + 1);
    }
    let mut c = n;
    for i in (0..x.len()).step_by(c) {
        c += i;
    }
    let mut d = n;
    for i in d..x.len() {
        d = d.max(i * 2 + x[i] as usize);
    }
    [a, b, c, d]
}

/// Two results of one loop, in blocks of fewer threads than a warp has, too.
#[kernel]
fn two_maxima(x: &Field<i32, 2>) -> [usize; 2] {
    let mut rows = 0;
    let mut columns = 0;
    for [i, j] in x.indices() {
        rows = rows.max(i + 1);
        columns = columns.max(j + 1);
    }
    [rows, columns]
}

fn check_two_maxima(device: &Device) {
    for shape in SHAPES.into_iter().chain([[2, 3]]) {
        let x = Field::zeros(device, shape).unwrap();
        let expected = if shape.contains(&0) { [0, 0] } else { shape };
        assert_eq!(two_maxima(&x).unwrap(), expected);
    }
}

#[func]
fn raised(n: &mut usize, by: usize) -> usize {
    *n += 5;
    by
}

#[func]
fn raised_extents(n: &mut usize) -> [usize; 2] {
    *n += 7;
    [3, 2]
}

/// Variables, and parts of them, that are changed by what a loop runs over before it accumulates into them.
#[kernel]
fn changed_by_the_domain(x: &Field<i32, 2>) -> ([usize; 10], [i64; 3], Vec2) {
    let mut a = [0; 10];
    for i in 0..raised(&mut a[0], 7) {
        a[0] += i;
    }
    for i in raised(&mut a[1], 2)..raised(&mut a[1], 9) {
        a[1] += i;
    }
    for i in (0..raised(&mut a[2], 30)).step_by(raised(&mut a[2], 4)) {
        a[2] += i;
    }
    for [i, j] in ndrange([raised(&mut a[3], 3), raised(&mut a[4], 4)]) {
        a[3] += i;
        a[4] += j;
    }
    for [i, j] in ndrange([0..raised(&mut a[5], 3), 1..raised(&mut a[5], 4)]) {
        a[5] += i * j;
    }
    for [i, j] in ndrange(raised_extents(&mut a[6])) {
        a[6] += i + j;
    }
    for [i, j] in x.interior(raised(&mut a[7], 1)) {
        a[7] += i + j;
    }
    let mut whole = 1;
    for i in (0..raised(&mut whole, 30)).step_by(raised(&mut whole, 4)) {
        whole += i;
    }
    a[8] = whole;
    a[9] = 3;
    // Read where it bounds the loop, and written by a block there.
    for i in a[9]..({
        a[9] += 2;
        a[9] * 2
    }) {
        a[9] += i;
    }
    let mut s = [0_i64; 3];
    for i in -3..=({
        s = [1, 2, 3];
        s[2]
    }) {
        s[0] += i;
        s[1] = s[1].max(i);
    }
    let mut v = Vec2::ZERO;
    for [_, j] in ndrange([
        {
            v.x = 0.5;
            2
        },
        3,
    ]) {
        v.x += j as f32;
        v.y -= 1.0;
    }
    (a, s, v)
}

fn check_changed_by_the_domain(device: &Device) {
    for shape in SHAPES {
        let x = Field::from_fn(device, shape, |[i, j]| scatter(i * 40 + j)).unwrap();
        let sum_of = |ranges: [std::ops::Range<usize>; 2], f: fn(usize, usize) -> usize| {
            let [rows, columns] = ranges;
            rows.flat_map(|i| columns.clone().map(move |j| f(i, j))).sum::<usize>()
        };
        let [inner_rows, inner_columns] = shape.map(|n| 1..n.saturating_sub(1));
        let steps: usize = (0..30).step_by(4).sum();
        let a = [
            5 + (0..7).sum::<usize>(),
            10 + (2..9).sum::<usize>(),
            10 + steps,
            5 + sum_of([0..3, 0..4], |i, _| i),
            5 + sum_of([0..3, 0..4], |_, j| j),
            10 + sum_of([0..3, 1..4], |i, j| i * j),
            7 + sum_of([0..3, 0..2], |i, j| i + j),
            5 + sum_of([inner_rows, inner_columns], |i, j| i + j),
            11 + steps,
            5 + (3..10).sum::<usize>(),
        ];
        let got = changed_by_the_domain(&x).unwrap();
        assert_eq!(
            got,
            (a, [1 + (-3..=3).sum::<i64>(), 3, 3], Vec2::new(6.5, -6.0)),
            "{shape:?}"
        );
    }
}

fn check_bounded(device: &Device) {
    let number = |i: usize| (i * 7 + 3) as u32 % 11;
    for len in [3, 17, 1000] {
        let x = Field::from_fn(device, len, |[i]| number(i)).unwrap();
        for n in [1, 2, 3] {
            let sum: usize = (0..n).map(|i| number(i) as usize).sum();
            let most = (n..len).map(|i| i * 2 + number(i) as usize).max().unwrap_or(0).max(n);
            let steps: usize = (0..len).step_by(n).sum();
            assert_eq!(
                bounded(&x, n).unwrap(),
                [n + sum, n + 6 * sum, n + steps, most],
                "{n} of {len}"
            );
        }
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Totals {
    count: u32,
    of: [i64; 3],
    center: DVec3,
    limit: i32,
}

/// Into members, items, components and items of members, each a variable of its own during the loop.
#[kernel]
fn parts(x: &Field<i32>, limit: i32) -> (Totals, [i32; 2]) {
    let mut t = Totals {
        count: 1,
        of: [5, 0, -1],
        center: DVec3::splat(0.5),
        limit,
    };
    let mut ends = [1000_i32; 2];
    ends[1] = -1000;
    for i in x.indices() {
        let v = x[i];
        if v > t.limit {
            t.count += 1;
            t.of[0] += v as i64;
        }
        t.of[2] = t.of[2].max((v * v) as i64);
        t.center.y += v as f64;
        t.center[2] -= 1.0;
        ends[0] = ends[0].min(v);
        ends[1] = v.max(ends[1]);
    }
    t.of[1] = t.of[0] + t.of[2];
    for i in x.indices() {
        t.of[1] ^= x[i] as i64;
        ends[0] *= if i == 1 { 3 } else { 1 };
    }
    (t, ends)
}

/// A component by its name and by its number is one.
#[kernel]
fn by_two_names(x: &Field<i32>) -> (IVec3, [Vec2; 2]) {
    let (mut v, mut w) = (IVec3::new(1, 2, 3), [Vec2::new(0.0, 0.5); 2]);
    for i in x.indices() {
        v.x += x[i];
        v[0] += 1000;
        v[2] ^= x[i];
        v.z ^= 5;
        w[1].y += 1.0;
        if x[i] > 0 {
            w[1][1] += 10.0;
        }
    }
    (v, w)
}

fn check_parts(device: &Device) {
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        let x = super::support::field(device, &values);
        let (mut v, mut w) = (IVec3::new(1, 2, 3), [Vec2::new(0.0, 0.5); 2]);
        for x in values {
            v.x += x + 1000;
            v.z ^= x ^ 5;
            w[1].y += if x > 0 { 11.0 } else { 1.0 };
        }
        assert_eq!(by_two_names(&x).unwrap(), (v, w), "{n} elements");
    }
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        let x = super::support::field(device, &values);
        let large: Vec<i64> = values.iter().filter(|v| **v > 20).map(|v| i64::from(*v)).collect();
        let (first, third) = (
            5 + large.iter().sum::<i64>(),
            values.iter().map(|v| i64::from(v * v)).fold(-1, i64::max),
        );
        let expected = Totals {
            count: 1 + large.len() as u32,
            of: [
                first,
                values.iter().fold(first + third, |sum, v| sum ^ i64::from(*v)),
                third,
            ],
            center: DVec3::new(0.5, 0.5 + f64::from(values.iter().sum::<i32>()), 0.5 - n as f64),
            limit: 20,
        };
        let least = values.iter().copied().fold(1000, i32::min) * if n > 1 { 3 } else { 1 };
        let most = values.iter().copied().fold(-1000, i32::max);
        assert_eq!(parts(&x, 20).unwrap(), (expected, [least, most]), "{n} elements");
    }
}

pub fn check(device: &Device) {
    check_parts(device);
    check_integers(device);
    check_bounded(device);
    check_two_maxima(device);
    check_changed_by_the_domain(device);
    check_extremes::<f32>(device);
    check_extremes::<f64>(device);
    check_extremes::<swathe::f16>(device);
    check_extremes::<swathe::bf16>(device);
    check_extreme_vectors(device);
    check_any_order(device);
    check_floats::<f32>(device);
    check_floats::<f64>(device);
    for n in SIZES {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        let x = super::support::field(device, &values);
        let odd = values.iter().filter(|v| *v % 2 != 0).count();
        let expected = [
            !values.contains(&-100),
            values.contains(&44),
            !values.contains(&100),
            values.contains(&-77),
            odd % 2 == 1,
        ];
        assert_eq!(booleans(&x).unwrap(), expected, "{n} elements");
        let mut out = Field::full(device, 1, -1).unwrap();
        no_result(&x, &mut out).unwrap();
        assert_eq!(out.get(0).unwrap(), values.iter().sum());
        let x = Field::from_fn(device, n, |[i]| i as u8).unwrap();
        let least = if n > 128 { -128 } else { 0 };
        let xor = (0..n).fold(0, |a, i| a ^ i as u8);
        assert_eq!(bytes(&x).unwrap(), (n.saturating_sub(1).min(255) as u8, xor, least));
        check_vectors(device, n);
        let values: Vec<f64> = (0..n).map(|i| f64::from(scatter(i))).collect();
        let mut x = super::support::field(device, &values);
        let got = chained(&mut x).unwrap();
        let mean = values.iter().sum::<f64>() / n.max(1) as f64;
        let expected = values.iter().map(|v| (v - mean).powi(2) + 2.0).sum::<f64>();
        assert!(
            (got - expected).abs() <= 1e-12 * expected,
            "{got} instead of {expected}"
        );
        super::support::same("chained", &x, values.iter().map(|v| (v - mean) * 2.0).collect());
    }
    for shape in SHAPES {
        let x = Field::from_fn(device, shape, |[i, j]| scatter(i * 40 + j)).unwrap();
        let mut hits = Field::zeros(device, 3).unwrap();
        let got = mixed(&x, &mut hits).unwrap();
        let cells: Vec<[usize; 3]> = ndrange([shape[0], shape[1], shape[1]])
            .filter(|[_, j, k]| k < j)
            .collect();
        let at = |i: usize, k: usize| scatter(i * 40 + k);
        let weighted = cells
            .iter()
            .map(|[i, _, k]| i64::from(at(*i, *k)) * (*k as i64 + 1))
            .sum();
        let best = cells
            .iter()
            .filter(|[i, _, k]| at(*i, *k) > 90)
            .map(|[i, j, k]| at(*i, *k) + *j as i32)
            .max();
        assert_eq!(
            got,
            (weighted, best.unwrap_or(i32::MIN), (shape[0] * shape[1]) as u32),
            "{shape:?}"
        );
        let rows = |r: usize| (0..shape[0]).filter(|i| i % 3 == r).count();
        super::support::same("mixed", &hits, (0..3).map(|r| (rows(r) * shape[1]) as u32).collect());
    }
    for (first, last) in [
        (0, 0),
        (-5, 5),
        (7, -7),
        (-2000, 1000),
        (i32::MAX - 4, i32::MAX),
        (-3, -3),
    ] {
        let expected = [
            (i64::from(first)..i64::from(last)).sum(),
            (i64::from(first)..=i64::from(last)).step_by(3).map(|k| k * k).sum(),
            10 * 21,
        ];
        assert_eq!(ranges(first, last).unwrap(), expected, "{first}..{last}");
    }
    // A sum of nothing leaves the variable as it was, zeros keep their sign.
    let x = super::support::field(device, &[-0.0f32, -0.0]);
    assert_eq!(one(&x).unwrap().to_bits(), 0.0f32.to_bits());
}

fn check_vectors(device: &Device, n: usize) {
    let values: Vec<Vec3> = (0..n)
        .map(|i| Vec3::new(scatter(i) as f32, i as f32, -(i as f32) / 2.0))
        .collect();
    let (sum, least, most, m) = vectors(&super::support::field(device, &values)).unwrap();
    let by = |start: Vec3, f: fn(f32, f32) -> f32| {
        values
            .iter()
            .fold(start, |a, v| Vec3::new(f(a.x, v.x), f(a.y, v.y), f(a.z, v.z)))
    };
    let total = by(Vec3::new(1.0, 2.0, 3.0), |a, b| a + b);
    assert_eq!(sum, total);
    assert_eq!(least, by(Vec3::splat(1000.0), f32::min));
    assert_eq!(most, by(Vec3::splat(-1000.0), f32::max));
    assert_eq!(m.to_array(), [[total.x, n as f32], [0.0, total.y - 1.0]]);
}

/// Sums in the bits of which the order of additions shows: for a comparison of thread pools.
pub fn order_dependent(device: &Device, n: usize) -> Vec<u64> {
    let x = Field::from_fn(device, n, |[i]| (i as f32 * 0.37).sin()).unwrap();
    let y = Field::from_fn(device, n, |[i]| (i as f64 * 0.37).sin()).unwrap();
    let z = Field::from_fn(device, n, |[i]| Vec3::splat((i as f32).sqrt())).unwrap();
    let mut w = y.try_clone().unwrap();
    let (a, b, c) = (one(&x).unwrap(), floats(&y).unwrap(), vectors(&z).unwrap());
    let shape = [n / 16, 16];
    let table = Field::from_fn(device, shape, |[i, j]| scatter(i * 16 + j)).unwrap();
    let mut hits = Field::zeros(device, 3).unwrap();
    let d = mixed(&table, &mut hits).unwrap();
    vec![
        u64::from(a.to_bits()),
        b.sum.to_bits(),
        u64::from(c.0.x.to_bits()),
        chained(&mut w).unwrap().to_bits(),
        d.0 as u64,
        u64::from(d.2),
    ]
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        bounded,
        two_maxima,
        changed_by_the_domain,
        of_i16,
        of_i32,
        of_i64,
        of_u16,
        of_u32,
        of_u64,
        bytes,
        floats<f32>,
        floats<f64>,
        extremes<f32>,
        extremes<f64>,
        extremes<swathe::f16>,
        extremes<swathe::bf16>,
        extreme_vectors,
        complex_sum,
        in_any_order<f32>,
        in_any_order<f64>,
        integers_in_any_order,
        booleans,
        vectors,
        chained,
        mixed,
        ranges,
        no_result,
        one,
        parts,
        by_two_names
    ]
}
