//! Parameters of a model that fit what was measured, which comes as an `.npy` file.

mod physics;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use ndarray::{Array2, ArrayView1, Axis};
use swathe::derivative::{Adam, value_and_gradient};
use swathe::prelude::*;
use swathe_examples::{Blend, Canvas, Color, Common, Defaults, Failure, Output, View, cli, progress};

use physics::{Decay, light, misfit};

/// Fits decays of light to measurements: all of them at once, by Adam.
#[derive(Parser)]
struct Args {
    /// Measurements, an `.npy` file of `f4` with a row for each decay; made up, if there is none
    #[arg(long, value_name = "NPY")]
    measured: Option<PathBuf>,

    /// Nanoseconds from one column to the next
    #[arg(long, value_name = "DT", default_value_t = 0.05)]
    dt: f32,

    /// Rounds of descent from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 4)]
    rounds: u32,

    #[command(flatten)]
    common: Common,
}

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 100,
        out: "out/fit",
    });
    let device = args.common.device.open()?;
    let mut output = Output::new(&args.common)?;
    let path = match args.measured {
        Some(path) => path,
        None => make_up(&args.common.out, args.dt)?,
    };
    let measured = Field::<f32, 2>::read_npy(&device, &path)?;
    let rows = measured.to_ndarray()?;
    println!(
        "{} decays of {} samples, from {}, on {device}",
        rows.nrows(),
        rows.ncols(),
        path.display()
    );

    let begin = Instant::now();
    let mut decays = Field::full(
        &device,
        rows.nrows(),
        Decay {
            amplitude: 0.0,
            life: 0.0,
            rest: 0.0,
        },
    )?;
    let mut adam = Adam::new(0.03);
    let mut losses = Vec::new();
    let all = args.rounds * (args.common.frames - 1);
    for frame in progress::frames(args.common.frames) {
        for _ in 0..if frame == 0 { 0 } else { args.rounds } {
            let (loss, gradients) =
                value_and_gradient([decays.source()], || misfit(&decays, &measured, args.dt).map(drop))?;
            adam.step(&mut decays, &gradients)?;
            losses.push(loss);
        }
        if !output.frame(&picture(&rows, &decays.to_vec()?, &losses, all, args.dt).to_image())? {
            break;
        }
    }
    println!(
        "{:.1} s for {} rounds; the squared distance of a sample is {:.6}, and was {:.6}",
        begin.elapsed().as_secs_f64(),
        losses.len(),
        misfit(&decays, &measured, args.dt)?,
        losses.first().copied().unwrap_or_default()
    );
    for (row, decay) in decays.to_vec()?.iter().enumerate().take(6) {
        println!(
            "decay {row}: {:.3} exp(-t / {:.3} ns) + {:.3}",
            decay.amplitude.exp(),
            decay.life.exp(),
            decay.rest
        );
    }
    println!("{}", output.finish()?);
    Ok(())
}

/// Writes measurements with noise: 300 decays of 200 samples.
fn make_up(folder: &Path, dt: f32) -> Result<PathBuf, Failure> {
    // From 0 to 1, and from -1 to 1.
    let any = |k: usize| ((k as f64 * 78.233).sin() * 43758.5453).rem_euclid(1.0) as f32;
    let noise = |k: usize| any(k) + any(k + 400_000) - 1.0;
    let rows = Array2::from_shape_fn((300, 200), |(row, column)| {
        let decay = Decay {
            amplitude: (0.6 + 1.4 * any(row)).ln(),
            life: (0.4 + 3.0 * any(row + 1000)).ln(),
            rest: 0.3 * any(row + 2000),
        };
        light(decay, column as f32 * dt) + 0.05 * noise(row * 200 + column + 3000)
    });
    let path = folder.join("decays.npy");
    Field::<f32, 2>::from_ndarray(&Device::cpu(), &rows)?.write_npy(&path)?;
    Ok(path)
}

const WIDTH: usize = 840;
const HEIGHT: usize = 520;

/// Six decays and their measurements, and how the distance has shrunk.
fn picture(rows: &Array2<f32>, decays: &[Decay], losses: &[f64], all: u32, dt: f32) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, Color::hex(0x12151c));
    let (columns, bottom) = (3, 140);
    let [w, h] = [WIDTH / columns, (HEIGHT - bottom) / 2];
    for (k, (row, decay)) in rows.axis_iter(Axis(0)).zip(decays).take(6).enumerate() {
        let corner = [(k % columns * w) as f32, (k / columns * h) as f32];
        curve(&mut canvas, corner, [w as f32, h as f32], row, *decay, dt);
    }
    // Rounds to the right, powers of ten down.
    let first = losses.first().copied().unwrap_or(1.0);
    let place = |round: usize, loss: f64| {
        let x = 20.0 + round as f32 * (WIDTH as f32 - 40.0) / all.max(1) as f32;
        [
            x,
            HEIGHT as f32 - bottom as f32 + 20.0 - (loss / first).log10() as f32 * 36.0,
        ]
    };
    for (round, pair) in losses.windows(2).enumerate() {
        let (from, to) = (place(round, pair[0]), place(round + 1, pair[1]));
        canvas.line(from, to, 2.0, Color::hex(0x7fd6a2), Blend::Over);
    }
    canvas
}

fn curve(canvas: &mut Canvas, corner: [f32; 2], size: [f32; 2], row: ArrayView1<'_, f32>, decay: Decay, dt: f32) {
    let until = row.len() as f32 * dt;
    let brightest = row.iter().fold(1e-6_f32, |most, light| most.max(*light));
    let view = View::fit(size[0] as usize, size[1] as usize, [-0.4, -0.4], [12.0, 8.4]);
    let at = |time: f32, light: f32| {
        let [x, y] = view.pixel([time / until * 11.6, light / brightest * 7.5]);
        [x + corner[0], y + corner[1]]
    };
    let axis = Color::hex(0x39404d);
    canvas.line(at(0.0, 0.0), at(until, 0.0), 1.5, axis, Blend::Over);
    canvas.line(at(0.0, 0.0), at(0.0, 1.1 * brightest), 1.5, axis, Blend::Over);
    for (k, light) in row.iter().enumerate() {
        canvas.disc(at(k as f32 * dt, *light), 1.3, Color::hex(0x8fa3c7), Blend::Over);
    }
    let line: Vec<[f32; 2]> = (0..=60)
        .map(|k| k as f32 / 60.0 * until)
        .map(|t| at(t, light(decay, t)))
        .collect();
    for pair in line.windows(2) {
        canvas.line(pair[0], pair[1], 2.0, Color::hex(0xffb454), Blend::Over);
    }
}
