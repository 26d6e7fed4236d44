use swathe::prelude::*;

const K7: i32 = 7;
#[allow(non_upper_case_globals)]
const lower: i32 = 8;

#[kernel]
fn bound(x: &mut Field<i32>) {
    let f = |K7: i32| K7 + 1;
    let g = |(lower, v): (i32, i32)| lower * v;
    let h = |v: i32| {
        let K7 = v;
        K7 + 1
    };
    for i in x.indices() {
        x[i] = f(1) + g((1, 2)) + h(3);
    }
}

fn main() {}
