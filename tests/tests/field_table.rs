//! Fields and arrays: scalars of every type in elements of several kinds, ranks 0 to 4, every order of memory, on every device.

use ndarray::{ArrayD, ArrayViewD, ArrayViewMutD, Axis, Dim, Dimension, IxDyn, Slice};
use swathe::prelude::*;
use swathe::{ArrayScalar, Cast, DType, External};

#[path = "devices/mod.rs"]
mod devices;
use devices::devices;

/// How an array lies in memory that is larger than it.
#[derive(Clone, Copy, Debug)]
enum Order {
    RowMajor,
    ColumnMajor,
    /// Every axis runs backwards.
    Reversed,
    /// Axes turned round by one, every second position of a larger array, every other axis backwards.
    Strided,
}

const ORDERS: [Order; 4] = [Order::RowMajor, Order::ColumnMajor, Order::Reversed, Order::Strided];

impl Order {
    /// Shape of the memory behind an array of this shape.
    fn memory(self, shape: &[usize]) -> Vec<usize> {
        match self {
            Order::RowMajor | Order::Reversed => shape.to_vec(),
            Order::ColumnMajor => shape.iter().rev().copied().collect(),
            Order::Strided => {
                let mut turned: Vec<usize> = shape.iter().map(|n| 2 * n + 1).collect();
                let by = usize::from(!turned.is_empty());
                turned.rotate_left(by);
                turned
            }
        }
    }

    fn axes(self, rank: usize) -> Vec<usize> {
        match self {
            Order::RowMajor | Order::Reversed => (0..rank).collect(),
            Order::ColumnMajor => (0..rank).rev().collect(),
            Order::Strided => (0..rank).map(|k| (k + rank - 1) % rank).collect(),
        }
    }

    /// Where an axis starts, and its step.
    fn slice(self, axis: usize) -> Slice {
        match self {
            Order::RowMajor | Order::ColumnMajor => Slice::from(..),
            Order::Reversed => Slice::new(0, None, -1),
            Order::Strided => Slice::new(1, None, if axis.is_multiple_of(2) { 2 } else { -2 }),
        }
    }

    fn view<T>(self, memory: &ArrayD<T>) -> ArrayViewD<'_, T> {
        let mut view = memory.view().permuted_axes(self.axes(memory.ndim()));
        for axis in 0..view.ndim() {
            view.slice_axis_inplace(Axis(axis), self.slice(axis));
        }
        view
    }

    fn view_mut<T>(self, memory: &mut ArrayD<T>) -> ArrayViewMutD<'_, T> {
        let rank = memory.ndim();
        let mut view = memory.view_mut().permuted_axes(self.axes(rank));
        for axis in 0..rank {
            view.slice_axis_inplace(Axis(axis), self.slice(axis));
        }
        view
    }
}

/// As many different scalars as the type has, in an order without short periods.
fn scalar<T>(k: usize) -> T
where
    u64: Cast<T>,
    T: ArrayScalar,
{
    match T::DTYPE {
        DType::Bool => u64::from((k * k + k / 3) % 7 < 3).cast(),
        // Above 2^53, where a way through `f64` would show.
        DType::U64 | DType::I64 => ((1 << 62) + k as u64).cast(),
        _ => (k as u64).cast(),
    }
}

/// All scalars of a field, in order.
fn scalars<T: External, const D: usize>(field: &Field<T, D>) -> Vec<T::Scalar> {
    let elements = field.to_vec().unwrap();
    let len = size_of_val(elements.as_slice()) / size_of::<T::Scalar>();
    // SAFETY: an external element is its scalars in order.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast(), len) }.to_vec()
}

fn check<T, const D: usize>(device: &Device, shape: [usize; D])
where
    T: External<Scalar: ArrayScalar>,
    u64: Cast<T::Scalar>,
    Dim<[usize; D]>: Dimension,
{
    let full = [shape.as_slice(), T::AXES.lengths()].concat();
    let values: Vec<T::Scalar> = (0..full.iter().product()).map(scalar).collect();
    let mut field = Field::<T, D>::zeros(device, shape).unwrap();
    for order in ORDERS {
        let context = || format!("{} {order:?}", field.describe());
        let mut memory = ArrayD::from_elem(IxDyn(&order.memory(&full)), scalar::<T::Scalar>(250));
        for (at, value) in order.view_mut(&mut memory).iter_mut().zip(&values) {
            *at = *value;
        }
        let view = order.view(&memory);
        assert_eq!(view.shape(), full, "{order:?}");
        let made = Field::<T, D>::from_ndarray(device, &view).unwrap();
        assert_eq!(made.shape(), shape);
        assert_eq!(scalars(&made), values, "{}", context());
        field = Field::zeros(device, shape).unwrap();
        field.copy_from_ndarray(&view).unwrap();
        assert_eq!(scalars(&field), values, "{order:?}");
        field.copy_from_any_cast(&view.view().into()).unwrap();
        let out = field.to_ndarray().unwrap();
        assert!(out.is_standard_layout());
        assert_eq!(out.into_dyn(), view, "{order:?}");

        let mut target = memory.mapv(|_| scalar::<T::Scalar>(249));
        let mut expected = target.clone();
        field.copy_to_ndarray(&mut order.view_mut(&mut target)).unwrap();
        for (at, value) in order.view_mut(&mut expected).iter_mut().zip(&values) {
            *at = *value;
        }
        assert_eq!(target, expected, "what lies between stays: {order:?}");
    }
    refusals(&mut field, &full, &values);
}

/// Wrong shapes, and that they change nothing.
fn refusals<T, const D: usize>(field: &mut Field<T, D>, full: &[usize], values: &[T::Scalar])
where
    T: External<Scalar: ArrayScalar>,
    u64: Cast<T::Scalar>,
{
    let mut longer = full.to_vec();
    longer.push(1);
    let mut wrong = vec![longer];
    if let Some(last) = full.len().checked_sub(1) {
        wrong.push(full[..last].to_vec());
        let mut other = full.to_vec();
        other[last] += 1;
        wrong.push(other);
    }
    for got in wrong {
        let mut array = ArrayD::from_elem(IxDyn(&got), scalar::<T::Scalar>(11));
        let text = format!("expected shape {full:?}, got {got:?}");
        let import = format!("copying an array into {}: {text}", field.describe());
        assert_eq!(field.copy_from_ndarray(&array).unwrap_err().to_string(), import);
        assert_eq!(
            field.copy_from_any(&array.view().into()).unwrap_err().to_string(),
            import
        );
        assert_eq!(
            field.copy_from_any_cast(&array.view().into()).unwrap_err().to_string(),
            import
        );
        let before = array.clone();
        let export = format!("copying {} into an array: {text}", field.describe());
        assert_eq!(field.copy_to_ndarray(&mut array).unwrap_err().to_string(), export);
        assert_eq!(array, before);
        assert_eq!(scalars(field), values);
    }
}

fn ranks<T>(device: &Device)
where
    T: External<Scalar: ArrayScalar>,
    u64: Cast<T::Scalar>,
{
    check::<T, 0>(device, []);
    check::<T, 1>(device, [0]);
    check::<T, 1>(device, [1]);
    check::<T, 1>(device, [17]);
    check::<T, 2>(device, [3, 5]);
    check::<T, 2>(device, [3, 0]);
    check::<T, 3>(device, [2, 5, 3]);
    check::<T, 4>(device, [2, 1, 3, 3]);
}

macro_rules! all {
    ($($t:ident)*) => {$(
        #[test]
        fn $t() {
            for device in &devices() {
                check::<$t, 1>(device, [17]);
                check::<$t, 2>(device, [3, 5]);
                check::<Vector<$t, 3>, 2>(device, [3, 5]);
                check::<Matrix<$t, 2, 3>, 2>(device, [5, 3]);
            }
        }
    )*};
}

all! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

#[test]
fn other_numbers_of_scalars() {
    for device in &devices() {
        ranks::<f32>(device);
        ranks::<Vec3>(device);
        check::<bool, 2>(device, [3, 5]);
        check::<[i32; 5], 1>(device, [17]);
        check::<[Vector<u8, 3>; 2], 1>(device, [5]);
        check::<f32, 2>(device, [67, 131]);
        check::<Vec3, 1>(device, [1000]);
        check::<u64, 3>(device, [9, 33, 35]);
    }
}

/// `ndarray` keeps arrays to write whose positions are not distinct from coming into being; exports rely on that.
#[test]
fn arrays_to_write_have_distinct_positions() -> swathe::Result<()> {
    use ndarray::{ArrayViewMut2, CowArray, ShapeBuilder, aview1};

    let mut memory = [7.0_f32; 20];
    for strides in [(0, 1), (1, 0), (1, 1), (4, 1)] {
        let view = ArrayViewMut2::from_shape((4, 5).strides(strides), &mut memory);
        assert!(view.is_err(), "{strides:?}");
    }
    // A broadcast array that becomes one to write gets memory of its own.
    let field = Field::<f32, 2>::from_fn(&Device::cpu(), [4, 5], |[i, j]| (i * 5 + j) as f32)?;
    let row = [1.0_f32, 2.0, 3.0, 4.0, 5.0];
    let row_view = aview1(&row);
    let mut wide = CowArray::from(row_view.broadcast((4, 5)).unwrap());
    field.copy_to_ndarray(&mut wide)?;
    assert_eq!(wide, field.to_ndarray()?);
    let mut shared = row_view.broadcast((4, 5)).unwrap().to_shared();
    let other = shared.clone();
    field.copy_to_ndarray(&mut shared)?;
    assert_eq!(shared, field.to_ndarray()?);
    assert_eq!(other.row(3), row_view);
    Ok(())
}
