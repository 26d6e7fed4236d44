//! Path tracing: where rays meet shapes, furnaces, the light of a lamp, Fresnel's equations, and two devices.

#[path = "../../../examples/examples/path_tracer/physics.rs"]
pub mod physics;

use physics::{Object, Ray, Scene, Shape, Surface, expose, fresnel, trace};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise};

/// A number from -1 to 1 that looks random.
fn spread(k: usize) -> f32 {
    2.0 * noise(k) - 1.0
}

fn object(shape: Shape, surface: Surface, center: Vec3, size: Vec3) -> Object {
    Object {
        shape,
        surface,
        center,
        size,
        color: Vec3::ONE,
        detail: if surface == Surface::Glass { 1.5 } else { 0.3 },
        glow: Vec3::ZERO,
    }
}

/// From a place along -z into a sky that is the same all around; no lamp.
fn scene(origin: Vec3, sky: Vec3) -> Scene {
    Scene {
        light: u32::MAX,
        horizon: sky,
        zenith: sky,
        camera: Ray {
            origin,
            direction: -Vec3::Z,
        },
        right: Vec3::X * 0.5,
        up: Vec3::Y * 0.4,
        lens: 0.0,
        focus: 3.0,
    }
}

/// The light of each pixel, the mean of `samples` paths.
fn picture(shape: [usize; 2], objects: &[Object], scene: Scene, samples: u32) -> Vec<Vec3> {
    let mut sums = Field::zeros(&device(), shape).unwrap();
    let objects = Field::from_slice(&device(), objects).unwrap();
    trace(&mut sums, &objects, scene, samples, 5).unwrap();
    sums.to_vec().unwrap().iter().map(|sum| *sum / samples as f32).collect()
}

/// Negative inside of a shape, 0 on its surface.
fn outside(object: &Object, at: Vec3) -> f32 {
    let from = at - object.center;
    match object.shape {
        Shape::Sphere => from.norm() - object.size.x,
        Shape::Plane => from.dot(object.size),
        Shape::Cuboid => (from.abs() - object.size).max_component(),
    }
}

#[test]
fn rays_end_at_the_first_surface() {
    let (mut hits, mut misses) = ([0; 3], [0; 3]);
    for k in 0..300 {
        let n = |draw: usize| spread(16 * k + draw);
        let vector = |draw: usize| Vec3::new(n(draw), n(draw + 1), n(draw + 2));
        let (kind, shape) = [(0, Shape::Sphere), (1, Shape::Plane), (2, Shape::Cuboid)][k % 3];
        let size = match shape {
            Shape::Sphere => Vec3::splat(0.3 + 0.5 * n(0).abs()),
            Shape::Plane => vector(0).normalized(),
            Shape::Cuboid => vector(0).abs() + 0.1,
        };
        let object = object(shape, Surface::Diffuse, vector(3), size);
        let ray = Ray {
            origin: vector(6) * 2.0,
            direction: (object.center + vector(9) - vector(6) * 2.0).normalized(),
        };
        let distance = object.distance(ray);
        let side = |t: f32| outside(&object, ray.origin + ray.direction * t);
        // By small steps the sign changes between the last one in front of the surface and the first one behind it.
        let step = 0.01;
        let change = (1..800).find(|s| side(step * *s as f32).signum() != side(step * (s - 1) as f32).signum());
        match change {
            Some(s) => {
                hits[kind] += 1;
                let end = step * s as f32;
                assert!(
                    (end - 1.01 * step..=end + 0.001).contains(&distance),
                    "{object:?}, {ray:?}: {distance}, not {end}"
                );
                // Outwards from the surface it is farther outside.
                let at = ray.origin + ray.direction * distance;
                let normal = object.normal(at);
                assert!((normal.norm() - 1.0).abs() < 1e-5, "{object:?}: {normal:?}");
                assert!(
                    (outside(&object, at + normal * 0.01) - 0.01).abs() < 1e-4,
                    "{object:?}: {normal:?}"
                );
            }
            None => {
                misses[kind] += 1;
                let grazing = (0..800).map(|s| side(step * s as f32).abs()).fold(1.0, f32::min) < 0.01;
                assert!(distance > 7.9 || grazing, "{object:?}, {ray:?}: {distance}");
            }
        }
    }
    assert!(
        hits.iter().chain(&misses).all(|count| *count > 15),
        "{hits:?} {misses:?}"
    );
}

/// In a sky that is equally bright everywhere a white body is not seen.
#[test]
fn a_white_body_in_a_furnace_is_not_seen() {
    let sky = Vec3::new(0.25, 0.5, 2.0);
    for surface in [Surface::Diffuse, Surface::Metal, Surface::Glass] {
        for (shape, size) in [
            (Shape::Sphere, Vec3::splat(0.8)),
            (Shape::Cuboid, Vec3::new(0.7, 0.9, 0.5)),
            (Shape::Plane, Vec3::Y),
        ] {
            let mut body = object(shape, surface, Vec3::new(0.1, -0.2, -3.0), size);
            let seen = picture([9, 13], &[body], scene(Vec3::ZERO, sky), 4);
            assert_eq!(seen, [sky; 9 * 13], "{shape:?} of {surface:?}");
            // A grey one that is met once at most is as dark as it is grey.
            body.color = Vec3::splat(0.5);
            let seen = picture([9, 13], &[body], scene(Vec3::ZERO, sky), 1);
            let dark = seen.iter().filter(|light| **light == sky * 0.5).count();
            let clear = seen.iter().filter(|light| **light == sky).count();
            if surface != Surface::Glass {
                assert_eq!(dark + clear, seen.len(), "{shape:?} of {surface:?}: {seen:?}");
                assert!(dark > 15 && clear > 15, "{dark} dark, {clear} clear");
            }
        }
    }
    // Many paths meet several of them.
    let many: Vec<Object> = (0..17)
        .map(|k| {
            let center = Vec3::new(spread(3 * k), spread(3 * k + 1), spread(3 * k + 2) - 3.0);
            object(
                [Shape::Sphere, Shape::Cuboid][k % 2],
                Surface::Diffuse,
                center,
                Vec3::splat(0.4),
            )
        })
        .collect();
    let seen = picture([9, 13], &many, scene(Vec3::ZERO, sky), 4);
    assert!(
        seen.iter().all(|light| light.x <= sky.x && light.z <= sky.z),
        "{seen:?}"
    );
    assert!(seen.iter().filter(|light| **light == sky).count() > 100, "{seen:?}");
}

/// Inside of a body that glows, light is absorbed as it is made: glow + color * light = light.
#[test]
fn light_in_a_closed_body_is_a_geometric_series() {
    for surface in [Surface::Diffuse, Surface::Metal] {
        let mut body = object(Shape::Sphere, surface, Vec3::new(0.1, 0.2, 0.3), Vec3::splat(2.0));
        body.glow = Vec3::new(1.0, 2.0, 3.0);
        body.color = Vec3::new(0.9, 0.5, 0.0);
        let seen = picture([31, 33], &[body], scene(Vec3::ZERO, Vec3::splat(10.0)), 8);
        let mean = seen.iter().fold(Vec3::ZERO, |sum, light| sum + *light) / seen.len() as f32;
        for (got, expected) in mean.to_array().into_iter().zip([10.0, 4.0, 3.0]) {
            assert!(
                (got / expected - 1.0).abs() < 0.02,
                "{surface:?}: {got}, not {expected}"
            );
        }
    }
}

/// A ball of radius r and radiance L, at a distance d in a direction at an angle from the normal, lights a surface by pi L r^2 / d^2 cos(angle).
#[test]
fn a_lamp_lights_as_its_solid_angle_says() {
    for (across, high, radius) in [(0.0, 3.0, 1.0), (2.0, 1.5, 0.4), (-1.0, 2.0, 0.7)] {
        let color = Vec3::new(0.8, 0.5, 0.2);
        let mut floor = object(Shape::Plane, Surface::Diffuse, Vec3::ZERO, Vec3::Y);
        floor.color = color;
        let mut lamp = object(
            Shape::Sphere,
            Surface::Diffuse,
            Vec3::new(across, high, 0.0),
            Vec3::splat(radius),
        );
        (lamp.color, lamp.glow) = (Vec3::ZERO, Vec3::splat(7.0));
        let squared = across * across + high * high;
        let expected = color * (7.0 * radius * radius / squared * high / squared.sqrt());
        // Straight down, on one place.
        let down = Scene {
            camera: Ray {
                origin: Vec3::new(0.0, 0.1, 0.0),
                direction: -Vec3::Y,
            },
            right: Vec3::X * 1e-3,
            up: Vec3::Z * 1e-3,
            ..scene(Vec3::ZERO, Vec3::ZERO)
        };
        // By rays to the lamp, and by paths that find it by chance.
        for (light, samples, near) in [(1, 8, 0.01), (u32::MAX, 128, 0.15)] {
            let seen = picture([15, 17], &[floor, lamp], Scene { light, ..down }, samples);
            let mean = seen.iter().fold(Vec3::ZERO, |sum, light| sum + *light) / seen.len() as f32;
            for k in 0..3 {
                let off = mean[k] / expected[k] - 1.0;
                assert!(off.abs() < near, "lamp {light}: {mean:?}, not {expected:?}");
            }
        }
        // What is between keeps the light away.
        let shade = object(
            Shape::Sphere,
            Surface::Diffuse,
            lamp.center * 0.4,
            Vec3::splat(0.5 * radius),
        );
        let shade = Object {
            color: Vec3::ZERO,
            ..shade
        };
        let seen = picture([15, 17], &[floor, lamp, shade], Scene { light: 1, ..down }, 8);
        assert_eq!(seen, [Vec3::ZERO; 15 * 17]);
    }
}

/// By the angles of the rays, in front of the surface and behind it.
#[test]
fn reflection_is_that_of_fresnel() {
    for index in [1.5_f64, 1.0 / 1.5, 2.4] {
        for degrees in [1.0_f64, 20.0, 35.0, 56.0, 70.0, 89.0] {
            let a = degrees.to_radians();
            let sin = a.sin() / index;
            let expected = if sin > 1.0 {
                1.0
            } else {
                let b = sin.asin();
                let [s, t] = [a - b, a + b].map(|angle| [angle.sin().powi(2), angle.tan().powi(2)]);
                0.5 * (s[0] / t[0] + s[1] / t[1])
            };
            let got = fresnel(a.cos() as f32, 1.0 / index as f32);
            assert!(
                (f64::from(got) - expected).abs() < 1e-4,
                "{index} at {degrees}: {got}, not {expected}"
            );
        }
        let straight = ((index - 1.0) / (index + 1.0)).powi(2);
        assert!((f64::from(fresnel(1.0, 1.0 / index as f32)) - straight).abs() < 1e-6);
    }
}

#[test]
fn pictures_on_both_devices() {
    let surfaces = [Surface::Diffuse, Surface::Metal, Surface::Glass];
    let mut objects: Vec<Object> = (0..11)
        .map(|k| {
            let center = Vec3::new(1.5 * spread(5 * k), spread(5 * k + 1), spread(5 * k + 2) - 4.0);
            let mut object = object(
                [Shape::Sphere, Shape::Cuboid][k % 2],
                surfaces[k % 3],
                center,
                Vec3::splat(0.4),
            );
            object.color = Vec3::new(0.9, noise(5 * k + 3), noise(5 * k + 4));
            object
        })
        .collect();
    objects[0].glow = Vec3::new(5.0, 4.0, 3.0);
    let from = Scene {
        light: 0,
        lens: 0.05,
        zenith: Vec3::new(0.1, 0.2, 0.4),
        ..scene(Vec3::ZERO, Vec3::splat(0.7))
    };
    let shape = [19, 23];
    let [cpu, cuda] = devices().map(|device| {
        let mut sums = Field::zeros(&device, shape).unwrap();
        let mut shown = Field::zeros(&device, shape).unwrap();
        let objects = Field::from_slice(&device, &objects).unwrap();
        for pass in 0..3 {
            trace(&mut sums, &objects, from, 2, pass).unwrap();
        }
        expose(&sums, 1.0 / 6.0, &mut shown).unwrap();
        shown.to_vec().unwrap()
    });
    // A ray that just misses on one device may hit on the other.
    let close = |(a, b): &(&Vec3, &Vec3)| (**a - **b).norm() < 1e-3;
    let same = cpu.iter().zip(&cuda).filter(close).count();
    assert!(
        same * 100 >= cpu.len() * 97,
        "{same} pixels of {} are the same",
        cpu.len()
    );
    let lit = cpu
        .iter()
        .filter(|light| light.min_component() > 0.05 && light.max_component() <= 1.0)
        .count();
    assert!(lit > 350, "{lit}");
}
