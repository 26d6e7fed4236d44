//! The examples' simulations, some frames long, on CUDA and on the CPU side by side: on the software device, or with
//! `SWATHE_TEST_GPU` on a GPU.

#![allow(missing_docs, dead_code)]

#[path = "../../examples/examples/fit/physics.rs"]
mod fit;
#[path = "../../examples/examples/gray_scott/physics.rs"]
mod gray_scott;
#[path = "../../examples/examples/julia/physics.rs"]
mod julia;
#[path = "../../examples/examples/mpm88/physics.rs"]
mod mpm88;
#[path = "../../examples/examples/nbody/physics.rs"]
mod nbody;

#[path = "../../examples/examples/walker"]
mod walker {
    pub mod physics;
    pub mod robot;
}
#[path = "../../examples/examples/wave"]
mod wave {
    pub mod physics;
    pub mod search;
}

use std::fmt::Debug;

use swathe::derivative::{Adam, Budget, value_and_gradient};
use swathe::prelude::*;
use swathe_software_cuda::harness;

/// The CPU, and a CUDA device.
fn devices() -> [Device; 2] {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::enter();
    }
    [Device::cpu(), Device::cuda(0).unwrap_or_else(|error| panic!("{error}"))]
}

/// A number from 0 to 1 that looks random.
fn noise(k: usize) -> f32 {
    ((k as f64 * 78.233).sin() * 43758.5453).fract().abs() as f32
}

/// Asserts that a frame is the same on both, within `tolerance`: CUDA contracts `a * b + c`, and the CPU does not.
fn same<T: Debug>(what: &str, [cpu, cuda]: [&[T]; 2], parts: impl Fn(&T) -> Vec<f32>, tolerance: f32) {
    assert_eq!(cpu.len(), cuda.len());
    let mut different = 0;
    for (a, b) in cpu.iter().zip(cuda) {
        for (a, b) in parts(a).into_iter().zip(parts(b)) {
            assert!(a.is_finite(), "{what}: {a}");
            different += usize::from((a - b).abs() > tolerance * a.abs().max(1.0));
        }
    }
    assert_eq!(different, 0, "{what}: numbers that differ");
}

#[test]
fn gray_scott() {
    let devices = devices();
    let reaction = gray_scott::Reaction {
        diffusion: Vec2::new(0.2, 0.1),
        feed: 0.03,
        kill: 0.06,
        dt: 1.0,
    };
    let start = |[i, j]: [usize; 2]| Vec2::new(1.0 - 0.5 * noise(i * 41 + j), 0.25 * noise(i * 41 + j + 9000));
    let mut old = devices.each_ref().map(|d| Field::from_fn(d, [33, 41], start).unwrap());
    let mut new = old.each_ref().map(|old| old.try_clone().unwrap());
    for frame in 0..4 {
        for (old, new) in old.iter_mut().zip(&mut new) {
            for _ in 0..5 {
                gray_scott::react(old, new, reaction).unwrap();
                std::mem::swap(old, new);
            }
        }
        let shown = old.each_ref().map(|old| old.to_vec().unwrap());
        assert!(shown[0].iter().any(|v| v.y > 0.01));
        same(
            &format!("frame {frame}"),
            [&shown[0], &shown[1]],
            |v| v.to_array().to_vec(),
            1e-4,
        );
    }
}

#[test]
fn julia() {
    let devices = devices();
    let mut steps = devices.each_ref().map(|d| Field::zeros(d, [37, 51]).unwrap());
    for frame in 0..4 {
        let (sin, cos) = (2.7 + 0.2 * frame as f32).sin_cos();
        let c = julia::Complex {
            re: 0.7885 * cos,
            im: 0.7885 * sin,
        };
        let window = julia::Window {
            center: julia::Complex::default(),
            pixel: 2.4 / 37.0,
        };
        for steps in &mut steps {
            julia::julia(steps, window, c, 200).unwrap();
        }
        let shown = steps.each_ref().map(|steps| steps.to_vec().unwrap());
        assert!(shown[0].iter().any(|s| *s > 3.0));
        // Contraction moves single points across the border of the set.
        let near = |(a, b): &(&f32, &f32)| (*a - *b).abs() < 1e-2 * a.abs().max(1.0);
        let good = shown[0].iter().zip(&shown[1]).filter(near).count();
        assert!(good * 100 > shown[0].len() * 98, "frame {frame}: {good} points agree");
    }
}

#[test]
fn nbody() {
    let devices = devices();
    let count = 97;
    let start: Vec<nbody::Body> = (0..count)
        .map(|k| {
            let n = |draw: usize| noise(8 * k + draw) - 0.5;
            nbody::Body {
                pos: Vec3::new(n(0), n(1), n(2)),
                vel: Vec3::new(n(3), n(4), n(5)) * 0.4,
                mass: (1.5 + n(6)) / count as f32,
            }
        })
        .collect();
    let mut bodies = devices.each_ref().map(|d| Field::from_slice(d, &start).unwrap());
    for frame in 0..4 {
        for bodies in &mut bodies {
            nbody::leapfrog(bodies, 0.005, 1e-3, 3).unwrap();
        }
        let shown = bodies.each_ref().map(|bodies| bodies.to_vec().unwrap());
        assert!(shown[0][5].pos != start[5].pos);
        let parts = |b: &nbody::Body| [b.pos.to_array(), b.vel.to_array()].concat();
        same(&format!("frame {frame}"), [&shown[0], &shown[1]], parts, 1e-4);
        // Sums of another order.
        let [cpu, cuda] = bodies.each_ref().map(|bodies| nbody::energy(bodies, 1e-3).unwrap());
        for (a, b) in [(cpu.0, cuda.0), (cpu.1, cuda.1)] {
            assert!((a - b).abs() <= 1e-5 * a.abs(), "frame {frame}: {a} {b}");
        }
    }
}

#[test]
fn mpm88() {
    let devices = devices();
    let (count, n) = (300, 33);
    let start: Vec<mpm88::Particle> = (0..count)
        .map(|k| mpm88::Particle {
            pos: Vec2::new(0.3 + 0.4 * noise(4 * k), 0.1 + 0.4 * noise(4 * k + 1)),
            vel: Vec2::new(noise(4 * k + 2), -2.0 * noise(4 * k + 3)),
            c: Mat2::ZERO,
            f: Mat2::IDENTITY,
            j: 1.0,
            material: [mpm88::FLUID, mpm88::JELLY, mpm88::SNOW][k % 3],
        })
        .collect();
    let step = mpm88::Step {
        dt: 2e-4,
        gravity: Vec2::new(0.0, -9.8),
        volume: 0.16 / count as f32,
    };
    let mut all = devices.each_ref().map(|d| {
        (
            Field::from_slice(d, &start).unwrap(),
            Field::zeros(d, [n, n]).unwrap(),
            Field::zeros(d, [n, n]).unwrap(),
        )
    });
    for frame in 0..4 {
        for (particles, velocity, mass) in &mut all {
            for _ in 0..5 {
                mpm88::substep(particles, velocity, mass, step).unwrap();
            }
        }
        let [cpu, cuda] = all.each_ref().map(|(particles, ..)| particles.to_vec().unwrap());
        assert!(cpu[5].pos != start[5].pos);
        // The grid's sums have no order on either device.
        for (k, (a, b)) in cpu.iter().zip(&cuda).enumerate() {
            let near = |a: f32, b: f32, scale: f32| a.is_finite() && (a - b).abs() <= 1e-3 * scale;
            let good = a.material == b.material
                && near(a.j, b.j, 1.0)
                && (0..2).all(|i| near(a.pos[i], b.pos[i], 0.01) && near(a.vel[i], b.vel[i], 3.0))
                && (0..4).all(|i| near(a.f[[i / 2, i % 2]], b.f[[i / 2, i % 2]], 1.0));
            assert!(good, "frame {frame}, particle {k}: {a:?} {b:?}");
        }
    }
}

/// What NVIDIA's compiler makes of the kernels, in an interpreter.
#[test]
fn all_as_ptx() {
    if std::env::var_os("SWATHE_TEST_GPU").is_none() {
        harness::as_ptx(&["--skip", "all_as_ptx"], 9);
    }
}

/// The distance is a polynomial of second degree, of which central differences of any width are the derivative.
#[test]
fn wave_derivative() {
    let (shape, steps) = ([11, 17], 23);
    let noisy = |salt: usize| move |[i, j]: [usize; 2]| noise(i * 17 + j + salt) - 0.5;
    let gradients = devices().map(|device| {
        let picture = Field::from_fn(&device, shape, noisy(1000)).unwrap();
        let mut start = Field::from_fn(&device, shape, noisy(0)).unwrap();
        let budget = Budget::states(4);
        let (_, mut found) = wave::search::gradient(&start, &picture, steps, budget).unwrap();
        let gradient = found.take(&start).unwrap();
        for at in [[0, 0], [3, 16], [5, 8], [10, 2]] {
            let here = start.get(at).unwrap();
            let [above, below] = [1.0, -1.0].map(|by| {
                start.set(at, here + by).unwrap();
                wave::search::gradient(&start, &picture, steps, budget).unwrap().0
            });
            start.set(at, here).unwrap();
            let (got, expected) = (gradient.get(at).unwrap(), 0.5 * (above - below));
            assert!((got - expected).abs() < 1e-3, "{at:?}: {got}, not {expected}");
        }
        gradient.to_vec().unwrap()
    });
    same("gradient", [&gradients[0], &gradients[1]], |g| vec![*g], 1e-4);
}

#[test]
fn wave_converges() {
    let picture = Field::from_fn(&Device::cpu(), [33, 41], |[i, j]| {
        let [y, x] = [(i as f32 - 14.0) / 5.0, (j as f32 - 25.0) / 5.0];
        (-x * x - y * y).exp()
    });
    let mut search = wave::search::Search::new(picture.unwrap(), 50).unwrap();
    let losses: Vec<f32> = (0..60).map(|_| search.round().unwrap()).collect();
    assert!(losses[59] < 0.05 * losses[0], "{losses:?}");
}

#[test]
fn walker_derivative() {
    let steps = 60;
    let gradients = devices().map(|device| {
        let robot = walker::robot::Robot::new(&device).unwrap();
        let weights = robot.weights().unwrap();
        let (_, gradient) = robot.gradient(&weights, steps).unwrap();
        let square: f32 = gradient.to_vec().unwrap().iter().map(|g| g * g).sum();
        let [ahead, behind] = [1.0, -1.0].map(|by| {
            let width = by * 0.05 / square.sqrt();
            let moved = (&weights + &gradient * width).eval().unwrap();
            robot.gradient(&moved, steps).unwrap().0
        });
        let (got, expected) = (square.sqrt(), (ahead - behind) / 0.1);
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
fn walker_learns() {
    let robot = walker::robot::Robot::new(&Device::cpu()).unwrap();
    let mut school = walker::robot::School::new(robot.weights().unwrap()).unwrap();
    let first = school.round(&robot, 800).unwrap();
    for _ in 0..12 {
        school.round(&robot, 800).unwrap();
    }
    assert!(school.best.1 > first + 0.03, "from {first} to {} m", school.best.1);
}

#[test]
fn fit_finds_what_was_measured() {
    let truth = |d: usize| fit::Decay {
        amplitude: (0.6 + 0.2 * d as f32).ln(),
        life: (0.5 + 0.4 * d as f32).ln(),
        rest: 0.03 * d as f32,
    };
    for (device, rounds) in devices().iter().zip([1200, 5]) {
        let measured = Field::from_fn(device, [7, 60], |[d, k]| fit::light(truth(d), k as f32 * 0.1)).unwrap();
        let start = fit::Decay {
            amplitude: 0.0,
            life: 0.0,
            rest: 0.0,
        };
        let mut decays = Field::full(device, 7, start).unwrap();
        let mut adam = Adam::new(0.02);
        let mut losses = Vec::new();
        for _ in 0..rounds {
            let (loss, gradients) =
                value_and_gradient([decays.source()], || fit::misfit(&decays, &measured, 0.1)).unwrap();
            adam.step(&mut decays, &gradients).unwrap();
            losses.push(loss);
        }
        assert!(losses[rounds - 1] < losses[0], "{losses:?}");
        if rounds > 1000 {
            for (d, found) in decays.to_vec().unwrap().iter().enumerate() {
                let expected = truth(d);
                assert!(
                    (found.life - expected.life).abs() < 0.02,
                    "{d}: {found:?}, not {expected:?}"
                );
                assert!(
                    (found.amplitude - expected.amplitude).abs() < 0.02,
                    "{d}: {found:?}, not {expected:?}"
                );
                assert!(
                    (found.rest - expected.rest).abs() < 0.02,
                    "{d}: {found:?}, not {expected:?}"
                );
            }
        }
    }
}
