//! Programs that the checks must let through: positions by other names and types, offsets, strides, members, several loops.

use std::sync::{Mutex, MutexGuard, PoisonError};

use swathe::prelude::*;

mod devices;
use devices::devices;

/// The next call that waits for a device is told what failed there, whatever test it is in: so one at a time.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Inner {
    a: i32,
    b: i32,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Cell {
    inner: Inner,
    flows: [i32; 3],
    mass: i32,
}

#[func]
impl Cell {
    fn total(self) -> i32 {
        self.flows[0] + self.flows[1] + self.flows[2]
    }
}

/// Every second element, by a loop with a step; then the others, with an offset.
#[kernel]
fn checkered(x: &mut Field<i32>) {
    let n = x.len();
    for i in (0..n).step_by(2) {
        x[i] = 100 + i as i32;
    }
    for i in (1..n).step_by(2) {
        x[i] = -(i as i32);
    }
}

/// The interior of a plane, from a second one.
#[kernel]
fn interior(u: &Field<i32, 2>, out: &mut Field<i32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in ndrange([h, w]) {
        if i > 0 && i + 1 < h && j > 0 && j + 1 < w {
            out[[i, j]] = u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]];
        }
    }
}

/// Positions of other types.
#[kernel]
fn typed(x: &mut Field<i32>, y: &mut Field<i32>) {
    for i in 0..x.len() as i64 {
        x[i as usize] = i as i32 * 3;
        x[i as usize] += 1;
    }
    for k in 0..y.len() as u32 {
        let own = k as usize;
        let _ = own;
        y[k as usize] = k as i32 - 7;
    }
}

/// Copies of positions, patterns and blocks.
#[kernel]
fn renamed(x: &mut Field<i32, 2>, y: &mut Field<i32>) {
    for p in x.indices() {
        let [row, column] = p;
        let q = p;
        x[q] = (row * 10 + column) as i32;
        x[[row, column]] += x[p];
    }
    for i in y.indices() {
        let j = {
            let i = 5;
            i + 1
        };
        let k = i;
        {
            let k = k;
            y[k] = j as i32;
        }
        y[i] += k as i32;
    }
}

/// A name that hides another one, after its last use as a position.
#[kernel]
fn hidden(x: &mut Field<i32>) {
    for i in x.indices() {
        x[i] = 2 * i as i32;
        let i = x[i] + 1;
        let _ = i;
    }
}

/// One member is written, others are read of any element.
#[kernel]
fn members(c: &mut Field<Cell>) {
    let n = c.len();
    for i in c.indices() {
        c[i].inner.a = c[n - 1 - i].inner.b + c[(i + 1) % n].mass;
        c[i].flows[1] = c[0].mass;
        c[i].flows[i % 3] += 1;
    }
    for i in c.indices() {
        c[i].mass = c[i].total();
    }
}

/// A prefix sum by levels: two fields in turns.
#[kernel]
fn level(from: &Field<i32>, to: &mut Field<i32>, distance: usize) {
    for i in to.indices() {
        to[i] = if i >= distance {
            from[i] + from[i - distance]
        } else {
            from[i]
        };
    }
}

/// Marching over the edges of a mesh: each adds to both of its ends.
#[kernel]
fn degrees(edges: &Field<[u32; 2]>, degree: &mut Field<u32>) {
    for e in edges.indices() {
        degree[edges[e][0] as usize].atomic_add(1);
        degree[edges[e][1] as usize].atomic_add(1);
    }
}

/// A sparse matrix by rows.
#[kernel]
fn rows(start: &Field<u32>, column: &Field<u32>, value: &Field<i32>, x: &Field<i32>, y: &mut Field<i32>) {
    for r in y.indices() {
        let mut sum = 0;
        for k in start[r] as usize..start[r + 1] as usize {
            sum += value[k] * x[column[k] as usize];
        }
        y[r] = sum;
    }
}

/// An index that asks its own field.
#[kernel]
fn wrapped(x: &mut Field<i32, 2>, bins: &mut Field<u32>) {
    for i in 0..x.shape()[0] {
        x[[i, i % x.shape()[1]]] = i as i32 + 1;
        bins[i % bins.len()].atomic_add(1);
    }
}

/// Several sums of one loop.
#[kernel]
fn extremes(x: &Field<i32>) -> (i32, i32, u32) {
    let mut least = i32::MAX;
    let mut most = i32::MIN;
    let mut odd = 0;
    for i in x.indices() {
        least = least.min(x[i]);
        most = most.max(x[i]);
        if x[i] % 2 != 0 {
            odd += 1;
        }
    }
    (least, most, odd)
}

/// Brackets around one name are no promise that there is one axis: `i` is all positions of `x`, and `y` is checked on all axes.
#[kernel]
fn bracketed(x: &Field<i32, 2>, y: &mut Field<i32, 2>) {
    for [i] in x.indices() {
        y[i] = 1;
    }
}

#[test]
fn one_name_in_brackets_is_checked_on_all_axes() {
    let _turn = turn();
    for device in devices() {
        let x = Field::zeros(&device, [2, 1000]).unwrap();
        let mut y = Field::zeros(&device, [2, 1]).unwrap();
        let error = bracketed(&x, &mut y).and_then(|()| device.synchronize()).unwrap_err();
        assert!(
            matches!(&error, swathe::Error::OutOfBounds { index, count: 1998, .. } if **index == [0, 1]),
            "{error}"
        );
        assert_eq!(y.to_vec().unwrap(), [1, 1]);
    }
}

const SIZES: [usize; 4] = [1, 3, 17, 1000];

#[test]
fn positions_by_other_names_and_types() {
    let _turn = turn();
    for device in devices() {
        for n in SIZES {
            let mut x = Field::zeros(&device, n).unwrap();
            checkered(&mut x).unwrap();
            let expected: Vec<i32> = (0..n as i32).map(|i| if i % 2 == 0 { 100 + i } else { -i }).collect();
            assert_eq!(x.to_vec().unwrap(), expected, "{device}");

            let mut y = Field::zeros(&device, n).unwrap();
            typed(&mut x, &mut y).unwrap();
            assert_eq!(
                x.to_vec().unwrap(),
                (0..n as i32).map(|i| 3 * i + 1).collect::<Vec<_>>()
            );
            assert_eq!(y.to_vec().unwrap(), (0..n as i32).map(|k| k - 7).collect::<Vec<_>>());

            let mut plane = Field::zeros(&device, [3, n]).unwrap();
            renamed(&mut plane, &mut y).unwrap();
            for [i, j] in ndrange([3, n]) {
                assert_eq!(plane.get([i, j]).unwrap(), 2 * (i * 10 + j) as i32);
            }
            assert_eq!(y.to_vec().unwrap(), (0..n as i32).map(|i| 6 + i).collect::<Vec<_>>());

            hidden(&mut x).unwrap();
            assert_eq!(x.to_vec().unwrap(), (0..n as i32).map(|i| 2 * i).collect::<Vec<_>>());
        }
    }
}

#[test]
fn members_and_neighbours() {
    let _turn = turn();
    for device in devices() {
        for n in SIZES {
            let cell = |i: usize| Cell {
                inner: Inner { a: 1, b: i as i32 * 7 },
                flows: [i as i32; 3],
                mass: i as i32 - 4,
            };
            let mut c = Field::from_fn(&device, n, |[i]| cell(i)).unwrap();
            members(&mut c).unwrap();
            for i in 0..n {
                let mut expected = cell(i);
                expected.inner.a = cell(n - 1 - i).inner.b + cell((i + 1) % n).mass;
                expected.flows[1] = -4;
                expected.flows[i % 3] += 1;
                expected.mass = expected.flows.iter().sum();
                assert_eq!(c.get(i).unwrap(), expected, "{device}, {i} of {n}");
            }
        }
        let u = Field::from_fn(&device, [5, 7], |[i, j]| (i * i * 10 + j * j * j) as i32).unwrap();
        let mut out = Field::full(&device, [5, 7], -1).unwrap();
        interior(&u, &mut out).unwrap();
        let at = |i: usize, j: usize| (i * i * 10 + j * j * j) as i32;
        for [i, j] in ndrange([5, 7]) {
            let inside = (1..4).contains(&i) && (1..6).contains(&j);
            let sum = || at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
            assert_eq!(out.get([i, j]).unwrap(), if inside { sum() } else { -1 });
        }
    }
}

#[test]
fn gathers_scatters_and_sums() {
    let _turn = turn();
    for device in devices() {
        for n in SIZES {
            let values: Vec<i32> = (0..n as i32).map(|i| i * 13 % 29 - 11).collect();
            let mut from = Field::from_slice(&device, &values).unwrap();
            assert_eq!(
                extremes(&from).unwrap(),
                (
                    *values.iter().min().unwrap(),
                    *values.iter().max().unwrap(),
                    values.iter().filter(|v| **v % 2 != 0).count() as u32
                )
            );
            let mut to = Field::zeros(&device, n).unwrap();
            let mut distance = 1;
            while distance < n {
                level(&from, &mut to, distance).unwrap();
                std::mem::swap(&mut from, &mut to);
                distance *= 2;
            }
            let sums: Vec<i32> = values
                .iter()
                .scan(0, |sum, v| {
                    *sum += v;
                    Some(*sum)
                })
                .collect();
            assert_eq!(from.to_vec().unwrap(), sums, "{device}");

            // A ring, and its matrix of neighbours.
            let ring: Vec<[u32; 2]> = (0..n as u32).map(|i| [i, (i + 1) % n as u32]).collect();
            let mut degree = Field::zeros(&device, n).unwrap();
            degrees(&Field::from_slice(&device, &ring).unwrap(), &mut degree).unwrap();
            assert_eq!(degree.to_vec().unwrap(), vec![2; n]);
            let start = Field::from_fn(&device, n + 1, |[i]| 2 * i as u32).unwrap();
            let column = Field::from_slice(&device, &ring.concat()).unwrap();
            let value = Field::from_fn(&device, 2 * n, |[k]| k as i32).unwrap();
            let x = Field::from_slice(&device, &values).unwrap();
            let mut y = Field::zeros(&device, n).unwrap();
            rows(&start, &column, &value, &x, &mut y).unwrap();
            let expected: Vec<i32> = (0..n)
                .map(|r| 2 * r as i32 * values[r] + (2 * r as i32 + 1) * values[(r + 1) % n])
                .collect();
            assert_eq!(y.to_vec().unwrap(), expected);
        }
        let mut x = Field::zeros(&device, [5, 3]).unwrap();
        let mut bins = Field::zeros(&device, 2).unwrap();
        wrapped(&mut x, &mut bins).unwrap();
        for [i, j] in ndrange([5, 3]) {
            assert_eq!(x.get([i, j]).unwrap(), if j == i % 3 { i as i32 + 1 } else { 0 });
        }
        assert_eq!(bins.to_vec().unwrap(), [3, 2]);
    }
}
