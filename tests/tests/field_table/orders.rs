//! How arrays lie in memory that may be larger than they are.

use ndarray::{ArrayBase, ArrayD, Axis, IxDyn, RawData, Slice};

use crate::values::Value;

/// An order of memory.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    RowMajor,
    ColumnMajor,
    /// Every axis runs backwards.
    Reversed,
    /// Axes turned round by one, every second position of a larger array, every other axis backwards.
    Sliced,
}

pub const ORDERS: [Order; 4] = [Order::RowMajor, Order::ColumnMajor, Order::Reversed, Order::Sliced];

impl Order {
    /// Memory for an array of this shape.
    pub fn memory<S: Value>(self, shape: &[usize], filling: S) -> ArrayD<S> {
        let mut lengths = shape.to_vec();
        match self {
            Order::RowMajor | Order::Reversed => {}
            Order::ColumnMajor => lengths.reverse(),
            Order::Sliced => {
                lengths.iter_mut().for_each(|n| *n = 2 * *n + 1);
                lengths.rotate_left(usize::from(!shape.is_empty()));
            }
        }
        ArrayD::from_elem(IxDyn(&lengths), filling)
    }

    /// The array in that memory.
    pub fn of<R: RawData>(self, memory: ArrayBase<R, IxDyn>) -> ArrayBase<R, IxDyn> {
        let rank = memory.ndim();
        let axes: Vec<usize> = match self {
            Order::RowMajor | Order::Reversed => (0..rank).collect(),
            Order::ColumnMajor => (0..rank).rev().collect(),
            Order::Sliced => (0..rank).map(|k| (k + rank - 1) % rank).collect(),
        };
        let mut array = memory.permuted_axes(axes);
        for axis in 0..rank {
            let part = match self {
                Order::RowMajor | Order::ColumnMajor => Slice::from(..),
                Order::Reversed => Slice::new(0, None, -1),
                Order::Sliced => Slice::new(1, None, if axis % 2 == 0 { 2 } else { -2 }),
            };
            array.slice_axis_inplace(Axis(axis), part);
        }
        array
    }

    /// An array of these scalars, which are in row-major order.
    pub fn array<S: Value>(self, shape: &[usize], scalars: &[S]) -> ArrayD<S> {
        let mut array = self.of(self.memory(shape, S::nth(77)));
        assert_eq!(array.shape(), shape);
        array.iter_mut().zip(scalars).for_each(|(at, scalar)| *at = *scalar);
        array
    }
}
