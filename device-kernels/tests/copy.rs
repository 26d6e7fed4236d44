//! Copies, transpositions and changes of layout.

mod common;

use common::{Buffer, numbers, run};
use swathe_device_kernels::plan::{self, Array};

/// An array's strides, and how many bytes it spans from its first address, and where its first element is.
fn laid_out(shape: &[u64], order: &[usize], size: u64, gap: u64, negative: usize) -> (Vec<i64>, u64, u64) {
    let mut strides = vec![0; shape.len()];
    let (mut next, mut first) = (size, 0);
    for &axis in order {
        strides[axis] = next as i64;
        next = next * shape[axis] + gap * size;
        if axis == negative {
            first += strides[axis] as u64 * shape[axis].saturating_sub(1);
            strides[axis] = -strides[axis];
        }
    }
    (strides, next, first)
}

/// Copies by the plan and one element after the other.
fn check(shape: &[u64], size: u64, from: (&[i64], u64, u64), to: (&[i64], u64, u64), offset: usize) {
    let input: Vec<u8> = numbers(from.1 as usize).map(|x| (x >> 40) as u8).collect();
    let output = vec![0x55; to.1 as usize];
    let mut expected = output.clone();
    let count: u64 = shape.iter().product();
    for index in 0..count {
        let (mut rest, mut a, mut b) = (index, from.2 as i64, to.2 as i64);
        for axis in (0..shape.len()).rev() {
            a += (rest % shape[axis]) as i64 * from.0[axis];
            b += (rest % shape[axis]) as i64 * to.0[axis];
            rest /= shape[axis];
        }
        let (a, b, size) = (a as usize, b as usize, size as usize);
        expected[b..b + size].copy_from_slice(&input[a..a + size]);
    }
    let buffers = vec![Buffer::new(input, offset, false), Buffer::new(output, offset, true)];
    let copied = run(buffers, |at| {
        let array = |address, strides| Array { address, strides };
        plan::copy(array(at[0] + from.2, from.0), array(at[1] + to.2, to.0), shape, size)
    });
    assert_eq!(copied[1], expected, "{shape:?} of {size} bytes, {from:?} to {to:?}");
}

#[test]
fn strided_arrays_of_all_ranks() {
    let shapes: [&[u64]; 10] = [
        &[],
        &[1],
        &[17],
        &[0, 5],
        &[3, 17],
        &[33, 9],
        &[3, 5, 7],
        &[2, 3, 4, 5],
        &[2, 1, 3, 2, 3, 2],
        &[2, 2, 2, 3, 2, 2, 2, 2, 2, 2],
    ];
    for shape in shapes {
        let rank = shape.len();
        let forward: Vec<usize> = (0..rank).collect();
        let backward: Vec<usize> = (0..rank).rev().collect();
        let mixed: Vec<usize> = (0..rank).map(|k| (k * 7 + 3) % rank.max(1)).collect();
        let is_order = (0..rank).all(|k| mixed.contains(&k));
        for (k, size) in [1, 2, 3, 4, 8, 12, 16, 20, 32].into_iter().enumerate() {
            let orders = [&backward, &forward, if is_order { &mixed } else { &forward }];
            let (source, target) = (orders[k % 3], orders[(k + k / 3) % 3]);
            let gap = (k as u64 + 1) % 3;
            let from = laid_out(shape, source, size, gap, k % 4);
            let to = laid_out(shape, target, size, (gap + 1) % 3, 9 - k);
            check(shape, size, (&from.0, from.1, from.2), (&to.0, to.1, to.2), k % 3);
            check(shape, size, (&from.0, from.1, from.2), (&to.0, to.1, to.2), 0);
        }
    }
}

#[test]
fn broadcasts() {
    for size in [1, 4, 12] {
        let s = size as i64;
        let dense = [17 * 5 * s, 5 * s, s];
        check(
            &[3, 17, 5],
            size,
            (&[0, 0, 0], size, 0),
            (&dense, 3 * 17 * 5 * size, 0),
            0,
        );
        check(
            &[3, 17, 5],
            size,
            (&[0, s, 0], 17 * size, 0),
            (&dense, 3 * 17 * 5 * size, 0),
            0,
        );
        check(
            &[3, 17, 5],
            size,
            (&[5 * s, 0, s], 15 * size, 0),
            (&dense, 3 * 17 * 5 * size, 0),
            0,
        );
    }
}

#[test]
fn transpositions() {
    for size in [1_u64, 2, 4, 8, 16] {
        for (batch, rows, columns) in [(1, 32, 32), (1, 8, 100), (1, 65, 33), (3, 31, 70), (2, 64, 9)] {
            let s = size as i64;
            let (r, c) = (rows as i64, columns as i64);
            let shape = [batch, rows, columns];
            let bytes = batch * rows * columns * size;
            check(
                &shape,
                size,
                (&[r * c * s, c * s, s], bytes, 0),
                (&[r * c * s, s, r * s], bytes, 0),
                0,
            );
            // Rows with a gap behind them.
            let (from, to) = ([r * (c + 3) * s, (c + 3) * s, s], [(r + 1) * c * s, s, (r + 1) * s]);
            let (a, b) = (batch * rows * (columns + 3) * size, batch * (rows + 1) * columns * size);
            check(&shape, size, (&from, a, 0), (&to, b, 0), 0);
        }
    }
}

#[test]
fn structures_to_planes_and_back() {
    for size in [1_u64, 2, 4, 8] {
        for words in [2_u64, 3, 4, 7, 16, 50] {
            for count in [1_u64, 3, 255, 256, 1000] {
                let (s, w, n) = (size as i64, words as i64, count as i64);
                let bytes = count * words * size;
                let gap = (n + 5) * s;
                let room = words * (count + 5) * size;
                check(
                    &[count, words],
                    size,
                    (&[w * s, s], bytes, 0),
                    (&[s, n * s], bytes, 0),
                    0,
                );
                check(&[count, words], size, (&[w * s, s], bytes, 0), (&[s, gap], room, 0), 0);
                check(
                    &[count, words],
                    size,
                    (&[s, n * s], bytes, 0),
                    (&[w * s, s], bytes, 0),
                    0,
                );
                check(&[count, words], size, (&[s, gap], room, 0), (&[w * s, s], bytes, 0), 0);
            }
        }
    }
}
