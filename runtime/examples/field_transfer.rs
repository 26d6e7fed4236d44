//! How long fields take from and to arrays on the CPU, beside a copy of the same bytes on all threads, or the loop that one would
//! write by hand.
//!
//! `cargo run --release -p swathe --example field_transfer`, with a part of a line's name to see only such lines.
//!
//! Both sides run in turns. A line gives the medians of their times, the median of the ratios of all turns, and its quartiles.

use std::hint::black_box;
use std::time::Instant;

use ndarray::{Array1, Array2, Array3, Ix1, Ix2, s};
use rayon::prelude::*;
use swathe::prelude::*;
use swathe::{Arrays, Result};

#[derive(Element, Clone, Copy)]
struct Cell {
    a: i32,
    b: Vec3,
}

/// Runs two ways in turns and prints a line.
fn line(name: &str, bytes: usize, mut ours: impl FnMut() -> Result<()>, mut other: impl FnMut()) -> Result<()> {
    if std::env::args().nth(1).is_some_and(|part| !name.contains(&part)) {
        return Ok(());
    }
    let mut times = [Vec::new(), Vec::new(), Vec::new()];
    for turn in 0..45 {
        let start = Instant::now();
        ours()?;
        let middle = Instant::now();
        other();
        let end = Instant::now();
        if turn >= 5 {
            let (a, b) = ((middle - start).as_secs_f64(), (end - middle).as_secs_f64());
            for (list, value) in times.iter_mut().zip([a * 1e3, b * 1e3, a / b]) {
                list.push(value);
            }
        }
    }
    let [(_, a, _), (_, b, _), (low, ratio, high)] = times.map(quartiles);
    let rate = bytes as f64 / a / 1e6;
    println!("{name:<36} {a:8.2} ms {b:8.2} ms {ratio:6.2} ({low:.2} to {high:.2}) {rate:6.1} GB/s");
    Ok(())
}

fn quartiles(mut values: Vec<f64>) -> (f64, f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |k: usize| values[k * (values.len() - 1) / 4];
    (at(1), at(2), at(3))
}

fn block(len: usize) -> usize {
    len.div_ceil(rayon::current_num_threads() * 4).max(1)
}

/// Copies on all threads, in large blocks.
fn memcpy<T: Copy + Send + Sync>(to: &mut [T], from: &[T]) {
    let block = block(from.len());
    let blocks = to.par_chunks_mut(block).zip(from.par_chunks(block));
    blocks.for_each(|(to, from)| to.copy_from_slice(from));
}

/// The same into new memory.
fn copied<T: Copy + Send + Sync>(from: &[T]) -> Vec<T> {
    let block = block(from.len());
    let mut to = Vec::with_capacity(from.len());
    let room = to.spare_capacity_mut()[..from.len()].par_chunks_mut(block);
    room.zip(from.par_chunks(block)).for_each(|(to, from)| {
        to.write_copy_of_slice(from);
    });
    // SAFETY: all of it is written.
    unsafe { to.set_len(from.len()) };
    to
}

fn main() -> Result<()> {
    let device = Device::cpu();
    println!(
        "{} threads{:27} swathe       other  ratio",
        rayon::current_num_threads(),
        ""
    );
    scalars(&device)?;
    orders(&device)?;
    vectors(&device)?;
    structs(&device)
}

fn scalars(device: &Device) -> Result<()> {
    let n = 1 << 24;
    let from = Array1::from_shape_fn(n, |k| k as f32);
    let source = from.as_slice().unwrap_or_default();
    let (mut to, mut plain) = (Array1::<f32>::zeros(n), vec![0.0_f32; n]);
    let mut memcpy = || memcpy(black_box(&mut plain), black_box(source));
    let fresh = || drop(black_box(copied(black_box(source))));
    let mut field = Field::<f32>::zeros(device, n)?;
    let bytes = 4 * n;
    line(
        "2^24 f32 in",
        bytes,
        || field.copy_from_ndarray(black_box(&from)),
        &mut memcpy,
    )?;
    line(
        "2^24 f32 in, new field",
        bytes,
        || Field::<f32>::from_ndarray(device, &from).map(drop),
        fresh,
    )?;
    line(
        "2^24 f32 out",
        bytes,
        || field.copy_to_ndarray(black_box(&mut to)),
        &mut memcpy,
    )?;
    line("2^24 f32 out, new array", bytes, || field.to_ndarray().map(drop), fresh)?;
    let fill = || {
        black_box(&mut to)
            .as_slice_mut()
            .unwrap_or_default()
            .par_chunks_mut(block(n))
            .for_each(|part| part.fill(2.5))
    };
    line("2^24 f32 filled", bytes, || field.fill(black_box(1.5)), fill)
}

/// Arrays that are not contiguous, beside a copy of as many bytes.
fn orders(device: &Device) -> Result<()> {
    let side = 1 << 12;
    let bytes = 4 * side * side;
    let square = Array2::from_shape_fn((side, side), |(i, j)| (i * side + j) as f32);
    let mut plain = vec![0.0_f32; side * side];
    let source = square.as_slice().unwrap_or_default();
    let mut memcpy = || memcpy(black_box(&mut plain), black_box(source));
    let mut field = Field::<f32, 2>::zeros(device, [side, side])?;
    let mut out = square.clone();
    line(
        "2^12 x 2^12 f32 in, transposed",
        bytes,
        || field.copy_from_ndarray(&square.t()),
        &mut memcpy,
    )?;
    line(
        "2^12 x 2^12 f32 out, transposed",
        bytes,
        || field.copy_to_ndarray(&mut out.view_mut().reversed_axes()),
        &mut memcpy,
    )?;
    line(
        "2^12 x 2^12 f32 in, reversed",
        bytes,
        || field.copy_from_ndarray(&square.slice(s![.., ..;-1])),
        &mut memcpy,
    )?;
    let doubles = square.mapv(f64::from);
    line(
        "2^12 x 2^12 f32 in, from f64",
        bytes,
        || field.copy_from_ndarray_cast(&doubles),
        &mut memcpy,
    )?;
    let mut half = Field::<f32, 2>::zeros(device, [side, side / 2])?;
    let columns = square.slice(s![.., ..;2]);
    line(
        "every second column in",
        bytes / 2,
        || half.copy_from_ndarray(&columns),
        &mut memcpy,
    )?;
    let odd = Array2::from_shape_fn((4001, 4099), |(i, j)| (i * 4099 + j) as f64);
    let mut field = Field::<f64, 2>::zeros(device, [4099, 4001])?;
    let source = odd.as_slice().unwrap_or_default();
    let mut plain = vec![0.0_f64; source.len()];
    let mut memcpy = || self::memcpy(black_box(&mut plain), black_box(source));
    line(
        "4001 x 4099 f64 in, transposed",
        8 * source.len(),
        || field.copy_from_ndarray(&odd.t()),
        &mut memcpy,
    )
}

fn vectors(device: &Device) -> Result<()> {
    let n = 1 << 22;
    let from = Array2::from_shape_fn((n, 3), |(i, k)| (3 * i + k) as f32);
    let source = from.as_slice().unwrap_or_default();
    let (mut to, mut plain) = (Array2::<f32>::zeros((n, 3)), vec![0.0_f32; 3 * n]);
    let mut memcpy = || memcpy(black_box(&mut plain), black_box(source));
    let fresh = || drop(black_box(copied(black_box(source))));
    let mut field = Field::<Vec3>::zeros(device, n)?;
    let bytes = 12 * n;
    line(
        "2^22 Vec3 in",
        bytes,
        || field.copy_from_ndarray(black_box(&from)),
        &mut memcpy,
    )?;
    line(
        "2^22 Vec3 in, new field",
        bytes,
        || Field::<Vec3>::from_ndarray(device, &from).map(drop),
        fresh,
    )?;
    line(
        "2^22 Vec3 out",
        bytes,
        || field.copy_to_ndarray(black_box(&mut to)),
        &mut memcpy,
    )?;
    line(
        "2^22 Vec3 out, new array",
        bytes,
        || field.to_ndarray().map(drop),
        fresh,
    )?;
    let planes = Array3::from_shape_fn((3, 1 << 11, 1 << 11), |(k, i, j)| ((i << 11) + j + k) as f32);
    let mut field = Field::<Vec3, 2>::zeros(device, [1 << 11, 1 << 11])?;
    let planes = planes.view().permuted_axes([1, 2, 0]);
    line(
        "2^22 Vec3 in, from planes",
        bytes,
        || field.copy_from_ndarray(&planes),
        &mut memcpy,
    )
}

fn structs(device: &Device) -> Result<()> {
    let n = 1 << 20;
    let a = Array1::from_shape_fn(n, |k| k as i32);
    let b = Array2::from_shape_fn((n, 3), |(i, k)| (3 * i + k) as f32);
    let arrays = Arrays::new().with("a", &a).with("b", &b);
    let mut field = Field::<Cell>::from_arrays(device, &arrays)?;
    let mut cells = field.to_vec()?;
    let (flat_a, flat_b) = (a.as_slice().unwrap_or_default(), b.as_slice().unwrap_or_default());
    let block = block(n);
    let by_hand = || {
        let sources = flat_a.par_chunks(block).zip(flat_b.par_chunks(3 * block));
        black_box(&mut cells)
            .par_chunks_mut(block)
            .zip(sources)
            .for_each(|(cells, (a, b))| {
                for ((cell, a), b) in cells.iter_mut().zip(a).zip(b.as_chunks::<3>().0) {
                    *cell = Cell {
                        a: *a,
                        b: Vec3::from(*b),
                    };
                }
            });
    };
    line(
        "2^20 {i32, Vec3} in",
        16 * n,
        || field.copy_from_arrays(black_box(&arrays)),
        by_hand,
    )?;

    let unpack = |to_a: &mut [i32], to_b: &mut [f32]| {
        let targets = to_a.par_chunks_mut(block).zip(to_b.par_chunks_mut(3 * block));
        targets.zip(cells.par_chunks(block)).for_each(|((a, b), cells)| {
            for ((cell, a), b) in cells.iter().zip(a).zip(b.as_chunks_mut::<3>().0) {
                *a = cell.a;
                *b = cell.b.to_array();
            }
        });
    };
    line(
        "2^20 {i32, Vec3} out, new arrays",
        16 * n,
        || field.to_arrays().map(drop),
        || {
            let (mut a, mut b) = (vec![0; n], vec![0.0; 3 * n]);
            unpack(&mut a, &mut b);
            black_box((a, b));
        },
    )?;
    let (mut to_a, mut to_b) = (vec![0; n], vec![0.0; 3 * n]);
    let mut positions = b.clone();
    let member = field.member::<Vec3>("b")?;
    line(
        "2^20 {i32, Vec3}, b out",
        12 * n,
        || member.copy_to_ndarray(&mut positions),
        || {
            unpack(black_box(&mut to_a), black_box(&mut to_b));
        },
    )?;
    let out = field.to_arrays()?;
    assert_eq!(
        (out.array::<i32, Ix1>("a")?, out.array::<f32, Ix2>("b")?),
        (a.view(), b.view())
    );
    let by_hand = || {
        black_box(&mut cells)
            .par_chunks_mut(block)
            .for_each(|part| part.iter_mut().for_each(|cell| cell.b = Vec3::ONE))
    };
    line(
        "2^20 {i32, Vec3}, b filled",
        12 * n,
        || field.member_mut::<Vec3>("b")?.fill(Vec3::ONE),
        by_hand,
    )
}
