//! Quaternions in kernels, fields and structs, against the crate `nalgebra`.

use nalgebra::{Quaternion as Reference, Unit, UnitQuaternion, Vector3};
use ndarray::Array2;
use swathe::math::Float;
use swathe::prelude::*;
use swathe::random::Rng;
use swathe::{Quaternion, Soa};

use super::support::{field, same, scatter, sources};

/// A quaternion as a member.
#[derive(Element, Clone, Copy, Debug)]
#[element(PartialEq, Default)]
struct Body {
    mass: f32,
    orientation: Quat,
    spin: Vec3,
    modes: [DQuat; 2],
}

const HALF_TURN: Quat = Quat {
    x: 0.0,
    y: 1.0,
    z: 0.0,
    w: 0.0,
};

#[func]
fn known<T: Float>(a: Quaternion<T>, b: Quaternion<T>, v: Vector<T, 3>, t: T) -> [Quaternion<T>; 16] {
    let mut c = a;
    c += b;
    c *= a;
    c -= b;
    c *= t;
    c /= T::TWO;
    let (p, q) = (a.normalized(), b.normalized());
    let (axis, angle) = p.to_axis_angle();
    [
        a * b,
        a.conjugate() + Quaternion::<T>::new(t, T::ONE, T::TWO, T::ZERO),
        a.inverse(),
        p,
        a.exp(),
        a.ln(),
        a.powf(t),
        p.slerp(q, t),
        -a + b * t - a / T::TWO,
        c,
        Quaternion::<T>::from_matrix(p.to_matrix()),
        Quaternion::<T>::from_axis_angle(v.normalized(), t),
        Quaternion::<T>::from_rotation_vector(v),
        Quaternion::<T>::from_parts(p * v, p.rotate(v).norm()),
        Quaternion::<T>::from_parts(p.to_rotation_vector(), angle + axis.dot(axis)),
        Quaternion::<T>::from_vector(a.to_vector() * a.dot(b)),
    ]
}

#[kernel]
fn compute<T: Float>(
    a: &Field<Quaternion<T>>,
    b: &Field<Quaternion<T>>,
    v: &Field<Vector<T, 3>>,
    t: T,
    out: &mut Field<[Quaternion<T>; 16]>,
) {
    for i in out.indices() {
        out[i] = known(a[i], b[i], v[i], t);
    }
}

#[kernel]
fn turn(bodies: &mut Field<Body>, dt: f32) -> Quat {
    let mut sum = Quat::IDENTITY;
    let mut equal = 0;
    for i in bodies.indices() {
        let by = Quat::from_rotation_vector(bodies[i].spin * dt);
        let before = bodies[i].orientation;
        bodies[i].orientation = by * before * HALF_TURN;
        bodies[i].modes[1].w += before.w as f64;
        if before == Quat::default() || bodies[i] == Body::default() {
            bodies[i].mass += 1.0;
            equal += 1;
        }
        sum.x += before.x;
        sum.w += before.w;
    }
    sum.y = equal as f32;
    sum
}

/// Adds to components.
#[kernel]
fn collect(q: &Field<Quat>, sums: &mut Field<Quat>) {
    for i in q.indices() {
        sums[i % 2].x.atomic_add(q[i].x);
        sums[i % 2].w.atomic_add(1.0);
    }
}

type R = Reference<f64>;

fn reference<T: Float>(q: Quaternion<T>) -> R {
    R::new(q.w.as_f64(), q.x.as_f64(), q.y.as_f64(), q.z.as_f64())
}

fn from_parts(v: Vector3<f64>, w: f64) -> R {
    R::from_parts(w, v)
}

fn positive(q: R) -> R {
    if q.w < 0.0 { -q } else { q }
}

fn expected(a: R, b: R, v: Vector3<f64>, t: f64) -> [R; 16] {
    let (p, q) = (Unit::new_normalize(a), Unit::new_normalize(b));
    let (axis, angle) = p.axis_angle().unwrap_or((Vector3::x_axis(), 0.0));
    let turned = p.transform_vector(&v);
    [
        a * b,
        a.conjugate() + R::new(0.0, t, 1.0, 2.0),
        a.conjugate() / a.norm_squared(),
        p.into_inner(),
        a.exp(),
        from_parts(a.imag().normalize() * a.imag().norm().atan2(a.w), a.norm().ln()),
        {
            let angle = a.imag().norm().atan2(a.w) * t;
            from_parts(a.imag().normalize() * angle.sin(), angle.cos()) * a.norm().powf(t)
        },
        p.slerp(&q, t).into_inner(),
        b * t - a * 1.5,
        ((a + b) * a - b) * (t / 2.0),
        positive(p.into_inner()),
        UnitQuaternion::from_axis_angle(&Unit::new_normalize(v), t).into_inner(),
        UnitQuaternion::from_scaled_axis(v).into_inner(),
        from_parts(turned, v.norm()),
        from_parts(axis.into_inner() * angle, angle + 1.0),
        a * (a.coords.dot(&b.coords)),
    ]
}

fn random<T: Float>(i: usize) -> (Quaternion<T>, Quaternion<T>, Vector<T, 3>) {
    let mut rng = Rng::new(11, i as u64);
    let mut next = || T::from_f64(rng.normal_f64());
    let a = Quaternion::from([next(), next(), next(), next()]);
    let b = Quaternion::from([next(), next(), next(), next()]);
    (a, b, Vector::<T, 3>::new(next(), next(), next()))
}

fn verify<T: Float>(i: usize, t: T, known: &[Quaternion<T>; 16]) {
    let (a, b, v) = random::<T>(i);
    let wide = Vector3::new(v.x.as_f64(), v.y.as_f64(), v.z.as_f64());
    let expected = expected(reference(a), reference(b), wide, t.as_f64());
    for (k, (got, expected)) in known.iter().zip(expected).enumerate() {
        let error = (reference(*got) - expected).norm() / (T::EPSILON.as_f64() * expected.norm().max(1.0));
        // Also of NaN. Where the shorter arc is half a circle, the angle is uncertain.
        assert!(
            error < 100.0,
            "result {k} of {i}: {got:?}, not {expected}, {error} units"
        );
    }
}

fn check_functions<T: Float>(device: &Device) {
    let t = T::from_f64(0.3);
    for n in [0, 1, 3, 17, 301] {
        let all: Vec<_> = (0..n).map(random::<T>).collect();
        let a: Vec<_> = all.iter().map(|x| x.0).collect();
        let b: Vec<_> = all.iter().map(|x| x.1).collect();
        let v: Vec<_> = all.iter().map(|x| x.2).collect();
        let mut out = Field::zeros(device, n).unwrap();
        compute(&field(device, &a), &field(device, &b), &field(device, &v), t, &mut out).unwrap();
        for (i, known) in out.to_vec().unwrap().iter().enumerate() {
            verify(i, t, known);
        }
    }
}

/// Ends of ranges, called by the host.
fn check_ends<T: Float>() {
    let near = |a: Quaternion<T>, b: Quaternion<T>| {
        let error = (a - b).norm() / T::EPSILON;
        assert!(error < T::from_usize(10), "{a:?}, not {b:?}");
    };
    let one = Quaternion::<T>::IDENTITY;
    let (zero, pi) = (T::ZERO, T::PI);
    for i in 0..100 {
        let (a, b, v) = random::<T>(i);
        verify(i, T::HALF, &known(a, b, v, T::HALF));
        let (p, q) = (a.normalized(), b.normalized());
        near(p * p.inverse(), one);
        near(p.slerp(q, zero), p);
        near(p.slerp(q, T::ONE), if p.dot(q) < zero { -q } else { q });
        near(p.slerp(p, T::HALF), p);
        near(p.slerp(-p, T::HALF), p);
        near(p.ln().exp(), p);
        near(p.powf(T::TWO), p * p);
        // Little angles keep their digits.
        let little = v * T::MIN_POSITIVE.sqrt();
        let turn = Quaternion::from_rotation_vector(little);
        let back = turn.to_rotation_vector();
        assert!(
            (back - little).norm() <= little.norm() * (T::EPSILON * T::from_usize(8)),
            "{back:?} {little:?}"
        );
    }
    near(one.ln(), one - one);
    near((-one).ln(), Quaternion::from([pi, zero, zero, zero]));
    near((one - one).exp(), one);
    assert_eq!(one.to_axis_angle(), (Vector::<T, 3>::new(T::ONE, zero, zero), zero));
    // Half a turn about each axis and between two: the real part is 0.
    for axis in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 3, -4], [4, 0, 3], [-3, 4, 0]] {
        let axis = Vector::from_array(axis.map(T::from_i32)).normalized();
        let half = Quaternion::from_parts(axis, zero);
        let found = Quaternion::from_matrix(half.to_matrix());
        near(if found.dot(half) < zero { -found } else { found }, half);
    }
}

fn check_fields(device: &Device) {
    for n in [0, 1, 3, 17, 1000] {
        let body = |i: usize| Body {
            mass: i as f32,
            orientation: match i % 3 {
                0 => Quat::IDENTITY,
                _ => Quat::from([scatter(i) as f32, 1.0, -2.0, scatter(i + 1) as f32]),
            },
            spin: Vec3::new(0.0, std::f32::consts::PI * 2.0, 0.0),
            modes: [DQuat::IDENTITY, DQuat::from([0.5, 1.5, 2.5, i as f64])],
        };
        let start: Vec<Body> = (0..n).map(body).collect();
        let mut bodies = field(device, &start);
        let mut planes = field(device, &start).with_layout(Soa).unwrap();
        let sum = turn(&mut bodies, 0.5).unwrap();
        turn(&mut planes, 0.5).unwrap();
        let (got, same_in_planes) = (bodies.to_vec().unwrap(), planes.to_vec().unwrap());
        for (i, (got, start)) in got.iter().zip(&start).enumerate() {
            assert_eq!(*got, same_in_planes[i]);
            let expected = HALF_TURN * start.orientation * HALF_TURN;
            let error = (got.orientation - expected).norm() / expected.norm();
            assert!(error < 1e-6, "{got:?} {expected:?}");
            assert_eq!(got.modes[0], DQuat::IDENTITY);
            assert_eq!(got.modes[1].w, i as f64 + f64::from(start.orientation.w));
            assert_eq!(got.mass, (i + usize::from(i % 3 == 0)) as f32);
        }
        let total = |part: fn(Quat) -> f32| start.iter().map(|b| part(b.orientation)).sum::<f32>();
        let expected = [total(|q| q.x), n.div_ceil(3) as f32, 0.0, 1.0 + total(|q| q.w)];
        assert_eq!(sum, Quat::from(expected));

        // Arrays, in both layouts: x, y, z, w.
        let q: Vec<Quat> = start.iter().map(|b| b.orientation).collect();
        let array = Array2::from_shape_fn((n, 4), |(i, k)| <[f32; 4]>::from(q[i])[k]);
        let plain = field(device, &q);
        assert_eq!(plain.to_ndarray().unwrap(), array);
        assert_eq!(plain.with_layout(Soa).unwrap().to_ndarray().unwrap(), array);
        let back = Field::<Quat>::from_ndarray(device, &array).unwrap();
        same("from an array", &back, q.clone());
        let member = field(device, &start)
            .member::<Quat>("orientation")
            .unwrap()
            .to_ndarray();
        assert_eq!(member.unwrap(), array);

        let mut sums = Field::zeros(device, 2).unwrap();
        collect(&back, &mut sums).unwrap();
        let of = |k: usize| q.iter().skip(k).step_by(2);
        let expected = [0, 1].map(|k| Quat::from([of(k).map(|q| q.x).sum(), 0.0, 0.0, of(k).count() as f32]));
        same("sums", &sums, expected.to_vec());
    }
}

pub fn check(device: &Device) {
    check_functions::<f32>(device);
    check_functions::<f64>(device);
    check_fields(device);
    if device.is_cpu() {
        check_ends::<f32>();
        check_ends::<f64>();
    }
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![compute<f32>, compute<f64>, turn, collect]
}
