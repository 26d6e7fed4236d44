use swathe::prelude::*;
use swathe::random::Rng;

#[derive(Element, Clone, Copy)]
#[element(Default, Differentiable)]
struct Ball {
    height: f64,
    speed: f64,
}

#[func]
impl Ball {
    fn kick(&mut self, by: f64) {
        self.speed += by;
        self.height += self.speed;
    }
}

#[func(grad, jvp)]
fn kicked(height: f64, by: f64) -> f64 {
    let mut ball = Ball { height, speed: 0.0 };
    ball.kick(by);
    ball.height
}

#[kernel(grad, jvp)]
fn random(x: &Field<f32>, generator: Rng, y: &mut Field<f32>) {
    for i in y.indices() {
        let mut generator = generator;
        let scale = generator.next_f32();
        y[i] = x[i] * scale;
    }
}

#[func]
trait Counts {
    fn counted(&mut self) -> u32;
}

#[kernel(jvp)]
fn of_any<T: Counts + Element>(x: &Field<f64>, from: T, y: &mut Field<f64>) {
    for i in y.indices() {
        let mut counter = from;
        if counter.counted() > 2 {
            y[i] = x[i];
        }
    }
}

fn main() {}
