use swathe::prelude::*;

#[kernel]
fn written(x: &Field<i32>, out: &mut Field<i32>) -> bool {
    let mut any = false;
    for i in out.indices() {
        any = any || {
            out[i] = 1;
            x[i] > 3
        };
    }
    any
}

#[kernel]
fn counted(x: &Field<i32>, count: &mut Field<u32>) -> bool {
    let mut all = true;
    for i in x.indices() {
        all = x[i] > 0 && (all && count[0].atomic_add(1) < 100);
    }
    all
}

#[kernel]
fn another(x: &Field<i32>) -> (bool, i32) {
    let (mut any, mut sum) = (false, 0);
    for i in x.indices() {
        any = any || {
            sum += 1;
            x[i] > 3
        };
    }
    (any, sum)
}

fn main() {}
