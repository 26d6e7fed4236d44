//! Attributes above statements of loops that run in lanes, where statements are taken apart.

#![deny(unused_variables, unused_mut, deprecated, break_with_label_and_loop)]

use swathe::prelude::*;
use swathe_tests_lanes::{SIZES, field, values, versions};

#[func]
#[deprecated]
fn halved(x: i32) -> i32 {
    x / 2
}

#[func]
#[deprecated]
fn steps(x: i32) -> i32 {
    let mut x = x;
    let mut steps = 0;
    while x > 1 {
        x /= 2;
        steps += 1;
    }
    steps
}

/// The native code of a division is a block.
#[func]
fn divided(x: i32) -> i32 {
    let mut k = 0;
    loop {
        k += 1;
        if k > 3 {
            break (x + k) / (x * x + k);
        }
    }
}

#[func]
fn walk(start: i32) -> i32 {
    let mut sum = start;
    for k in 0..40 {
        #[allow(deprecated)]
        if sum % 3 == 1 {
            sum += halved(k);
            #[allow(unused_variables)]
            let next = sum;
        }
        #[allow(deprecated)]
        if k > 5 {
            sum -= steps(sum);
        }
        if sum > 200 {
            break;
        }
    }
    sum
}

#[kernel]
fn walks(x: &Field<i32>, out: &mut Field<i32>) {
    for i in out.indices() {
        let mut sum = x[i];
        for k in 0..x.len() {
            #[allow(deprecated)]
            if x[k] > sum {
                sum += halved(x[k]);
                #[allow(unused_variables)]
                let next = sum;
            }
            #[allow(unused_variables, unused_mut)]
            if x[k] > 1 {
                let mut next = sum;
            }
            #[allow(deprecated)]
            if x[k] == 7 {
                sum += steps(sum);
            }
            if sum > 100 {
                break;
            }
        }
        out[i] = sum + walk(sum) + divided(sum);
    }
}

#[test]
#[allow(deprecated)]
fn statements_with_attributes() {
    let x = |i: usize| (i * 5 % 13) as i32;
    for n in SIZES {
        let expected = |i: usize| {
            let mut sum = x(i);
            for k in 0..n {
                if x(k) > sum {
                    sum += x(k) / 2;
                }
                if x(k) == 7 {
                    sum += steps(sum);
                }
                if sum > 100 {
                    break;
                }
            }
            sum + walk(sum) + divided(sum)
        };
        let expected: Vec<i32> = (0..n).map(expected).collect();
        versions(|version| {
            let mut out = field(n, |_| 0);
            walks(&field(n, x), &mut out).unwrap();
            assert_eq!(values(&out), expected, "{n}, {version}");
        });
    }
}
