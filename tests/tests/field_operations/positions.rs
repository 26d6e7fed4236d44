//! Elements at positions: take, select, put.

use swathe::prelude::*;
use swathe::{Aos, Error, FieldLayout, IndexNumber, Soa};

use super::{Large, large};

/// Different ones for most `k`, some of them equal.
fn place(k: usize, length: usize) -> usize {
    (k * 7919 + k / 5) % length
}

fn moved<I: IndexNumber + TryFrom<usize>, L: FieldLayout, M: FieldLayout>(device: &Device) {
    for (length, count) in [(1, 0), (0, 0), (1, 3), (17, 40), (1000, 333)] {
        let values: Vec<Large> = (0..length).map(large).collect();
        let u = Field::<Large>::from_slice(device, &values)
            .unwrap()
            .with_layout(L::default())
            .unwrap();
        let places: Vec<usize> = (0..count).map(|k| place(k, length)).collect();
        let numbers: Vec<I> = places.iter().map(|k| I::try_from(*k).ok().unwrap()).collect();
        let positions = Field::<I>::from_slice(device, &numbers)
            .unwrap()
            .with_layout(M::default())
            .unwrap();
        let taken: Vec<Large> = places.iter().map(|k| values[*k]).collect();
        assert_eq!(u.take(&positions).unwrap().to_vec().unwrap(), taken);
        assert_eq!(u.select(0, &positions).unwrap().to_vec().unwrap(), taken);
        let new: Vec<Large> = (0..count).map(|k| large(5000 + k)).collect();
        let new_field = Field::<Large>::from_slice(device, &new)
            .unwrap()
            .with_layout(M::default())
            .unwrap();
        let (mut v, mut expected) = (u.try_clone().unwrap(), values.clone());
        v.put(&positions, &new_field).unwrap();
        places.iter().zip(&new).for_each(|(k, x)| expected[*k] = *x);
        assert_eq!(v.to_vec().unwrap(), expected);
    }
}

fn shapes<L: FieldLayout>(device: &Device) {
    let array = ndarray::Array4::from_shape_fn((4, 5, 6, 3), |(i, j, k, l)| (1000 * i + 100 * j + 10 * k + l) as f32);
    let u = Field::<Vec3, 3>::from_ndarray(device, &array)
        .unwrap()
        .with_layout(L::default())
        .unwrap();
    for (axis, places) in [
        (0, vec![3, 0, 0]),
        (1, vec![4, 1, 2, 4, 0, 3, 3]),
        (2, vec![5]),
        (1, vec![]),
    ] {
        let numbers: Vec<i32> = places.iter().map(|k| *k as i32).collect();
        let positions = Field::<i32>::from_slice(device, &numbers).unwrap();
        let expected = array.select(ndarray::Axis(axis), &places);
        assert_eq!(
            u.select(axis, &positions).unwrap().to_ndarray().unwrap(),
            expected,
            "{axis}"
        );
    }
    // Positions of two axes, of the field as a whole.
    let positions = Field::<u64, 2>::from_fn(device, [2, 3], |[i, j]| (119 - 10 * i - j) as u64).unwrap();
    let taken = u.take(&positions).unwrap();
    assert_eq!(taken.shape(), [2, 3]);
    for (i, j) in [(0, 0), (0, 2), (1, 1)] {
        let at = 119 - 10 * i - j;
        assert_eq!(
            taken.get([i, j]).unwrap(),
            u.get([at / 30, at / 6 % 5, at % 6]).unwrap()
        );
    }
}

fn refused(device: &Device) {
    let text = |error: Option<Error>| error.unwrap().to_string();
    let mut u = Field::<i16, 2>::from_fn(device, [2, 3], |[i, j]| (10 * i + j) as i16).unwrap();
    let before = u.to_vec().unwrap();
    let what = u.describe();
    for (positions, at, wrong) in [
        (vec![0, 6, 7], 1, 6),
        (vec![5, 1, -1], 2, -1),
        (vec![i64::MIN, 9, 1], 0, i64::MIN),
        (vec![0, 1, i64::MAX], 2, i64::MAX),
    ] {
        let positions = Field::<i64>::from_slice(device, &positions).unwrap();
        assert_eq!(
            text(u.take(&positions).err()),
            format!("taking elements of {what}: the position at [{at}] is {wrong}, not in 0..6")
        );
        let values = Field::<i16>::full(device, 3, 99).unwrap();
        assert_eq!(
            text(u.put(&positions, &values).err()),
            format!("putting elements into {what}: the position at [{at}] is {wrong}, not in 0..6")
        );
        assert_eq!(u.to_vec().unwrap(), before);
    }
    let wrong = Field::<u32, 2>::from_fn(device, [2, 2], |[i, j]| (3 * i + j) as u32).unwrap();
    let error = u.select(1, &Field::<u32>::from_slice(device, &[2, 3]).unwrap()).err();
    assert!(text(error).ends_with("the position at [1] is 3, not in 0..3"));
    assert!(matches!(
        u.select(2, &Field::<u32>::zeros(device, 1).unwrap()),
        Err(Error::Slice { .. })
    ));
    let few = Field::<i16, 2>::zeros(device, [2, 1]).unwrap();
    assert!(text(u.put(&wrong, &few).err()).ends_with("expected shape [2, 2], got [2, 1]"));
    assert_eq!(u.to_vec().unwrap(), before);
    // Nothing is there to be taken, or to take from.
    let empty = Field::<f64, 2>::zeros(device, [3, 0]).unwrap();
    let error = empty.take(&Field::<u32>::zeros(device, 1).unwrap()).err();
    assert!(text(error).ends_with("the position at [0] is 0, not in 0..0"));
    assert_eq!(
        empty
            .select(0, &Field::<u32>::zeros(device, 4).unwrap())
            .unwrap()
            .shape(),
        [4, 0]
    );
    let error = empty.select(0, &Field::<u32>::full(device, 4, 3).unwrap()).err();
    assert!(text(error).ends_with("the position at [0] is 3, not in 0..3"));
    if !device.is_cpu() {
        let elsewhere = Field::<u32>::zeros(&Device::cpu(), 1).unwrap();
        assert!(text(u.take(&elsewhere).err()).starts_with("taking elements: expected both on "));
    }
}

pub fn all(device: &Device) {
    moved::<u32, Aos, Aos>(device);
    moved::<i32, Soa, Aos>(device);
    moved::<u64, Aos, Soa>(device);
    moved::<i64, Soa, Soa>(device);
    shapes::<Aos>(device);
    shapes::<Soa>(device);
    refused(device);
}
