//! Metal, glass and paint under a lamp at dusk.

mod physics;
mod scene;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Color, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use physics::{expose, trace};

/// Metal, glass and paint under a lamp at dusk: path tracing, which gets better from frame to frame.
#[derive(Parser)]
struct Args {
    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x360")]
    size: Size,

    /// Paths for each pixel from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,

    /// Brightness of the pictures
    #[arg(long, value_name = "B", default_value_t = 1.0)]
    exposure: f32,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 30,
        out: "out/path_tracer",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let objects = Field::from_slice(&device, &scene::objects())?;
    let scene = scene::scene(width as f32 / height as f32);
    let mut sums = Field::<Vec3, 2>::zeros(&device, [height, width])?;
    let mut shown = Field::zeros(&device, [height, width])?;
    println!("{width} x {height} pixels, {} objects, on {device}", objects.len());

    let mut output = Output::new(&args.common)?;
    let mut busy = 0.0;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        trace(&mut sums, &objects, scene, args.samples, frame as u64)?;
        let paths = (frame + 1) as f32 * args.samples as f32;
        expose(&sums, args.exposure / paths, &mut shown)?;
        let pixels = shown.to_vec()?;
        busy += start.elapsed().as_secs_f64();
        let picture = Image::from_fn(width, height, |x, y| {
            let rgb = pixels[y * width + x].to_array();
            Color { rgb }.to_srgb()
        });
        if !output.frame(&picture)? {
            break;
        }
    }
    let paths = f64::from(args.common.frames) * f64::from(args.samples) * sums.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.2} million paths per second",
        paths / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}
