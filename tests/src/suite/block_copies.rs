//! Loops that change small fields by atomic operations alone, which blocks of a GPU do in copies of their own.

use swathe::prelude::*;
use swathe::{Soa, Vector};

use super::support::{SIZES, ended, equal, field, scatter, sources};

/// In branches, sequential loops and behind `let _`; additions and subtractions.
#[kernel]
fn table(x: &Field<i32>, bins: &mut Field<i32, 2>) {
    for i in x.indices() {
        let a = x[i].rem_euclid(3) as usize;
        if x[i] > 0 {
            bins[[a, i % 5]].atomic_add(x[i]);
        } else if x[i] < -50 {
            bins[[a, 4]].atomic_sub(x[i]);
        } else {
            let _ = bins[[2 - a, 0]].atomic_add(7);
        }
        for k in 0..a {
            match k {
                0 => bins[[k, 3]].atomic_add(1),
                _ => bins[[k, 1]].atomic_sub(2),
            };
        }
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    count: u32,
    by_rest: [u32; 3],
    sums: Vector<u32, 2>,
}

/// Members, items, vectors and components.
#[kernel]
fn cells(x: &Field<i32>, cells: &mut Field<Cell>) {
    for i in x.indices() {
        let k = i % cells.len();
        cells[k].count.atomic_add(1);
        cells[k].by_rest[i % 3].atomic_add(x[i].unsigned_abs());
        cells[k].sums.atomic_add(Vector::<u32, 2>::new(i as u32, 1));
        cells[k].sums.y.atomic_add(3);
    }
}

/// Each field by another operation, with a reduction beside them.
#[kernel]
fn each_kind(
    x: &Field<i32>,
    least: &mut Field<i32>,
    most: &mut Field<u32>,
    and: &mut Field<i32>,
    or: &mut Field<u32>,
    xor: &mut Field<u32>,
) -> i64 {
    let mut sum = 0;
    for i in x.indices() {
        sum += x[i] as i64;
        least[i % 3].atomic_min(x[i]);
        most[i % 3].atomic_max(x[i].unsigned_abs());
        and[i % 3].atomic_and(x[i] | -1024);
        or[i % 3].atomic_or(1 << (i % 17));
        xor[i % 3].atomic_xor(i as u32);
    }
    sum
}

/// The field is read, or changed in two ways: there are no copies.
#[kernel]
fn no_copies(x: &Field<i32>, both: &mut Field<i32>, old: &mut Field<u32>, taken: &mut Field<u32>) {
    for i in x.indices() {
        both[0].atomic_add(1);
        both[1].atomic_max(x[i]);
        taken[i] = old[0].atomic_add(2);
    }
}

/// Copies in one loop, plain accesses in the next.
#[kernel]
fn in_turn(x: &Field<i32>, bins: &mut Field<u32>, out: &mut Field<u32>) {
    for i in x.indices() {
        bins[x[i].rem_euclid(4) as usize].atomic_add(1);
    }
    for i in out.indices() {
        out[i] = bins[i % 4];
    }
    for i in x.indices() {
        bins[i % 4].atomic_add(10);
    }
}

#[kernel]
fn offset_bins(x: &Field<i32>, bins: &mut OffsetField<u32>) {
    for i in x.indices() {
        bins[(x[i] % 3) as isize].atomic_add(1);
    }
}

/// Numbers from 6 on have no bin.
#[kernel]
fn too_few(x: &Field<i32>, bins: &mut Field<u32>) {
    for i in x.indices() {
        bins[x[i].rem_euclid(7) as usize].atomic_add(1);
    }
}

/// What threads exchange takes shared memory, too: here all of it, 8 bytes for each of 8 warps.
#[kernel]
fn beside_large_sums(x: &Field<i32>, bins: &mut Field<u32>) -> f64 {
    let mut sum = Vector::<f64, 768>::splat(0.0);
    for i in x.indices() {
        bins[i % bins.len()].atomic_add(1);
        if i % 100 == 0 {
            sum += Vector::<f64, 768>::splat(1.0);
        }
    }
    sum[767]
}

/// Blocks of threads over several axes.
#[kernel]
fn over_planes(x: &Field<u32, 3>, bins: &mut Field<u32>) {
    for [i, j, k] in x.indices() {
        bins[(i + 2 * j + 3 * k) % bins.len()].atomic_add(x[[i, j, k]]);
    }
}

pub fn check(device: &Device) {
    for n in SIZES.into_iter().chain([100_000]) {
        let values: Vec<i32> = (0..n).map(scatter).collect();
        let x = field(device, &values);

        let mut bins = Field::full(device, [3, 5], 11).unwrap();
        table(&x, &mut bins).unwrap();
        let mut expected = ndarray::Array2::from_elem([3, 5], 11_i32);
        for (i, v) in values.iter().enumerate() {
            let a = v.rem_euclid(3) as usize;
            match *v {
                v if v > 0 => expected[[a, i % 5]] += v,
                v if v < -50 => expected[[a, 4]] -= v,
                _ => expected[[2 - a, 0]] += 7,
            }
            if a > 0 {
                expected[[0, 3]] += 1;
            }
            if a > 1 {
                expected[[1, 1]] -= 2;
            }
        }
        assert_eq!(bins.to_ndarray().unwrap(), expected, "{n}");

        let start = Cell {
            count: 5,
            ..Cell::default()
        };
        let mut got = Field::full(device, 11, start).unwrap();
        cells(&x, &mut got).unwrap();
        let mut expected = vec![start; 11];
        for (i, v) in values.iter().enumerate() {
            let cell = &mut expected[i % 11];
            cell.count += 1;
            cell.by_rest[i % 3] += v.unsigned_abs();
            cell.sums.x += i as u32;
            cell.sums.y += 4;
        }
        equal("cells", &got.to_vec().unwrap(), &expected);
        // In planes there are none.
        let mut got = Field::full(device, 11, start).unwrap().with_layout(Soa).unwrap();
        cells(&x, &mut got).unwrap();
        equal("cells in planes", &got.to_vec().unwrap(), &expected);

        check_kinds(device, &values);

        let mut both = field(device, &[1, -200]);
        let mut old = field(device, &[4_u32]);
        let mut taken = Field::zeros(device, n).unwrap();
        no_copies(&x, &mut both, &mut old, &mut taken).unwrap();
        let largest = values.iter().copied().max().unwrap_or(-200);
        equal("both", &both.to_vec().unwrap(), &[1 + n as i32, largest]);
        let mut taken = taken.to_vec().unwrap();
        taken.sort_unstable();
        equal("taken", &taken, &(0..n as u32).map(|k| 4 + 2 * k).collect::<Vec<_>>());

        let mut bins = field(device, &[1_u32, 2, 3, 4]);
        let mut out = Field::zeros(device, 6).unwrap();
        in_turn(&x, &mut bins, &mut out).unwrap();
        let count = |k: usize| values.iter().filter(|v| v.rem_euclid(4) as usize == k).count();
        let first = |k: usize| (1 + k + count(k)) as u32;
        equal("out", &out.to_vec().unwrap(), &[0, 1, 2, 3, 0, 1].map(first));
        let second = |k: usize| first(k) + 10 * (0..n).filter(|i| i % 4 == k).count() as u32;
        equal("bins", &bins.to_vec().unwrap(), &[0, 1, 2, 3].map(second));

        let mut bins = Field::full(device, 5, 1_u32).unwrap().with_origin(-2).unwrap();
        offset_bins(&x, &mut bins).unwrap();
        let count = |k: i32| 1 + values.iter().filter(|v| **v % 3 == k).count() as u32;
        equal("offset", &bins.field().to_vec().unwrap(), &[-2, -1, 0, 1, 2].map(count));

        check_failures(device, &values);
    }
    check_large_sums(device);
    for shape in [[0, 3, 2], [1, 1, 1], [3, 17, 5], [20, 30, 41]] {
        let x = Field::from_fn(device, shape, |[i, j, k]| (i * 7 + j * 5 + k) as u32).unwrap();
        let mut bins = Field::zeros(device, 9).unwrap();
        over_planes(&x, &mut bins).unwrap();
        let mut expected = [0; 9];
        for (i, j, k) in positions(shape) {
            expected[(i + 2 * j + 3 * k) % 9] += (i * 7 + j * 5 + k) as u32;
        }
        equal("over planes", &bins.to_vec().unwrap(), &expected);
    }
}

fn positions([a, b, c]: [usize; 3]) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..a).flat_map(move |i| (0..b).flat_map(move |j| (0..c).map(move |k| (i, j, k))))
}

fn check_kinds(device: &Device, values: &[i32]) {
    let x = field(device, values);
    let mut least = field(device, &[50, -7, 3]);
    let mut most = field(device, &[0_u32, 99, 3]);
    let mut and = field(device, &[-1, 0x5555, -9]);
    let mut or = field(device, &[1 << 20, 0_u32, 4]);
    let mut xor = field(device, &[0_u32, 9, 1 << 31]);
    let sum = each_kind(&x, &mut least, &mut most, &mut and, &mut or, &mut xor).unwrap();
    assert_eq!(sum, values.iter().map(|v| i64::from(*v)).sum::<i64>());
    let of = |k: usize| values.iter().copied().enumerate().filter(move |(i, _)| i % 3 == k);
    let three = [0, 1, 2];
    let expected = three.map(|k| of(k).fold([50, -7, 3][k], |a, (_, v)| a.min(v)));
    equal("least", &least.to_vec().unwrap(), &expected);
    let expected = three.map(|k| of(k).fold([0, 99, 3][k], |a, (_, v)| a.max(v.unsigned_abs())));
    equal("most", &most.to_vec().unwrap(), &expected);
    let expected = three.map(|k| of(k).fold([-1, 0x5555, -9][k], |a, (_, v)| a & (v | -1024)));
    equal("and", &and.to_vec().unwrap(), &expected);
    let expected = three.map(|k| of(k).fold([1 << 20, 0, 4][k], |a, (i, _)| a | 1 << (i % 17)));
    equal("or", &or.to_vec().unwrap(), &expected);
    let expected = three.map(|k| of(k).fold([0, 9, 1 << 31][k], |a, (i, _)| a ^ i as u32));
    equal("xor", &xor.to_vec().unwrap(), &expected);
}

fn check_large_sums(device: &Device) {
    // Few bins beside few blocks: copies of them would pay.
    let (n, of) = (1000, 17);
    let x = Field::zeros(device, n).unwrap();
    let mut bins = Field::zeros(device, of).unwrap();
    assert_eq!(beside_large_sums(&x, &mut bins).unwrap(), 10.0);
    let count = |k: usize| (0..n).skip(k).step_by(of).count() as u32;
    equal(
        "beside large sums",
        &bins.to_vec().unwrap(),
        &(0..of).map(count).collect::<Vec<_>>(),
    );
}

fn check_failures(device: &Device, values: &[i32]) {
    let x = field(device, values);
    let mut bins = Field::zeros(device, 6).unwrap();
    let result = ended(device, too_few(&x, &mut bins));
    let (outside, inside): (Vec<i32>, Vec<i32>) = values.iter().map(|v| v.rem_euclid(7)).partition(|k| *k >= 6);
    match result {
        Ok(()) => assert!(outside.is_empty()),
        Err(Error::OutOfBounds { count, .. }) => assert_eq!(count, outside.len()),
        Err(other) => panic!("{other}"),
    }
    let count = |k: i32| inside.iter().filter(|v| **v == k).count() as u32;
    equal("inside", &bins.to_vec().unwrap(), &[0, 1, 2, 3, 4, 5].map(count));
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        table,
        cells,
        each_kind,
        no_copies,
        in_turn,
        offset_bins,
        too_few,
        over_planes
    ]
}
