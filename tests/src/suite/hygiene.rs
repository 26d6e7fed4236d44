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

/// Methods that Rust would call before those that stand under `#[func]`: of the type itself, of traits, by value, of references.
mod taken {
    use swathe::Complex;
    use swathe::math::Float;
    use swathe::prelude::*;

    #[derive(Element, Clone, Copy, Debug, PartialEq)]
    pub struct Disc {
        r: f32,
    }

    #[func]
    impl Disc {
        fn unit(r: f32) -> Self {
            Disc { r: r + 0.5 }
        }

        fn area(&self, k: f32) -> f32 {
            assert!(self.width(1.0) < 1000.0);
            self.r * self.r * k
        }

        fn grow(&mut self, by: f32) -> f32 {
            self.r += by;
            self.width(2.0)
        }

        const fn width(self, k: f32) -> f32 {
            k * self.r
        }

        #[allow(clippy::trivially_copy_pass_by_ref)]
        fn __hidden(&self) -> f32 {
            self.r + 0.25
        }
    }

    #[func]
    trait Shape {
        fn girth(self) -> f32;
        fn corners(&self, more: u32) -> u32;
        fn made(r: f32) -> Self;
    }

    #[func]
    impl Shape for Disc {
        fn girth(self) -> f32 {
            3.0 * self.r
        }

        fn corners(&self, more: u32) -> u32 {
            more + 7
        }

        fn made(r: f32) -> Self {
            Disc { r }
        }
    }

    #[allow(dead_code)]
    impl Disc {
        fn girth(self) -> f32 {
            1e6
        }

        fn corners(self, _: u32) -> u32 {
            1_000_000
        }

        fn made(r: f32) -> Self {
            Disc { r: r + 1e6 }
        }
    }

    #[func]
    impl Default for Disc {
        fn default() -> Self {
            Disc { r: 0.5 }
        }
    }

    /// Of everything, by value.
    #[allow(dead_code, clippy::wrong_self_convention)]
    trait Taken: Sized {
        fn area(self, _: f32) -> f32 {
            2e6
        }
        fn grow(self, _: f32) -> f32 {
            2e6
        }
        fn corners(self, _: u32) -> u32 {
            2_000_000
        }
        fn norm_sqr(self) -> f32 {
            2e6
        }
        fn __hidden(self) -> f32 {
            2e6
        }
        fn length(self) -> f32 {
            2e6
        }
        fn as_u32(self) -> u32 {
            2_000_000
        }
        fn min(self, _: Self) -> Self {
            self
        }
    }

    impl<T> Taken for T {}

    #[func]
    fn of_reference(v: &Vec3, w: &Disc) -> f32 {
        v.length() + w.area(1.0) + v.dot(*v)
    }

    #[func]
    fn of_any<T: Shape>(shape: T) -> f32 {
        shape.girth() + shape.corners(1).as_f32() + T::made(4.0).girth()
    }

    #[func]
    fn root<T: Float>(x: T) -> T {
        x.sqrt().min(T::TWO)
    }

    #[kernel]
    pub fn calls(x: &Field<f32>, out: &mut Field<[f32; 12]>) {
        for i in x.indices() {
            let mut disc = Disc::unit(x[i]);
            let v = Vec3::new(x[i], 2.0, 3.0);
            let z = Complex::<f32>::new(x[i], 2.0);
            out[i] = [
                disc.area(2.0),
                disc.grow(1.0),
                disc.girth(),
                disc.corners(2) as f32,
                Disc::made(3.0).r,
                z.norm_sqr(),
                v.length(),
                x[i].as_u32().min(5) as f32,
                of_reference(&v, &disc),
                of_any(disc),
                root(x[i]),
                Disc::default().area(1.0) + disc.__hidden(),
            ];
        }
    }

    pub fn in_rust(x: f32) -> [f32; 12] {
        let (r, grown) = (x + 0.5, x + 1.5);
        let squared = x * x + 4.0 + 9.0;
        [
            r * r * 2.0,
            grown * 2.0,
            grown * 3.0,
            9.0,
            3.0,
            x * x + 4.0,
            squared.sqrt(),
            Ord::min(x as u32, 5) as f32,
            squared.sqrt() + grown * grown + squared,
            3.0 * grown + 8.0 + 12.0,
            f32::min(x.sqrt(), 2.0),
            0.5 + grown,
        ]
    }
}

pub fn check(device: &Device) {
    for n in SIZES {
        let values: Vec<f32> = (0..n).map(|i| (i % 37) as f32 * 0.75).collect();
        let x = field(device, &values);
        let mut out = Field::full(device, n, [0.0; 12]).unwrap();
        taken::calls(&x, &mut out).unwrap();
        let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-5 * b.abs());
        for (found, x) in out.to_vec().unwrap().iter().zip(&values) {
            assert!(near(found, &taken::in_rust(*x)), "{found:?} for {x}");
        }
    }
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
    sources![marks, two_bases, shadowed, hidden::calls, taken::calls]
}
