//! The cloth as triangles, in perspective. Each pixel keeps what is the nearest, by one atomic minimum of distance and colour.

use swathe::prelude::*;

use super::physics::Ball;

/// The distance in the upper half, the square roots of the colour in ten bits each below it.
pub type Pixels = Field<u64, 2>;

#[derive(Element, Clone, Copy, Debug)]
pub struct Camera {
    pub origin: Vec3,
    pub right: Vec3,
    pub up: Vec3,
    pub forward: Vec3,
    /// Pixels of a length of 1 at distance 1.
    pub scale: f32,
}

impl Camera {
    pub fn new(origin: Vec3, target: Vec3, scale: f32) -> Camera {
        let forward = (target - origin).normalized();
        let right = forward.cross(Vec3::Y).normalized();
        Camera {
            origin,
            right,
            up: right.cross(forward),
            forward,
            scale,
        }
    }
}

#[func]
fn pack(distance: f32, color: Vec3) -> u64 {
    let ten = |x: f32| (x.clamp(0.0, 1.0).sqrt() * 1023.0) as u64;
    (distance.to_bits() as u64) << 32 | ten(color.x) << 20 | ten(color.y) << 10 | ten(color.z)
}

/// The light of a pixel.
pub fn unpack(pixel: u64) -> [f32; 3] {
    [20, 10, 0].map(|shift| ((pixel >> shift & 1023) as f32 / 1023.0).powi(2))
}

/// A surface in the light of a lamp and of the sky, seen along `view`; it has two sides.
#[func]
fn shaded(color: Vec3, normal: Vec3, view: Vec3) -> Vec3 {
    let n = if normal.dot(view) > 0.0 { -normal } else { normal };
    let lamp = n.dot(Vec3::new(-0.48, 0.72, 0.5)).max(0.0);
    let sky = 0.5 + 0.5 * n.y;
    // Fibres that stand up shine at the rim.
    let rim = (1.0 + n.dot(view)).max(0.0).powi(3);
    color * (Vec3::new(1.0, 0.92, 0.8) * lamp + Vec3::new(0.2, 0.24, 0.34) * sky) + color * (0.35 * rim)
}

/// The floor, and the ball.
#[kernel]
pub fn room(image: &mut Field<u64, 2>, camera: Camera, ball: Ball) {
    let [h, w] = image.shape();
    for [i, j] in image.indices() {
        let x = (j as f32 + 0.5 - 0.5 * w as f32) / camera.scale;
        let y = (0.5 * h as f32 - i as f32 - 0.5) / camera.scale;
        let ray = camera.forward + camera.right * x + camera.up * y;
        let view = ray.normalized();
        let mut pixel = pack(1e6, Vec3::new(0.10, 0.12, 0.17));
        if ray.y < 0.0 {
            let at = camera.origin + ray * ((ball.floor - camera.origin.y) / ray.y);
            let away = (at - Vec3::new(ball.center.x, ball.floor, ball.center.z)).length_squared();
            // Darker below the ball, and far away.
            let light = (1.0 - 0.65 * (-away / (2.0 * ball.radius * ball.radius)).exp()) / (1.0 + 0.05 * away);
            let color =
                Vec3::new(0.36, 0.37, 0.42) * light + Vec3::new(0.10, 0.12, 0.17) * (1.0 - 1.0 / (1.0 + 0.05 * away));
            pixel = pack((at - camera.origin).dot(camera.forward), color);
        }
        let from = camera.origin - ball.center;
        let middle = -from.dot(view);
        let half2 = ball.radius * ball.radius - (from + view * middle).length_squared();
        if half2 > 0.0 {
            let at = view * (middle - half2.sqrt());
            let normal = (from + at).normalized();
            pixel = pixel.min(pack(
                at.dot(camera.forward),
                shaded(Vec3::new(0.75, 0.72, 0.66), normal, view),
            ));
        }
        image[[i, j]] = pixel;
    }
}

/// Place in the picture, and distance along the view.
#[func]
fn project(camera: Camera, shape: [usize; 2], p: Vec3) -> Vec3 {
    let d = p - camera.origin;
    let z = d.dot(camera.forward);
    let zoom = camera.scale / z;
    let [h, w] = shape;
    Vec3::new(
        0.5 * w as f32 + d.dot(camera.right) * zoom,
        0.5 * h as f32 - d.dot(camera.up) * zoom,
        z,
    )
}

#[func]
fn normal(pos: &Field<Vec3, 2>, i: usize, j: usize) -> Vec3 {
    let [h, w] = pos.shape();
    let along = pos[[i, j.clamped(1, w)]] - pos[[i, j.clamped(-1, w)]];
    let across = pos[[i.clamped(1, h), j]] - pos[[i.clamped(-1, h), j]];
    along.cross(across).normalized_or_zero()
}

/// A red cloth with golden stripes.
#[func]
fn weave(i: f32, j: f32) -> Vec3 {
    let stripe = |x: f32| (x * 8.0).fract() > 0.82;
    if stripe(i) || stripe(j) {
        Vec3::new(0.85, 0.55, 0.16)
    } else {
        Vec3::new(0.58, 0.05, 0.08)
    }
}

/// Two triangles for each four particles.
#[kernel]
pub fn paint(pos: &Field<Vec3, 2>, camera: Camera, image: &mut Field<u64, 2>) {
    let [h, w] = pos.shape();
    let shape = image.shape();
    for [i, j, side] in ndrange([h - 1, w - 1, 2]) {
        let corners = [[i + side, j + side], [i, j + 1], [i + 1, j]];
        let mut p = [Vec3::ZERO; 3];
        let mut n = [Vec3::ZERO; 3];
        for k in 0..3 {
            let [a, b] = corners[k];
            p[k] = project(camera, shape, pos[[a, b]]);
            n[k] = normal(pos, a, b);
        }
        let cross = |a: Vec3, b: Vec3, x: f32, y: f32| (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
        let area = cross(p[0], p[1], p[2].x, p[2].y);
        let low = p[0].min(p[1]).min(p[2]);
        let high = p[0].max(p[1]).max(p[2]);
        for y in low.y as usize..((high.y + 1.0) as usize).min(shape[0]) {
            for x in low.x as usize..((high.x + 1.0) as usize).min(shape[1]) {
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                let a = cross(p[1], p[2], px, py) / area;
                let b = cross(p[2], p[0], px, py) / area;
                let c = 1.0 - a - b;
                if a >= 0.0 && b >= 0.0 && c >= 0.0 {
                    let z = a * p[0].z + b * p[1].z + c * p[2].z;
                    let [along, across] = [
                        (i as f32 + a * side as f32 + c) / (h - 1) as f32,
                        (j as f32 + a * side as f32 + b) / (w - 1) as f32,
                    ];
                    let view = camera.forward + camera.right * ((px - 0.5 * shape[1] as f32) / camera.scale)
                        - camera.up * ((py - 0.5 * shape[0] as f32) / camera.scale);
                    let n = (n[0] * a + n[1] * b + n[2] * c).normalized_or_zero();
                    image[[y, x]].atomic_min(pack(z, shaded(weave(along, across), n, view.normalized())));
                }
            }
        }
    }
}
