//! Copies between strided arrays, and casts.

use super::{Scalar, entry, pointer};
use crate::Launch;
use crate::kernels::copy::{Axes, CopySmall, Divisor};
use crate::kernels::copy_large::{AXES, CopyLarge, LargeAxes};
use crate::kernels::layout::Layout;
use crate::kernels::transpose::{Matrices, PITCH, TILE, Transpose};
use crate::kernels::{self, cast::Cast};
use crate::launch::THREADS;

/// Elements of an array in memory.
#[derive(Clone, Copy, Debug)]
pub struct Array<'a> {
    /// Of the first element.
    pub address: u64,
    /// Bytes from an element to the next along each axis; 0 broadcasts what is read.
    pub strides: &'a [i64],
}

/// An axis of a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Axis {
    extent: u64,
    from: i64,
    to: i64,
}

/// Copies elements of `size` bytes between arrays of one shape that do not overlap. Arrays of structures to structures of arrays,
/// transpositions and broadcasts are copies too.
///
/// # Panics
/// If the strides are not as many as the axes, or `size` is 0.
#[must_use]
pub fn copy(from: Array<'_>, to: Array<'_>, shape: &[u64], size: u64) -> Vec<Launch> {
    assert!(
        from.strides.len() == shape.len() && to.strides.len() == shape.len() && size > 0,
        "strides and shape do not agree"
    );
    if shape.contains(&0) {
        return Vec::new();
    }
    let mut axes: Vec<Axis> = (0..shape.len())
        .map(|k| Axis {
            extent: shape[k],
            from: from.strides[k],
            to: to.strides[k],
        })
        .collect();
    // Neighbours in the result go to neighbouring threads.
    axes.sort_by_key(|axis| std::cmp::Reverse(axis.to.unsigned_abs()));
    axes.push(Axis {
        extent: size,
        from: 1,
        to: 1,
    });
    let axes = joined(axes);
    let width = word(&axes, from.address | to.address);
    let axes = in_words(axes, width);
    launches(from.address, to.address, &axes, width)
}

/// Without axes of one element, and with axes joined that follow each other in both arrays.
fn joined(axes: Vec<Axis>) -> Vec<Axis> {
    let mut joined: Vec<Axis> = Vec::with_capacity(axes.len());
    for axis in axes.into_iter().filter(|axis| axis.extent > 1) {
        let over = |stride: i64| i128::from(stride) * i128::from(axis.extent);
        match joined.last_mut() {
            Some(outer) if i128::from(outer.from) == over(axis.from) && i128::from(outer.to) == over(axis.to) => {
                *outer = Axis {
                    extent: outer.extent * axis.extent,
                    ..axis
                };
            }
            _ => joined.push(axis),
        }
    }
    joined
}

/// Bytes of the widest word that all addresses are multiples of.
fn word(axes: &[Axis], addresses: u64) -> u64 {
    let run = axes.last().filter(|axis| (axis.from, axis.to) == (1, 1));
    let Some(run) = run else { return 1 };
    let others = axes[..axes.len() - 1].iter();
    let all = others.fold(addresses | run.extent, |all, axis| {
        all | axis.from as u64 | axis.to as u64
    });
    1 << all.trailing_zeros().min(4)
}

/// With words in the place of bytes along the last axis.
fn in_words(mut axes: Vec<Axis>, width: u64) -> Vec<Axis> {
    if width > 1
        && let Some(mut run) = axes.pop()
    {
        run.extent /= width;
        (run.from, run.to) = (width as i64, width as i64);
        axes.push(run);
    }
    joined(axes)
}

fn launches(from: u64, to: u64, axes: &[Axis], width: u64) -> Vec<Launch> {
    if let Some(launch) = transposition(from, to, axes, width) {
        return vec![launch];
    }
    let count = axes.iter().map(|axis| u128::from(axis.extent)).product::<u128>();
    if axes.len() <= 3 && count < 1 << 31 {
        let [first, middle, last] = padded(axes);
        let (m, l) = (divisor(middle.extent as u32), divisor(last.extent as u32));
        let args = CopySmall {
            from: pointer(from),
            to: pointer(to),
            count: count as u32,
            axes: Axes {
                from: [first.from, middle.from, last.from],
                to: [first.to, middle.to, last.to],
            },
            middle: m.by,
            middle_magic: m.magic,
            middle_shift: m.shift,
            last: l.by,
            last_magic: l.magic,
            last_shift: l.shift,
        };
        let entry = entry(kernels::copy::ENTRIES, &format!("copy_{width}"));
        return vec![Launch::items(entry, count as u64, args.pack())];
    }
    if axes.len() > AXES {
        let outer = axes[0];
        let moved = |address: u64, stride: i64, k: u64| address.wrapping_add((stride as u64).wrapping_mul(k));
        let inner =
            |k: u64| launches(moved(from, outer.from, k), moved(to, outer.to, k), &axes[1..], width).into_iter();
        return (0..outer.extent).flat_map(inner).collect();
    }
    let all: [Axis; AXES] = padded(axes);
    let args = CopyLarge {
        from: pointer(from),
        to: pointer(to),
        count: count as u64,
        axes: LargeAxes {
            extents: all.map(|axis| axis.extent),
            from: all.map(|axis| axis.from),
            to: all.map(|axis| axis.to),
        },
    };
    let entry = entry(kernels::copy_large::ENTRIES, &format!("copy_large_{width}"));
    vec![Launch::items(entry, count as u64, args.pack())]
}

/// With axes of one element before them.
fn padded<const N: usize>(axes: &[Axis]) -> [Axis; N] {
    const ONE: Axis = Axis {
        extent: 1,
        from: 0,
        to: 0,
    };
    let mut all = [ONE; N];
    all[N - axes.len()..].copy_from_slice(axes);
    all
}

/// The copy as one through shared memory, if rows of `from` are columns of `to`.
fn transposition(from: u64, to: u64, axes: &[Axis], width: u64) -> Option<Launch> {
    let unit = width as i64;
    let (batch, [a, b]) = match axes {
        [a, b] => (None, [a, b]),
        [batch, a, b] => (Some(batch), [a, b]),
        _ => return None,
    };
    let (columns, rows) = (a, b);
    let whole = axes.iter().all(|axis| axis.from % unit == 0 && axis.to % unit == 0);
    if columns.from != unit || rows.to != unit || rows.from == unit || !whole {
        return None;
    }
    let (from, to) = (pointer(from), pointer(to));
    // Structures of few words, without gaps.
    if batch.is_none() && width < 16 && rows.from == columns.extent as i64 * unit && few(columns.extent, width) {
        let args = Layout {
            structures: from,
            planes: to,
            count: rows.extent,
            words: columns.extent as u32,
            plane: u64::try_from(columns.to / unit).ok()?,
        };
        let entry = entry(kernels::layout::ENTRIES, &format!("deinterleave_{width}"));
        return Some(structures(entry, rows.extent, columns.extent * width, args.pack()));
    }
    if batch.is_none() && width < 16 && columns.to == rows.extent as i64 * unit && few(rows.extent, width) {
        let args = Layout {
            structures: to,
            planes: from,
            count: columns.extent,
            words: rows.extent as u32,
            plane: u64::try_from(rows.from / unit).ok()?,
        };
        let entry = entry(kernels::layout::ENTRIES, &format!("interleave_{width}"));
        return Some(structures(entry, columns.extent, rows.extent * width, args.pack()));
    }
    if rows.extent < 8 || columns.extent < 8 {
        return None;
    }
    let matrices = Matrices {
        batch: batch.map_or(1, |axis| axis.extent),
        rows: rows.extent,
        columns: columns.extent,
        from_matrix: batch.map_or(0, |axis| axis.from / unit),
        from_row: rows.from / unit,
        to_matrix: batch.map_or(0, |axis| axis.to / unit),
        to_row: columns.to / unit,
    };
    let tile = u64::from(TILE);
    let tiles = matrices.batch * rows.extent.div_ceil(tile) * columns.extent.div_ceil(tile);
    let entry = entry(kernels::transpose::ENTRIES, &format!("transpose_{width}"));
    let args = Transpose { from, to, m: matrices };
    let steps = u64::from(TILE * TILE);
    Some(Launch::blocks(
        entry,
        tiles,
        steps,
        TILE * PITCH * width as u32,
        args.pack(),
    ))
}

/// Do structures of so many words, one for each thread, fit into shared memory?
fn few(words: u64, width: u64) -> bool {
    words * width * u64::from(THREADS) <= 48 << 10
}

fn structures(entry: &'static crate::Entry, count: u64, size: u64, args: crate::launch::Args) -> Launch {
    let (blocks, steps) = (count.div_ceil(u64::from(THREADS)), u64::from(THREADS) * size / 4);
    Launch::blocks(entry, blocks, steps.max(1), THREADS * size as u32, args)
}

/// For division by `by`, which is at least 1 and below 2^31.
#[must_use]
pub fn divisor(by: u32) -> Divisor {
    let shift = u32::BITS - by.saturating_sub(1).leading_zeros();
    let magic = (1_u64 << 32) * ((1_u64 << shift) - u64::from(by)) / u64::from(by.max(1)) + 1;
    Divisor {
        by,
        magic: magic as u32,
        shift,
    }
}

/// Converts `count` scalars as Rust's `as` does; a `bool` from a number is whether it is not 0.
#[must_use]
pub fn cast(from: u64, source: Scalar, to: u64, target: Scalar, count: u64) -> Vec<Launch> {
    if count == 0 {
        return Vec::new();
    }
    let integers = !source.is_float() && !target.is_float();
    let same = source == target || integers && source.size() == target.size() && target != Scalar::Bool;
    if same || (source, target) == (Scalar::Bool, Scalar::U8) {
        let array = |address| Array { address, strides: &[] };
        return copy(array(from), array(to), &[], count * source.size());
    }
    // A sign matters where an integer gets wider or becomes a float, and where a float becomes an integer.
    let read = match source {
        Scalar::Bool => Scalar::U8,
        _ if target == Scalar::Bool || integers && target.size() < source.size() => source.unsigned(),
        _ => source,
    };
    let written = match target {
        Scalar::Bool => Scalar::Bool,
        _ if integers => target.unsigned(),
        _ => target,
    };
    let name = format!("cast_{}_{}", read.name(), written.name());
    let args = Cast {
        from: pointer(from),
        to: pointer(to),
        count,
    };
    vec![Launch::items(entry(kernels::cast::ENTRIES, &name), count, args.pack())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divisors_divide() {
        let numbers = [
            0,
            1,
            2,
            3,
            5,
            6,
            7,
            17,
            255,
            256,
            1000,
            65_537,
            1 << 30,
            (1 << 31) - 2,
            (1 << 31) - 1,
        ];
        for by in numbers.into_iter().skip(1) {
            let d = divisor(by);
            for n in numbers
                .into_iter()
                .flat_map(|n| [n, n / by * by, (n / by * by).saturating_sub(1)])
            {
                assert_eq!(d.split(n), (n / by, n % by), "{n} / {by}");
            }
        }
    }

    #[test]
    fn axes_are_joined() {
        let array = |strides| Array { address: 0, strides };
        let name = |launches: Vec<Launch>| launches.iter().map(|l| l.entry.name).collect::<Vec<_>>();
        let shape = [4, 6, 8];
        let dense = array(&[192, 32, 4]);
        assert_eq!(name(copy(dense, dense, &shape, 4)), ["copy_16"]);
        assert_eq!(name(copy(array(&[0, 0, 0]), dense, &shape, 4)), ["copy_4"]);
        assert_eq!(name(copy(array(&[32, 128, 4]), dense, &shape, 4)), ["copy_16"]);
        let matrix = [100, 200];
        assert_eq!(
            name(copy(array(&[4, 400]), array(&[800, 4]), &matrix, 4)),
            ["transpose_4"]
        );
        assert_eq!(
            name(copy(array(&[12, 4]), array(&[4, 4000]), &[1000, 3], 4)),
            ["deinterleave_4"]
        );
        assert_eq!(
            name(copy(array(&[4, 4000]), array(&[12, 4]), &[1000, 3], 4)),
            ["interleave_4"]
        );
    }

    #[test]
    fn more_than_2_to_the_31_words_take_the_large_kernel() {
        let array = |strides| Array { address: 0, strides };
        let launches = copy(array(&[1 << 33, 8]), array(&[1 << 32, 4]), &[3, 1 << 30], 4);
        assert_eq!(launches[0].entry.name, "copy_large_4");
        assert_eq!(launches[0].args.get::<u64>(2), 3 << 30);
    }
}
