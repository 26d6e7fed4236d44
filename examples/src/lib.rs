//! What the example programs share: the command line, where the frames go, progress.
//!
//! A program draws each frame on a [`Canvas`] or maps a two-dimensional array through a [`ColorMap`], and hands the
//! [`Image`] to [`Output`], which writes PNG files and one animated GIF, or shows it in a window.
//!
//! ```no_run
//! use std::process::ExitCode;
//! use clap::Parser;
//! use swathe_examples::{Blend, Canvas, Color, Common, Defaults, Failure, Output, cli, progress};
//!
//! /// A spark that runs around.
//! #[derive(Parser)]
//! struct Args {
//!     #[command(flatten)]
//!     common: Common,
//!     /// Radius of the spark, in pixels
//!     #[arg(long, value_name = "R", default_value_t = 3.0)]
//!     radius: f32,
//! }
//!
//! fn main() -> ExitCode {
//!     swathe_examples::main(run)
//! }
//!
//! fn run() -> Result<(), Failure> {
//!     let args: Args = cli::parse(Defaults { frames: 120, out: "out/spark" });
//!     let mut output = Output::new(&args.common)?;
//!     for frame in progress::frames(args.common.frames) {
//!         let angle = frame as f32 * 0.05;
//!         let mut canvas = Canvas::new(256, 256, Color::hex(0x0b1020));
//!         let center = [128.0 + 90.0 * angle.cos(), 128.0 + 90.0 * angle.sin()];
//!         canvas.disc(center, args.radius, Color::hex(0xffc857), Blend::Over);
//!         if !output.frame(&canvas.to_image())? {
//!             break;
//!         }
//!     }
//!     println!("{}", output.finish()?);
//!     Ok(())
//! }
//! ```

pub mod cli;
mod device;
mod output;
pub mod progress;

use std::error::Error;
use std::process::ExitCode;

pub use cli::{Common, Defaults, DeviceChoice, Size};
pub use device::NoSuchDevice;
pub use output::{Output, Shown};
pub use swathe_view::{Blend, Canvas, Color, ColorMap, Image, View};

/// What a program can fail with.
pub type Failure = Box<dyn Error>;

/// Runs a program; tells of its failure, with all causes, on standard error.
pub fn main(run: impl FnOnce() -> Result<(), Failure>) -> ExitCode {
    let Err(failure) = run() else { return ExitCode::SUCCESS };
    eprintln!("error: {failure}");
    let mut cause = failure.source();
    while let Some(error) = cause {
        eprintln!("  because: {error}");
        cause = error.source();
    }
    ExitCode::FAILURE
}
