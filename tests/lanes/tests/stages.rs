//! Straight bodies on large elements: in blocks whose elements pass through planes, and one by one, with the same bits.

use swathe::__rt::captured;
use swathe::Soa;
use swathe::prelude::*;
use swathe_tests_lanes::{field, number, same, values, versions_and_caches};

/// Lengths around that of a block, and none.
const SIZES: [usize; 11] = [0, 1, 3, 17, 63, 64, 65, 127, 129, 1000, 20_003];

/// `N` scalars of whole numbers, so that sums and products are exact in any order.
fn element<const N: usize>(i: usize) -> [f32; N] {
    std::array::from_fn(|k| ((i * 31 + k * 7 + i / 5) % 251) as f32)
}

macro_rules! sizes_of_elements {
    ($($name:ident $n:literal)*) => {$(
        mod $name {
            use super::*;

            #[kernel]
            fn mix(a: &Field<Vector<f32, $n>>, b: &mut Field<Vector<f32, $n>>, sum: &mut Field<f32>) {
                for i in a.indices() {
                    let s = a[i].dot(a[i]) * 0.5;
                    sum[i] = a[i].dot(b[i]) - s;
                    b[i] = a[i] * 2.0 + b[i] * a[i];
                }
            }

            #[kernel]
            fn derived(a: &Field<Vector<f32, $n>>, c: &mut Field<Vector<f32, $n>>) {
                for i in a.indices() {
                    c[i] = (a[i] * a[i] - a[i]) * a[i].dot(a[i]);
                }
            }

            #[test]
            fn the_same_as_in_plain_rust() {
                versions_and_caches(|name| {
                    for n in SIZES {
                        let a = field(n, |i| Vector::from_array(element::<$n>(i)));
                        let mut b = field(n, |i| Vector::from_array(element::<$n>(i + 3)));
                        let (mut c, mut sum) = (field(n, |_| Vector::from_array([9.0; $n])), field(n, |_| 1.0));
                        mix(&a, &mut b, &mut sum).unwrap();
                        derived(&a, &mut c).unwrap();
                        let (b, c, sum) = (values(&b), values(&c), values(&sum));
                        for i in 0..n {
                            let (x, y) = (element::<$n>(i), element::<$n>(i + 3));
                            let squares: f32 = x.iter().map(|x| x * x).sum();
                            let product: f32 = x.iter().zip(&y).map(|(x, y)| x * y).sum();
                            assert_eq!(sum[i], product - 0.5 * squares, "{name}: {i} of {n}");
                            for k in 0..$n {
                                assert_eq!(b[i][k], 2.0 * x[k] + y[k] * x[k], "{name}: {i} of {n}, {k}");
                                let expected = f64::from(x[k] * x[k] - x[k]) * f64::from(squares);
                                assert_eq!(c[i][k], expected as f32, "{name}: {i} of {n}, {k}");
                            }
                        }
                    }
                });
            }
        }
    )*};
}

sizes_of_elements! { of_3 3 of_5 5 of_6 6 of_7 7 of_8 8 of_9 9 of_10 10 of_16 16 of_23 23 }

/// Scalars of several types, all of the same size.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Particle {
    at: Vec3,
    kind: u32,
    speed: Vec3,
    charge: i32,
    stress: Matrix<f32, 2, 2>,
    mass: f32,
}

/// Scalars of several sizes, which stay as they are.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Mixed {
    at: Vec3,
    alive: bool,
    energy: f64,
}

fn particle(i: usize) -> Particle {
    let value = |k: usize| ((i * 13 + k * 5) % 127) as f32;
    Particle {
        at: Vec3::new(value(0), value(1), value(2)),
        kind: i as u32 % 3,
        speed: Vec3::new(value(3), value(4), value(5)),
        charge: i as i32 % 7 - 3,
        stress: Matrix::from_array([[value(6), value(7)], [value(8), value(9)]]),
        mass: value(10) + 1.0,
    }
}

#[kernel(strict)]
fn push(p: &mut Field<Particle>, force: &Field<Vec3>, field: &Field<f32>, hits: &mut Field<u32>) {
    for i in p.indices() {
        if p[i].kind == 1 {
            p[i].charge = p[i].charge * p[i].charge - 5;
            hits[i] += 1;
        }
        let a = force[i] * field[0] * (p[i].charge as f32) * p[i].mass;
        p[i].speed += a * 0.5;
        p[i].at += p[i].speed * p[i].speed * p[i].mass;
        p[i].stress = p[i].stress * p[i].stress;
    }
}

/// The same in Rust.
fn pushed(mut p: Particle, force: Vec3, field: f32) -> Particle {
    if p.kind == 1 {
        p.charge = p.charge * p.charge - 5;
    }
    let a = force * field * (p.charge as f32) * p.mass;
    p.speed += a * 0.5;
    p.at += p.speed * p.speed * p.mass;
    p.stress = p.stress * p.stress;
    p
}

fn force(i: usize) -> Vec3 {
    Vec3::new(number(i), number(i + 1), number(i + 2))
}

#[test]
fn structs_and_their_members() {
    versions_and_caches(|name| {
        for n in SIZES {
            let mut p = field(n, particle);
            let (forces, fixed, mut hits) = (field(n, force), field(1, |_| 1.25), field(n, |i| i as u32));
            push(&mut p, &forces, &fixed, &mut hits).unwrap();
            let expected: Vec<Particle> = (0..n).map(|i| pushed(particle(i), force(i), 1.25)).collect();
            assert!(values(&p) == expected, "{name}: {n}");
            let hit: Vec<u32> = (0..n).map(|i| i as u32 + u32::from(i % 3 == 1)).collect();
            assert_eq!(values(&hits), hit, "{name}: {n}");
        }
    });
}

#[kernel(strict)]
fn heat(p: &mut Field<Mixed>, scale: &Field<f64>) {
    for i in p.indices() {
        p[i].alive = !p[i].alive;
        p[i].energy = p[i].energy * p[i].energy * scale[i] * scale[i];
        p[i].at = p[i].at * p[i].at - p[i].at;
    }
}

#[test]
fn scalars_of_several_sizes() {
    let mixed = |i: usize| Mixed {
        at: force(i),
        alive: i.is_multiple_of(3),
        energy: i as f64,
    };
    versions_and_caches(|name| {
        for n in SIZES {
            let (mut p, scale) = (field(n, mixed), field(n, |i| (i % 5) as f64));
            heat(&mut p, &scale).unwrap();
            for (i, p) in values(&p).into_iter().enumerate() {
                let old = mixed(i);
                let energy = old.energy * old.energy * (i % 5) as f64 * (i % 5) as f64;
                let expected = Mixed {
                    at: old.at * old.at - old.at,
                    alive: !old.alive,
                    energy,
                };
                assert_eq!(p, expected, "{name}: {i} of {n}");
            }
        }
    });
}

#[kernel(strict)]
fn inner(a: &Field<Mat3>, c: &mut Field<Mat3>, det: &mut Field<f64>) {
    for i in 1..a.len() - 1 {
        c[i] = a[i] * a[i] * a[i].transpose();
        det[i] = a[i].determinant() as f64 * 2.0;
    }
}

#[kernel(strict)]
fn plane(a: &Field<Mat3, 2>, c: &mut Field<Mat3, 2>) {
    for [i, j] in a.indices() {
        c[[i, j]] = a[[i, j]] * a[[i, j]] * a[[i, j]].transpose();
    }
}

#[kernel(strict)]
fn anywhere(a: &Field<Mat3, 2>, c: &mut Field<Mat3, 2>) {
    for at in a.indices() {
        c[at] = a[at] * a[at] * a[at].transpose();
    }
}

fn matrix(i: usize) -> Mat3 {
    let entry = |k: usize| number(9 * i + k) - 0.5;
    Mat3::from_array([0, 1, 2].map(|r| [0, 1, 2].map(|c| entry(3 * r + c))))
}

fn cube(i: usize) -> Mat3 {
    matrix(i) * matrix(i) * matrix(i).transpose()
}

#[test]
fn ranges_that_do_not_begin_at_0() {
    versions_and_caches(|name| {
        for n in [2, 3, 17, 66, 67, 131, 1000] {
            let (mut c, mut det) = (field(n, |_| Mat3::IDENTITY), field(n, |_| -1.0));
            inner(&field(n, matrix), &mut c, &mut det).unwrap();
            let edge = |i: usize| i == 0 || i == n - 1;
            same(name, &values(&c), |i| if edge(i) { Mat3::IDENTITY } else { cube(i) });
            same(name, &values(&det), |i| match edge(i) {
                true => -1.0,
                false => f64::from(matrix(i).determinant()) * 2.0,
            });
        }
    });
}

#[test]
fn rows_and_parts_of_fields() {
    versions_and_caches(|name| {
        for [rows, columns] in [[0, 5], [1, 64], [3, 65], [5, 200], [70, 3], [2, 128]] {
            let device = Device::cpu();
            let a = Field::from_fn(&device, [rows, columns], |[i, j]| matrix(i * columns + j)).unwrap();
            let zeros = || Field::<Mat3, 2>::zeros(&device, [rows, columns]).unwrap();
            let (mut by_axes, mut at_once) = (zeros(), zeros());
            plane(&a, &mut by_axes).unwrap();
            anywhere(&a, &mut at_once).unwrap();
            same(name, &values(&by_axes), cube);
            same(name, &values(&at_once), cube);

            let planes = a.with_layout(Soa).unwrap();
            let mut apart = zeros();
            plane(&planes, &mut apart).unwrap();
            same(name, &values(&apart), cube);
        }
    });
}

#[func]
impl Particle {
    fn checked(self) -> Particle {
        assert!(self.mass < 200.0, "too heavy: {}", self.mass);
        Particle {
            at: self.at * self.at * self.mass,
            ..self
        }
    }
}

#[kernel(strict)]
fn may_fail(p: &mut Field<Particle>, by: &Field<i32>) {
    for i in p.indices() {
        p[i].charge = p[i].charge * p[i].charge / by[i];
        p[i] = p[i].checked();
    }
}

#[test]
fn failures_end_their_iteration_alone() {
    versions_and_caches(|name| {
        for n in [1, 63, 64, 200, 1000] {
            let bad = [0, 3, 64, 65, 130, 190, 999];
            let heavy = |i: usize| i % 2 == 1 && bad.contains(&i);
            let zero = |i: usize| i.is_multiple_of(2) && bad.contains(&i);
            let start = |i: usize| match heavy(i) {
                true => Particle {
                    mass: 300.0,
                    ..particle(i)
                },
                false => particle(i),
            };
            let mut p = field(n, start);
            let by = field(n, |i| if zero(i) { 0 } else { 2 });
            let failed = may_fail(&mut p, &by).unwrap_err();
            same(name, &values(&p), |i| {
                let mut p = start(i);
                if zero(i) {
                    return p;
                }
                p.charge = p.charge * p.charge / 2;
                if heavy(i) {
                    return p;
                }
                p.at = p.at * p.at * p.mass;
                p
            });
            let more = match bad.iter().filter(|i| **i < n).count() {
                1 => String::new(),
                2 => " (and 1 more failure)".to_owned(),
                count => format!(" (and {} more failures)", count - 1),
            };
            assert!(failed.to_string().ends_with(&more), "{name}: {failed}");
            assert!(
                more.is_empty() != failed.to_string().contains("more failure"),
                "{name}: {failed}"
            );
        }
    });
}

#[func]
impl Particle {
    fn told(self) -> Particle {
        println!("charge {}", self.charge);
        self
    }
}

#[kernel(strict)]
fn prints(p: &mut Field<Particle>) {
    for i in p.indices() {
        p[i] = p[i].told().checked();
    }
}

/// A block of which an iteration fails runs again, and what it had printed is not written.
#[test]
fn functions_print_once() {
    let plan = prints::plan().to_string();
    assert!(plan.contains("transposed"), "{plan}");
    versions_and_caches(|name| {
        for n in [1, 63, 64, 200, 1000] {
            let start = |i: usize| Particle {
                mass: if i % 70 == 69 { 300.0 } else { 2.0 },
                charge: i as i32,
                ..particle(i)
            };
            let mut p = field(n, start);
            let texts = captured(|| _ = prints(&mut p));
            let mut texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
            let mut expected: Vec<String> = (0..n).map(|i| format!("charge {i}\n")).collect();
            texts.sort();
            expected.sort();
            assert_eq!(texts, expected, "{n}, {name}");
        }
    });
}

/// Few elements have a partner, as the first of their numbers tells.
#[kernel]
fn partners(count: &Field<i32>, x: &Field<[f32; 5]>, out: &mut Field<[f32; 5]>) {
    for i in count.indices() {
        let mut v = [1.0; 5];
        // SAFETY: only where there are elements.
        if count[i] > 0 {
            v = unsafe { *x.get_unchecked(i) };
        }
        let [a, b, c] = [v[0] * v[1] + v[2], v[1] * v[1] - v[4], v[2] * v[3] * v[0]];
        out[i] = [a, b, c, v[3] + v[4] * v[0], v[4].sqrt() * v[0] + v[1] / v[2]];
    }
}

#[test]
fn what_is_not_claimed_is_not_staged() {
    let n = 2_000_000;
    let count = Field::from_fn(&Device::cpu(), n, |[i]| i32::from(i < 4)).unwrap();
    let x = Field::from_fn(&Device::cpu(), 4, |[i]| [i as f32; 5]).unwrap();
    let mut out = Field::<[f32; 5]>::zeros(&Device::cpu(), n).unwrap();
    partners(&count, &x, &mut out).unwrap();
    assert_eq!(out.get(2).unwrap()[..3], [6.0, 2.0, 8.0]);
    assert_eq!(out.get(n - 1).unwrap(), [2.0, 0.0, 1.0, 2.0, 2.0]);
}
