//! Smoothed particle hydrodynamics: sorted cells, a plain program without them, what must be conserved, the pressure of a depth, the front of
//! a real dam break, and two devices.

#[path = "../../../examples/examples/dam_break/cells.rs"]
pub mod cells;
#[path = "../../../examples/examples/dam_break/physics.rs"]
pub mod physics;

use cells::{Cells, Grid};
use physics::{DIFFUSION, Dam, Particle, SMOOTHING, VISCOSITY, Water};
use swathe::prelude::*;

use crate::devices::devices;
use crate::{device, noise};

fn water(tank: [f32; 2], spacing: f32) -> Water {
    Water {
        tank: Vec2::from_array(tank),
        spacing,
        gravity: 1.0,
        sound: 15.0,
    }
}

/// The cell of a point, by its definition.
fn cell(grid: Grid, p: Vec2) -> usize {
    let along = |x: f32, side: f32, n: u32| ((x / side).floor() as i64).clamp(0, i64::from(n) - 1) as usize;
    let [column, row] = [
        along(p.x, grid.cell.x, grid.columns),
        along(p.y, grid.cell.y, grid.rows),
    ];
    row * grid.columns as usize + column
}

#[test]
fn cells_have_their_points_in_order() {
    for count in [0, 1, 3, 17, 1000] {
        let point = |k: usize| Vec2::new(3.4 * noise(2 * k) - 0.2, 1.4 * noise(2 * k + 1) - 0.2);
        let points: Vec<Vec2> = (0..count).map(point).collect();
        let mut cells = Cells::new(&device(), count, Vec2::new(3.0, 1.0), 0.19).unwrap();
        assert_eq!([cells.grid.columns, cells.grid.rows], [15, 5]);
        cells.sort(&Field::from_slice(&device(), &points).unwrap()).unwrap();

        let mut expected: Vec<u32> = (0..count as u32).collect();
        expected.sort_by_key(|k| cell(cells.grid, points[*k as usize]));
        assert_eq!(cells.order.to_vec().unwrap(), expected, "{count} points");
        for (c, start) in cells.start.to_vec().unwrap().into_iter().enumerate() {
            let before = points.iter().filter(|p| cell(cells.grid, **p) < c).count();
            assert_eq!(start as usize, before, "cell {c} of {count} points");
        }
    }
}

/// Particles anywhere in the tank, also close to its walls, in motion, of different densities.
fn spray(count: usize, tank: [f32; 2]) -> Vec<Particle> {
    let particle = |k: usize| {
        let n = |draw: usize| noise(8 * k + draw);
        Particle {
            pos: Vec2::new(tank[0] * n(0), tank[1] * n(1)),
            vel: Vec2::new(2.0 * n(2) - 1.0, 3.0 * n(3) - 2.0),
            density: 0.98 + 0.05 * n(4),
        }
    };
    (0..count).map(particle).collect()
}

/// A particle in f64: place, velocity, density.
type Plain = ([f64; 2], [f64; 2], f64);

/// All pairs, with all images in all walls.
#[allow(clippy::needless_range_loop)]
fn plain_step(start: &[Particle], water: Water, dt: f64) -> Vec<Plain> {
    let wide = |v: Vec2| [f64::from(v.x), f64::from(v.y)];
    let [tank, spacing, sound] = [
        wide(water.tank),
        [f64::from(water.spacing); 2],
        [f64::from(water.sound); 2],
    ];
    let (mass, h, c) = (spacing[0] * spacing[1], f64::from(SMOOTHING) * spacing[0], sound[0]);
    let real: Vec<Plain> = start
        .iter()
        .map(|p| (wide(p.pos), wide(p.vel), f64::from(p.density)))
        .collect();
    let images = |of: &[Plain]| -> Vec<Plain> {
        let mut all = Vec::new();
        for (x, v, density) in of {
            for (px, vx) in [(x[0], v[0]), (-x[0], -v[0]), (2.0 * tank[0] - x[0], -v[0])] {
                for (py, vy) in [(x[1], v[1]), (-x[1], -v[1]), (2.0 * tank[1] - x[1], -v[1])] {
                    all.push(([px, py], [vx, vy], *density));
                }
            }
        }
        all
    };
    let pressure = |density: f64| c * c * (density - 1.0);
    // Distance, its square, and the gradient of the kernel: the derivative of 7 / (4 pi h^2) (1 - q / 2)^4 (1 + 2 q), by a difference.
    let kernel =
        |q: f64| 7.0 / (4.0 * std::f64::consts::PI * h * h) * (1.0 - 0.5 * q).max(0.0).powi(4) * (1.0 + 2.0 * q);
    let pair = |a: &Plain, b: &Plain| {
        let d = [a.0[0] - b.0[0], a.0[1] - b.0[1]];
        let r = d[0].hypot(d[1]);
        let slope = (kernel(r / h + 1e-5) - kernel(r / h - 1e-5)) / 2e-5 / h;
        (d, r, d.map(|d| if r > 0.0 { slope * d / r } else { 0.0 }))
    };
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];

    let around = images(&real);
    let mut pushed = real.clone();
    for (p, new) in real.iter().zip(&mut pushed) {
        let mut acceleration = [0.0, -f64::from(water.gravity)];
        for q in &around {
            let (d, r, gradient) = pair(p, q);
            let v = [p.1[0] - q.1[0], p.1[1] - q.1[1]];
            let approach = if r > 0.0 { dot(v, d) / (r * r) } else { 0.0 };
            let friction = f64::from(VISCOSITY) * h * c * approach;
            for k in 0..2 {
                let stress = friction - pressure(p.2) - pressure(q.2);
                acceleration[k] += mass / q.2 / p.2 * stress * gradient[k];
            }
        }
        for k in 0..2 {
            new.1[k] += dt * acceleration[k];
        }
    }
    let around = images(&pushed);
    let mut moved = pushed.clone();
    for (p, new) in pushed.iter().zip(&mut moved) {
        for q in &around {
            let (d, r, gradient) = pair(p, q);
            let v = [p.1[0] - q.1[0], p.1[1] - q.1[1]];
            // The difference of the densities along the gradient: Molteni and Colagrossi's term.
            let smooth = if r > 0.0 {
                -2.0 * (q.2 - p.2) * dot(d, gradient) / (r * r)
            } else {
                0.0
            };
            let rate = p.2 * dot(v, gradient) + f64::from(DIFFUSION) * h * c * smooth;
            new.2 += dt * mass / q.2 * rate;
        }
        for k in 0..2 {
            new.0[k] += dt * new.1[k];
            if new.0[k] < 0.0 {
                (new.0[k], new.1[k]) = (-new.0[k], -new.1[k]);
            } else if new.0[k] > tank[k] {
                (new.0[k], new.1[k]) = (2.0 * tank[k] - new.0[k], -new.1[k]);
            }
        }
    }
    moved
}

#[test]
fn a_step_is_that_of_a_plain_program() {
    for (count, tank) in [(1, [1.0, 1.0]), (3, [0.3, 0.3]), (17, [0.5, 0.4]), (301, [1.3, 0.7])] {
        let mut water = water(tank, 0.05);
        water.gravity = 9.0;
        let mut start = spray(count, tank);
        // One that goes through the walls.
        start[0].pos = Vec2::new(0.001, tank[1] - 0.002);
        start[0].vel = Vec2::new(-9.0, 8.0);
        let mut dam = Dam::of(water, Field::from_slice(&device(), &start).unwrap()).unwrap();
        let dt = dam.longest_step();
        dam.step(dt).unwrap();
        // Sorted, as they are after the step.
        let grid = Cells::new(&device(), count, water.tank, water.reach()).unwrap().grid;
        start.sort_by_key(|p| cell(grid, p.pos));
        let expected = plain_step(&start, water, dt.into());
        let got = dam.particles().unwrap();
        for (k, (p, (pos, vel, density))) in got.iter().zip(&expected).enumerate() {
            let close = |a: f32, b: f64, scale: f64| (f64::from(a) - b).abs() < 1e-4 * scale;
            let good = close(p.density, *density, 0.1)
                && (0..2).all(|i| close(p.pos[i], pos[i], 0.1) && close(p.vel[i], vel[i], 5.0));
            assert!(good, "{k} of {count}: {p:?}, not {:?}", expected[k]);
        }
        assert_eq!(got.len(), expected.len());
    }
}

#[test]
fn momentum_is_conserved_and_energy_does_not_grow() {
    let mut water = water([3.0, 3.0], 0.05);
    water.gravity = 0.0;
    // A ragged block far from the walls.
    let mut start = Vec::new();
    for k in 0..187 {
        let mut p = spray(k + 1, [0.02, 0.02])[k];
        p.pos += Vec2::new((k % 17) as f32, (k / 17) as f32) * water.spacing + 1.1;
        start.push(p);
    }
    let momentum = |particles: &[Particle]| {
        let sum = particles
            .iter()
            .map(|p| [p.vel.x, p.vel.y].map(f64::from))
            .fold([0.0; 2], |s, v| [s[0] + v[0], s[1] + v[1]]);
        sum.map(|sum| sum / particles.len() as f64)
    };
    let mut dam = Dam::of(water, Field::from_slice(&device(), &start).unwrap()).unwrap();
    let mut energy = dam.energy().unwrap();
    for _ in 0..20 {
        for _ in 0..3 {
            dam.step(dam.longest_step()).unwrap();
        }
        let now = dam.energy().unwrap();
        let [before, after] = [energy, now].map(|[kinetic, potential]| kinetic + potential);
        assert!(after < before, "energy {energy:?} became {now:?}");
        energy = now;
    }
    let [before, after] = [&start, &dam.particles().unwrap()].map(|particles| momentum(particles));
    for k in 0..2 {
        assert!(
            (before[k] - after[k]).abs() < 1e-5,
            "momentum {before:?} became {after:?}"
        );
    }
}

#[test]
fn the_pressure_at_rest_is_the_weight_above() {
    let water = water([1.0, 1.0], 0.0625);
    let mut dam = Dam::new(&device(), water, [1.0, 0.75]).unwrap();
    for _ in 0..400 {
        dam.step(dam.longest_step()).unwrap();
    }
    let particles = dam.particles().unwrap();
    for p in &particles {
        let expected = 0.75 - p.pos.y;
        let pressure = water.pressure(p.density);
        assert!((pressure - expected).abs() < 0.04, "{p:?}: {pressure}, not {expected}");
        assert!(p.vel.norm() < 0.02, "{p:?}");
    }
    let mean = particles.iter().map(|p| water.pressure(p.density)).sum::<f32>() / particles.len() as f32;
    assert!((mean - 0.375).abs() < 0.015, "{mean}");
}

/// J. C. Martin, W. J. Moyce, "An experimental study of the collapse of liquid columns on a rigid horizontal plane" (1952), a column twice as
/// high as wide: the time in units of sqrt(width / (2 gravity)), and how many widths the front has come.
const EXPERIMENT: [[f32; 2]; 4] = [[1.219, 1.474], [1.997, 2.292], [2.547, 2.995], [3.345, 4.134]];

/// Real dams do not open at once, so that times from one place to the next are compared.
#[test]
fn the_front_is_as_fast_as_in_an_experiment() {
    let mut water = water([6.0, 2.5], 0.125);
    water.sound = 20.0;
    let mut dam = Dam::new(&device(), water, [1.0, 2.0]).unwrap();
    assert_eq!(dam.particles().unwrap().len(), 128);
    let first: f64 = dam.energy().unwrap().iter().sum();
    let (mut steps, mut passed) = (0, Vec::new());
    while passed.len() < EXPERIMENT.len() {
        let time = steps as f32 * dam.longest_step() * 2.0_f32.sqrt();
        let particles = dam.particles().unwrap();
        let front = particles.iter().map(|p| p.pos.x).fold(0.0, f32::max) + 0.5 * water.spacing;
        // A. Ritter (1892): on a dry bed nothing is faster than twice the waves of the depth.
        assert!(front - 1.0 <= 2.0 * time, "{front} at {time}");
        if front >= EXPERIMENT[passed.len()][1] {
            passed.push(time);
            let density = |p: &Particle| assert!((p.density - 1.0).abs() < 0.02, "{p:?}");
            particles.iter().for_each(density);
            let energy: f64 = dam.energy().unwrap().iter().sum();
            assert!(energy < first && energy > 0.9 * first, "energy {first} became {energy}");
        }
        for _ in 0..4 {
            dam.step(dam.longest_step()).unwrap();
        }
        steps += 4;
    }
    for k in 1..EXPERIMENT.len() {
        let [expected, got] = [EXPERIMENT[k][0] - EXPERIMENT[k - 1][0], passed[k] - passed[k - 1]];
        assert!(
            (got / expected - 1.0).abs() < 0.1,
            "to {}: {got}, not {expected}",
            EXPERIMENT[k][1]
        );
    }
}

#[test]
fn frames_on_both_devices() {
    let water = water([1.0, 0.6], 0.05);
    let start = spray(203, [0.8, 0.5]);
    let mut both = devices().map(|device| Dam::of(water, Field::from_slice(&device, &start).unwrap()).unwrap());
    for frame in 0..4 {
        for dam in &mut both {
            for _ in 0..3 {
                dam.step(dam.longest_step()).unwrap();
            }
        }
        let [cpu, cuda] = both.each_ref().map(|dam| dam.particles().unwrap());
        let parts = |p: &Particle| vec![p.pos.x, p.pos.y, p.vel.x, p.vel.y, p.density];
        crate::same(&format!("frame {frame}"), [&cpu, &cuda], parts, 1e-4);
        let [cpu, cuda] = both.each_ref().map(|dam| dam.energy().unwrap());
        assert!((cpu[0] - cuda[0]).abs() < 1e-4 && (cpu[1] - cuda[1]).abs() < 1e-4);
    }
}
