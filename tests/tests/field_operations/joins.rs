//! Fields made of others: concatenate, stack, pad.

use ndarray::{Array, Array3, Axis, s};
use swathe::prelude::*;
use swathe::{Error, Soa, concatenate, stack};

use super::{Large, large};

fn block(shape: [usize; 3], start: i64) -> Array3<i64> {
    Array::from_shape_fn(shape, |(i, j, k)| start + (100 * i + 10 * j + k) as i64)
}

pub fn check(device: &Device) {
    for axis in 0..3 {
        for lengths in [vec![1], vec![0, 3], vec![2, 0, 5, 1]] {
            let arrays: Vec<Array3<i64>> = (lengths.iter().enumerate())
                .map(|(n, length)| {
                    let mut shape = [3, 1, 4];
                    shape[axis] = *length;
                    block(shape, 1000 * n as i64)
                })
                .collect();
            let views: Vec<_> = arrays.iter().map(|array| array.view()).collect();
            let expected = ndarray::concatenate(Axis(axis), &views).unwrap();
            let fields: Vec<Field<i64, 3>> = arrays.iter().map(|a| Field::from_ndarray(device, a).unwrap()).collect();
            let parts: Vec<_> = fields.iter().map(Field::view).collect();
            assert_eq!(concatenate(axis, &parts).unwrap().to_ndarray().unwrap(), expected);
        }
    }
    for axis in 0..=2 {
        for shape in [[3, 4], [1, 17], [0, 2]] {
            let arrays: Vec<_> = (0..3).map(|n| block([shape[0], shape[1], 1], 1000 * n)).collect();
            let flat: Vec<_> = arrays.iter().map(|a| a.slice(s![.., .., 0])).collect();
            let expected = ndarray::stack(Axis(axis), &flat).unwrap();
            let fields: Vec<Field<i64, 2>> = flat.iter().map(|a| Field::from_ndarray(device, a).unwrap()).collect();
            // Of transposes, too.
            let turned: Vec<Field<i64, 2>> = flat
                .iter()
                .map(|a| Field::from_ndarray(device, &a.t()).unwrap())
                .collect();
            let parts: Vec<_> = fields.iter().map(Field::view).collect();
            let back: Vec<_> = turned.iter().map(Field::t).collect();
            assert_eq!(stack(axis, &parts).unwrap().to_ndarray().unwrap(), expected);
            assert_eq!(stack(axis, &back).unwrap().to_ndarray().unwrap(), expected);
        }
    }
    let values: Vec<Large> = (0..17).map(large).collect();
    let u = Field::from_slice(device, &values).unwrap();
    let rim = large(100);
    let padded = u.pad([(2, 3)], rim).unwrap();
    let expected = [vec![rim; 2], values.clone(), vec![rim; 3]].concat();
    assert_eq!(padded.to_vec().unwrap(), expected);
    let planes = u.with_layout(Soa).unwrap();
    assert_eq!(planes.pad([(2, 3)], rim).unwrap().to_vec().unwrap(), expected);
    let both = concatenate(0, &[planes.view(), planes.view()]).unwrap();
    assert_eq!(both.to_vec().unwrap(), values.repeat(2));
    let a = Field::from_fn(device, [2, 3], |[i, j]| 10 * i as i32 + j as i32 + 1).unwrap();
    let padded = a.pad([(0, 1), (1, 2)], -1).unwrap();
    let expected = [-1, 1, 2, 3, -1, -1, -1, 11, 12, 13, -1, -1, -1, -1, -1, -1, -1, -1];
    assert_eq!(
        (padded.shape(), padded.to_vec().unwrap().as_slice()),
        ([3, 6], expected.as_slice())
    );
    let point = Field::<f32, 0>::full(device, [], 2.5).unwrap();
    assert_eq!(point.pad([], 0.0).unwrap().to_vec().unwrap(), [2.5]);
    assert_eq!(
        stack(0, &[point.view(), point.view()]).unwrap().to_vec().unwrap(),
        [2.5, 2.5]
    );

    let b = Field::<i32, 2>::zeros(device, [3, 3]).unwrap();
    let text = |error: Option<Error>| error.map(|error| error.to_string()).unwrap_or_default();
    let wrong = text(concatenate(1, &[a.view(), b.view()]).err());
    assert!(wrong.ends_with("expected shape [2, 3], got [3, 3]"), "{wrong}");
    assert!(matches!(concatenate(2, &[a.view()]), Err(Error::Slice { .. })));
    assert!(matches!(
        concatenate::<i32, 2, swathe::Strided>(0, &[]),
        Err(Error::Slice { .. })
    ));
    assert!(matches!(stack(0, &[a.view(), b.view()]), Err(Error::Shape { .. })));
    assert!(matches!(stack(3, &[a.view()]), Err(Error::Slice { .. })));
    assert!(matches!(
        a.pad([(usize::MAX, 1), (0, 0)], 0),
        Err(Error::SizeOverflow { .. } | Error::OutOfMemory { .. })
    ));
}
