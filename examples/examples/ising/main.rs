//! Magnets of small spins, at many temperatures at once.

mod onsager;
mod physics;

use std::ops::RangeInclusive;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe_examples::{Blend, Canvas, Color, Common, Defaults, Failure, Image, Output, cli, progress};

use physics::Ising;

/// The Ising model at many temperatures at once: spins below, at and above the critical temperature, and how much of a magnet each
/// lattice is, beside Onsager's formula.
#[derive(Parser)]
struct Args {
    /// Spins along each side of a lattice, an even number
    #[arg(long, value_name = "N", default_value_t = 208)]
    #[arg(value_parser = even)]
    side: usize,

    /// Number of temperatures, from 1.6 to 3.2
    #[arg(long, value_name = "N", default_value_t = 33)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..))]
    temperatures: u32,

    /// Sweeps over all spins from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 10)]
    sweeps: u32,

    /// Other random numbers for another seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,

    #[command(flatten)]
    common: Common,
}

const RANGE: RangeInclusive<f32> = 1.6..=3.2;
const GAP: usize = 8;
/// Height of the plot in pixels.
const PLOT: usize = 184;

fn even(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(side @ 2..=16384) if side % 2 == 0 => Ok(side),
        _ => Err("expected an even number from 2 to 16384".to_owned()),
    }
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 60,
        out: "out/ising",
    });
    let device = args.common.device.open()?;
    let step = (RANGE.end() - RANGE.start()) / (args.temperatures - 1) as f32;
    let temperatures: Vec<f32> = (0..args.temperatures)
        .map(|t| RANGE.start() + step * t as f32)
        .collect();
    let mut ising = Ising::new(&device, &temperatures, args.side, args.seed.into())?;
    println!(
        "{} lattices of {1} x {1} spins on {device}",
        temperatures.len(),
        args.side
    );

    // The lattices that are shown: below, at and above the critical temperature.
    let nearest = |to: f64| {
        let distance = |t: &usize| (f64::from(temperatures[*t]) - to).abs();
        (0..temperatures.len())
            .min_by(|a, b| distance(a).total_cmp(&distance(b)))
            .unwrap_or(0)
    };
    let shown = [onsager::CRITICAL - 0.25, onsager::CRITICAL, onsager::CRITICAL + 0.25].map(nearest);

    let mut output = Output::new(&args.common)?;
    let mut means = vec![[0.0; 2]; temperatures.len()];
    // All spins point up at first: what is measured on the way to equilibrium does not count.
    let warm = args.common.frames as usize / 3;
    let mut busy = 0.0;
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        for _ in 0..args.sweeps {
            ising.sweep()?;
        }
        let now = ising.measure()?;
        busy += start.elapsed().as_secs_f64();
        let weight = 1.0 / frame.saturating_sub(warm).max(1) as f64;
        for (mean, [magnetisation, energy]) in means.iter_mut().zip(now) {
            mean[0] += weight * (magnetisation.abs() - mean[0]);
            mean[1] += weight * (energy - mean[1]);
        }
        let lattices = [ising.spins(shown[0])?, ising.spins(shown[1])?, ising.spins(shown[2])?];
        if !output.frame(&picture(&lattices, &temperatures, &means))? {
            break;
        }
    }
    println!("temperature  magnetisation  Onsager    energy  Onsager");
    for (t, [magnetisation, energy]) in temperatures.iter().zip(&means) {
        let [exact, exact_energy] = [onsager::magnetisation, onsager::energy].map(|formula| formula((*t).into()));
        println!("{t:11.3}  {magnetisation:13.4}  {exact:7.4}  {energy:8.4}  {exact_energy:7.4}");
    }
    let offered =
        f64::from(args.common.frames) * f64::from(args.sweeps) * (temperatures.len() * args.side.pow(2)) as f64;
    println!(
        "{busy:.1} s of computing: {:.0} million spins per second",
        offered / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

/// Three lattices, and below them the magnetisation against the temperature: dots, and Onsager's formula as a line.
fn picture(lattices: &[Vec<Vec<i8>>; 3], temperatures: &[f32], means: &[[f64; 2]]) -> Image {
    let side = lattices[0].len();
    let width = 3 * side + 2 * GAP;
    let at = |t: f32, m: f64| {
        let x = (t - RANGE.start()) / (RANGE.end() - RANGE.start());
        let margin = 12.0;
        let [w, h] = [width, PLOT].map(|pixels| pixels as f32 - 2.0 * margin);
        [margin + x * w, margin + (1.0 - m as f32) * h]
    };
    let mut plot = Canvas::new(width, PLOT, Color::hex(0x0b1020));
    let curve = (0..=width).map(|x| RANGE.start() + (RANGE.end() - RANGE.start()) * x as f32 / width as f32);
    let curve: Vec<[f32; 2]> = curve.map(|t| at(t, onsager::magnetisation(t.into()))).collect();
    for pair in curve.windows(2) {
        plot.line(pair[0], pair[1], 1.6, Color::hex(0x2c7cc4), Blend::Over);
    }
    for (t, [magnetisation, _]) in temperatures.iter().zip(means) {
        plot.disc(at(*t, *magnetisation), 3.0, Color::hex(0xf6c25b), Blend::Over);
    }
    let plot = plot.to_image();
    Image::from_fn(width, side + GAP + PLOT, |x, y| {
        let (lattice, column) = (x / (side + GAP), x % (side + GAP));
        if y >= side + GAP {
            plot.pixel(x, y - side - GAP)
        } else if y >= side || column >= side {
            [0x05, 0x08, 0x10]
        } else if lattices[lattice][y][column] > 0 {
            [0xf6, 0xc2, 0x5b]
        } else {
            [0x12, 0x2c, 0x70]
        }
    })
}
