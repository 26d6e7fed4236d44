//! A wave that ends as a picture: its start is found by derivatives.

mod physics;
mod search;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use ndarray::Array2;
use swathe::prelude::*;
use swathe_examples::{ColorMap, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use search::{Search, step};

/// A wave that ends as a picture: its start is found by gradient descent through all steps of the simulation.
#[derive(Parser)]
struct Args {
    /// The picture that the wave ends as, a PNG file: bright is high; a face, if there is none
    #[arg(long, value_name = "PNG")]
    picture: Option<PathBuf>,

    /// Size of the pond in cells, if there is no picture
    #[arg(long, value_name = "WxH", default_value = "192x192", conflicts_with = "picture")]
    size: Size,

    /// Steps from the start to the picture
    #[arg(long, value_name = "N", default_value_t = 240)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    steps: u32,

    /// Rounds of gradient descent
    #[arg(long, value_name = "N", default_value_t = 80)]
    rounds: u32,

    #[command(flatten)]
    common: Common,
}

/// Pixels of the pictures for each cell, along each axis.
const SCALE: usize = 2;

/// Frames that show the picture, at the end.
const STILL: u32 = 20;

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 120,
        out: "out/wave",
    });
    let device = args.common.device.open()?;
    let picture = match &args.picture {
        Some(path) => heights(&Image::read_png(path)?),
        None => Array2::from_shape_fn((args.size.height, args.size.width), |(i, j)| {
            face(i, j, args.size.width, args.size.height)
        }),
    };
    let picture = Field::from_ndarray(&device, &picture)?;
    println!(
        "{} x {} cells, {} steps, on {device}",
        picture.shape()[1],
        picture.shape()[0],
        args.steps
    );

    let begin = Instant::now();
    let mut search = Search::new(picture, args.steps as usize)?;
    let mut first = None;
    for round in 0..args.rounds {
        let loss = search.round()?;
        let first = *first.get_or_insert(loss);
        if round % 10 == 0 || round + 1 == args.rounds {
            println!("round {round:3}: {:.4} of the first distance", loss / first);
        }
    }
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{seconds:.1} s, {:.3} s for a gradient",
        seconds / f64::from(args.rounds.max(1))
    );

    let mut output = Output::new(&args.common)?;
    let start = search.start;
    let mut pond = (start.try_clone()?, start.try_clone()?);
    let mut done = 0;
    let moving = args.common.frames.saturating_sub(STILL).max(1);
    for frame in progress::frames(args.common.frames) {
        // The last ones show the end.
        let until = u64::from(args.steps) * (frame as u64).min(u64::from(moving)) / u64::from(moving);
        while done < until as usize {
            step(done, &mut pond, &start)?;
            done += 1;
        }
        if !output.frame(&shown(&pond.0)?)? {
            break;
        }
    }
    println!("{}", output.finish()?);
    Ok(())
}

/// A picture's brightness as heights from -1 to 1.
fn heights(image: &Image) -> Array2<f32> {
    Array2::from_shape_fn((image.height(), image.width()), |(i, j)| {
        let [r, g, b] = image.pixel(j, i).map(f32::from);
        (0.299 * r + 0.587 * g + 0.114 * b) / 127.5 - 1.0
    })
}

/// A face that laughs, from 0 to 1 with soft edges: waves shorter than some cells go astray.
fn face(i: usize, j: usize, width: usize, height: usize) -> f32 {
    let scale = 2.6 / width.min(height) as f32;
    let x = (j as f32 + 0.5 - 0.5 * width as f32) * scale;
    let y = (i as f32 + 0.5 - 0.5 * height as f32) * scale;
    let edge = |distance: f32| 1.0 / (1.0 + (distance / 0.02).exp());
    let ring = edge((x.hypot(y) - 0.95).abs() - 0.06);
    let eyes = edge((x.abs() - 0.34).hypot(y + 0.3) - 0.12);
    let mouth = edge((x.hypot(y - 0.05) - 0.55).abs() - 0.06) * edge(0.14 - y);
    (ring + eyes + mouth).min(1.0)
}

/// The surface, enlarged.
fn shown(surface: &Field<f32, 2>) -> swathe::Result<Image> {
    let heights = surface.to_ndarray()?;
    let small = ColorMap::tide().image(heights.view(), -0.6..1.0);
    Ok(Image::from_fn(small.width() * SCALE, small.height() * SCALE, |x, y| {
        small.pixel(x / SCALE, y / SCALE)
    }))
}
