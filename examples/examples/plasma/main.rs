//! Two streams of electrons through each other, in phase space.

mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Color, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use physics::{Electron, Plasma, Ring, portrait};

/// Two streams of electrons pass through each other, and waves grow until they roll up: a particle-in-cell simulation, shown in phase
/// space, with positions from left to right and velocities upward.
#[derive(Parser)]
struct Args {
    /// Number of electrons
    #[arg(long, value_name = "N", default_value_t = 400_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    electrons: u32,

    /// Number of cells
    #[arg(long, value_name = "N", default_value_t = 256)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1 << 24))]
    cells: u32,

    /// Length of the ring, in waves of those that grow fastest
    #[arg(long, value_name = "N", default_value_t = 3.0, value_parser = positive)]
    waves: f32,

    /// Thermal velocity, in velocities of the streams
    #[arg(long, value_name = "V", default_value_t = 0.05)]
    thermal: f32,

    /// Steps from one frame to the next, ten for each inverse plasma frequency
    #[arg(long, value_name = "N", default_value_t = 4)]
    steps: u32,

    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x400")]
    size: Size,

    #[command(flatten)]
    common: Common,
}

const STEP: f32 = 0.1;
/// The velocity of the upper rim of the picture, in those of the streams.
const TOP: f32 = 3.2;
/// The wave number that grows fastest, for streams of velocity 1: theirs times it is sqrt(3 / 8) of the plasma frequency.
const FASTEST: f32 = 0.612_372_4;

fn positive(text: &str) -> Result<f32, String> {
    match text.parse() {
        Ok(number @ 1e-3..=1e6) => Ok(number),
        _ => Err("expected a number from 0.001 to 1000000".to_owned()),
    }
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 160,
        out: "out/plasma",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let ring = Ring {
        length: args.waves * std::f32::consts::TAU / FASTEST,
        cells: args.cells,
    };
    let count = args.electrons as usize;
    let half = count.div_ceil(2);
    let electron = |[k]: [usize; 1]| {
        let mut rng = Rng::new(1, k as u64);
        // Somewhere in its part of the ring, which is the same for each stream.
        let place = ((k % half) as f32 + rng.next_f32()) / half as f32;
        let stream = if 2 * k < count { 1.0 } else { -1.0 };
        Electron {
            x: ring.inside(place * ring.length),
            v: stream + args.thermal * rng.normal_f32(),
        }
    };
    let mut plasma = Plasma::new(ring, Field::from_fn(&device, count, electron)?)?;
    let mut counts = Field::zeros(&device, [height, width])?;
    println!("{count} electrons in {} cells on {device}", args.cells);

    let mut output = Output::new(&args.common)?;
    // Light of a pixel for each electron of it, so that the streams at rest are bright.
    let light = 0.1 * (width * height) as f32 / count as f32;
    let [up, down] = [0xff_a8_40, 0x38_9c_ff].map(Color::hex);
    let (mut busy, mut shown) = (0.0, 0);
    plasma.solve()?;
    let first = plasma.measure()?;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        if frame > 0 {
            for _ in 0..args.steps {
                plasma.step(STEP)?;
            }
        }
        portrait(&plasma.electrons, ring, TOP, &mut counts)?;
        let counts = counts.to_vec()?;
        busy += start.elapsed().as_secs_f64();
        let picture = Image::from_fn(width, height, |x, y| {
            let of = counts[y * width + x];
            let [a, b] = [of.x, of.y].map(|n| 1.0 - (-light * n as f32).exp());
            (Color::hex(0x0b1020) + up * a + down * b).to_srgb()
        });
        shown += 1;
        if !output.frame(&picture)? {
            break;
        }
    }
    let last = plasma.measure()?;
    for (when, [momentum, kinetic, field]) in [("beginning", first), ("end", last)] {
        println!("{when}: momentum {momentum:.5}, energy {kinetic:.4} of motion and {field:.4} of the field");
    }
    let steps = f64::from(shown - 1) * f64::from(args.steps);
    println!(
        "{busy:.1} s of computing: {:.0} million electron steps per second",
        steps * count as f64 / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}
