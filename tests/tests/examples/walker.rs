//! A robot that learns to walk.

#[path = "../../../examples/examples/walker/physics.rs"]
pub mod physics;
#[path = "../../../examples/examples/walker/robot.rs"]
mod robot;

use robot::{Robot, School};
use swathe::prelude::*;

use crate::devices::devices;
use crate::same;

#[test]
fn derivative_on_both_devices() {
    let steps = 60;
    let gradients = devices().map(|device| {
        let robot = Robot::new(&device).unwrap();
        let weights = robot.weights().unwrap();
        let (_, gradient) = robot.gradient(&weights, steps).unwrap();
        let square: f32 = gradient.to_vec().unwrap().iter().map(|g| g * g).sum();
        let [ahead, behind] = [1.0, -1.0].map(|by| {
            let width = by * 0.05 / square.sqrt();
            let moved = (&weights + &gradient * width).eval().unwrap();
            robot.gradient(&moved, steps).unwrap().0
        });
        let (got, expected) = (f64::from(square.sqrt()), (ahead - behind) / 0.1);
        assert!(
            square > 0.0 && (got / expected - 1.0).abs() < 0.03,
            "{got}, not {expected}"
        );
        gradient.to_vec().unwrap()
    });
    let largest = gradients[0].iter().fold(0.0_f32, |most, g| most.max(g.abs()));
    let scaled = gradients.map(|gradient| gradient.iter().map(|g| g / largest).collect::<Vec<f32>>());
    same("gradient", [&scaled[0], &scaled[1]], |g| vec![*g], 1e-2);
}

#[test]
fn learns() {
    let robot = Robot::new(&Device::cpu()).unwrap();
    let mut school = School::new(robot.weights().unwrap()).unwrap();
    let first = school.round(&robot, 800).unwrap();
    for _ in 0..12 {
        school.round(&robot, 800).unwrap();
    }
    assert!(school.best.1 > first + 0.03, "from {first} to {} m", school.best.1);
}
