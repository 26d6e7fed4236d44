//! Kernels and functions that are generic over types and constants.

use swathe::math::{Float, Int, Scalar, Signed};
use swathe::prelude::*;
use swathe_tests_other_crate::{Complex, Shape, Square, horner, larger_area, mix, sum_of_squares};

use super::support::{SIZES, each, field, same, scatter, sources};

type Real = f64;
type Pairs<T> = [[T; 2]; 2];

/// A struct over a type and a constant.
#[derive(Element, Clone, Copy, Debug, PartialEq)]
struct Poly<T, const N: usize> {
    c: [T; N],
    offset: T,
}

impl<T: Float, const N: usize> Default for Poly<T, N> {
    fn default() -> Self {
        Poly {
            c: [T::ZERO; N],
            offset: T::ZERO,
        }
    }
}

#[func]
impl<T: Float, const N: usize> Poly<T, N> {
    const DEGREE: usize = N - 1;

    fn at(&self, x: T) -> T {
        horner(&self.c, x) + self.offset
    }

    fn derivative(self) -> Self {
        let mut c = [T::ZERO; N];
        for k in 0..Self::DEGREE {
            c[k] = self.c[k + 1] * T::from_usize(k + 1);
        }
        Self { c, offset: T::ZERO }
    }

    fn constant(value: T) -> Poly<T, N> {
        let mut p = Poly {
            c: [T::ZERO; N],
            offset: T::ONE,
        };
        p.c[0] = value;
        p
    }
}

#[kernel]
fn polynomials<T: Float, const N: usize>(x: &Field<T>, p: &Field<Poly<T, N>>, out: &mut Field<[T; 4]>) {
    for i in out.indices() {
        let q = p[0];
        out[i] = [
            q.at(x[i]),
            q.derivative().at(x[i]),
            Poly::<T, N>::constant(x[i]).at(T::TWO),
            T::from_usize(Poly::<T, N>::DEGREE + N),
        ];
    }
}

#[kernel]
fn floats<T: Float>(x: &Field<T>, out: &mut Field<[T; 4]>, t: T) {
    let half = T::HALF;
    for i in out.indices() {
        let mut v = x[i] * half + T::ONE;
        v += T::from_i32(3);
        v = if v > T::ZERO { v } else { -v };
        let c = Complex { re: v, im: T::TWO };
        let d = c * c + Complex::<T>::new(t, t);
        let w = Vector::<T, 3>::splat(v);
        out[i] = [
            mix(v, T::TWO, t),
            v.max(t).min(T::from_f64(10.0)).floor(),
            d.re + d.im,
            w.dot(w) + sum_of_squares(Vector::<T, 2>::new(v, t)),
        ];
    }
}

#[kernel]
fn integers<T: Int>(x: &Field<T>, out: &mut Field<T>, mask: T) {
    for i in out.indices() {
        let mut v = x[i] & mask;
        v |= T::ONE << 2u32;
        v = v.wrapping_mul(T::TWO + T::ONE) ^ (x[i] >> 1);
        out[i] = if v == T::ZERO { mask } else { !v };
    }
}

/// The type is told by the arguments, the constant is not.
#[kernel]
fn numbers<T: Scalar, const LANES: usize>(x: &Field<T>, out: &mut Field<T>) -> T {
    let mut sum = T::ZERO;
    for i in out.indices() {
        let mut lanes = [x[i]; LANES];
        for k in 1..LANES {
            lanes[k] = lanes[k - 1] + T::ONE;
        }
        out[i] = lanes[LANES - 1];
        sum += x[i];
    }
    sum
}

#[func]
fn absolute<T: Signed>(x: T) -> T {
    if x < T::ZERO { -x } else { x.abs() }
}

#[kernel]
fn signed<T: Signed>(x: &Field<T>, out: &mut Field<T>) {
    for i in out.indices() {
        out[i] = absolute(x[i]) + absolute::<T>(x[i]);
    }
}

/// Types of this crate with a trait of the other.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Tile {
    side: f32,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
struct Strip {
    width: f32,
    height: f32,
}

#[func]
impl Shape for Tile {
    const CORNERS: u32 = 4;

    fn area(&self) -> f32 {
        self.side * self.side
    }

    fn scaled(self, by: f32) -> Self {
        Tile { side: self.side * by }
    }

    fn unit() -> Self {
        Tile { side: 1.0 }
    }
}

#[func]
impl Shape for Strip {
    const CORNERS: u32 = 40;

    fn area(&self) -> f32 {
        self.width * self.height
    }

    fn scaled(self, by: f32) -> Self {
        Strip {
            width: self.width * by,
            ..self
        }
    }

    fn unit() -> Self {
        Strip {
            width: 2.0,
            height: 0.5,
        }
    }
}

/// A trait of this crate.
#[func]
trait Grow {
    const BY: f32;

    fn grow(&mut self, times: u32);
    fn size(&self) -> f32;
}

#[func]
impl Grow for Tile {
    const BY: f32 = 2.0;

    fn grow(&mut self, times: u32) {
        for _ in 0..times {
            self.side *= Self::BY;
        }
    }

    fn size(&self) -> f32 {
        self.side
    }
}

#[func]
impl Grow for Strip {
    const BY: f32 = 1.5;

    fn grow(&mut self, times: u32) {
        self.width += <Self as Grow>::BY * times as f32;
    }

    fn size(&self) -> f32 {
        self.width.max(self.height)
    }
}

#[func]
fn grown<G: Grow + Element>(start: G, times: u32) -> f32 {
    let mut g = start;
    g.grow(times);
    g.size() + G::BY
}

#[kernel]
fn shapes<S: Shape + Grow + Element>(x: &Field<S>, out: &mut Field<[f32; 4]>) {
    for i in out.indices() {
        let big = x[i].scaled(4.0);
        out[i] = [
            larger_area(x[i], S::unit()) + larger_area(Square { side: 0.0 }, x[i]) - x[i].area(),
            big.area(),
            grown(x[i], i as u32 % 4),
            (S::CORNERS + <S as Shape>::CORNERS) as f32,
        ];
    }
}

#[kernel]
fn aliases(x: &Field<Real>, out: &mut Field<Pairs<Real>>) {
    for i in out.indices() {
        let p: Pairs<Real> = [[x[i], 1 as Real], [Real::MAX.min(2.0), Real::from_f32(0.5)]];
        let mut q = p;
        q[1] = p[0];
        out[i] = q;
    }
}

fn check_floats<T: Float>(device: &Device, expected: impl Fn(T, T) -> [T; 4]) {
    let t = T::from_f64(0.25);
    each!(
        device,
        |x: &_, out: &mut _| floats(x, out, t),
        |i| T::from_i32(scatter(i)),
        |_, x| expected(x, t)
    );
    let c = [2.0, -1.0, 0.5].map(T::from_f64);
    let p = field(device, &[Poly { c, offset: T::TWO }]);
    each!(
        device,
        |x: &_, out: &mut _| polynomials(x, &p, out),
        |i| T::from_i32(scatter(i)),
        |_, x| [
            c[0] + c[1] * x + c[2] * x * x + T::TWO,
            c[1] + x,
            x + T::ONE,
            T::from_f64(5.0)
        ]
    );
}

pub fn check(device: &Device) {
    check_floats::<f32>(device, |x, t| {
        let v = (x / 2.0 + 4.0).abs();
        let square = v * v;
        [
            v + (2.0 - v) * t,
            v.clamp(t, 10.0).floor(),
            square - 4.0 + t + (4.0 * v + t),
            4.0 * square + t * t,
        ]
    });
    check_floats::<f64>(device, |x, t| {
        let v = (x / 2.0 + 4.0).abs();
        let square = v * v;
        [
            v + (2.0 - v) * t,
            v.clamp(t, 10.0).floor(),
            square - 4.0 + t + (4.0 * v + t),
            4.0 * square + t * t,
        ]
    });
    macro_rules! check_integers {
        ($($t:ident)*) => {$(
            each!(device, |x: &_, out: &mut _| integers(x, out, 0x3c), |i| scatter(i) as $t, |_, x: $t| {
                let v = ((x & 0x3c) | 4).wrapping_mul(3) ^ x.wrapping_shr(1);
                if v == 0 { 0x3c } else { !v }
            });
        )*};
    }
    check_integers! { i8 i16 i32 i64 u8 u16 u32 u64 }
    for n in SIZES {
        let x = Field::from_fn(device, n, |[i]| scatter(i)).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        let sum = numbers::<i32, 5>(&x, &mut out).unwrap();
        same("numbers", &out, (0..n).map(|i| scatter(i) + 4).collect());
        assert_eq!(sum, (0..n).map(scatter).sum::<i32>());
        numbers::<_, 1>(&x, &mut out).unwrap();
        same("numbers", &out, (0..n).map(scatter).collect());
        let x = Field::from_fn(device, n, |[i]| f64::from(scatter(i))).unwrap();
        let mut out = Field::zeros(device, n).unwrap();
        let sum = numbers::<f64, 2>(&x, &mut out).unwrap();
        assert_eq!(sum, f64::from((0..n).map(scatter).sum::<i32>()));
    }
    each!(device, signed, |i| scatter(i) as i8 / 2, |_, x| 2 * x.abs());
    each!(device, signed, |i| f64::from(scatter(i)), |_, x| 2.0 * x.abs());
    each!(device, shapes::<Tile>, |i| Tile { side: i as f32 * 0.25 }, |i, x| {
        let area = x.side.powi(2);
        [
            area.max(1.0),
            16.0 * area,
            x.side * [1.0, 2.0, 4.0, 8.0][i % 4] + 2.0,
            8.0,
        ]
    });
    each!(
        device,
        shapes::<Strip>,
        |i| Strip {
            width: i as f32,
            height: 3.5
        },
        |i, x| {
            let width = x.width + 1.5 * (i % 4) as f32;
            [
                (3.5 * x.width).max(1.0),
                14.0 * x.width,
                if width < 3.5 { 5.0 } else { width + 1.5 },
                80.0,
            ]
        }
    );
    each!(device, aliases, |i| f64::from(scatter(i)), |_, x| [[x, 1.0], [x, 1.0]]);
}

pub fn cuda_sources() -> Vec<(&'static str, swathe::Result<String>)> {
    sources![
        polynomials<f32, 3>,
        polynomials<f64, 5>,
        floats<f32>,
        floats<f64>,
        integers<i8>,
        integers<u8>,
        integers<i16>,
        integers<u32>,
        integers<i64>,
        numbers<f32, 4>,
        numbers<u16, 1>,
        signed<i8>,
        signed<f64>,
        shapes<Tile>,
        shapes<Strip>,
        aliases,
    ]
}
