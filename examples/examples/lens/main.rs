//! A beam of light, and the lens that gathers it.

mod physics;

use std::f32::consts::TAU;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Color, ColorMap, Common, Defaults, Failure, Image, Output, Size, cli, progress};

use physics::{COURANT, Medium, electric, magnetic, shine};

/// A beam of light, and the lens that gathers it: Maxwell's equations in the plane, by Yee's scheme.
#[derive(Parser)]
struct Args {
    /// Size of the plane in cells, and of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "600x280", value_parser = Size::at_least(EDGE + 1, 3))]
    size: Size,

    /// Wave length in cells
    #[arg(long, value_name = "L", default_value_t = 16.0)]
    wavelength: f32,

    /// Index of refraction of the glass
    #[arg(long, value_name = "N", default_value_t = 1.6)]
    index: f32,

    /// Steps from one frame to the next
    #[arg(long, value_name = "N", default_value_t = 10)]
    steps: u32,

    #[command(flatten)]
    common: Common,
}

/// Cells of the rim that fade the light.
const RIM: f32 = 40.0;
/// The column that the light comes from.
const EDGE: usize = RIM as usize + 4;

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 160,
        out: "out/lens",
    });
    let device = args.common.device.open()?;
    let Size { width, height } = args.size;
    let shape = [height, width];
    // What is common to two discs: thin, it has the focal length radius / (2 (index - 1)).
    let tall = height as f32;
    let (radius, thickness, place) = (0.6 * tall, 0.2 * tall, 0.55 * tall);
    let in_lens = |i: usize, j: usize| {
        let (x, y) = (j as f32 - place, i as f32 - 0.5 * (tall - 1.0));
        let shift = radius - 0.5 * thickness;
        (x - shift).hypot(y) < radius && (x + shift).hypot(y) < radius
    };
    let medium = Field::from_fn(&device, shape, |[i, j]| {
        let edge = i.min(height - 1 - i).min(j).min(width - 1 - j) as f32;
        Medium {
            permittivity: if in_lens(i, j) { args.index * args.index } else { 1.0 },
            kept: 1.0 - 0.1 * (1.0 - edge / RIM).max(0.0).powi(2),
        }
    })?;
    let (mut e, mut h) = (Field::zeros(&device, shape)?, Field::zeros(&device, shape)?);
    println!("{width} x {height} cells on {device}");

    let mut output = Output::new(&args.common)?;
    let colors = ColorMap::new(&[0x58_c4_ff, 0x14_3c_78, 0x05_07_0f, 0x8a_2c_1c, 0xff_b8_50]);
    let (mut time, mut busy) = (0.0, 0.0);
    for _ in progress::frames(args.common.frames) {
        let start = Instant::now();
        for _ in 0..args.steps {
            magnetic(&mut h, &e, &medium)?;
            electric(&mut e, &h, &medium)?;
            time += COURANT;
            let phase = TAU * time / args.wavelength;
            let strength = 0.5 * (time / (4.0 * args.wavelength)).min(1.0) * phase.sin();
            shine(&mut e, EDGE, 0.5 * (tall - 1.0), 0.22 * tall, strength)?;
        }
        let shown = e.to_ndarray()?;
        busy += start.elapsed().as_secs_f64();
        let picture = colors.image(shown.view(), -1.1..1.1);
        let picture = Image::from_fn(width, height, |x, y| {
            let light = Color::srgb(picture.pixel(x, y));
            let glass = if in_lens(y, x) {
                Color::hex(0x22_2e_34)
            } else {
                Color::BLACK
            };
            (light + glass).to_srgb()
        });
        if !output.frame(&picture)? {
            break;
        }
    }
    let cells = f64::from(args.common.frames) * f64::from(args.steps) * e.len() as f64;
    println!(
        "{busy:.1} s of computing: {:.0} million cell steps per second",
        cells / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}
