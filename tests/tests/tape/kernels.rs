//! Tapes of kernels with `#[kernel(grad)]`.

use swathe::derivative::{Tape, value_and_gradient};
use swathe::prelude::*;

use super::{devices, number};

#[kernel(grad)]
fn step(x: &mut Field<f64>, k: &Field<f64>, next: &Field<u32>, dt: f64) {
    for i in x.indices() {
        x[i] += dt * k[next[i] as usize] * x[i].sin();
    }
}

#[kernel(grad)]
fn squares(x: &Field<f64>, l: &mut Field<f64, 0>) {
    for p in l.indices() {
        let mut sum = 0.0;
        for i in 0..x.len() {
            sum += x[i] * x[i];
        }
        l[p] = sum;
    }
}

#[kernel(grad)]
fn energy(x: &Field<f64>, weight: f64) -> f64 {
    let mut sum = 0.0;
    for i in x.indices() {
        sum += weight * x[i] * x[i] * x[i];
    }
    sum
}

fn fields(device: &Device, n: usize) -> (Field<f64>, Field<f64>, Field<u32>) {
    let x = Field::from_fn(device, n, |[i]| number(i, 1)).unwrap();
    let k = Field::from_fn(device, n, |[i]| number(i, 2)).unwrap();
    let next = Field::from_fn(device, n, |[i]| ((i * 5 + 1) % n) as u32).unwrap();
    (x, k, next)
}

#[test]
fn steps_in_place() {
    for device in devices() {
        for n in [1, 3, 17] {
            let after = |k: &Field<f64>| {
                let (mut x, _, next) = fields(&device, n);
                let mut l = Field::<f64, 0>::zeros(&device, []).unwrap();
                for _ in 0..5 {
                    step(&mut x, k, &next, 0.1).unwrap();
                }
                squares(&x, &mut l).unwrap();
                l.to_vec().unwrap()[0]
            };
            let (mut x, k, next) = fields(&device, n);
            let mut l = Field::<f64, 0>::zeros(&device, []).unwrap();
            let tape = Tape::record([k.source()], || {
                for _ in 0..5 {
                    step(&mut x, &k, &next, 0.1)?;
                }
                squares(&x, &mut l)
            });
            let mut gradients = tape.unwrap().backward(&l).unwrap();
            let g: Field<f64> = gradients.take(&k).unwrap();
            let (g, numbers) = (g.to_vec().unwrap(), k.to_vec().unwrap());
            for i in 0..n {
                let moved = |by: f64| {
                    let mut all = numbers.clone();
                    all[i] += by;
                    after(&Field::from_slice(&device, &all).unwrap())
                };
                let expected = (moved(1e-5) - moved(-1e-5)) / 2e-5;
                assert!(
                    (g[i] - expected).abs() < 1e-8 * (1.0 + expected.abs()),
                    "{i} of {n}: {} {expected}",
                    g[i]
                );
            }
        }
    }
}

#[test]
fn of_a_result() {
    for device in devices() {
        let (x, ..) = fields(&device, 17);
        let (value, mut gradients) = value_and_gradient([x.source()], || energy(&x, 2.0).map(drop)).unwrap();
        let numbers = x.to_vec().unwrap();
        let expected: f64 = numbers.iter().map(|x| 2.0 * x * x * x).sum();
        assert!((value - expected).abs() < 1e-12 * expected);
        let g: Field<f64> = gradients.take(&x).unwrap();
        for (g, x) in g.to_vec().unwrap().iter().zip(&numbers) {
            assert!((g - 6.0 * x * x).abs() < 1e-12, "{g} {x}");
        }
    }
}
