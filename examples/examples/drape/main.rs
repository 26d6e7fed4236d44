//! A cloth falls on a ball.

mod draw;
mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Color, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use draw::{Camera, Pixels, paint, room, unpack};
use physics::{Ball, Cloth, Fabric};

/// A cloth falls on a ball: position based dynamics, threads of one colour at a time.
#[derive(Parser)]
struct Args {
    /// Particles along each side of the cloth
    #[arg(long, value_name = "N", default_value_t = 121)]
    #[arg(value_parser = clap::value_parser!(u32).range(3..))]
    side: u32,

    /// Steps from one frame to the next, of a fiftieth of a second
    #[arg(long, value_name = "N", default_value_t = 40)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,

    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x400")]
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
        out: "out/drape",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let side = args.side as usize;
    let spacing = 2.0 / (side - 1) as f32;
    let fabric = Fabric {
        spacing,
        stretch: 1e-7,
        shear: 1e-5,
        bend: 1e-3,
        gravity: 9.8,
        drag: 0.6,
    };
    // Turned, so that its corners hang down in front.
    let (sin, cos) = 0.5_f32.sin_cos();
    let mut cloth = Cloth::new(&device, fabric, [side, side], |[i, j]| {
        let [x, z] = [j, i].map(|k| k as f32 * spacing - 1.0);
        Vec3::new(cos * x - sin * z, 1.35, sin * x + cos * z)
    })?;
    let ball = Ball {
        center: Vec3::new(0.0, 0.6, 0.0),
        radius: 0.5,
        floor: 0.0,
        friction: 0.02,
    };
    println!("{side} x {side} particles on {device}");

    // Four pixels for each that is shown.
    let mut pixels = Pixels::zeros(&device, [2 * height, 2 * width])?;
    let camera = Camera::new(Vec3::new(0.3, 1.5, 3.2), Vec3::new(0.0, 0.52, 0.0), 3.6 * height as f32);
    let mut output = Output::new(&args.common)?;
    let mut busy = 0.0;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            for _ in 0..args.steps {
                // The surface of the cloth, not its particles, stays outside.
                let ball = Ball {
                    radius: ball.radius + 0.01,
                    floor: 0.005,
                    ..ball
                };
                cloth.step(ball, 0.02 / args.steps as f32)?;
            }
        }
        room(&mut pixels, camera, ball)?;
        paint(&cloth.pos, camera, &mut pixels)?;
        let fine = pixels.to_ndarray()?;
        busy += start.elapsed().as_secs_f64();
        let picture = Image::from_fn(width, height, |x, y| {
            let [a, b, c, d] = [[0, 0], [0, 1], [1, 0], [1, 1]].map(|[i, j]| unpack(fine[[2 * y + i, 2 * x + j]]));
            let rgb = [0, 1, 2].map(|k| 0.25 * (a[k] + b[k] + c[k] + d[k]));
            Color { rgb }.to_srgb()
        });
        if !output.frame(&picture)? {
            break;
        }
    }
    let ([kinetic, height, elastic], strain) = cloth.measure()?;
    println!(
        "energies of motion {kinetic:.3}, of height {height:.1}, of threads {elastic:.3}; the largest strain is {strain:.4}"
    );
    let steps = f64::from(args.common.frames - 1) * f64::from(args.steps) * cloth.pos.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.1} million particle steps per second",
        steps / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}
