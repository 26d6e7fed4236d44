//! Julia sets, while their parameter swings to and fro.

mod physics;

use std::f32::consts::TAU;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use ndarray::Array2;
use swathe::prelude::*;
use swathe_examples::{Color, ColorMap, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use physics::{Complex, Window, julia};

/// Julia sets of z^2 + c, while c swings around 0.
#[derive(Parser)]
struct Args {
    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x400")]
    size: Size,

    /// Samples of a pixel along each side
    #[arg(long, value_name = "N", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=16))]
    samples: u32,

    /// Steps after which a point counts as one of the set
    #[arg(long, value_name = "N", default_value_t = 400)]
    limit: u32,

    /// Distance of c from 0
    #[arg(long, value_name = "R", default_value_t = 0.7885)]
    radius: f32,

    /// How far c swings around 0 to either side, in radians
    #[arg(long, value_name = "ANGLE", default_value_t = 1.1)]
    swing: f32,

    /// How much the last frame is enlarged against the first
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0)]
    zoom: f32,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 120,
        out: "out/julia",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let samples = args.samples as usize;
    let mut steps = Field::zeros(&device, [height * samples, width * samples])?;
    println!("{width} x {height} pixels of {samples} x {samples} samples on {device}");

    let mut output = Output::new(&args.common)?;
    let colors = ColorMap::halo();
    let mut busy = 0.0;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        let time = frame as f32 / args.common.frames as f32;
        let (sin, cos) = (2.95 + args.swing * (TAU * time).sin()).sin_cos();
        let c = Complex {
            re: args.radius * cos,
            im: args.radius * sin,
        };
        let window = Window {
            center: Complex::default(),
            pixel: 2.4 / (height * samples) as f32 * args.zoom.powf(-time),
        };
        julia(&mut steps, window, c, args.limit)?;
        let shown = steps.to_ndarray()?;
        busy += start.elapsed().as_secs_f64();
        if !output.frame(&picture(&shown, samples, &colors))? {
            break;
        }
    }
    let points = f64::from(args.common.frames) * steps.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.1} million points per second",
        points / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

/// The mean colour of each pixel's samples.
fn picture(steps: &Array2<f32>, samples: usize, colors: &ColorMap) -> Image {
    let (height, width) = steps.dim();
    Image::from_fn(width / samples, height / samples, |x, y| {
        let mut sum = Color::BLACK;
        for i in 0..samples {
            for j in 0..samples {
                let steps = steps[[y * samples + i, x * samples + j]];
                // The bands get wider with the number of steps; the set itself and what flees at once are night.
                sum = sum + colors.color((0.24 * (steps.max(0.0).sqrt() - 1.4).max(0.0)).fract());
            }
        }
        (sum * (1.0 / (samples * samples) as f32)).to_srgb()
    })
}
