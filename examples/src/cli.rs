//! The command line that all examples have in common.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use clap::{CommandFactory, FromArgMatches};

/// Set on each option: a heading on the group would swallow the options that follow it too.
const COMMON: &str = "Common options";

/// The options of every example, to be flattened into its own: `#[command(flatten)] common: Common`.
#[derive(clap::Args, Clone, Debug)]
pub struct Common {
    /// Where to compute: auto (the first CUDA device, else the CPU), cpu, cuda, or cuda:N
    #[arg(long, help_heading = COMMON, value_name = "DEVICE", default_value_t = DeviceChoice::Auto)]
    pub device: DeviceChoice,

    /// Number of frames to compute and to write
    #[arg(long, help_heading = COMMON, value_name = "N", default_value_t = 100)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    pub frames: u32,

    /// Folder for the pictures; it is created, and frames of an earlier run in it are removed
    #[arg(long, help_heading = COMMON, value_name = "DIR", default_value = "out")]
    pub out: PathBuf,

    /// Frames per second of the animation
    #[arg(long, help_heading = COMMON, value_name = "N", default_value_t = 30)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=50))]
    pub fps: u32,

    /// Write the single pictures only, no animated GIF
    #[arg(long, help_heading = COMMON)]
    pub no_gif: bool,

    /// Show the frames in a window or terminal in the place of files; needs `--features view`
    #[arg(long, help_heading = COMMON)]
    pub view: bool,
}

/// What one example has in the place of the general defaults.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// Number of frames, if `--frames` does not say.
    pub frames: u32,
    /// Folder for the pictures, if `--out` does not say.
    pub out: &'static str,
}

/// Parses the command line. Prints help or an error and leaves the program where that is asked for, as
/// [`clap::Parser::parse`] does.
pub fn parse<A: CommandFactory + FromArgMatches>(defaults: Defaults) -> A {
    let matches = command::<A>(defaults).get_matches();
    A::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

fn command<A: CommandFactory>(defaults: Defaults) -> clap::Command {
    A::command()
        .mut_arg("frames", |arg| arg.default_value(defaults.frames.to_string()))
        .mut_arg("out", |arg| arg.default_value(defaults.out))
}

/// The device that the user asked for: `auto`, `cpu`, `cuda` or `cuda:N`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeviceChoice {
    /// The first CUDA device, else the CPU.
    #[default]
    Auto,
    /// All cores of the CPU.
    Cpu,
    /// The CUDA device with this number.
    Cuda(usize),
}

impl FromStr for DeviceChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<DeviceChoice, String> {
        match text.split_once(':') {
            None if text == "auto" => Ok(DeviceChoice::Auto),
            None if text == "cpu" => Ok(DeviceChoice::Cpu),
            None if text == "cuda" => Ok(DeviceChoice::Cuda(0)),
            Some(("cuda", number)) => match number.parse() {
                Ok(number) => Ok(DeviceChoice::Cuda(number)),
                Err(_) => Err(format!(
                    "`{number}` is not the number of a CUDA device, they count from 0"
                )),
            },
            _ => Err("expected auto, cpu, cuda or cuda:N".to_owned()),
        }
    }
}

impl fmt::Display for DeviceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceChoice::Auto => f.write_str("auto"),
            DeviceChoice::Cpu => f.write_str("cpu"),
            DeviceChoice::Cuda(number) => write!(f, "cuda:{number}"),
        }
    }
}

/// A picture size in pixels as an option: `--size 1280x720`, or `--size 512` for a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Pixels from left to right, at least 1.
    pub width: usize,
    /// Pixels from top to bottom, at least 1.
    pub height: usize,
}

impl Size {
    /// Reads the option of a program that needs that many cells: `#[arg(value_parser = Size::at_least(3, 3))]`.
    ///
    /// # Errors
    /// What is expected, if the text is no size, or of a smaller one.
    pub fn at_least(width: usize, height: usize) -> impl Fn(&str) -> Result<Size, String> + Clone {
        move |text| {
            let size: Size = text.parse()?;
            match size.width >= width && size.height >= height {
                true => Ok(size),
                false => Err(format!("expected {} or more", Size { width, height })),
            }
        }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let (width, height) = text.split_once('x').unwrap_or((text, text));
        match (width.parse(), height.parse()) {
            // The limit is that of the GIF format.
            (Ok(width @ 1..=65535), Ok(height @ 1..=65535)) => Ok(Size { width, height }),
            _ => Err("expected WIDTHxHEIGHT, or one number for a square, of 1 to 65535 pixels".to_owned()),
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Args {
        #[command(flatten)]
        common: Common,
        #[arg(long, default_value = "640x480")]
        size: Size,
        #[arg(long, default_value = "45x3", value_parser = Size::at_least(45, 3))]
        cells: Size,
    }

    fn args(line: &str) -> Result<Args, clap::Error> {
        let command = command::<Args>(Defaults {
            frames: 37,
            out: "out/test",
        });
        let matches = command.try_get_matches_from(line.split_whitespace())?;
        Args::from_arg_matches(&matches)
    }

    #[test]
    fn the_defaults_of_the_example_hold() {
        let Args { common, size, .. } = args("test").unwrap();
        assert_eq!((common.frames, common.fps, common.no_gif), (37, 30, false));
        assert_eq!(common.out, PathBuf::from("out/test"));
        assert_eq!(common.device, DeviceChoice::Auto);
        assert_eq!(
            size,
            Size {
                width: 640,
                height: 480
            }
        );
    }

    #[test]
    fn the_user_overrides_them() {
        let Args { common, size, .. } =
            args("test --frames 3 --out a/b --device cuda:2 --no-gif --fps 12 --size 17").unwrap();
        assert_eq!((common.frames, common.fps, common.no_gif), (3, 12, true));
        assert_eq!(common.out, PathBuf::from("a/b"));
        assert_eq!(common.device, DeviceChoice::Cuda(2));
        assert_eq!(size, Size { width: 17, height: 17 });
    }

    #[test]
    fn wrong_values_are_refused_with_what_was_expected() {
        let message = |line: &str| args(line).err().unwrap().to_string();
        assert!(message("test --device gpu").contains("expected auto, cpu, cuda or cuda:N"));
        assert!(message("test --device cuda:x").contains("`x` is not the number of a CUDA device"));
        assert!(message("test --size 0x3").contains("expected WIDTHxHEIGHT"));
        assert!(message("test --cells 44x9").contains("expected 45x3 or more"));
        assert!(message("test --cells 90x2").contains("expected 45x3 or more"));
        assert_eq!(args("test --cells 90").unwrap().cells, Size { width: 90, height: 90 });
        assert!(message("test --frames 0").contains("--frames"));
    }

    #[test]
    fn the_help_shows_the_defaults_of_the_example() {
        let help = command::<Args>(Defaults {
            frames: 37,
            out: "out/test",
        })
        .render_help()
        .to_string();
        assert!(
            help.contains("[default: 37]") && help.contains("[default: out/test]"),
            "{help}"
        );
    }
}
