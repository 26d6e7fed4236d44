//! Complex numbers, each result against the crate `num_complex`.

use std::fmt::Debug;

use swathe::Complex;
use swathe::prelude::*;

use super::support::{equal, field, same, scatter, sources};

macro_rules! topics {
    ($($module:ident $t:ident $ulp:literal;)*) => {$(
        mod $module {
            use ndarray::{Array2, ShapeBuilder, s};
            use swathe::{AnyArray, Soa};

            use super::*;

            type C = Complex<$t>;

            #[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
            struct Wave {
                on: bool,
                amplitude: Complex<$t>,
                modes: [Complex<$t>; 2],
            }

            const TURN: C = C::new(0.0, 1.0);

            #[kernel(strict)]
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

            #[kernel(strict)]
            fn exact(x: &Field<C>, out: &mut Field<[$t; 4]>, powers: &mut Field<[C; 6]>, is: &mut Field<[bool; 3]>) {
                for i in out.indices() {
                    let z = x[i];
                    out[i] = [z.norm_sqr(), z.l1_norm(), z.re, C::new(z.im, z.re).im];
                    powers[i] = [z.powi(3), z.powi(-5), z.powu(12), z.powi(0), C::i() * z, 2.0 * z + C::I];
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

            #[kernel]
            fn more(x: &Field<C>, y: &Field<C>, out: &mut Field<[C; 22]>) {
                for i in out.indices() {
                    let (z, w) = (x[i], y[i]);
                    out[i] = [
                        z.tan(),
                        z.sinh(),
                        z.cosh(),
                        z.tanh(),
                        z.asin(),
                        z.acos(),
                        z.atan(),
                        z.asinh(),
                        z.acosh(),
                        z.atanh(),
                        z.cbrt(),
                        z.exp2(),
                        z.expf(1.75),
                        z.log(3.0),
                        z.log2(),
                        z.log10(),
                        z.powf(w.re),
                        z.powc(w),
                        z.finv(),
                        z.fdiv(w),
                        z.powf(0.0),
                        z.powc(C::ZERO),
                    ];
                }
            }

            fn more_mathematics(z: C, w: C) -> [C; 22] {
                [
                    z.tan(), z.sinh(), z.cosh(), z.tanh(), z.asin(), z.acos(), z.atan(), z.asinh(), z.acosh(), z.atanh(),
                    z.cbrt(), z.exp2(), z.expf(1.75), z.log(3.0), z.log2(), z.log10(), z.powf(w.re), z.powc(w), z.finv(), z.fdiv(w),
                    C::new(1.0, 0.0), C::new(1.0, 0.0),
                ]
            }

            #[kernel]
            fn sums(x: &Field<C>, bins: &mut Field<C>, start: C) -> (C, C) {
                let mut sum = start;
                let mut rest = start;
                for i in x.indices() {
                    sum += x[i];
                    rest -= x[i].conj();
                    bins[i % 3].atomic_add(x[i]);
                    bins[3].atomic_sub(x[i]);
                }
                (sum, rest)
            }

            /// Multiplied part by part it would be another number.
            #[kernel]
            fn products(x: &Field<C>, start: C) -> (C, C) {
                let mut all = start;
                let mut odd = C::new(0.0, 1.0);
                for i in x.indices() {
                    all *= x[i];
                    if i % 2 == 1 {
                        odd = odd * x[i];
                    }
                }
                (all, odd)
            }

            #[kernel]
            fn before(counter: &mut Field<C>, seen: &mut Field<C>) {
                for i in seen.indices() {
                    seen[i] = counter[0].atomic_add(C::new(1.0, -2.0));
                }
            }

            #[func]
            fn step(z: C, c: C) -> C {
                z * z + c
            }

            #[kernel(strict)]
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

            fn wave_values(n: usize) -> Vec<Wave> {
                let wave = |i| Wave {
                    on: i % 2 == 0,
                    amplitude: number(i),
                    modes: [number(i + 1), number(i + 2)],
                };
                (0..n).map(wave).collect()
            }

            fn bits(z: C) -> [u64; 2] {
                [z.re, z.im].map(|x| if x.is_nan() { u64::MAX } else { x.to_bits().into() })
            }

            pub fn sources() -> Vec<(&'static str, swathe::Result<String>)> {
                sources![operators, exact, functions, more, sums, products, before, waves]
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
                let mut powers = Field::zeros(device, all.len()).unwrap();
                exact(&field(device, &all), &mut out, &mut powers, &mut is).unwrap();
                for (z, got) in all.iter().zip(powers.to_vec().unwrap()) {
                    let want = [z.powi(3), z.powi(-5), z.powu(12), z.powi(0), C::i() * z, 2.0 * z + C::I];
                    equal(&format!("powers of {z}"), &got.map(bits), &want.map(bits));
                }
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

                check_more(device);
                check_sums(device);
                check_exchange(device);
                check_planes(device);
                for n in [0, 1, 3, 17, 1000] {
                    let start = wave_values(n);
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
            }

            /// Of moderate size, where the formulas lose few digits.
            fn check_more(device: &Device) {
                let part = |i: usize| scatter(i) as $t * (0.0173 as $t);
                let mut all: Vec<C> = (0..500).map(|i| C::new(part(i), part(i * 7 + 5))).collect();
                all.extend([C::new(2.0, 0.0), C::new(-1.5, 0.0), C::new(-1.5, -0.0), C::new(0.0, 2.5), C::new(0.0, -0.5)]);
                all.extend([C::I, -C::I, C::ONE, -C::ONE]);
                let others: Vec<C> = all.iter().rev().copied().collect();
                let mut out = Field::zeros(device, all.len()).unwrap();
                more(&field(device, &all), &field(device, &others), &mut out).unwrap();
                for ((z, w), got) in all.iter().zip(&others).zip(out.to_vec().unwrap()) {
                    for (k, (got, want)) in got.iter().zip(more_mathematics(*z, *w)).enumerate() {
                        let off = (got - want).norm() <= 16.0 * $ulp * <$t>::EPSILON * (1.0 + want.norm());
                        assert!(bits(*got) == bits(want) || off, "function {k} of {z} and {w}: {got} instead of {want}");
                    }
                }
            }

            fn check_sums(device: &Device) {
                let start = C::new(3.0, -7.0);
                for n in [0, 1, 3, 17, 1000] {
                    let x: Vec<C> = (0..n).map(|i| C::new(scatter(i) as $t, (scatter(i * 3 + 1) * 2) as $t)).collect();
                    let mut bins = field(device, &[start; 4]);
                    let (sum, rest) = sums(&field(device, &x), &mut bins, start).unwrap();
                    let all: C = x.iter().sum();
                    assert_eq!((sum, rest), (start + all, start - all.conj()), "{n}");
                    // Turns by quarters, and few factors that are longer: exact in any order.
                    let turns = [C::new(0.0, 1.0), C::new(-1.0, 0.0), C::new(1.0, 0.0), C::new(0.0, -1.0), C::new(0.0, 1.0)];
                    let factor = |i: usize| if i % 101 == 2 { C::new(1.0, 2.0) } else { turns[i % 5] };
                    let x: Vec<C> = (0..n).map(factor).collect();
                    let product = x.iter().fold(start, |all, z| all * z);
                    let odd = x.iter().skip(1).step_by(2).fold(C::new(0.0, 1.0), |all, z| all * z);
                    assert_eq!(products(&field(device, &x), start).unwrap(), (product, odd), "{n}");
                    let x: Vec<C> = (0..n).map(|i| C::new(scatter(i) as $t, (scatter(i * 3 + 1) * 2) as $t)).collect();
                    let mut expected: Vec<C> = (0..3).map(|k| start + x.iter().skip(k).step_by(3).sum::<C>()).collect();
                    expected.push(start - all);
                    same("bins", &bins, expected);

                    let (mut counter, mut seen) = (field(device, &[start]), Field::zeros(device, n).unwrap());
                    before(&mut counter, &mut seen).unwrap();
                    let mut parts: Vec<[$t; 2]> = seen.to_vec().unwrap().iter().map(|z: &C| [z.re, z.im]).collect();
                    // Each part is one atomic sum.
                    for part in [0, 1] {
                        parts.sort_by(|a, b| (a[part].abs()).total_cmp(&b[part].abs()));
                        let by = [1.0, -2.0][part];
                        let first = [start.re, start.im][part];
                        let expected: Vec<$t> = (0..n).map(|k| first + by * k as $t).collect();
                        equal("what was there before", &parts.iter().map(|p| p[part]).collect::<Vec<_>>(), &expected);
                    }
                }
            }

            fn check_exchange(device: &Device) {
                let a = Array2::from_shape_fn((3, 17).f(), |(i, j)| number(i * 17 + j));
                let u = Field::<C, 2>::from_ndarray(device, &a).unwrap();
                assert_eq!((u.shape(), u.get([2, 5]).unwrap()), ([3, 17], number(2 * 17 + 5)));
                assert_eq!(u.to_ndarray().unwrap(), a);
                let im = u.member::<$t>("im").unwrap().to_ndarray().unwrap();
                assert_eq!(im, a.mapv(|z| z.im));

                // Tensors, and members of structs.
                let w = field(device, &wave_values(5));
                let arrays = w.to_arrays().unwrap();
                assert_eq!(arrays.names().collect::<Vec<_>>(), ["on", "amplitude", "modes"]);
                assert_eq!(arrays.array::<C, ndarray::Ix2>("modes").unwrap()[[3, 1]], number(5));
                let again = Field::<Wave>::from_arrays(device, &arrays).unwrap();
                same("arrays", &again, w.to_vec().unwrap());

                let any = AnyArray::from(&a);
                assert_eq!((any.dtype().name(), any.dtype().size()), (concat!("Complex<", stringify!($t), ">"), size_of::<C>()));
                let mut v = Field::<C, 2>::zeros(device, [3, 17]).unwrap();
                v.copy_from_any(&any).unwrap();
                assert_eq!(v.to_ndarray().unwrap(), a);
                v.copy_from_any_cast(&AnyArray::from(a.mapv(|z| z.re))).unwrap();
                assert_eq!(v.to_ndarray().unwrap(), a.mapv(|z| C::new(z.re, 0.0)));
                v.copy_from_ndarray_cast(&a.mapv(|z| Complex::<f32>::new(z.re as f32, z.im as f32))).unwrap();
                assert_eq!(v.to_ndarray().unwrap(), a.mapv(|z| C::new(z.re as f32 as $t, z.im as f32 as $t)));
                let mut reals = Field::<$t, 2>::full(device, [3, 17], 2.5).unwrap();
                let error = reals.copy_from_any_cast(&any).unwrap_err().to_string();
                let text = concat!("expected scalars of type ", stringify!($t), ", got Complex<", stringify!($t), ">");
                assert!(error.ends_with(text), "{error}");
                assert_eq!(reals.to_vec().unwrap(), vec![2.5; 51]);

                let tensor = u.into_dlpack().unwrap();
                let code = tensor.as_raw().dtype;
                assert_eq!((code.code, usize::from(code.bits), code.lanes), (5, 8 * size_of::<C>(), 1));
                assert_eq!(Field::<C, 2>::from_dlpack(tensor).unwrap().to_ndarray().unwrap(), a);
            }

            /// Each part in a plane of its own.
            fn check_planes(device: &Device) {
                let a = Array2::from_shape_fn((3, 17).f(), |(i, j)| number(i * 17 + j));
                let u = Field::<C, 2>::from_ndarray(device, &a).unwrap();
                let mut planes = u.with_layout(Soa).unwrap();
                assert_eq!(planes.to_ndarray().unwrap(), a);
                assert_eq!(planes.get([2, 5]).unwrap(), number(2 * 17 + 5));
                assert_eq!(planes.member::<$t>("im").unwrap().to_ndarray().unwrap(), a.mapv(|z| z.im));
                assert_eq!(planes.view().slice(s![..;-1, 1..;3]).unwrap().to_ndarray().unwrap(), a.slice(s![..;-1, 1..;3]));
                let b = a.mapv(|z| z * 2.0 + 1.0);
                planes.copy_from_ndarray(&b).unwrap();
                assert_eq!(planes.to_ndarray().unwrap(), b);
                let mut part = planes.view_mut().unwrap();
                let mut part = part.slice_mut(s![1.., ..;2]).unwrap();
                part.copy_from_ndarray(&a.slice(s![1.., ..;2])).unwrap();
                let mut expected = b.clone();
                expected.slice_mut(s![1.., ..;2]).assign(&a.slice(s![1.., ..;2]));
                assert_eq!(planes.to_ndarray().unwrap(), expected);
                planes.copy_from_any_cast(&AnyArray::from(a.mapv(|z| z.re).t().to_owned().t())).unwrap();
                assert_eq!(planes.to_ndarray().unwrap(), a.mapv(|z| C::new(z.re, 0.0)));
                planes.set([1, 16], number(3)).unwrap();
                assert_eq!(planes.get([1, 16]).unwrap(), number(3));
                planes.fill(number(9)).unwrap();
                assert_eq!(planes.to_ndarray().unwrap(), a.mapv(|_| number(9)));

                let (w, c) = (wave_values(17), number(7));
                let mut aos = field(device, &w);
                let mut soa = aos.with_layout(Soa).unwrap();
                assert_eq!(soa.to_vec().unwrap(), w);
                assert_eq!(waves(&mut aos, c).unwrap(), waves(&mut soa, c).unwrap());
                assert_eq!(soa.to_vec().unwrap(), aos.to_vec().unwrap());
                assert_eq!(soa.to_arrays().unwrap(), aos.to_arrays().unwrap());
                let arrays = field(device, &w).to_arrays().unwrap();
                soa.copy_from_arrays(&arrays).unwrap();
                assert_eq!(soa.to_vec().unwrap(), w);

                let x: Vec<C> = (0..100).map(|i| C::new(i as $t, (2 * i + 1) as $t)).collect();
                let x = field(device, &x).with_layout(Soa).unwrap();
                let mut bins = Field::<C>::zeros(device, 4).unwrap().with_layout(Soa).unwrap();
                sums(&x, &mut bins, C::ZERO).unwrap();
                let bins = bins.to_vec().unwrap();
                assert_eq!((bins[3], bins[0] + bins[1] + bins[2]), (C::new(-4950.0, -10000.0), C::new(4950.0, 10000.0)));
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
