//! Two galaxies collide: gravity between all pairs of bodies.

mod physics;
mod scene;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Canvas, Color, Common, Defaults, Failure, Output, Size, cli, progress};

use physics::{energy, leapfrog};

/// Two galaxies collide: gravity between all pairs of bodies.
#[derive(Parser)]
struct Args {
    /// Number of bodies
    #[arg(long, value_name = "N", default_value_t = 4096)]
    #[arg(value_parser = clap::value_parser!(u32).range(4..))]
    bodies: u32,

    /// Length of a step
    #[arg(long, value_name = "T", default_value_t = 0.005)]
    dt: f32,

    /// Steps from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 6)]
    steps: u32,

    /// Length below which gravity weakens
    #[arg(long, value_name = "L", default_value_t = 0.03)]
    softening: f32,

    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "720x450")]
    size: Size,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 160,
        out: "out/nbody",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let eps2 = args.softening * args.softening;

    let (bodies, first) = scene::bodies(args.bodies as usize, eps2);
    let mut bodies = Field::from_vec(&device, bodies)?;
    println!("{} bodies on {device}", bodies.len());

    let (kinetic, potential) = energy(&bodies, eps2)?;
    let before = kinetic + potential;
    let mut output = Output::new(&args.common)?;
    let mut canvas = Canvas::new(width, height, Color::BLACK);
    let mut busy = 0.0;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            leapfrog(&mut bodies, args.dt, eps2, args.steps)?;
        }
        let shown = bodies.to_vec()?;
        busy += start.elapsed().as_secs_f64();
        if !output.frame(&scene::draw(&mut canvas, width, height, &shown, first))? {
            break;
        }
    }
    let (kinetic, potential) = energy(&bodies, eps2)?;
    let after = kinetic + potential;
    let kicks = f64::from(args.common.frames - 1) * f64::from(args.steps + 1);
    println!(
        "{busy:.1} s of computing: {:.2} billion pairs per second",
        kicks * (bodies.len() as f64).powi(2) / busy / 1e9
    );
    println!(
        "energy: {before:.5} at the beginning, {after:.5} at the end, a drift of {:.1e}",
        (after / before - 1.0).abs()
    );
    println!("{}", output.finish()?);
    Ok(())
}
