//! The folder of pictures that a program leaves behind.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::animation::{self, Sampler};
use crate::{Image, PictureError};

/// How the frames of a [`Recording`] become one file at its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Animation {
    /// Not at all.
    None,
    /// `animation.gif`, of 255 colours that serve all frames.
    #[default]
    Gif,
    /// `animation.png`, an animated PNG, exact and larger.
    Apng,
}

/// Writes `frame_0000.png`, `frame_0001.png`, .. into a folder and, at the end, an animation of them.
///
/// ```
/// use swathe_view::{Animation, Canvas, Color, Recording};
///
/// # fn main() -> Result<(), swathe_view::PictureError> {
/// let folder = std::env::temp_dir().join("swathe-recording");
/// let mut recording = Recording::new(&folder)?.frames_per_second(24).animation(Animation::Apng);
/// for k in 0..3_u8 {
///     recording.frame(&Canvas::new(64, 48, Color::srgb([80 * k, 20, 40])).to_image())?;
/// }
/// let report = recording.finish()?;
/// assert_eq!(report.frames.len(), 3);
/// assert_eq!(report.animation, Some(folder.join("animation.png")));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Recording {
    folder: PathBuf,
    frames: Vec<PathBuf>,
    size: [usize; 2],
    /// How many frames there will be, if the program keeps to its options.
    expected: usize,
    fps: u32,
    animation: Animation,
    sampler: Option<Sampler>,
}

impl Recording {
    /// Makes the folder, and removes the pictures of an earlier recording from it; other files stay.
    ///
    /// # Errors
    /// [`PictureError::Folder`].
    pub fn new(folder: impl Into<PathBuf>) -> Result<Recording, PictureError> {
        let folder = folder.into();
        clear(&folder).map_err(|(path, source)| PictureError::Folder { path, source })?;
        Ok(Recording {
            folder,
            frames: Vec::new(),
            size: [0; 2],
            expected: 100,
            fps: 30,
            animation: Animation::default(),
            sampler: None,
        })
    }

    /// How many frames there will be, about: the colours of a GIF are chosen from as many pixels of each. 100 if it is not said.
    #[must_use]
    pub fn expected(self, frames: usize) -> Recording {
        Recording {
            expected: frames,
            ..self
        }
    }

    /// How fast the animation runs: 30 if it is not said. 0 counts as 1, and a GIF has no more than 50.
    #[must_use]
    pub fn frames_per_second(self, fps: u32) -> Recording {
        Recording {
            fps: fps.max(1),
            ..self
        }
    }

    /// What the animation is.
    #[must_use]
    pub fn animation(self, animation: Animation) -> Recording {
        Recording { animation, ..self }
    }

    /// Writes the next frame.
    ///
    /// # Errors
    /// [`PictureError::Write`], and [`PictureError::Size`] for a frame that has not the size of the first one.
    pub fn frame(&mut self, image: &Image) -> Result<(), PictureError> {
        let frame = self.frames.len();
        let size = [image.width(), image.height()];
        if frame == 0 {
            self.size = size;
        } else if size != self.size {
            return Err(PictureError::Size {
                frame,
                expected: self.size,
                came: size,
            });
        }
        let path = self.folder.join(format!("frame_{frame:04}.png"));
        image.write_png(&path)?;
        self.frames.push(path);
        if self.animation == Animation::Gif {
            let sampler = || Sampler::new(self.expected, image.pixels().len());
            self.sampler.get_or_insert_with(sampler).add(image);
        }
        Ok(())
    }

    /// Writes the animation, unless there is none to write, and tells what there is now.
    ///
    /// # Errors
    /// [`PictureError::Animation`], [`PictureError::Write`], [`PictureError::TooLarge`], and [`PictureError::Read`] if a frame is gone
    /// meanwhile.
    pub fn finish(self) -> Result<Report, PictureError> {
        let animation = match (&self.sampler, self.animation) {
            _ if self.frames.is_empty() => None,
            (Some(sampler), Animation::Gif) => {
                let path = self.folder.join(GIF);
                animation::write_gif(&path, &self.frames, sampler, self.fps.min(50))?;
                Some(path)
            }
            (_, Animation::Apng) => {
                let path = self.folder.join(APNG);
                animation::write_apng(&path, &self.frames, self.fps)?;
                Some(path)
            }
            _ => None,
        };
        Ok(Report {
            frames: self.frames,
            animation,
        })
    }
}

/// The files that a [`Recording`] has written.
#[derive(Clone, Debug)]
pub struct Report {
    /// One picture per frame, in order.
    pub frames: Vec<PathBuf>,
    /// The animation, if one was wanted.
    pub animation: Option<PathBuf>,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.frames[..] {
            [] => write!(f, "no frames")?,
            [only] => write!(f, "1 frame: {}", only.display())?,
            [first, .., last] => {
                let last = last.file_name().unwrap_or_default();
                write!(
                    f,
                    "{} frames: {} .. {}",
                    self.frames.len(),
                    first.display(),
                    Path::new(last).display()
                )?;
            }
        }
        if let Some(animation) = &self.animation {
            write!(f, "\nanimation: {}", animation.display())?;
            if let Ok(data) = fs::metadata(animation) {
                write!(f, " ({:.1} MB)", data.len() as f64 / 1e6)?;
            }
        }
        Ok(())
    }
}

const GIF: &str = "animation.gif";
const APNG: &str = "animation.png";

fn clear(folder: &Path) -> Result<(), (PathBuf, io::Error)> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error| (path, error)
    };
    fs::create_dir_all(folder).map_err(at(folder))?;
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let entry = entry.map_err(at(folder))?;
        if entry.file_name().to_str().is_some_and(is_ours) {
            fs::remove_file(entry.path()).map_err(at(&entry.path()))?;
        }
    }
    Ok(())
}

fn is_ours(name: &str) -> bool {
    let number = name.strip_prefix("frame_").and_then(|rest| rest.strip_suffix(".png"));
    [GIF, APNG].contains(&name) || number.is_some_and(|n| n.len() >= 4 && n.bytes().all(|digit| digit.is_ascii_digit()))
}

#[cfg(test)]
#[path = "recording_tests.rs"]
mod tests;
