//! A dam breaks, and the wave comes back from the other wall of the tank.

mod cells;
mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Blend, Canvas, Color, ColorMap, Common, Defaults, Failure, Output, Size, View, cli, progress};

use physics::{Dam, Water};

/// A dam breaks, and the wave comes back from the other wall: smoothed particle hydrodynamics.
#[derive(Parser)]
struct Args {
    /// Number of particles, about
    #[arg(long, value_name = "N", default_value_t = 4000)]
    #[arg(value_parser = clap::value_parser!(u32).range(64..))]
    particles: u32,

    /// Width of the column of water, in heights of it
    #[arg(long, value_name = "W", default_value_t = 1.5)]
    column: f32,

    /// Time from one frame to the next, where water falls the height of the column in 1.4
    #[arg(long, value_name = "T", default_value_t = 0.06)]
    frame_time: f32,

    /// Size of the pictures in pixels; the tank is four heights of the column wide
    #[arg(long, value_name = "WxH", default_value = "800x360")]
    size: Size,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 120,
        out: "out/dam_break",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let water = Water {
        // Higher than the picture: spray stays away from the lid.
        tank: Vec2::new(WIDTH, WIDTH),
        spacing: (args.column / args.particles as f32).sqrt(),
        gravity: 1.0,
        sound: 15.0,
    };
    let mut dam = Dam::new(&device, water, [args.column, 1.0])?;
    let steps = (args.frame_time / dam.longest_step()).ceil() as u32;
    let count = dam.particles()?.len();
    println!("{count} particles, {steps} steps a frame, on {device}");

    let mut output = Output::new(&args.common)?;
    let mut canvas = Canvas::new(width, height, Color::BLACK);
    let colors = ColorMap::new(&[0x0a2a6b, 0x125fb8, 0x2fa8dc, 0x9fe3ee, 0xffffff]);
    let view = View::fit(width, height, [0.0, 0.0], [WIDTH, WIDTH * height as f32 / width as f32]);
    let radius = view.length(0.7 * water.spacing);
    let (first, mut busy) = (dam.energy()?, 0.0);
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            for _ in 0..steps {
                dam.step(args.frame_time / steps as f32)?;
            }
        }
        let particles = dam.particles()?;
        busy += start.elapsed().as_secs_f64();
        canvas.clear(Color::hex(0x0a0d16));
        for p in &particles {
            let color = colors.color(p.vel.norm() / 2.1);
            canvas.disc(view.pixel(p.pos.to_array()), radius, color, Blend::Over);
        }
        if !output.frame(&canvas.to_image())? {
            break;
        }
    }
    let last = dam.energy()?;
    println!("energy of a mass of 1, kinetic and potential: {first:.4?} at the beginning, {last:.4?} at the end");
    let all = f64::from(args.common.frames - 1) * f64::from(steps) * count as f64;
    println!(
        "{busy:.1} s of computing: {:.2} million particle steps per second",
        all / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

/// The width of the tank.
const WIDTH: f32 = 4.0;
