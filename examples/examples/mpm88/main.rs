//! Water, jelly and snow in a box, by the moving least squares material point method.

mod physics;
mod scene;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Canvas, Color, Common, Defaults, Failure, Output, cli, progress};

use physics::{Step, substep};

/// Water, jelly and snow in a box: the moving least squares material point method.
#[derive(Parser)]
struct Args {
    /// Number of particles, about
    #[arg(long, value_name = "N", default_value_t = 12_288)]
    #[arg(value_parser = clap::value_parser!(u32).range(64..))]
    particles: u32,

    /// Nodes of the grid along each side; by default as many as give each cell three particles
    #[arg(long, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(32..=8192))]
    grid: Option<u32>,

    /// Downward acceleration, in box heights per square second
    #[arg(long, value_name = "G", default_value_t = 9.8)]
    gravity: f32,

    /// Time from one frame to the next, in seconds
    #[arg(long, value_name = "T", default_value_t = 0.0125)]
    frame_time: f32,

    /// Pixels along each side of the pictures
    #[arg(long, value_name = "N", default_value_t = 640)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65535))]
    size: u32,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 120,
        out: "out/mpm88",
    });
    let device = args.common.device.open()?;
    let size = args.size as usize;

    let (particles, volume) = scene::particles(args.particles as usize);
    let n = args.grid.map_or_else(|| grid_for(volume), |n| n as usize);
    let mut particles = Field::from_vec(&device, particles)?;
    let mut velocity = Field::zeros(&device, [n, n])?;
    let mut mass = Field::zeros(&device, [n, n])?;

    let substeps = (args.frame_time * n as f32 / STEP_PER_CELL).ceil();
    let step = Step {
        dt: args.frame_time / substeps,
        gravity: Vec2::new(0.0, -args.gravity),
        volume,
    };
    println!(
        "{} particles, {n} x {n} nodes, {substeps} steps of {:.1e} s a frame, on {device}",
        particles.len(),
        step.dt
    );

    let mut output = Output::new(&args.common)?;
    let mut canvas = Canvas::new(size, size, Color::BLACK);
    let mut busy = 0.0;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            for _ in 0..substeps as u32 {
                substep(&mut particles, &mut velocity, &mut mass, step)?;
            }
        }
        let shown = particles.to_vec()?;
        busy += start.elapsed().as_secs_f64();
        if !output.frame(&scene::draw(&mut canvas, size, &shown, volume))? {
            break;
        }
    }
    let steps = f64::from(args.common.frames - 1) * f64::from(substeps);
    println!(
        "{:.1} s of computing: {:.1} million particle steps per second",
        busy,
        steps * particles.len() as f64 / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

/// The longest step, in seconds for a cell of unit width: a sound wave in pressed snow runs a third of a cell.
const STEP_PER_CELL: f32 = 0.0125;

/// As many nodes as give each cell three particles.
fn grid_for(volume: f32) -> usize {
    ((1.0 / (3.0 * volume)).sqrt() as usize).max(32)
}
