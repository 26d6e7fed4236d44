//! Cases that people have stumbled over elsewhere, and those that go other ways inside: large arrays.

use ndarray::{Array1, Array2, Array3, ArrayViewMut2, CowArray, ShapeBuilder, aview1, s};
use swathe::prelude::*;

use crate::devices::devices;

/// A number of 17 digits, of which single precision keeps 8.
fn huge(i: usize, j: usize) -> f64 {
    (i as f64 + 3.0 * j as f64) * 1e100
}

#[test]
fn transposes_and_columns_of_huge_numbers() -> swathe::Result<()> {
    for device in &devices() {
        let array = Array2::from_shape_fn((4, 7), |(i, j)| huge(i, j));
        let field = Field::<f64, 2>::from_ndarray(device, &array.t())?;
        assert_eq!(field.shape(), [7, 4]);
        assert_eq!(field.get([6, 3])?.to_bits(), huge(3, 6).to_bits());
        let column = Field::<f64>::from_ndarray(device, &array.column(5))?;
        assert_eq!(column.to_vec()?, [0, 1, 2, 3].map(|i| huge(i, 5)));
        let mut wide = array.clone();
        column.copy_to_ndarray(&mut wide.slice_mut(s![..;-1, 0]))?;
        for ((i, j), value) in wide.indexed_iter() {
            assert_eq!(*value, if j == 0 { huge(3 - i, 5) } else { huge(i, j) });
        }
    }
    Ok(())
}

#[test]
fn the_largest_of_u64() -> swathe::Result<()> {
    for device in &devices() {
        let array = Array1::from_iter((0..17).map(|k| u64::MAX - k));
        let field = Field::<u64>::from_ndarray(device, &array.slice(s![..;-2]))?;
        assert_eq!(field.get(8)?, u64::MAX);
        assert_eq!(field.to_ndarray()?, array.slice(s![..;-2]));
    }
    Ok(())
}

/// Arrays beyond the caches, whose rows are not multiples of a cache line, into and out of memory that does not begin at one.
#[test]
fn large_arrays() -> swathe::Result<()> {
    let value = |i: usize, j: usize| (i * 2003 + j) as u32 ^ 0x9e37_79b9;
    let (h, w) = (1501, 2003);
    let array = Array2::from_shape_fn((h, w), |(i, j)| value(i, j));
    let fits = |got: &Array2<u32>, f: &dyn Fn(usize, usize) -> u32| got.indexed_iter().all(|((i, j), x)| *x == f(i, j));
    let device = Device::cpu();
    let field = Field::<u32, 2>::from_ndarray(&device, &array)?;
    assert!(fits(&field.to_ndarray()?, &value));
    let turned = Field::<u32, 2>::from_ndarray(&device, &array.t())?;
    assert!(fits(&turned.to_ndarray()?, &|i, j| value(j, i)));
    let part = Field::<u32, 2>::from_ndarray(&device, &array.slice(s![1.., 3..]).reversed_axes())?;
    assert!(fits(&part.to_ndarray()?, &|i, j| value(j + 1, i + 3)));
    let mut out = Array2::zeros((w + 1, h + 5));
    field.copy_to_ndarray(&mut out.slice_mut(s![1.., 2..h + 2]).reversed_axes())?;
    assert!(fits(&out, &|j, i| {
        let inside = j >= 1 && (2..h + 2).contains(&i);
        if inside { value(i - 2, j - 1) } else { 0 }
    }));
    let mut backwards = Array2::zeros((h, w));
    field.copy_to_ndarray(&mut backwards.slice_mut(s![..;-1, ..;-1]))?;
    assert!(fits(&backwards, &|i, j| value(h - 1 - i, w - 1 - j)));

    // Components in planes, and back.
    let n = 1_000_003;
    let planes = Array2::from_shape_fn((3, n), |(k, i)| (3 * i + k) as u32);
    let field = Field::<Vector<u32, 3>>::from_ndarray(&device, &planes.t())?;
    assert!(field.to_ndarray()?.iter().enumerate().all(|(k, x)| *x as usize == k));
    let mut back = Array2::zeros((3, n));
    field.copy_to_ndarray(&mut back.view_mut().reversed_axes())?;
    assert!(back == planes);
    let mut filled = field;
    filled.fill(Vector::from([5, 6, 7]))?;
    assert!(
        filled
            .to_ndarray()?
            .iter()
            .enumerate()
            .all(|(k, x)| *x as usize == 5 + k % 3)
    );
    Ok(())
}

/// The middle axis of the field is the array's fastest.
#[test]
fn other_axes_in_front() -> swathe::Result<()> {
    let (a, b, c) = (9, 130, 67);
    let array = Array3::from_shape_fn((c, a, b), |(k, i, j)| ((i * b + j) * c + k) as f64);
    for device in &devices() {
        let field = Field::<f64, 3>::from_ndarray(device, &array.view().permuted_axes([1, 2, 0]))?;
        assert!(field.to_vec()?.into_iter().enumerate().all(|(k, x)| x == k as f64));
        let mut back = Array3::zeros((c, a, b));
        field.copy_to_ndarray(&mut back.view_mut().permuted_axes([1, 2, 0]))?;
        assert!(back == array);
    }
    Ok(())
}

/// `ndarray` keeps arrays to write whose positions are not distinct from coming into being; exports rely on that.
#[test]
fn arrays_to_write_have_distinct_positions() -> swathe::Result<()> {
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
