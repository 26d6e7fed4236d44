//! A load goes along a cantilever.

mod physics;

use std::f64::consts::PI;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;
use swathe::prelude::*;
use swathe_examples::{Blend, Canvas, Color, ColorMap, Common, Defaults, Failure, Output, Size, cli, progress};

use physics::{Beam, Material};

/// A load goes along a cantilever and back: plane finite elements, solved anew for each frame by conjugate gradients.
/// Colours show the stress of von Mises.
#[derive(Parser)]
struct Args {
    /// Elements along the beam and in its depth
    #[arg(long, value_name = "NxN", default_value = "96x16")]
    elements: Size,

    /// Length of the beam in depths
    #[arg(long, value_name = "L", default_value_t = 6.0, value_parser = positive)]
    length: f64,

    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "640x300")]
    size: Size,

    #[command(flatten)]
    common: Common,
}

fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number @ 1e-3..=1e3) => Ok(number),
        _ => Err("expected a number from 0.001 to 1000".to_owned()),
    }
}

const MATERIAL: Material = Material {
    young: 1.0,
    poisson: 0.3,
};
/// The part of the load that may be left.
const TOLERANCE: f64 = 1e-6;
/// How far down the tip is drawn under the load at the tip, in lengths.
const SHOWN: f64 = 0.22;

fn main() -> ExitCode {
    swathe_examples::main(run)
}

fn run() -> Result<(), Failure> {
    let args: Args = cli::parse(Defaults {
        frames: 80,
        out: "out/beam",
    });
    let device = args.common.device.open()?;
    let elements = [args.elements.width, args.elements.height];
    let mut beam = Beam::new(&device, MATERIAL, [args.length, 1.0], elements)?;
    let unknowns = 2 * beam.u.len();
    // Of a beam that is slender, by a load of 1: force times length³ over three times the bending stiffness.
    let slender = 4.0 * args.length.powi(3);
    let scale = SHOWN * args.length / slender;
    println!(
        "{} elements, {unknowns} unknowns, on {device}",
        elements[0] * elements[1]
    );

    let mut output = Output::new(&args.common)?;
    let (mut busy, mut steps, mut shown) = (0.0, 0, 0);
    for frame in progress::frames(args.common.frames) {
        let start = Instant::now();
        // From the wall to the tip and back, on the upper side.
        let phase = 2.0 * PI * frame as f64 / f64::from(args.common.frames);
        let place = args.length * (0.5 - 0.5 * phase.cos());
        let at = ((place / beam.sides.x).round() as usize).min(elements[0]);
        beam.load.fill(DVec2::ZERO)?;
        beam.load.set([elements[1], at], DVec2::new(0.0, -1.0))?;
        steps += beam.solve(TOLERANCE, 2 * unknowns)?;
        let (u, stress) = (beam.u.to_vec()?, beam.mises()?.to_vec()?);
        busy += start.elapsed().as_secs_f64();
        let drawing = Drawing {
            beam: &beam,
            size: args.size,
            length: args.length,
            scale,
        };
        shown += 1;
        if !output.frame(&drawing.draw(&u, &stress, at).to_image())? {
            break;
        }
    }
    println!("{} steps of conjugate gradients a frame", steps / shown);
    println!(
        "{busy:.1} s of computing: {:.0} million unknowns per second, from step to step",
        (steps * unknowns) as f64 / busy / 1e6
    );
    println!("{}", output.finish()?);
    Ok(())
}

struct Drawing<'a> {
    beam: &'a Beam,
    size: Size,
    length: f64,
    /// By how much displacements are enlarged.
    scale: f64,
}

impl Drawing<'_> {
    /// The beam with the load as an arrow.
    fn draw(&self, u: &[DVec2], stress: &[f64], at: usize) -> Canvas {
        let Size { width, height } = self.size;
        let mut canvas = Canvas::new(width, height, Color::hex(0x0b1020));
        let colors = ColorMap::new(&[0x1c_3c_78, 0x2c_8c_b4, 0x7c_d0_a0, 0xf4_d8_60, 0xf0_70_38, 0xc0_20_30]);
        let pixels = (0.88 * width as f64 / self.length).min(0.3 * height as f64);
        let columns = self.beam.u.shape()[1];
        let most = 6.0 * self.length;
        // In elements from the wall and from the lower side.
        let place = |x: f64, y: f64| {
            let (j, i) = ((x as usize).min(columns - 2), (y as usize).min(u.len() / columns - 2));
            let (s, t) = (x - j as f64, y - i as f64);
            let corner = |down: usize, right: usize| u[(i + down) * columns + j + right];
            let lower = corner(0, 0) * (1.0 - s) + corner(0, 1) * s;
            let upper = corner(1, 0) * (1.0 - s) + corner(1, 1) * s;
            let to = DVec2::new(x, y) * self.beam.sides + (lower * (1.0 - t) + upper * t) * self.scale;
            let left = 0.05 * width as f64;
            [
                (left + to.x * pixels) as f32,
                (0.5 * height as f64 - to.y * pixels) as f32,
            ]
        };
        let [left, top] = place(0.0, 0.0);
        canvas.line(
            [left - 5.0, top + 40.0],
            [left - 5.0, top - 40.0 - pixels as f32],
            8.0,
            Color::hex(0x5a606c),
            Blend::Over,
        );
        // Dots that are closer than pixels.
        let dots = |side: f64| (1.5 * side * pixels).ceil().max(1.0) as usize;
        let [across, along] = [dots(self.beam.sides.x), dots(self.beam.sides.y)];
        for (k, stress) in stress.iter().enumerate() {
            let (i, j) = (k / (columns - 1), k % (columns - 1));
            let color = colors.color((stress / most).sqrt() as f32);
            for dot in 0..across * along {
                let x = j as f64 + ((dot % across) as f64 + 0.5) / across as f64;
                let y = i as f64 + ((dot / across) as f64 + 0.5) / along as f64;
                canvas.disc(place(x, y), 0.8, color, Blend::Over);
            }
        }
        let rows = u.len() / columns - 1;
        let [x, y] = place(at as f64, rows as f64);
        let white = Color::hex(0xf4f4f4);
        canvas.line([x, y - 45.0], [x, y - 3.0], 2.5, white, Blend::Over);
        for side in [-6.0, 6.0] {
            canvas.line([x + side, y - 11.0], [x, y - 3.0], 2.5, white, Blend::Over);
        }
        canvas
    }
}
