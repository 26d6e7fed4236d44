//! Matrix products, against a loop over all products in integers: all values are small, so that floats are exact.

mod common;

use common::{Buffer, Plain, from_bytes, numbers, run};
use swathe_device_kernels::plan::{self, Factor, Matrices, ProductExtents, Scalar};

/// How the matrices of a batch lie in a buffer, from the first value on; in scalars.
#[derive(Clone, Copy, Debug)]
struct Lie {
    start: usize,
    matrix: i64,
    row: i64,
    column: i64,
    imaginary: i64,
    /// Scalars of the buffer.
    room: usize,
}

#[derive(Clone, Copy, Debug)]
enum Order {
    Rows,
    Columns,
    /// Every second column, rows backwards.
    Stepped,
}

impl Lie {
    /// Complex numbers lie in planes where rows are the neighbours, side by side otherwise.
    fn of(order: Order, [batch, rows, columns]: [usize; 3], complex: bool) -> Lie {
        let planar = complex && matches!(order, Order::Rows);
        let unit = if complex && !planar { 2 } else { 1 };
        let count = batch * rows * columns;
        let lie = |start: i64, matrix: usize, row: i64, column: i64, room: usize| Lie {
            start: start as usize * unit,
            matrix: (matrix * unit) as i64,
            row: row * unit as i64,
            column: column * unit as i64,
            imaginary: if planar { room as i64 + 5 } else { 1 },
            room: if planar { 2 * room + 5 } else { room * unit },
        };
        match order {
            Order::Rows => lie(0, rows * columns, columns as i64, 1, count),
            Order::Columns => lie(0, rows * columns, 1, rows as i64, count),
            Order::Stepped => {
                let (each, row) = (2 * rows * columns, 2 * columns as i64);
                lie((rows as i64 - 1).max(0) * row, each, -row, 2, 2 * count)
            }
        }
    }

    fn at(&self, matrix: usize, row: usize, column: usize) -> usize {
        let [matrix, row, column] = [matrix, row, column].map(|k| k as i64);
        (self.start as i64 + matrix * self.matrix + row * self.row + column * self.column) as usize
    }

    fn matrices(&self, address: u64, size: usize) -> Matrices {
        Matrices {
            address: address + (self.start * size) as u64,
            matrix: self.matrix,
            row: self.row,
            column: self.column,
            imaginary: self.imaginary,
        }
    }
}

/// Compares one product; values are at most 3 in size.
fn check<T: Plain + PartialEq + std::fmt::Debug>(
    factor: Factor,
    number: impl Fn(i64) -> T,
    [batch, rows, inner, columns]: [usize; 4],
    orders: [Order; 3],
) {
    let complex = matches!(factor, Factor::Complex(_));
    let l = Lie::of(orders[0], [batch, rows, inner], complex);
    let r = Lie::of(orders[1], [batch, inner, columns], complex);
    let t = Lie::of(orders[2], [batch, rows, columns], complex);
    let values = |room: usize, seed: usize| -> Vec<i64> {
        numbers(room + seed).skip(seed).map(|x| (x % 7) as i64 - 3).collect()
    };
    let (left, right) = (values(l.room, 1), values(r.room, 50));
    let mut expected = vec![1; t.room];
    for b in 0..batch {
        for i in 0..rows {
            for j in 0..columns {
                let (mut re, mut im) = (0, 0);
                for k in 0..inner {
                    let (x, y) = (l.at(b, i, k), r.at(b, k, j));
                    re += left[x] * right[y];
                    if complex {
                        let (x_im, y_im) = (left[x + l.imaginary as usize], right[y + r.imaginary as usize]);
                        re -= x_im * y_im;
                        im += left[x] * y_im + x_im * right[y];
                    }
                }
                expected[t.at(b, i, j)] = re;
                if complex {
                    expected[t.at(b, i, j) + t.imaginary as usize] = im;
                }
            }
        }
    }
    let plain = |values: &[i64]| values.iter().map(|x| number(*x)).collect::<Vec<T>>();
    let extents = ProductExtents {
        batch: batch as u64,
        rows: rows as u64,
        inner: inner as u64,
        columns: columns as u64,
    };
    let size = size_of::<T>();
    let scratch = plan::product_scratch(factor, &l.matrices(0, size), &r.matrices(0, size), &extents);
    let buffers = vec![
        Buffer::input(&plain(&left)),
        Buffer::input(&plain(&right)),
        Buffer::output(&plain(&vec![1; t.room])),
        Buffer::scratch(scratch),
    ];
    let done = run(buffers, |at| {
        let [l, r, t] = [(l, at[0]), (r, at[1]), (t, at[2])].map(|(lie, at)| lie.matrices(at, size));
        plan::product(factor, &l, &r, &t, &extents, at[3])
    });
    let what = format!("{factor:?} [{batch}, {rows}, {inner}, {columns}] {orders:?}");
    assert!(from_bytes::<T>(&done[2]) == plain(&expected), "{what}");
}

/// Batch, rows, inner, columns: of tiles, of large tiles, of each other form, in parts and whole.
const SHAPES: [[usize; 4]; 14] = [
    [1, 1, 1, 1],
    [1, 0, 3, 2],
    [1, 3, 0, 2],
    [2, 3, 5, 4],
    [1, 65, 17, 130],
    [2, 66, 33, 40],
    [1, 128, 0, 64],
    [1, 1, 5003, 1],
    [1, 1, 9001, 3],
    [1, 130, 65, 1],
    [1, 1, 300, 130],
    [1, 7, 400, 1],
    [1, 20, 33, 20],
    [128, 33, 3, 33],
];

fn all<T: Plain + PartialEq + std::fmt::Debug>(factor: Factor, number: impl Fn(i64) -> T) {
    use Order::{Columns, Rows, Stepped};
    for (k, shape) in SHAPES.into_iter().enumerate() {
        let orders = [
            [Rows, Rows, Rows],
            [Columns, Columns, Rows],
            [Rows, Columns, Columns],
            [Stepped, Stepped, Stepped],
            [Columns, Rows, Stepped],
        ];
        // The interpreter takes its time.
        let costly = shape.iter().product::<usize>() > 60_000;
        for (n, orders) in orders.into_iter().enumerate() {
            if !costly || n == k % 5 {
                check(factor, &number, shape, orders);
            }
        }
    }
}

#[test]
fn integers_wrap() {
    all(Factor::Real(Scalar::I8), |x| x as i8);
    all(Factor::Real(Scalar::U16), |x| x as u16);
    all(Factor::Real(Scalar::I32), |x| x as i32);
    all(Factor::Real(Scalar::U64), |x| x as u64);
}

#[test]
fn floats() {
    all(Factor::Real(Scalar::F32), |x| x as f32);
    all(Factor::Real(Scalar::F64), |x| x as f64);
}

#[test]
fn halves_are_added_up_as_singles() {
    all(Factor::Real(Scalar::F16), |x| half::f16::from_f32(x as f32));
    all(Factor::Real(Scalar::Bf16), |x| half::bf16::from_f32(x as f32));
}

#[test]
fn complex_numbers() {
    all(Factor::Complex(Scalar::F32), |x| x as f32);
    all(Factor::Complex(Scalar::F64), |x| x as f64);
}

#[test]
fn sums_are_in_registers() {
    for family in ["product", "product_thin"] {
        assert!(!swathe_device_kernels::ptx::text(family).contains(".local"), "{family}");
    }
}
