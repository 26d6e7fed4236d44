//! Names that macros wrote, that shadow others, and that mean something else in another namespace.

use swathe::prelude::*;

use super::support::{SIZES, each, field, same, sources};

/// Variables, positions and labels of one text, from two places.
macro_rules! twice {
    ($($(#[$attr:meta])* $name:ident($i:ident, $base:ident, $t:ident, $total:ident, $label:lifetime) $jump:block)*) => {$(
        $(#[$attr])*
        fn $name(x: u32) -> u32 {
            let $base = x % 4;
            let base = 7;
            let mut $total = 100 * base + $base;
            let t = 1000;
            $label: for $i in 0..5_u32 {
                let $t = t + 10 * $i;
                let t = 2 * $t;
                let mut n = 0;
                'a: loop {
                    n += 1;
                    if n > 3 + base - 7 {
                        break 'a;
                    }
                    $jump
                    $total += n;
                }
                $total += t + $t;
            }
            $total + t
        }
    )*};
}

twice! {
    #[func]
    in_kernels(i, base, t, total, 'a) {
        if i == 2 { continue 'a; }
        if i == 3 + base { break 'a; }
    }
    in_rust(i, base, t, total, 'a) {
        if i == 2 { continue 'a; }
        if i == 3 + base { break 'a; }
    }
}

#[kernel]
fn marks(x: &Field<u32>, out: &mut Field<u32>) {
    for i in x.indices() {
        out[i] = in_kernels(x[i]);
    }
}

/// The sums of windows at two bases of one name, and sums of the whole field, which run in lanes.
macro_rules! windows {
    ($name:ident, $base:ident, $t:ident, $sum:expr) => {
        #[kernel]
        fn $name(x: &Field<f32>, $base: usize, out: &mut Field<f32>, t: f32) {
            for i in out.indices() {
                let $t = x[i] + t;
                let base = 5;
                let t = 10.0_f32;
                let mut s = 0.0;
                for j in 0..3 {
                    s += x[base + j] + 2.0 * x[$base + j];
                }
                for k in 0..x.len() {
                    s += x[k] * t;
                }
                out[i] = s + $sum;
            }
        }
    };
}
windows!(two_bases, base, t, 4.0 * t);

/// Shadowed in each way that Rust has.
#[kernel]
fn shadowed(x: &Field<i32>, out: &mut Field<i32>) {
    for i in x.indices() {
        let v = x[i];
        let x = v + 1;
        let i_squared = {
            let i = i as i32;
            let i = i * i;
            i
        };
        let v = match v {
            0 => 5,
            v if v > 3 => v - x,
            v => {
                let v = 2 * v;
                v + x
            }
        };
        let mut sum = v;
        for x in 0..3 {
            let v = x + sum;
            for x in 0..2 {
                sum += v * x;
            }
            sum += x;
        }
        out[i] = sum + x + i_squared;
    }
}

fn shadowed_in_rust(i: usize, v: i32) -> i32 {
    let x = v + 1;
    let i_squared = (i * i) as i32;
    let v = match v {
        0 => 5,
        v if v > 3 => v - x,
        v => 2 * v + x,
    };
    let mut sum = v;
    for x in 0..3 {
        let v = x + sum;
        for x in 0..2 {
            sum += v * x;
        }
        sum += x;
    }
    sum + x + i_squared
}

mod far {
    use swathe::prelude::*;

    #[func]
    pub fn near(x: f32) -> f32 {
        x + 1.0
    }
}

/// The glob import brings the function and what kernels know of it; the function of this module hides the first alone.
mod hidden {
    #[allow(unused_imports)]
    use super::far::*;
    use swathe::prelude::*;

    #[allow(dead_code)]
    fn near(x: f32) -> f32 {
        x + 1000.0
    }

    #[kernel]
    pub fn calls(x: &Field<f32>, out: &mut Field<f32>) {
        for i in x.indices() {
            out[i] = near(x[i]);
        }
    }
}

pub fn check(device: &Device) {
    each!(device, marks, |i| i as u32, |_, x| in_rust(x));
    each!(device, shadowed, |i| (i as i32 * 7) % 11 - 4, shadowed_in_rust);
    each!(device, hidden::calls, |i| i as f32, |_, x| x + 1.0);
    for n in SIZES {
        let values: Vec<f32> = (0..20).map(|k| k as f32).collect();
        let x = field(device, &values);
        let mut out = Field::full(device, n.min(20), 0.0).unwrap();
        two_bases(&x, 2, &mut out, 0.5).unwrap();
        let sums = 18.0 + 2.0 * 9.0 + 10.0 * 190.0;
        let expected = (0..n.min(20)).map(|i| sums + 4.0 * (i as f32 + 0.5)).collect();
        same("two_bases", &out, expected);
        // The second window alone is out of bounds.
        assert_eq!(
            two_bases(&x, 18, &mut out, 0.5)
                .and_then(|()| device.synchronize())
                .is_err(),
            n > 0
        );
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![marks, two_bases, shadowed, hidden::calls]
}
