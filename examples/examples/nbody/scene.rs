//! Two disc galaxies on their way to each other, and what they look like.

use std::f32::consts::TAU;

use swathe::prelude::*;
use swathe_examples::{Canvas, Color, Image, View};

use crate::physics::Body;

struct Galaxy {
    center: Vec3,
    velocity: Vec3,
    /// Mass of the bulge in the middle, and of all stars of the disc.
    bulge: f32,
    disc: f32,
    radius: f32,
    /// Angle of the disc to the plane of the picture, about the axis of the picture's rows.
    tilt: f32,
}

const GALAXIES: [Galaxy; 2] = [
    Galaxy {
        center: Vec3::new(-0.95, -0.45, 0.0),
        velocity: Vec3::new(0.45, 0.0, 0.0),
        bulge: 0.8,
        disc: 0.2,
        radius: 0.55,
        tilt: 0.35,
    },
    Galaxy {
        center: Vec3::new(1.27, 0.60, 0.0),
        velocity: Vec3::new(-0.60, 0.0, 0.0),
        bulge: 0.6,
        disc: 0.15,
        radius: 0.44,
        tilt: -0.75,
    },
];

/// The bodies: the stars of the first galaxy, its bulge last, then those of the second. Also how many belong to the
/// first.
pub fn bodies(count: usize, eps2: f32) -> (Vec<Body>, usize) {
    let first = (count * 4 / 7).clamp(2, count - 2);
    let mut bodies = Vec::with_capacity(count);
    for (galaxy, count) in GALAXIES.iter().zip([first, count - first]) {
        let stars = count - 1;
        for k in 0..stars {
            bodies.push(star(galaxy, k, stars, eps2));
        }
        bodies.push(Body {
            pos: galaxy.center,
            vel: galaxy.velocity,
            mass: galaxy.bulge,
        });
    }
    (bodies, first)
}

/// A star on its circle around the bulge and the part of the disc that lies inside.
fn star(galaxy: &Galaxy, k: usize, stars: usize, eps2: f32) -> Body {
    let random = [0, 1, 2].map(|draw| uniform(3 * k as u32 + draw));
    // Denser towards the middle; nothing in the innermost part, where the circles would be too fast.
    let share = random[0];
    let r = galaxy.radius * (0.1 + 0.9 * share.powf(0.8));
    let (sin, cos) = (TAU * random[1]).sin_cos();
    let inside = galaxy.bulge + galaxy.disc * share;
    let speed = r * (inside / (r * r + eps2).powf(1.5)).sqrt();
    let height = 0.03 * galaxy.radius * (random[2] - 0.5);
    let tilted = |x: f32, y: f32, z: f32| {
        let (sin, cos) = galaxy.tilt.sin_cos();
        Vec3::new(x, cos * y - sin * z, sin * y + cos * z)
    };
    Body {
        pos: galaxy.center + tilted(r * cos, r * sin, height),
        vel: galaxy.velocity + tilted(-speed * sin, speed * cos, 0.0),
        mass: galaxy.disc / stars as f32,
    }
}

/// A number from 0 to 1 that looks random: C. Wellons' hash lowbias32.
fn uniform(k: u32) -> f32 {
    let mut h = k;
    h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
    h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
    h ^= h >> 16;
    (h >> 8) as f32 / (1 << 24) as f32
}

/// A picture of the bodies, of which the `first` belong to the first galaxy. Faint light of earlier frames stays.
pub fn draw(canvas: &mut Canvas, width: usize, height: usize, bodies: &[Body], first: usize) -> Image {
    canvas.fade(0.45);
    let view = View::fit(width, height, [-2.0, -1.25], [2.0, 1.25]);
    let light = 9000.0 / bodies.len() as f32 * (width as f32 / 720.0).powi(2);
    let [cool, warm] = [0x6fa8ff, 0xff9a5c].map(Color::hex);
    for (k, body) in bodies.iter().enumerate() {
        let color = if k < first { cool } else { warm };
        let at = view.pixel([body.pos.x, body.pos.y]);
        if k + 1 == first || k + 1 == bodies.len() {
            canvas.glow(at, view.length(0.06), color.mix(Color::WHITE, 0.6) * 2.5);
        } else {
            canvas.glow(at, view.length(0.009), color * (0.3 * light));
        }
    }
    canvas.expose(1.3)
}
