//! Offset fields from the host, and how their accesses are kept in bounds.

use ndarray::{Array2, array};
use swathe::prelude::*;
use swathe::{Coverage, Error, Soa};

fn grid(origin: [isize; 2]) -> OffsetField<i32, 2> {
    let field = Field::from_fn(&Device::cpu(), [3, 4], |[i, j]| (10 * i + j) as i32).unwrap();
    field.with_origin(origin).unwrap()
}

#[test]
fn positions_start_at_the_origin() {
    let mut u = grid([-2, 5]);
    assert_eq!((u.shape(), u.origin(), u.ranges()), ([3, 4], [-2, 5], [-2..1, 5..9]));
    assert_eq!((u.len(), u.is_empty(), u.device()), (12, false, &Device::cpu()));
    assert_eq!(u.get([-2, 5]).unwrap(), 0);
    assert_eq!(u.get([0, 8]).unwrap(), 23);
    u.set([-1, 7], -5).unwrap();
    assert_eq!(u.field().get([1, 2]).unwrap(), -5);
    let all: Vec<([isize; 2], i32)> = u.indexed_iter().unwrap().collect();
    assert_eq!(
        (all.len(), all[0], all[6], all[11]),
        (12, ([-2, 5], 0), ([-1, 7], -5), ([0, 8], 23))
    );
    for (at, text) in [
        (
            [-3, 5],
            "no element at [-3, 5]: index -3 is out of range -2..1 of axis 0",
        ),
        ([1, 5], "no element at [1, 5]: index 1 is out of range -2..1 of axis 0"),
        ([0, 9], "no element at [0, 9]: index 9 is out of range 5..9 of axis 1"),
        (
            [isize::MAX, isize::MIN],
            "no element at [9223372036854775807, -9223372036854775808]: index 9223372036854775807 is out of range -2..1 of axis 0",
        ),
    ] {
        let expected = Error::OutOfRange {
            index: at.to_vec(),
            ranges: vec![-2..1, 5..9],
        };
        assert_eq!(u.get(at).unwrap_err(), expected);
        assert_eq!(u.set(at, 1).unwrap_err().to_string(), text);
    }
    let single = Field::full(&Device::cpu(), [], 2.5).unwrap().with_origin([]).unwrap();
    assert_eq!(single.get([]).unwrap(), 2.5);
}

#[test]
fn an_origin_leaves_room_for_all_positions() {
    let device = Device::cpu();
    let zeros = |n: usize| Field::<u8>::zeros(&device, n).unwrap();
    assert_eq!(
        zeros(3).with_origin(isize::MIN).unwrap().get(isize::MIN + 2).unwrap(),
        0
    );
    assert!(zeros(3).with_origin(isize::MAX - 3).is_ok());
    assert!(zeros(0).with_origin(isize::MAX).is_ok());
    let error = zeros(3).with_origin(isize::MAX - 2).unwrap_err();
    assert_eq!(
        error,
        Error::Origin {
            origin: vec![isize::MAX - 2],
            shape: vec![3]
        }
    );
    let text = error.to_string();
    assert!(
        text.starts_with("a field of shape [3] cannot start at [9223372036854775805]"),
        "{text}"
    );

    // A larger field in its place moves the origin back.
    let mut u = zeros(3).with_origin(isize::MAX - 3).unwrap();
    *u.field_mut() = zeros(10);
    assert_eq!((u.origin(), u.shape()), ([isize::MAX - 10], [10]));
    assert_eq!(u.get(isize::MAX - 1).unwrap(), 0);
    assert!(u.get(isize::MAX).is_err());
}

#[test]
fn everything_else_is_the_fields() {
    let mut u = grid([-1, -1]);
    let mut v = u.try_clone().unwrap();
    assert_eq!(u, v);
    v.field_mut().fill(7).unwrap();
    assert_ne!(u, v);
    let zeros = Array2::<i32>::zeros([3, 4]);
    u.field_mut().copy_from_ndarray(&zeros).unwrap();
    assert_eq!(u.field().to_ndarray().unwrap(), zeros);
    v.field_mut().copy_from(u.field()).unwrap();
    assert_eq!(u, v);
    let planes = u.field().with_layout(Soa).unwrap().with_origin([-1, -1]).unwrap();
    assert_eq!(u, planes);
    assert_ne!(u, v.into_field().with_origin([-1, 0]).unwrap());
    assert_eq!(
        u.describe(),
        "OffsetField<i32, 2> { shape: [3, 4], origin: [-1, -1], device: cpu }"
    );
    let small = Field::<i32, 2>::from_ndarray(&Device::cpu(), &array![[1, 2]]).unwrap();
    let small = small.with_origin([3, -4]).unwrap();
    assert_eq!(format!("{small:?}"), "[[1, 2]], shape=[1, 2], on cpu, origin=[3, -4]");
    assert_eq!(Field::from(small).shape(), [1, 2]);
}

#[kernel]
fn halo(x: &OffsetField<i32, 2>, y: &OffsetField<i32, 2>, out: &mut OffsetField<i32, 2>) {
    for [i, j] in out.indices() {
        out[[i, j]] = x[[i, j]] + 10 * x[[i - 1, j]] + 100 * x[[i, j + 2]];
        if i > 0 {
            out[[i, j]] += 1000 * y[[i - 1, j]];
        }
        out[[i, j]] += x[[0, 2]] + y[[i, j]];
    }
}

#[test]
fn a_halo_is_compared_before_the_loop() {
    let checks = halo::checks();
    let found = |field: &str| -> Vec<Coverage> {
        let of = checks.accesses().filter(|access| access.field == field);
        of.map(|access| access.coverage).collect()
    };
    use Coverage::{BeforeLoop, Domain, InPlace};
    assert_eq!(found("x"), [BeforeLoop, BeforeLoop, BeforeLoop, InPlace]);
    assert_eq!(found("y"), [InPlace, BeforeLoop]);
    assert_eq!(found("out"), [Domain; 3]);
}

#[test]
fn a_halo_that_is_too_small_is_checked() {
    let device = Device::cpu();
    let value = |i: isize, j: isize| (7 * i + 3 * j) as i32;
    let field = |shape: [usize; 2], origin: [isize; 2]| {
        let at = |[i, j]: [usize; 2]| value(origin[0] + i as isize, origin[1] + j as isize);
        Field::from_fn(&device, shape, at).unwrap().with_origin(origin).unwrap()
    };
    // Enough, and one too few at each end.
    for (shape, origin, missing) in [
        ([4, 6], [-1, 0], 0),
        ([9, 9], [-4, -1], 0),
        ([3, 6], [0, 0], 4),
        ([3, 6], [-1, 0], 4),
        ([4, 5], [-1, 0], 3),
        ([4, 5], [-1, 1], 3),
    ] {
        let x = field(shape, origin);
        let y = field([3, 4], [0, 0]);
        let mut out = Field::full(&device, [3, 4], -1).unwrap().with_origin([0, 0]).unwrap();
        let result = halo(&x, &y, &mut out);
        match result {
            Ok(()) => assert_eq!(missing, 0, "{shape:?} {origin:?}"),
            Err(Error::OffsetOutOfBounds { count, .. }) => assert_eq!(count, missing, "{shape:?} {origin:?}"),
            Err(error) => panic!("{error}"),
        }
        let [rows, columns] = x.ranges();
        for ([i, j], got) in out.indexed_iter().unwrap() {
            let inside = [[i, j], [i - 1, j], [i, j + 2]];
            let inside = inside.iter().all(|[i, j]| rows.contains(i) && columns.contains(j));
            let above = if i > 0 { 1000 * value(i - 1, j) } else { 0 };
            let sum = value(i, j) + 10 * value(i - 1, j) + 100 * value(i, j + 2);
            let expected = if inside {
                sum + above + value(0, 2) + value(i, j)
            } else {
                -1
            };
            assert_eq!(got, expected, "{shape:?} {origin:?} at {i}, {j}");
        }
    }
}

#[kernel]
fn leaves(x: &OffsetField<i32>, out: &mut OffsetField<i32>) {
    let start = out.origin()[0];
    for i in out.indices() {
        if i == start {
            continue;
        }
        out[i] = x[i - 1];
    }
}

#[test]
fn an_iteration_that_leaves_needs_no_halo() {
    assert!(
        leaves::checks()
            .accesses()
            .any(|access| access.coverage == Coverage::InPlace)
    );
    let x = Field::from_slice(&Device::cpu(), &[1, 2, 3])
        .unwrap()
        .with_origin(-1)
        .unwrap();
    let mut out = x.try_clone().unwrap();
    leaves(&x, &mut out).unwrap();
    assert_eq!(out.field().to_vec().unwrap(), [1, 1, 2]);
}
