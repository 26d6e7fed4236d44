//! The potential of charges in an earthed box, by multigrid, and beside it by the same sweeps on one grid.

mod physics;

use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use ndarray::Array2;
use swathe_examples::{Color, ColorMap, Common, Defaults, Failure, Image, Output, cli, progress};

use physics::Multigrid;

/// Poisson's equation for charges in an earthed box: V-cycles of multigrid on the left, and as many sweeps on the finest grid alone on
/// the right.
#[derive(Parser)]
struct Args {
    /// Grids that are finer than the coarsest one, which has five by five cells
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=11))]
    finer: u32,

    /// Sweeps on each grid on the way down
    #[arg(long, value_name = "N", default_value_t = 2)]
    down: u32,

    /// Sweeps on each grid on the way up
    #[arg(long, value_name = "N", default_value_t = 1)]
    up: u32,

    #[command(flatten)]
    common: Common,
}

const COARSEST: usize = 5;
const GAP: usize = 8;
/// The side of a small picture in pixels.
const SMALL: usize = 330;

/// Column and row, radius and charge of discs.
const CHARGES: [[f64; 4]; 5] = [
    [0.26, 0.3, 0.07, 1.0],
    [0.7, 0.22, 0.05, -1.0],
    [0.5, 0.58, 0.09, -1.2],
    [0.8, 0.72, 0.06, 1.4],
    [0.2, 0.8, 0.05, 0.9],
];

/// The density of charge at a place.
fn density(x: f64, y: f64) -> f64 {
    let of = |[cx, cy, radius, charge]: &[f64; 4]| match (x - cx).hypot(y - cy) < *radius {
        true => charge / (std::f64::consts::PI * radius * radius),
        false => 0.0,
    };
    CHARGES.iter().map(of).sum()
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 40,
        out: "out/multigrid",
    });
    let device = args.common.device.open()?;
    let mut multigrid = Multigrid::new(&device, COARSEST, args.finer, density)?;
    let mut plain = Multigrid::new(&device, COARSEST, args.finer, density)?;
    let side = multigrid.solution().shape()[0];
    println!("{0} x {0} points, {1} grids, on {device}", side, args.finer + 1);

    let mut output = Output::new(&args.common)?;
    let mut busy = 0.0;
    let first = multigrid.residual()?;
    let mut residuals = vec![[first; 2]];
    for frame in progress::frames(args.common.frames) {
        if frame > 0 {
            let start = Instant::now();
            multigrid.cycle([args.down, args.up])?;
            let left = multigrid.residual()?;
            busy += start.elapsed().as_secs_f64();
            for _ in 0..args.down + args.up {
                plain.smooth()?;
            }
            residuals.push([left, plain.residual()?]);
        }
        let solutions = [multigrid.solution().to_ndarray()?, plain.solution().to_ndarray()?];
        if !output.frame(&picture(&solutions))? {
            break;
        }
    }
    println!("cycles  residual of multigrid  of one grid");
    for (k, [left, right]) in residuals.iter().enumerate() {
        println!("{k:6}  {left:21.3e}  {right:11.3e}");
    }
    let cycles = residuals.len() - 1;
    println!(
        "{busy:.2} s of computing: {:.1} million points per second, from cycle to cycle",
        (cycles * side * side) as f64 / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

/// Both potentials side by side, in shades with a line each twentieth. A point is as many pixels as fit into a small picture, or one.
fn picture(solutions: &[Array2<f64>; 2]) -> Image {
    let points = solutions[0].nrows();
    let zoom = (SMALL / points).max(1);
    let side = points * zoom;
    let colors = ColorMap::new(&[0x7c_c8_ff, 0x1c_5c_a8, 0x07_0b_18, 0xb0_3a_22, 0xff_c8_6a]);
    Image::from_fn(2 * side + GAP, side, |x, y| {
        let (number, column) = (x / (side + GAP), x % (side + GAP));
        if column >= side {
            return [0x2a, 0x30, 0x3c];
        }
        let u = |y: usize, x: usize| solutions[number][[y.min(side - 1) / zoom, x.min(side - 1) / zoom]];
        // Zero, which the rim has, is between two lines.
        let level = |y: usize, x: usize| (u(y, x) * 20.0 + 0.5).floor();
        let line = level(y, column) != level(y + 1, column) || level(y, column) != level(y, column + 1);
        let light = colors.color(u(y, column) as f32 + 0.5);
        match line {
            true => light.mix(Color::hex(0xff_ff_ff), 0.35).to_srgb(),
            false => light.to_srgb(),
        }
    })
}
