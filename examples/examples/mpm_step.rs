//! One step of a fluid by the moving least squares material point method, timed: the step that the comparison with
//! other libraries measures. Prints million particle steps per second.

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{DeviceChoice, Failure};

/// A fluid's step by the material point method, timed.
#[derive(Parser)]
struct Args {
    /// Where to compute: auto (the first CUDA device, else the CPU), cpu, cuda, or cuda:N
    #[arg(long, value_name = "DEVICE", default_value_t = DeviceChoice::Auto)]
    device: DeviceChoice,

    /// Number of particles
    #[arg(long, value_name = "N", default_value_t = 65_536)]
    particles: u32,

    /// Nodes of the grid along each side
    #[arg(long, value_name = "N", default_value_t = 256)]
    grid: usize,

    /// Steps of one measurement
    #[arg(long, value_name = "N", default_value_t = 20)]
    steps: usize,

    /// Number of measurements, of which the median counts
    #[arg(long, value_name = "N", default_value_t = 15)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
}

const DT: f32 = 1e-4;
const GRAVITY: f32 = 9.8;
const STIFFNESS: f32 = 400.0;
const BOUND: usize = 3;

/// The particles: position, velocity, its gradient, and volume relative to that at the beginning.
struct Fluid {
    x: Field<Vec2>,
    v: Field<Vec2>,
    c: Field<Mat2>,
    jac: Field<f32>,
}

#[func]
fn weights(fx: Vec2) -> [Vec2; 3] {
    let l = 1.5 - fx;
    let m = fx - 1.0;
    let r = fx - 0.5;
    [0.5 * l * l, 0.75 - m * m, 0.5 * r * r]
}

/// One step: the particles' momentum to the grid, the grid's velocities, and back.
#[kernel]
pub fn step(
    x: &mut Field<Vec2>,
    v: &mut Field<Vec2>,
    c: &mut Field<Mat2>,
    jac: &mut Field<f32>,
    grid_v: &mut Field<Vec2, 2>,
    grid_m: &mut Field<f32, 2>,
) {
    let [n, _] = grid_m.shape();
    let inv = n as f32;
    let dx = 1.0 / inv;
    let mass = (0.5 * dx) * (0.5 * dx);
    let stiffness = -4.0 * DT * STIFFNESS * mass * inv * inv;

    for node in grid_m.indices() {
        grid_v[node] = Vec2::ZERO;
        grid_m[node] = 0.0;
    }
    for p in x.indices() {
        let xp = x[p] * inv;
        let base = (xp - 0.5).as_usize();
        let fx = xp - Vec2::from_usize(base);
        let w = weights(fx);
        let affine = stiffness * (jac[p] - 1.0) * Mat2::IDENTITY + mass * c[p];
        let momentum = mass * v[p];
        for i in 0..3 {
            for j in 0..3 {
                let d = (Vec2::new(i as f32, j as f32) - fx) * dx;
                let weight = w[i].x * w[j].y;
                grid_v[[base[0] + i, base[1] + j]].atomic_add(weight * (momentum + affine * d));
                grid_m[[base[0] + i, base[1] + j]].atomic_add(weight * mass);
            }
        }
    }
    for [i, j] in grid_m.indices() {
        let m = grid_m[[i, j]];
        if m > 0.0 {
            let mut u = grid_v[[i, j]] / m;
            u.y -= DT * GRAVITY;
            if (i < BOUND && u.x < 0.0) || (i > n - BOUND && u.x > 0.0) {
                u.x = 0.0;
            }
            if (j < BOUND && u.y < 0.0) || (j > n - BOUND && u.y > 0.0) {
                u.y = 0.0;
            }
            grid_v[[i, j]] = u;
        }
    }
    for p in x.indices() {
        let xp = x[p] * inv;
        let base = (xp - 0.5).as_usize();
        let fx = xp - Vec2::from_usize(base);
        let w = weights(fx);
        let mut velocity = Vec2::ZERO;
        let mut gradient = Mat2::ZERO;
        for i in 0..3 {
            for j in 0..3 {
                let d = (Vec2::new(i as f32, j as f32) - fx) * dx;
                let g = w[i].x * w[j].y * grid_v[[base[0] + i, base[1] + j]];
                velocity += g;
                gradient += 4.0 * inv * inv * g.outer_product(d);
            }
        }
        v[p] = velocity;
        x[p] += DT * velocity;
        jac[p] *= 1.0 + DT * gradient.trace();
        c[p] = gradient;
    }
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args = Args::parse();
    let device = args.device.open()?;
    let n = args.particles as usize;
    let start: Vec<Vec2> = (0..args.particles)
        .map(|k| Vec2::new(place(2 * k), place(2 * k + 1)))
        .collect();
    let mut fluid = Fluid {
        x: Field::from_slice(&device, &start)?,
        v: Field::zeros(&device, n)?,
        c: Field::zeros(&device, n)?,
        jac: Field::zeros(&device, n)?,
    };
    let mut grid_v = Field::zeros(&device, [args.grid, args.grid])?;
    let mut grid_m = Field::zeros(&device, [args.grid, args.grid])?;

    // Two rounds to warm up.
    let mut seconds = Vec::new();
    for round in 0..args.rounds + 2 {
        fluid.x.copy_from_slice(&start)?;
        fluid.v.fill(Vec2::new(0.0, -1.0))?;
        fluid.c.fill(Mat2::ZERO)?;
        fluid.jac.fill(1.0)?;
        let clock = Instant::now();
        for _ in 0..args.steps {
            let Fluid { x, v, c, jac } = &mut fluid;
            step(x, v, c, jac, &mut grid_v, &mut grid_m)?;
        }
        // A value of the result: what a device has still to do is part of the time.
        fluid.x.get(0)?;
        if round >= 2 {
            seconds.push(clock.elapsed().as_secs_f64());
        }
    }
    seconds.sort_by(f64::total_cmp);
    let median = seconds[seconds.len() / 2];
    let sum: f64 = fluid.x.to_vec()?.iter().map(|x| f64::from(x.x) + f64::from(x.y)).sum();
    let rate = |seconds: f64| n as f64 * args.steps as f64 / seconds / 1e6;
    println!(
        "{:.2} Mparticle-steps/s (median of {}; best {:.2}); sum of positions {sum:.3}",
        rate(median),
        seconds.len(),
        rate(seconds[0])
    );
    Ok(())
}

/// A coordinate in the square of fluid, from a hash of its number (C. Wellons' lowbias32).
fn place(k: u32) -> f32 {
    let mut h = k;
    h = (h ^ (h >> 16)).wrapping_mul(0x7feb_352d);
    h = (h ^ (h >> 15)).wrapping_mul(0x846c_a68b);
    h ^= h >> 16;
    (0.25 + 0.375 * f64::from(h >> 8) / f64::from(1 << 24)) as f32
}
