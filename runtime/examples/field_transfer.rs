//! How long fields take from and to arrays on the CPU, against copying the same bytes on all threads, or the loop that one would
//! write by hand.
//!
//! `cargo run --release -p swathe --example field_transfer`

use std::hint::black_box;
use std::time::Instant;

use ndarray::{Array1, Array2, Ix1, Ix2};
use rayon::prelude::*;
use swathe::prelude::*;
use swathe::{Arrays, Result};

#[derive(Element, Clone, Copy)]
struct Cell {
    a: i32,
    b: Vec3,
}

/// Least time of several runs in milliseconds; the first ones warm up.
fn time(mut run: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for k in 0..25 {
        let start = Instant::now();
        run();
        if k >= 5 {
            best = best.min(start.elapsed().as_secs_f64() * 1e3);
        }
    }
    best
}

fn line(name: &str, ours: f64, other: f64, bytes: usize) {
    let rate = bytes as f64 / ours / 1e6;
    println!(
        "{name:<44} {ours:8.3} ms {other:8.3} ms  {:5.2} x  {rate:6.1} GB/s",
        ours / other
    );
}

/// Copies on all threads, in large blocks.
fn memcpy<T: Copy + Send + Sync>(to: &mut [T], from: &[T]) {
    let block = from.len().div_ceil(rayon::current_num_threads() * 4).max(1);
    to.par_chunks_mut(block)
        .zip(from.par_chunks(block))
        .for_each(|(to, from)| to.copy_from_slice(from));
}

fn copied<T: Copy + Send + Sync + Default>(from: &[T]) -> Vec<T> {
    let block = from.len().div_ceil(rayon::current_num_threads() * 4).max(1);
    let mut to = Vec::with_capacity(from.len());
    to.spare_capacity_mut()[..from.len()]
        .par_chunks_mut(block)
        .zip(from.par_chunks(block))
        .for_each(|(to, from)| {
            for (to, from) in to.iter_mut().zip(from) {
                to.write(*from);
            }
        });
    // SAFETY: all of it is written.
    unsafe { to.set_len(from.len()) };
    to
}

fn main() -> Result<()> {
    let device = Device::cpu();
    println!("{} threads{:34} swathe     other", rayon::current_num_threads(), "");
    scalars(&device)?;
    vectors(&device)?;
    structs(&device)
}

fn scalars(device: &Device) -> Result<()> {
    let n = 1 << 24;
    let from = Array1::from_shape_fn(n, |k| k as f32);
    let mut to = Array1::<f32>::zeros(n);
    let mut field = Field::<f32>::zeros(device, n)?;
    let plain = time(|| {
        memcpy(
            to.as_slice_mut().unwrap_or_default(),
            black_box(from.as_slice().unwrap_or_default()),
        )
    });
    line(
        "2^24 f32 in",
        time(|| field.copy_from_ndarray(black_box(&from)).unwrap()),
        plain,
        4 * n,
    );
    line(
        "2^24 f32 out",
        time(|| field.copy_to_ndarray(black_box(&mut to)).unwrap()),
        plain,
        4 * n,
    );
    let fresh = time(|| drop(black_box(copied(from.as_slice().unwrap_or_default()))));
    line(
        "2^24 f32 out, new array",
        time(|| drop(black_box(field.to_ndarray().unwrap()))),
        fresh,
        4 * n,
    );

    let square = Array2::from_shape_fn((1 << 12, 1 << 12), |(i, j)| (i * 4096 + j) as f32);
    let mut field = Field::<f32, 2>::zeros(device, [1 << 12, 1 << 12])?;
    line(
        "2^12 x 2^12 f32 in, transposed",
        time(|| field.copy_from_ndarray(&square.t()).unwrap()),
        plain,
        4 * n,
    );
    let doubles = square.mapv(f64::from);
    line(
        "2^12 x 2^12 f32 in, from f64",
        time(|| field.copy_from_ndarray_cast(&doubles).unwrap()),
        plain,
        4 * n,
    );
    Ok(())
}

fn vectors(device: &Device) -> Result<()> {
    let n = 1 << 22;
    let from = Array2::from_shape_fn((n, 3), |(i, k)| (3 * i + k) as f32);
    let mut to = Array2::<f32>::zeros((n, 3));
    let mut field = Field::<Vec3>::zeros(device, n)?;
    let plain = time(|| {
        memcpy(
            to.as_slice_mut().unwrap_or_default(),
            black_box(from.as_slice().unwrap_or_default()),
        )
    });
    line(
        "2^22 Vec3 in",
        time(|| field.copy_from_ndarray(black_box(&from)).unwrap()),
        plain,
        12 * n,
    );
    line(
        "2^22 Vec3 out",
        time(|| field.copy_to_ndarray(black_box(&mut to)).unwrap()),
        plain,
        12 * n,
    );
    let fresh = time(|| drop(black_box(copied(from.as_slice().unwrap_or_default()))));
    line(
        "2^22 Vec3 out, new array",
        time(|| drop(black_box(field.to_ndarray().unwrap()))),
        fresh,
        12 * n,
    );
    Ok(())
}

fn structs(device: &Device) -> Result<()> {
    let n = 1 << 20;
    let a = Array1::from_shape_fn(n, |k| k as i32);
    let b = Array2::from_shape_fn((n, 3), |(i, k)| (3 * i + k) as f32);
    let arrays = Arrays::new().with("a", &a).with("b", &b);
    let mut field = Field::<Cell>::zeros(device, n)?;
    let mut cells = field.to_vec()?;
    let (flat_a, flat_b) = (a.as_slice().unwrap_or_default(), b.as_slice().unwrap_or_default());
    let block = n / rayon::current_num_threads() / 4;
    let hand_in = time(|| {
        cells.par_chunks_mut(block).enumerate().for_each(|(chunk, cells)| {
            let first = chunk * block;
            let (a, b) = (
                &flat_a[first..first + cells.len()],
                &flat_b[3 * first..3 * (first + cells.len())],
            );
            for ((cell, a), b) in cells.iter_mut().zip(a).zip(b.chunks_exact(3)) {
                *cell = Cell {
                    a: *a,
                    b: Vec3::new(b[0], b[1], b[2]),
                };
            }
        });
        black_box(&mut cells);
    });
    line(
        "2^20 {i32, Vec3} in",
        time(|| field.copy_from_arrays(black_box(&arrays)).unwrap()),
        hand_in,
        16 * n,
    );

    let (mut out_a, mut out_b) = (vec![0; n], vec![0.0; 3 * n]);
    let unpack = |out_a: &mut [i32], out_b: &mut [f32]| {
        let outs = out_a.par_chunks_mut(block).zip(out_b.par_chunks_mut(3 * block));
        outs.zip(cells.par_chunks(block)).for_each(|((a, b), cells)| {
            for ((cell, a), b) in cells.iter().zip(a).zip(b.chunks_exact_mut(3)) {
                *a = cell.a;
                b.copy_from_slice(&cell.b.to_array());
            }
        });
    };
    let hand_out = time(|| unpack(black_box(&mut out_a), black_box(&mut out_b)));
    let hand_new = time(|| {
        let (mut a, mut b) = (vec![0; n], vec![0.0; 3 * n]);
        unpack(&mut a, &mut b);
        black_box((a, b));
    });
    line(
        "2^20 {i32, Vec3} out, new arrays",
        time(|| drop(black_box(field.to_arrays().unwrap()))),
        hand_new,
        16 * n,
    );
    println!(
        "{:<44} {hand_out:8.3} ms",
        "  the loop by hand into arrays that are there"
    );
    let out = field.to_arrays()?;
    assert_eq!(
        (out.array::<i32, Ix1>("a")?, out.array::<f32, Ix2>("b")?),
        (a.view(), b.view())
    );
    Ok(())
}
