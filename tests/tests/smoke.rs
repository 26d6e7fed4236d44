//! First kernels.
use swathe::prelude::*;

#[derive(Element, Clone, Copy, Default, Debug)]
struct P {
    x: f32,
    v: f32,
    id: i32,
}

#[kernel]
fn saxpy(a: f32, x: &Field<f32>, y: &mut Field<f32>) {
    for i in y.indices() {
        y[i] += a * x[i];
    }
}

#[kernel]
fn step(p: &mut Field<P>, dt: f32) -> f32 {
    let mut e = 0.0;
    let n = p.len();
    for i in p.indices() {
        let mut acc = 0.0;
        for j in 0..n {
            if i != j {
                acc += p[j].x - p[i].x;
            }
        }
        p[i].v += acc * dt;
    }
    for i in 0..n {
        let v = p[i].v;
        p[i].x += v * dt;
        e += 0.5 * v * v;
    }
    e
}

#[kernel]
fn blur(u: &Field<f32, 2>, out: &mut Field<f32, 2>) {
    let [h, w] = u.shape();
    for [i, j] in out.indices() {
        if i > 0 && j > 0 && i + 1 < h && j + 1 < w {
            out[[i, j]] = 0.25 * (u[[i - 1, j]] + u[[i + 1, j]] + u[[i, j - 1]] + u[[i, j + 1]]);
        }
    }
}

#[kernel]
fn count(x: &Field<i32>, hist: &mut Field<i32>) {
    for i in x.indices() {
        hist.atomic_add(x[i] as usize, 1);
    }
}

#[test]
fn runs() {
    let d = Device::cpu();
    let x = Field::from_slice(&d, &[1.0f32, 2.0, 3.0]).unwrap();
    let mut y = Field::from_slice(&d, &[10.0f32, 20.0, 30.0]).unwrap();
    saxpy(2.0, &x, &mut y).unwrap();
    assert_eq!(y.to_vec().unwrap(), [12.0, 24.0, 36.0]);
    let mut z = Field::from_slice(&d, &[10.0f32, 20.0, 30.0, 40.0]).unwrap();
    println!("{}", saxpy(2.0, &x, &mut z).unwrap_err());
    let mut p = Field::<P>::zeros(&d, 5).unwrap();
    p.set(2, P { x: 1.0, v: 0.0, id: 3 }).unwrap();
    println!("{}", step(&mut p, 0.1).unwrap());
    let u = Field::full(&d, [5, 7], 1.0f32).unwrap();
    let mut o = Field::zeros(&d, [5, 7]).unwrap();
    blur(&u, &mut o).unwrap();
    println!("{:?}", o.to_vec().unwrap());
    let x = Field::from_slice(&d, &[1, 2, 1, 5]).unwrap();
    let mut h = Field::zeros(&d, 4).unwrap();
    println!("{}", count(&x, &mut h).unwrap_err());
    println!("{}", step::cuda_source().unwrap().len());
}

#[kernel]
fn shadowed_extent(x: &Field<f32>, out: &mut Field<f32>, n: usize) {
    let m = n;
    let n = 1;
    for i in 0..m {
        out[i] += x[i] * n as f32;
    }
}

#[test]
fn an_extent_that_is_shadowed_is_still_checked() {
    let d = Device::cpu();
    let x = Field::from_slice(&d, &[1.0f32, 2.0]).unwrap();
    let mut out = Field::zeros(&d, 2).unwrap();
    let error = shadowed_extent(&x, &mut out, 4).unwrap_err();
    assert!(matches!(error, Error::OutOfBounds { .. }), "{error}");
    assert_eq!(out.to_vec().unwrap(), [1.0, 2.0]);
}
