//! What is there at the beginning, and what it looks like.

use swathe::prelude::*;
use swathe_examples::{Blend, Canvas, Color, Image, View};

use crate::physics::{FLUID, JELLY, Particle, SNOW};

/// A body of one material.
struct Body {
    material: u32,
    center: Vec2,
    /// Half of the width and height of a box, or the radii of an ellipse.
    half: Vec2,
    round: bool,
    velocity: Vec2,
    /// Angle, counterclockwise.
    turned: f32,
}

impl Body {
    fn area(&self) -> f32 {
        self.half.product() * if self.round { std::f32::consts::PI } else { 4.0 }
    }

    /// Whether the body has a point of the box from -1 to 1 around it.
    fn contains(&self, at: Vec2) -> bool {
        !self.round || at.length_squared() < 1.0
    }
}

fn bodies() -> Vec<Body> {
    let still = Body {
        material: FLUID,
        center: Vec2::new(0.165, 0.275),
        half: Vec2::new(0.14, 0.25),
        round: false,
        velocity: Vec2::ZERO,
        turned: 0.0,
    };
    vec![
        Body {
            material: JELLY,
            center: Vec2::new(0.52, 0.60),
            half: Vec2::new(0.10, 0.10),
            velocity: Vec2::new(0.0, -2.0),
            turned: 0.4,
            ..still
        },
        Body {
            material: JELLY,
            center: Vec2::new(0.78, 0.115),
            half: Vec2::new(0.09, 0.09),
            ..still
        },
        Body {
            material: SNOW,
            center: Vec2::new(0.36, 0.80),
            half: Vec2::new(0.10, 0.10),
            round: true,
            velocity: Vec2::new(5.0, 0.8),
            ..still
        },
        still,
    ]
}

/// About `count` particles, evenly spread, and the area of each.
pub fn particles(count: usize) -> (Vec<Particle>, f32) {
    let bodies = bodies();
    let volume = bodies.iter().map(Body::area).sum::<f32>() / count as f32;
    let mut particles = Vec::new();
    for body in bodies {
        // The additive recurrence of the plastic number: even, but without rows.
        let drawn = 4.0 * body.half.product() / volume;
        let shares = (0..drawn.round() as u64).map(|k| {
            let at = [0.754_877_666_246_693, 0.569_840_290_998_053].map(|step: f64| (0.5 + k as f64 * step).fract());
            Vec2::new(2.0 * at[0] as f32 - 1.0, 2.0 * at[1] as f32 - 1.0)
        });
        let (sin, cos) = body.turned.sin_cos();
        for at in shares.filter(|&at| body.contains(at)) {
            let at = at * body.half;
            particles.push(Particle {
                pos: body.center + Vec2::new(cos * at.x - sin * at.y, sin * at.x + cos * at.y),
                vel: body.velocity,
                c: Mat2::ZERO,
                f: Mat2::IDENTITY,
                j: 1.0,
                material: body.material,
            });
        }
    }
    (particles, volume)
}

/// A picture of the particles.
pub fn draw(canvas: &mut Canvas, size: usize, particles: &[Particle], volume: f32) -> Image {
    canvas.clear(Color::hex(0x0d1522));
    let view = View::fit(size, size, [0.0, 0.0], [1.0, 1.0]);
    let radius = view.length(0.72 * volume.sqrt());
    let [deep, foam, jelly, stretched, snow, packed] =
        [0x1f6fd0, 0xa8e6ff, 0xf0523d, 0xffb35c, 0xf4f8ff, 0x9fb4d8].map(Color::hex);
    for particle in particles {
        let color = match particle.material {
            FLUID => deep.mix(foam, (particle.vel.norm() / 4.0).min(1.0).powi(2)),
            JELLY => jelly.mix(stretched, (strain(particle.f) * 2.5).min(1.0)),
            _ => snow.mix(packed, ((1.0 - particle.j) * 8.0).clamp(0.0, 1.0)),
        };
        canvas.disc(view.pixel(particle.pos.to_array()), radius, color, Blend::Over);
    }
    canvas.to_image()
}

/// How far a deformation is from a rotation.
fn strain(f: Mat2) -> f32 {
    (f.transpose() * f - Mat2::IDENTITY).norm_squared().sqrt()
}
