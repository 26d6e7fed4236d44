use swathe::prelude::*;

#[kernel]
fn parallel(out: &mut Field<i32>, n: i32) {
    for i in 0..n {
        out[i] = 1;
    }
}

#[kernel]
fn sequential(u: &Field<i32>, out: &mut Field<i32>, n: u32) {
    for i in out.indices() {
        let mut sum = 0;
        for k in 0..n {
            sum += u[k];
        }
        out[i] = sum;
    }
}

fn main() {}
