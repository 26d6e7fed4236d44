//! Patterns that grow by reaction and diffusion.

mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use ndarray::Axis;
use swathe::prelude::*;
use swathe_examples::{ColorMap, Common, Defaults, Failure, Output, Size, cli, progress};

use physics::{Reaction, react};

/// Patterns that grow by reaction and diffusion: the model of Gray and Scott.
#[derive(Parser)]
struct Args {
    /// Size of the plane in cells, and of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x400")]
    size: Size,

    /// Steps from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 80)]
    steps: u32,

    /// Rate at which u is fed in
    #[arg(long, value_name = "RATE", default_value_t = 0.0545)]
    feed: f32,

    /// Rate at which v is taken out
    #[arg(long, value_name = "RATE", default_value_t = 0.062)]
    kill: f32,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 120,
        out: "out/gray_scott",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let reaction = Reaction {
        diffusion: Vec2::new(0.2, 0.1),
        feed: args.feed,
        kill: args.kill,
        dt: 1.0,
    };

    let mut old = Field::from_fn(&device, [height, width], |at| seed(at, width, height))?;
    let mut new = old.try_clone()?;
    println!("{width} x {height} cells on {device}");

    let mut output = Output::new(&args.common)?;
    let colors = ColorMap::tide();
    let mut busy = 0.0;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            for _ in 0..args.steps {
                react(&old, &mut new, reaction)?;
                std::mem::swap(&mut old, &mut new);
            }
        }
        // An array of shape (height, width, 2).
        let shown = old.to_ndarray()?;
        busy += start.elapsed().as_secs_f64();
        if !output.frame(&colors.image(shown.index_axis(Axis(2), 1), 0.0..0.36))? {
            break;
        }
    }
    let cells = f64::from(args.common.frames - 1) * f64::from(args.steps) * old.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.0} million cell steps per second",
        cells / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

/// u everywhere, and v in a few drops.
fn seed([i, j]: [usize; 2], width: usize, height: usize) -> Vec2 {
    // Centre and radius, in heights of the plane, from its middle.
    const DROPS: [[f32; 3]; 7] = [
        [0.0, 0.0, 0.045],
        [0.46, 0.22, 0.02],
        [-0.5, -0.17, 0.026],
        [0.22, -0.33, 0.016],
        [-0.28, 0.3, 0.02],
        [0.66, -0.24, 0.018],
        [-0.7, 0.28, 0.016],
    ];
    let y = (i as f32 + 0.5) / height as f32 - 0.5;
    let x = (j as f32 + 0.5 - 0.5 * width as f32) / height as f32;
    let inside = DROPS.iter().any(|[cx, cy, r]| (x - cx).hypot(y - cy) < *r);
    if inside {
        Vec2::new(0.5, 0.25)
    } else {
        Vec2::new(1.0, 0.0)
    }
}
