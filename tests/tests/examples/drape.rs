//! A cloth: a plain program in f64, what must be conserved, free fall, a ball that it comes to rest on, its picture, and two devices.

#[path = "../../../examples/examples/drape/draw.rs"]
pub mod draw;
#[path = "../../../examples/examples/drape/physics.rs"]
pub mod physics;

use draw::{Camera, Pixels, paint, room, unpack};
use physics::{Ball, Cloth, Fabric};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise, same};

const FABRIC: Fabric = Fabric {
    spacing: 0.1,
    stretch: 1e-5,
    shear: 1e-4,
    bend: 1e-3,
    gravity: 9.8,
    drag: 0.0,
};

/// So far away that nothing meets it.
const NOWHERE: Ball = Ball {
    center: Vec3::from_array([0.0, -900.0, 0.0]),
    radius: 1.0,
    floor: -1000.0,
    friction: 0.1,
};

/// A number from -1 to 1 that looks random.
fn spread(k: usize) -> f32 {
    2.0 * noise(k) - 1.0
}

fn vector(k: usize) -> Vec3 {
    Vec3::new(spread(3 * k), spread(3 * k + 1), spread(3 * k + 2))
}

/// A crumpled cloth in motion.
fn crumpled(device: &Device, fabric: Fabric, [h, w]: [usize; 2]) -> Cloth {
    let place = |[i, j]: [usize; 2]| Vec3::new(j as f32, 20.0, i as f32) * fabric.spacing + vector(w * i + j) * 0.02;
    let mut cloth = Cloth::new(device, fabric, [h, w], place).unwrap();
    cloth.vel = Field::from_fn(device, [h, w], |[i, j]| vector(w * i + j + 5000)).unwrap();
    cloth
}

/// A particle in f64: place and velocity.
type Plain = ([f64; 3], [f64; 3]);

/// One step, with one thread after the other: those over two, those across, those along.
#[allow(clippy::needless_range_loop)]
fn plain_step(cloth: &mut [Plain], [h, w]: [usize; 2], fabric: Fabric, ball: Ball, dt: f64) {
    let before: Vec<[f64; 3]> = cloth.iter().map(|p| p.0).collect();
    for (x, v) in cloth.iter_mut() {
        v[1] -= f64::from(fabric.gravity) * dt;
        for k in 0..3 {
            x[k] += dt * v[k];
        }
    }
    let spacing = f64::from(fabric.spacing);
    let mut pull = |[i, j]: [usize; 2], [y, x]: [usize; 2], rest: f64, compliance: f32| {
        let (a, b) = (cloth[w * i + j].0, cloth[w * y + x].0);
        let d = [0, 1, 2].map(|k| b[k] - a[k]);
        let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
        let multiplier = (length - rest) / (2.0 + f64::from(compliance) / (dt * dt));
        for k in 0..3 {
            cloth[w * i + j].0[k] += multiplier * d[k] / length;
            cloth[w * y + x].0[k] -= multiplier * d[k] / length;
        }
    };
    for first in 0..4 {
        for i in 0..h {
            (first..w.saturating_sub(2))
                .step_by(4)
                .for_each(|j| pull([i, j], [i, j + 2], 2.0 * spacing, fabric.bend));
        }
        for j in 0..w {
            (first..h.saturating_sub(2))
                .step_by(4)
                .for_each(|i| pull([i, j], [i + 2, j], 2.0 * spacing, fabric.bend));
        }
    }
    for first in 0..2 {
        let across = 2.0_f64.sqrt() * spacing;
        for i in (first..h - 1).step_by(2) {
            (1..w).for_each(|j| pull([i, j - 1], [i + 1, j], across, fabric.shear));
        }
        for i in (first..h - 1).step_by(2) {
            (1..w).for_each(|j| pull([i, j], [i + 1, j - 1], across, fabric.shear));
        }
    }
    for first in 0..2 {
        for i in 0..h {
            (first..w - 1)
                .step_by(2)
                .for_each(|j| pull([i, j], [i, j + 1], spacing, fabric.stretch));
        }
        for j in 0..w {
            (first..h - 1)
                .step_by(2)
                .for_each(|i| pull([i, j], [i + 1, j], spacing, fabric.stretch));
        }
    }
    let norm = |v: [f64; 3]| v.iter().map(|v| v * v).sum::<f64>().sqrt();
    for ((x, v), before) in cloth.iter_mut().zip(&before) {
        let center = ball.center.to_array().map(f64::from);
        let out = [0, 1, 2].map(|k| x[k] - center[k]);
        if norm(out) < f64::from(ball.radius) {
            let n = out.map(|o| o / norm(out));
            let slide: f64 = (0..3).map(|k| n[k] * (x[k] - before[k])).sum();
            let on = [0, 1, 2].map(|k| out[k] - f64::from(ball.friction) * (x[k] - before[k] - n[k] * slide));
            *x = [0, 1, 2].map(|k| center[k] + f64::from(ball.radius) * on[k] / norm(on));
        }
        if x[1] < f64::from(ball.floor) {
            for k in [0, 2] {
                x[k] -= f64::from(ball.friction) * (x[k] - before[k]);
            }
            x[1] = ball.floor.into();
        }
        *v = [0, 1, 2].map(|k| (x[k] - before[k]) / dt * (-f64::from(fabric.drag) * dt).exp());
    }
}

#[test]
fn steps_are_those_of_a_plain_program() {
    let fabric = Fabric { drag: 3.0, ..FABRIC };
    let ball = Ball {
        center: Vec3::new(0.2, 1.7, 0.2),
        radius: 0.33,
        floor: 1.99,
        friction: 0.3,
    };
    let mut touched = [false; 2];
    for shape in [[3, 3], [3, 7], [4, 5], [9, 6], [13, 17]] {
        let mut cloth = crumpled(&device(), fabric, shape);
        let wide = |v: &Vec3| v.to_array().map(f64::from);
        let (pos, vel) = (cloth.pos.to_vec().unwrap(), cloth.vel.to_vec().unwrap());
        let mut plain: Vec<Plain> = pos.iter().zip(&vel).map(|(x, v)| (wide(x), wide(v))).collect();
        for step in 0..3 {
            cloth.step(ball, 2e-3).unwrap();
            plain_step(&mut plain, shape, fabric, ball, 2e-3);
            let (pos, vel) = (cloth.pos.to_vec().unwrap(), cloth.vel.to_vec().unwrap());
            for p in &pos {
                touched[0] |= p.y == ball.floor;
                touched[1] |= (p.distance(ball.center) - ball.radius).abs() < 1e-5;
            }
            for (k, (x, v)) in plain.iter().enumerate() {
                for axis in 0..3 {
                    let off = [f64::from(pos[k][axis]) - x[axis], f64::from(vel[k][axis]) - v[axis]];
                    let good = off[0].abs() < 3e-6 && off[1].abs() < 3e-3;
                    assert!(
                        good,
                        "{shape:?}, step {step}, {k}: {:?} {:?}, not {x:?} {v:?}",
                        pos[k], vel[k]
                    );
                }
            }
        }
    }
    assert_eq!(touched, [true; 2], "floor and ball");
}

/// Sums over all particles, each of mass 1: velocity, and angular momentum around the origin.
fn momenta(cloth: &Cloth) -> [f64; 6] {
    let mut sums = [0.0; 6];
    for (x, v) in cloth.pos.to_vec().unwrap().iter().zip(cloth.vel.to_vec().unwrap()) {
        let [x, v] = [*x, v].map(|vector| vector.to_array().map(f64::from));
        for k in 0..3 {
            let [a, b] = [(k + 1) % 3, (k + 2) % 3];
            sums[k] += v[k];
            sums[k + 3] += x[a] * v[b] - x[b] * v[a];
        }
    }
    sums
}

#[test]
fn momentum_and_angular_momentum_are_conserved() {
    let mut cloth = crumpled(&device(), Fabric { gravity: 0.0, ..FABRIC }, [9, 14]);
    let before = momenta(&cloth);
    let start = cloth.vel.to_vec().unwrap();
    for _ in 0..100 {
        cloth.step(NOWHERE, 1e-3).unwrap();
    }
    let after = momenta(&cloth);
    for k in 0..6 {
        // The lever of a pull is that before the step: an error of the order of its length.
        let near = if k < 3 { 0.05 } else { 0.3 };
        assert!((before[k] - after[k]).abs() < near, "{before:?} became {after:?}");
    }
    assert!((start[3] - cloth.vel.to_vec().unwrap()[3]).norm() > 0.1);
}

/// What nothing holds falls as Galileo says: the scheme's own error is gravity time step / 2.
#[test]
fn a_free_fall_is_a_parabola() {
    let velocity = Vec3::new(0.7, 1.5, -0.4);
    let place = |[i, j]: [usize; 2]| Vec3::new(j as f32, 0.0, i as f32) * FABRIC.spacing;
    let mut cloth = Cloth::new(&device(), FABRIC, [7, 5], place).unwrap();
    cloth.vel = Field::full(&device(), [7, 5], velocity).unwrap();
    let dt = 1e-3_f32;
    for step in 1..=400 {
        cloth.step(NOWHERE, dt).unwrap();
        if step % 100 == 0 {
            let time = dt * step as f32;
            let fall = Vec3::Y * (0.5 * FABRIC.gravity * time * time);
            let own = Vec3::Y * (0.5 * FABRIC.gravity * time * dt);
            for (at, p) in cloth.pos.indexed_iter().unwrap() {
                let expected = place(at) + velocity * time - fall - own;
                assert!(
                    (p - expected).norm() < 5e-4,
                    "{at:?} after {time}: {p:?}, not {expected:?}"
                );
            }
        }
    }
}

#[test]
fn it_comes_to_rest_on_the_ball() {
    let fabric = Fabric {
        drag: 4.0,
        stretch: 1e-6,
        ..FABRIC
    };
    let ball = Ball {
        center: Vec3::new(0.0, 0.35, 0.0),
        radius: 0.4,
        floor: 0.0,
        friction: 0.1,
    };
    let side = 15;
    let middle = 0.5 * (side - 1) as f32 * fabric.spacing;
    let place = |[i, j]: [usize; 2]| {
        Vec3::new(
            j as f32 * fabric.spacing - middle,
            1.0,
            i as f32 * fabric.spacing - middle,
        )
    };
    let mut cloth = Cloth::new(&device(), fabric, [side, side], place).unwrap();
    let mut energy = f64::INFINITY;
    let mut most = 0.0;
    for _ in 0..30 {
        for _ in 0..40 {
            cloth.step(ball, 1e-3).unwrap();
        }
        for p in cloth.pos.to_vec().unwrap() {
            assert!(
                p.distance(ball.center) > ball.radius - 1e-5 && p.y >= ball.floor,
                "{p:?}"
            );
        }
        let ([kinetic, height, elastic], strain) = cloth.measure().unwrap();
        let now = kinetic + height + elastic;
        assert!(now < energy + 0.1, "energy {energy} became {now}");
        assert!(strain < 0.05, "{strain}");
        energy = now;
        most = f64::max(most, kinetic);
    }
    let ([kinetic, ..], _) = cloth.measure().unwrap();
    assert!(
        most > 100.0 && kinetic < 0.05 * most,
        "energy of motion {kinetic}, once {most}"
    );
    assert!(
        cloth
            .pos
            .to_vec()
            .unwrap()
            .iter()
            .any(|p| p.distance(ball.center) < ball.radius + 1e-5)
    );
}

/// In front of a white ball, a cloth covers the half that it is in front of.
#[test]
fn what_is_near_covers_what_is_far() {
    let ball = Ball {
        center: Vec3::ZERO,
        radius: 1.0,
        floor: -1.0,
        friction: 0.0,
    };
    let camera = Camera::new(Vec3::new(0.0, 0.0, 5.0), Vec3::ZERO, 60.0);
    for (z, covers) in [(1.5, true), (-1.5, false)] {
        let place = |[i, j]: [usize; 2]| Vec3::new(0.3 * j as f32, 0.3 * i as f32 - 0.9, z);
        let cloth = Cloth::new(&device(), FABRIC, [7, 5], place).unwrap();
        let mut pixels = Pixels::zeros(&device(), [41, 37]).unwrap();
        room(&mut pixels, camera, ball).unwrap();
        paint(&cloth.pos, camera, &mut pixels).unwrap();
        let red = |i: usize, j: usize| {
            let [r, g, b] = unpack(pixels.get([i, j]).unwrap());
            r > 3.0 * b.max(0.01) && r > 1.5 * g
        };
        // Right of the middle by a fifth of the ball's radius, and left of it.
        assert_eq!([red(20, 21), red(20, 15)], [covers, false], "at {z}");
    }
}

#[test]
fn frames_on_both_devices() {
    let ball = Ball {
        center: Vec3::new(0.4, 1.75, 0.4),
        radius: 0.2,
        floor: 1.9,
        friction: 0.1,
    };
    let camera = Camera::new(Vec3::new(0.5, 2.6, 3.0), Vec3::new(0.4, 2.0, 0.4), 35.0);
    let mut both = devices().map(|device| {
        (
            crumpled(&device, FABRIC, [7, 6]),
            Pixels::zeros(&device, [13, 17]).unwrap(),
        )
    });
    for frame in 0..2 {
        for (cloth, pixels) in &mut both {
            cloth.step(ball, 1e-3).unwrap();
            room(pixels, camera, ball).unwrap();
            paint(&cloth.pos, camera, pixels).unwrap();
        }
        let name = format!("frame {frame}");
        let [cpu, cuda] = both.each_ref().map(|(cloth, _)| cloth.pos.to_vec().unwrap());
        same(&name, [&cpu, &cuda], |p| p.to_array().to_vec(), 1e-5);
        let [cpu, cuda] = both.each_ref().map(|(cloth, _)| cloth.measure().unwrap());
        assert!((cpu.0[0] / cuda.0[0] - 1.0).abs() < 1e-3 && (cpu.1 - cuda.1).abs() < 1e-3);
        // Pixels at an edge may belong to either side.
        let [cpu, cuda] = both.each_ref().map(|(_, pixels)| pixels.to_vec().unwrap());
        let close = |(a, b): &(&u64, &u64)| (0..3).all(|k| (unpack(**a)[k] - unpack(**b)[k]).abs() < 0.01);
        let equal = cpu.iter().zip(&cuda).filter(close).count();
        assert!(
            equal * 100 >= cpu.len() * 97,
            "{name}: {equal} pixels of {} are the same",
            cpu.len()
        );
    }
}
