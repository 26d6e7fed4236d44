//! How accesses are kept in bounds: what a kernel says of it, and loops that are cut to what their condition lets through.

use ndarray::Array2;
use swathe::{Coverage, Error, PhaseKind, Technique, prelude::*};

#[kernel]
fn all_ways(x: &Field<f32>, sums: &mut Field<i32>, out: &mut Field<f32>, by: usize) {
    for i in out.indices() {
        out[i] = x[i] + x[i + by] + unsafe { *x.get_unchecked(0) };
        sums[i % 2].atomic_add(1);
    }
}

#[test]
fn a_kernel_lists_its_checks() {
    let checks = all_ways::checks();
    assert_eq!((checks.kernel(), checks.file()), ("all_ways", file!()));
    let found: Vec<(&str, u32, Coverage)> = checks.accesses().map(|a| (a.field, a.line, a.coverage)).collect();
    assert_eq!(
        found,
        [
            ("x", 9, Coverage::BeforeLoop),
            ("x", 9, Coverage::InPlace),
            ("x", 9, Coverage::Unsafe),
            ("out", 9, Coverage::Domain),
            ("sums", 10, Coverage::InPlace),
        ]
    );
    let text = checks.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "kernel `all_ways`");
    assert!(lines[2].ends_with("x     checked in place"), "{text}");
    assert!(
        lines[4].ends_with("out   in bounds by loops or conditions around it"),
        "{text}"
    );
}

#[kernel]
fn inner(u: &Field<i64, 2>, out: &mut Field<i64, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j >= 1 && i + 1 < h && j + 1 < w {
            out[[i, j]] = u[[i - 1, j]] + 10 * u[[i + 1, j]] + 100 * u[[i, j - 1]] + 1000 * u[[i, j + 1]];
        }
    }
}

#[test]
fn a_kernel_tells_how_its_loops_run() {
    let plan = inner::plan();
    assert_eq!((plan.kernel(), plan.file()), ("inner", file!()));
    let [only] = plan.loops() else { panic!("{plan}") };
    assert_eq!((only.line, only.column), (line!() - 12, 5));
    assert_eq!(
        only.techniques,
        [
            Technique::Trimmed { comparisons: 2 },
            Technique::Split {
                comparisons: 2,
                accesses: 4
            },
            Technique::Streamed,
            Technique::OneByOne,
        ]
    );
    assert!(only.remarks.is_empty(), "{plan}");
    let text = plan.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "kernel `inner`");
    assert_eq!(lines[1], format!("{}:{}:5: parallel loop", file!(), only.line));
    assert_eq!(
        lines[2],
        "    rows cut by 2 comparisons of the position (iteration-space trimming)"
    );
    let [only] = all_ways::plan().loops() else {
        panic!("one loop")
    };
    assert!(only.remarks.is_empty() && only.techniques.contains(&Technique::InTurns));
    assert!(only.techniques.contains(&Technique::Private { fields: &["sums"] }));
}

#[kernel]
fn mirrored(out: &mut Field<i64, 2>, first: usize, last: usize) {
    for [i, j] in out.indices() {
        if last >= j + 2 && 1 < j && first <= j && j != 5 {
            out[[i, j]] = 7;
        }
    }
}

#[kernel]
fn counted(h: usize, w: usize, limit: usize) -> usize {
    let mut n = 0;
    for [i, j] in ndrange([h, w]) {
        if j <= limit && i != 1 {
            n += 1;
        }
    }
    n
}

#[kernel]
fn looked_up(at: &Field<u32, 2>, x: &Field<i64>, out: &mut Field<i64, 2>, limit: usize) {
    for [i, j] in out.indices() {
        if x[at[[i, j]] as usize] > 0 && j < limit {
            out[[i, j]] = 1;
        }
    }
}

#[test]
fn rows_are_cut_to_their_condition() {
    let device = Device::cpu();
    for shape @ [h, w] in [[0, 0], [1, 1], [1, 9], [2, 2], [3, 3], [3, 40], [17, 5], [33, 100]] {
        let source = Array2::from_shape_fn(shape, |(i, j)| (13 * i + 7 * j * j) as i64);
        let u = Field::<i64, 2>::from_ndarray(&device, &source).unwrap();
        let mut out = Field::<i64, 2>::full(&device, shape, -1).unwrap();
        inner(&u, &mut out).unwrap();
        let expected = Array2::from_shape_fn(shape, |(i, j)| {
            if i == 0 || j == 0 || i + 1 >= h || j + 1 >= w {
                return -1;
            }
            source[[i - 1, j]] + 10 * source[[i + 1, j]] + 100 * source[[i, j - 1]] + 1000 * source[[i, j + 1]]
        });
        assert_eq!(out.to_ndarray().unwrap(), expected);
        // The field that is read is smaller than the domain, and larger.
        for other in [[h / 2, w], [h, w / 2], [h + 3, w + 3]] {
            let u = Field::<i64, 2>::full(&device, other, 1).unwrap();
            let mut out = Field::<i64, 2>::zeros(&device, shape).unwrap();
            let inside = |i: usize, j: usize| i > 0 && j > 0 && i + 1 < other[0] && j + 1 < other[1];
            inner(&u, &mut out).unwrap();
            let expected = Array2::from_shape_fn(shape, |(i, j)| if inside(i, j) { 1111 } else { 0 });
            assert_eq!(out.to_ndarray().unwrap(), expected);
        }
        for (first, last) in [
            (0, 0),
            (0, 1),
            (3, 20),
            (usize::MAX, usize::MAX),
            (0, usize::MAX),
            (4, 4),
        ] {
            let mut out = Field::<i64, 2>::zeros(&device, shape).unwrap();
            mirrored(&mut out, first, last).unwrap();
            let inside = |j: usize| last >= j + 2 && 1 < j && first <= j && j != 5;
            let expected = Array2::from_shape_fn(shape, |(_, j)| if inside(j) { 7 } else { 0 });
            assert_eq!(out.to_ndarray().unwrap(), expected, "{first} {last}");
        }
        for limit in [0, 1, 6, usize::MAX] {
            let expected = (0..h * w).filter(|k| k % w <= limit && k / w != 1).count();
            assert_eq!(counted(h, w, limit).unwrap(), expected);
        }
    }
}

#[test]
fn what_fails_in_a_condition_is_not_cut_off() {
    let device = Device::cpu();
    let at = Field::from_fn(&device, [2, 6], |[_, j]| if j == 5 { 99 } else { 0 }).unwrap();
    let x = Field::from_slice(&device, &[1_i64]).unwrap();
    let mut out = Field::zeros(&device, [2, 6]).unwrap();
    let error = looked_up(&at, &x, &mut out, 3).unwrap_err();
    assert!(
        matches!(
            error,
            Error::OutOfBounds {
                field: "x",
                count: 2,
                ..
            }
        ),
        "{error}"
    );
    assert_eq!(out.to_vec().unwrap(), [1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0]);
}

const QUOTIENT: u32 = line!() + 2;
#[func]
fn quotient(a: i32, b: i32) -> i32 {
    a / b
}

#[kernel]
fn phases(x: &Field<i32>, at: &Field<u32>, out: &mut Field<i32>, n: i32) -> i32 {
    let mut sum = 0;
    for i in x.indices() {
        sum += quotient(x[i], n);
    }
    for i in out.indices() {
        if i + 1 < x.len() {
            out[i] = x[i + 1] + sum;
        }
        out[i] += x[at[i] as usize];
    }
    let last = x[7];
    quotient(sum + last, n)
}

#[test]
fn a_kernel_tells_how_it_runs_on_a_device() {
    let plan = phases::plan().device().unwrap();
    let kinds: Vec<PhaseKind> = plan.phases().iter().map(|phase| phase.kind).collect();
    assert_eq!(
        kinds,
        [
            PhaseKind::Reduction,
            PhaseKind::Combination,
            PhaseKind::Loop,
            PhaseKind::Serial
        ]
    );
    let [reduction, _, second, last] = plan.phases() else {
        panic!("{plan}")
    };
    assert_eq!(
        (reduction.line, reduction.column, second.line),
        (QUOTIENT + 7, 5, QUOTIENT + 10),
        "{plan}"
    );
    // Behind a condition that implies it there is no check.
    let checks: Vec<(u32, u32, &str)> = (plan.phases().iter())
        .flat_map(|phase| phase.checks.iter().map(|c| (c.line - QUOTIENT, c.column, &*c.text)))
        .collect();
    assert_eq!(
        checks,
        [
            (1, 5, "the divisor is compared in place"),
            (14, 19, "the index of `x` is compared in place"),
            (
                14,
                21,
                "extents are compared once for a thread, and where they do not hold the index of `at` in place"
            ),
            (1, 5, "the divisor is compared in place"),
            (16, 16, "the index of `x` is compared in place"),
        ],
        "{plan}"
    );
    // A function that an earlier launch calls, too.
    assert_eq!(last.checks.len(), 2);
}

#[kernel]
fn far(
    table: &Field<f32>,
    u: &Field<f32, 2>,
    w: &Field<f32, 2>,
    v: &mut Field<f32, 2>,
    h: &mut Field<u32>,
    t: &mut Field<f32, 2>,
) {
    for p in v.indices() {
        let [i, j] = p;
        let k = i;
        if i > 1 {
            v[p] = u[[k - 2, j]] + u[[i, j + 3]] + w[p] + w[[j, i]] + table[2 * i] + table[0];
        }
        t[[i, 0]].atomic_add(1.0);
        h[i + 1].atomic_add(1);
    }
    for i in h.indices() {
        h[i] += u[[i, 0]] as u32;
        for k in 0..3 {
            h[i] += table[i + k] as u32;
        }
    }
}

/// How far accesses go: joined over all of a loop, reads and writes apart, and anywhere where the index is not a position plus a number.
#[test]
fn a_plan_tells_how_far_accesses_go() {
    let plan = far::plan();
    let of = |number: usize| -> Vec<_> {
        let reaches = plan.loops()[number].reaches.iter();
        reaches
            .map(|r| (r.parameter(), r.is_written(), r.along(0), r.along(1)))
            .collect()
    };
    assert_eq!(
        of(0),
        [
            ("table", false, None, None),
            ("u", false, Some(-2..=0), Some(0..=3)),
            ("w", false, None, None),
            ("v", true, Some(0..=0), Some(0..=0)),
            ("h", true, Some(1..=1), None),
            ("t", true, Some(0..=0), None),
        ]
    );
    assert_eq!(
        of(1),
        [
            ("table", false, Some(0..=2), None),
            ("u", false, Some(0..=0), None),
            ("h", false, Some(0..=0), Some(0..=0)),
            ("h", true, Some(0..=0), Some(0..=0)),
        ]
    );
}
