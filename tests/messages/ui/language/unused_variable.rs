#![deny(unused)]
use swathe::prelude::*;

#[func]
fn halved(x: f32, unused: f32) -> f32 {
    let half = 0.5;
    let other = 2.0;
    let mut n = x * half;
    while n > 100.0 {
        n *= 0.5;
    }
    n
}

#[kernel]
fn scale(keys: &Field<u32>, x: &Field<f32>, out: &mut Field<f32>, by: f32) {
    for i in out.indices() {
        let key = keys[i] as usize;
        let twice = x[key] * 2.0;
        let mut s = 0.0;
        for k in 0..3 {
            s += x[i];
        }
        out[i] = halved(x[key] + s, 1.0);
    }
}

fn main() {
    let _ = scale::cuda_source();
    let cpu = Device::cpu();
    let keys = Field::zeros(&cpu, 3).unwrap();
    let x = Field::zeros(&cpu, 3).unwrap();
    let mut out = Field::zeros(&cpu, 3).unwrap();
    scale(&keys, &x, &mut out, 1.0).unwrap();
}
