//! Expressions whose elements are joined along one axis.

use std::ops::Range;
use std::panic::Location;
use std::sync::atomic::{AtomicPtr, Ordering};

use swathe_ir::{ReduceOp, Type};

use super::Expr;
use super::evaluate::{NO_UPDATE, VERSIONS, at, block_size, blocks, device_of, launch};
use super::extents::Extents;
use super::node::{BLOCK, Block, Bound, Key, LONG_BLOCK, Node, Row, SHORT_BLOCK};
use super::reduce::{Every, Fold, LONG, PARTS, ProductOf, Some_, Total, of_range, reading, tree};
use crate::element::{Element, KernelType};
use crate::error::{Error, Result};
use crate::field::{Field, Number};
use crate::host::parallel::for_each;
use crate::kernel::rank::{Dim, OneLess, without};
use crate::numbers::reduce::{ReduceAdd, ReduceMul};
use crate::versions::{Begins, Version, call};

/// Elements that a piece of an axis has at least where there are few results: pieces are computed side by side, and joined.
const PIECE: usize = 1 << 14;

/// Pieces of all results that there are at most for the sake of threads.
const ENOUGH: usize = 64;

/// Neighbouring results that are computed together, at most: caches hold them, and memory is read in long stretches.
const COLUMNS: usize = 4096;

/// Short rows are taken together up to so many elements.
const ROWS: usize = 256;

/// Rows, and elements of a line for each of its parts, that are joined one after the other: a long sum of floats loses digits.
const RUN: usize = 1024;

impl<T: Element, const D: usize, N: Node<Item = T>> Expr<T, D, N> {
    /// The sums along an axis: a field without it. 0 along an axis without positions. Sums begin with 0, so that of -0 alone is 0.
    ///
    /// On the CPU nothing is stored between, unless computing an element may fail, panic or print, or elements are floats of 16 bits, which are added up
    /// as `f32`. For these, and on a GPU, the elements are computed into a field, which [`Field::sum_axis`] adds up.
    /// How floats are grouped depends on the shape, on how the operands lie in memory and on the device, never on the number of threads.
    ///
    /// ```
    /// use swathe::{Device, Field};
    ///
    /// let x = Field::from_fn(&Device::default(), [2, 3], |[i, j]| (3 * i + j) as f64)?;
    /// assert_eq!((&x * &x).sum_axis(0)?.to_vec()?, [9.0, 17.0, 29.0]);
    /// assert_eq!((&x + 1.0).sum_axis(1)?.to_vec()?, [6.0, 15.0]);
    /// assert_eq!(x.expr().gt(1.5).all_axis(1)?.to_vec()?, [false, true]);
    /// # Ok::<(), swathe::Error>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Expr::eval`]; [`Error::Slice`](crate::Error::Slice) if there is no such axis.
    #[track_caller]
    pub fn sum_axis<const E: usize>(self, axis: usize) -> Result<Field<T, E>>
    where
        T: Number + ReduceAdd,
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along::<Total, E>(axis, Location::caller(), Field::sum_axis)
    }

    /// The products along an axis, as [`Expr::sum_axis`]; 1 along an axis without positions.
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn product_axis<const E: usize>(self, axis: usize) -> Result<Field<T, E>>
    where
        T: Number + ReduceMul,
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along::<ProductOf, E>(axis, Location::caller(), Field::product_axis)
    }

    fn along<F: Fold<T>, const E: usize>(
        self,
        axis: usize,
        place: &'static Location<'static>,
        of_field: impl Fn(&Field<T, D>, usize) -> Result<Field<T, E>>,
    ) -> Result<Field<T, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        let (node, device) = (self.node, device_of(&self.node));
        let extents = node.extents()?;
        let shape: [usize; D] = extents.shape();
        extents.count(size_of::<T>())?;
        let Some(length) = shape.get(axis).copied() else {
            return Err(Error::Slice {
                shape: shape.to_vec(),
                reason: format!("there is no axis {axis}"),
            });
        };
        let rest = without(shape, axis);
        let results = Extents::of(rest).count(size_of::<T>())?;
        let launch = launch(None, &node, NO_UPDATE)?;
        let is_half = matches!(T::ty(), Type::Scalar(of) if of.is_half());
        let empty = results == 0 || length == 0;
        // What fails is told by the number of its element, and there the results are numbered.
        let stored = !device.is_cpu() || is_half || <N::Bound<D> as Bound<D>>::Row::EFFECTS;
        if stored && !empty {
            return of_field(&self.computed(&device, shape, place)?, axis);
        }
        let start = |count: usize| match F::OP {
            // The sum of nothing is -0.
            ReduceOp::Add => Field::zeros(&device, count),
            _ => Field::full(&device, count, F::identity()),
        };
        if empty {
            return start(results)?.into_shape(rest);
        }
        let around = Around {
            // SAFETY: it is the shape of its extents.
            bound: unsafe { node.bind(shape) },
            shape,
            outer: shape[..axis].iter().product(),
            length,
            inner: shape[axis + 1..].iter().product(),
            place,
        };
        let pieces = around.pieces();
        let mut field = start(results * pieces)?;
        let parts = field.as_mut_slice()?;
        let ran = launch.run(&mut |_| {
            match const { block_size::<N, D>(size_of::<T>()) } {
                LONG_BLOCK => around.join::<F, T, LONG_BLOCK>(N::Key::COST, parts),
                BLOCK => around.join::<F, T, BLOCK>(N::Key::COST, parts),
                _ => around.join::<F, T, SHORT_BLOCK>(N::Key::COST, parts),
            }
            Ok(())
        });
        ran.map_err(|error| at(error, place))?;
        match pieces {
            1 => field.into_shape(rest),
            _ => Field::from_slice(&device, &field.as_slice()?[..results])?.into_shape(rest),
        }
    }
}

impl<const D: usize, N: Node<Item = bool>> Expr<bool, D, N> {
    /// Whether all elements along an axis are `true`, as [`Expr::sum_axis`].
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn all_axis<const E: usize>(self, axis: usize) -> Result<Field<bool, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along::<Every, E>(axis, Location::caller(), Field::all_axis)
    }

    /// Whether an element along an axis is `true`, as [`Expr::sum_axis`].
    ///
    /// # Errors
    /// As there.
    #[track_caller]
    pub fn any_axis<const E: usize>(self, axis: usize) -> Result<Field<bool, E>>
    where
        Dim<D>: OneLess<Out = Dim<E>>,
    {
        self.along::<Some_, E>(axis, Location::caller(), Field::any_axis)
    }
}

/// An expression around one of its axes. It has elements, of which none can fail.
struct Around<B, const D: usize> {
    bound: B,
    shape: [usize; D],
    outer: usize,
    length: usize,
    inner: usize,
    place: &'static Location<'static>,
}

impl<B: Bound<D>, const D: usize> Around<B, D> {
    /// Whether all that becomes of one position of the axes in front is at most a block.
    fn is_short(&self) -> bool {
        self.length.saturating_mul(self.inner) <= LONG
    }

    /// Neighbouring results that are computed together.
    fn together(&self) -> usize {
        match self.is_short() {
            true => LONG / (self.length * self.inner) * self.inner,
            false => self.inner.min(COLUMNS),
        }
    }

    /// Groups of such results: of all, and of those at one position of the axes in front.
    fn groups(&self) -> [usize; 2] {
        match self.is_short() {
            true => [(self.outer * self.inner).div_ceil(self.together()), 1],
            false => {
                let across = self.inner.div_ceil(self.together());
                [self.outer * across, across]
            }
        }
    }

    /// How many pieces the axis has, which depends on the shape alone.
    fn pieces(&self) -> usize {
        let [groups, _] = self.groups();
        match self.is_short() {
            true => 1,
            false => (self.length * self.together() / PIECE).clamp(1, (ENOUGH / groups).max(1)),
        }
    }

    /// Joins the elements of each piece to its results, and these to those of the first one.
    fn join<F: Fold<T>, T: KernelType, const SIZE: usize>(&self, cost: u32, parts: &mut [T])
    where
        B: Bound<D, Item = T>,
    {
        let (together, results, pieces) = (self.together(), self.outer * self.inner, self.pieces());
        let [groups, across] = self.groups();
        let rows = self.length.div_ceil(pieces);
        let to = AtomicPtr::new(parts.as_mut_ptr());
        let work = (rows * together).saturating_mul(cost.max(1) as usize);
        let cost = Some(u32::try_from(work).unwrap_or(u32::MAX));
        for_each(groups * pieces, cost, |range| {
            for k in range {
                let (piece, group) = (k / groups, k % groups);
                let (first, end) = match self.is_short() {
                    true => (group * together, results),
                    false => {
                        let outer = group / across * self.inner;
                        (outer + group % across * together, outer + self.inner)
                    }
                };
                let count = together.min(end - first);
                // SAFETY: there are results of each piece, and each group has its own; they are borrowed until the loop ends.
                let to = unsafe { to.load(Ordering::Relaxed).add(piece * results + first) };
                // SAFETY: as above.
                let to = unsafe { std::slice::from_raw_parts_mut(to, count) };
                let rows = (piece * rows).min(self.length)..((piece + 1) * rows).min(self.length);
                match (self.is_short(), self.inner) {
                    (true, _) => self.blocks::<F, T, SIZE>(first, to),
                    (false, 1) => self.line::<F, T, SIZE>(first, rows, &mut to[0]),
                    (false, _) => self.columns::<F, T, SIZE>(first, rows, to),
                }
            }
        });
        let (all, others) = parts.split_at_mut(results);
        for piece in others.chunks_exact(results) {
            for (all, part) in all.iter_mut().zip(piece) {
                *all = F::join(*all, *part);
            }
        }
    }

    /// Joins all elements of short results, from the `first` on.
    fn blocks<F: Fold<T>, T: KernelType, const SIZE: usize>(&self, first: usize, to: &mut [T])
    where
        B: Bound<D, Item = T>,
    {
        let mut values = [F::identity(); LONG];
        let (start, values) = (first * self.length, &mut values[..to.len() * self.length]);
        self.elements::<F, T, SIZE>(start..start + values.len(), values);
        let blocks = values.chunks_exact(self.length * self.inner);
        for (to, block) in to.chunks_exact_mut(self.inner).zip(blocks) {
            match to {
                [to] => *to = F::join(*to, of_line::<F, T>(block)),
                _ => join_rows::<F, T>(to, block),
            }
        }
    }

    /// Joins elements beside each other to the result with that number.
    fn line<F: Fold<T>, T: KernelType, const SIZE: usize>(&self, number: usize, items: Range<usize>, to: &mut T)
    where
        B: Bound<D, Item = T>,
    {
        let (start, end) = (number * self.length + items.start, number * self.length + items.end);
        for first in (start..end).step_by(RUN * PARTS) {
            let range = first..end.min(first + RUN * PARTS);
            *to = of_range::<F, T, B, D, SIZE>(&self.bound, self.shape, true, range, self.place, *to);
        }
    }

    /// Joins elements of neighbouring columns to the results from the `first` on.
    fn columns<F: Fold<T>, T: KernelType, const SIZE: usize>(&self, first: usize, rows: Range<usize>, to: &mut [T])
    where
        B: Bound<D, Item = T>,
    {
        let (outer, column) = (first / self.inner, first % self.inner);
        let at = |row: usize| (outer * self.length + row) * self.inner + column;
        let whole = to.len() == self.inner;
        let several = match whole {
            true => (ROWS / self.inner).clamp(1, rows.len().max(1)),
            false => 1,
        };
        let mut parts = vec![F::identity(); several * to.len()];
        for first in rows.clone().step_by(RUN) {
            let run = first..rows.end.min(first + RUN);
            parts.fill(F::identity());
            if whole {
                self.elements::<F, T, SIZE>(at(run.start)..at(run.end), &mut parts);
            } else {
                for row in run {
                    self.elements::<F, T, SIZE>(at(row)..at(row) + parts.len(), &mut parts);
                }
            }
            join_rows::<F, T>(to, &parts);
        }
    }

    /// Joins element `k` of a range to `to[k % to.len()]`.
    fn elements<F: Fold<T>, T: KernelType, const SIZE: usize>(&self, range: Range<usize>, to: &mut [T])
    where
        B: Bound<D, Item = T>,
    {
        let (first, place) = (range.start, self.place);
        let runs = self.bound.runs();
        let nothing = |_: &mut Block<D>| {};
        blocks::<B, D, SIZE>(&self.bound, self.shape, runs, range, nothing, |block, row| {
            let begin = (block.flat - first) % to.len();
            call::<VERSIONS, _, _, 0, 0>(
                Version::Avx512,
                Begins::NONE,
                #[inline(always)]
                move |target, _, range: Range<usize>, to: &mut [T]| {
                    let (row, context) = (row, reading(target, place));
                    let (mut k, mut at) = (range.start, begin);
                    while k < range.end {
                        let next = &mut to[at..];
                        let count = next.len().min(range.end - k);
                        for (i, part) in next[..count].iter_mut().enumerate() {
                            // SAFETY: there is an element of this number.
                            *part = F::join(*part, unsafe { row.get(k + i, context) });
                        }
                        (k, at) = (k + count, 0);
                    }
                },
                0..block.count,
                &mut *to,
            );
        });
    }
}

/// Joins rows one after the other to one.
fn join_rows<F: Fold<T>, T: KernelType>(to: &mut [T], rows: &[T]) {
    for row in rows.chunks_exact(to.len()) {
        for (to, item) in to.iter_mut().zip(row) {
            *to = F::join(*to, *item);
        }
    }
}

/// What a short line is joined to.
fn of_line<F: Fold<T>, T: KernelType>(line: &[T]) -> T {
    let (whole, rest) = line.as_chunks::<PARTS>();
    let mut all = rest.iter().copied().fold(F::identity(), F::join);
    if let Some((first, others)) = whole.split_first() {
        let mut parts = *first;
        for chunk in others {
            for (part, item) in parts.iter_mut().zip(chunk) {
                *part = F::join(*part, *item);
            }
        }
        all = F::join(tree::<F, T>(&mut parts), all);
    }
    all
}
