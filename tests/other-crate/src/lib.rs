//! A crate of kernel functions, for the tests of swathe: what a library beside swathe would export.
#![allow(missing_docs)]
// Kernels that say things in several ways are what is tested.
#![allow(
    clippy::never_loop,
    clippy::manual_swap,
    clippy::needless_range_loop,
    clippy::should_implement_trait
)]

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use swathe::math::{Float, Scalar};
use swathe::prelude::*;
use swathe::{Vec3, Vector};

pub const GRAVITY: f32 = 9.75;
pub const WEIGHTS: [i32; 4] = [3, -1, 4, -2];
pub const UP: Vec3 = Vec3::new(0.0, 0.0, 1.0);

pub mod nested {
    pub const DEPTH: i32 = 5;

    pub mod deeper {
        use swathe::prelude::*;

        /// Calls a function of the module above.
        #[func]
        pub fn cube(x: i64) -> i64 {
            x * super::square(x)
        }
    }

    use swathe::prelude::*;

    #[func]
    pub fn square(x: i64) -> i64 {
        x * x
    }
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Body {
    pub pos: Vec3,
    pub vel: Vec3,
    pub mass: f32,
    pub hits: u32,
}

#[func]
impl Body {
    pub const RADIUS: f32 = 0.5;

    pub fn new(pos: Vec3, mass: f32) -> Self {
        Body {
            pos,
            vel: Vec3::ZERO,
            mass,
            hits: 0,
        }
    }

    pub fn kinetic(&self) -> f32 {
        0.5 * self.mass * self.vel.dot(self.vel)
    }

    pub fn moved(self, dt: f32) -> Self {
        Body {
            pos: self.pos + self.vel * dt,
            ..self
        }
    }

    pub fn kick(&mut self, force: Vec3, dt: f32) {
        self.vel += force * (dt / self.mass);
        self.hits += 1;
    }

    pub fn kick_twice(&mut self, force: Vec3, dt: f32) -> u32 {
        self.kick(force, dt);
        self.kick(-force * 0.5, dt);
        self.hits
    }

    pub fn touches(&self, other: &Body) -> bool {
        let reach = 2.0 * Self::RADIUS;
        self.pos.distance_squared(other.pos) < reach * reach
    }
}

/// A complex number, with the operators of one.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Complex<T> {
    pub re: T,
    pub im: T,
}

#[func]
impl<T: Scalar> Complex<T> {
    pub fn new(re: T, im: T) -> Self {
        Complex { re, im }
    }

    pub fn norm_squared(self) -> T {
        self.re * self.re + self.im * self.im
    }
}

#[func]
impl<T: Scalar> Add for Complex<T> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Complex {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

#[func]
impl<T: Scalar> Sub for Complex<T> {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Complex {
            re: self.re - other.re,
            im: self.im - other.im,
        }
    }
}

#[func]
impl<T: Scalar> Mul for Complex<T> {
    type Output = Complex<T>;

    fn mul(self, other: Complex<T>) -> Complex<T> {
        Self::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }
}

#[func]
impl<T: Float> Neg for Complex<T> {
    type Output = Self;

    fn neg(self) -> Self {
        Complex {
            re: -self.re,
            im: -self.im,
        }
    }
}

#[func]
impl<T: Scalar> AddAssign for Complex<T> {
    fn add_assign(&mut self, other: Self) {
        self.re += other.re;
        self.im += other.im;
    }
}

/// Something with an area.
#[func]
pub trait Shape {
    const CORNERS: u32;

    fn area(&self) -> f32;
    fn scaled(self, by: f32) -> Self;
    fn unit() -> Self;
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Square {
    pub side: f32,
}

#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Rectangle {
    pub width: f32,
    pub height: f32,
}

#[func]
impl Shape for Square {
    const CORNERS: u32 = 4;

    fn area(&self) -> f32 {
        self.side * self.side
    }

    fn scaled(self, by: f32) -> Self {
        Square { side: self.side * by }
    }

    fn unit() -> Self {
        Square { side: 1.0 }
    }
}

#[func]
impl Shape for Rectangle {
    const CORNERS: u32 = 40;

    fn area(&self) -> f32 {
        self.width * self.height
    }

    fn scaled(self, by: f32) -> Self {
        Rectangle {
            width: self.width * by,
            ..self
        }
    }

    fn unit() -> Self {
        Rectangle {
            width: 2.0,
            height: 0.5,
        }
    }
}

/// A polynomial's value by Horner's rule.
#[func]
pub fn horner<T: Float, const N: usize>(c: &[T; N], x: T) -> T {
    let mut y = T::ZERO;
    for k in (0..N).rev() {
        y = y * x + c[k];
    }
    y
}

#[func]
pub fn mix<T: Float>(a: T, b: T, t: T) -> T {
    a + (b - a) * t
}

#[func]
pub fn larger_area<S: Shape, T: Shape>(a: S, b: T) -> f32 {
    if a.area() > b.area() {
        return a.area();
    }
    b.area()
}

#[func]
pub fn sum_of_squares<T: Scalar, const N: usize>(v: Vector<T, N>) -> T {
    v.dot(v)
}

/// Leaves early, by several ways.
#[func]
pub fn first_divisor(n: i32, limit: i32) -> i32 {
    if n < 2 {
        return n;
    }
    for k in 2..limit {
        if n % k == 0 {
            return k;
        }
    }
    loop {
        return -1;
    }
}

#[func]
pub fn swap(a: &mut i32, b: &mut i32) {
    let old = *a;
    *a = *b;
    *b = old;
}

/// A small generator of numbers, advanced by reference.
#[derive(Element, Clone, Copy, Debug, Default, PartialEq)]
pub struct Lcg {
    pub state: u32,
}

#[func]
impl Lcg {
    pub fn seeded(seed: u32) -> Lcg {
        Lcg {
            state: seed.wrapping_mul(2_654_435_769).wrapping_add(1),
        }
    }

    pub fn next(&mut self) -> u32 {
        self.state = self.state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        self.state >> 8
    }
}

/// Hands its reference on.
#[func]
pub fn roll(rng: &mut Lcg, sides: u32) -> u32 {
    rng.next() % sides + 1
}

#[func]
pub fn roll_all<const N: usize>(rng: &mut Lcg, dice: &mut [u32; N]) -> u32 {
    let mut sum = 0;
    for k in 0..N {
        dice[k] = roll(rng, 6);
        sum += dice[k];
    }
    sum
}

/// A kernel that a library exports.
#[kernel]
pub fn drift(bodies: &mut Field<Body>, dt: f32) -> f32 {
    let mut energy = 0.0;
    for i in bodies.indices() {
        let mut b = bodies[i];
        b.kick(UP * -GRAVITY * b.mass, dt);
        bodies[i] = b.moved(dt);
        energy += b.kinetic();
    }
    energy
}
