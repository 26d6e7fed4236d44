//! Imports whose scalars are checked or converted when the program runs.

use ndarray::{Array2, Array3, ArrayD, IxDyn, array, s};
use swathe::prelude::*;
use swathe::{AnyArray, ArrayScalar, Cast, DType, External};

#[path = "devices/mod.rs"]
mod devices;
use devices::devices;

/// `$to` from `$from`, each with values at the edges of the other's range.
macro_rules! check {
    ($device:expr, $from:ident => $($to:ident)*) => {$(
        let values: Vec<$from> = edges::<$from>();
        let n = values.len();
        let array = Array2::from_shape_fn((n, 3), |(i, j)| values[(i + j * 5) % n]);
        // Every second row, backwards, of the transpose.
        let view = array.slice(s![..;-2, ..]).reversed_axes();
        let mut field = Field::<$to, 2>::zeros($device, [view.shape()[0], view.shape()[1]])?;
        field.copy_from_ndarray_cast(&view)?;
        let out = field.to_ndarray()?;
        for (position, value) in view.indexed_iter() {
            let expected = *value as $to;
            assert_eq!(out[position].to_ne_bytes(), expected.to_ne_bytes(), "{value:?} as {}", stringify!($to));
        }
        field.fill(1 as $to)?;
        field.copy_from_any_cast(&AnyArray::from(view.view()))?;
        let again = field.to_ndarray()?;
        assert!(again.iter().zip(&out).all(|(a, b)| a.to_ne_bytes() == b.to_ne_bytes()));
    )*};
}

fn edges<T: ArrayScalar>() -> Vec<T>
where
    f64: Cast<T>,
    i64: Cast<T>,
    u64: Cast<T>,
{
    let floats = [
        0.0,
        -0.0,
        0.5,
        -1.5,
        1e10,
        -1e10,
        1e100,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        16_777_217.0,
        127.9,
        -128.9,
        65_535.5,
    ];
    let integers = [
        0,
        1,
        -1,
        127,
        128,
        255,
        256,
        -129,
        65_535,
        1 << 31,
        -(1 << 31),
        i64::MIN,
        i64::MAX,
    ];
    let mut edges: Vec<T> = floats.into_iter().map(Cast::cast).collect();
    edges.extend(integers.into_iter().map(Cast::<T>::cast));
    edges.push(u64::MAX.cast());
    edges
}

#[test]
fn every_pair_as_rust_does() -> swathe::Result<()> {
    for device in &devices() {
        check!(device, i8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, i16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, i32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, i64 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, u8 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, u16 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, u32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, u64 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, f32 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
        check!(device, f64 => i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);
    }
    Ok(())
}

#[test]
fn truth() -> swathe::Result<()> {
    for device in devices() {
        let mut truths = Field::<bool>::zeros(&device, 5)?;
        truths.copy_from_ndarray_cast(&array![0.0, -0.0, f64::NAN, 1e-300, -2.0])?;
        assert_eq!(truths.to_vec()?, [false, false, true, true, true]);
        truths.copy_from_any_cast(&array![0_u64, 1 << 40, 0, 1, 2].into())?;
        assert_eq!(truths.to_vec()?, [false, true, false, true, true]);
        let mut numbers = Field::<f32>::zeros(&device, 3)?;
        numbers.copy_from_ndarray_cast(&array![true, false, true])?;
        assert_eq!(numbers.to_vec()?, [1.0, 0.0, 1.0]);
    }
    Ok(())
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Particle {
    id: u8,
    pos: Vec3,
}

#[test]
fn members_and_vectors() -> swathe::Result<()> {
    for device in devices() {
        let mut field = Field::<Particle, 2>::full(&device, [17, 3], Particle { id: 9, pos: Vec3::ONE })?;
        let wide = Array3::from_shape_fn((3, 17, 3), |(k, i, j)| (k * 100 + i * 3 + j) as i64 - 50);
        let view = wide.view().permuted_axes([1, 2, 0]);
        field.member_mut::<Vec3>("pos")?.copy_from_ndarray_cast(&view)?;
        for i in 0..17 {
            for j in 0..3 {
                let pos = Vec3::from_array([0, 1, 2].map(|k| (k * 100 + i * 3 + j) as f32 - 50.0));
                assert_eq!(field.get([i, j])?, Particle { id: 9, pos });
            }
        }
        let before = field.to_vec()?;
        let error = field
            .member_mut::<Vec3>("pos")?
            .copy_from_ndarray_cast(&wide)
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "copying an array into a member of type Vector<f32, 3>, in a field of shape [17, 3]: \
             expected shape [17, 3, 3], got [3, 17, 3]"
        );
        assert_eq!(field.to_vec()?, before);
    }
    Ok(())
}

fn refused<T: External<Scalar: ArrayScalar> + PartialEq + std::fmt::Debug>(
    device: &Device,
    value: T,
    array: &AnyArray<'_>,
) -> swathe::Result<()> {
    let mut field = Field::<T>::full(device, 4, value)?;
    let error = field.copy_from_any(array).unwrap_err().to_string();
    let (expected, got) = (<T::Scalar as ArrayScalar>::DTYPE, array.dtype());
    let text = format!(
        "copying an array into {}: expected scalars of type {expected}, got {got}",
        field.describe()
    );
    assert_eq!(error, text);
    assert_eq!(field.to_vec()?, [value; 4]);
    let error = Field::<T>::from_any(device, array).unwrap_err().to_string();
    let ty = T::ty();
    assert_eq!(
        error,
        format!("making a Field<{ty}, 1> of an array: expected scalars of type {expected}, got {got}")
    );
    Ok(())
}

#[test]
fn types_are_checked() -> swathe::Result<()> {
    for device in devices() {
        refused(&device, 1.5_f32, &array![1.0_f64, 2.0, 3.0, 4.0].into())?;
        refused(&device, 7_u32, &array![1_i32, 2, 3, 4].into())?;
        refused(&device, true, &array![1_u8, 0, 1, 0].into())?;
        refused(&device, Vec2::ONE, &Array2::<i32>::zeros((4, 2)).into())?;
        let mut field = Field::<Vec2>::full(&device, 4, Vec2::X)?;
        for cast in [false, true] {
            let array = AnyArray::from(Array2::<f32>::zeros((2, 4)));
            let result = if cast {
                field.copy_from_any_cast(&array)
            } else {
                field.copy_from_any(&array)
            };
            let text = format!(
                "copying an array into {}: expected shape [4, 2], got [2, 4]",
                field.describe()
            );
            assert_eq!(result.unwrap_err().to_string(), text);
        }
        assert_eq!(field.to_vec()?, [Vec2::X; 4]);
        field.copy_from_any(&Array2::from_shape_fn((4, 2), |(i, j)| (2 * i + j) as f32).into())?;
        assert_eq!(field.get(3)?, Vec2::new(6.0, 7.0));
    }
    Ok(())
}

#[test]
fn an_array_says_what_it_is() {
    let array = AnyArray::from(ArrayD::<i16>::zeros(IxDyn(&[2, 0, 3])));
    assert_eq!(
        (array.dtype(), array.ndim(), array.len(), array.is_empty()),
        (DType::I16, 3, 0, true)
    );
    assert_eq!(DType::ALL.len(), 11);
    let sizes: Vec<usize> = DType::ALL.iter().map(|dtype| dtype.size()).collect();
    assert_eq!(sizes, [1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8]);
    assert_eq!(DType::U16.to_string(), "u16");
}
