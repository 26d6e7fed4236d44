//! What stands on the table, and from where it is seen.

use swathe::prelude::*;

use crate::physics::{Object, Ray, Scene, Shape, Surface};

/// An object without colour, of paint.
fn object(shape: Shape, center: [f32; 3], size: [f32; 3]) -> Object {
    Object {
        shape,
        surface: Surface::Diffuse,
        center: Vec3::from_array(center),
        size: Vec3::from_array(size),
        color: Vec3::splat(0.8),
        detail: 0.0,
        glow: Vec3::ZERO,
    }
}

/// A ball that lies on the table.
fn ball(x: f32, z: f32, radius: f32, surface: Surface, color: [f32; 3], detail: f32) -> Object {
    Object {
        surface,
        color: Vec3::from_array(color),
        detail,
        ..object(Shape::Sphere, [x, radius, z], [radius; 3])
    }
}

/// The lamp is the first of them.
pub fn objects() -> Vec<Object> {
    use Surface::{Diffuse, Glass, Metal};
    let lamp = Object {
        color: Vec3::ZERO,
        glow: Vec3::new(7.4, 5.2, 3.2),
        ..object(Shape::Sphere, [-3.6, 5.6, 2.4], [1.8; 3])
    };
    let table = Object {
        color: Vec3::new(0.46, 0.42, 0.40),
        ..object(Shape::Plane, [0.0; 3], [0.0, 1.0, 0.0])
    };
    let block = |center, size, surface, color, detail| Object {
        surface,
        color: Vec3::from_array(color),
        detail,
        ..object(Shape::Cuboid, center, size)
    };
    let mut all = vec![
        lamp,
        table,
        ball(-2.05, -0.7, 1.0, Metal, [0.98, 0.77, 0.38], 0.04),
        ball(0.1, 0.25, 0.85, Glass, [1.0; 3], 1.5),
        ball(2.25, -0.9, 1.1, Diffuse, [0.78, 0.16, 0.12], 0.0),
        block([0.55, 0.8, -2.6], [0.8, 0.8, 0.8], Metal, [0.82, 0.86, 0.9], 0.22),
        block([-2.6, 0.55, -3.1], [0.55, 0.55, 0.55], Diffuse, [0.12, 0.34, 0.62], 0.0),
        block([1.62, 0.36, 1.0], [0.36, 0.36, 0.36], Glass, [0.86, 0.97, 0.93], 1.5),
    ];
    // Beads in front.
    let colors = [
        [0.9, 0.62, 0.1],
        [0.08, 0.5, 0.45],
        [0.85, 0.85, 0.82],
        [0.55, 0.18, 0.5],
        [0.15, 0.3, 0.7],
    ];
    for (k, color) in colors.into_iter().enumerate() {
        let x = -1.9 + 0.62 * k as f32;
        let z = 1.45 + 0.35 * (1.9 * k as f32).sin();
        let surface = if k % 2 == 0 { Diffuse } else { Metal };
        all.push(ball(x, z, 0.17 + 0.02 * (k % 3) as f32, surface, color, 0.1));
    }
    all
}

/// For pictures of that width over height.
pub fn scene(aspect: f32) -> Scene {
    let origin = Vec3::new(0.5, 3.6, 8.0);
    let forward = (Vec3::new(0.05, 0.5, -0.35) - origin).normalized();
    let side = forward.cross(Vec3::Y).normalized();
    // Half of the height at distance 1.
    let open = 0.235;
    Scene {
        light: 0,
        horizon: Vec3::new(0.50, 0.32, 0.29),
        zenith: Vec3::new(0.05, 0.11, 0.26),
        camera: Ray {
            origin,
            direction: forward,
        },
        right: side * (open * aspect),
        up: side.cross(forward) * open,
        lens: 0.05,
        focus: 8.2,
    }
}
