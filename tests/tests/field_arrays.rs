//! Fields and `ndarray` arrays of every rank, scalar, stride and size.

use ndarray::{
    Array, Array1, Array2, Array3, ArrayD, ArrayView2, ArrayViewMut2, Axis, Dimension, IxDyn, ShapeBuilder, aview0, s,
};
use swathe::{AnyArray, Arrays, Device, Element, Error, External, Field, Result, Soa, Vec3};

/// Numbers of which every bit counts: some are infinities, zeros with a sign, and NaNs with payloads.
fn value(k: usize) -> f32 {
    match k % 11 {
        3 => f32::from_bits(0x7fc0_0000 | k as u32),
        5 => f32::from_bits(0xff80_0001 + k as u32),
        7 => f32::NEG_INFINITY,
        9 => -0.0,
        _ => k as f32 * 0.5 - 7.0,
    }
}

fn bits<E: Dimension>(array: &Array<f32, E>) -> ArrayD<u32> {
    array.mapv(f32::to_bits).into_dyn()
}

fn numbered(shape: &[usize]) -> ArrayD<f32> {
    let mut k = 0;
    ArrayD::from_shape_simple_fn(IxDyn(shape), || {
        k += 1;
        value(k)
    })
}

/// Sends an array with permuted and reversed axes through a field and back.
fn round_trip<const D: usize>(shape: [usize; D]) -> Result<()>
where
    ndarray::Dim<[usize; D]>: Dimension,
{
    let device = Device::cpu();
    for turn in 0..D.max(1) {
        for reversed in 0..1_usize << D {
            // Memory whose axes are turned round, seen with the axes in order.
            let mut stored = shape.to_vec();
            stored.rotate_left(turn);
            let array = numbered(&stored);
            let mut back = ArrayD::from_elem(IxDyn(&stored), 99.0_f32);
            let order: Vec<usize> = (0..D).map(|k| (k + D - turn) % D).collect();
            let mut view = array.view().permuted_axes(order.clone());
            let mut back_view = back.view_mut().permuted_axes(order);
            for axis in (0..D).filter(|axis| reversed >> axis & 1 == 1) {
                view.invert_axis(Axis(axis));
                back_view.invert_axis(Axis(axis));
            }
            assert_eq!(view.shape(), shape);

            let field = Field::<f32, D>::from_ndarray(&device, &view)?;
            assert_eq!(field.shape(), shape);
            let flat: Vec<u32> = field.to_vec()?.into_iter().map(f32::to_bits).collect();
            let expected: Vec<u32> = view.iter().map(|v| v.to_bits()).collect();
            assert_eq!(flat, expected, "{shape:?} {turn} {reversed}");
            assert_eq!(bits(&field.to_ndarray()?), view.mapv(f32::to_bits));
            field.copy_to_ndarray(&mut back_view)?;
            assert_eq!(bits(&back), bits(&array), "{shape:?} {turn} {reversed}");
        }
    }
    Ok(())
}

#[test]
fn every_rank() -> Result<()> {
    round_trip([])?;
    for n in [0, 1, 3, 17, 1000] {
        round_trip([n])?;
        round_trip([n, 5])?;
        round_trip([7, n])?;
        round_trip([n, 2, 9])?;
        round_trip([2, n, 3, 5])?;
    }
    round_trip([67, 131])?;
    round_trip([1, 130, 1, 41])?;
    round_trip([2, 3, 4, 5, 6])?;
    round_trip([2, 3, 1, 5, 2, 7])
}

#[test]
fn rank_0() -> Result<()> {
    let mut field = Field::<i64, 0>::from_ndarray(&Device::cpu(), &aview0(&-5))?;
    assert_eq!((field.len(), field.shape(), field.get([])?), (1, [], -5));
    field.set([], 8)?;
    assert_eq!(field.to_ndarray()?.into_scalar(), 8);
    Ok(())
}

#[test]
fn slices_and_broadcasts() -> Result<()> {
    let device = Device::cpu();
    let array = Array2::from_shape_fn((23, 41), |(i, j)| (i * 41 + j) as u16);
    let view = array.slice(s![3..20;4, ..;-3]);
    let mut field = Field::<u16, 2>::from_ndarray(&device, &view)?;
    assert_eq!(field.to_ndarray()?, view);
    let row = Array1::from_iter(0..14_u16);
    let wide = row.broadcast((5, 14)).unwrap();
    field.copy_from_ndarray(&wide)?;
    assert_eq!(field.to_ndarray()?, wide);
    let mut target = Array2::from_elem((23, 41), u16::MAX);
    field.copy_to_ndarray(&mut target.slice_mut(s![3..20;4, ..;-3]))?;
    for ((i, j), v) in target.indexed_iter() {
        let inside = (3..20).step_by(4).any(|k| k == i) && (40 - j) % 3 == 0;
        assert_eq!(*v, if inside { (40 - j) as u16 / 3 } else { u16::MAX });
    }
    Ok(())
}

fn scalar<T: External<Scalar = T> + PartialEq + std::fmt::Debug>(values: [T; 6]) -> Result<()> {
    let array = Array2::from_shape_vec((2, 3), values.to_vec()).unwrap();
    let field = Field::<T, 2>::from_ndarray(&Device::cpu(), &array)?;
    assert_eq!(field.to_vec()?, values);
    let transposed = Field::<T, 2>::from_ndarray(&Device::cpu(), &array.t())?;
    assert_eq!(transposed.to_vec()?, [0, 3, 1, 4, 2, 5].map(|k| values[k]));
    Ok(())
}

#[test]
fn every_scalar() -> Result<()> {
    scalar([true, false, false, true, true, false])?;
    scalar([i8::MIN, -1, 0, 1, 2, i8::MAX])?;
    scalar([i16::MIN, -1, 0, 1, 2, i16::MAX])?;
    scalar([i32::MIN, -1, 0, 1, 2, i32::MAX])?;
    scalar([i64::MIN, -1, 0, 1, 2, i64::MAX])?;
    scalar([0, 1, 2, 3, 4, u8::MAX])?;
    scalar([0, 1, 2, 3, 4, u16::MAX])?;
    scalar([0, 1, 2, 3, 4, u32::MAX])?;
    scalar([0, 1, 2, 3, 4, u64::MAX])?;
    scalar([0.0, 1.0, -2.5, f32::INFINITY, f32::MIN_POSITIVE, 1e-40])?;
    scalar([0.0, 1.0, -2.5, f64::INFINITY, f64::MIN_POSITIVE, 1e-310])
}

#[test]
fn wrong_shapes() -> Result<()> {
    let device = Device::cpu();
    let mut field = Field::<f32, 2>::full(&device, [2, 3], 4.0)?;
    let error = field.copy_from_ndarray(&Array2::zeros((3, 2))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "copying an array into Field<f32, 2> { shape: [2, 3], device: cpu }: expected shape [2, 3], got [3, 2]"
    );
    assert!(matches!(error, Error::Shape { got, .. } if got == [3, 2]));
    assert!(field.copy_from_ndarray(&Array1::zeros(6)).is_err());
    assert!(field.copy_from_ndarray(&Array3::zeros((2, 3, 1))).is_err());
    assert!(field.copy_from_ndarray(&ArrayD::zeros(IxDyn(&[2, 4]))).is_err());
    assert_eq!(field.to_vec()?, [4.0; 6]);
    field.copy_from_ndarray(&ArrayD::from_elem(IxDyn(&[2, 3]), 5.0))?;
    assert_eq!(field.to_vec()?, [5.0; 6]);

    let mut target = Array2::from_elem((3, 2), 1.0);
    assert_eq!(
        field.copy_to_ndarray(&mut target).unwrap_err().to_string(),
        "copying Field<f32, 2> { shape: [2, 3], device: cpu } into an array: expected shape [2, 3], got [3, 2]"
    );
    assert_eq!(target, Array2::from_elem((3, 2), 1.0));
    assert_eq!(
        Field::<f32, 2>::from_ndarray(&device, &Array1::zeros(6))
            .unwrap_err()
            .to_string(),
        "making a Field<f32, 2> of an array: expected shape [_, _], got [6]"
    );
    Ok(())
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Point {
    at: Vec3,
    mass: f32,
}

/// An axis of length 1 may have whatever stride.
#[test]
fn strides_of_single_positions() -> Result<()> {
    let device = Device::cpu();
    let data = [1.0_f32, 2.0, 3.0];
    for stride in [1 << 62, isize::MAX as usize, isize::MAX as usize + 2, usize::MAX] {
        let row = || ArrayView2::from_shape((1, 3).strides((stride, 1)), &data).unwrap();
        assert_eq!(Field::<f32, 2>::from_ndarray(&device, &row())?.to_vec()?, data);
        assert_eq!(
            Field::<f32, 2>::from_any(&device, &AnyArray::from(row()))?.to_vec()?,
            data
        );
        assert_eq!(
            Field::<Vec3>::from_ndarray(&device, &row())?.to_vec()?,
            [Vec3::from(data)]
        );
        let mut planes = Field::<Vec3>::zeros_in(&device, 1, Soa)?;
        planes.copy_from_ndarray(&row())?;
        assert_eq!(planes.to_vec()?, [Vec3::from(data)]);

        let mut cast = Field::<f64, 2>::zeros(&device, [1, 3])?;
        cast.copy_from_ndarray_cast(&row())?;
        assert_eq!(cast.to_vec()?, [1.0, 2.0, 3.0]);
        let mut cast = Field::<swathe::Vector<f64, 3>>::zeros_in(&device, 1, Soa)?;
        cast.copy_from_ndarray_cast(&row())?;
        assert_eq!(cast.get(0)?, swathe::Vector::from([1.0, 2.0, 3.0]));

        let mut rows = Field::<f32, 2>::zeros(&device, [2, 3])?;
        rows.slice_mut(s![1..2, ..])?.copy_from_ndarray(&row())?;
        assert_eq!(rows.to_vec()?, [0.0, 0.0, 0.0, 1.0, 2.0, 3.0]);
        for whole in [false, true] {
            let mut back = [0.0_f32; 3];
            let mut target = ArrayViewMut2::from_shape((1, 3).strides((stride, 1)), &mut back).unwrap();
            match whole {
                true => Field::<f32, 2>::from_ndarray(&device, &row())?.copy_to_ndarray(&mut target)?,
                false => rows.slice(s![1..2, ..])?.copy_to_ndarray(&mut target)?,
            }
            assert_eq!(back, data);
        }

        let masses = ArrayView2::from_shape((1, 1).strides((stride, stride)), &data[1..]).unwrap();
        let at = row().insert_axis(Axis(0));
        let arrays = Arrays::new().with("at", at).with("mass", masses);
        let points = Field::<Point, 2>::from_arrays(&device, &arrays)?;
        assert_eq!(
            points.to_vec()?,
            [Point {
                at: Vec3::from(data),
                mass: 2.0
            }]
        );
    }
    Ok(())
}
