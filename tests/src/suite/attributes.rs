//! Attributes above statements, blocks and arms: what they allow holds there, also where the crate denies it.

// By name, too: a group does not reach what is denied by name.
#![deny(warnings, unused, unused_variables, unused_assignments, unused_must_use, deprecated)]

use swathe::prelude::*;

use super::support::{each, sources};

#[func]
#[deprecated]
fn halved(x: i32) -> i32 {
    x / 2
}

#[func]
#[must_use]
fn doubled(x: i32) -> i32 {
    x.wrapping_mul(2)
}

#[func]
fn counted(x: i32) -> i32 {
    let mut sum = 0;
    #[allow(unused_variables)]
    for k in 0..3 {
        sum += 1;
    }
    #[allow(unused_must_use)]
    doubled(sum);
    #[allow(deprecated)]
    assert!(halved(sum) == 1);
    match x {
        #[allow(unused_variables)]
        0 => {
            let sum = 3;
        }
        _ => sum += 1,
    }
    #[allow(unused_variables)]
    if x > 3 {
        let a = 1;
        sum
    } else {
        -sum
    }
}

#[kernel]
fn lists(x: &Field<i32>, out: &mut Field<[i32; 3]>) {
    #[allow(unused_variables)]
    let n = out.len();
    #[allow(unused_variables)]
    for i in out.indices() {
        let twice = 2 * x[i];
        #[allow(unused_variables)]
        let [a, b] = [x[i], 3];
        #[expect(unused_variables)]
        let c = 4;
        #[rustfmt::skip]
        let mut sum = a;
        #[allow(unused_assignments)]
        {
            #![allow(unused_variables)]
            let d = sum;
            sum = 5;
            sum = a + 1;
        }
        #[allow(unused_must_use)]
        doubled(sum);
        #[allow(deprecated)]
        assert!(halved(4) == 2, "two is {}", halved(4));
        #[allow(deprecated)]
        if sum > 7 {
            sum += halved(sum);
        } else {
            sum -= halved(sum);
        }
        #[allow(unused_variables)]
        for k in 0..3 {
            sum += 1;
        }
        #[allow(unused_variables)]
        loop {
            let e = 3;
            sum += 1;
            #[allow(clippy::needless_bool)]
            if sum > 5 {
                break;
            }
        }
        let chosen = match x[i] {
            #[allow(deprecated)]
            5 => halved(5),
            #[allow(unused_variables)]
            f => 6,
        };
        out[i] = [sum, chosen, counted(x[i])];
    }
}

#[kernel]
fn first(x: &Field<i32>) -> i32 {
    #[allow(unused_variables)]
    if x[0] > 3 {
        let a = 1;
        x[0]
    } else {
        2
    }
}

#[allow(deprecated, unused_variables)]
fn expected(a: i32) -> [i32; 3] {
    let mut sum = a + 1;
    sum += if sum > 7 { halved(sum) } else { -halved(sum) };
    sum += 3;
    loop {
        sum += 1;
        if sum > 5 {
            break;
        }
    }
    let count = if a == 0 { 3 } else { 4 };
    [sum, if a == 5 { 2 } else { 6 }, if a > 3 { count } else { -count }]
}

pub fn check(device: &Device) {
    each!(device, lists, |i| i as i32 % 19 - 5, |_, a| expected(a));
    for (value, result) in [(3, 2), (4, 4)] {
        let x = Field::full(device, 1, value).unwrap();
        assert_eq!(first(&x).unwrap(), result);
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![lists, first]
}
