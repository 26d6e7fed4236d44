//! Complex numbers, each result against the crate `num_complex`.

use std::fmt::Debug;

use swathe::Complex;
use swathe::prelude::*;

use super::support::{equal, field, same, scatter, sources};

macro_rules! topics {
    ($($module:ident $t:ident $ulp:literal;)*) => {$(
        mod $module {
            use ndarray::{Array2, ShapeBuilder};

            use super::*;

            type C = Complex<$t>;

            #[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
            struct Wave {
                on: bool,
                amplitude: Complex<$t>,
                modes: [Complex<$t>; 2],
            }

            const TURN: C = C::new(0.0, 1.0);

            #[kernel]
            fn operators(x: &Field<C>, y: &Field<C>, out: &mut Field<[C; 17]>, equal: &mut Field<[bool; 2]>) {
                for i in out.indices() {
                    let (a, b) = (x[i], y[i]);
                    let s = b.re;
                    let mut c = a;
                    c += b;
                    c *= a;
                    c -= b;
                    c /= b;
                    c *= s;
                    c += s;
                    c -= s;
                    c /= s;
                    out[i] = [
                        a + b,
                        a - b,
                        a * b,
                        a / b,
                        a + s,
                        a - s,
                        a * s,
                        a / s,
                        s + a,
                        s - a,
                        s * a,
                        s / a,
                        -a,
                        c,
                        a.conj() * TURN,
                        (a + 1.5) * 2.0 - b.scale(s),
                        a.inv() + b.unscale(s),
                    ];
                    equal[i] = [a == b, a != b];
                }
            }

            fn expected(a: C, b: C) -> [C; 17] {
                let s = b.re;
                let mut c = a;
                c += b;
                c *= a;
                c -= b;
                c /= b;
                c *= s;
                c += s;
                c -= s;
                c /= s;
                [
                    a + b, a - b, a * b, a / b, a + s, a - s, a * s, a / s, s + a, s - a, s * a, s / a, -a, c, a.conj() * TURN,
                    (a + 1.5) * 2.0 - b.scale(s), a.inv() + b.unscale(s),
                ]
            }

            #[kernel]
            fn exact(x: &Field<C>, out: &mut Field<[$t; 4]>, is: &mut Field<[bool; 3]>) {
                for i in out.indices() {
                    let z = x[i];
                    out[i] = [z.norm_sqr(), z.l1_norm(), z.re, C::new(z.im, z.re).im];
                    is[i] = [z.is_nan(), z.is_finite(), z.is_infinite()];
                }
            }

            #[kernel]
            fn functions(x: &Field<C>, out: &mut Field<[C; 10]>) {
                for i in out.indices() {
                    let z = x[i];
                    let (r, theta) = z.to_polar();
                    out[i] = [
                        Complex::<$t>::new(z.norm(), z.arg()),
                        C::new(r, theta),
                        C::from_polar(r, theta),
                        C::cis(z.re),
                        z.exp(),
                        z.ln(),
                        z.sqrt(),
                        z.sin(),
                        z.cos(),
                        C { re: z.norm(), im: 0.0 },
                    ];
                }
            }

            fn mathematics(z: C) -> [C; 10] {
                let (r, theta) = z.to_polar();
                [
                    C::new(z.norm(), z.arg()), C::new(r, theta), C::from_polar(r, theta), C::cis(z.re), z.exp(), z.ln(), z.sqrt(),
                    z.sin(), z.cos(), C::new(z.norm(), 0.0),
                ]
            }

            #[func]
            fn step(z: C, c: C) -> C {
                z * z + c
            }

            #[kernel]
            fn waves(w: &mut Field<Wave>, c: C) -> C {
                for i in w.indices() {
                    w[i].modes[i % 2] = step(w[i].amplitude, c);
                    w[i].amplitude.re += w[i].modes[0].im;
                    w[i].on = w[i].amplitude != c;
                }
                step(c, TURN)
            }

            /// A number of many sizes and either sign.
            fn number(i: usize) -> C {
                let part = |i: usize| scatter(i) as $t * (0.37 as $t) * (2.0 as $t).powi((i % 13) as i32 - 9);
                C::new(part(i), part(i * 5 + 3))
            }

            fn bits(z: C) -> [u64; 2] {
                [z.re, z.im].map(|x| if x.is_nan() { u64::MAX } else { x.to_bits().into() })
            }

            pub fn sources() -> Vec<(&'static str, swathe::Result<String>)> {
                sources![operators, exact, functions, waves]
            }

            pub fn check(device: &Device) {
                let nan = <$t>::NAN;
                let inf = <$t>::INFINITY;
                let parts = [0.0, -0.0, 1.0, -2.5, inf, -inf, nan];
                let special: Vec<C> = parts.iter().flat_map(|re| parts.map(|im| C::new(*re, im))).collect();
                let numbers: Vec<C> = (0..1000).map(number).collect();
                let all: Vec<C> = special.iter().chain(&numbers).copied().collect();
                let others: Vec<C> = all.iter().rev().copied().collect();

                let mut out = Field::zeros(device, all.len()).unwrap();
                let mut compared = Field::zeros(device, all.len()).unwrap();
                operators(&field(device, &all), &field(device, &others), &mut out, &mut compared).unwrap();
                for ((a, b), got) in all.iter().zip(&others).zip(out.to_vec().unwrap()) {
                    equal(&format!("operators of {a} and {b}"), &got.map(bits), &expected(*a, *b).map(bits));
                }
                same("equality", &compared, all.iter().zip(&others).map(|(a, b)| [a == b, a != b]).collect());

                let (mut out, mut is) = (Field::zeros(device, all.len()).unwrap(), Field::zeros(device, all.len()).unwrap());
                exact(&field(device, &all), &mut out, &mut is).unwrap();
                for (z, got) in all.iter().zip(out.to_vec().unwrap()) {
                    let want = [z.norm_sqr(), z.l1_norm(), z.re, z.re];
                    let key = |x: $t| bits(C::new(x, 0.0))[0];
                    equal(&format!("parts of {z}"), &got.map(key), &want.map(key));
                }
                same("is", &is, all.iter().map(|z| [z.is_nan(), z.is_finite(), z.is_infinite()]).collect());

                let mut out = Field::zeros(device, all.len()).unwrap();
                functions(&field(device, &all), &mut out).unwrap();
                for (z, got) in all.iter().zip(out.to_vec().unwrap()) {
                    for (k, (got, want)) in got.iter().zip(mathematics(*z)).enumerate() {
                        near(&format!("function {k} of {z}"), *got, want);
                    }
                }

                for n in [0, 1, 3, 17, 1000] {
                    let start: Vec<Wave> = (0..n)
                        .map(|i| Wave {
                            on: i % 2 == 0,
                            amplitude: number(i),
                            modes: [number(i + 1), number(i + 2)],
                        })
                        .collect();
                    let c = number(n + 7);
                    let mut w = field(device, &start);
                    assert_eq!(waves(&mut w, c).unwrap(), c * c + TURN);
                    let expected = start.iter().enumerate().map(|(i, w)| {
                        let mut w = *w;
                        w.modes[i % 2] = w.amplitude * w.amplitude + c;
                        w.amplitude.re += w.modes[0].im;
                        w.on = w.amplitude != c;
                        w
                    });
                    same("waves", &w, expected.collect());
                }

                let a = Array2::from_shape_fn((3, 17).f(), |(i, j)| number(i * 17 + j));
                let u = Field::<C, 2>::from_ndarray(device, &a).unwrap();
                assert_eq!((u.shape(), u.get([2, 5]).unwrap()), ([3, 17], number(2 * 17 + 5)));
                assert_eq!(u.to_ndarray().unwrap(), a);
                let im = u.member::<$t>("im").unwrap().to_ndarray().unwrap();
                assert_eq!(im, a.mapv(|z| z.im));
            }

            /// Both parts within some units in the last place of the number.
            fn near(what: &str, got: C, want: C) {
                let off = (got - want).norm() <= $ulp * <$t>::EPSILON * want.norm();
                assert!(bits(got) == bits(want) || off, "{what}: {got} instead of {want}");
            }
        }
    )*};
}

topics! {
    single f32 8.0;
    double f64 8.0;
}

pub fn check(device: &Device) {
    single::check(device);
    double::check(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = single::sources();
    all.extend(double::sources());
    all
}
