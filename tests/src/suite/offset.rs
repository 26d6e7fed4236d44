//! Fields whose positions start elsewhere than at 0.

use std::fmt::Debug;

use ndarray::s;
use swathe::prelude::*;
use swathe::{FieldLayout, Soa};

use super::support::{SIZES, ended, equal, same, scatter, sources};

/// Origins at which every kernel over one axis runs.
const STARTS: [isize; 5] = [0, -1, -500, 7, 1 << 40];

/// Shapes and origins for two axes.
const GRIDS: [([usize; 2], [isize; 2]); 6] = [
    ([0, 3], [-1, 2]),
    ([1, 1], [0, 0]),
    ([3, 5], [-1, -2]),
    ([17, 4], [5, -3]),
    ([31, 33], [-15, -16]),
    ([4, 6], [-(1 << 33), 1 << 35]),
];

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    mass: f32,
    vel: Vec2,
    tags: [i32; 3],
}

#[kernel]
fn number(u: &mut OffsetField<i64>) {
    for i in u.indices() {
        u[i] = 10 * i as i64 + 1;
    }
}

#[kernel]
fn number_2(u: &mut OffsetField<i64, 2>) {
    for [i, j] in u.indices() {
        u[[i, j]] = 1000 * i as i64 + j as i64;
    }
}

#[kernel]
fn number_whole(u: &mut OffsetField<i64, 2>, v: &mut OffsetField<i64>, w: &mut OffsetField<i64, 0>) {
    for p in u.indices() {
        let q = p;
        u[p] = 3 * p[0] as i64;
        u[q] += q[1] as i64;
        let [i, j] = q;
        u[[i, j]] += 7 * j as i64;
    }
    for p in v.indices() {
        let q = p;
        v[q] = p as i64;
    }
    for p in w.indices() {
        w[p] = 11;
    }
}

/// The neighbours that there are, by the field's own range.
#[kernel]
fn neighbours(u: &OffsetField<i64, 2>, out: &mut OffsetField<i64, 2>) {
    let [top, left] = u.origin();
    let [h, w] = u.shape();
    let (bottom, right) = (top + h as isize, left + w as isize);
    for [i, j] in u.indices() {
        let mut sum = 0;
        if i > top {
            sum += u[[i - 1, j]];
        }
        if i + 1 < bottom {
            sum += 3 * u[[i + 1, j]];
        }
        if j > left {
            sum += 5 * u[[i, j - 1]];
        }
        if j + 1 < right {
            sum += 7 * u[[i, j + 1]];
        }
        out[[i, j]] = sum;
    }
}

/// `u` has a halo around `out`.
#[kernel]
fn halo(u: &OffsetField<i64, 2>, out: &mut OffsetField<i64, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = u[[i - 1, j]] + 3 * u[[i + 1, j]] + 5 * u[[i, j - 1]] + 7 * u[[i, j + 1]];
    }
}

/// Positions of one field in another: in bounds by one comparison, or not.
#[kernel]
fn add(x: &OffsetField<i64>, y: &mut OffsetField<i64>) {
    for i in y.indices() {
        y[i] += x[i];
    }
}

#[kernel]
fn add_2(x: &OffsetField<i64, 2>, y: &mut OffsetField<i64, 2>) {
    for [i, j] in y.indices() {
        y[[i, j]] += x[[i, j]];
    }
}

#[kernel]
fn add_whole(x: &OffsetField<i64, 2>, y: &mut OffsetField<i64, 2>) {
    for p in y.indices() {
        y[p] += x[p];
    }
}

/// Axes change places; so do origins.
#[kernel]
fn transpose(x: &OffsetField<i64, 2>, y: &mut OffsetField<i64, 2>) {
    for [i, j] in x.indices() {
        y[[j, i]] = x[[i, j]];
    }
}

/// Edges by their numbers, in a loop and outside of one.
#[kernel]
fn edges(u: &mut OffsetField<i64, 2>, n: isize) -> i64 {
    u[[-1, -1]] = 5;
    for j in 0..n {
        u[[-1, j]] = 100 + j as i64;
        u[[n, j]] = 200 + j as i64;
    }
    for i in -1..n {
        u[[i, -1]] = 300 + i as i64;
    }
    for i in (-1..n + 1).step_by(2) {
        u[[i, n]] = 400 + i as i64;
    }
    u[[-1, -1]]
}

/// Own elements at a constant distance; the second loop's only where an iteration comes to them.
#[kernel]
fn moved(x: &OffsetField<i64>, u: &mut OffsetField<i64>) {
    for i in x.indices() {
        u[i + 2] = x[i] + 1;
    }
    for i in x.indices() {
        if i != 3 {
            u[i - 1 + 3] += 5;
        }
    }
}

/// From a field that counts from 0, and back.
#[kernel]
fn shift(x: &Field<i64>, u: &mut OffsetField<i64>, y: &mut Field<i64>) {
    let start = u.origin()[0];
    for i in x.indices() {
        // SAFETY: positions are as different as `i` is.
        unsafe {
            u[start + i as isize] = 2 * x[i];
        }
    }
    for i in u.indices() {
        let k = (i - start) as usize;
        // SAFETY: as above.
        unsafe {
            y[k] = u[i] + x[k];
        }
    }
}

/// A position of another integer is a position of its own, if it is cast alone.
#[kernel]
fn cast(x: &Field<i64>, u: &mut OffsetField<i64>, y: &mut Field<i64>) {
    for i in x.indices() {
        u[i as isize] += x[i];
    }
    for i in u.indices() {
        if i >= 0 {
            y[i as usize] = u[i];
        }
    }
    for i in -3_i32..4 {
        u[i as isize] -= 1;
    }
}

#[kernel]
fn from_axes(u: &mut OffsetField<i64, 3>) {
    let [a, b, c] = u.shape();
    let [x, y, z] = u.origin();
    for [i, j] in ndrange([a, b]) {
        for k in 0..c {
            // SAFETY: as different as `i` and `j` are.
            unsafe {
                u[[x + i as isize, y + j as isize, z + k as isize]] += (100 * i + 10 * j + k) as i64;
            }
        }
    }
    for [i, j, k] in u.indices() {
        u[[i, j, k]] = 7 * u[[i, j, k]] + (i - x) as i64;
    }
}

/// Sequential loops run over the same positions, in order.
#[kernel]
fn sequential(u: &mut OffsetField<i64>, v: &OffsetField<i64, 2>, rows: &mut OffsetField<i64>) -> i64 {
    let mut last = 0;
    for i in serial(u.indices()) {
        last = 2 * last % 1_000_003 + i as i64;
        u[i] = last;
    }
    for i in rows.indices() {
        let mut sum = 0;
        'all: for [a, b] in v.indices() {
            if b == i {
                continue;
            }
            if a > 1 {
                break 'all;
            }
            sum = (3 * sum + v[[a, b]]) % 1_000_003;
        }
        rows[i] = sum;
    }
    last
}

#[kernel]
fn moments(u: &OffsetField<i64, 2>) -> (i64, isize, isize) {
    let (mut sum, mut least, mut most) = (0, 1000, -1000);
    for [i, j] in u.indices() {
        sum += u[[i, j]] * i as i64 - j as i64;
        least = least.min(i);
        most = most.max(j);
    }
    (sum, least, most)
}

/// Sums into bins around 0.
#[kernel]
fn bins(x: &Field<i32>, count: &mut OffsetField<u32>, least: &mut OffsetField<i32>) {
    for i in x.indices() {
        count[x[i] as isize].atomic_add(1);
    }
    for i in x.indices() {
        let old = least[-(x[i] as isize)].atomic_min(i as i32);
        if old < 0 {
            least[x[i] as isize].atomic_store(old);
        }
    }
}

#[kernel]
fn cells(u: &mut OffsetField<Cell, 2>, push: Vec2) -> f32 {
    let mut total = 0.0;
    for [i, j] in u.indices() {
        u[[i, j]].mass += 0.5;
        u[[i, j]].vel += push * i as f32;
        u[[i, j]].tags[1] = j as i32;
        let cell = u[[i, j]];
        u[[i, j]].tags[2] = cell.tags[1] - cell.tags[0];
        total += cell.mass;
    }
    total
}

#[kernel]
fn double(u: &mut OffsetField<f32, 2>) {
    for [i, j] in u.indices() {
        u[[i, j]] *= 2.0;
    }
}

#[kernel]
fn scaled<T: Float, const D: usize>(u: &mut OffsetField<T>, factor: T, other: &OffsetField<T, D>) {
    let n = other.len();
    for i in u.indices() {
        u[i] = u[i] * factor + T::from_f64(i as f64) + T::from_f64(n as f64);
    }
}

#[kernel]
fn unchecked(x: &OffsetField<i64>, u: &mut OffsetField<i64>) {
    for i in u.indices() {
        // SAFETY: the test passes fields of the same range.
        unsafe {
            *u.get_unchecked_mut(i) = *x.get_unchecked(i) + 1;
        }
    }
}

const FAILS: u32 = line!() + 2;
#[kernel]
fn fails(u: &OffsetField<i64, 2>, out: &mut OffsetField<i64, 2>, di: isize) {
    for [i, j] in out.indices() {
        out[[i, j]] = u[[i + di, j]];
    }
}

#[kernel]
fn fails_at(u: &mut OffsetField<i64>, at: isize) -> i64 {
    u[at] = 4;
    u[at]
}

fn offset<T: Element, const D: usize>(
    device: &Device,
    shape: [usize; D],
    origin: [isize; D],
    value: impl Fn([isize; D]) -> T,
) -> OffsetField<T, D> {
    let at = |offset: [usize; D]| std::array::from_fn(|k| origin[k] + offset[k] as isize);
    let field = Field::from_fn(device, shape, |offset| value(at(offset))).unwrap();
    field.with_origin(origin).unwrap()
}

/// Compares with what each position should hold.
#[track_caller]
fn holds<T, const D: usize, L>(what: &str, got: &OffsetField<T, D, L>, expected: impl Fn([isize; D]) -> T)
where
    T: Element + PartialEq + Debug,
    L: FieldLayout,
{
    let expected = offset(&Device::cpu(), got.shape(), got.origin(), expected);
    equal(
        what,
        &got.field().to_vec().unwrap(),
        &expected.field().to_vec().unwrap(),
    );
}

fn value([i, j]: [isize; 2]) -> i64 {
    i64::from(scatter((i.rem_euclid(1000) * 37 + j.rem_euclid(1000)) as usize))
}

fn line(i: isize) -> i64 {
    i64::from(scatter(i.rem_euclid(100_000) as usize))
}

fn one_axis(device: &Device) {
    for start in STARTS {
        for n in SIZES {
            let what = format!("{n} from {start}");
            let end = start + n as isize;
            let mut u = offset(device, [n], [start], |_| 0);
            number(&mut u).unwrap();
            holds(&what, &u, |[i]| 10 * i as i64 + 1);

            let x = Field::from_fn(device, n, |[i]| line(i as isize)).unwrap();
            let mut y = Field::zeros(device, n).unwrap();
            shift(&x, &mut u, &mut y).unwrap();
            holds(&what, &u, |[i]| 2 * line(i - start));
            same(&what, &y, (0..n as isize).map(|i| 3 * line(i)).collect());

            let x = offset(device, [n], [start], |[i]| line(i));
            let mut two_on = offset(device, [n], [start + 2], |_| 0);
            moved(&x, &mut two_on).unwrap();
            holds(&what, &two_on, |[i]| line(i - 2) + if i == 5 { 1 } else { 6 });
            unchecked(&x, &mut u).unwrap();
            holds(&what, &u, |[i]| line(i) + 1);
            let wide = offset(device, [n + 5], [start - 2], |[i]| line(i));
            add(&wide, &mut u).unwrap();
            holds(&what, &u, |[i]| 2 * line(i) + 1);

            let mut rows = offset(device, [4], [-2], |_| 0);
            let v = offset(device, [5, 3], [-1, -1], value);
            let last = sequential(&mut u, &v, &mut rows).unwrap();
            let mut sum = 0;
            let expected: Vec<i64> = (start..end)
                .map(|i| {
                    sum = 2 * sum % 1_000_003 + i as i64;
                    sum
                })
                .collect();
            equal(&what, &u.field().to_vec().unwrap(), &expected);
            assert_eq!(last, sum, "{what}");
            holds(&what, &rows, |[i]| {
                let all = (-1..=1).flat_map(|a| (-1..=1).map(move |b| [a, b]));
                all.filter(|p| p[1] != i)
                    .fold(0, |sum, p| (3 * sum + value(p)) % 1_000_003)
            });

            let mut f = offset(device, [n], [start], |[i]| i as f64);
            scaled(&mut f, 0.5, &offset(device, [2, 3], [-1, 5], |_| 0.0)).unwrap();
            holds(&what, &f, |[i]| 1.5 * i as f64 + 6.0);
        }
    }
}

fn two_axes(device: &Device) {
    for (shape, origin) in GRIDS {
        let what = format!("{shape:?} from {origin:?}");
        let mut u = offset(device, shape, origin, |_| 0);
        number_2(&mut u).unwrap();
        holds(&what, &u, |[i, j]| 1000 * i as i64 + j as i64);
        let mut v = offset(device, [shape[1]], [origin[0]], |_| 0);
        let mut w = Field::full(device, [], 3).unwrap().with_origin([]).unwrap();
        number_whole(&mut u, &mut v, &mut w).unwrap();
        holds(&what, &u, |[i, j]| 3 * i as i64 + 8 * j as i64);
        holds(&what, &v, |[i]| i as i64);
        assert_eq!(w.get([]).unwrap(), 11);

        let x = offset(device, shape, origin, value);
        let inside = |[i, j]: [isize; 2]| x.ranges()[0].contains(&i) && x.ranges()[1].contains(&j);
        let at = |p| if inside(p) { value(p) } else { 0 };
        neighbours(&x, &mut u).unwrap();
        holds(&what, &u, |[i, j]| {
            at([i - 1, j]) + 3 * at([i + 1, j]) + 5 * at([i, j - 1]) + 7 * at([i, j + 1])
        });

        let wide = offset(device, shape.map(|n| n + 2), origin.map(|i| i - 1), value);
        halo(&wide, &mut u).unwrap();
        holds(&what, &u, |[i, j]| {
            value([i - 1, j]) + 3 * value([i + 1, j]) + 5 * value([i, j - 1]) + 7 * value([i, j + 1])
        });
        add_2(&x, &mut u).unwrap();
        add_2(&wide, &mut u).unwrap();
        add_whole(&wide, &mut u).unwrap();
        let expected = |[i, j]: [isize; 2]| {
            let around = value([i - 1, j]) + 3 * value([i + 1, j]) + 5 * value([i, j - 1]) + 7 * value([i, j + 1]);
            around + 3 * value([i, j])
        };
        holds(&what, &u, expected);
        let mut turned = offset(device, [shape[1], shape[0]], [origin[1], origin[0]], |_| 0);
        transpose(&u, &mut turned).unwrap();
        holds(&what, &turned, |[j, i]| expected([i, j]));

        if origin[0].abs() < 1000 {
            let (sum, least, most) = moments(&x).unwrap();
            let all = || x.indexed_iter().unwrap();
            let each = all().map(|([i, j], value)| value * i as i64 - j as i64);
            assert_eq!(sum, each.sum::<i64>(), "{what}");
            assert_eq!(
                least,
                all().map(|(p, _)| p[0]).min().unwrap_or(1000).min(1000),
                "{what}"
            );
            assert_eq!(most, all().map(|(p, _)| p[1]).max().unwrap_or(-1000), "{what}");
        }
    }
}

fn layouts(device: &Device) {
    for (shape, origin) in GRIDS {
        let cell = |[i, j]: [isize; 2]| Cell {
            mass: value([i, j]) as f32,
            vel: Vec2::new(j.rem_euclid(9) as f32, 2.0),
            tags: [j as i32 % 10, -1, -2],
        };
        let pushed = |[i, j]: [isize; 2]| {
            let before = cell([i, j]);
            Cell {
                mass: before.mass + 0.5,
                vel: before.vel + Vec2::new(0.5, 2.0) * i as f32,
                tags: [before.tags[0], j as i32, j as i32 - before.tags[0]],
            }
        };
        let mut whole = offset(device, shape, origin, cell);
        let mut planes = whole.field().with_layout(Soa).unwrap().with_origin(origin).unwrap();
        let push = Vec2::new(0.5, 2.0);
        let total: f32 = whole.field().to_vec().unwrap().iter().map(|cell| cell.mass + 0.5).sum();
        for got in [cells(&mut whole, push).unwrap(), cells(&mut planes, push).unwrap()] {
            assert!((got - total).abs() < 0.5, "{got} for {total}");
        }
        holds("whole", &whole, pushed);
        holds("planes", &planes, pushed);
        assert_eq!(whole, planes);

        let mut u = offset(device, shape.map(|n| n + 3), origin, |_| 0);
        let inner = s![1..u.shape()[0] - 2, 2..u.shape()[1] - 1];
        number_2(&mut u.field_mut().slice_mut(inner).unwrap().with_origin(origin).unwrap()).unwrap();
        let ranges = whole.ranges();
        holds("slice", &u, |[i, j]| {
            match (ranges[0].contains(&(i - 1)), ranges[1].contains(&(j - 2))) {
                (true, true) => 1000 * (i - 1) as i64 + (j - 2) as i64,
                _ => 0,
            }
        });
        let mut turned = offset(device, shape, origin, |_| 1);
        let part = u.field().slice(inner).unwrap();
        add_2(&part.with_origin(origin).unwrap(), &mut turned).unwrap();
        holds("added slice", &turned, |[i, j]| 1000 * i as i64 + j as i64 + 1);
        let mut masses = planes
            .field_mut()
            .member_mut::<f32>("mass")
            .unwrap()
            .with_origin(origin)
            .unwrap();
        double(&mut masses).unwrap();
        holds("member", &planes, |p| Cell {
            mass: 2.0 * pushed(p).mass,
            ..pushed(p)
        });
    }
}

fn numbers(device: &Device) {
    for n in [0_isize, 1, 3, 17] {
        let mut u = offset(device, [n as usize + 2; 2], [-1, -1], |_| 0);
        assert_eq!(edges(&mut u, n).unwrap(), 300 - 1);
        holds("edges", &u, |[i, j]| match (i, j) {
            (_, -1) if i < n => 300 + i as i64,
            (_, _) if j == n && (i + 1) % 2 == 0 => 400 + i as i64,
            (-1, _) if (0..n).contains(&j) => 100 + j as i64,
            (_, _) if i == n && (0..n).contains(&j) => 200 + j as i64,
            _ => 0,
        });
    }
    let x = Field::from_fn(device, 17, |[i]| line(i as isize)).unwrap();
    let mut u = offset(device, [23], [-4], |[i]| i as i64);
    let mut y = Field::full(device, 19, -7).unwrap();
    cast(&x, &mut u, &mut y).unwrap();
    let cast = |i: isize| i as i64 + if (0..17).contains(&i) { line(i) } else { 0 };
    holds("cast", &u, |[i]| cast(i) - i64::from((-3..4).contains(&i)));
    same("cast back", &y, (0..19).map(cast).collect());

    let mut u = offset(device, [3, 4, 5], [-1, 10, -7], |_| 1);
    from_axes(&mut u).unwrap();
    holds("three axes", &u, |[i, j, k]| {
        7 * (1 + 100 * (i + 1) + 10 * (j - 10) + k + 7) as i64 + (i + 1) as i64
    });

    for n in [0, 17, 100_000] {
        let x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        let mut count = offset(device, [201], [-100], |_| 5);
        let mut least = offset(device, [201], [-100], |_| i32::MAX);
        bins(&x, &mut count, &mut least).unwrap();
        let of = |k: isize| (0..n).filter(move |i| scatter(*i) as isize == k);
        holds("count", &count, |[k]| 5 + of(k).count() as u32);
        holds("least", &least, |[k]| of(-k).min().map_or(i32::MAX, |i| i as i32));
    }
}

fn failures(device: &Device) {
    let fail = |result| ended(device, result).unwrap_err();
    let u = offset(device, [3, 5], [-1, -2], value);
    let mut out = offset(device, [3, 5], [-1, -2], |_| -7);
    let error = fail(fails(&u, &mut out, -2));
    assert_eq!(
        error.to_string(),
        format!(
            "{}:{}:{}: kernel `fails` accessed `u` at [-3, -2]: index -3 is out of range -1..2 of axis 0 (and 9 more failures)",
            file!(),
            FAILS + 2,
            23
        )
    );
    // What failed is left alone, the rest is done.
    holds("failed", &out, |[i, j]| if i < 1 { -7 } else { value([i - 2, j]) });
    let Error::OffsetOutOfBounds {
        index, ranges, count, ..
    } = error
    else {
        panic!("{error}");
    };
    assert_eq!(
        (&index[..], &ranges[..], count),
        (&[-3, -2][..], &[-1..2, -2..3][..], 10)
    );

    // The same shapes at another origin: the message has the origin of the launch that failed.
    let u = offset(device, [3, 5], [-2, -2], value);
    let error = fail(fails(&u, &mut out, 0)).to_string();
    let found = "at [1, -2]: index 1 is out of range -2..1 of axis 0 (and 4 more failures)";
    assert!(error.ends_with(found), "{error}");
    let u = offset(device, [3, 5], [-1, -1], value);
    let error = fail(fails(&u, &mut out, 0)).to_string();
    assert!(
        error.contains("at [-1, -2]: index -2 is out of range -1..4 of axis 1"),
        "{error}"
    );

    let mut x = offset(device, [3], [-1], |_| 1);
    let y = offset(device, [3], [0], |_| 10);
    let error = fail(add(&y, &mut x)).to_string();
    assert!(
        error.ends_with("accessed `x` at [-1]: index -1 is out of range 0..3 of axis 0"),
        "{error}"
    );
    holds("added", &x, |[i]| if i < 0 { 1 } else { 11 });

    for start in [0, -3, 1 << 40, isize::MIN, isize::MAX - 3] {
        let mut u = offset(device, [3], [start], |_| 1);
        for at in [
            isize::MIN,
            -1,
            0,
            3,
            isize::MAX,
            start,
            start.wrapping_sub(1),
            start + 2,
            start + 3,
        ] {
            match (start..start + 3).contains(&at) {
                true => assert_eq!(fails_at(&mut u, at).unwrap(), 4),
                false => {
                    let error = fail(fails_at(&mut u, at).map(|_| ())).to_string();
                    let end = start + 3;
                    let found = format!("accessed `u` at [{at}]: index {at} is out of range {start}..{end} of axis 0");
                    assert!(error.contains(&found), "{error}");
                }
            }
        }
    }
}

pub fn check(device: &Device) {
    one_axis(device);
    two_axes(device);
    layouts(device);
    numbers(device);
    failures(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        number,
        number_2,
        number_whole,
        neighbours,
        halo,
        add,
        add_2,
        add_whole,
        transpose,
        edges,
        moved,
        shift,
        cast,
        from_axes,
        sequential,
        moments,
        bins,
        cells,
        double,
        scaled<f32, 2>,
        unchecked,
        fails,
        fails_at,
    ]
}
