//! Path tracing: J. T. Kajiya, "The rendering equation" (1986).

use std::f32::consts::PI;

use swathe::prelude::*;

/// Rays start so far from the surface that they leave.
const NEAR: f32 = 1e-3;
/// The most surfaces that a path meets.
const LONGEST: u32 = 64;
/// From here on Russian roulette ends dark paths.
const ROULETTE: u32 = 4;

#[derive(Element, Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// Its radius is `size.x`.
    Sphere,
    /// Through `center`, with `size` as normal of length 1.
    Plane,
    /// Along the axes, `size` from the middle to the faces.
    Cuboid,
}

#[derive(Element, Clone, Copy, Debug, PartialEq)]
pub enum Surface {
    /// Equally bright from all sides: J. H. Lambert.
    Diffuse,
    /// A mirror, the blunter the larger `detail` is.
    Metal,
    /// Clear, with `detail` as index of refraction.
    Glass,
}

#[derive(Element, Clone, Copy, Debug)]
pub struct Object {
    pub shape: Shape,
    pub surface: Surface,
    pub center: Vec3,
    pub size: Vec3,
    /// The part of light that is not absorbed.
    pub color: Vec3,
    pub detail: f32,
    /// Radiance of its own.
    pub glow: Vec3,
}

#[derive(Element, Clone, Copy, Debug)]
pub struct Ray {
    pub origin: Vec3,
    /// Of length 1.
    pub direction: Vec3,
}

#[derive(Element, Clone, Copy, Debug)]
pub struct Scene {
    /// The number of a sphere that glows, which diffuse surfaces look for. Others are found by chance.
    pub light: u32,
    /// Radiance from the horizon, from above and, mirrored, from below.
    pub horizon: Vec3,
    pub zenith: Vec3,
    pub camera: Ray,
    /// Half of the picture's width, to the right, and half of its height, upwards, at distance 1.
    pub right: Vec3,
    pub up: Vec3,
    /// The radius of the lens, and the distance of what is sharp.
    pub lens: f32,
    pub focus: f32,
}

#[func]
impl Object {
    /// How far a ray gets to the surface; infinitely far if it misses.
    pub fn distance(self, ray: Ray) -> f32 {
        let from = ray.origin - self.center;
        let [near, far] = match self.shape {
            Shape::Sphere => {
                let middle = -from.dot(ray.direction);
                // The squared distance of the ray from the centre, without the difference of large numbers.
                let miss = (from + ray.direction * middle).length_squared();
                let half = (self.size.x * self.size.x - miss).sqrt();
                [middle - half, middle + half]
            }
            Shape::Plane => {
                let at = -from.dot(self.size) / ray.direction.dot(self.size);
                [at, at]
            }
            Shape::Cuboid => {
                let (a, b) = ((-from - self.size) / ray.direction, (self.size - from) / ray.direction);
                let near = a.min(b).max_component();
                let far = a.max(b).min_component();
                if near < far { [near, far] } else { [f32::NAN; 2] }
            }
        };
        // Comparisons are false of what is missed, which is not a number.
        if near > NEAR {
            near
        } else if far > NEAR {
            far
        } else {
            f32::INFINITY
        }
    }

    /// The normal at a point of the surface, outwards.
    pub fn normal(self, at: Vec3) -> Vec3 {
        let from = (at - self.center) / self.size;
        match self.shape {
            Shape::Sphere => (at - self.center) / self.size.x,
            Shape::Plane => self.size,
            Shape::Cuboid => {
                let most = from.abs().max_component();
                let face = |x: f32| if x.abs() == most { x.signum() } else { 0.0 };
                Vec3::new(face(from.x), face(from.y), face(from.z)).normalized()
            }
        }
    }
}

/// The part of light that glass mirrors: A. Fresnel. `ratio` is the index of refraction on the ray's side over that behind.
#[func]
pub fn fresnel(cos: f32, ratio: f32) -> f32 {
    let sin2 = ratio * ratio * (1.0 - cos * cos);
    if sin2 >= 1.0 {
        return 1.0;
    }
    let behind = (1.0 - sin2).sqrt();
    let across = (ratio * cos - behind) / (ratio * cos + behind);
    let along = (cos - ratio * behind) / (cos + ratio * behind);
    0.5 * (across * across + along * along)
}

/// The number of the first object that a ray meets, and how far it is.
#[func]
fn first(objects: &Field<Object>, ray: Ray) -> (u32, f32) {
    let (mut number, mut distance) = (u32::MAX, f32::INFINITY);
    for k in 0..objects.len() {
        let d = objects[k].distance(ray);
        if d < distance {
            (number, distance) = (k as u32, d);
        }
    }
    (number, distance)
}

/// What a diffuse surface of color 1 mirrors of the light, by one ray into the cone that the light fills.
#[func]
fn lit(objects: &Field<Object>, scene: Scene, at: Vec3, normal: Vec3, rng: &mut Rng) -> Vec3 {
    let light = objects[scene.light as usize];
    let to = light.center - at;
    let sin2 = light.size.x * light.size.x / to.length_squared();
    // 1 - cos without the difference of large numbers.
    let open = sin2 / (1.0 + (1.0 - sin2).max(0.0).sqrt());
    let cos = 1.0 - open * rng.next_f32();
    let angle = 2.0 * PI * rng.next_f32();
    let axis = to.normalized();
    let helper = if axis.x.abs() < 0.7 { Vec3::X } else { Vec3::Y };
    let side = axis.cross(helper).normalized();
    let sin = (1.0 - cos * cos).max(0.0).sqrt();
    let direction = axis * cos + (side * angle.cos() + axis.cross(side) * angle.sin()) * sin;
    let ray = Ray { origin: at, direction };
    let facing = direction.dot(normal);
    if facing <= 0.0 || first(objects, ray).0 != scene.light {
        return Vec3::ZERO;
    }
    // The solid angle of the cone is 2 pi (1 - cos); the surface mirrors 1 / pi of the light into each direction.
    light.glow * (2.0 * open * facing)
}

/// Where a ray goes on from a surface, or no direction if it is diffuse.
#[func]
fn bounced(object: Object, ray: Ray, outwards: Vec3, rng: &mut Rng) -> Vec3 {
    let inside = ray.direction.dot(outwards) > 0.0;
    let normal = if inside { -outwards } else { outwards };
    let mirrored = ray.direction.reflect(normal);
    match object.surface {
        Surface::Diffuse => (normal + rng.on_unit_sphere()).normalized_or_zero(),
        Surface::Metal => {
            let d = (mirrored + rng.on_unit_sphere() * object.detail).normalized_or_zero();
            // What would go into the metal does not get lost.
            if d.dot(normal) > 0.0 { d } else { d.reflect(normal) }
        }
        Surface::Glass => {
            let cos = -ray.direction.dot(normal);
            let ratio = if inside { object.detail } else { 1.0 / object.detail };
            if rng.next_f32() < fresnel(cos, ratio) {
                mirrored
            } else {
                // W. Snellius.
                let across = (ray.direction + normal * cos) * ratio;
                across - normal * (1.0 - across.length_squared()).max(0.0).sqrt()
            }
        }
    }
}

/// The light that comes along a ray, by one path.
#[func]
pub fn radiance(objects: &Field<Object>, scene: Scene, start: Ray, rng: &mut Rng) -> Vec3 {
    let (mut ray, mut light, mut weight) = (start, Vec3::ZERO, Vec3::ONE);
    // What glows counts where the surface before has not looked for it.
    let mut looked = false;
    for bounce in 0..LONGEST {
        let (number, distance) = first(objects, ray);
        if number == u32::MAX {
            let high = ray.direction.y.abs();
            light += weight * scene.horizon.lerp(scene.zenith, high.sqrt());
            break;
        }
        let object = objects[number as usize];
        if !(looked && number == scene.light) {
            light += weight * object.glow;
        }
        weight *= object.color;
        if bounce >= ROULETTE {
            let chance = weight.max_component().min(1.0);
            if rng.next_f32() >= chance {
                break;
            }
            weight /= chance;
        }
        let at = ray.origin + ray.direction * distance;
        let outwards = object.normal(at);
        looked = object.surface == Surface::Diffuse && (scene.light as usize) < objects.len();
        if looked {
            let normal = if ray.direction.dot(outwards) > 0.0 {
                -outwards
            } else {
                outwards
            };
            light += weight * lit(objects, scene, at, normal, rng);
        }
        ray = Ray {
            origin: at,
            direction: bounced(object, ray, outwards, rng),
        };
    }
    light
}

/// Adds the light of `samples` paths to each pixel. `pass` is another number in each call, for other paths.
#[kernel]
pub fn trace(sums: &mut Field<Vec3, 2>, objects: &Field<Object>, scene: Scene, samples: u32, pass: u64) {
    let [h, w] = sums.shape();
    for [i, j] in sums.indices() {
        let mut rng = Rng::new(pass, (i * w + j) as u64);
        let mut sum = Vec3::ZERO;
        for _ in 0..samples {
            let x = 2.0 * (j as f32 + rng.next_f32()) / w as f32 - 1.0;
            let y = 1.0 - 2.0 * (i as f32 + rng.next_f32()) / h as f32;
            let sharp = (scene.camera.direction + scene.right * x + scene.up * y) * scene.focus;
            let on_lens = rng.in_unit_disk() * scene.lens;
            let shift = scene.right.normalized() * on_lens.x + scene.up.normalized() * on_lens.y;
            let ray = Ray {
                origin: scene.camera.origin + shift,
                direction: (sharp - shift).normalized(),
            };
            sum += radiance(objects, scene, ray, &mut rng);
        }
        sums[[i, j]] += sum;
    }
}

/// Tone mapping, light of any strength on the screen: K. Narkowicz's curve (2016), which is near to that of the Academy.
#[kernel]
pub fn expose(sums: &Field<Vec3, 2>, exposure: f32, shown: &mut Field<Vec3, 2>) {
    for at in shown.indices() {
        let x = sums[at] * exposure;
        let curve = x * (x * 2.51 + 0.03) / (x * (x * 2.43 + 0.59) + 0.14);
        shown[at] = curve.min(Vec3::ONE);
    }
}
