//! Jets of ink meet between obstacles.

mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Color, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use physics::{Fluid, Jet};

/// Jets of coloured ink meet between round obstacles: stable fluids on a staggered grid.
#[derive(Parser)]
struct Args {
    /// Size of the box in cells, and of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x360", value_parser = Size::at_least(3, 3))]
    size: Size,

    /// Steps from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 2)]
    steps: u32,

    /// Sweeps of a step that find the pressure
    #[arg(long, value_name = "N", default_value_t = 20)]
    sweeps: usize,

    /// Speed of the jets, in cells per step
    #[arg(long, value_name = "U", default_value_t = 2.5)]
    speed: f32,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 240,
        out: "out/fluid",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    // Positions are in heights of the box, from its middle.
    let scale = height as f32;
    let cell = |x: f32, y: f32| Vec2::new(0.5 * width as f32 + x * scale, 0.5 * height as f32 + y * scale);
    let jet = |[x, y]: [f32; 2], way: [f32; 2], color: u32| Jet {
        at: cell(x, y),
        radius: 0.035 * scale,
        flow: Vec2::from(way) * args.speed,
        ink: Vec3::from(Color::hex(color).rgb),
    };
    let jets = [
        jet([-0.8, 0.08], [1.0, -0.1], 0xff_a0_28),
        jet([0.8, -0.06], [-1.0, 0.12], 0x28_90_ff),
        jet([-0.02, 0.42], [0.05, -1.0], 0xf0_38_6c),
    ];
    let walls = [[-0.35, 0.02, 0.07], [0.38, -0.05, 0.08], [0.02, -0.2, 0.06]];
    let is_wall = |[i, j]: [usize; 2]| {
        let inside = |[x, y, r]: &[f32; 3]| (Vec2::new(j as f32, i as f32) - cell(*x, *y)).norm() < r * scale;
        walls.iter().any(inside)
    };
    let mut fluid = Fluid::new(&device, [height, width], is_wall, &jets)?;
    println!("{width} x {height} cells on {device}");

    let mut output = Output::new(&args.common)?;
    let mut busy = 0.0;
    for _ in progress::frames(args.common.frames) {
        let start = Instant::now();
        for _ in 0..args.steps {
            fluid.step(1.0, args.sweeps)?;
        }
        let ink = fluid.ink.to_vec()?;
        busy += start.elapsed().as_secs_f64();
        let picture = Image::from_fn(width, height, |x, y| match is_wall([y, x]) {
            true => [0x5a, 0x60, 0x6c],
            false => Color {
                rgb: ink[y * width + x].to_array(),
            }
            .to_srgb(),
        });
        if !output.frame(&picture)? {
            break;
        }
    }
    let cells = f64::from(args.common.frames) * f64::from(args.steps) * fluid.ink.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.1} million cell steps per second",
        cells / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}
