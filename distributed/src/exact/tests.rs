//! Sums beside closed formulas and integers.

use swathe::{bf16, f16};

use super::*;

fn sum<T: Summable>(terms: &[T]) -> T {
    let mut all = T::Accumulator::default();
    terms.iter().for_each(|term| all.add(*term));
    // By way of bytes, in three parts, the last one first.
    let mut parts = T::Accumulator::default();
    for part in terms.chunks(terms.len() / 3 + 1).rev() {
        let (mut sum, mut bytes) = (T::Accumulator::default(), Vec::new());
        sum.add_all(part);
        sum.encode(&mut bytes);
        parts.merge(&T::Accumulator::decode(&mut &bytes[..]).unwrap());
    }
    let (mut one, mut other) = (Vec::new(), Vec::new());
    crate::bytes::Plain::of::<T>().pack(&[all.sum()], &mut one);
    crate::bytes::Plain::of::<T>().pack(&[parts.sum()], &mut other);
    assert_eq!(one, other);
    all.sum()
}

#[test]
fn sums_are_exact_and_rounded_once() {
    assert_eq!(sum(&[1e300, 1.0, -1e300, 1e-300]), 1.0 + 1e-300);
    assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
    assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
    assert_eq!(sum(&[-f64::MAX, -f64::MAX]), f64::NEG_INFINITY);
    let least = f64::from_bits(1);
    assert_eq!(sum(&[least, least, least]), f64::from_bits(3));
    assert_eq!(sum(&[f64::MIN_POSITIVE, -least]), f64::MIN_POSITIVE - least);
    assert_eq!(sum(&[-1.5, 0.25]), -1.25);
    // A tie goes to the even number, and what lies anywhere below decides it.
    let half = f64::EPSILON / 2.0;
    assert_eq!(sum(&[1.0, half]), 1.0);
    assert_eq!(sum(&[1.0, half, least]), 1.0 + f64::EPSILON);
    assert_eq!(sum(&[1.0, half, -least]), 1.0);
    assert_eq!(sum(&[1.0 + f64::EPSILON, half]), 1.0 + 2.0 * f64::EPSILON);
    assert_eq!(sum(&[-1.0, -half, -least]), -1.0 - f64::EPSILON);
}

#[test]
fn narrow_floats_are_rounded_once_too() {
    // By way of an f64 it would be a tie, and 1.
    let (half, little) = (f32::EPSILON / 2.0, f32::from_bits(1));
    assert_eq!(sum(&[1.0, half, little]), 1.0 + f32::EPSILON);
    assert_eq!(sum(&[1.0, half]), 1.0_f32);
    assert_eq!(sum(&[f32::MAX, f32::MAX]), f32::INFINITY);
    assert_eq!(sum(&[little, little]), f32::from_bits(2));
    assert_eq!(sum(&[f16::from_f32(2048.0), f16::ONE, f16::ONE]), f16::from_f32(2050.0));
    assert_eq!(
        sum(&[bf16::from_f32(256.0), bf16::ONE, bf16::ONE]),
        bf16::from_f32(258.0)
    );
    assert_eq!(sum(&[f16::MAX, f16::MAX]), f16::INFINITY);
}

#[test]
fn zeros_infinities_and_nan() {
    assert_eq!(sum::<f64>(&[]).to_bits(), 0);
    assert_eq!(sum(&[-0.0_f64, -0.0]).to_bits(), (-0.0_f64).to_bits());
    assert_eq!(sum(&[-0.0_f64, 0.0]).to_bits(), 0);
    assert_eq!(sum(&[1.0_f64, -1.0]).to_bits(), 0);
    assert_eq!(sum(&[f64::INFINITY, -1e308]), f64::INFINITY);
    assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan());
    assert!(sum(&[1.0, f64::NAN]).is_nan());
}

#[test]
fn random_sums_agree_with_integers() {
    // Multiples of 2^-40 below 2^60, which `i128` sums exactly.
    let mut state = 1_u64;
    let mut terms = Vec::new();
    let mut expected = 0_i128;
    for _ in 0..1000 {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let (whole, shift) = ((state >> 11) as i64 - (1 << 52), (state % 47) as u32);
        terms.push(whole as f64 * 2.0_f64.powi(shift as i32 - 40));
        expected += i128::from(whole) << shift;
    }
    // `as` rounds to nearest, ties to even.
    assert_eq!(sum(&terms), expected as f64 * 2.0_f64.powi(-40));
    assert_eq!(sum(&[i8::MAX, 2]), i8::MIN + 1);
    assert_eq!(
        sum(&[Vector::from([1.0, 1e20]), Vector::from([2.0, -1e20])]),
        Vector::from([3.0, 0.0])
    );
}

#[test]
fn extremes_do_not_depend_on_the_order() {
    assert_eq!(0.0_f64.least(-0.0).to_bits(), (-0.0_f64).to_bits());
    assert_eq!((-0.0_f64).least(0.0).to_bits(), (-0.0_f64).to_bits());
    assert_eq!(0.0_f64.greatest(-0.0).to_bits(), 0);
    assert_eq!((-0.0_f64).greatest(0.0).to_bits(), 0);
    assert_eq!((f32::NAN.least(3.0), 3.0.least(f32::NAN)), (3.0, 3.0));
    assert_eq!((f32::NAN.greatest(-3.0), (-3.0).greatest(f32::NAN)), (-3.0, -3.0));
    assert_eq!((2.least(-1), 2.greatest(-1)), (-1, 2));
}

#[test]
fn terms_of_all_magnitudes_are_taken_together_as_one_by_one() {
    let mut state = 7_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        state ^ state >> 31
    };
    for length in [1, 3, 17, 1000] {
        let wide: Vec<f64> = (0..length)
            .map(|_| f64::from_bits(next()))
            .filter(|x| x.is_finite())
            .collect();
        sum(&wide);
        let narrow: Vec<f32> = (0..length)
            .map(|_| f32::from_bits(next() as u32))
            .filter(|x| x.is_finite())
            .collect();
        sum(&narrow);
        // The exact sum of floats that are not too far apart is a float of 64 bits.
        let near: Vec<f32> = narrow.iter().map(|x| x.signum() * (1.0 + x.abs().fract())).collect();
        let expected: f64 = near.iter().map(|x| f64::from(*x)).sum();
        assert_eq!(sum(&near), expected as f32);
        let half: Vec<f16> = near.iter().map(|x| f16::from_f32(*x)).collect();
        let expected: f64 = half.iter().map(|x| f64::from(*x)).sum();
        assert_eq!(sum(&half), f16::from_f64(expected));
    }
}
