//! What is wrong in a function is said there, and not at its calls.
use swathe::prelude::*;

#[func]
fn parse(x: f32) -> f32 {
    let text = "1.0";
    x
}

#[func]
fn mapped<T: Float>(x: T, k: &mut i32) -> T {
    let twice = |x| x + x;
    x
}

#[func]
fn slices(x: &[f32], k: i32) -> f32 {
    x[0]
}

#[func]
fn pair((a, b): (f32, f32)) -> f32 {
    a + b
}

#[func]
fn named<'a>(x: &'a f32) -> f32 {
    *x
}

#[func]
fn lent(x: &f32, y: f32) -> &f32 {
    x
}

#[func]
async fn later(x: f32) -> f32 {
    x
}

#[derive(Clone, Copy, Element)]
struct Ball {
    mass: f32,
}

#[func]
impl Ball {
    fn heavy(self) -> f32 {
        let text = "heavy";
        self.mass
    }
    fn light(&mut self, by: f32) {
        self.mass -= by;
    }
}

#[func]
impl std::ops::Add for Ball {
    type Output = Ball;
    fn add(self, o: Ball) -> Ball {
        let text = format!("{}", self.mass);
        o
    }
}

#[func]
fn caller(x: f32) -> f32 {
    let mut n = x;
    while n < 10.0 {
        n = parse(n) + 1.0;
    }
    n
}

#[kernel]
fn uses(balls: &mut Field<Ball>, x: &Field<f32>, out: &mut Field<f32>) {
    for i in out.indices() {
        let mut s = parse(x[i]);
        for _ in 0..3 {
            s += parse(s) * caller(x[i]) + pair((s, 1.0)) + self::parse(s);
        }
        let mut k = 3;
        out[i] = mapped(s, &mut k) + mapped::<f32>(s, &mut k);
        let mut ball = balls[i] + balls[i];
        ball.light(1.0);
        out[i] += ball.heavy() + named(&s) + later(s);
        out[i] += lent(&s, 1.0);
    }
}

fn main() {
    let _ = parse(1.0) + Ball { mass: 1.0 }.heavy() + caller(1.0);
    let _ = uses::cuda_source();
}
