//! Boids flock, by what each sees of those around it.

#[path = "../dam_break/cells.rs"]
mod cells;
mod physics;

use std::f32::consts::TAU;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Blend, Canvas, Color, ColorMap, Common, Defaults, Failure, Output, Size, View, cli, progress};

use physics::{Boid, Flock, Rules};

/// Boids keep apart, fly as those around them do, and stay with them: flocks form out of disorder.
#[derive(Parser)]
struct Args {
    /// Number of boids
    #[arg(long, value_name = "N", default_value_t = 6000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    boids: u32,

    /// How much boids keep apart
    #[arg(long, value_name = "W", default_value_t = 0.003)]
    separation: f32,

    /// How much boids take the direction of others
    #[arg(long, value_name = "W", default_value_t = 4.0)]
    alignment: f32,

    /// How much boids stay with others
    #[arg(long, value_name = "W", default_value_t = 10.0)]
    cohesion: f32,

    /// Steps from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 4)]
    steps: u32,

    /// Size of the pictures in pixels; the plane is one high
    #[arg(long, value_name = "WxH", default_value = "800x500")]
    size: Size,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 200,
        out: "out/boids",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let wide = width as f32 / height as f32;
    let rules = Rules {
        plane: Vec2::new(wide, 1.0),
        reach: 0.05,
        near: 0.02,
        speed: 0.15,
        separation: args.separation,
        alignment: args.alignment,
        cohesion: args.cohesion,
    };
    let boid = |[k]: [usize; 1]| {
        let mut rng = Rng::new(1, k as u64);
        let pos = Vec2::new(wide * rng.next_f32(), rng.next_f32());
        let angle = TAU * rng.next_f32();
        let vel = Vec2::new(angle.cos(), angle.sin()) * rules.speed;
        Boid { pos, vel }
    };
    let mut flock = Flock::of(rules, Field::from_fn(&device, args.boids as usize, boid)?)?;
    println!("{} boids on {device}", args.boids);

    let mut output = Output::new(&args.common)?;
    let mut canvas = Canvas::new(width, height, Color::BLACK);
    let colors = ColorMap::new(&[0xff_c8_57, 0xf0_5d_5e, 0x8d_6b_d8, 0x2f_a8_dc, 0x5c_d6_a0, 0xff_c8_57]);
    let view = View::fit(width, height, [0.0, 0.0], [wide, 1.0]);
    let (first, mut busy, mut shown) = (flock.order()?, 0.0, 0);
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            for _ in 0..args.steps {
                flock.step(0.02)?;
            }
        }
        let boids = flock.boids()?;
        busy += start.elapsed().as_secs_f64();
        canvas.clear(Color::hex(0x0b1020));
        for Boid { pos, vel } in boids {
            let color = colors.color(vel.y.atan2(vel.x) / TAU + 0.5);
            let tail = pos - vel * (0.014 / rules.speed);
            let [head, tail] = [pos, tail].map(|at| view.pixel(at.to_array()));
            canvas.line(tail, head, 1.2, color, Blend::Over);
            canvas.disc(head, 1.3, color, Blend::Over);
        }
        shown += 1;
        if !output.frame(&canvas.to_image())? {
            break;
        }
    }
    let last = flock.order()?;
    println!("order, from 0 to 1: {first:.3} at the beginning, {last:.3} at the end");
    let steps = f64::from(shown - 1) * f64::from(args.steps);
    println!(
        "{busy:.1} s of computing: {:.2} million boid steps per second",
        steps * f64::from(args.boids) / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}
