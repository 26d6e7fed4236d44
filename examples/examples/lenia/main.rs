//! Gliders of a continuous game of life.

mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{ColorMap, Common, Defaults, Failure, Output, Size, cli, progress};

use physics::{GROWTH, Orbium, live, ring};

/// Gliders in a game of life with continuous states, places and times: those of Lenia that are called Orbium, and what becomes of them
/// where they meet.
#[derive(Parser)]
struct Args {
    /// Size of the plane in cells, and of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "320x200", value_parser = Size::at_least(27, 27))]
    size: Size,

    /// Rows of gliders, which go two ways in turns
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = few)]
    rows: usize,

    /// Gliders of a row
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = few)]
    columns: usize,

    /// Steps from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 4)]
    steps: u32,

    #[command(flatten)]
    common: Common,
}

/// Of the ring, in cells.
const RADIUS: usize = 13;

fn few(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 0..=100) => Ok(number),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 150,
        out: "out/lenia",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let shape = [height, width];
    // Every second row is half a distance behind, and goes the other way.
    let glider = |row: usize, column: usize| Orbium {
        at: [
            (2 * row + 1) * height / (2 * args.rows),
            (4 * column + 1 + 2 * (row % 2)) * width / (4 * args.columns),
        ],
        quarters: 2 * (row as u32 % 2),
    };
    let all = (0..args.rows).flat_map(|row| (0..args.columns).map(move |column| (row, column)));
    let gliders: Vec<Orbium> = all.map(|(row, column)| glider(row, column)).collect();
    let state = |at| gliders.iter().map(|glider| glider.state(at, shape)).fold(0.0, f32::max);
    let mut old = Field::from_fn(&device, shape, state)?;
    let mut new = old.try_clone()?;
    let ring = ring(&device, RADIUS)?;
    println!("{width} x {height} cells on {device}");

    let mut output = Output::new(&args.common)?;
    let colors = ColorMap::new(&[0x06_0a_18, 0x10_3a_5c, 0x1f_98_8b, 0xb8_e0_60, 0xff_f6_c8]);
    let (mut busy, mut shown) = (0.0, 0);
    let first = old.sum()?;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            for _ in 0..args.steps {
                live(&old, &ring, GROWTH, &mut new)?;
                std::mem::swap(&mut old, &mut new);
            }
        }
        let state = old.to_ndarray()?;
        busy += start.elapsed().as_secs_f64();
        shown += 1;
        if !output.frame(&colors.image(state.view(), 0.0..1.0))? {
            break;
        }
    }
    println!(
        "the sum of all states: {first:.1} at the beginning, {:.1} at the end",
        old.sum()?
    );
    let cells = f64::from(shown - 1) * f64::from(args.steps) * old.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.1} million cell steps per second",
        cells / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}
