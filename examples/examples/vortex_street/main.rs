//! The vortices behind a cylinder in the wind.

mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{ColorMap, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use physics::{Flow, drag, equilibrium, step, vorticity};

/// The vortices that a cylinder in the wind sheds to both sides in turns, by the lattice Boltzmann method.
#[derive(Parser)]
struct Args {
    /// Size of the plane in cells, and of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x256")]
    size: Size,

    /// Diameter of the cylinder in cells
    #[arg(long, value_name = "D", default_value_t = 24.0)]
    diameter: f32,

    /// Reynolds number: wind times diameter over viscosity
    #[arg(long, value_name = "RE", default_value_t = 120.0)]
    reynolds: f32,

    /// Speed of the wind, in cells per step
    #[arg(long, value_name = "U", default_value_t = 0.1)]
    wind: f32,

    /// Steps from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 80)]
    steps: u32,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 200,
        out: "out/vortex_street",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let wind = Vec2::new(args.wind, 0.0);
    let viscosity = args.wind * args.diameter / args.reynolds;
    let flow = Flow {
        wind,
        fringe: 2.0 * args.diameter,
        force: Vec2::ZERO,
        omega: 1.0 / (3.0 * viscosity + 0.5),
    };
    let centre = [0.5 * height as f32, 5.0 * args.diameter];
    let distance = |i: usize, j: usize| (i as f32 + 0.5 - centre[0]).hypot(j as f32 + 0.5 - centre[1]);
    let solid = Field::from_fn(&device, [height, width], |[i, j]| distance(i, j) < 0.5 * args.diameter)?;
    // A gust from the side: without it, both sides would stay the same for long.
    let gust = |j: usize| {
        Vec2::new(
            0.0,
            0.3 * args.wind * (-(j as f32 - centre[1]).powi(2) / args.diameter.powi(2)).exp(),
        )
    };
    let mut old = Field::from_fn(&device, [9, height, width], |[q, _, j]| {
        equilibrium(q, 1.0, wind + gust(j))
    })?;
    let mut new = old.try_clone()?;
    let mut turning = Field::zeros(&device, [height, width])?;
    println!("{width} x {height} cells, viscosity {viscosity:.4}, on {device}");

    let mut output = Output::new(&args.common)?;
    let colors = ColorMap::new(&[0x7c_c8_ff, 0x1c_5c_a8, 0x07_0b_18, 0xb0_3a_22, 0xff_c8_6a]);
    let mut forces = Vec::new();
    let mut busy = 0.0;
    for _ in progress::frames(args.common.frames) {
        let start = Instant::now();
        for _ in 0..args.steps {
            step(&old, &mut new, &solid, flow)?;
            std::mem::swap(&mut old, &mut new);
        }
        forces.push(drag(&old, &solid)?);
        vorticity(&old, &mut turning)?;
        let shown = turning.to_ndarray()?;
        busy += start.elapsed().as_secs_f64();
        let most = 2.5 * args.wind / args.diameter;
        let picture = colors.image(shown.view(), -most..most);
        let picture = Image::from_fn(width, height, |x, y| match distance(y, x) < 0.5 * args.diameter + 1.0 {
            true => [0xc8, 0xcc, 0xd4],
            false => picture.pixel(x, y),
        });
        if !output.frame(&picture)? {
            break;
        }
    }
    // Of the second half of the time, when the vortices come regularly.
    let late = &forces[forces.len() / 2..];
    let mean: f32 = late.iter().map(|f| f.x).sum::<f32>() / late.len() as f32;
    println!(
        "drag coefficient {:.2}",
        2.0 * mean / (args.wind * args.wind * args.diameter)
    );
    if let Some(period) = period(late.iter().map(|force| force.y)) {
        let strouhal = args.diameter / (args.wind * period * args.steps as f32);
        println!(
            "a pair of vortices each {:.0} steps: Strouhal number {strouhal:.3}",
            period * args.steps as f32
        );
    }
    let cells = forces.len() as f64 * f64::from(args.steps) * solid.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.0} million cell steps per second",
        cells / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

/// The mean time between two upward crossings of zero, in samples; none, if there are less than two.
fn period(values: impl Iterator<Item = f32>) -> Option<f32> {
    let values: Vec<f32> = values.collect();
    let pairs = values
        .windows(2)
        .enumerate()
        .filter(|(_, pair)| pair[0] < 0.0 && pair[1] >= 0.0);
    let crossings: Vec<f32> = pairs
        .map(|(k, pair)| k as f32 + pair[0] / (pair[0] - pair[1]))
        .collect();
    let [first, .., last] = crossings[..] else { return None };
    Some((last - first) / (crossings.len() - 1) as f32)
}
