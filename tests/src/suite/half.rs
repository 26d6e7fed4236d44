//! `f16` and `bf16`, each result bit by bit against the crate `half`. One NaN is as good as another.

use swathe::prelude::*;

use super::support::{field, same, scatter, sources};

/// Every method that computes in `f32`, and the others.
#[kernel]
fn unary<T: Float>(x: &Field<T>, out: &mut Field<[T; 47]>) {
    for i in out.indices() {
        let v = x[i];
        out[i] = [
            v.abs(),
            v.signum(),
            v.sqrt(),
            v.floor(),
            v.ceil(),
            v.round(),
            v.trunc(),
            v.fract(),
            v.recip(),
            v.to_degrees(),
            v.to_radians(),
            v.powi(3),
            v.mul_add(T::HALF, T::PI),
            v.clamp(T::from_f64(-2.0), T::from_i32(3)),
            T::from_f32(v.as_f32() * 0.3),
            T::from_f64(v.as_f64() * 0.3),
            T::from_i32(v.as_i32()),
            T::from_u32(v.as_u32()),
            T::from_i64(v.as_i64()),
            T::from_u64(v.as_u64()),
            T::from_usize(v.as_usize()),
            if v.is_nan() { T::ONE } else { T::TWO },
            if v.is_finite() { T::TAU } else { T::E },
            if v.is_infinite() { T::MAX } else { T::MIN },
            if v.is_sign_negative() {
                T::EPSILON
            } else {
                T::MIN_POSITIVE
            },
            if v.is_sign_positive() {
                T::INFINITY
            } else {
                T::NEG_INFINITY
            },
            T::from_bits(v.to_bits()),
            v.cbrt(),
            v.exp(),
            v.exp2(),
            v.ln(),
            v.log10(),
            v.sin(),
            v.tan(),
            v.atan(),
            v.tanh(),
            v.exp_m1(),
            v.ln_1p(),
            v.log2(),
            v.cos(),
            v.asin(),
            v.acos(),
            v.sinh(),
            v.cosh(),
            // Those of the standard library overflow for the largest numbers.
            (v * T::HALF).asinh(),
            (v * T::HALF).acosh(),
            v.atanh(),
        ];
    }
}

/// How many of the results above are the same on all devices; the last ones may be off by one unit.
const EXACT: usize = 27;

#[kernel]
fn binary<T: Float>(x: &Field<T>, y: &Field<T>, out: &mut Field<[T; 20]>, order: &mut Field<[bool; 6]>) {
    for i in out.indices() {
        let (a, b) = (x[i], y[i]);
        let mut c = a;
        c += b;
        c *= a;
        c -= b;
        c /= a;
        c %= b;
        out[i] = [
            a + b,
            a - b,
            a * b,
            a / b,
            a % b,
            -a,
            c,
            a.min(b),
            a.max(b),
            a.lesser(b),
            a.greater(b),
            a.copysign(b),
            a.rem_euclid(b),
            a.div_euclid(b),
            a * b + a,
            (a + b) * (a - b),
            a.powf(b),
            a.atan2(b),
            a.hypot(b),
            a.log(b),
        ];
        order[i] = [a == b, a != b, a < b, a <= b, a > b, a >= b];
    }
}

macro_rules! topics {
    ($($module:ident $t:ident $one:literal;)*) => {$(
        mod $module {
            use ndarray::{Array1, Array2, array};
            use swathe::{$t, AnyArray, Cast, Matrix, Soa, Vector};

            use super::*;


            type V3 = Vector<$t, 3>;
            type V5 = Vector<$t, 5>;
            type M2 = Matrix<$t, 2, 2>;

            /// The bits; of NaNs always the same.
            fn key(x: $t) -> u16 {
                if x.is_nan() { 0xffff } else { x.to_bits() }
            }

            /// A number of many sizes and either sign.
            fn number(i: usize) -> $t {
                $t::from_f32(scatter(i) as f32 * 0.37 * 2.0_f32.powi((i % 13) as i32 - 6))
            }

            #[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
            struct Mixed {
                flag: bool,
                weight: $t,
                at: Vector<$t, 3>,
                turn: Matrix<$t, 2, 2>,
                mass: f64,
                history: [$t; 3],
            }

            #[kernel]
            fn widen(bits: &Field<u16>, single: &mut Field<u32>, double: &mut Field<u64>, same: &mut Field<u16>) {
                for i in bits.indices() {
                    let v = $t::from_bits(bits[i]);
                    single[i] = v.to_f32().to_bits();
                    double[i] = v.to_f64().to_bits();
                    same[i] = v.to_bits();
                }
            }

            #[kernel]
            fn narrow(x: &Field<f32>, out: &mut Field<$t>) {
                for i in out.indices() {
                    out[i] = $t::from_f32(x[i]);
                }
            }

            /// A conversion there and back with a sign behind it, which C++ can take for a cast.
            #[kernel]
            fn there_and_back(x: &Field<f32>, out: &mut Field<f32>) {
                for i in out.indices() {
                    let v = x[i];
                    out[i] = $t::from_f32(v).to_f32() + v;
                }
            }

            #[kernel]
            fn narrow_double(x: &Field<f64>, out: &mut Field<$t>) {
                for i in out.indices() {
                    out[i] = $t::from_f64(x[i]);
                }
            }

            const SCALE: $t = $t::from_f32_const(0.75);
            const OFFSET: V3 = V3::new($t::ONE, $t::from_f32_const(-0.125), $t::INFINITY);

            #[func]
            fn shifted(v: V3, by: $t) -> V3 {
                v * SCALE + by
            }

            #[kernel]
            fn members(p: &mut Field<Mixed>, by: $t, origin: V3) {
                for i in p.indices() {
                    let mut at = shifted(p[i].at, by);
                    at[i % 3] -= origin.x;
                    at.z = -at.z;
                    p[i].at = at - by * origin;
                    p[i].weight = p[i].at.dot(origin) + p[i].turn.determinant();
                    p[i].turn = p[i].turn * p[i].turn;
                    p[i].flag = p[i].weight > $t::ZERO && p[i].at != OFFSET;
                    p[i].history[1] += p[i].history[i % 3] * by;
                    p[i].mass = p[i].weight.to_f64();
                }
            }

            fn moved(mut p: Mixed, i: usize, by: $t, origin: V3) -> Mixed {
                let mut at = p.at * SCALE + by;
                at[i % 3] -= origin.x;
                at.z = -at.z;
                p.at = at - by * origin;
                let t = p.turn.to_array();
                let det = t[0][0] * t[1][1] - t[0][1] * t[1][0];
                p.weight = p.at[0] * origin[0] + p.at[1] * origin[1] + p.at[2] * origin[2] + det;
                let mut square = [[$t::ZERO; 2]; 2];
                for r in 0..2 {
                    for c in 0..2 {
                        square[r][c] = t[r][0] * t[0][c] + t[r][1] * t[1][c];
                    }
                }
                p.turn = M2::from_array(square);
                p.flag = p.weight > $t::ZERO;
                p.history[1] += p.history[i % 3] * by;
                p.mass = p.weight.to_f64();
                p
            }

            #[kernel]
            fn vectors(x: &Field<V5>, out: &mut Field<V5>) {
                for i in out.indices() {
                    let mut v = x[i] * x[i] - x[i] / V5::splat(SCALE);
                    v[i % 5] += x[i][(i + 2) % 5];
                    v %= $t::from_f32(8.0);
                    out[i] = v.max(x[i]);
                }
            }

            #[kernel]
            fn reductions(x: &Field<$t>, v: &Field<V3>) -> ($t, $t, $t, V3) {
                let mut count = $t::ZERO;
                let mut least = $t::INFINITY;
                let mut most = $t::NEG_INFINITY;
                let mut sum = V3::splat($t::ZERO);
                for i in x.indices() {
                    count += if x[i] > $t::ZERO { $t::ONE } else { $t::ZERO };
                    least = least.min(x[i]);
                    most = most.max(x[i]);
                }
                for i in v.indices() {
                    sum += v[i];
                }
                (count, least, most, sum)
            }

            #[kernel]
            fn atomics(x: &Field<$t>, out: &mut Field<$t>, v: &mut Field<V3>) {
                for i in x.indices() {
                    out[0].atomic_add($t::ONE);
                    out[1].atomic_sub($t::ONE);
                    out[2].atomic_min(x[i]);
                    out[3].atomic_max(x[i]);
                    v[i % 2].atomic_add(V3::new($t::ONE, $t::ZERO, -$t::ONE));
                }
            }

            #[kernel]
            fn swaps(x: &Field<$t>, out: &mut Field<$t>, old: &mut Field<$t>) {
                for i in x.indices() {
                    old[i] = out[i].atomic_exchange(x[i]);
                }
                for i in x.indices() {
                    let seen = out[i].atomic_compare_exchange(x[i], $t::ONE);
                    if seen == out[i].atomic_load() {
                        out[i].atomic_store($t::ZERO);
                    }
                }
            }

            pub fn sources() -> Vec<(&'static str, swathe::Result<String>)> {
                sources![
                    unary<$t>, binary<$t>, widen, narrow, narrow_double, there_and_back, members, vectors, reductions, atomics, swaps,
                ]
            }

            pub fn check(device: &Device) {
                check_conversions(device);
                check_numbers(device);
                check_values(device);
                check_memory(device);
                check_exchange(device);
            }

            fn check_conversions(device: &Device) {
                let all: Vec<u16> = (0..=u16::MAX).collect();
                let mut single = Field::zeros(device, all.len()).unwrap();
                let mut double = Field::zeros(device, all.len()).unwrap();
                let mut bits = Field::zeros(device, all.len()).unwrap();
                widen(&field(device, &all), &mut single, &mut double, &mut bits).unwrap();
                same("bits", &bits, all.clone());
                for ((&b, single), double) in all.iter().zip(single.to_vec().unwrap()).zip(double.to_vec().unwrap()) {
                    let (h, single, double) = ($t::from_bits(b), f32::from_bits(single), f64::from_bits(double));
                    if h.is_nan() {
                        assert!(single.is_nan() && double.is_nan(), "{b:#x}");
                    } else {
                        assert_eq!(single.to_bits(), h.to_f32().to_bits(), "{b:#x}");
                        assert_eq!(double.to_bits(), h.to_f64().to_bits(), "{b:#x}");
                    }
                }
                let x: Vec<f32> = (0..17).map(|i| number(i).to_f32() * 1.01).collect();
                let mut out = Field::zeros(device, 17).unwrap();
                there_and_back(&field(device, &x), &mut out).unwrap();
                same("there_and_back", &out, x.iter().map(|v| $t::from_f32(*v).to_f32() + v).collect());
                // Every number, every middle between two, and both neighbours of each; then scattered patterns.
                let mut values: Vec<f32> = Vec::new();
                for b in 0..=u16::MAX {
                    let (x, y) = ($t::from_bits(b).to_f32(), $t::from_bits(b.wrapping_add(1)).to_f32());
                    for v in [x, (x + y) * 0.5] {
                        values.extend([v, f32::from_bits(v.to_bits() ^ 1), f32::from_bits(v.to_bits().wrapping_sub(1))]);
                    }
                }
                values.extend((0..50_000_u32).map(|k| f32::from_bits(k.wrapping_mul(2_654_435_761))));
                let mut out = Field::zeros(device, values.len()).unwrap();
                narrow(&field(device, &values), &mut out).unwrap();
                for (x, got) in values.iter().zip(out.to_vec().unwrap()) {
                    assert_eq!(key(got), key($t::from_f32(*x)), "{x:e} ({:#x})", x.to_bits());
                }
                let doubles: Vec<f64> = (values.iter().step_by(3))
                    .map(|x| f64::from(*x))
                    .flat_map(|x| [x, x * (1.0 + 1e-9), x * (1.0 - 1e-15), x * 1e-3])
                    .collect();
                let mut out = Field::zeros(device, doubles.len()).unwrap();
                narrow_double(&field(device, &doubles), &mut out).unwrap();
                for (x, got) in doubles.iter().zip(out.to_vec().unwrap()) {
                    // The crate rounds twice, by way of `f32`, if the processor has the instruction, and else cuts off first.
                    let want = if $one == 0x3c00 { $t::from_f32(*x as f32) } else { $t::from_f64(*x) };
                    let native = device.is_cpu() && key(got) == key($t::from_f64(*x));
                    assert!(key(got) == key(want) || native, "{x:e} ({:#x}): {got}, not {want}", x.to_bits());
                }
            }

            fn check_numbers(device: &Device) {
                let special = [
                    $t::ZERO, $t::NEG_ZERO, $t::ONE, $t::NEG_ONE, $t::MAX, $t::MIN, $t::INFINITY, $t::NEG_INFINITY, $t::NAN,
                    $t::MIN_POSITIVE, $t::MIN_POSITIVE_SUBNORMAL, $t::MAX_SUBNORMAL, $t::EPSILON, $t::PI,
                ];
                assert_eq!($t::ONE.to_bits(), $one);
                let values: Vec<$t> = special.into_iter().chain((0..1000).map(number)).collect();
                let x = field(device, &values);
                let (mut out, mut expected) = (Field::zeros(device, values.len()).unwrap(), host(values.len()));
                unary(&x, &mut out).unwrap();
                unary(&field(&Device::cpu(), &values), &mut expected).unwrap();
                for ((v, got), want) in values.iter().zip(out.to_vec().unwrap()).zip(expected.to_vec().unwrap()) {
                    let f = |name: fn(f32) -> f32| $t::from_f32(name(v.to_f32()));
                    let direct = [
                        $t::from_bits(v.to_bits() & 0x7fff), v.signum(), f(f32::sqrt), f(f32::floor), f(f32::ceil), f(f32::round),
                    ];
                    assert_eq!(want[..6].iter().map(|r| key(*r)).collect::<Vec<_>>(), direct.map(key), "{v}");
                    close(&format!("unary of {v}"), &got, &want, EXACT);
                }
                let pairs: Vec<($t, $t)> = (special.iter())
                    .flat_map(|a| special.map(|b| (*a, b)))
                    .chain((0..3000).map(|i| (number(i), number(i * 7 + 11))))
                    .collect();
                let (a, b): (Vec<$t>, Vec<$t>) = pairs.iter().copied().unzip();
                let (mut out, mut order) = (Field::zeros(device, a.len()).unwrap(), Field::zeros(device, a.len()).unwrap());
                binary(&field(device, &a), &field(device, &b), &mut out, &mut order).unwrap();
                let expected_order = pairs.iter().map(|(a, b)| [a == b, a != b, a < b, a <= b, a > b, a >= b]).collect();
                same("order", &order, expected_order);
                for (&(a, b), got) in pairs.iter().zip(out.to_vec().unwrap()) {
                    let mut c = a;
                    c += b;
                    c *= a;
                    c -= b;
                    c /= a;
                    c %= b;
                    let through = |f: fn(f32, f32) -> f32| $t::from_f32(f(a.to_f32(), b.to_f32()));
                    let want = [
                        a + b, a - b, a * b, a / b, a % b, -a, c, a.min(b), a.max(b), a.min(b), a.max(b), a.copysign(b),
                        through(f32::rem_euclid), through(f32::div_euclid), a * b + a, (a + b) * (a - b),
                        through(f32::powf), through(f32::atan2), through(f32::hypot), through(f32::log),
                    ];
                    close(&format!("{a} and {b}"), &got, &want, 16);
                }
            }

            fn host(n: usize) -> Field<[$t; 47]> {
                Field::zeros(&Device::cpu(), n).unwrap()
            }

            /// The first results are equal, the others differ by one unit in the last place at most.
            fn close(what: &str, got: &[$t], want: &[$t], exact: usize) {
                let place = |x: $t| if x.to_bits() >> 15 == 1 { -i32::from(x.to_bits() & 0x7fff) } else { i32::from(x.to_bits()) };
                for (k, (got, want)) in got.iter().zip(want).enumerate() {
                    let near = k >= exact && !got.is_nan() && (place(*got) - place(*want)).abs() <= 1;
                    assert!(key(*got) == key(*want) || near, "{what}: result {k}: {got} instead of {want}");
                }
            }

            fn check_values(device: &Device) {
                for n in [0, 1, 3, 17, 1000] {
                    let start: Vec<Mixed> = (0..n)
                        .map(|i| {
                            let x = |k: usize| number(i * 13 + k);
                            Mixed {
                                flag: i % 2 == 0,
                                weight: x(0),
                                at: V3::new(x(1), x(2), x(3)),
                                turn: M2::from_array([[x(4), x(5)], [x(6), x(7)]]),
                                mass: i as f64,
                                history: [x(8), x(9), x(10)],
                            }
                        })
                        .collect();
                    let (by, origin) = (number(5), V3::new(number(6), number(7), number(8)));
                    let mut p = field(device, &start);
                    members(&mut p, by, origin).unwrap();
                    let mut planes = field(device, &start).with_layout(Soa).unwrap();
                    members(&mut planes, by, origin).unwrap();
                    assert_eq!(planes.to_vec().unwrap(), p.to_vec().unwrap());
                    same("members", &p, start.iter().enumerate().map(|(i, p)| moved(*p, i, by, origin)).collect());

                    let x: Vec<V5> = (0..n).map(|i| V5::from_array(std::array::from_fn(|k| number(5 * i + k)))).collect();
                    let mut out = Field::zeros(device, n).unwrap();
                    vectors(&field(device, &x), &mut out).unwrap();
                    let expected = (x.iter().enumerate())
                        .map(|(i, x)| {
                            let mut v: [$t; 5] = std::array::from_fn(|k| x[k] * x[k] - x[k] / SCALE);
                            v[i % 5] += x[(i + 2) % 5];
                            V5::from_array(std::array::from_fn(|k| (v[k] % $t::from_f32(8.0)).max(x[k])))
                        })
                        .collect();
                    same("vectors", &out, expected);
                }
            }

            fn check_memory(device: &Device) {
                for n in [0, 1, 3, 17, 200] {
                    let x: Vec<$t> = (0..n).map(number).collect();
                    let v: Vec<V3> = (0..n).map(|i| V3::new($t::ONE, $t::from_f32((i % 2) as f32), $t::NEG_ONE)).collect();
                    let (count, least, most, sum) = reductions(&field(device, &x), &field(device, &v)).unwrap();
                    let sized = |k: usize| $t::from_f32(k as f32);
                    assert_eq!(count, sized(x.iter().filter(|x| **x > $t::ZERO).count()), "{n}");
                    assert_eq!(least, x.iter().fold($t::INFINITY, |a, b| a.min(*b)), "{n}");
                    assert_eq!(most, x.iter().fold($t::NEG_INFINITY, |a, b| a.max(*b)), "{n}");
                    assert_eq!(sum.to_array(), [sized(n), sized(n / 2), -sized(n)], "{n}");

                    let mut out = field(device, &[$t::ZERO, $t::ZERO, $t::INFINITY, $t::NEG_INFINITY]);
                    let mut w = field(device, &[V3::splat($t::ONE); 2]);
                    atomics(&field(device, &x), &mut out, &mut w).unwrap();
                    same("atomics", &out, vec![sized(n), -sized(n), least, most]);
                    let one = |k: usize| V3::new(sized(k + 1), $t::ONE, $t::ONE - sized(k));
                    same("vector atomics", &w, vec![one(n.div_ceil(2)), one(n / 2)]);

                    let before: Vec<$t> = (0..n).map(|i| number(i + 1000)).collect();
                    let (mut out, mut old) = (field(device, &before), Field::zeros(device, n).unwrap());
                    swaps(&field(device, &x), &mut out, &mut old).unwrap();
                    same("exchanged", &old, before);
                    let left = |x: &$t| if *x == $t::ONE { $t::ZERO } else { $t::ONE };
                    same("compared", &out, x.iter().map(left).collect());
                }
            }

            fn check_exchange(device: &Device) {
                let a = Array2::from_shape_fn((3, 17), |(i, j)| number(i * 17 + j));
                let u = Field::<$t, 2>::from_ndarray(device, &a.t()).unwrap();
                assert_eq!(u.shape(), [17, 3]);
                assert_eq!(u.to_ndarray().unwrap(), a.t());
                let v = Field::<V3>::from_ndarray(device, &a.t()).unwrap();
                assert_eq!(v.get(16).unwrap().to_array(), [a[[0, 16]], a[[1, 16]], a[[2, 16]]]);
                assert_eq!(v.to_ndarray().unwrap(), a.t());

                let mut w = Field::<$t>::zeros(device, 5).unwrap();
                w.copy_from_ndarray_cast(&array![0.1_f64, -3.0, 1e30, 7.0, 65519.0]).unwrap();
                same("cast", &w, [0.1, -3.0, 1e30, 7.0, 65519.0].map($t::from_f64).to_vec());
                w.copy_from_ndarray_cast(&array![u64::MAX, 1, 2049, 2051, 257]).unwrap();
                same("cast", &w, [u64::MAX, 1, 2049, 2051, 257].map(|x| $t::from_f32(x as f32)).to_vec());
                w.copy_from_ndarray_cast(&array![true, false, true, true, false]).unwrap();
                same("cast", &w, [1.0, 0.0, 1.0, 1.0, 0.0].map($t::from_f32).to_vec());
                let mut ints = Field::<i8>::zeros(device, 5).unwrap();
                let odd: Array1<$t> = array![1.9, -3.5, 400.0, f32::NAN, -0.0].mapv($t::from_f32);
                ints.copy_from_ndarray_cast(&odd).unwrap();
                same("cast", &ints, vec![1, -3, 127, 0, 0]);
                assert!(Cast::<bool>::cast($t::NAN) && !Cast::<bool>::cast($t::NEG_ZERO));

                let any = AnyArray::from(odd.view());
                assert_eq!((any.dtype().name(), any.dtype().size()), (stringify!($t), 2));
                let error = w.copy_from_any(&AnyArray::from(array![1.0_f32, 2.0, 3.0, 4.0, 5.0])).unwrap_err();
                assert!(error.to_string().contains(stringify!($t)), "{error}");
                w.copy_from_any_cast(&AnyArray::from(array![0.5_f32, 2.0, 3.0, 4.0, 5.0])).unwrap();
                same("cast", &w, [0.5, 2.0, 3.0, 4.0, 5.0].map($t::from_f32).to_vec());
            }
        }
    )*};
}

topics! {
    binary16 f16 0x3c00;
    bfloat bf16 0x3f80;
}

pub fn check(device: &Device) {
    binary16::check(device);
    bfloat::check(device);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    let mut all = binary16::sources();
    all.extend(bfloat::sources());
    all
}
